import Model
import Primitives
import Simulation
import TWSProtocol

/// What of an order manager outlives the gateway: orders, numbers and fills lie at the broker.
///
/// Orders that were not transmitted are lost, as with a real gateway.
package struct OrderManagerSnapshot: Codable, Hashable, Sendable {
    var counters = OrderManager.Counters()
    var nextIDs: [NextID] = []
    var orders: [Order] = []
    var executions: [Execution] = []

    /// An order manager without orders, at its beginning.
    package init() {}

    /// What a client may use next.
    struct NextID: Codable, Hashable, Sendable {
        var client: Int32
        var order: Int32
    }

    /// An order. Quantities, prices and times in the units of their types.
    struct Order: Codable, Hashable, Sendable {
        var number: Int64
        var permID: Int64
        var client: Int32
        var order: Int32
        /// The terms, as a `placeOrder` of the newest version that is text.
        var request: [UInt8]
        var isManual: Bool
        var stage: ManagedOrder.Stage
        var isCancelAsked: Bool
        var quantity: Int64
        var filled: Int64
        var taken: Int64
        var notional: String
        var firstPrice: Int64
        var lastPrice: Int64
        var commission: Int64
        var placedAt: Int64
        var workingSince: Int64
        var expires: Int64?
        var endedAt: Int64?
        var endText: String
        var parent: Int64?
        var isReleased: Bool
        var areConditionsMet: Bool
        var trailStop: Int64?
        var snapPrice: Int64?
        var isLocating: Bool
    }

    /// A fill.
    struct Execution: Codable, Hashable, Sendable {
        var order: Int64
        var root: String
        var revision: Int32
        var quantity: Int64
        var price: Int64
        var time: Int64
        var cumulative: Int64
        var average: Int64
        var liquidity: Int32
        var exchange: String
        var commission: Int64
        var realized: Int64?
    }
}

extension OrderManagerSnapshot {
    fileprivate static var codec: TextCodec { TextCodec(version: .newest) }

    /// An order's terms as they are saved; `nil` for terms that cannot travel.
    static func text(of request: PlaceOrder) -> [UInt8]? {
        var bytes: [UInt8] = []
        do throws(EncodingRefusal) {
            try codec.encode(.placeOrder(request), into: &bytes)
        } catch { return nil }
        return Array(bytes.dropFirst(4))
    }
}

extension OrderManagerSnapshot {
    /// Every time it holds at which something happened, in nanoseconds since 1970 UTC.
    var times: [Int64] {
        orders.flatMap { [$0.placedAt, $0.workingSince, $0.endedAt ?? $0.placedAt] }
            + executions.map(\.time)
    }
}

extension OrderManager {
    /// What outlives the gateway, as it stands.
    package var snapshot: OrderManagerSnapshot {
        var snapshot = OrderManagerSnapshot()
        snapshot.counters = counters
        snapshot.nextIDs = nextIDs.keys.sorted().map { client in
            OrderManagerSnapshot.NextID(
                client: client.rawValue, order: nextValidID(for: client).rawValue)
        }
        for order in (finished + live).sorted(by: { $0.number < $1.number })
        where order.stage != .untransmitted {
            // Orders whose terms cannot be written are not taken in.
            guard let text = OrderManagerSnapshot.text(of: order.request) else { continue }
            snapshot.orders.append(Self.saved(order, as: text))
        }
        snapshot.executions = executions.map { own in
            OrderManagerSnapshot.Execution(
                order: own.order.number, root: own.root, revision: own.revision,
                quantity: own.quantity.units, price: own.price.units, time: own.time.nanoseconds,
                cumulative: own.cumulative.units, average: own.average.units,
                liquidity: own.liquidity.code, exchange: own.exchange,
                commission: own.commission.units, realized: own.realized?.units)
        }
        return snapshot
    }

    private static func saved(_ order: ManagedOrder, as text: [UInt8]) -> OrderManagerSnapshot.Order
    {
        OrderManagerSnapshot.Order(
            number: order.number, permID: order.permID.rawValue, client: order.clientID.rawValue,
            order: order.orderID.rawValue, request: text,
            isManual: order.isManual, stage: order.stage, isCancelAsked: order.isCancelAsked,
            quantity: order.quantity.units, filled: order.filled.units, taken: order.taken.units,
            notional: String(order.notional), firstPrice: order.firstPrice.units,
            lastPrice: order.lastPrice.units, commission: order.commission.units,
            placedAt: order.placedAt.nanoseconds, workingSince: order.workingSince.nanoseconds,
            expires: order.expires?.nanoseconds, endedAt: order.endedAt?.nanoseconds,
            endText: order.endText, parent: order.parent?.number,
            isReleased: order.monitor.isReleased, areConditionsMet: order.monitor.areConditionsMet,
            trailStop: order.monitor.trailStop?.units, snapPrice: order.monitor.snapPrice?.units,
            isLocating: order.isLocating)
    }

