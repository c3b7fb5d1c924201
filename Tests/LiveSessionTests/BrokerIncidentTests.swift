import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Journal
import MarketState
import Model
import Orders
import Primitives
import Risk
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Incidents of what the broker, its data and other people do to an account.
@Suite struct BrokerIncidentTests {
    /// AIS-10, O18: the broker closes a position by itself: it is booked, entries are halted until the user has looked,
    /// and the user is notified.
    @Test func aLiquidationIsBookedAndHalts() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        let index = try rig.heldSymbol()
        let before = rig.held(index)
        let symbol = rig.symbols[index]
        try rig.gateway.fault(
            #"{"do":"trade","symbol":"\#(symbol)","side":"sell","quantity":10,"liquidation":true}"#)
        let time = rig.now
        let batch = rig.history.batches.count
        try rig.pass(.seconds(5))
        #expect(rig.held(index) == before)
        #expect(try rig.foreign(symbol) == -Quantity(shares: 10))
        let halt = try #require(rig.decisions.first { $0.kind == .halted(.brokerLiquidation) })
        #expect(halt.at - time <= .seconds(5) && halt.kind.severity == .critical)
        #expect(rig.began(.liquidated).map(\.subject.instrument) == [InstrumentID(index: index)])
        try rig.pass(.minutes(3))
        // The halt outlives the process.
        try rig.crash()
        try rig.pass(.minutes(6))
        #expect(rig.entries(since: batch).isEmpty)
        try rig.instruct(.resume(.brokerLiquidation))
        #expect(rig.decisions.contains { $0.kind == .resumed(.brokerLiquidation) })
    }

    /// AIS-16, X2: somebody closes a position of ours by hand: seen within five seconds, an alarm, entries in it wait,
    /// and nothing is done to mend it.
    @Test func aPositionClosedByHandIsSeen() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        let index = try rig.heldSymbol()
        let before = rig.held(index)
        let symbol = rig.symbols[index]
        let sent = rig.gateway.received(.placeOrder).count
        let shares = before.units / Quantity.unitsPerOne
        try rig.gateway.fault(
            #"{"do":"trade","symbol":"\#(symbol)","side":"sell","quantity":\#(shares)}"#)
        let time = rig.now
        let batch = rig.history.batches.count
        try rig.pass(.seconds(40))
        let alarm = try #require(
            rig.decisions.first {
                $0.kind.severity == .critical && $0.subject.instrument == InstrumentID(index: index)
            })
        #expect(alarm.at - time <= .seconds(5))
        #expect(rig.held(index) == before)
        #expect(try rig.foreign(symbol) == -before)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.pass(.minutes(3))
        #expect(rig.entries(since: batch, in: index).isEmpty)
    }

    /// AIS-12, C-12: what happened to the account without us is no reason to order: a start sends nothing to mend a
    /// position that differs.
    @Test func aStartMendsNothing() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(21) + .seconds(30))
        let index = try rig.heldSymbol()
        let symbol = rig.symbols[index]
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"close-port","seconds":10}"#)
        try rig.gateway.fault(#"{"do":"drop"}"#)
        try rig.crash()
        try rig.gateway.fault(
            #"{"do":"trade","symbol":"\#(symbol)","side":"sell","quantity":10}"#)
        try rig.pass(.minutes(1))
        #expect(rig.driver.status(at: rig.now).step == .trading)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        #expect(
            rig.decisions.contains {
                $0.kind.severity == .critical && $0.subject.instrument == InstrumentID(index: index)
            })
    }

    /// AIS-27, M5, N9: behind a service's return prices are off by a constant part: no strategy sees them, no order
    /// follows from them, the user is notified, and as it is several symbols the connection is made anew, once.
    @Test func pricesThatAreOffMakeNoOrder() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        try rig.gateway.fault(#"{"do":"farm"}"#)
        try rig.pass(.seconds(3))
        try rig.gateway.fault(#"{"do":"distort","data":"spike","kinds":["realTimeBar"]}"#)
        try rig.gateway.fault(#"{"do":"farm","state":"ok"}"#)
        let time = rig.now
        let batch = rig.history.batches.count
        try rig.pass(.minutes(4))
        let began = rig.began(.implausiblePrice)
        #expect(Set(began.map(\.subject.instrument)).count == 4)
        #expect(began.allSatisfy { $0.at - time <= .seconds(20) && $0.kind.severity == .critical })
        #expect(rig.entries(since: batch).isEmpty)
        #expect(rig.gateway.connection == 2)
        #expect(try rig.clientIDs() == [1])
        let renewed = try #require(
            rig.decisions.first { $0.kind == .linkChanged(.down) && $0.at > time })
        #expect((.seconds(75)...(.seconds(100))).contains(renewed.at - time))
        // The bars of these minutes came from history.
        try rig.expectSteadyBars()
        #expect(rig.barEnds(of: 0).last.map { rig.now - $0 < .minutes(2) } == true)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectTradingGoesOn()
        #expect(rig.decisions.filter { $0.kind == .conditionEnded(.implausiblePrice) }.count == 4)
        try rig.expectSteadyBars()
    }

    /// M5: a real gap passes as soon as history shows it.
    @Test func aRealGapPasses() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        let index = try #require((0..<4).first { rig.held($0) == .zero })
        let symbol = rig.symbols[index]
        try rig.gateway.fault(#"{"do":"split","symbol":"\#(symbol)","new":3,"old":2}"#)
        try rig.pass(.minutes(2))
        #expect(
            rig.began(.implausiblePrice).map(\.subject.instrument) == [InstrumentID(index: index)])
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.implausiblePrice) })
        let count = rig.barEnds(of: index).count
        try rig.pass(.minutes(2))
        #expect(rig.barEnds(of: index).count == count + 2)
        try rig.expectTradingGoesOn()
    }
}

extension SessionRig {
    /// The ends of the bars that strategies were shown of an instrument.
    func barEnds(of index: Int) -> [Timestamp] {
        events.compactMap {
            guard case .bar(let bar) = $0.kind, bar.instrument == InstrumentID(index: index) else {
                return nil
            }
            return bar.end
        }
    }

    /// No bar that strategies were shown is further than a twentieth from the one before it.
    func expectSteadyBars() throws {
        var known: [InstrumentID: Price] = [:]
        for event in events {
            guard case .bar(let bar) = event.kind else { continue }
            for price in [bar.open, bar.high, bar.low, bar.close] {
                let last = known[bar.instrument] ?? price
                #expect(abs(price.units - last.units) * 20 <= last.units, "\(bar)")
            }
            known[bar.instrument] = bar.close
        }
    }
}
