import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// Scripts of data, accounts and limits, as a client sees them.
@Suite struct MarketScenarioTests {
    private func started(_ name: String? = nil, seed: UInt64 = 1) throws -> (
        GatewayRig, ScriptedClient
    ) {
        let rig = GatewayRig { $0.seed = seed }
        let client = rig.begin(as: 1)
        client.take()
        if let name { try play(name, on: rig) }
        return (rig, client)
    }

    private func play(_ name: String, on rig: GatewayRig) throws {
        rig.gateway.play(try Scenario.named(name))
        rig.deliver()
    }

    private func command(_ line: String, _ rig: GatewayRig) {
        let answer = rig.gateway.control(line)
        #expect(answer.hasPrefix(#"{"done""#), "\(answer)")
        rig.deliver()
    }

    private func follow(_ request: RequestID, _ client: ScriptedClient, _ symbol: String = "AAPL") {
        var data = ReqMktData()
        data.reqId = request
        data.contract = .stock(symbol)
        client.send(.reqMktData(data))
    }

    private func bars(_ request: RequestID, _ client: ScriptedClient) {
        var bars = ReqRealTimeBars()
        bars.reqId = request
        bars.contract = .stock("AAPL")
        client.send(.reqRealTimeBars(bars))
    }

    private func keepHistory(_ request: RequestID, _ client: ScriptedClient) {
        var history = ReqHistoricalData()
        history.reqId = request
        history.contract = .stock("AAPL")
        history.durationStr = .seconds(300)
        history.barSizeSetting = .oneMinute
        history.keepUpToDate = true
        client.send(.reqHistoricalData(history))
    }

    private func buy(_ number: Int32, _ client: ScriptedClient, limit: DecimalValue? = nil) {
        var order = Order()
        order.action = .buy
        order.totalQuantity = 100
        order.orderType = limit == nil ? .market : .limit
        order.lmtPrice = limit
        order.tif = .goodTillCancelled
        order.account = "DU1234567"
        order.orderRef = "intent-\(number)"
        client.send(.placeOrder(PlaceOrder(APIOrderID(rawValue: number), .stock("AAPL"), order)))
    }

