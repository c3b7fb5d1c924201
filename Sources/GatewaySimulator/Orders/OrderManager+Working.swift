import MarketState
import Model
import Primitives
import Simulation
import TWSProtocol

/// Orders at the venue.
extension OrderManager {
    /// Brings what the venue has of an order to what it should have.
    mutating func sync(_ order: ManagedOrder) {
        start(order)
        guard let intent = intent(of: order) else { return withdraw(order) }
        guard let work = order.work else { return submit(intent, of: order) }
        guard work.intent.canBecome(intent) else {
            withdraw(order)
            return submit(intent, of: order)
        }
        guard work.intent.type != intent.type || work.leavesQuantity != intent.quantity else {
            return
        }
        let isDearer = work.intent.type != intent.type
        order.work?.intent = intent
        order.work?.quantity = work.filled + work.taken + intent.quantity
        if isDearer { showMarket(order) }
        guard let changed = order.work else { return }
        venue.modify(ticket(changed, of: order), revision: 0, at: now, answers: &reports)
    }

    /// Takes an order's work away from the venue.
    mutating func withdraw(_ order: ManagedOrder) {
        guard let work = order.work else { return }
        venue.cancel(work.id, answers: &reports)
        drop(work, of: order)
    }

    private mutating func submit(_ intent: VenueIntent, of order: ManagedOrder) {
        showMarket(order)
        counters.work += 1
        let (group, taken) = joinVenueGroup(order)
        let work = VenueWork(
            id: OrderID(number: counters.work), intent: intent, quantity: intent.quantity + taken,
            taken: taken, group: group)
        order.work = work
        byWork[work.id] = order
        venue.submit(ticket(work, of: order), at: now, answers: &reports)
        touch(order)
    }

    private func ticket(_ work: VenueWork, of order: ManagedOrder) -> OrderTicket {
        OrderTicket(
            id: work.id,
            request: OrderRequest(
                strategy: StrategyID(index: 0), instrument: order.instrument, side: order.side,
                quantity: work.quantity, type: work.intent.type, timeInForce: work.intent.time,
                purpose: .entry, group: work.group.map { OrderGroupID(number: $0) },
                outsideRTH: work.intent.outside))
    }

    /// The venue's group for an order's work, and what it has filled.
    private mutating func joinVenueGroup(_ order: ManagedOrder) -> (number: Int?, filled: Quantity)
    {
        guard let group = order.group, group.blocks,
            order.plan.persistence != .auction
        else { return (nil, .zero) }
        var own: OrderGroup.VenueGroup
        if let known = group.atVenue[order.instrument], known.count > 0 {
            own = known
        } else {
            counters.venueGroup += 1
            own = OrderGroup.VenueGroup(number: counters.venueGroup)
        }
        own.count += 1
        group.atVenue[order.instrument] = own
        return (own.number, own.filled)
    }

    /// Forgets work that the venue has no more.
    private mutating func drop(_ work: VenueWork, of order: ManagedOrder) {
        guard order.work?.id == work.id else { return }
        order.work = nil
        if let number = work.group, let group = order.group,
            group.atVenue[order.instrument]?.number == number
        {
            group.atVenue[order.instrument]?.count -= 1
        }
        touch(order)
    }

    /// Shows the venue what its market shows now, so that an order that comes meets it.
    private mutating func showMarket(_ order: ManagedOrder) {
        let cursor = snapshots[Int(order.instrument.index)]
        guard let quote = cursor.quote, !cursor.isHalted, isOpen(order) else { return }
        venue.quoteChanged(quote, at: now, answers: &reports)
    }

    // MARK: Answers

    /// Handles what the venue reports.
    mutating func handle(_ report: OrderReport) {
        guard let order = byWork[report.order] else { return }
        switch report.fact {
        case .acknowledged, .modified, .commission,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            break
        case .executed(let execution): handle(execution, report.order, order)
        case .modificationRefused:
            guard order.work?.id == report.order else { return }
            withdraw(order)
            markStale(order)
        case .rejected(let cause):
            byWork[report.order] = nil
            guard let work = order.work, work.id == report.order else { return }
            drop(work, of: order)
            reject(order, .rejected(cause.text))
        case .cancelled(let cause):
            byWork[report.order] = nil
            guard let work = order.work, work.id == report.order else { return }
            drop(work, of: order)
            guard cause == .expired else { return markStale(order) }
            end(order, .cancelled, because: .expiry)
        }
    }

    private mutating func handle(
        _ execution: Execution, _ id: OrderID, _ order: ManagedOrder
    ) {
        let isCurrent = order.work?.id == id
        let group = isCurrent ? order.work?.group : nil
        let intent = order.work?.intent
        if isCurrent {
            order.work?.filled += execution.quantity
            if let number = group { pass(on: execution.quantity, in: number, of: order) }
            if let work = order.work, work.leavesQuantity <= .zero {
                drop(work, of: order)
                // What a venue's group reduced is reported as ended after its last fill.
                byWork[id] = nil
            }
        }
        record(
            execution.quantity, at: execution.price, of: order,
            isResting: intent?.type.limitPrice != nil && execution.time > order.workingSince)
    }

    /// Reckons along what a fill takes from others of its group at the venue.
    private mutating func pass(on quantity: Quantity, in number: Int, of order: ManagedOrder) {
        guard let group = order.group else { return }
        group.atVenue[order.instrument]?.fill(quantity)
        for other in group.members where other !== order && other.work?.group == number {
            other.work?.taken += quantity
            if let work = other.work, work.leavesQuantity <= .zero { drop(work, of: other) }
            markStale(other)
        }
    }

