import GatewayTestSupport
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing

@testable import Runtime

/// Sessions to which more comes than they take in.
@Suite struct OverloadTests {
    /// A message about an order that can be told apart.
    private static func status(_ number: Int) -> SessionInbox.Item {
        var status = OrderStatus()
        status.orderId = APIOrderID(rawValue: Int32(number))
        return .input(.gateway(.message(.orderStatus(status), leftover: 0)))
    }

    private static func bar(_ request: Int, _ number: Int) -> SessionInbox.Item {
        var bar = RealTimeBar()
        bar.reqId = RequestID(rawValue: Int32(request))
        bar.time = Int64(number)
        return .input(.gateway(.message(.realTimeBar(bar), leftover: 0)))
    }

    private static func tick(_ request: Int, _ number: Int) -> SessionInbox.Item {
        var tick = TickPrice()
        tick.reqId = RequestID(rawValue: Int32(request))
        tick.tickType = number.isMultiple(of: 2) ? .bid : .ask
        tick.attrMask = Int32(number)
        return .input(.gateway(.message(.tickPrice(tick), leftover: 0)))
    }

    /// What an item is, for comparing: a kind, its subscription and its number.
    private static func label(_ item: SessionInbox.Item) -> (stream: String, number: Int)? {
        guard case .input(.gateway(.message(let message, _))) = item else { return nil }
        switch message {
        case .orderStatus(let status): return ("order", Int(status.orderId.rawValue))
        case .realTimeBar(let bar): return ("bar \(bar.reqId)", Int(bar.time))
        case .tickPrice(let tick):
            return ("tick \(tick.reqId) \(tick.tickType.code)", Int(tick.attrMask))
        default: return nil
        }
    }

    /// N5, DAT-06, EVT-04: whatever floods come, nothing about orders is lost, all stays in its order, the newest of each
    /// subscription are there, no more wait than wanted, and what is missing is counted.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func floodsShedOldDataOnly(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...300, using: &chance)
        let streams = Int.random(in: 1...80, using: &chance)
        let inbox = SessionInbox(limit: limit)
        var orders: [Int] = []
        var newest: [String: Int] = [:]
        var (put, taken, shed) = (0, 0, 0)
        var seen: [String: Int] = [:]
        var waiting = 0
        var (isBounded, isInOrder) = (true, true)
        for number in 1...4_000 {
            let item: SessionInbox.Item
            switch Int.random(in: 0..<20, using: &chance) {
            case 0: item = Self.status(number)
            case 1..<8: item = Self.bar(Int.random(in: 0..<streams, using: &chance), number)
            default: item = Self.tick(Int.random(in: 0..<streams, using: &chance), number)
            }
            inbox.put([item], at: Timestamp(seconds: Int64(number)))
            put += 1
            waiting += 1
            if let (stream, number) = Self.label(item) {
                newest[stream] = number
                if stream == "order" { orders.append(number) }
            }
            // Bars and two kinds of ticks for each request, and all orders since the last look.
            isBounded = isBounded && inbox.count <= max(limit, 6 * streams) + orders.count
            guard Int.random(in: 0..<400, using: &chance) == 0 || number == 4_000 else { continue }
            let batch = inbox.take()
            taken += batch.items.count
            shed += batch.shed
            #expect(batch.items.count + batch.shed == waiting)
            waiting = 0
            var latest = 0
            for (stream, number) in batch.items.compactMap(Self.label) {
                isInOrder = isInOrder && number > latest
                latest = number
                if stream == "order" { isInOrder = isInOrder && orders.removeFirst() == number }
                seen[stream] = number
            }
            #expect(orders.isEmpty, "an order's message was lost")
            for (stream, number) in newest { #expect(seen[stream] == number) }
        }
        #expect(isBounded)
        #expect(isInOrder)
        #expect(taken + shed == put)
    }

    /// DAT-06: a million ticks of ten instruments while nobody reads: no more than the limit are ever kept.
    @Test func memoryStaysFlatOverAMillionTicks() {
        let inbox = SessionInbox(limit: 1_000)
        var most = 0
        for number in 0..<1_000_000 {
            inbox.put([Self.tick(number % 10, number)], at: .distantPast)
            if number % 997 == 0 { most = max(most, inbox.count) }
        }
        #expect(most <= 1_000)
        let batch = inbox.take()
        #expect(batch.items.count + batch.shed == 1_000_000)
    }

    /// N5, C-09: a session that cannot keep up keeps the newest data only and reports that; what is old leads to no
    /// entry; its ledger lacks nothing, and the bars that miss parts come from history.
    @Test func whatIsOldLeadsToNoEntry() throws {
        let rig = try SessionRig(
            SessionRig.rotation + "\nibkr: {tick_buffer: 20}", keepsHistory: true)
        try rig.pass(.minutes(12))
        rig.stall(.minutes(3))
        let count = rig.decisions.count
        try rig.pass(Duration.milliseconds(250))
        let during = rig.decisions[count...]
        #expect(during.contains { $0.kind == .conditionBegan(.fallingBehind) })
        let shed = during.first { $0.kind == .conditionBegan(.dataShed) }
        #expect((shed?.figures.all.first?.amount ?? 0) > 50)
        #expect(!during.contains { $0.kind == .submitted(.entry) })
        try rig.pass(.minutes(3))
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.fallingBehind) })
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.dataShed) })
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills") { rig.driver.fillCount > fills }
        var ends: [InstrumentID: [Timestamp]] = [:]
        for event in rig.history.batches.flatMap(\.events) {
            switch event.kind {
            case .bar(let bar), .history(let bar):
                if bar.end > SimulatedGateway.tuesday {
                    ends[bar.instrument, default: []].append(bar.end)
                }
            default: break
            }
        }
        #expect(ends.count == 4)
        for series in ends.values {
            #expect(zip(series, series.dropFirst()).allSatisfy { $1 - $0 == .minutes(1) })
        }
        try rig.expectEqualLedgers()
    }

    /// N6: while the gateway does not read what was written no order leaves that could open a position; exits do.
    @Test func aGatewayThatDoesNotReadGetsNoEntries() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let held = rig.driver.fillCount
        #expect(held > 0)
        rig.gateway.setReading(false)
        let sent = rig.gateway.received.count
        try rig.pass(.minutes(20))
        var sides: Set<OrderAction> = []
        for one in rig.gateway.received[sent...] {
            if case .placeOrder(let order) = one.message { sides.insert(order.order.action) }
        }
        #expect(sides == [.sell])
        rig.gateway.setReading(true)
        try rig.pass(until: "a purchase") {
            rig.gateway.received[sent...].contains { one in
                if case .placeOrder(let order) = one.message {
                    order.order.action == .buy
                } else {
                    false
                }
            }
        }
        try rig.expectEqualLedgers()
    }
}