    private func ledger(_ rig: GatewayRig) throws -> JSONValue {
        try JSONValue(Array(rig.gateway.control(#"{"do":"ledger"}"#).utf8))
    }

    private func count(_ client: ScriptedClient, _ kinds: GatewayMessageKind...) -> Int {
        client.messages.count { kinds.contains($0.kind) }
    }

    // MARK: Data

    @Test func farmBlipSilencesTicksForThreeSecondsAndHistoryForGood() throws {
        let (rig, client) = try started()
        follow(1, client)
        for number in 11...14 as ClosedRange<Int32> {
            keepHistory(RequestID(rawValue: number), client)
        }
        rig.pass(.seconds(20))
        #expect(count(client, .tickPrice, .tickSize) > 10)
        #expect(count(client, .historicalDataUpdate) > 4)
        client.take()
        try play("farm-blip", on: rig)
        rig.pass(.milliseconds(2_750))
        #expect(client.codes.filter { $0 == 2103 }.count == 1)
        #expect(client.codes.filter { $0 == 10182 }.count == 2)
        #expect(count(client, .tickPrice, .tickSize) == 0)
        client.take()
        rig.pass(.seconds(30))
        #expect(client.codes == [2104])
        #expect(count(client, .tickPrice, .tickSize) > 10)
        #expect(count(client, .historicalDataUpdate) == 0)
        // What is asked for again flows.
        keepHistory(15, client)
        rig.pass(.seconds(20))
        #expect(count(client, .historicalDataUpdate) > 0)
    }

    @Test(arguments: [("link-lost-data-kept", true), ("link-lost-data-lost", false)])
    func subscriptionsGoOnOnlyWhereTheyWereKept(name: String, isKept: Bool) throws {
        let (rig, client) = try started()
        follow(1, client)
        bars(2, client)
        rig.pass(.seconds(10))
        #expect(count(client, .realTimeBar) > 0)
        try play(name, on: rig)
        client.take()
        rig.pass(.seconds(4))
        #expect(count(client, .tickPrice, .realTimeBar) == 0)
        rig.pass(.seconds(60))
        client.take()
        rig.pass(.seconds(30))
        #expect((count(client, .tickPrice) > 0) == isKept)
        #expect((count(client, .realTimeBar) > 0) == isKept)
        // The same number can be used again where the subscription is gone.
        guard !isKept else { return }
        follow(1, client)
        rig.pass(.seconds(5))
        #expect(client.codes.isEmpty)
        #expect(count(client, .tickPrice) > 0)
    }

    @Test func badDataAreReportedAsTheyAreAndTheMarketStaysRight() throws {
        let (rig, client) = try started()
        follow(1, client)
        bars(2, client)
        rig.pass(.seconds(10))
        let right = prices(client)
        #expect(right.allSatisfy { $0 > 0 })
        client.take()
        try play("bad-data", on: rig)
        func passes(_ check: ([DecimalValue]) -> Bool) {
            rig.pass(.seconds(9))
            let sent = prices(client)
            #expect(!sent.isEmpty)
            #expect(check(sent), "\(sent.prefix(5))")
            client.take()
            rig.pass(.seconds(1))
            client.take()
        }
        passes { $0.allSatisfy { $0 == -1 } }
        passes { $0.allSatisfy { $0 == 0 } }
        passes { $0.allSatisfy { $0 < 0 } }
        passes { $0.allSatisfy { $0 > 0 } }
        let middle = right.reduce(0) { $0 + Double($1) } / Double(right.count)
        passes { $0.allSatisfy { Double($0) > middle * 1.3 } }
        passes { $0.allSatisfy { $0 > 1_000_000_000 } }
        rig.pass(.seconds(10))
        let inverted = client.messages.contains { message in
            guard case .realTimeBar(let bar) = message else { return false }
            return bar.high < bar.low
        }
        #expect(inverted)
        client.take()
        // Bars twice, then late.
        rig.pass(.seconds(20))
        let times = client.messages.compactMap { message -> Int64? in
            guard case .realTimeBar(let bar) = message else { return nil }
            return bar.time
        }
        #expect(times.count >= 6)
        #expect(Set(times).count * 2 == times.count)
        rig.pass(.seconds(31))
        #expect(client.end == .none)
        rig.pass(.seconds(31))
        #expect(client.rejected.contains(.unknownMessage(number: 9999)))
        #expect(client.rejected.contains(.unknownMessage(number: 9998)))
        #expect(client.end == .reset)
    }

    private func prices(_ client: ScriptedClient) -> [DecimalValue] {
        client.messages.compactMap { message in
            guard case .tickPrice(let tick) = message, [.bid, .ask].contains(tick.tickType) else {
                return nil
            }
            return tick.price
        }
    }

    @Test func dataAreRefusedInEveryWay() throws {
        let (rig, client) = try started("no-permission")
        for (request, code) in [(1, 354), (2, 10089), (3, 10168), (4, 10197)] as [(Int32, Int32)] {
            rig.pass(.seconds(1))
            follow(RequestID(rawValue: request), client)
            rig.pass(.seconds(1))
            #expect(client.codes.contains(code))
            #expect(prices(client).isEmpty)
            client.take()
            rig.pass(.seconds(58))
            client.take()
        }
        buy(1, client)
        rig.pass(.seconds(1))
        #expect(client.codes == [321])
        follow(5, client)
        rig.pass(.seconds(60))
        #expect(!prices(client).isEmpty)
        client.take()
        buy(2, client)
        rig.pass(.seconds(5))
        #expect(count(client, .execDetails) > 0)
    }

    @Test func frozenAndHaltedStocksAreSilent() throws {
        let (rig, client) = try started()
        follow(1, client)
        follow(2, client, "MSFT")
        rig.pass(.seconds(5))
        client.take()
        command(#"{"do":"freeze","symbol":"AAPL"}"#, rig)
        rig.pass(.seconds(10))
        let numbers = Set(
            client.messages.compactMap { message -> RequestID? in
                guard case .tickPrice(let tick) = message else { return nil }
                return tick.reqId
            })
        #expect(numbers == [2])
        command(#"{"do":"heal"}"#, rig)
        command(#"{"do":"halt","symbol":"AAPL"}"#, rig)
        rig.pass(.seconds(1))
        client.take()
        buy(1, client)
        rig.pass(.seconds(10))
        #expect(count(client, .execDetails) == 0)
        command(#"{"do":"halt","symbol":"AAPL","on":false}"#, rig)
        rig.pass(.seconds(30))
        #expect(count(client, .execDetails) > 0)
    }

    // MARK: Accounts

    @Test func splitChangesPositionAndPriceWithoutAFill() throws {
        let (rig, client) = try started()
        buy(1, client)
        rig.pass(.seconds(5))
        buy(2, client, limit: 50)
        rig.pass(.seconds(1))
        client.take()
        client.send(.reqPositions(ReqPositions()))
        let before = try position(client)
        try play("split-overnight", on: rig)
        #expect(client.end == .reset)
        rig.pass(.seconds(61))
        let repeated = rig.begin(as: 1)
        repeated.take()
        repeated.send(.reqPositions(ReqPositions()))
        let after = try position(repeated)
        #expect(before.position == 100)
        #expect(after.position == 400)
        let cost = Double(before.avgCost ?? 0)
        #expect(abs(Double(after.avgCost ?? 0) * 4 - cost) < 0.01)
        repeated.send(.reqOpenOrders(ReqOpenOrders()))
        #expect(repeated.messages.map(\.kind).contains(.openOrderEnd))
        #expect(count(repeated, .openOrder) == 0)
        repeated.take()
        repeated.send(.reqExecutions(ReqExecutions()))
        #expect(count(repeated, .execDetails) >= 1)
        repeated.take()
        rig.pass(.minutes(2))
        follow(1, repeated)
        rig.pass(.seconds(5))
        let price = prices(repeated).last.map { Double($0) } ?? 0
        #expect(price < cost / 3)
        #expect(price > cost / 5)
    }

    private func position(_ client: ScriptedClient) throws -> Position {
        for case .position(let position) in client.messages { return position }
        throw FaultRefusal("no position was told")
    }

    @Test func moneyComesAndGoesWithoutATrade() throws {
        let (rig, _) = try started()
        command(#"{"do":"cash","amount":-2500.5}"#, rig)
        let account = try ledger(rig)["accounts"]
        guard case .array(let accounts)? = account else {
            Issue.record("no accounts")
            return
        }
        #expect(accounts[0]["cash"]?["USD"]?["total"] == .number("997499.50"))
        #expect(accounts[0]["movements"]?.text.contains(#""amount":-2500.50"#) == true)
        #expect(
            rig.gateway.control(#"{"do":"cash","amount":1,"account":"U9"}"#).hasPrefix(#"{"error""#)
        )
    }

    @Test func foreignTradesAppearUnderOtherNumbersAndLeaveOwnOrdersAlone() throws {
        let (rig, client) = try started()
        buy(1, client, limit: 50)
        rig.pass(.seconds(1))
        client.take()
        client.send(.reqPositions(ReqPositions()))
        try play("foreign-trader", on: rig)
        rig.pass(.minutes(10))
        #expect(client.codes.isEmpty)
        #expect(count(client, .position) > 5)
        #expect(count(client, .openOrder, .orderStatus, .execDetails) == 0)
        client.take()
        client.send(.reqExecutions(ReqExecutions()))
        let fills = client.messages.compactMap { message -> ExecDetails? in
            guard case .execDetails(let details) = message else { return nil }
            return details
        }
        #expect(Set(fills.map(\.clientId)) == [0, 99])
        #expect(fills.allSatisfy { $0.orderRef.isEmpty })
        #expect(fills.count >= 15)
        let status = try JSONValue(Array(rig.gateway.control(#"{"do":"status"}"#).utf8))
        #expect(status["refused"]?.text == "[]")
    }

    // MARK: Limits

    @Test func pacingViolationIsReportedTwiceAndEndsTheConnectionTheThirdTime() throws {
        let (rig, client) = try started("pacing-police")
        for round in 1...3 {
            for _ in 0..<60 { client.send(.reqCurrentTime(ReqCurrentTime())) }
            #expect(client.codes == Array(repeating: 100, count: round))
            rig.pass(.seconds(3))
        }
        #expect(client.end == .closed)
        let sent = try ledger(rig)
        #expect(sent["violations"]?["messages"] == .number("3"))
    }

    @Test func pricesNearOneDollarHaveOtherSteps() throws {
        let (rig, client) = try started()
        buy(1, client, limit: 50)
        rig.pass(.seconds(1))
        client.take()
        try play("tick-table", on: rig)
        rig.pass(.minutes(2))
        follow(9, client)
        rig.pass(.seconds(5))
        let price = prices(client).last.map { Double($0) } ?? 0
        #expect((0.5...1.5).contains(price))
        client.take()
        // Below a dollar steps are of a hundredth of a cent, from there of a cent.
        buy(2, client, limit: 0.4001)
        rig.pass(.seconds(1))
        #expect(!client.codes.contains(110))
        buy(3, client, limit: 1.0001)
        rig.pass(.seconds(1))
        #expect(client.codes.contains(110))
        #expect(try ledger(rig)["codes"]?["110"] == .number("1"))
    }

    // MARK: The judge

    @Test func ledgerReportsOrdersFillsPositionsAndWhatWasSentTwice() throws {
        let (rig, client) = try started()
        buy(1, client)
        rig.pass(.seconds(5))
        buy(2, client, limit: 50)
        rig.pass(.seconds(1))
        buy(2, client, limit: 51)
        rig.pass(.seconds(1))
        client.send(
            .placeOrder(
                PlaceOrder(
                    3, .stock("AAPL"),
                    {
                        var order = Order()
                        order.action = .sell
                        order.totalQuantity = 10
                        order.orderType = .limit
                        order.lmtPrice = 500
                        order.tif = .day
                        order.orderRef = "intent-2"
                        order.account = "DU1234567"
                        return order
                    }())))
        rig.pass(.seconds(1))
        let sent = try ledger(rig)
        guard case .array(let orders)? = sent["orders"], orders.count == 3 else {
            Issue.record("no orders: \(sent.text)")
            return
        }
        #expect(orders[0]["status"] == .text("Filled"))
        #expect(orders[0]["filled"] == .number("100"))
        #expect(orders[0]["placements"] == .number("1"))
        #expect(orders[1]["status"] == .text("Submitted"))
        #expect(orders[1]["placements"] == .number("2"))
        #expect(sent["violations"]?["repeatedReferences"]?.text == #"{"intent-2":2}"#)
        guard case .array(let accounts)? = sent["accounts"] else {
            Issue.record("no accounts")
            return
        }
        #expect(accounts[0]["positions"]?.text.contains(#""symbol":"AAPL""#) == true)
        #expect(accounts[0]["positions"]?.text.contains(#""quantity":100,"#) == true)
    }
}
