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

/// What has cost other programs' users money, each once more with a session in its place.
@Suite struct IncidentTests {
    /// AIS-1: a fill comes right behind 1100.
    @Test func aFillBehind1100IsBooked() throws {
        let rig = try SessionRig.behindAnOrder()
        try rig.gateway.fault(#"{"do":"code","code":1100}"#)
        try rig.pass(.seconds(20))
        // It is booked while the link is lost, not when it is back.
        #expect(rig.driver.status(at: rig.now).link == .upstreamLost)
        #expect(rig.driver.fillCount > 0)
        #expect((0..<4).contains { rig.held($0) > .zero })
        try rig.gateway.fault(#"{"do":"code","code":1102}"#)
        try rig.expectTradingGoesOn()
        try rig.expectFilledAsAtTheBroker()
    }

    /// AIS-2: the broker cancels an order while its link is lost.
    @Test func aCancelBehind1100EndsTheOrder() throws {
        let rig = try SessionRig.withProtection()
        let stops = rig.working(.protection)
        try rig.gateway.fault(#"{"do":"code","code":1100}"#)
        try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
        try rig.pass(.seconds(5))
        #expect(stops.allSatisfy { rig.state(of: $0) == .cancelled })
        try rig.gateway.fault(#"{"do":"code","code":1102}"#)
        try rig.pass(.minutes(2))
        #expect(!rig.working(.protection).isEmpty)
        try rig.expectTradingGoesOn()
    }

    /// AIS-4: what was written right before a restart vanishes: of each order it is found out that it was not sent.
    @Test func ordersThatVanishAtARestartAreFoundOut() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["placeOrder"]}"#)
        try rig.pass(until: "orders") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(.milliseconds(500))
        let orders = rig.entries(since: 0).map(\.id)
        try rig.gateway.fault(#"{"do":"restart","seconds":60}"#)
        try rig.gateway.fault(#"{"do":"roll-back","by":4}"#)
        try rig.pass(.minutes(3))
        #expect(orders.count >= 2)
        for order in orders {
            #expect(rig.state(of: order) == .closed || rig.state(of: order) == .notSent)
        }
        _ = rig.gateway.control("{\"do\":\"heal\"}")
        try rig.expectTradingGoesOn()
    }

    /// AIS-8: an order is refused for its contract: it ends within a second, with the reason.
    @Test func aRefusalEndsTheOrderAtOnce() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["placeOrder"],"code":200,"text":"No security definition","times":1}"#
        )
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(.seconds(1))
        let reason = rig.events.lazy.compactMap { event -> BrokerMessage? in
            guard case .brokerOrder(let report) = event.kind,
                case .rejectedByBroker(let words) = report.fact
            else { return nil }
            return words
        }.first
        #expect(reason?.code == 200)
        let name = try #require(reason?.text)
        #expect(rig.names[name] == "No security definition")
        #expect(rig.entries(since: 0).contains { rig.state(of: $0.id) == .rejected })
        let rejected = try #require(rig.decisions.first { $0.kind == .orderRejected })
        #expect(rig.text(of: rejected).contains("200"))
        try rig.expectTradingGoesOn()
    }

    /// AIS-12: a start on a journal sends nothing by itself.
    @Test(arguments: 1...3)
    func aStartSendsNothing(seed: Int) throws {
        let rig = try SessionRig(seed: UInt64(seed))
        try rig.pass(.minutes(21) + .seconds(30))
        let sent = rig.gateway.received(.placeOrder).count
        try rig.crash()
        try rig.pass(.seconds(20))
        #expect(rig.driver.status(at: rig.now).step == .trading)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.expectEqualLedgers()
    }

    /// AIS-15: a service flaps; the connection and the client's number stay.
    @Test func aServiceThatFlapsKeepsTheConnection() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(12))
        for _ in 0..<5 {
            try rig.gateway.play("farm-blip")
            try rig.pass(.minutes(1))
        }
        #expect(rig.gateway.connection == 1)
        #expect(try rig.clientIDs() == [1])
        try rig.expectTradingGoesOn()
    }

    /// AIS-17: orders by hand all have the number 0: each is one of its own, and none is ours.
    @Test func ordersByHandAreNotOurs() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(3))
        for price in [1, 2, 3] {
            try rig.gateway.fault(
                #"{"do":"order","symbol":"SPY","side":"buy","quantity":5,"limit":\#(price)}"#)
        }
        try rig.crash()
        let before = rig.history.batches.count
        try rig.pass(.minutes(20))
        let found = rig.decisions.filter { $0.kind == .finding(.foreignOrder) }
        #expect(Set(found.map(\.subject.order)).count == 3)
        #expect(rig.gateway.received(.cancelOrder).isEmpty)
        // In what is not ours alone nothing is entered.
        #expect(rig.entries(since: before, in: 3).isEmpty)
        try rig.expectEqualLedgers()
    }

    /// AIS-22, E3, E4: an execution is corrected, and one is taken back: an alarm, and for the second entries in the symbol
    /// wait until the user has looked.
    @Test(arguments: [#"{"do":"correct","quantity":7}"#, #"{"do":"bust"}"#])
    func aCorrectionReplacesTheExecution(command: String) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        try rig.gateway.fault(command)
        try rig.pass(.minutes(2))
        try rig.expectEqualLedgers()
        #expect(
            rig.events.contains {
                guard case .brokerOrder(let report) = $0.kind,
                    case .executed(let execution) = report.fact
                else { return false }
                return execution.id.revision == 2
            })
        let corrected = try #require(rig.decisions.first { $0.kind == .executionCorrected })
        #expect(corrected.kind.severity == .warning)
        let instrument = try #require(corrected.subject.instrument)
        let isBust = command.contains("bust")
        #expect(
            rig.decisions.contains {
                $0.kind == .latched(.executionTakenBack) && $0.subject.instrument == instrument
            } == isBust)
        guard isBust else { return }
        let batch = rig.history.batches.count
        try rig.pass(.minutes(20))
        #expect(rig.entries(since: batch, in: Int(instrument.index)).isEmpty)
        #expect(rig.driver.fillCount > 0)
        try rig.expectEqualLedgers()
    }

    /// CON-14, G14: a gateway that takes no orders is watched only, not tried with each order, until the user says that it
    /// takes them or the connection is made anew.
    @Test(arguments: [true, false])
    func aReadOnlyGatewayGetsNoOrders(userResumes: Bool) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        try rig.gateway.fault(#"{"do":"read-only"}"#)
        let sent = rig.gateway.received(.placeOrder).count
        try rig.pass(.minutes(45))
        let tried = rig.gateway.received(.placeOrder).count - sent
        #expect((1...4).contains(tried))
        let began = rig.decisions.filter { $0.kind == .conditionBegan(.readOnlyGateway) }
        #expect(began.map(\.kind.severity) == [.critical])
        #expect(try rig.text(of: #require(began.first)).contains("Read-Only API"))
        try rig.gateway.fault(#"{"do":"read-only","on":false}"#)
        try rig.pass(.minutes(6))
        #expect(rig.gateway.received(.placeOrder).count - sent == tried)
        if userResumes {
            try rig.instruct(.resumeAll)
        } else {
            try rig.gateway.fault(#"{"do":"drop"}"#)
        }
        try rig.expectTradingGoesOn()
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.readOnlyGateway) })
    }

    /// CON-14: TWS refuses to list orders, too, where it is set to read only: a session that comes back to it says why
    /// it waits, and goes on by itself.
    @Test func aGatewayThatListsNoOrdersIsNamed() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        try rig.gateway.fault(#"{"do":"read-only","lists":true}"#)
        try rig.gateway.fault(#"{"do":"drop"}"#)
        let sent = rig.gateway.received(.placeOrder).count
        try rig.pass(.minutes(10))
        let began = rig.decisions.filter { $0.kind == .conditionBegan(.readOnlyGateway) }
        #expect(began.map(\.kind.severity) == [.critical])
        #expect(rig.driver.status(at: rig.now).step == .synchronising)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        #expect(!rig.decisions.contains { $0.kind == .conditionEnded(.readOnlyGateway) })
        try rig.gateway.fault(#"{"do":"read-only","on":false}"#)
        try rig.expectTradingGoesOn()
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.readOnlyGateway) })
        try rig.expectEqualLedgers()
    }

    /// C-26: shares are split overnight, and nobody has said so: the symbol waits for a person, and nothing is sent
    /// to mend it.
    @Test func anUnexplainedSplitLatchesTheSymbol() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        let held = try rig.heldSymbol()
        let symbol = rig.symbols[held]
        try rig.gateway.fault(#"{"do":"split","symbol":"\#(symbol)","new":4,"old":1}"#)
        try rig.pass(.minutes(2))
        #expect(
            rig.decisions.contains {
                $0.kind == .latched(.positionDiffers)
                    && $0.subject.instrument == InstrumentID(index: held)
            })
        let count = rig.history.batches.count
        try rig.pass(.minutes(30))
        #expect(rig.entries(since: count, in: held).isEmpty)
    }
}
