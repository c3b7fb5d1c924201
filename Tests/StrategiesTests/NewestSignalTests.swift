import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing

@testable import Strategies

/// A signal that turns before its order could trade: the bundled strategies take the intent back.
@Suite struct NewestSignalTests {
    /// What a strategy wants at the last of these closes, in cents, given what it has and what is pending then.
    private func goals(
        by type: any Strategy.Type, _ values: [String: ParameterValue], closes: [Int64],
        holding: StrategyContext.Holding
    ) throws -> [Intent.Goal] {
        var rehearsal = Rehearsal(try bundled(type, values), instruments: stocks(1))
        for (index, close) in closes.dropLast().enumerated() {
            rehearsal.show([Make.bar(index, open: close, close: close)])
        }
        rehearsal.setHolding(holding, of: InstrumentID(index: 0))
        let before = rehearsal.intents.count
        let last = closes[closes.count - 1]
        rehearsal.show([Make.bar(closes.count - 1, open: last, close: last)])
        return rehearsal.intents.dropFirst(before).map(\.goal)
    }

    private static let strategies:
        [(any Strategy.Type, [String: ParameterValue], up: [Int64], down: [Int64])] =
            [
                (
                    MovingAverageCrossover.self, ["fast": .integer(1), "slow": .integer(2)],
                    [100, 100, 110], [100, 100, 90]
                ),
                (Momentum.self, ["lookback": .integer(1)], [100, 100, 110], [100, 100, 90]),
                (RSIReversion.self, ["length": .integer(2)], [100, 90, 80], [100, 90, 120]),
                (
                    ZScoreReversion.self, ["sma_period": .integer(5), "entry_std": .number(1.5)],
                    [100, 100, 100, 100, 90], [100, 100, 100, 100, 110]
                ),
            ]

    @Test func anEntryThatIsPendingIsTakenBackByASignalToBeOut() throws {
        for (type, values, _, down) in Self.strategies {
            for holding in [
                StrategyContext.Holding(pending: .entry),
                StrategyContext.Holding(working: Quantity(shares: 100)),
            ] {
                let goals = try goals(by: type, values, closes: down, holding: holding)
                #expect(goals == [.exit], "\(type)")
            }
        }
    }

    @Test func anExitThatIsPendingIsTakenBackByASignalToBeIn() throws {
        for (type, values, up, _) in Self.strategies {
            for holding in [
                StrategyContext.Holding(quantity: Quantity(shares: 100), pending: .exit),
                StrategyContext.Holding(
                    quantity: Quantity(shares: 100), working: Quantity(shares: -100)),
            ] {
                let goals = try goals(by: type, values, closes: up, holding: holding)
                #expect(goals == [.withdraw], "\(type)")
            }
        }
    }

    @Test func whatTheNewestSignalRequestsGoesOn() throws {
        for (type, values, up, down) in Self.strategies {
            let held = StrategyContext.Holding(quantity: Quantity(shares: 100))
            #expect(try goals(by: type, values, closes: up, holding: held).isEmpty, "\(type)")
            let none = StrategyContext.Holding()
            #expect(try goals(by: type, values, closes: down, holding: none).isEmpty, "\(type)")
        }
    }

    /// Nothing of it is to be held any more by the next rebalance, while a purchase still waits for its window.
    @Test func aRebalanceWithdrawsPendingIntentsThatNoLongerApply() throws {
        var rehearsal = Rehearsal(
            try bundled(
                CrossSectionalMomentum.self,
                [
                    "lookback": .integer(1), "top": .integer(1), "rebalance": .choice("bars"),
                    "every": .integer(1), "band_pct": .number(0), "min_trade_usd": .integer(0),
                ], instruments: 2), instruments: stocks(2), calendar: .always)
        func show(_ index: Int, _ closes: [Int64]) -> [Bar] {
            closes.enumerated().map {
                Make.bar(index, open: $1, close: $1, instrument: $0)
            }
        }
        rehearsal.show(show(0, [100_00, 100_00]))
        rehearsal.setHolding(.init(pending: .entry), of: InstrumentID(index: 0))
        rehearsal.show(show(1, [101_00, 105_00]))
        #expect(
            rehearsal.intents.map(\.goal) == [.withdraw, .target(Quantity(shares: 952))])
        #expect(rehearsal.intents.map(\.instrument.index) == [0, 1])
    }

    /// Only what has risen by more than two percent is held; the rest of the account stays cash.
    @Test func theThresholdHoldsOnlyWhatHasRisenByMore() throws {
        var rehearsal = Rehearsal(
            try bundled(
                CrossSectionalMomentum.self,
                [
                    "lookback": .integer(1), "top": .integer(2), "rebalance": .choice("bars"),
                    "every": .integer(1), "threshold": .number(0.02),
                ], instruments: 2), instruments: stocks(2), calendar: .always)
        for (index, closes) in [[100_00, 100_00], [102_00, 104_00]].enumerated() {
            rehearsal.show(
                closes.enumerated().map {
                    Make.bar(index, open: Int64($1), close: Int64($1), instrument: $0)
                })
        }
        // 50,000 / 104.00; exactly two percent is not above.
        #expect(rehearsal.intents.map(\.goal) == [.target(Quantity(shares: 480))])
        #expect(rehearsal.intents.map(\.instrument.index) == [1])
    }

    /// Prices adjusted for dividends are rounded to 10^-8 each: averages that differ by no more are equal.
    @Test func averagesThatDifferByTheRoundingOfPricesAreEqual() throws {
        let strategy = try bundled(
            MovingAverageCrossover.self, ["fast": .integer(1), "slow": .integer(2)])
        for (difference, isBought) in [(1 as Int64, false), (2, false), (4, true)] {
            var rehearsal = Rehearsal(strategy, instruments: stocks(1))
            // The slow average lies half a difference below the fast one.
            for (index, units) in [10_000_000_000, 10_000_000_000 + difference].enumerated() {
                let price = Price(units: units)
                rehearsal.show([
                    Bar(
                        instrument: InstrumentID(index: 0),
                        start: Make.time(Int64(60 * index)), barSize: .minutes(1), open: price,
                        high: price, low: price, close: price, volume: Quantity(shares: 1))
                ])
            }
            #expect(rehearsal.intents.isEmpty != isBought, "\(difference)")
        }
    }
}
