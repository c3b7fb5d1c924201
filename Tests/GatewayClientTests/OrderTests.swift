import ClientTestSupport
import Primitives
import TWSClient
import TWSProtocol
import Testing

/// Orders at a simulated gateway, at every ceiling.
@Suite struct OrderTests {
    @Test(arguments: ceilings)
    func marketOrderFillsAndCosts(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let order = try apple.place(.buy, 100, .market(for: .day), "first")
        try await desk.wait(for: order, .filled)
        try await desk.gateway.wait("costs") {
            desk.costs(of: order).count == desk.fills(of: order).count
        }
        let fills = desk.fills(of: order)
        #expect(fills.map(\.shares).total == 100)
        #expect(fills.allSatisfy { $0.orderRef == "first" && $0.side == .bought })
        #expect(fills.allSatisfy { $0.execId.split(separator: ".").count == 4 })
        #expect(fills.last?.cumQty == 100)
        // The fixed schedule for US stocks: 0.005 a share, one dollar at least.
        #expect(desk.costs(of: order).map(\.commission).total >= 1)
        let told = try #require(desk.tellings(of: order).first)
        #expect(told.permId.rawValue > 0)
        #expect(told.order.totalQuantity == 100)
        #expect(told.contract.conId == 265_598)
        let last = try #require(desk.statuses(of: order).last)
        #expect(last.filled == 100 && last.remaining == .zero)
        #expect(last.permId == told.permId && last.avgFillPrice > .zero)
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func limitOrderIsChangedAndCancelled(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let order = try apple.place(.buy, 10, .limit(try apple.bid(percent: 80), for: .day))
        try await desk.waitToWork(order)
        let nearer = try apple.bid(percent: 85)
        try desk.client.change(
            order, to: .limit(nearer, for: .day), for: apple.ticket(.buy, 20), in: apple.traded)
        try await desk.gateway.wait("the change is told") {
            desk.tellings(of: order).contains {
                $0.order.lmtPrice == nearer && $0.order.totalQuantity == 20
            }
        }
        let perms = Set(desk.tellings(of: order).map(\.permId))
        #expect(perms.count == 1)
        try await desk.cancel(order)
        #expect(desk.codes(of: order) == [202])
        try desk.client.cancel(order)
        try await desk.gateway.wait("a second cancel is refused") {
            desk.codes(of: order).contains { [161, 10_147, 10_148].contains($0) }
        }
        #expect(desk.fills(of: order).isEmpty)
        desk.checkCalm(provoked: [202, 161, 10_147, 10_148])
    }

    @Test(arguments: ceilings)
    func ordersThatWaitForAPriceWork(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
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
            try await desk.waitToWork(order)
            #expect(desk.tellings(of: order).last?.order.orderType == type)
            try await desk.cancel(order)
            #expect(desk.fills(of: order).isEmpty)
        }
        // Above the market a stop to sell is at its price already.
        let triggered = try apple.place(
            .sell, 10, .stop(try apple.bid(percent: 110), for: .day))
        try await desk.wait(for: triggered, .filled)
        desk.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func trailingStopFollowsTheMarket(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let bought = try apple.place(.buy, 10, .market(for: .day))
        try await desk.wait(for: bought, .filled)
        // A cent behind the market: it is hit at the first step back.
        let order = try apple.place(.sell, 10, .trailingStop(Trail(by: .amount(0.01)), for: .day))
        try await desk.wait(for: order, .filled, limit: .minutes(30))
        #expect(desk.fills(of: order).map(\.shares).total == 10)
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func bracketProtectsItsEntry(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let bracket = BracketDraft(
            .market(for: .day),
            BracketExits(
                stop: .stop(try apple.bid(percent: 80)), target: try apple.ask(percent: 120),
                for: .goodTillCancelled))
        let orders = try desk.client.place(
            bracket, for: apple.ticket(.buy, 50, "bracket"), in: apple.traded)
        #expect(orders.count == 3)
        try await desk.wait(for: orders[0], .filled)
        for child in orders.dropFirst() {
            try await desk.waitToWork(child)
            #expect(desk.tellings(of: child).last?.order.parentId == orders[0])
        }
        #expect(desk.tellings(of: orders[1]).last?.order.orderRef == "bracket/target")
        #expect(desk.tellings(of: orders[2]).last?.order.orderRef == "bracket/stop")
        for child in orders.dropFirst() { try await desk.cancel(child) }
        #expect(desk.fills(of: orders[0]).map(\.shares).total == 50)
        desk.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func fillCancelsTheRestOfItsGroup(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let group = try OCAGroup("pair-\(version)", onFill: .cancelWithBlock)
        let resting = try apple.place(
            .buy, 10, .limit(try apple.bid(percent: 70), for: .day).inGroup(group))
        try await desk.waitToWork(resting)
        let taking = try apple.place(.buy, 10, .market(for: .day).inGroup(group))
        try await desk.wait(for: taking, .filled)
        try await desk.wait(for: resting, .cancelled)
        #expect(desk.fills(of: resting).isEmpty)
        desk.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func largeOrderFillsInParts(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let order = try apple.place(
            .buy, 2_000, .limit(try apple.ask(percent: 102), for: .day))
        try await desk.wait(for: order, .filled, limit: .minutes(10))
        try await desk.gateway.wait("costs") {
            desk.costs(of: order).count == desk.fills(of: order).count
        }
        let fills = desk.fills(of: order)
        #expect(fills.count >= 2)
        #expect(fills.map(\.shares).total == 2_000)
        #expect(fills.last?.cumQty == 2_000)
        #expect(Set(fills.map(\.execId)).count == fills.count)
        #expect(
            desk.statuses(of: order).contains {
                $0.filled > .zero && ($0.remaining ?? .zero) > .zero
            })
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func whatIfTellsMarginAndOrdersNothing(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let client = desk.client
        let ticket = try apple.ticket(.buy, 100)
        let request = try OrderDraft.market(for: .day).request(1, for: ticket, in: apple.traded)
        let contract = apple.contract
        let state = try await desk.gateway.finishInTime("what-if") {
            try await client.whatIf(request.order, for: contract)
        }
        #expect(try #require(state.initMarginChange) > .zero)
        #expect(state.status == .preSubmitted)
        let open = try await desk.gateway.finishInTime { try await client.openOrders(.all) }
        #expect(open.isEmpty)
        await desk.gateway.pass(.seconds(5))
        let held = try await desk.gateway.finishInTime { try await client.positions() }
        #expect(held.isEmpty)
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func badOrdersAreRefusedInWords(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let large = try apple.place(.buy, 500_000, .limit(apple.bid, for: .day))
        try await desk.wait(for: large, code: 201)
        // The client rounds prices itself: an order past it is needed for a price between two steps.
        var request = try OrderDraft.limit(apple.bid, for: .day).request(
            try desk.client.orderNumbers(1), for: apple.ticket(.buy, 10), in: apple.traded)
        let units = try #require(apple.bid.price).units
        request.order.lmtPrice = DecimalValue(Price(units: units + 500_000))
        try desk.client.place(request)
        try await desk.wait(for: request.orderId, code: 110)
        // The number of an order that is filled, which the client would never give again.
        let filled = try apple.place(.buy, 1, .market(for: .day))
        try await desk.wait(for: filled, .filled)
        try desk.client.place(
            try OrderDraft.market(for: .day).request(
                filled, for: apple.ticket(.buy, 1), in: apple.traded))
        try await desk.gateway.wait("a used number is refused") {
            desk.codes(of: filled).contains { [103, 104, 105].contains($0) }
        }
        #expect(desk.fills(of: filled).map(\.shares).total == 1)
        #expect(desk.fills(of: large).isEmpty && desk.fills(of: request.orderId).isEmpty)
        desk.checkCalm(provoked: [201, 110, 103, 104, 105])
    }

    @Test(arguments: ceilings)
    func everythingIsCancelledAtOnce(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let client = desk.client
        var orders: [APIOrderID] = []
        for percent in [70, 75] as [Int64] {
            let order = try apple.place(
                .buy, 1, .limit(try apple.bid(percent: percent), for: .day))
            try await desk.waitToWork(order)
            orders.append(order)
        }
        let working = try await desk.gateway.finishInTime { try await client.openOrders() }
        #expect(working.map(\.order.orderId) == orders)
        #expect(working.allSatisfy { $0.status != nil })
        try client.cancelEverything()
        for order in orders { try await desk.wait(for: order, .cancelled) }
        let open = try await desk.gateway.finishInTime { try await client.openOrders(.all) }
        #expect(open.isEmpty)
        desk.checkCalm(provoked: [202])
    }

    @Test(arguments: ceilings)
    func endedOrdersAndFillsAreToldAgain(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let apple = try await AppleCounter(desk)
        let client = desk.client
        let bought = try apple.place(.buy, 10, .market(for: .day), "kept")
        try await desk.wait(for: bought, .filled)
        let cancelled = try apple.place(
            .buy, 10, .limit(try apple.bid(percent: 80), for: .day), "gone")
        try await desk.waitToWork(cancelled)
        try await desk.cancel(cancelled)
        let completed = try await desk.gateway.finishInTime { try await client.completedOrders() }
        #expect(completed.count == 2)
        let states = Dictionary(
            completed.map { ($0.order.orderRef, $0.status) }, uniquingKeysWith: { $1 })
        #expect(states == ["kept": .filled, "gone": .cancelled])
        let fills = try await desk.gateway.finishInTime("fills") { try await client.fills() }
        #expect(fills.map(\.execution.shares).total == 10)
        #expect(fills.allSatisfy { $0.execution.orderRef == "kept" && $0.commission != nil })
        var filter = FillFilter()
        filter.symbol = "MSFT"
        let others = try await desk.gateway.finishInTime("fills") { [filter] in
            try await client.fills(filter)
        }
        #expect(others.isEmpty)
        desk.checkCalm(provoked: [202])
    }
}

extension [DecimalValue] {
    /// The sum of what has at most eight decimals.
    var total: DecimalValue {
        DecimalValue(Quantity(units: reduce(0) { $0 + ($1.quantity?.units ?? 0) }))
    }
}
