import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Orders of the session's own strategies: too many, against each other, held by the broker.
@Suite struct OwnOrderSessionTests {
    private static func text(
        _ strategies: String, more: String = "", symbols: String = "AAPL"
    ) -> String {
        """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [\(symbols)], bar_size: 1m}
        risk: {allow_short: true\(more)}
        strategies:
        \(strategies)
        """
    }

    private static func strategy(_ name: String) -> String {
        "  - {use: \(name), sizing: {method: fixed_shares, shares: 100}}"
    }

    /// A3, C-17: a strategy asks for more and more: five orders a minute leave, not one more, and its entries stop until the
    /// user lets them go on, also through a crash; exits leave.
    @Test func aRogueStrategyIsStopped() throws {
        try SessionStrategies.available {
            let rig = try SessionRig(
                Self.text("  - {use: rogue}", more: ", max_orders_per_minute: 5"),
                keepsHistory: true)
            func sent() -> Int { rig.entries(since: 0).count }
            try rig.pass(until: "orders") { sent() > 0 }
            let refused = try #require(rig.decisions.first { $0.kind == .refused(.orderRate) })
            #expect(refused.figures[.value]?.amount == 5 && refused.figures[.limit]?.amount == 5)
            let stops = rig.decisions.filter { $0.kind == .strategyStopped(.orderRate) }
            #expect(stops.map(\.subject.strategy) == [StrategyID(index: 0)])
            try rig.pass(.seconds(30))
            #expect(sent() == 5 && rig.held(0) == Quantity(shares: 5))
            // Five orders and their cancels, which came too late, for five executed orders.
            let snapshot = SessionSnapshot(of: rig.driver, symbols: rig.symbols, at: rig.now)
            #expect(snapshot.orderEfficiency == 10.0 / 6)
            try rig.pass(.minutes(2))
            try rig.crash()
            try rig.pass(.minutes(2))
            #expect(sent() == 5)
            #expect(rig.decisions.contains { $0.kind == .refused(.strategyStopped) })
            try rig.instruct(.startEntries(StrategyID(index: 0)))
            try rig.pass(.minutes(2))
            #expect(sent() == 10)
            try rig.instruct(.flatten(.all))
            try rig.pass(until: "no position", limit: .minutes(1)) { rig.held(0) == .zero }
            try rig.expectEqualLedgers()
        }
    }

    /// A3: what was sent on a day counts through a start on the same day.
    @Test func theDaysOrdersCountThroughARestart() throws {
        try SessionStrategies.available {
            let rig = try SessionRig(
                Self.text("  - {use: rogue}", more: ", max_orders_per_day: 7"),
                keepsHistory: true)
            try rig.pass(until: "orders") { !rig.entries(since: 0).isEmpty }
            try rig.crash()
            try rig.pass(.minutes(1))
            try rig.instruct(.startEntries(StrategyID(index: 0)))
            try rig.pass(.minutes(3))
            #expect(rig.entries(since: 0).count == 7)
        }
    }

    /// O11: an entry that could trade with another strategy's order is refused; once that has ended it leaves.
    @Test func anEntryDoesNotMeetAnOrderOfOurOwn() throws {
        try SessionStrategies.available {
            let rig = try SessionRig(
                Self.text(Self.strategy("limit_buyer") + "\n" + Self.strategy("short_seller"))
                    + "\nexecution: {on_timeout: leave}",
                keepsHistory: true)
            try rig.pass(until: "a bar") {
                rig.events.contains { if case .bar = $0.kind { true } else { false } }
            }
            try rig.pass(.seconds(4))
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL"}"#)
            try rig.pass(until: "a refusal", limit: .minutes(1)) {
                rig.decisions.contains { $0.kind == .refused(.selfCrossing) }
            }
            let refused = try #require(
                rig.decisions.first { $0.kind == .refused(.selfCrossing) })
            #expect(refused.subject.strategy == StrategyID(index: 1))
            #expect(refused.figures[.working]?.amount == Quantity(shares: 100).units)
            #expect(refused.figures[.asked]?.amount == Quantity(shares: -100).units)
            #expect(rig.entries(since: 0).map(\.request.side) == [.buy])
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL","on":false}"#)
            try rig.pass(until: "the other's order") {
                rig.entries(since: 0).map(\.request.side) == [.buy, .sell]
            }
            try rig.pass(until: "no position") { rig.held(0) == .zero }
            try rig.expectEqualLedgers()
        }
    }

    /// O6, O16: shares to be sold short are looked for: the order counts as working, is an alarm after five minutes and
    /// again after an hour, and no more once it works.
    @Test func aHeldShortSaleIsAnAlarm() throws {
        try SessionStrategies.available {
            let rig = try SessionRig(
                Self.text(Self.strategy("short_seller")), keepsHistory: true)
            try rig.gateway.fault(#"{"do":"borrow","symbol":"AAPL"}"#)
            try rig.pass(until: "an order") { !rig.entries(since: 0).isEmpty }
            let order = try #require(rig.entries(since: 0).first?.id)
            func alarms() -> [Decision] { rig.decisions.filter { $0.kind == .orderHeld } }
            try rig.pass(.minutes(4) + .seconds(50))
            #expect(alarms().isEmpty)
            try rig.pass(.seconds(15))
            #expect(alarms().map(\.subject.order) == [order])
            #expect(alarms().first?.figures[.value]?.amount == 300)
            #expect(rig.text(of: try #require(alarms().first)).contains("look at the gateway"))
            #expect(rig.state(of: order) == .working)
            let working = rig.driver.withEngine {
                $0.orders.working.account(in: InstrumentID(index: 0)).sells
            }
            #expect(working == Quantity(shares: 100))
            try rig.pass(.minutes(59), inStepsOf: .seconds(1))
            #expect(alarms().count == 1)
            try rig.pass(.minutes(2), inStepsOf: .seconds(1))
            #expect(alarms().count == 2)
            // Nothing was sent in its place.
            #expect(rig.entries(since: 0).count == 1)
            try rig.gateway.fault(#"{"do":"borrow","symbol":"AAPL","found":true}"#)
            try rig.pass(until: "its fill") { rig.held(0) == Quantity(shares: -100) }
            try rig.pass(.minutes(62), inStepsOf: .seconds(1))
            #expect(alarms().count == 2)
            try rig.expectEqualLedgers()
        }
    }

    /// O6: stops and targets that wait for their price are not held.
    @Test func restingProtectionIsNoAlarm() throws {
        let rig = try SessionRig.withProtection()
        try rig.pass(.minutes(12))
        #expect(!rig.decisions.contains { $0.kind == .orderHeld })
    }
}
