import Accounting
import Model
import Primitives
import TestSupport
import Testing

@Suite struct TickMarksTests {
    private static let instrument = InstrumentID(index: 0)

    /// Property: ticks marked in one go leave what they leave one after the other, whatever is held.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func ticksTogetherLeaveWhatEachOfThemLeaves(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        // Nothing, a long or a short position.
        let trade = Make.execution(
            1, chance.chance(percent: 50) ? .buy : .sell, 500 * chance.number(in: 0...2),
            cents: 15_00)
        var together = portfolio(trade)
        var each = portfolio(trade)
        let rows = rows(&chance)
        var open = Make.open
        var first = 0
        while first < rows.count {
            let end = Int(chance.number(in: Int64(first + 1)...Int64(rows.count)))
            let prices = rows[first..<end].compactMap(\.tradePrice)
            let paid = prices.min().flatMap { low in prices.max().map { low...$0 } }
            together.mark(
                Self.instrument, atTicksIn: first..<end, of: rows.span, after: open, paid: paid)
            for row in rows[first..<end] {
                if row.at != open { each.closeSlice(at: open) }
                open = row.at
                if let price = row.tradePrice {
                    #expect(each.mark(Self.instrument, at: price) == true)
                }
            }
            first = end
            #expect(together.equity == each.equity)
            #expect(together.mark(of: Self.instrument) == each.mark(of: Self.instrument))
            #expect(together.drawdown.deepest == each.drawdown.deepest)
            #expect(together.drawdown.peak == each.drawdown.peak)
        }
        together.checkIdentity()
    }

    /// 100 shares bought at 10.00, which go to 12.00, to 9.00 and to 11.00, 100 ticks after each other: from
    /// 10,200 to 9,900 is a fall of 300.
    @Test func theDeepestDrawdownIsFoundAmongManyTicks() throws {
        var portfolio = portfolio(Make.execution(1, .buy, 100, cents: 10_00))
        let rows = (0..<400 as Range<Int64>).map { second in
            let cents: Int64? = [100: 12_00, 200: 9_00, 300: 11_00][second]
            return cents.map { row(Make.open + .seconds(second), paid: $0) }
                ?? row(Make.open + .seconds(second), bid: 10_00)
        }
        portfolio.mark(
            Self.instrument, atTicksIn: 0..<400, of: rows.span, after: Make.open,
            paid: Price(cents: 9_00)...Price(cents: 12_00))
        let deepest = try #require(portfolio.drawdown.deepest)
        #expect(deepest.peak == ExactMoney(Money(cents: 10_200_00)))
        #expect(deepest.trough == ExactMoney(Money(cents: 9_900_00)))
        #expect(deepest.from == Make.time(199))
        #expect(deepest.to == Make.time(200))
        #expect(portfolio.equity == ExactMoney(Money(cents: 10_100_00)))
    }

    private func portfolio(_ trade: Execution) -> PortfolioLedger {
        var portfolio = PortfolioLedger(
            instruments: Make.instruments("AAA"), strategyCount: 1, capital: Money(cents: 10_000_00)
        )
        if trade.quantity > .zero { portfolio.apply(trade, for: .strategy(StrategyID(index: 0))) }
        return portfolio
    }

    /// Quotes and trades, some at one instant, whose prices walk in steps of at most half a dollar.
    private func rows(_ chance: inout SeededGenerator) -> [TickRow] {
        var cents = chance.number(in: 10_00...20_00)
        var at = Make.open
        return (0..<chance.number(in: 1...300)).map { _ in
            at = at + .seconds(chance.number(in: 0...3))
            guard chance.chance(percent: 25) else { return row(at, bid: cents) }
            cents = max(1, cents + chance.number(in: -50...50))
            return row(at, paid: cents)
        }
    }

    private func row(_ at: Timestamp, paid cents: Int64) -> TickRow {
        TickRow(
            Trade(
                instrument: Self.instrument, at: at, price: Price(cents: cents),
                size: Quantity(shares: 1)))
    }

    private func row(_ at: Timestamp, bid cents: Int64) -> TickRow {
        TickRow(
            Quote(
                instrument: Self.instrument, at: at, bid: Price(cents: cents),
                ask: Price(cents: cents + 1)))
    }
}
