import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct BarMarksTests {
    private static let instrument = InstrumentID(index: 0)
    private static let barSize = Duration.minutes(1)

    /// Property: bars marked in one go leave what they leave one after the other, whatever is held.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func barsTogetherLeaveWhatEachOfThemLeaves(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        // Nothing, a long or a short position.
        let trade = Make.execution(
            1, chance.chance(percent: 50) ? .buy : .sell, 500 * chance.number(in: 0...2),
            cents: 15_00)
        var together = portfolio(trade)
        var each = portfolio(trade)
        let rows = rows(&chance)
        var first = 0
        while first < rows.count {
            let end = Int(chance.number(in: Int64(first + 1)...Int64(rows.count)))
            together.mark(
                Self.instrument, atBarsIn: first..<end, of: rows.span, barSize: Self.barSize)
            for row in rows[first..<end] {
                #expect(each.mark(Self.instrument, at: row.close) == true)
                each.closeSlice(at: row.start + Self.barSize)
            }
            first = end
            #expect(together.equity == each.equity)
            #expect(together.drawdown.deepest == each.drawdown.deepest)
            #expect(together.drawdown.peak == each.drawdown.peak)
        }
        together.checkIdentity()
    }

    private func portfolio(_ trade: Execution) -> PortfolioLedger {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: Money(cents: 10_000_00)
        )
        if trade.quantity > .zero { portfolio.apply(trade, for: .strategy(StrategyID(index: 0))) }
        return portfolio
    }

    /// Bars of a minute whose closes walk in steps of at most half a dollar.
    private func rows(_ chance: inout SeededGenerator) -> [BarRow] {
        var close = chance.number(in: 10_00...20_00)
        return (0..<chance.number(in: 1...60)).map { minute in
            close = max(1, close + chance.number(in: -50...50))
            let price = Price(cents: close)
            return BarRow(
                start: Make.time(60 * minute), open: price, high: price, low: price, close: price,
                volume: .zero)
        }
    }
}