    // MARK: What an order wants

    /// How an order should work at the venue now; `nil`: not at all.
    private func intent(of order: ManagedOrder) -> VenueIntent? {
        guard order.stage == .accepted, !order.isLocating, order.monitor.isReady,
            let type = venueType(of: order)
        else { return nil }
        let isRoundTheClock = OrderSessionHours.isRoundTheClock(order.listing.hours)
        var intent = VenueIntent(
            type: type, outside: order.plan.outside || isRoundTheClock, quantity: order.due)
        if let slicing = order.plan.slicing {
            intent.quantity = min(
                intent.quantity, max(scheduled(order, slicing) - order.filled - order.taken, .zero))
        }
        guard intent.quantity > .zero else { return nil }
        switch order.plan.persistence {
        case .resting: break
        case .immediateOrCancel: intent.time = .immediateOrCancel
        case .fillOrKill: intent.time = .immediateOrCancel
        case .allOrNone:
            guard isAvailable(intent.quantity, for: order, type) else { return nil }
        case .auction:
            intent.time = .day
            intent.outside = false
        }
        if order.plan.minimum > .zero, order.filled == .zero {
            guard isAvailable(min(order.plan.minimum, intent.quantity), for: order, type) else {
                return nil
            }
        }
        return intent
    }

    /// Whether the market shows at least that much for an order at once.
    func isAvailable(_ quantity: Quantity, for order: ManagedOrder, _ type: OrderType) -> Bool {
        let quote = snapshots[Int(order.instrument.index)].quote
        let (price, size) =
            order.side == .buy ? (quote?.ask, quote?.askSize) : (quote?.bid, quote?.bidSize)
        guard let price, isOpen(order) else { return false }
        if let limit = type.limitPrice {
            guard order.side == .buy ? price <= limit : price >= limit else { return false }
        }
        return (size ?? .magnitudeMax) >= quantity
    }

    private func venueType(of order: ManagedOrder) -> OrderType? {
        switch order.plan.style {
        case .native(let type): return type
        case .stop(_, let limit), .touch(_, let limit):
            guard order.monitor.isReleased else { return nil }
            return limit.map { .limit($0) } ?? .market
        case .trail(_, let limitOffset):
            guard let stop = order.monitor.trailStop else { return nil }
            guard let limitOffset else { return .stop(stop) }
            let limit = order.side == .buy ? stop + limitOffset : stop - limitOffset
            return .stopLimit(stop: stop, limit: Self.bounded(limit))
        case .marketToLimit:
            return order.filled > .zero ? .limit(order.firstPrice) : .market
        case .peg(let anchor, let offset, let cap):
            let price = anchored(order, anchor, offset)
            guard let price else { return nil }
            guard let cap else { return .limit(price) }
            return .limit(order.side == .buy ? min(price, cap) : max(price, cap))
        case .snap: return order.monitor.snapPrice.map { .limit($0) }
        }
    }

    /// A price that follows the quote: better for the market by `offset`, on the tick.
    func anchored(_ order: ManagedOrder, _ anchor: OrderPlan.Anchor, _ offset: Price) -> Price? {
        let quote = snapshots[Int(order.instrument.index)].quote
        let (own, other) =
            order.side == .buy ? (quote?.bid, quote?.ask) : (quote?.ask, quote?.bid)
        let base: Price?
        switch anchor {
        case .ownSide: base = own
        case .otherSide: base = other
        // The middle may lie between two ticks.
        case .middle: return quote?.middle
        }
        guard let base else { return nil }
        let ticks = order.listing.instrument.tickSize
        return Self.bounded(
            order.side == .buy
                ? ticks.roundedDown(base + offset) : ticks.roundedUp(base - offset))
    }

    /// A price reckoned from what a client sent, within what orders fill at here.
    private static func bounded(_ price: Price) -> Price {
        min(max(price, -OrderManagerSettings.priceMax), OrderManagerSettings.priceMax)
    }

    /// How much of a sliced order may be filled by now, in whole shares.
    private func scheduled(_ order: ManagedOrder, _ slicing: OrderPlan.Slicing) -> Quantity {
        let (start, end) = span(of: order, slicing)
        guard now >= start else { return .zero }
        guard now < end, end > start else { return order.quantity }
        let length = Int128((end - start).nanoseconds)
        // A slice is due at the beginning of its step, so that the first does not wait.
        let step = Int128(Self.sliceLength.nanoseconds)
        let elapsed = Int128((now - start).nanoseconds) / step * step + step
        let part = Int128(order.quantity.units) * min(elapsed, length) / length
        return Quantity(units: Int64(clamping: part)).wholeShares
    }

    /// How often a slice is sent.
    static let sliceLength = Duration.seconds(30)

    /// From when to when a sliced order works.
    func span(
        of order: ManagedOrder, _ slicing: OrderPlan.Slicing
    ) -> (start: Timestamp, end: Timestamp) {
        let window = window(of: order)
        let start = max(slicing.start ?? order.workingSince, order.workingSince, window.start)
        return (start, slicing.end ?? window.end)
    }
}

extension RejectCause {
    /// As people read it.
    fileprivate var text: String {
        switch self {
        case .priceNotOnTick: "The price is off the tick"
        case .invalidTerms: "Invalid order terms"
        case .noParent: "Missing parent order"
        case .notTradable: "The contract is not available for trading"
        case .byBroker: "Rejected"
        }
    }
}