    /// Takes over what an earlier order manager left, before any order has come.
    ///
    /// Orders in contracts that are no longer listed are dropped, with their fills.
    package mutating func restore(_ snapshot: OrderManagerSnapshot) {
        guard orders.isEmpty, snapshot.counters.permID > 0 else { return }
        counters = snapshot.counters
        for next in snapshot.nextIDs {
            nextIDs[ClientID(rawValue: next.client)] = APIOrderID(rawValue: next.order)
        }
        for saved in snapshot.orders { restore(saved) }
        for saved in snapshot.executions { restore(saved) }
        for order in live { resume(order) }
        pump()
        // Nobody is connected yet: what stands is sent to whoever asks.
        notes.removeAll()
        for order in live + finished { order.lastReported = status(message: order) }
    }

    private mutating func restore(_ saved: OrderManagerSnapshot.Order) {
        let decoded = saved.request.withUnsafeBufferPointer { bytes in
            try? OrderManagerSnapshot.codec.decode(fromClient: bytes).message
        }
        guard case .placeOrder(var request)? = decoded,
            let id = contracts.id(ofConId: request.contract.conId),
            let plan = try? OrderPlan(request.order)
        else { return }
        request.orderId = APIOrderID(rawValue: saved.order)
        let terms = CheckedOrder(
            request: request, listing: contracts[id],
            side: request.order.action == .buy ? .buy : .sell,
            quantity: Quantity(units: saved.quantity), plan: plan)
        let order = ManagedOrder(
            terms, number: saved.number, permID: PermID(rawValue: saved.permID),
            clientID: ClientID(rawValue: saved.client), isManual: saved.isManual,
            at: Timestamp(nanoseconds: saved.placedAt))
        order.stage = saved.stage
        order.isCancelAsked = saved.isCancelAsked
        order.filled = Quantity(units: saved.filled)
        order.taken = Quantity(units: saved.taken)
        order.notional = Int128(saved.notional) ?? 0
        order.firstPrice = Price(units: saved.firstPrice)
        order.lastPrice = Price(units: saved.lastPrice)
        order.commission = Money(units: saved.commission)
        order.workingSince = Timestamp(nanoseconds: saved.workingSince)
        order.expires = saved.expires.map { Timestamp(nanoseconds: $0) }
        order.endedAt = saved.endedAt.map { Timestamp(nanoseconds: $0) }
        order.endText = saved.endText
        order.isLocating = saved.isLocating
        order.monitor.isReleased = saved.isReleased
        order.monitor.areConditionsMet = saved.areConditionsMet
        order.monitor.trailStop = saved.trailStop.map { Price(units: $0) }
        order.monitor.snapPrice = saved.snapPrice.map { Price(units: $0) }
        admit(order)
        let parent = saved.parent.flatMap { orders[$0] }
        if order.stage.isOver { order.parent = parent } else { attach(order, to: parent) }
        guard order.stage.isOver else { return }
        let group = group(of: order, parent)
        group?.hasFilled = order.filled > .zero
        broker.remember(
            OrderID(number: order.number), order.quantity,
            group: group.map { OrderGroupID(number: $0.number) }, Self.progress(of: order))
    }

    private mutating func restore(_ saved: OrderManagerSnapshot.Execution) {
        guard let order = orders[saved.order] else { return }
        var execution = ManagedExecution(
            order: order, root: saved.root, revision: saved.revision,
            quantity: Quantity(units: saved.quantity), price: Price(units: saved.price),
            time: Timestamp(nanoseconds: saved.time),
            cumulative: Quantity(units: saved.cumulative), average: Price(units: saved.average),
            liquidity: Liquidity(code: saved.liquidity), exchange: saved.exchange,
            commission: Money(units: saved.commission),
            realized: saved.realized.map { Money(units: $0) })
        execution.isReported = true
        execution.isCommissionReported = true
        // What later fills cost depends on those before.
        recharge(execution)
        executions.append(execution)
    }

    /// How far a saved order had come at the broker.
    private static func progress(of order: ManagedOrder) -> OrderProgress {
        var progress = OrderProgress()
        progress.filled = order.filled
        progress.taken = order.taken
        progress.isTriggered = order.monitor.isReleased
        progress.trailStop = order.monitor.trailStop
        return progress
    }

    /// Goes on with an order where an earlier order manager left it.
    private mutating func resume(_ order: ManagedOrder) {
        switch order.stage {
        case .underWay: timers.add(.accept(order), at: now + settings.placementLatency)
        case .accepted:
            follow(order)
            if let start = order.request.order.goodAfterTime.orderTimestamp {
                order.monitor.hasBegun = start <= now
            }
            let sent = brokerOrder(of: order)
            order.sent = sent
            broker.resume(
                sent.ticket, sent.terms, Self.progress(of: order), since: order.workingSince)
            refresh(order)
        case .untransmitted, .inactive, .filled, .cancelled, .apiCancelled: break
        }
        scheduleLook(at: order)
        if order.isCancelAsked {
            timers.add(.cancel(order), at: now + settings.cancellationLatency)
        }
    }
}
