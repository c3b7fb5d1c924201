import MarketState
import Model
import Primitives
import Simulation
import TWSProtocol

/// Orders at the venue.
extension OrderDesk {
    /// Brings what the venue has of an order to what it should have.
    mutating func sync(_ order: DeskOrder) {
        start(order)
        guard let wish = wish(of: order) else { return withdraw(order) }
        guard let work = order.work else { return submit(wish, of: order) }
        guard work.wish.canBecome(wish) else {
            withdraw(order)
            return submit(wish, of: order)
        }
        guard work.wish.type != wish.type || work.left != wish.quantity else { return }
        let isDearer = work.wish.type != wish.type
        order.work?.wish = wish
        order.work?.quantity = work.filled + work.taken + wish.quantity
        if isDearer { showStanding(order) }
        guard let changed = order.work else { return }
        venue.modify(ticket(changed, of: order), revision: 0, at: now, answers: &reports)
    }

    /// Takes an order's work away from the venue.
    mutating func withdraw(_ order: DeskOrder) {
        guard let work = order.work else { return }
        venue.cancel(work.id, answers: &reports)
        drop(work, of: order)
    }

    private mutating func submit(_ wish: VenueWish, of order: DeskOrder) {
        showStanding(order)
        counters.work += 1
        let (group, taken) = joinVenueGroup(order)
        let work = VenueWork(
            id: OrderID(number: counters.work), wish: wish, quantity: wish.quantity + taken,
            taken: taken, group: group)
        order.work = work
        byWork[work.id] = order
        venue.submit(ticket(work, of: order), at: now, answers: &reports)
        touch(order)
    }

    private func ticket(_ work: VenueWork, of order: DeskOrder) -> Model.OrderTicket {
        Model.OrderTicket(
            id: work.id,
            request: OrderRequest(
                strategy: StrategyID(index: 0), instrument: order.instrument, side: order.side,
                quantity: work.quantity, type: work.wish.type, timeInForce: work.wish.time,
                purpose: .entry, group: work.group.map { OrderGroupID(number: $0) },
                worksOutsideHours: work.wish.outside))
    }

    /// The venue's group for an order's work, and what it has filled.
    private mutating func joinVenueGroup(_ order: DeskOrder) -> (number: Int?, filled: Quantity) {
        guard let group = order.group, group.blocks,
            order.plan.persistence != .auction
        else { return (nil, .zero) }
        var own: DeskGroup.VenueGroup
        if let known = group.atVenue[order.instrument], known.count > 0 {
            own = known
        } else {
            counters.venueGroup += 1
            own = DeskGroup.VenueGroup(number: counters.venueGroup)
        }
        own.count += 1
        group.atVenue[order.instrument] = own
        return (own.number, own.filled)
    }

    /// Forgets work that the venue has no more.
    private mutating func drop(_ work: VenueWork, of order: DeskOrder) {
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
    private mutating func showStanding(_ order: DeskOrder) {
        let tape = tapes[Int(order.instrument.index)]
        guard let quote = tape.quote, !tape.isHalted, isOpen(order) else { return }
        venue.quoteChanged(quote, at: now, answers: &reports)
    }

    // MARK: Answers

    /// Takes in what the venue says.
    mutating func heed(_ report: OrderReport) {
        guard let order = byWork[report.order] else { return }
        switch report.fact {
        case .acknowledged, .modified, .commission,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            break
        case .executed(let execution): heed(execution, report.order, order)
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

    private mutating func heed(
        _ execution: Execution, _ id: OrderID, _ order: DeskOrder
    ) {
        let isCurrent = order.work?.id == id
        let group = isCurrent ? order.work?.group : nil
        let wish = order.work?.wish
        if isCurrent {
            order.work?.filled += execution.quantity
            if let number = group { pass(on: execution.quantity, in: number, of: order) }
            if let work = order.work, work.left <= .zero {
                drop(work, of: order)
                // What a venue's group reduced is told to have ended after its last fill.
                byWork[id] = nil
            }
        }
        record(
            execution.quantity, at: execution.price, of: order,
            isResting: wish?.type.limitPrice != nil && execution.time > order.workingSince)
    }

    /// Reckons along what a fill takes from others of its group at the venue.
    private mutating func pass(on quantity: Quantity, in number: Int, of order: DeskOrder) {
        guard let group = order.group else { return }
        group.atVenue[order.instrument]?.fill(quantity)
        for other in group.members where other !== order && other.work?.group == number {
            other.work?.taken += quantity
            if let work = other.work, work.left <= .zero { drop(work, of: other) }
            markStale(other)
        }
    }

    // MARK: What an order wants

    /// How an order should work at the venue now; `nil`: not at all.
    private func wish(of order: DeskOrder) -> VenueWish? {
        guard order.stage == .accepted, !order.isLocating, order.watch.isReady,
            let type = venueType(of: order)
        else { return nil }
        let isRoundTheClock = DeskHours.isRoundTheClock(order.listing.hours)
        var wish = VenueWish(
            type: type, outside: order.plan.outside || isRoundTheClock, quantity: order.due)
        if let slicing = order.plan.slicing {
            wish.quantity = min(
                wish.quantity, max(scheduled(order, slicing) - order.filled - order.taken, .zero))
        }
        guard wish.quantity > .zero else { return nil }
        switch order.plan.persistence {
        case .resting: break
        case .immediate: wish.time = .immediateOrCancel
        case .wholeAtOnce: wish.time = .immediateOrCancel
        case .wholeOnly:
            guard isAvailable(wish.quantity, for: order, type) else { return nil }
        case .auction:
            wish.time = .day
            wish.outside = false
        }
        if order.plan.minimum > .zero, order.filled == .zero {
            guard isAvailable(min(order.plan.minimum, wish.quantity), for: order, type) else {
                return nil
            }
        }
        return wish
    }

    /// Whether the market shows at least that much for an order at once.
    func isAvailable(_ quantity: Quantity, for order: DeskOrder, _ type: Model.OrderType) -> Bool {
        let quote = tapes[Int(order.instrument.index)].quote
        let (price, size) =
            order.side == .buy ? (quote?.ask, quote?.askSize) : (quote?.bid, quote?.bidSize)
        guard let price, isOpen(order) else { return false }
        if let limit = type.limitPrice {
            guard order.side == .buy ? price <= limit : price >= limit else { return false }
        }
        return (size ?? .magnitudeMax) >= quantity
    }

    private func venueType(of order: DeskOrder) -> Model.OrderType? {
        switch order.plan.style {
        case .native(let type): return type
        case .stop(_, let limit), .touch(_, let limit):
            guard order.watch.isReleased else { return nil }
            return limit.map { .limit($0) } ?? .market
        case .trail(_, let limitOffset):
            guard let stop = order.watch.trailStop else { return nil }
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
        case .snap: return order.watch.snapPrice.map { .limit($0) }
        }
    }

    /// A price that follows the quote: better for the market by `offset`, on the tick.
    func anchored(_ order: DeskOrder, _ anchor: OrderPlan.Anchor, _ offset: Price) -> Price? {
        let quote = tapes[Int(order.instrument.index)].quote
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

    /// A price reckoned from what a client said, within what orders fill at here.
    private static func bounded(_ price: Price) -> Price {
        min(max(price, -DeskSettings.priceMax), DeskSettings.priceMax)
    }

    /// How much of a sliced order may be filled by now, in whole shares.
    private func scheduled(_ order: DeskOrder, _ slicing: OrderPlan.Slicing) -> Quantity {
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
        of order: DeskOrder, _ slicing: OrderPlan.Slicing
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
