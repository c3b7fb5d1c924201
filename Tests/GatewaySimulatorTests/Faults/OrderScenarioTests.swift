import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// Scripts of orders, as a client sees them.
@Suite struct OrderScenarioTests {
    private func started(
        _ name: String, at start: Timestamp = GatewayRig.start, seed: UInt64 = 1
    ) throws -> (GatewayRig, ScriptedClient) {
        let rig = GatewayRig(at: start) { $0.seed = seed }
        let client = rig.begin(as: 1)
        client.take()
        rig.gateway.play(try Scenario.named(name))
        rig.deliver()
        return (rig, client)
    }

    /// Places a resting buy order.
    private func index(
        _ number: Int32, _ client: ScriptedClient, quantity: DecimalValue = 300,
        change: (inout Order) -> Void = { _ in }
    ) {
        var order = Order()
        order.action = .buy
        order.totalQuantity = quantity
        order.orderType = .limit
        order.lmtPrice = 100
        order.tif = .goodTillCancelled
        order.account = "DU1234567"
        order.orderRef = "intent-\(number)"
        change(&order)
        client.send(.placeOrder(PlaceOrder(APIOrderID(rawValue: number), .stock("AAPL"), order)))
    }

    private func cancel(_ number: Int32, _ client: ScriptedClient) {
        var request = CancelOrder()
        request.orderId = APIOrderID(rawValue: number)
        client.send(.cancelOrder(request))
    }

    private func statuses(_ client: ScriptedClient, _ number: Int32) -> [OrderStatus] {
        client.messages.compactMap {
            guard case .orderStatus(let status) = $0, status.orderId.rawValue == number else {
                return nil
            }
            return status
        }
    }

    private func fills(_ client: ScriptedClient) -> [ExecDetails] {
        client.messages.compactMap {
            guard case .execDetails(let details) = $0 else { return nil }
            return details
        }
    }

    private func ledger(_ rig: GatewayRig) throws -> JSONValue {
        try JSONValue(Array(rig.gateway.control(#"{"do":"ledger"}"#).utf8))
    }

    // MARK: Lost, late, doubled

    @Test func droppedRequestsAreLostOrPerformedInSilence() throws {
        let (rig, client) = try started("swallowed", seed: 4)
        for number in 1...400 as ClosedRange<Int32> {
            index(number, client)
            rig.pass(.milliseconds(250))
        }
        rig.pass(.seconds(2))
        let answered = Set(
            client.messages.compactMap { message -> Int32? in
                guard case .openOrder(let order) = message else { return nil }
                return order.orderId.rawValue
            })
        // 5 % of 400 are 20, with a standard deviation of 4.4.
        #expect((7...33).contains(400 - answered.count))
        client.take()
        client.send(.reqOpenOrders(ReqOpenOrders()))
        let known = Set(
            client.messages.compactMap { message -> Int32? in
                guard case .openOrder(let order) = message else { return nil }
                return order.orderId.rawValue
            })
        #expect(answered.isSubset(of: known))
        #expect(known.count > answered.count)
        #expect(known.count < 400)
        guard case .array(let asked)? = try ledger(rig)["asked"] else {
            Issue.record("no ledger")
            return
        }
        #expect(asked.count == 400)
    }

    @Test func lostPlacementsLetTheNextNumberGoBack() throws {
        let (rig, client) = try started("id-rollback")
        for number in 1...4 as ClosedRange<Int32> { index(number, client) }
        rig.pass(.seconds(1))
        #expect(client.messages.isEmpty)
        rig.pass(.seconds(2))
        #expect(client.end == .reset)
        #expect(!rig.isListening)
        rig.pass(.minutes(1))
        let repeated = rig.begin(as: 1)
        guard
            case .nextValidId(let next)? = repeated.messages.first(where: {
                $0.kind == .nextValidId
            })
        else {
            Issue.record("no number")
            return
        }
        #expect(next.orderId == 1)
        repeated.take()
        repeated.send(.reqAllOpenOrders(ReqAllOpenOrders()))
        #expect(repeated.messages.map(\.kind) == [.openOrderEnd])
        index(1, repeated)
        rig.pass(.seconds(1))
        #expect(statuses(repeated, 1).last?.status == .submitted)
    }

    @Test func cancelIsNotAnsweredBeforeTheNextOpen() throws {
        // 5 March 2024, 09:25 in New York.
        let (rig, client) = try started(
            "late-cancel-ack", at: Timestamp(seconds: 1_709_648_700))
        index(1, client)
        rig.pass(.seconds(2))
        client.take()
        cancel(1, client)
        rig.pass(.milliseconds(297_750))
        #expect(client.codes.isEmpty)
        #expect(statuses(client, 1).allSatisfy { $0.status != .cancelled })
        rig.pass(.seconds(2))
        #expect(client.codes == [202])
        #expect(statuses(client, 1).last?.status == .cancelled)
    }

    @Test func callbacksComeInAnyOrderAndQueriesAreComplete() throws {
        var orders: Set<[GatewayMessageKind]> = []
        for seed in 1..<9 as Range<UInt64> {
            let (rig, client) = try started("callback-permutations", seed: seed)
            index(1, client)
            rig.pass(.seconds(3))
            client.take()
            _ = rig.gateway.control(#"{"do":"fill"}"#)
            rig.pass(.seconds(3))
            orders.insert(client.messages.map(\.kind))
            #expect(fills(client).allSatisfy { $0.shares == 300 })
            #expect(!fills(client).isEmpty)
            client.take()
            client.send(.reqExecutions(ReqExecutions()))
            rig.pass(.seconds(3))
            #expect(
                Set(client.messages.map(\.kind)).isSuperset(of: [.execDetails, .execDetailsEnd]))
        }
        #expect(orders.count > 4)
    }

    @Test func codesThatChangeNothingChangeNothing() throws {
        let (rig, client) = try started("info-codes")
        index(1, client)
        rig.pass(.seconds(8))
        #expect(
            Set(client.codes) == [
                399, 404, 10349, 10090, 2109, 202, 161, 10147, 10148, 201, 200, 110, 103, 10311,
                2137,
            ])
        #expect(
            client.messages.allSatisfy {
                guard case .error(let error) = $0 else { return true }
                return error.id == 1
            })
        client.take()
        client.send(.reqOpenOrders(ReqOpenOrders()))
        #expect(statuses(client, 1).map(\.status) == [.submitted])
    }

    @Test func dialogHoldsOrdersUntilOneIsCancelled() throws {
        let (rig, client) = try started("dialog-hold")
        for number in 1...3 as ClosedRange<Int32> { index(number, client) }
        rig.pass(.minutes(1))
        #expect(client.messages.isEmpty)
        cancel(2, client)
        rig.pass(.seconds(2))
        #expect(statuses(client, 1).last?.status == .submitted)
        #expect(statuses(client, 3).last?.status == .submitted)
        #expect(
            statuses(client, 2).last.map { [.cancelled, .apiCancelled].contains($0.status) } == true
        )
    }

