import Foundation
import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// Orders through the wire, with the gateway's own market and accounts.
@Suite struct GatewayOrdersTests {
    private func kinds(_ client: ScriptedClient) -> [GatewayMessageKind] {
        client.take().map(\.kind).filter { $0 != .error }
    }

    private func place(
        _ number: Int32, _ order: Order, _ client: ScriptedClient, _ rig: GatewayRig
    ) {
        client.send(.placeOrder(PlaceOrder(APIOrderID(rawValue: number), .stock("AAPL"), order)))
        rig.pass(.seconds(1))
    }

    @Test(arguments: [157, 163, 169, 176, 178, 200])
    func marketOrderFillsInEveryVersion(version: Int) {
        let rig = GatewayRig()
        let client = rig.begin(as: 1, version: version)
        client.take()
        place(1, .test(.buy, 10, .market), client, rig)
        #expect(
            kinds(client) == [
                .openOrder, .orderStatus, .execDetails, .openOrder, .orderStatus, .openOrder,
                .orderStatus, .commissionAndFeesReport,
            ])
        #expect(client.rejected.isEmpty)
        let ledger = rig.gateway.accounts.ledger(of: .none)
        #expect(ledger?.holdings.first?.position.quantity == Quantity(shares: 10))
        #expect(rig.gateway.unbookedFills.isEmpty)
    }

    @Test func positionsFollowTheFillThatMovedThem() {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.send(.reqPositions(ReqPositions()))
        client.take()
        place(1, .test(.buy, 10, .market), client, rig)
        let kinds = kinds(client)
        let fill = kinds.firstIndex(of: .execDetails)
        let position = kinds.firstIndex(of: .position)
        #expect(fill != nil && position != nil)
        #expect((fill ?? 0) < (position ?? 0))
    }

    @Test func clientZeroSeesAllOrdersAndOthersTheirOwn() {
        let rig = GatewayRig()
        let (zero, one, two) = (rig.begin(as: 0), rig.begin(as: 1), rig.begin(as: 2))
        for client in [zero, one, two] { client.take() }
        place(1, .test(.buy, 10, .market), one, rig)
        #expect(kinds(zero).contains(.execDetails))
        #expect(kinds(one).contains(.execDetails))
        #expect(kinds(two).isEmpty)
    }

    @Test func whatTheAccountCannotBearIsRefused() {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        place(1, .test(.buy, 1_000_000, .market), client, rig)
        #expect(client.codes == [201])
    }

    @Test func numbersOutliveConnections() {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        place(41, .test(.buy, 10, .limit, limit: 1_00), client, rig)
        client.leave()
        let repeated = rig.begin(as: 1)
        let next = repeated.messages.compactMap { message -> APIOrderID? in
            guard case .nextValidId(let next) = message else { return nil }
            return next.orderId
        }
        #expect(next == [42])
        repeated.take()
        repeated.send(.reqOpenOrders(ReqOpenOrders()))
        #expect(kinds(repeated) == [.openOrder, .orderStatus, .openOrderEnd])
    }

    @Test func ordersAndNumbersOutliveTheGateway() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        place(1, .test(.buy, 10, .market), client, rig)
        place(2, .test(.buy, 10, .limit, limit: 1_00), client, rig)
        let saved = try JSONEncoder().encode(rig.gateway.state)
        let later = GatewayRig()
        try later.gateway.restore(JSONDecoder().decode(GatewayState.self, from: saved))
        let repeated = later.begin(as: 1)
        repeated.take()
        repeated.send(.reqIds(ReqIds()))
        repeated.send(.reqOpenOrders(ReqOpenOrders()))
        repeated.send(.reqExecutions(ReqExecutions()))
        let answers = repeated.take()
        guard case .nextValidId(let next)? = answers.first else {
            Issue.record("reqIds is answered first")
            return
        }
        #expect(next.orderId == 3)
        #expect(
            answers.dropFirst().map(\.kind) == [
                .openOrder, .orderStatus, .openOrderEnd, .execDetails, .commissionAndFeesReport,
                .execDetailsEnd,
            ])
        #expect(later.gateway.orderManager.ledger.orders == rig.gateway.orderManager.ledger.orders)
    }

    @Test func whatIfReportsMargins() {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        place(1, .test(.buy, 100, .market) { $0.whatIf = true }, client, rig)
        let answers = client.messages
        guard answers.count == 1, case .openOrder(let open) = answers[0] else {
            Issue.record("one openOrder answers: \(answers.map(\.kind))")
            return
        }
        let change = open.orderState.initMarginChange ?? .zero
        #expect(change > .zero)
        #expect(open.orderState.commission == 1)
    }
}
