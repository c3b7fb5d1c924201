import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Signals
import Simulation
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// Buys one symbol at the first bar and another at the second.
private struct Two: Strategy {
    static let declaration = StrategyDeclaration(name: "two", summary: "buys two")
    private let held: Int
    private var bars: [Int]

    init(_ setup: StrategySetup) { self.init(held: 0) }
    init(held: Int) {
        self.held = held
        bars = [0, 0]
    }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        let index = Int(bar.instrument.index)
        bars[index] += 1
        if index == held, bars[index] == 1 { context.enter(.buy, bar.instrument, because: "one") }
        if index != held, bars[index] == 3 { context.enter(.buy, bar.instrument, because: "two") }
    }
}

/// What happens at one instant does not depend on what symbols are called.
@Suite struct TimeSliceTests {
    private let falling = [100_00, 100_00, 80_00, 80_00, 80_00].map(Int64.init)
    private let level = [100_00, 100_00, 100_00, 100_00, 100_00].map(Int64.init)

    /// 90 % of 10,000 buys 90 shares of the one that then falls to 80.00: equity is 8,200, of which 90 % are 73.8
    /// shares of the other at 100.00, whichever of the two comes first in the alphabet.
    @Test func sizesDoNotDependOnWhatSymbolsAreCalled() throws {
        var quantities: [Quantity] = []
        for isFirst in [true, false] {
            var trial = Trial(
                [
                    .closes(isFirst ? falling : level, symbol: "AAA", barSize: .days(1)),
                    .closes(isFirst ? level : falling, symbol: "ZZZ", barSize: .days(1)),
                ], Two(held: isFirst ? 0 : 1))
            trial.capital = Money(cents: 10_000_00)
            trial.sizing = .percentOfEquity(Percent(90))
            let record = try trial.run()
            quantities.append(try #require(record.fills.last).execution.quantity)
        }
        #expect(quantities == [Quantity(shares: 73), Quantity(shares: 73)])
    }

    /// One percent of 10,000 of settled cash at risk, a stop 5.00 away: 20 shares of each, though the first takes
    /// 2,000 of the cash.
    @Test func entriesOfOneTimeSliceAreSizedByTheSameCash() throws {
        var trial = Trial(
            [
                .closes(level, symbol: "AAA", barSize: .days(1)),
                .closes(level, symbol: "ZZZ", barSize: .days(1)),
            ], Pair())
        trial.capital = Money(cents: 10_000_00)
        trial.sizing = .riskPerTrade(
            Percent(1), RangeDistance(length: 2, times: Percent(100)))
        trial.protection = Protection(stop: .away(.amount(Price(cents: 5_00))))
        trial.account = { $0.settlement = SettlementCalendar() }
        let record = try trial.run()
        #expect(
            record.fills.map(\.execution.quantity) == [Quantity(shares: 20), Quantity(shares: 20)])
    }

    /// Risks 100 with a stop of 2 % of 100.00, and 5 % of range where there is no stop: 50 shares, not 20.
    @Test func riskPerTradeCountsThePositionsOwnStop() throws {
        var trial = Trial([.closes(level, symbol: "AAA", barSize: .days(1))], Pair())
        trial.capital = Money(cents: 10_000_00)
        trial.sizing = .riskPerTrade(
            Percent(1), RangeDistance(length: 2, times: Percent(8_333)))
        trial.protection = Protection(stop: .away(.percent(Percent(2))))
        let own = try trial.run()
        #expect(own.fills.first?.execution.quantity == Quantity(shares: 50))
        // Without a stop: bars of 0.06, so 83.33 times that is 5.00 of distance, once there are two bars.
        trial.protection = nil
        let range = try trial.run()
        #expect(range.fills.first?.execution.quantity == Quantity(shares: 20))
    }
}

/// Buys everything at its second bar.
private struct Pair: Strategy {
    static let declaration = StrategyDeclaration(name: "pair", summary: "buys all at once")
    private var bars: [Int: Int] = [:]

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        bars[Int(bar.instrument.index), default: 0] += 1
        guard bars[Int(bar.instrument.index)] == 3 else { return }
        context.enter(.buy, bar.instrument, because: "all")
    }
}
