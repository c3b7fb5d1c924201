import Model
import Primitives
import Simulation
import TWSProtocol

/// What an order has seen of the market.
struct OrderMonitor: Hashable {
    /// Whether the price that releases it was reached.
    var isReleased = false
    /// How many prices in a row have reached it.
    var streak = 0
    /// Where a trailing stop is.
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

    /// Looks what an instrument's market shows, if nobody watches it.
    mutating func show(_ id: InstrumentID) {
        guard monitors[Int(id.index)].isEmpty else { return }
        snapshots[Int(id.index)] = dependencies.snapshot(id)
    }

    // MARK: Times

    /// Sets up what an order waits for when it reaches the broker or its terms change.
    mutating func prepare(_ order: ManagedOrder) {
        let terms = order.request.order
        order.workingSince = now
        order.monitor = OrderMonitor()
        order.monitor.areConditionsMet = terms.conditions.isEmpty || terms.conditionsCancelOrder
        order.monitor.hasBegun =
            OrderSessionHours.timestamp(terms.goodAfterTime).map { $0 <= now } ?? true
        lookAtConditions(of: order)
        guard !order.stage.isOver else { return }
        let plan = order.plan
        switch plan.persistence {
        case .immediateOrCancel:
            guard !isOpen(order) else { return }
            end(order, .cancelled, because: .expiry)
        case .fillOrKill:
            let type: OrderType
            if case .native(let own) = plan.style { type = own } else { type = .market }
            guard !isAvailable(order.due, for: order, type) else { return }
            end(order, .cancelled, because: .expiry)
        case .resting, .allOrNone, .auction: break
        }
    }

    /// Looks whether an order's time has come, or is over.
    mutating func look(at order: ManagedOrder) {
        guard order.nextLook == now, !order.stage.isOver else { return }
        order.nextLook = nil
        if let expires = order.expires, expires <= now {
            return end(order, .cancelled, because: .expiry)
        }
        guard order.stage == .accepted else { return scheduleLook(at: order) }
        if let start = OrderSessionHours.timestamp(order.request.order.goodAfterTime) {
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
        if let expires = order.expires { times.append(expires) }
        if let start = OrderSessionHours.timestamp(order.request.order.goodAfterTime) {
            times.append(start)
        }
        for case .time(let condition) in order.request.order.conditions {
            if let time = OrderSessionHours.timestamp(condition.time) { times.append(time) }
        }
        let window = window(of: order)
        times.append(window.start > now ? window.start : window.end)
        if let slicing = order.plan.slicing, order.stage == .accepted {
            let (start, end) = span(of: order, slicing)
            if now < start { times.append(start) }
            if now >= start, now < end { times.append(now + Self.sliceLength) }
        }
        // An expiry that is past is looked at as soon as time passes.
        let next = times.filter { $0 > now }.min()
        let isPast = (order.expires ?? .distantFuture) <= now
        guard let due = isPast ? now : next else { return }
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
        guard event.instrument == order.instrument, !order.isWaitingForParent else { return }
        switch order.plan.style {
        case .native(.stop), .native(.stopLimit): noticeRelease(of: order)
        case .native, .marketToLimit: break
        case .stop(let price, _): release(order, at: price, event, order.side)
        case .touch(let price, _): release(order, at: price, event, order.side.opposite)
        case .trail(let offset, _):
            noticeRelease(of: order)
            if case .trade(let trade) = event { trail(order, offset, behind: trade.price) }
        case .peg, .snap:
            if case .quote = event { markStale(order) }
        }
        let waitsForSize = order.plan.persistence == .allOrNone || order.plan.minimum > .zero
        if waitsForSize { markStale(order) }
    }

    /// Sets what an order that begins to work takes from the market as it is.
    mutating func start(_ order: ManagedOrder) {
        guard order.stage == .accepted, !order.isWaitingForParent, order.monitor.isReady else {
            return
        }
        switch order.plan.style {
        case .trail(let offset, _):
            guard order.monitor.trailStop == nil else { return }
            if let stated = order.request.order.trailStopPrice?.price, stated != .zero {
                order.monitor.trailStop = stated
            } else if let last = snapshots[Int(order.instrument.index)].last {
                trail(order, offset, behind: last)
            }
        case .snap(let anchor, let offset):
            guard order.monitor.snapPrice == nil else { return }
            order.monitor.snapPrice = anchored(order, anchor, offset)
        case .native, .stop, .touch, .marketToLimit, .peg: break
        }
    }

    /// Notices that a stop of the venue's own was reached.
    private mutating func noticeRelease(of order: ManagedOrder) {
        guard !order.monitor.isReleased, let work = order.work else { return }
        guard venue.isTriggered(work.id, in: order.instrument) else { return }
        order.monitor.isReleased = true
        touch(order)
    }

    /// Lets a trailing stop follow a price, never back.
    private mutating func trail(
        _ order: ManagedOrder, _ offset: TrailingOffset, behind price: Price
    ) {
        guard !order.monitor.isReleased, isOpen(order) else { return }
        let ticks = order.listing.instrument.tickSize
        let distance = offset.distance(from: price)
        let moved: Price
        switch order.side {
        case .sell:
            moved = ticks.roundedDown(price - distance)
            guard order.monitor.trailStop.map({ moved > $0 }) ?? true else { return }
        case .buy:
            moved = ticks.roundedUp(price + distance)
            guard order.monitor.trailStop.map({ moved < $0 }) ?? true else { return }
        }
        order.monitor.trailStop = moved
        markStale(order)
    }

    /// Releases an order whose price was reached, from below for a purchase, from above for a sale.
    private mutating func release(
        _ order: ManagedOrder, at price: Price, _ event: ObservedEvent, _ direction: Side
    ) {
        guard !order.monitor.isReleased, isOpen(order),
            let seen = Self.price(event, order.request.order.triggerMethod, order.side)
        else { return }
        let isReached = direction == .buy ? seen >= price : seen <= price
        order.monitor.streak = isReached ? order.monitor.streak + 1 : 0
        let isDouble =
            order.request.order.triggerMethod == .doubleLast
            || order.request.order.triggerMethod == .doubleBidAsk
        guard order.monitor.streak >= (isDouble ? 2 : 1) else { return }
        order.monitor.isReleased = true
        markStale(order)
        touch(order)
    }

    /// The price an event has by a method; `nil` where it has none.
    static func price(_ event: ObservedEvent, _ method: TriggerMethod, _ side: Side) -> Price? {
        switch (event, method) {
        case (.trade(let trade), .standard), (.trade(let trade), .last),
            (.trade(let trade), .doubleLast), (.trade(let trade), .lastOrBidAsk),
            (.trade(let trade), .unknown):
            trade.price
        case (.quote(let quote), .bidAsk), (.quote(let quote), .doubleBidAsk),
            (.quote(let quote), .lastOrBidAsk):
            side == .buy ? quote.ask : quote.bid
        case (.quote(let quote), .midpoint): quote.middle
        case (.quote, .standard), (.quote, .last), (.quote, .doubleLast), (.quote, .unknown),
            (.trade, .bidAsk), (.trade, .doubleBidAsk), (.trade, .midpoint):
            nil
        }
    }
}
