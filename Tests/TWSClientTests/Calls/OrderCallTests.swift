import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

@Suite struct OrderCallTests {
    private func open(_ number: Int32, _ perm: Int64, client: Int32 = 7) -> OpenOrder {
        var order = OpenOrder()
        order.orderId = APIOrderID(rawValue: number)
        order.permId = PermID(rawValue: perm)
        order.clientId = ClientID(rawValue: client)
        order.order.totalQuantity = 1
        order.order.orderType = .limit
        return order
    }

    private func status(_ number: Int32, _ perm: Int64) -> OrderStatus {
        var status = OrderStatus()
        status.orderId = APIOrderID(rawValue: number)
        status.permId = PermID(rawValue: perm)
        status.clientId = 7
        status.status = .submitted
        return status
    }

    private func tradable() throws -> TradableContract {
        try TradableContract(.numbered("AAPL", 265_598), on: PriceLadder(step: 0.01))
    }

    private func ticket() throws -> WireOrderTicket {
        try WireOrderTicket(
            .buy, 10, for: OrderOwner(account: "DU1234567", reference: "test"))
    }

    @Test func openOrdersCarryTheirStatusAndComeOnce() async throws {
        let gateway = ScriptedGateway()
        let rows: [GatewayMessage] = [
            .openOrder(open(1, 100)), .orderStatus(status(1, 100)), .openOrder(open(2, 200)),
            .openOrder(open(1, 100)), .openOrderEnd(OpenOrderEnd()),
        ]
        for kind in [ClientMessageKind.reqOpenOrders, .reqAllOpenOrders] {
            gateway.on(kind) { _ in rows }
        }
        let client = try await gateway.connectedClient()
        let own = try await gateway.finish { try await client.openOrders() }
        #expect(own.map(\.order.permId) == [100, 200])
        #expect(own.map(\.status?.status) == [.submitted, nil])
        let all = try await gateway.finish { try await client.openOrders(.all) }
        #expect(all.count == 2)
        #expect(gateway.received(.reqAllOpenOrders).count == 1)
    }

    @Test func completedOrdersAreAList() async throws {
        let gateway = ScriptedGateway { $0.completedOrders = [CompletedOrder()] }
        let client = try await gateway.connectedClient()
        let orders = try await gateway.finish {
            try await client.completedOrders(apiOnly: true)
        }
        #expect(orders.count == 1)
        guard case .reqCompletedOrders(let asked)? = gateway.received(.reqCompletedOrders).last
        else {
            Issue.record("no reqCompletedOrders")
            return
        }
        #expect(asked.apiOnly)
    }

    private func execution(_ id: String, _ size: DecimalValue, _ request: RequestID) -> ExecDetails
    {
        var execution = ExecDetails()
        execution.reqId = request
        execution.execId = id
        execution.shares = size
        return execution
    }

