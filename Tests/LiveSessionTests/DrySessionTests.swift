import Accounting
import ClientTestSupport
import Configuration
import GatewaySimulator
import GatewayTestSupport
import MarketSimulation
import Model
import Orders
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Sessions in mode dry: the gateway's data, and orders that stay in this process.
@Suite struct DrySessionTests {
    private static func dry(_ configuration: String) -> String {
        configuration.replacing("mode: sim", with: "mode: dry")
    }

    /// Nothing but questions for data has reached the gateway, and nothing is ordered or held there.
    private func expectNothingAtTheGateway(_ rig: SessionRig) throws {
        let foreign = rig.gateway.received.filter { !$0.message.asksForData }
        #expect(foreign.isEmpty)
        let ledger = try JSONValue(Array(rig.gateway.control("{\"do\":\"ledger\"}").utf8))
        #expect(ledger["asked"] == .array([]))
        #expect(ledger["orders"] == .array([]))
    }

    /// Orders fill at the gateway's prices, positions are protected, and the ledger is that of the simulated account, also
    /// behind a crash in the middle of it.
    @Test func ordersFillByTheGatewaysMarket() throws {
        let rig = try SessionRig(Self.dry(SessionRig.protected), keepsHistory: true)
        try rig.pass(until: "protection that works") { !rig.working(.protection).isEmpty }
        try rig.pass(.seconds(30))
        #expect(rig.driver.fillCount > 0)
        let held = try rig.heldSymbol()
        try rig.expectEqualLedgers()
        let cash = rig.driver.withEngine { $0.portfolio.cash.rounded() }
        try rig.crash()
        try rig.pass(until: "ready") { rig.driver.status(at: rig.now).link == .ready }
        try rig.pass(.seconds(30))
        #expect(rig.held(held) != .zero)
        #expect(rig.driver.withEngine { $0.portfolio.cash.rounded() } == cash)
        #expect(!rig.working(.protection).isEmpty)
        try rig.pass(.minutes(40))
        try rig.expectTradingGoesOn()
        try rig.expectEqualLedgers()
        #expect(
            !rig.decisions.contains {
                $0.kind.topic == .latched || $0.kind == .finding(.foreignPosition)
            })
        try expectNothingAtTheGateway(rig)
        try rig.expectVerifiedJournal("dry")
    }

    /// The gateway restarts, and what others do in its account is none of the session's business.
    @Test func whatHappensInTheRealAccountIsLeftOut() throws {
        let rig = try SessionRig(Self.dry(SessionRig.rotation), keepsHistory: true)
        try rig.gateway.fault(#"{"do":"trade","symbol":"AAPL","side":"buy","quantity":50}"#)
        try rig.pass(.minutes(12))
        try rig.gateway.fault(#"{"do":"trade","symbol":"AAPL","side":"sell","quantity":20}"#)
        try rig.gateway.fault(
            #"{"do":"order","symbol":"AAPL","side":"buy","quantity":5,"limit":1,"client":1}"#)
        try rig.gateway.fault(#"{"do":"restart","seconds":90}"#)
        try rig.pass(.minutes(20))
        #expect(rig.driver.fillCount > 0)
        #expect(
            !rig.decisions.contains { decision in
                switch decision.kind {
                case .finding(.foreignPosition), .finding(.foreignOrder),
                    .finding(.positionDiffers), .latched:
                    true
                default: false
                }
            })
        try rig.expectTradingGoesOn()
        try rig.expectEqualLedgers()
        let foreign = rig.gateway.received.filter { !$0.message.asksForData }
        #expect(foreign.isEmpty)
    }

    /// A night without a session: the account has no market meanwhile, protection goes on the next day, and all is known.
    @Test func protectionGoesOnBehindANightWithoutASession() throws {
        let rig = try SessionRig(Self.dry(SessionRig.protected), keepsHistory: true)
        try rig.pass(until: "protection that works") { !rig.working(.protection).isEmpty }
        try rig.pass(.seconds(30))
        let held = try rig.heldSymbol()
        try rig.crash { rig.stall(.hours(23) + .minutes(30)) }
        try rig.pass(until: "ready") { rig.driver.status(at: rig.now).link == .ready }
        try rig.pass(.seconds(30))
        #expect(rig.held(held) != .zero && !rig.working(.protection).isEmpty)
        try rig.expectEqualLedgers()
        try rig.pass(.minutes(30))
        try rig.expectTradingGoesOn()
        try rig.expectEqualLedgers()
    }

    /// By data that are not live no order fills, and the user is notified once for each symbol.
    @Test func dataThatAreNotLiveFillNothing() throws {
        let time = SimulatedGateway.tuesday
        var data = DryData()
        let first = data.subscribe(InstrumentID(index: 3), .stock("AAPL"), at: time)
        let request = try #require(first)
        #expect(data.subscribe(InstrumentID(index: 3), .stock("AAPL"), at: time) == nil)
        func take(_ message: GatewayMessage) throws -> [String] {
            let words = data.take(message, at: time)
            return try #require(words)
        }
        var bid = TickPrice()
        bid.reqId = request.reqId
        (bid.tickType, bid.price, bid.size) = (.bid, 100, 200)
        var trade = TickString()
        trade.reqId = request.reqId
        trade.tickType = .realTimeVolume
        let milliseconds = time.nanoseconds / 1_000_000
        trade.value = "100.5;10;\(milliseconds - 1);500;100.2;true"
        #expect(try take(.tickPrice(bid)).isEmpty)
        // Of before.
        #expect(try take(.tickString(trade)).isEmpty)
        #expect(data.takeEvents(at: time).count == 1)
        trade.value = "100.5;10;\(milliseconds + 1);510;100.2;true"
        for _ in 1...2 { #expect(try take(.tickString(trade)).isEmpty) }
        #expect(data.takeEvents(at: time).map(\.isTrade) == [true])
        var mode = MarketDataType()
        (mode.reqId, mode.marketDataType) = (request.reqId, .delayed)
        #expect(try take(.marketDataType(mode)).count == 1)
        #expect(try take(.marketDataType(mode)).isEmpty)
        // What was quoted is taken back, and nothing follows.
        #expect(data.takeEvents(at: time).map(\.isTrade) == [false])
        bid.price = 101
        trade.value = "101;10;\(milliseconds + 2);520;100.2;true"
        #expect(try take(.tickPrice(bid)).isEmpty && take(.tickString(trade)).isEmpty)
        #expect(data.takeEvents(at: time).isEmpty)
        var other = TickPrice()
        other.reqId = 7
        #expect(data.take(.tickPrice(other), at: time) == nil)
    }

    /// What orders or cancels is never taken for a question for data.
    @Test func ordersAreNeverTheGateways() {
        let orders: [ClientMessageKind] = [
            .placeOrder, .cancelOrder, .reqGlobalCancel, .exerciseOptions, .replaceFA,
            .reqAutoOpenOrders,
        ]
        for message in [
            ClientMessage.placeOrder(PlaceOrder(1, .stock("AAPL"), Order())),
            .cancelOrder(CancelOrder()), .reqGlobalCancel(ReqGlobalCancel()),
            .exerciseOptions(ExerciseOptions()), .replaceFA(ReplaceFA()),
            .reqAutoOpenOrders(ReqAutoOpenOrders()),
        ] {
            #expect(orders.contains(message.kind) && !message.asksForData)
        }
    }
}
