import GatewayTestSupport
import ClientTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Orders at a simulated gateway, at every ceiling.
@Suite struct OrderTests {
    @Test(arguments: ceilings)
    func marketOrderFillsAndCosts(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let order = try apple.place(.buy, 100, .market(for: .day), "first")
        try await rig.wait(for: order, .filled)
        try await rig.gateway.wait("costs") {
            rig.costs(of: order).count == rig.fills(of: order).count
        }
        let fills = rig.fills(of: order)
        #expect(fills.map(\.shares).total == 100)
        #expect(fills.allSatisfy { $0.orderRef == "first" && $0.side == .bought })
        #expect(fills.allSatisfy { $0.execId.split(separator: ".").count == 4 })
        #expect(fills.last?.cumQty == 100)
        // The fixed schedule for US stocks: 0.005 a share, one dollar at least.
        #expect(rig.costs(of: order).map(\.commission).total >= 1)
        let published = try #require(rig.messages(of: order).first)
        #expect(published.permId.rawValue > 0)
        #expect(published.order.totalQuantity == 100)
        #expect(published.contract.conId == 265_598)
        let last = try #require(rig.statuses(of: order).last)
        #expect(last.filled == 100 && last.remaining == .zero)
        #expect(last.permId == published.permId && last.avgFillPrice > .zero)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func limitOrderIsChangedAndCancelled(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let order = try apple.place(.buy, 10, .limit(try apple.bid(percent: 80), for: .day))
        try await rig.waitToWork(order)
        let nearer = try apple.bid(percent: 85)
        try rig.client.change(
            order, to: .limit(nearer, for: .day), for: apple.ticket(.buy, 20), in: apple.tradable)
        try await rig.gateway.wait("the change is told") {
            rig.messages(of: order).contains {
                $0.order.lmtPrice == nearer && $0.order.totalQuantity == 20
            }
        }
        let perms = Set(rig.messages(of: order).map(\.permId))
        #expect(perms.count == 1)
        try await rig.cancel(order)
        #expect(rig.codes(of: order) == [202])
        try rig.client.cancel(order)
        try await rig.gateway.wait("a second cancel is refused") {
            rig.codes(of: order).contains { [161, 10_147, 10_148].contains($0) }
        }
        #expect(rig.fills(of: order).isEmpty)
        rig.checkCalm(provoked: [202, 161, 10_147, 10_148])
    }

