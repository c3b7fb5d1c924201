import Model
import Primitives
import Simulation
import TWSProtocol

/// What an order has seen of the market.
struct OrderMonitor: Hashable {
    /// Whether its stop was reached, as the broker says.
    var isReleased = false
    /// Where a trailing stop is, as the broker says.
    var trailStop: Price?
    /// The price a snapping order took.
    var snapPrice: Price?
    /// Whether its conditions have been met, or it has none.
    var areConditionsMet = true
    /// Whether its time to begin has come.
    var hasBegun = true
    /// Whether an execution has come that a condition waits for.
    var hasSeenExecution = false

    /// Whether it may work, as far as times and conditions go.
    var isReady: Bool { areConditionsMet && hasBegun }
}

/// Something a market published.
enum ObservedEvent {
    /// The best bid or offer.
    case quote(Quote)
    /// A trade of others.
    case trade(Trade)

    /// Whose market it is.
    var instrument: InstrumentID {
        switch self {
        case .quote(let quote): quote.instrument
        case .trade(let trade): trade.instrument
        }
    }
}

/// What orders wait for.
extension OrderManager {
    // MARK: Which markets

    /// Lets an order watch the markets it depends on.
    mutating func follow(_ order: ManagedOrder) {
        order.monitored = [order.instrument]
        for condition in order.request.order.conditions {
            guard let number = condition.monitoredContract, let id = contracts.id(ofConId: number),
                !order.monitored.contains(id)
            else { continue }
            order.monitored.append(id)
        }
        for id in order.monitored {
            show(id)
            monitors[Int(id.index)].append(order)
            follows.append(.follow(id))
        }
    }

    /// Lets an order watch no market any more.
    mutating func unfollow(_ order: ManagedOrder) {
        for id in order.monitored {
            let index = Int(id.index)
            guard let orderIndex = monitors[index].firstIndex(where: { $0 === order }) else {
                continue
            }
            monitors[index].remove(at: orderIndex)
            follows.append(.unfollow(id))
        }
    }

    // MARK: Times

    /// Sets up what an order waits for when it reaches the broker or its terms change.
    mutating func prepare(_ order: ManagedOrder) {
        let terms = order.request.order
        order.workingSince = now
        order.monitor = OrderMonitor()
        order.monitor.areConditionsMet = terms.conditions.isEmpty || terms.conditionsCancelOrder
        order.monitor.hasBegun =
            terms.goodAfterTime.orderTimestamp.map { $0 <= now } ?? true
        lookAtConditions(of: order)
    }

    /// Looks whether an order's time has come.
    mutating func look(at order: ManagedOrder) {
        guard order.nextLook == now, !order.stage.isOver else { return }
        order.nextLook = nil
        guard order.stage == .accepted else { return scheduleLook(at: order) }
        if let start = order.request.order.goodAfterTime.orderTimestamp {
            order.monitor.hasBegun = start <= now
        }
        lookAtConditions(of: order)
        scheduleLook(at: order)
        markStale(order)
        touch(order)
    }

    /// Sets the timer for the next time at which something changes for an order by itself.
    mutating func scheduleLook(at order: ManagedOrder) {
        guard !order.stage.isOver else { return }
        var times: [Timestamp] = []
        if let start = order.request.order.goodAfterTime.orderTimestamp {
            times.append(start)
        }
        for case .time(let condition) in order.request.order.conditions {
            if let time = condition.time.orderTimestamp { times.append(time) }
        }
        let window = window(of: order)
        times.append(window.start > now ? window.start : window.end)
        if let slicing = order.plan.slicing, order.stage == .accepted {
            let (start, end) = span(of: order, slicing)
            if now < start { times.append(start) }
            if now >= start, now < end { times.append(now + Self.sliceLength) }
        }
        guard let due = times.filter({ $0 > now }).min() else { return }
        if let planned = order.nextLook, planned <= due, planned > now { return }
        order.nextLook = due
        timers.add(.look(order), at: due)
    }

    // MARK: Prices

    /// Lets an order see something of a market it watches.
    mutating func observe(_ order: ManagedOrder, _ event: ObservedEvent) {
        if !order.monitor.areConditionsMet || order.request.order.conditionsCancelOrder {
            lookAtConditions(of: order)
            guard !order.stage.isOver else { return }
        }
        guard event.instrument == order.instrument else { return }
        switch order.plan.style {
        case .stop, .trail, .touch: if !order.monitor.isReleased { noticeRelease(of: order) }
        case .peg, .snap: if case .quote = event { markStale(order) }
        case .native, .marketToLimit: break
        }
    }

    /// Notices that a stop was reached.
    private mutating func noticeRelease(of order: ManagedOrder) {
        refresh(order)
        if order.monitor.isReleased { touch(order) }
    }
}
