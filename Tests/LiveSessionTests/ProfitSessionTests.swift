import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// PRT-05, E10: the broker's streams of profit, and what the user is shown of profit and cost.
@Suite struct ProfitSessionTests {
    /// A session that holds 100 shares of the first of two symbols.
    private func holding() throws -> SessionRig {
        let rig = try SessionRig(
            """
            account: {type: margin, starting_capital: 100000}
            trading: {mode: sim, symbols: [AAPL, SPY], bar_size: 1m}
            strategies:
              - {use: limit_buyer, symbols: [AAPL], sizing: {method: fixed_shares, shares: 100}}
            """, keepsHistory: true)
        try rig.pass(until: "a position") { rig.held(0) == Quantity(shares: 100) }
        try rig.pass(.seconds(20))
        return rig
    }

    private func unrealized(_ rig: SessionRig, from batch: Int) -> [Timestamp] {
        rig.history.batches[batch...].flatMap(\.events).compactMap {
            guard case .accountValue(let value) = $0.kind, value.key == .unrealizedProfit else {
                return nil
            }
            return $0.at
        }
    }

    /// PRT-05: the account's stream is asked for once in a connection, and that of a position as long as it is held; a figure
    /// is journalled once a minute at most.
    @Test func profitIsAskedForOnceInAConnection() throws {
        try SessionStrategies.available {
            let rig = try holding()
            // What comes besides is no part of this.
            try rig.gateway.fault(#"{"do":"swallow","kinds":["accountValue"]}"#)
            let batch = rig.history.batches.count
            try rig.pass(.minutes(10))
            #expect(rig.gateway.received(.reqPnL).count == 1)
            #expect(rig.gateway.received(.reqPnLSingle).count == 1)
            let times = unrealized(rig, from: batch)
            #expect((9...11).contains(times.count), "\(times.count)")
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .minutes(1) })
            try rig.gateway.fault(#"{"do":"drop"}"#)
            try rig.pass(.minutes(2))
            #expect(rig.gateway.received(.reqPnL).count == 2)
            #expect(rig.gateway.received(.reqPnLSingle).count == 2)
            #expect(rig.gateway.received(.cancelPnLSingle).isEmpty)
            // Subscriptions that were lost are ended and begun anew.
            try rig.gateway.fault(#"{"do":"lose-link"}"#)
            try rig.pass(.seconds(10))
            try rig.gateway.fault(#"{"do":"restore-link","data":"lost"}"#)
            try rig.pass(.minutes(1))
            #expect(rig.gateway.received(.cancelPnL).count == 1)
            #expect(rig.gateway.received(.reqPnL).count == 3)
            #expect(rig.gateway.received(.reqPnLSingle).count == 3)
            try rig.instruct(.stopEntries(StrategyID(index: 0)))
            try rig.instruct(.flatten(.all))
            try rig.pass(until: "no position", limit: .minutes(2)) { rig.held(0) == .zero }
            try rig.pass(.seconds(10))
            #expect(rig.gateway.received(.cancelPnLSingle).count == 2)
            #expect(rig.accountDifferences.isEmpty)
            try rig.expectVerifiedJournal("profitIsAskedForOnceInAConnection")
        }
    }

    /// PRT-05: the stream's profit differs from ours for ten minutes: a warning with both figures, once a day, though no
    /// value of the account comes.
    @Test func aStreamThatDiffersIsAWarning() throws {
        try SessionStrategies.available {
            let rig = try holding()
            try rig.gateway.fault(#"{"do":"swallow","kinds":["execDetails","accountValue"]}"#)
            let paid = try #require(rig.averagePrice(0))
            // Fifty dollars a share more, for 100 shares.
            let price = Price(units: paid.units + Price(cents: 50_00).units)
            try rig.gateway.fault(#"{"do":"correct","price":\#(price)}"#)
            try rig.pass(.minutes(9))
            #expect(rig.accountDifferences.isEmpty)
            try rig.pass(.minutes(3))
            let warning = try #require(
                rig.decisions.first { $0.kind == .accountDiffers(.unrealizedProfit) })
            #expect(warning.kind.severity == .warning)
            let (theirs, ours) = (warning.figures[.value]?.amount, warning.figures[.held]?.amount)
            let gap = try #require(ours) - (try #require(theirs))
            // Prices of other moments: a hundred dollars either way.
            #expect(abs(gap - 5_000_000_000) < 100_000_000, "\(gap)")
            try rig.pass(.minutes(30))
            #expect(rig.accountDifferences.count { $0 == .unrealizedProfit } == 1)
        }
    }

    /// PRT-05: what others have gained on the same day by a trade that is closed again is not ours, and no alarm.
    @Test func othersGainsAreNoAlarm() throws {
        try SessionStrategies.available {
            let rig = try holding()
            for (side, price) in [("buy", 100), ("sell", 200)] {
                try rig.gateway.fault(
                    #"{"do":"trade","symbol":"SPY","side":"\#(side)","quantity":50,"price":\#(price)}"#
                )
                try rig.pass(.seconds(10))
            }
            try rig.pass(.minutes(30))
            let realized = rig.events.compactMap { event -> Money? in
                guard case .accountValue(let value) = event.kind, value.key == .realizedProfit
                else { return nil }
                return value.amount
            }
            // Fifty shares, a hundred dollars each, less commissions.
            #expect(try #require(realized.last) > Money(cents: 4_900_00))
            #expect(rig.accountDifferences.isEmpty)
        }
    }

    /// PRT-05, E10: profit of each position, of each strategy and of the day, and what a position has cost by our ledger and
    /// by the broker's.
    @Test func profitAndCostAreShown() throws {
        try SessionStrategies.available {
            let rig = try holding()
            let paid = try #require(rig.averagePrice(0))
            try rig.pass(.minutes(2))
            let answer = try rig.ask(#"{"do":"positions"}"#)
            let position = try #require(try rig.rows(answer, "positions").first)
            let price = try #require(
                rig.driver.withEngine { $0.portfolio.mark(of: InstrumentID(index: 0)) } ?? nil)
            // 100 shares; a unit of a price is a hundredth of a unit of money.
            let gain = Money(units: (price.units - paid.units))
            #expect(position["unrealized"] == .exact(gain))
            #expect(position["realized"] == .exact(Money.zero))
            #expect(position["average_price"] == .exact(paid))
            // The broker counts its commission of a dollar into the cost: a cent a share.
            let brokers = Price(units: paid.units + Price(cents: 1).units)
            #expect(position["broker_average_price"] == .exact(brokers))
            let broker = try #require(try rig.rows(answer, "broker").first)
            #expect(broker["symbol"] == .text("AAPL"))
            #expect(broker["average_price"] == .exact(brokers))
            #expect(broker["unrealized"] != nil)
            let status = try rig.ask(#"{"do":"status"}"#)
            let strategy = try #require(try rig.rows(status, "strategies").first)
            let profits = try rig.rows(status, "profit")
            #expect(profits.map { $0["of"] } == [.text("session"), .text("broker")])
            let all = try #require(profits.first)
            for shown in [strategy, all] {
                #expect(shown["unrealized"] == .exact(gain))
                #expect(shown["realized"] == .exact(Money.zero))
                #expect(shown["charges"] == .exact(Money(cents: 1_00)))
                #expect(shown["net"] == .exact(gain - Money(cents: 1_00)))
            }
            // All of it is the day's.
            #expect(all["day"] == .exact(gain - Money(cents: 1_00)))
            #expect(all["day_realized"] == .exact(-Money(cents: 1_00)))
            #expect(profits.last?["unrealized"] != nil)
        }
    }
}

extension SessionRig {
    /// What a unit of an instrument's position has cost by the session's ledger.
    fileprivate func averagePrice(_ index: Int) -> Price? {
        driver.withEngine {
            $0.portfolio.ledger(
                of: .strategy(StrategyID(index: 0)), in: InstrumentID(index: index)
            ).averagePrice(multiplier: 1)
        } ?? nil
    }
}