    @Test(arguments: ceilings)
    func ordersThatWaitForAPriceWork(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let below = try apple.bid(percent: 90)
        let lower = try apple.bid(percent: 89)
        let above = try apple.bid(percent: 120)
        let drafts: [(WireOrderType, OrderDraft)] = [
            (.stop, .stop(below, for: .goodTillCancelled)),
            (
                .stopLimit,
                .stopLimit(StopLimit(stop: below, limit: lower), for: .goodTillCancelled)
            ),
            (.trailingStop, .trailingStop(Trail(by: .amount(5)), for: .goodTillCancelled)),
            (.trailingStop, .trailingStop(Trail(by: .percent(5)), for: .goodTillCancelled)),
            (
                .trailingStopLimit,
                .trailingStopLimit(
                    TrailLimit(by: .amount(5), from: below, limitOffset: 0.1),
                    for: .goodTillCancelled)
            ),
            (.marketIfTouched, .marketIfTouched(above, for: .goodTillCancelled)),
            (
                .limitIfTouched,
                .limitIfTouched(TouchLimit(touch: above, limit: above), for: .goodTillCancelled)
            ),
        ]
        for (type, draft) in drafts {
            let order = try apple.place(.sell, 10, draft)
            try await rig.waitToWork(order)
            #expect(rig.messages(of: order).last?.order.orderType == type)
            try await rig.cancel(order)
            #expect(rig.fills(of: order).isEmpty)
        }
        // Above the market a stop to sell is at its price already.
        let triggered = try apple.place(
            .sell, 10, .stop(try apple.bid(percent: 110), for: .day))
        try await rig.wait(for: triggered, .filled)
        rig.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func trailingStopFollowsTheMarket(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let bought = try apple.place(.buy, 10, .market(for: .day))
        try await rig.wait(for: bought, .filled)
        // A cent behind the market: it is hit at the first step back.
        let order = try apple.place(.sell, 10, .trailingStop(Trail(by: .amount(0.01)), for: .day))
        try await rig.wait(for: order, .filled, limit: .minutes(30))
        #expect(rig.fills(of: order).map(\.shares).total == 10)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func bracketProtectsItsEntry(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let bracket = BracketDraft(
            .market(for: .day),
            BracketExits(
                stop: .stop(try apple.bid(percent: 80)), target: try apple.ask(percent: 120),
                for: .goodTillCancelled))
        let orders = try rig.client.place(
            bracket, for: apple.ticket(.buy, 50, "bracket"), in: apple.tradable)
        #expect(orders.count == 3)
        try await rig.wait(for: orders[0], .filled)
        for child in orders.dropFirst() {
            try await rig.waitToWork(child)
            #expect(rig.messages(of: child).last?.order.parentId == orders[0])
        }
        #expect(rig.messages(of: orders[1]).last?.order.orderRef == "bracket/target")
        #expect(rig.messages(of: orders[2]).last?.order.orderRef == "bracket/stop")
        for child in orders.dropFirst() { try await rig.cancel(child) }
        #expect(rig.fills(of: orders[0]).map(\.shares).total == 50)
        rig.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func fillCancelsTheRestOfItsGroup(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let group = try OCAGroup("pair-\(version)", onFill: .cancelWithBlock)
        let resting = try apple.place(
            .buy, 10, .limit(try apple.bid(percent: 70), for: .day).inGroup(group))
        try await rig.waitToWork(resting)
        let taking = try apple.place(.buy, 10, .market(for: .day).inGroup(group))
        try await rig.wait(for: taking, .filled)
        try await rig.wait(for: resting, .cancelled)
        #expect(rig.fills(of: resting).isEmpty)
        rig.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func largeOrderFillsInParts(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let order = try apple.place(
            .buy, 2_000, .limit(try apple.ask(percent: 102), for: .day))
        try await rig.wait(for: order, .filled, limit: .minutes(10))
        try await rig.gateway.wait("costs") {
            rig.costs(of: order).count == rig.fills(of: order).count
        }
        let fills = rig.fills(of: order)
        #expect(fills.count >= 2)
        #expect(fills.map(\.shares).total == 2_000)
        #expect(fills.last?.cumQty == 2_000)
        #expect(Set(fills.map(\.execId)).count == fills.count)
        #expect(
            rig.statuses(of: order).contains {
                $0.filled > .zero && ($0.remaining ?? .zero) > .zero
            })
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func whatIfReportsMarginAndOrdersNothing(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let client = rig.client
        let ticket = try apple.ticket(.buy, 100)
        let request = try OrderDraft.market(for: .day).request(1, for: ticket, in: apple.tradable)
        let contract = apple.contract
        let state = try await rig.gateway.finishInTime("what-if") {
            try await client.whatIf(request.order, for: contract)
        }
        #expect(try #require(state.initMarginChange) > .zero)
        #expect(state.status == .preSubmitted)
        let open = try await rig.gateway.finishInTime { try await client.openOrders(.all) }
        #expect(open.isEmpty)
        await rig.gateway.pass(.seconds(5))
        let held = try await rig.gateway.finishInTime { try await client.positions() }
        #expect(held.isEmpty)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func badOrdersAreRefusedInWords(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let large = try apple.place(.buy, 500_000, .limit(apple.bid, for: .day))
        try await rig.wait(for: large, code: 201)
        // The client rounds prices itself: an order past it is needed for a price between two steps.
        var request = try OrderDraft.limit(apple.bid, for: .day).request(
            try rig.client.orderNumbers(1), for: apple.ticket(.buy, 10), in: apple.tradable)
        let units = try #require(apple.bid.price).units
        request.order.lmtPrice = DecimalValue(Price(units: units + 500_000))
        try rig.client.place(request)
        try await rig.wait(for: request.orderId, code: 110)
        // The number of an order that is filled, which the client would never give again.
        let filled = try apple.place(.buy, 1, .market(for: .day))
        try await rig.wait(for: filled, .filled)
        try rig.client.place(
            try OrderDraft.market(for: .day).request(
                filled, for: apple.ticket(.buy, 1), in: apple.tradable))
        try await rig.gateway.wait("a used number is refused") {
            rig.codes(of: filled).contains { [103, 104, 105].contains($0) }
        }
        #expect(rig.fills(of: filled).map(\.shares).total == 1)
        #expect(rig.fills(of: large).isEmpty && rig.fills(of: request.orderId).isEmpty)
        rig.checkCalm(provoked: [201, 110, 103, 104, 105])
    }

    @Test(arguments: ceilings)
    func everythingIsCancelledAtOnce(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let client = rig.client
        var orders: [APIOrderID] = []
        for percent in [70, 75] as [Int64] {
            let order = try apple.place(
                .buy, 1, .limit(try apple.bid(percent: percent), for: .day))
            try await rig.waitToWork(order)
            orders.append(order)
        }
        let working = try await rig.gateway.finishInTime { try await client.openOrders() }
        #expect(working.map(\.order.orderId) == orders)
        #expect(working.allSatisfy { $0.status != nil })
        try client.cancelEverything()
        for order in orders { try await rig.wait(for: order, .cancelled) }
        let open = try await rig.gateway.finishInTime { try await client.openOrders(.all) }
        #expect(open.isEmpty)
        rig.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func doneOrdersAndFillsAreReportedAgain(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let client = rig.client
        let bought = try apple.place(.buy, 10, .market(for: .day), "kept")
        try await rig.wait(for: bought, .filled)
        let cancelled = try apple.place(
            .buy, 10, .limit(try apple.bid(percent: 80), for: .day), "gone")
        try await rig.waitToWork(cancelled)
        try await rig.cancel(cancelled)
        let completed = try await rig.gateway.finishInTime { try await client.completedOrders() }
        #expect(completed.count == 2)
        let states = Dictionary(
            completed.map { ($0.order.orderRef, $0.status) }, uniquingKeysWith: { $1 })
        #expect(states == ["kept": .filled, "gone": .cancelled])
        let fills = try await rig.gateway.finishInTime("fills") { try await client.fills() }
        #expect(fills.map(\.execution.shares).total == 10)
        #expect(fills.allSatisfy { $0.execution.orderRef == "kept" && $0.commission != nil })
        var filter = FillFilter()
        filter.symbol = "MSFT"
        let others = try await rig.gateway.finishInTime("fills") { [filter] in
            try await client.fills(filter)
        }
        #expect(others.isEmpty)
        rig.checkCalm(provoked: [202])
    }
}

extension [DecimalValue] {
    /// The sum of what has at most eight decimals.
    var total: DecimalValue {
        DecimalValue(Quantity(units: reduce(0) { $0 + ($1.quantity?.units ?? 0) }))
    }
}
