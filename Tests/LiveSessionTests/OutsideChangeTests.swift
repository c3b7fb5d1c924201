import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// AIS-16, X2, X3, E4: others change what a strategy holds, or an order of its: it is notified, and what the broker has is
/// taken for true.
@Suite struct OutsideChangeTests {
    /// AIS-16, X2: shares are sold by hand: within five seconds the symbol is latched and the strategy that holds it is
    /// notified, once, also where its own stop could have been the cause; and once more when they are bought back.
    @Test(arguments: [false, true])
    func aStrategyIsNotifiedOfSharesSoldByHand(isProtected: Bool) throws {
        let more = isProtected ? NotifiedStrategy.stop : ""
        try NotifiedStrategy.session(NotifiedStrategy.configuration(more: more)) { rig in
            try rig.passUntilHeld(protected: isProtected)
            let (batch, time, held) = (rig.history.batches.count, rig.now, rig.held(0))
            try rig.gateway.fault(#"{"do":"trade","symbol":"AAPL","side":"sell","quantity":7}"#)
            try rig.pass(.seconds(5))
            #expect(rig.notices(from: batch) == [.position(shares: -7)])
            let latched = try #require(
                try rig.decided("AAPL", from: batch) { $0.topic == .latched }.first)
            #expect(latched.at - time <= .seconds(5))
            #expect(rig.held(0) == held)
            // Neither comparisons nor a restart repeat it.
            try rig.pass(.minutes(3))
            try rig.crash()
            try rig.pass(.minutes(2))
            #expect(rig.notices(from: batch) == [.position(shares: -7)])
            #expect(try rig.submitted("AAPL", .entry, from: batch).isEmpty)
            try rig.gateway.fault(#"{"do":"trade","symbol":"AAPL","side":"buy","quantity":7}"#)
            try rig.pass(.seconds(20))
            #expect(
                rig.notices(from: batch) == [.position(shares: -7), .position(shares: 0)])
        }
    }

