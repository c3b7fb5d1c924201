import Accounting
import Primitives
import TestSupport
import Testing

@Suite struct DrawdownTests {
    private func dollars(_ whole: Int64) -> ExactMoney { ExactMoney(Money(cents: whole * 100)) }

    /// The drawdown of a curve in whole dollars, one value a second.
    private func drawdown(_ curve: [Int64]) -> Drawdown {
        var drawdown = Drawdown(equity: dollars(curve.first ?? 0))
        for (second, equity) in curve.enumerated() {
            drawdown.observe(dollars(equity), at: Make.time(Int64(second)))
        }
        return drawdown
    }

    @Test func deepestDrawdownIsFromPeakToTrough() {
        // 120 to 90 is a quarter; 130 to 110 is less.
        let deepest = drawdown([100, 120, 90, 130, 110]).deepest
        #expect(deepest?.peak == dollars(120))
        #expect(deepest?.trough == dollars(90))
        #expect(deepest?.from == Make.time(1))
        #expect(deepest?.to == Make.time(2))
        #expect(deepest?.fraction == 0.25)
    }

    @Test func shareCountsNotTheAmount() {
        // 10 of 40 is a quarter, 20 of 100 a fifth.
        #expect(drawdown([40, 30, 100, 80]).deepest?.peak == dollars(40))
        // 20 of 80 is a quarter too and comes later: the first of equals stays.
        #expect(drawdown([40, 30, 80, 60]).deepest?.to == Make.time(1))
    }

    @Test func drawdownBeginsWhenThePeakWasLastSeen() {
        #expect(drawdown([100, 100, 99]).deepest?.from == Make.time(1))
    }

    @Test func risingEquityHasNoDrawdown() {
        #expect(drawdown([100, 100, 101, 150]).deepest == nil)
        #expect(drawdown([100, 100, 101, 150]).peak == dollars(150))
    }

    @Test func lossOfEverythingIsTheWhole() {
        #expect(drawdown([100, 0]).deepest?.fraction == 1)
        // Debt is more than the whole.
        #expect(drawdown([100, -50]).deepest?.fraction == 1.5)
    }

    @Test func peakThatIsNotPositiveHasNoShare() {
        #expect(drawdown([0, -10]).deepest == nil)
        #expect(drawdown([-5, -10]).deepest == nil)
    }

    @Test func depositMovesThePeak() {
        var drawdown = drawdown([100, 90])
        drawdown.shift(by: dollars(100))
        #expect(drawdown.peak == dollars(200))
        // 190 after the deposit is still the fall of 10, now of 200: shallower than 10 of 100.
        drawdown.observe(dollars(190), at: Make.time(5))
        #expect(drawdown.deepest?.fraction == 0.1)
        #expect(drawdown.deepest?.to == Make.time(1))
    }

    @Test func withdrawalIsNoLoss() {
        var drawdown = drawdown([100])
        drawdown.shift(by: dollars(-60))
        drawdown.observe(dollars(40), at: Make.time(5))
        #expect(drawdown.deepest == nil)
        // 30 after a peak of 40: a quarter.
        drawdown.observe(dollars(30), at: Make.time(6))
        #expect(drawdown.deepest?.fraction == 0.25)
        #expect(drawdown.deepest?.peak == dollars(40))
    }

    /// Nothing was looked at before the fall, so nobody knows when its peak was; whatever stands for that
    /// must bear being printed in a report.
    @Test func drawdownBeforeAnythingWasSeenCanBePrinted() async {
        await #expect(processExitsWith: .success) {
            var drawdown = Drawdown(equity: ExactMoney(Money(cents: 100_00)))
            drawdown.observe(ExactMoney(Money(cents: 90_00)), at: Make.open)
            let text = drawdown.deepest.map { "\($0.from)" }
            precondition(text != "", "a time has a text")
        }
    }

    /// Property: equal to looking back from every point at every earlier one, money paid in and out
    /// counted on both.
    @Test(arguments: 0..<150 as Range<UInt64>)
    func equalsLookingBackFromEveryPoint(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let start = chance.number(in: 50...1_000)
        var drawdown = Drawdown(equity: dollars(start))
        // Equity at each look, and what had been paid in by then; the start counts as seen.
        var seen: [(equity: Int64, paidIn: Int64)] = [(start, 0)]
        var equity = start
        var paidIn: Int64 = 0
        for second in 0..<80 as Range<Int64> {
            if chance.chance(percent: 10) {
                let flow = chance.number(in: -200...200)
                drawdown.shift(by: dollars(flow))
                equity += flow
                paidIn += flow
            }
            equity += chance.number(in: -30...30)
            drawdown.observe(dollars(equity), at: Make.time(second))
            seen.append((equity, paidIn))
        }
        let expected = Self.deepest(seen)
        #expect(drawdown.deepest?.fraction == expected.map { Double($0.depth) / Double($0.peak) })
        #expect(drawdown.deepest?.peak == expected.map { dollars($0.peak) })
        #expect(drawdown.deepest?.trough == expected.map { dollars($0.peak - $0.depth) })
    }

    /// The largest fall / peak over all pairs of points, compared as fractions of whole numbers.
    private static func deepest(
        _ seen: [(equity: Int64, paidIn: Int64)]
    ) -> (depth: Int64, peak: Int64)? {
        var deepest: (depth: Int64, peak: Int64)?
        for (index, now) in seen.enumerated() {
            let peaks = seen[...index].map { $0.equity + now.paidIn - $0.paidIn }
            guard let peak = peaks.max(), peak > 0, now.equity < peak else { continue }
            let depth = peak - now.equity
            guard depth * (deepest?.peak ?? 1) > peak * (deepest?.depth ?? 0) else { continue }
            deepest = (depth, peak)
        }
        return deepest
    }
}