    /// C-15: a corrected fill counts in its newest form; costs are joined by the fill's id.
    @Test func fillsComeWithTheirCostsAndCorrections() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqExecutions) { _ in [] }
        let client = try await gateway.connectedClient()
        let call = Started(on: gateway.clock) {
            var filter = FillFilter()
            filter.symbol = "AAPL"
            filter.since = Timestamp(seconds: 1_700_000_000)
            return try await client.fills(filter)
        }
        try await gateway.clock.run(until: "asked") { !gateway.received(.reqExecutions).isEmpty }
        let id = try #require(gateway.newest(.reqExecutions))
        var first = CommissionAndFeesReport()
        first.execId = "0001.aa.01.02"
        first.commission = 1
        var end = ExecDetailsEnd()
        end.reqId = id
        gateway.send(
            .execDetails(execution("0001.aa.01.01", 5, id)),
            .execDetails(execution("0001.aa.01.02", 1.1404, id)),
            .commissionAndFeesReport(first), .execDetails(execution("0001.bb.01.01", 3, id)),
            .execDetailsEnd(end))
        await gateway.clock.settle()
        #expect(!call.isDone)
        first.execId = "0001.bb.01.01"
        first.commission = 2
        gateway.send(.commissionAndFeesReport(first))
        let fills = try await call.value()
        #expect(fills.map(\.execution.shares) == [1.1404, 3])
        #expect(fills.map { $0.commission?.commission } == [1, 2])
        guard case .reqExecutions(let asked)? = gateway.received(.reqExecutions).last else {
            Issue.record("no reqExecutions")
            return
        }
        #expect("\(asked.time)" == "20231114-22:13:20")
    }

    @Test func costsThatNeverComeAreWaitedForTwoSeconds() async throws {
        let gateway = ScriptedGateway { $0.executions = [ExecDetails()] }
        let client = try await gateway.connectedClient()
        let begin = gateway.clock.now
        let fills = try await gateway.finishOverTime { try await client.fills() }
        #expect(fills.map(\.commission) == [nil])
        #expect(gateway.clock.now - begin == .seconds(2))
    }

    @Test func aWhatIfIsAnsweredByItsOpenOrderAndOrdersNothing() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.placeOrder) { message in
            guard case .placeOrder(let order) = message else { return [] }
            var answer = OpenOrder(of: order)
            answer.orderState.initMarginChange = 1_234.5
            return [.openOrder(answer)]
        }
        let client = try await gateway.readyClient()
        var order = Order()
        order.action = .buy
        order.orderType = .market
        order.totalQuantity = 1
        order.tif = .day
        order.transmit = false
        let state = try await gateway.finish { [order] in
            try await client.whatIf(order, for: .numbered("AAPL", 265_598))
        }
        #expect(state.initMarginChange == 1_234.5)
        guard case .placeOrder(let sent)? = gateway.received(.placeOrder).first else {
            Issue.record("no placeOrder")
            return
        }
        #expect(sent.order.whatIf && sent.order.transmit)
    }

    @Test func aRefusedWhatIfStatesWhy() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.placeOrder) { message in
            guard case .placeOrder(let order) = message else { return [] }
            return [
                .code(399, id: order.orderId.rawValue, "a note"),
                .code(201, id: order.orderId.rawValue, "Order rejected - margin"),
            ]
        }
        let client = try await gateway.readyClient()
        let error = try await Started(on: gateway.clock) {
            try await client.whatIf(Order(), for: .numbered("AAPL", 265_598))
        }.error()
        guard case .rejected(let notice)? = error as? ClientError else {
            Issue.record("\(error)")
            return
        }
        #expect(notice.code == 201)
    }

    @Test func ordersLeaveUnderNumbersOfTheirOwn() async throws {
        let gateway = ScriptedGateway { $0.nextOrderID = 40 }
        let client = try await gateway.readyClient()
        let (ticket, tradable) = (try ticket(), try tradable())
        let first = try client.place(
            .limit(100.019, for: .day, in: .regular), for: ticket, in: tradable)
        try client.change(
            first, to: .limit(101, for: .day, in: .regular), for: ticket, in: tradable)
        try await gateway.clock.run(until: "both arrive") {
            gateway.received(.placeOrder).count == 2
        }
        let sent = gateway.received(.placeOrder).compactMap { message -> PlaceOrder? in
            if case .placeOrder(let order) = message { order } else { nil }
        }
        #expect(sent.map(\.orderId) == [40, 40])
        #expect(sent.map(\.order.lmtPrice) == [100.01, 101])
    }

    /// C-06: a bracket's numbers lie in a row, and only its last order transmits.
    @Test func aBracketLeavesWholeAndInARow() async throws {
        let gateway = ScriptedGateway { $0.nextOrderID = 40 }
        let client = try await gateway.readyClient()
        let exits = BracketExits(stop: .stop(95), target: 110, for: .goodTillCancelled)
        let bracket = BracketDraft(.limit(100, for: .day, in: .regular), exits)
        let numbers = try client.place(bracket, for: try ticket(), in: try tradable())
        #expect(numbers == [40, 41, 42])
        try await gateway.clock.run(until: "all arrive") {
            gateway.received(.placeOrder).count == 3
        }
        let sent = gateway.received(.placeOrder).compactMap { message -> PlaceOrder? in
            if case .placeOrder(let order) = message { order } else { nil }
        }
        #expect(sent.map(\.order.transmit) == [false, false, true])
        #expect(sent.map(\.order.parentId) == [0, 40, 40])
    }
}