    // MARK: The broker

    @Test func fillDuringTheLossOfTheBrokerIsReportedLaterOrOnlyWhenAsked() throws {
        let (rig, client) = try started("fill-during-1100")
        index(1, client)
        rig.pass(.seconds(3))
        #expect(client.codes == [1100])
        client.take()
        rig.pass(.seconds(18))
        #expect(client.messages.isEmpty)
        rig.pass(.seconds(2))
        #expect(client.codes.first == 1102)
        #expect(fills(client).map(\.shares) == [300])
        #expect(statuses(client, 1).last?.status == .filled)
        #expect(!client.messages.contains { $0.kind == .commissionAndFeesReport })
        rig.pass(.seconds(61))
        #expect(client.messages.contains { $0.kind == .commissionAndFeesReport })
        client.take()
        // The second time nothing of it is told.
        index(2, client)
        rig.pass(.seconds(1))
        #expect(statuses(client, 2).last?.status == .submitted)
        rig.pass(.seconds(100))
        #expect(client.codes == [1100, 1102])
        #expect(fills(client).isEmpty)
        #expect(statuses(client, 2).last?.status == .submitted)
        client.take()
        client.send(.reqExecutions(ReqExecutions()))
        rig.pass(.seconds(1))
        #expect(fills(client).map(\.orderId) == [1, 2])
    }

    @Test func restingOrdersOutliveTheConnectionAndFillWithoutIt() throws {
        let (rig, client) = try started("restart-with-resting")
        for number in 1...3 as ClosedRange<Int32> { index(number, client) }
        rig.pass(.seconds(6))
        #expect(client.end == .reset)
        rig.pass(.seconds(31))
        let repeated = rig.begin(as: 1)
        repeated.take()
        repeated.send(.reqOpenOrders(ReqOpenOrders()))
        #expect(statuses(repeated, 1).isEmpty)
        #expect(statuses(repeated, 2).map(\.filled) == [0])
        #expect(statuses(repeated, 3).map(\.filled) == [150])
        repeated.take()
        repeated.send(.reqExecutions(ReqExecutions()))
        #expect(fills(repeated).map(\.shares) == [300, 150])
        repeated.take()
        cancel(2, repeated)
        rig.pass(.seconds(1))
        #expect(statuses(repeated, 2).last?.status == .cancelled)
    }

    @Test func changeWithoutTheBrokerBecomesASecondOrder() throws {
        let (rig, client) = try started("duplicate-on-modify")
        index(1, client)
        rig.pass(.seconds(5))
        index(1, client) { $0.lmtPrice = 101 }
        rig.pass(.seconds(40))
        client.take()
        client.send(.reqAllOpenOrders(ReqAllOpenOrders()))
        let open = client.messages.compactMap { message -> (PermID, DecimalValue?)? in
            guard case .openOrder(let order) = message else { return nil }
            return (order.permId, order.order.lmtPrice)
        }
        #expect(Set(open.map(\.0)).count == 2)
        #expect(Set(open.map(\.1)) == [100, 101])
    }

