import Primitives
import Reporting
import Testing

@Suite struct DrawdownsTests {
    /// Levels 110, 88, 99, 110, 121, 60.5, 72.6 on days 0, 1, 2, 7, 8, 9, 19.
    private let returns = daily([
        (0, 0.1), (1, -0.2), (2, 0.125), (7, 1.0 / 9), (8, 0.1), (9, -0.5), (19, 0.2),
    ])

    @Test func episodesRunFromHighToHigh() throws {
        let drawdowns = Drawdowns(of: returns)
        try #require(drawdowns.deepest.count == 2)
        let (first, second) = (drawdowns.deepest[0], drawdowns.deepest[1])
        #expect(isClose(first.depth, 0.5))
        #expect(first.peak == day(8) && first.start == day(9) && first.valley == day(9))
        #expect(first.recovery == nil && first.days == 11)
        #expect(isClose(second.depth, 0.2))
        #expect(second.peak == day(0) && second.start == day(1) && second.valley == day(1))
        #expect(second.recovery == day(7) && second.days == 7)
        #expect(drawdowns.longestDays == 11)
        #expect(isClose(drawdowns.underWater, 4.0 / 7))
    }

    @Test func aDrawdownFromTheStartHasNoPeak() throws {
        let drawdowns = Drawdowns(of: daily([(3, -0.5), (5, 1), (6, 0.1)]))
        let episode = try #require(drawdowns.deepest.first)
        #expect(episode.peak == nil && episode.start == day(3) && episode.recovery == day(5))
        #expect(episode.days == 2)
    }

    @Test func fiveDeepestAreKeptAndTheEarlierOfEqualsComesFirst() {
        // Six falls, of a tenth, a half, a quarter, an eighth, a quarter and a fifth, each made good
        // exactly; the longest is the shallowest.
        var list: [(Int, Double)] = []
        for (index, episode) in [0.1, 0.5, 0.25, 0.125, 0.25, 0.2].enumerated() {
            list += [
                (index * 10, -episode), (index * 10 + (index == 0 ? 9 : 5), 1 / (1 - episode) - 1),
            ]
        }
        let drawdowns = Drawdowns(of: daily(list))
        let starts = drawdowns.deepest.map(\.start)
        #expect(starts == [day(10), day(20), day(40), day(50), day(30)])
        #expect(drawdowns.longestDays == 10)
    }

    /// In floating point, 0.95 · (1 + (1 / 0.95 - 1)) is a last digit less than 1.
    @Test func whatRoundingLeavesIsNoDrawdown() {
        let drawdowns = Drawdowns(
            of: daily((0..<50).map { ($0, $0.isMultiple(of: 2) ? -0.05 : 1 / 0.95 - 1) }))
        #expect(drawdowns.underWater == 0.5)
        #expect(drawdowns.longestDays == 2)
        #expect(drawdowns.deepest.allSatisfy { $0.recovery != nil })
    }

    @Test func risingCurvesHaveNoDrawdowns() {
        let drawdowns = Drawdowns(of: daily([(0, 0.1), (1, 0), (2, 0.1)]))
        #expect(drawdowns.deepest.isEmpty)
        #expect(drawdowns.longestDays == nil)
        #expect(drawdowns.underWater == 0)
        #expect(Drawdowns(of: []).underWater == nil)
    }

    @Test func losingEverythingIsNotRecovered() {
        let drawdowns = Drawdowns(of: daily([(0, 0.5), (1, -1), (2, 3)]))
        #expect(drawdowns.deepest.map(\.depth) == [1])
        #expect(drawdowns.deepest.first?.recovery == nil)
        #expect(drawdowns.deepest.first?.days == 2)
    }
}

/// A day of January 2024, from 0, and those behind it.
func day(_ number: Int) -> Day { opening.day.advanced(by: number) }

/// Returns on those days.
func daily(_ returns: [(Int, Double)]) -> [DailyReturn] {
    returns.map { DailyReturn(day: day($0), value: $1) }
}
