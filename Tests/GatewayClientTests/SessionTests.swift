import ClientTestSupport
import GatewayTestSupport
import Primitives
import Runtime
import Synchronization
import TWSClient
import TWSProtocol
import Testing

/// The face that hands over every message in wire order, at a simulated gateway.
@Suite struct SessionTests {
    /// What a session told, in order.
    private final class Notes: Sendable {
        private let list = Mutex<[SessionEvent]>([])
        func add(_ events: [SessionEvent]) { list.withLock { $0 += events } }
        var events: [SessionEvent] { list.withLock { $0 } }
        var messages: [GatewayMessage] {
            events.compactMap { if case .message(let message, _) = $0 { message } else { nil } }
        }
    }

    private func session(_ gateway: SimulatedGateway, _ notes: Notes) -> Session {
        var settings = SessionSettings(clientID: 7)
        settings.placesOrders = true
        return Session(settings: settings, connector: gateway) { notes.add($0) }
    }

    /// Connect, look, buy, be told, and leave: nothing is unknown, nothing is left over, and what hangs
    /// together comes in its order.
    @Test(arguments: ceilings)
    func sessionTradesInWireOrder(version: Int) async throws {
        let gateway = SimulatedGateway(version: version)
        let notes = Notes()
        let session = session(gateway, notes)
        session.start()
        try await gateway.wait("ready") { session.state == .ready }
        #expect(session.agreement?.version.number == version)

        var data = ReqMktData()
        data.reqId = 1_000_000
        data.contract = .stock("AAPL")
        try session.send(.reqMktData(data))
        try await gateway.wait("a quote") { notes.messages.contains { $0.kind == .tickPrice } }

        let owner = try OrderOwner(account: "DU1234567", reference: "one")
        let draft = OrderDraft.market(for: .day)
        let contract = try TradableContract(.stock("AAPL"), on: PriceLadder(step: 0.01))
        let order = try draft.request(1, for: WireOrderTicket(.buy, 10, for: owner), in: contract)
        try session.send(.placeOrder(order))
        func published(_ kind: GatewayMessageKind) -> [Int] {
            notes.messages.indices.filter { notes.messages[$0].kind == kind }
        }
        try await gateway.wait("the costs") { !published(.commissionAndFeesReport).isEmpty }
        try await gateway.wait("the end of the order") {
            notes.messages.contains {
                if case .orderStatus(let status) = $0 { status.status == .filled } else { false }
            }
        }
        // The order is told first, its fill before its costs.
        let open = try #require(published(.openOrder).first)
        let fill = try #require(published(.execDetails).first)
        let cost = try #require(published(.commissionAndFeesReport).first)
        #expect(open < fill && fill < cost)

        #expect(
            notes.events.allSatisfy {
                switch $0 {
                case .rejected, .disconnected, .unsent, .syncStalled: false
                case .message(_, let leftover): leftover == 0
                case .agreed, .link, .asked, .answered, .resubscribe, .silence: true
                }
            })
        session.stop()
        try await gateway.wait("the end") { session.state == .down }
        guard case .disconnected(.closedByOwner, nil)? = notes.events.last else {
            Issue.record("the last event is \(String(describing: notes.events.last))")
            return
        }
        #expect(gateway.violations.isEmpty)
    }

    /// The same times and messages give the same messages.
    @Test func sameDayIsReportedTwiceAlike() async throws {
        var days: [[GatewayMessage]] = []
        for _ in 0..<2 {
            let gateway = SimulatedGateway()
            let notes = Notes()
            let session = session(gateway, notes)
            session.start()
            gateway.clock.advance(by: .seconds(1))
            var data = ReqMktData()
            data.reqId = 1_000_000
            data.contract = .stock("AAPL")
            try session.send(.reqMktData(data))
            gateway.clock.advance(by: .minutes(2))
            session.stop()
            gateway.clock.run()
            days.append(notes.messages)
        }
        #expect(days[0].count > 100)
        #expect(days[0] == days[1])
    }
}
