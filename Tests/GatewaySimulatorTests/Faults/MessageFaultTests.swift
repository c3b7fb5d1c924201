import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// Messages that are lost, late, doubled, refused or wrong, as a client sees them.
@Suite struct MessageFaultTests {
    private func command(_ line: String, _ rig: GatewayRig) {
        let answer = rig.gateway.control(line)
        #expect(answer.hasPrefix(#"{"done""#), "\(answer)")
        rig.deliver()
    }

    private func started() -> (GatewayRig, ScriptedClient) {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        return (rig, client)
    }

    @Test func droppedRequestIsNeverAnswered() {
        let (rig, client) = started()
        command(#"{"do":"swallow","kinds":["reqCurrentTime"],"times":2}"#, rig)
        for _ in 0..<3 { client.send(.reqCurrentTime(ReqCurrentTime())) }
        #expect(client.messages.count == 1)
    }

    @Test func faultsOfOneClientSpareTheOthers() {
        let (rig, client) = started()
        let other = rig.begin(as: 2)
        other.take()
        command(#"{"do":"swallow","kinds":["currentTime"],"client":1}"#, rig)
        for client in [client, other] { client.send(.reqCurrentTime(ReqCurrentTime())) }
        #expect(client.messages.isEmpty)
        #expect(other.messages.count == 1)
    }

    @Test func shareIsDrawnFromTheSeed() {
        var counts: [Int] = []
        for seed: UInt64 in [1, 1, 2] {
            let rig = GatewayRig {
                $0.seed = seed
                $0.pacesMessages = false
            }
            let client = rig.begin(as: 1)
            client.take()
            command(#"{"do":"swallow","kinds":["reqCurrentTime"],"share":0.05}"#, rig)
            for _ in 0..<2_000 { client.send(.reqCurrentTime(ReqCurrentTime())) }
            counts.append(2_000 - client.messages.count)
        }
        #expect(counts[0] == counts[1])
        // 5 % of 2,000 is 100, with a standard deviation of 9.7.
        for count in counts { #expect((60...140).contains(count)) }
    }

    @Test func faultEndsWithItsTime() {
        let (rig, client) = started()
        command(#"{"do":"swallow","kinds":["reqCurrentTime"],"seconds":5}"#, rig)
        client.send(.reqCurrentTime(ReqCurrentTime()))
        rig.pass(.seconds(5))
        client.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(client.messages.count == 1)
    }

    @Test func delayedRequestIsAnsweredLater() {
        let (rig, client) = started()
        command(#"{"do":"hold","kinds":["reqCurrentTime"],"seconds":2}"#, rig)
        client.send(.reqCurrentTime(ReqCurrentTime()))
        rig.pass(.milliseconds(1_750))
        #expect(client.messages.isEmpty)
        rig.pass(.milliseconds(250))
        #expect(client.messages.map(\.kind) == [.currentTime])
    }

    @Test func releaseLetsDelayedAnswersComeInTheirOrder() {
        let (rig, client) = started()
        command(#"{"do":"hold","kinds":["currentTime","currentTimeInMillis"]}"#, rig)
        client.send(.reqCurrentTimeInMillis(ReqCurrentTimeInMillis()))
        client.send(.reqCurrentTime(ReqCurrentTime()))
        client.send(.reqIds(ReqIds()))
        rig.pass(.minutes(10), step: .seconds(30))
        #expect(client.messages.map(\.kind) == [.nextValidId])
        command(#"{"do":"release"}"#, rig)
        rig.pass(.milliseconds(250))
        #expect(
            client.messages.map(\.kind) == [.nextValidId, .currentTimeInMillis, .currentTime])
        client.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(client.messages.count == 4)
    }

    @Test func drawnTimesLetAnswersChangePlaces() {
        var orders: Set<[GatewayMessageKind]> = []
        for seed in 0..<20 as Range<UInt64> {
            let rig = GatewayRig { $0.seed = seed }
            let client = rig.begin(as: 1)
            client.take()
            command(
                #"{"do":"hold","kinds":["currentTime","nextValidId","managedAccounts"],"seconds":0,"most":2}"#,
                rig)
            client.send(.reqCurrentTime(ReqCurrentTime()))
            client.send(.reqIds(ReqIds()))
            client.send(.reqManagedAccts(ReqManagedAccts()))
            rig.pass(.seconds(2))
            #expect(client.messages.count == 3)
            orders.insert(client.messages.map(\.kind))
        }
        #expect(orders.count == 6)
    }

    @Test func repeatedAnswersComeSoOften() {
        let (rig, client) = started()
        command(#"{"do":"repeat","kinds":["currentTime"],"copies":2,"times":1}"#, rig)
        client.send(.reqCurrentTime(ReqCurrentTime()))
        client.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(
            client.messages.map(\.kind) == [.currentTime, .currentTime, .currentTime, .currentTime])
    }

    @Test func refusedRequestIsReportedItsCode() {
        let (rig, client) = started()
        command(#"{"do":"refuse","kinds":["reqMktData"],"code":354}"#, rig)
        var request = ReqMktData()
        request.reqId = 77
        request.contract = .stock("AAPL")
        client.send(.reqMktData(request))
        guard case .error(let error)? = client.messages.first else {
            Issue.record("no error")
            return
        }
        #expect(error.id == 77)
        #expect(error.errorCode == 354)
        #expect(error.errorString.hasPrefix("Requested market data is not subscribed."))
    }

    @Test func otherAccountsAreReported() {
        let (rig, client) = started()
        command(#"{"do":"accounts","names":["U1","U2"]}"#, rig)
        client.send(.reqManagedAccts(ReqManagedAccts()))
        guard case .managedAccounts(let accounts)? = client.messages.first else {
            Issue.record("no accounts")
            return
        }
        #expect(accounts.accountsList == ["U1", "U2"])
    }

    @Test func readOnlyGatewayRefusesOrders() {
        let (rig, client) = started()
        command(#"{"do":"read-only"}"#, rig)
        var order = Order()
        order.action = .buy
        order.totalQuantity = 1
        order.orderType = .market
        client.send(.placeOrder(PlaceOrder(5, .stock("AAPL"), order)))
        guard case .error(let error)? = client.messages.first else {
            Issue.record("no error")
            return
        }
        #expect(error.errorCode == 321)
        #expect(error.id == 5)
    }

    // MARK: Orders

    /// An order that fills at once, or one that rests.
    private func order(_ number: Int32, limit: DecimalValue? = nil) -> ClientMessage {
        var order = Order()
        order.action = .buy
        order.totalQuantity = 100
        order.orderType = limit == nil ? .market : .limit
        order.lmtPrice = limit
        order.tif = .day
        return .placeOrder(PlaceOrder(APIOrderID(rawValue: number), .stock("AAPL"), order))
    }

    private func kinds(_ client: ScriptedClient) -> Set<GatewayMessageKind> {
        Set(client.messages.map(\.kind))
    }

    @Test func mutedOrderWorksUnreportedUntilItIsAskedFor() {
        let (rig, client) = started()
        command(#"{"do":"mute","times":1}"#, rig)
        client.send(order(1))
        rig.pass(.seconds(2))
        #expect(client.messages.isEmpty)
        client.send(.reqExecutions(ReqExecutions()))
        #expect(
            client.messages.map(\.kind) == [
                .execDetails, .commissionAndFeesReport, .execDetailsEnd,
            ])
        client.take()
        // The next one is told as usual.
        client.send(order(2))
        rig.pass(.seconds(2))
        #expect(
            kinds(client) == [.openOrder, .orderStatus, .execDetails, .commissionAndFeesReport])
    }

    @Test func delayedOrdersGoOnceTheyAreReleased() {
        let (rig, client) = started()
        command(#"{"do":"hold","kinds":["placeOrder"]}"#, rig)
        client.send(order(1))
        client.send(order(2, limit: 1))
        rig.pass(.minutes(1))
        #expect(client.messages.isEmpty)
        command(#"{"do":"release"}"#, rig)
        rig.pass(.seconds(2))
        let statuses = client.messages.compactMap { message -> [Int32: String]? in
            guard case .orderStatus(let status) = message else { return nil }
            return [status.orderId.rawValue: status.status.word]
        }
        let last = statuses.reduce(into: [:]) { $0.merge($1) { $1 } }
        #expect(last == [1: "Filled", 2: "Submitted"])
    }

    @Test func cancelsAndCommissionsMayComeLate() {
        let (rig, client) = started()
        command(#"{"do":"hold","kinds":["cancelOrder","commissionAndFeesReport"]}"#, rig)
        client.send(order(1, limit: 1))
        rig.pass(.seconds(1))
        var cancel = CancelOrder()
        cancel.orderId = 1
        client.send(.cancelOrder(cancel))
        client.send(order(2))
        rig.pass(.seconds(2))
        #expect(kinds(client) == [.openOrder, .orderStatus, .execDetails])
        client.take()
        command(#"{"do":"release"}"#, rig)
        rig.pass(.seconds(2))
        #expect(client.messages.first?.kind == .commissionAndFeesReport)
        #expect(client.codes == [202])
    }
}