    @Test func fillsComeBeforeAndAfterTheCancel() throws {
        let (rig, client) = try started("fill-after-cancel")
        index(1, client)
        rig.pass(.seconds(2))
        client.take()
        cancel(1, client)
        rig.pass(.milliseconds(1_750))
        #expect(client.codes == [202])
        #expect(fills(client).map(\.shares) == [102])
        #expect(statuses(client, 1).last?.status == .cancelled)
        rig.pass(.seconds(2))
        // 34 % of 300, half of the 198 that were left, the rest.
        #expect(fills(client).map(\.shares) == [102, 99, 99])
    }

    @Test func fillIsCorrectedTwiceAndAnotherTakenBack() throws {
        let (rig, client) = try started("correction-bust")
        index(1, client)
        index(2, client)
        rig.pass(.seconds(1))
        _ = rig.gateway.control(#"{"do":"fill","orders":"oldest"}"#)
        rig.pass(.seconds(11))
        let first = fills(client)
        #expect(first.map(\.price) == [100, 100.01, 100.02])
        #expect(Set(first.compactMap { WireExecutionID($0.execId)?.root }).count == 1)
        #expect(first.compactMap { WireExecutionID($0.execId)?.revision } == [1, 2, 3])
        client.take()
        _ = rig.gateway.control(#"{"do":"fill"}"#)
        rig.pass(.seconds(11))
        #expect(fills(client).map(\.shares) == [300, 0])
        #expect(Set(fills(client).map(\.orderId)) == [2])
    }

    @Test func stormFillsParentsInPartsAndChildrenFollow() throws {
        let (rig, client) = try started("bracket-storm")
        for number in [1, 11, 21] as [Int32] {
            index(number, client) { $0.transmit = false }
            index(number + 1, client) {
                $0.action = .sell
                $0.parentId = APIOrderID(rawValue: number)
                $0.lmtPrice = 400
                $0.transmit = false
            }
            index(number + 2, client) {
                $0.action = .sell
                $0.parentId = APIOrderID(rawValue: number)
                $0.orderType = .stop
                $0.lmtPrice = nil
                $0.auxPrice = 50
            }
        }
        rig.pass(.milliseconds(2_250))
        for number in [1, 11, 21] as [Int32] {
            #expect(statuses(client, number).last?.filled == 102)
        }
        rig.pass(.seconds(60))
        // Nobody is filled beyond what was ordered, and the orders of a group never both wholly.
        for number in [1, 11, 21] as [Int32] {
            let bought = statuses(client, number).map(\.filled).max() ?? 0
            let sold = [number + 1, number + 2].compactMap {
                statuses(client, $0).map(\.filled).max()
            }
            #expect(bought == 300)
            #expect(sold.reduce(0) { $0 + (Int64("\($1)") ?? 0) } <= 300)
        }
    }

    @Test func marginAndSharesToBorrowRefuseAndHold() throws {
        let (rig, client) = try started("margin-reject")
        index(1, client)
        rig.pass(.seconds(1))
        #expect(client.codes == [201])
        #expect(statuses(client, 1).last?.status == .inactive)
        rig.pass(.minutes(1))
        client.take()
        index(2, client) {
            $0.action = .sell
            $0.lmtPrice = 400
        }
        rig.pass(.seconds(1))
        #expect(client.codes == [404])
        #expect(statuses(client, 2).last?.whyHeld == "locate")
        client.take()
        rig.pass(.minutes(2))
        #expect(statuses(client, 2).last?.status == .submitted)
        #expect(statuses(client, 2).last?.whyHeld == "")
    }

    @Test func brokerCancelsAndOthersTradeOnCommand() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 0)
        index(1, client)
        rig.pass(.seconds(1))
        client.take()
        _ = rig.gateway.control(#"{"do":"cancel","reason":"of a halt"}"#)
        rig.deliver()
        #expect(client.codes == [202])
        #expect(statuses(client, 1).last?.status == .cancelled)
        client.take()
        let answer = rig.gateway.control(
            #"{"do":"trade","side":"sell","quantity":50,"price":101.5,"client":99}"#)
        #expect(answer.hasPrefix(#"{"done""#), "\(answer)")
        rig.pass(.seconds(1))
        #expect(fills(client).map(\.clientId) == [99])
        #expect(fills(client).map(\.price) == [101.5])
        #expect(
            rig.gateway.control(#"{"do":"trade","symbol":"NOSUCH","price":1}"#)
                == #"{"error":"there is no 'NOSUCH' at this gateway: name a symbol it lists"}"#)
        #expect(
            rig.gateway.control(#"{"do":"correct","execution":"0.1.1.1"}"#)
                == #"{"error":"there is no fill '0.1.1.1'; {\"do\":\"ledger\"} tells them"}"#)
    }
}
