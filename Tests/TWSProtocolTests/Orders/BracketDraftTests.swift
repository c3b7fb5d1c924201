import TWSProtocol
import Testing

@Suite struct BracketDraftTests {
    private func requests(
        _ entry: OrderDraft, _ exits: BracketExits, _ side: OrderSide = .buy
    ) throws -> [PlaceOrder] {
        let draft = BracketDraft(entry, exits)
        let block = try #require(OrderIDBlock(first: 20, count: draft.orderCount))
        let ticket = try side == .buy ? Drafts.buy() : Drafts.sell()
        return try draft.requests(block, for: ticket, in: Drafts.stock())
    }

    private static let exits = BracketExits(
        stop: .stop(180), target: 200, for: .goodTillCancelled)

    @Test func onlyTheLastOrderIsTransmitted() throws {
        let orders = try requests(.limit(187.25, for: .day), Self.exits)
        #expect(orders.map(\.order.transmit) == [false, false, true])
        #expect(orders.map(\.orderId) == [20, 21, 22])
        #expect(orders.map(\.order.parentId) == [0, 20, 20])
        #expect(orders.map(\.order.action) == [.buy, .sell, .sell])
        #expect(orders.map(\.order.orderType) == [.limit, .limit, .stop])
        #expect(orders.map(\.order.tif) == [.day, .goodTillCancelled, .goodTillCancelled])
        #expect(orders.allSatisfy { $0.order.totalQuantity == 100 })
        #expect(orders.allSatisfy { $0.order.account == "DU1234567" })
        #expect(
            orders.map(\.order.orderRef)
                == ["momentum/17", "momentum/17/target", "momentum/17/stop"])
        #expect(orders[1].order.lmtPrice == 200 && orders[2].order.auxPrice == 180)
    }

    @Test func aTargetMayBeMissing() throws {
        let exits = BracketExits(stop: .trailing(Trail(by: .amount(2))), for: .day)
        let orders = try requests(.market(for: .day), exits, .sell)
        #expect(orders.map(\.order.orderType) == [.market, .trailingStop])
        #expect(orders.map(\.order.transmit) == [false, true])
        #expect(orders.map(\.order.action) == [.sell, .buy])
    }

    /// The exits' prices are on steps of their own side: the stop never further away than asked for.
    @Test func exitsAreRoundedAsTheOrdersTheyAre() throws {
        var exits = BracketExits(stop: .stop(179.991), target: 200.001, for: .day)
        exits.hours = .extended
        let orders = try requests(.limit(187.257, for: .day), exits)
        #expect(orders[0].order.lmtPrice == 187.25 && !orders[0].order.outsideRth)
        #expect(orders[1].order.lmtPrice == 200.01 && orders[1].order.outsideRth)
        #expect(orders[2].order.auxPrice == 180 && orders[2].order.outsideRth)
        let short = try requests(
            .limit(187.253, for: .day),
            BracketExits(stop: .stop(200.009), target: 179.999, for: .day), .sell)
        #expect(short[0].order.lmtPrice == 187.26)
        #expect(short[1].order.lmtPrice == 179.99 && short[2].order.auxPrice == 200)
    }

    @Test func exitsThatWouldFillAtOnceAreRefused() {
        func refusal(
            _ entry: OrderDraft, _ stop: ProtectiveStop, _ target: DecimalValue?,
            _ side: OrderSide = .buy
        ) -> OrderRefusal? {
            Drafts.refusal {
                try requests(entry, BracketExits(stop: stop, target: target, for: .day), side)
            }
        }
        let entry = OrderDraft.limit(187, for: .day)
        #expect(refusal(entry, .stop(187), 200) == .wrongSide(field: "stop", 187, of: 187))
        #expect(refusal(entry, .stop(190), nil) == .wrongSide(field: "stop", 190, of: 187))
        #expect(refusal(entry, .stop(180), 187) == .wrongSide(field: "target", 187, of: 187))
        #expect(refusal(entry, .stop(180), 200, .sell) == .wrongSide(field: "stop", 180, of: 187))
        #expect(refusal(entry, .stop(200), 180, .sell) == nil)
        #expect(
            refusal(.market(for: .day), .stop(200), 180) == .wrongSide(field: "stop", 200, of: 180))
        #expect(refusal(.market(for: .day), .stop(180), 200) == nil)
        let stopEntry = OrderDraft.stopLimit(StopLimit(stop: 190, limit: 191), for: .day)
        #expect(
            refusal(stopEntry, .stop(185), 190.5) == .wrongSide(field: "target", 190.5, of: 191))
        #expect(
            refusal(entry, .trailing(Trail(by: .percent(5), from: 188)), 200)
                == .wrongSide(field: "stop", 188, of: 187))
        // Only rounding brings it onto the entry.
        #expect(refusal(entry, .stop(186.995), 200) == .wrongSide(field: "stop", 187, of: 187))
    }

    @Test func aBlockHasAsManyNumbersAsThereAreOrders() throws {
        let draft = BracketDraft(.market(for: .day), Self.exits)
        for count in [1, 2, 4] {
            let block = try #require(OrderIDBlock(first: 20, count: count))
            #expect(
                Drafts.refusal {
                    try draft.requests(block, for: Drafts.buy(), in: Drafts.stock())
                } == .idBlock(needed: 3, given: count))
        }
        #expect(OrderIDBlock(first: 0, count: 3) == nil)
        #expect(OrderIDBlock(first: 1, count: 0) == nil)
        #expect(OrderIDBlock(first: 2_147_483_646, count: 3) == nil)
        #expect(OrderIDBlock(first: 2_147_483_644, count: 3) != nil)
    }

    /// Brackets from blocks that do not meet never share a number.
    @Test func aThousandBracketsHaveDistinctNumbers() throws {
        let draft = BracketDraft(.limit(187.25, for: .day), Self.exits)
        let ticket = try Drafts.buy()
        let stock = try Drafts.stock()
        var ids: Set<APIOrderID> = []
        for index in 0..<1_000 as Range<Int32> {
            let first = APIOrderID(rawValue: 1 + index * 3)
            let block = try #require(OrderIDBlock(first: first, count: draft.orderCount))
            let requests = try draft.requests(block, for: ticket, in: stock)
            #expect(requests[1].order.parentId == first && requests[2].order.parentId == first)
            ids.formUnion(requests.map(\.orderId))
        }
        #expect(ids.count == 3_000)
    }
}
