import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct HistoryPlanTests {
    /// A bar of 1900 on a machine whose clock stands at 2243: 2^63 nanoseconds are 9,223,372,036.9 seconds.
    @Test func lengthsHaveASecondsCountUpToTheLongest() {
        #expect(Duration(nanoseconds: .max).secondsRoundedUp == 9_223_372_037)
        #expect(Duration(nanoseconds: .min).secondsRoundedUp == -9_223_372_036)
        #expect(Duration(nanoseconds: 1).secondsRoundedUp == 1)
        #expect(Duration.seconds(60).secondsRoundedUp == 60)
        let longest = Duration(nanoseconds: .max)
        #expect(HistoryPlan.duration(covering: longest, size: .oneDay) == .years(1))
        #expect(HistoryPlan.duration(seconds: longest.secondsRoundedUp, step: 60) == .years(68))
    }

    @Test func piecesAreAsLongAsTheBarSizeAllows() {
        let long = Duration.days(3_000)
        let expected: [(WireBarSize, HistoryDuration)] = [
            (.oneSecond, .seconds(1_800)), (.fiveSeconds, .seconds(3_600)),
            (.tenSeconds, .seconds(14_400)), (.thirtySeconds, .seconds(28_800)),
            (.oneMinute, .days(1)), (.twoMinutes, .days(2)), (.fiveMinutes, .weeks(1)),
            (.twentyMinutes, .weeks(1)), (.thirtyMinutes, .months(1)), (.eightHours, .months(1)),
            (.oneDay, .years(1)), (.oneMonth, .years(1)),
        ]
        for (size, duration) in expected {
            #expect(HistoryPlan.duration(covering: long, size: size) == duration)
        }
    }

    @Test func aShortRangeIsAskedForShortly() {
        #expect(HistoryPlan.duration(covering: .seconds(5), size: .oneSecond) == .seconds(30))
        #expect(HistoryPlan.duration(covering: .hours(2), size: .oneMinute) == .seconds(7_200))
        #expect(HistoryPlan.duration(covering: .hours(2), size: .fiveMinutes) == .days(1))
        #expect(HistoryPlan.duration(covering: .hours(30), size: .thirtyMinutes) == .days(2))
        #expect(HistoryPlan.duration(covering: .days(40), size: .oneDay) == .days(40))
    }

    /// Whatever answers look like, the plan ends, and covers each time of the range once or more.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func anyAnswersLeaveNoHole(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = WireBarSize.known[Int.random(in: 0..<WireBarSize.known.count, using: &generator)]
        let from = Timestamp(seconds: 1_600_000_000)
        let longest = HistoryPlan.longest(for: size).seconds ?? 0
        let length = Int64.random(in: 1...longest * 20, using: &generator)
        var plan = HistoryPlan(size: size, from: from, to: from + .seconds(length))
        var end = plan.end
        for _ in 0..<100_000 where !plan.isComplete {
            let back = Int64.random(in: 1...longest, using: &generator)
            let isEmpty = Int.random(in: 0..<4, using: &generator) == 0
            let duration = plan.duration
            plan.answered(first: isEmpty ? nil : .timestamp(end - .seconds(back)))
            // A piece reaches from its oldest bar to the end of the one before.
            let reach = isEmpty ? duration.seconds ?? 0 : back
            #expect(plan.end == end - .seconds(reach))
            #expect(plan.end < end)
            end = plan.end
        }
        #expect(plan.isComplete)
    }

    @Test func anAnswerThatBringsNothingNewIsSteppedOver() {
        let end = Timestamp(seconds: 1_600_086_400)
        var plan = HistoryPlan(size: .oneMinute, from: Timestamp(seconds: 1_500_000_000), to: end)
        plan.answered(first: .timestamp(end))
        #expect(plan.end == end - .days(1))
    }
}

@Suite struct TickPagesTests {
    /// Seconds of 1 to 1,400 ticks each, read in pages that break off at 1,000 or give the whole last
    /// second: every tick comes once, in order.
    @Test(arguments: 0..<10 as Range<UInt64>, [true, false])
    func everyTickComesOnce(seed: UInt64, givesWholeSecond: Bool) {
        var generator = SeededGenerator(seed: seed)
        var all: [(Int64, Int)] = []
        var second: Int64 = 1_600_000_000
        for _ in 0..<40 {
            second += Int64.random(in: 1...20, using: &generator)
            // A second that fills a page is always given whole.
            let count = Int.random(in: 1...(givesWholeSecond ? 1_400 : 900), using: &generator)
            all += (0..<count).map { (second, $0) }
        }
        let range = TickRange(Timestamp(seconds: 1_600_000_000), Timestamp(seconds: second))
        var pages = TickPages<Int>(range)
        var asked = 0
        while let start = pages.next, asked < 1_000 {
            asked += 1
            let remainder = all.filter { $0.0 >= start }
            var page = Array(remainder.prefix(1_000))
            if givesWholeSecond, let last = page.last?.0 {
                page = Array(remainder.prefix { $0.0 <= last })
            }
            pages.answered(page)
        }
        let expected = all.filter { $0.0 < second }
        #expect(pages.next == nil)
        #expect(pages.ticks.map(\.0) == expected.map(\.0))
        #expect(pages.ticks.map(\.1) == expected.map(\.1))
    }

    @Test func anEmptyPageGoesOnWithTheNextDay() {
        let day: Int64 = 86_400 * 19_001
        let start = Timestamp(seconds: day - 36_400)
        var pages = TickPages<Int>(TickRange(start, start + .days(2)))
        pages.answered([])
        #expect(pages.next == day)
        pages.answered([(day + 7, 1)])
        #expect(pages.next == day + 8)
        pages.answered([])
        #expect(pages.next == day + 86_400)
        pages.answered([])
        #expect(pages.next == nil)
        #expect(pages.ticks.count == 1)
    }
}