    /// AIS-16: the position of one strategy is no matter of another that does not hold the symbol.
    @Test func onlyWhoHoldsTheSymbolIsNotified() throws {
        let second = """
              - use: test_notified
                name: second
                symbols: [MSFT]
                parameters: {every: 2}
                sizing: {method: percent_of_equity, equity_pct: 15}
            """
        let configuration = NotifiedStrategy.configuration(
            symbols: "AAPL, MSFT", more: "    symbols: [AAPL]\n" + second)
        try NotifiedStrategy.session(configuration) { rig in
            try rig.pass(until: "two positions") { rig.held(0) > .zero && rig.held(1) > .zero }
            try rig.pass(.seconds(20))
            try rig.gateway.fault(#"{"do":"trade","symbol":"MSFT","side":"sell","quantity":3}"#)
            try rig.pass(.seconds(5))
            #expect(rig.notices(of: 0).isEmpty)
            #expect(rig.notices(of: 1) == [.position(shares: -3)])
        }
    }

    /// E4: an execution is taken back, and nothing but the position shows it: the symbol is latched with an alarm, and
    /// nothing is sent to mend it.
    @Test(arguments: [OrderPurpose.entry, .exit])
    func aBustThatOnlyThePositionShowsLatches(purpose: OrderPurpose) throws {
        try NotifiedStrategy.session { rig in
            try rig.passUntilHeld()
            if purpose == .exit {
                try rig.instruct(.flatten(.all))
                try rig.pass(until: "an exit") { rig.held(0) == .zero }
                try rig.pass(.seconds(15))
            }
            let (batch, held) = (rig.history.batches.count, rig.held(0))
            let sent = rig.gateway.received(.placeOrder).count
            try rig.gateway.fault(
                #"{"do":"swallow","kinds":["execDetails","commissionAndFeesReport"]}"#)
            try rig.gateway.fault(#"{"do":"bust"}"#)
            // Of several executions the last.
            let gap = try rig.gatewayPosition("AAPL") - held
            #expect(purpose == .entry ? gap < .zero : gap > .zero)
            try rig.pass(.seconds(6))
            let latched = try rig.decided("AAPL", from: batch) { $0 == .latched(.positionDiffers) }
            #expect(latched.map(\.kind.severity) == [.critical])
            try rig.pass(.minutes(6))
            #expect(rig.gateway.received(.placeOrder).count == sent)
            #expect(rig.held(0) == held)
            let shares = gap.units / Quantity.unitsPerOne
            #expect(
                rig.notices(from: batch)
                    == (purpose == .entry ? [.position(shares: shares)] : []))
        }
    }

    // MARK: Orders

    /// X3: a stop's price is moved by hand: within seconds it is an alarm, the strategy is notified, and the price is the
    /// stop's from then on. It is not moved back, also behind a restart.
    @Test func aStopMovedByHandStays() throws {
        try NotifiedStrategy.session(NotifiedStrategy.configuration(more: NotifiedStrategy.stop)) {
            rig in
            try rig.passUntilHeld(protected: true)
            let stop = try #require(rig.working(.protection).first)
            let price = try #require(rig.request(of: stop)?.type.stopPrice)
            let moved = price - Price(cents: 250)
            let (batch, sent) = (
                rig.history.batches.count, rig.gateway.received(.placeOrder).count
            )
            try rig.gateway.fault(
                #"{"do":"amend","orders":"each","symbol":"AAPL","stop":\#(moved)}"#)
            try rig.pass(.seconds(3))
            let found = try rig.decided("AAPL", from: batch) { $0 == .finding(.termsChanged) }
            #expect(found.map(\.kind.severity) == [.warning])
            #expect(found.map(\.subject.order) == [stop])
            #expect(rig.notices(from: batch) == [.order(stop)])
            #expect(rig.request(of: stop)?.type == .stop(moved))
            try rig.pass(.minutes(5))
            try rig.crash()
            try rig.pass(.minutes(5))
            #expect(rig.gateway.received(.placeOrder).count == sent)
            #expect(rig.gateway.received(.cancelOrder).isEmpty)
            #expect(rig.request(of: stop)?.type == .stop(moved))
            #expect(rig.notices(from: batch) == [.order(stop)])
            // Where the broker ends it, another takes its place at that price.
            try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
            try rig.pass(.seconds(10))
            let next = try #require(rig.working(.protection).first)
            #expect(next != stop && rig.request(of: next)?.type == .stop(moved))
            try rig.expectVerifiedJournal("a-stop-moved-by-hand")
        }
    }

    /// X3, rule 1: a stop is made smaller by hand: it does not cover the position any more, and another takes its place
    /// within seconds.
    @Test func aStopMadeSmallerByHandIsMended() throws {
        try NotifiedStrategy.session(NotifiedStrategy.configuration(more: NotifiedStrategy.stop)) {
            rig in
            try rig.passUntilHeld(protected: true)
            let stop = try #require(rig.working(.protection).first)
            let batch = rig.history.batches.count
            try rig.gateway.fault(
                #"{"do":"amend","orders":"each","symbol":"AAPL","quantity":1}"#)
            try rig.pass(.seconds(5))
            #expect(try rig.decided("AAPL", from: batch) { $0 == .protectionMended }.count == 1)
            #expect(rig.notices(from: batch) == [.order(stop)])
            #expect(rig.state(of: stop) == .cancelled)
            let next = try #require(rig.working(.protection).first)
            #expect(rig.request(of: next)?.quantity == rig.held(0))
            try rig.expectEqualLedgers()
        }
    }

    /// X3: an entry's limit and quantity are changed by hand: they are the order's, and it fills as the broker has it.
    @Test func anEntryChangedByHandIsTakenAsItIs() throws {
        let configuration = NotifiedStrategy.configuration("every: 2, below_pct: 5")
        try NotifiedStrategy.session(configuration) { rig in
            try rig.pass(until: "an entry that rests") { !rig.working(.entry).isEmpty }
            try rig.pass(.seconds(5))
            let entry = try #require(rig.working(.entry).first)
            let limit = try #require(rig.request(of: entry)?.type.limitPrice) + Price(cents: 100)
            let batch = rig.history.batches.count
            try rig.gateway.fault(
                #"{"do":"amend","orders":"each","limit":\#(limit),"quantity":7}"#)
            try rig.pass(.seconds(3))
            #expect(rig.notices(from: batch) == [.order(entry), .order(entry)])
            #expect(rig.request(of: entry)?.type == .limit(limit))
            #expect(rig.request(of: entry)?.quantity == Quantity(shares: 7))
            try rig.gateway.fault(#"{"do":"fill","orders":"each"}"#)
            try rig.pass(.seconds(5))
            #expect(rig.state(of: entry) == .filled)
            #expect(rig.held(0) == Quantity(shares: 7))
            try rig.expectEqualLedgers()
            try rig.expectVerifiedJournal("an-entry-changed-by-hand")
        }
    }
}
