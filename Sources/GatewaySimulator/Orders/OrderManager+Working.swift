import MarketState
import Model
import Primitives
import Simulation
import TWSProtocol

/// Orders at the broker.
extension OrderManager {
    /// Tells the broker what it should have of an order, if it has something else.
    mutating func sync(_ order: ManagedOrder) {
        guard order.stage == .accepted else { return }
        snap(order)
        let sent = brokerOrder(of: order)
        guard order.sent != sent else { return }
        let isNew = order.sent == nil
        order.sent = sent
        showMarket(of: order)
        if isNew {
            broker.submit(sent.ticket, sent.terms, at: now, answers: &reports)
        } else {
            broker.replace(sent.ticket, sent.terms, at: now, answers: &reports)
        }
        touch(order)
    }

    /// Takes an order away from the broker.
    mutating func withdraw(_ order: ManagedOrder) {
        guard let sent = order.sent else { return }
        refresh(order)
        order.sent = nil
        broker.cancel(sent.ticket.id, answers: &reports)
    }

    /// Shows the broker what an instrument's market shows, which nobody has watched until now.
    mutating func show(_ id: InstrumentID) {
        guard monitors[Int(id.index)].isEmpty else { return }
        let snapshot = dependencies.snapshot(id)
        snapshots[Int(id.index)] = snapshot
        broker.show(snapshot.quote, last: snapshot.last, of: id, at: now)
    }

    /// Takes the quote that an order would meet away from the broker while trading is halted.
    private mutating func showMarket(of order: ManagedOrder) {
        let id = order.instrument
        guard dependencies.snapshot(id).isHalted else { return }
        let nothing = Quote(instrument: id, at: now, bid: nil, ask: nil)
        broker.show(nothing, last: snapshots[Int(id.index)].last, of: id, at: now)
    }

    // MARK: Answers

    /// Learns from the broker how far an order has come.
    mutating func refresh(_ order: ManagedOrder) {
        guard let sent = order.sent,
            let progress = broker.progress(of: sent.ticket.id, in: order.instrument)
        else { return }
        order.taken = progress.taken
        order.isWaitingForParent = progress.isWaitingForParent
        order.monitor.isReleased = progress.isTriggered
        order.monitor.trailStop = progress.trailStop ?? order.monitor.trailStop
    }

    /// Handles what the broker reports.
    mutating func handle(_ report: OrderReport) {
        guard let order = orders[report.order.number], order.sent != nil else { return }
        refresh(order)
        switch report.fact {
        case .acknowledged, .modified, .modificationRefused, .commission,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            break
        case .executed(let execution):
            let hasLimit = order.sent?.ticket.request.type.limitPrice != nil
            record(
                execution.quantity, at: execution.price, of: order,
                isResting: hasLimit && execution.time > order.workingSince)
        case .rejected(let cause):
            order.sent = nil
            reject(order, .rejected(cause.text))
        case .cancelled(let cause):
            end(order, .cancelled, because: cause == .expired ? .expiry : .linked)
        }
    }

    // MARK: What the broker should have

    /// An order as the broker should have it now.
    func brokerOrder(of order: ManagedOrder) -> SentOrder {
        var terms = BrokerTerms()
        terms.groupRule = order.group?.rule ?? .reduceWithBlock
        terms.trigger = order.plan.trigger
        terms.minimumFill = order.plan.minimum
        terms.end = order.expires ?? .distantFuture
        terms.allowance = allowance(of: order)
        var time = timeInForce(of: order)
        switch order.plan.persistence {
        case .resting, .auction: break
        case .immediateOrCancel: time = .immediateOrCancel
        case .fillOrKill:
            time = .immediateOrCancel
            terms.minimumFill = order.quantity
        case .allOrNone: terms.minimumFill = order.quantity
        }
        let type = type(of: order, &terms)
        return SentOrder(
            ticket: OrderTicket(
                id: OrderID(number: order.number),
                request: OrderRequest(
                    strategy: StrategyID(index: 0), instrument: order.instrument,
                    side: order.side, quantity: order.quantity, type: type, timeInForce: time,
                    purpose: .entry, parent: order.parent.map { OrderID(number: $0.number) },
                    group: order.group.map { OrderGroupID(number: $0.number) },
                    outsideRTH: order.plan.outside)), terms: terms)
    }

    private func timeInForce(of order: ManagedOrder) -> TimeInForce {
        guard order.plan.persistence != .auction else { return .day }
        let terms = order.request.order
        switch terms.tif {
        case .goodTillDate: return .goodTillDate(terms.goodTillDate.orderTimestamp ?? now)
        case .goodTillCancelled, .goodTillCrossing: return .goodTillCancelled
        case .none, .day, .immediateOrCancel, .atTheOpening, .fillOrKill, .dayTillCancelled,
            .auction, .unknown:
            return .day
        }
    }

    /// How an order finds its price at the broker. One whose price is not known is held back; its limit says
    /// nothing then.
    private func type(of order: ManagedOrder, _ terms: inout BrokerTerms) -> OrderType {
        switch order.plan.style {
        case .native(let type): return type
        case .stop(let stop, let limit):
            return limit.map { .stopLimit(stop: stop, limit: $0) } ?? .stop(stop)
        case .touch(let price, let limit):
            terms.isTouch = true
            return limit.map { .stopLimit(stop: price, limit: $0) } ?? .stop(price)
        case .trail(let offset, let limitOffset):
            terms.limitOffset = limitOffset
            terms.trailStart = order.request.order.trailStopPrice?.price.flatMap {
                $0 == .zero ? nil : $0
            }
            return .trailingStop(offset)
        case .marketToLimit:
            terms.becomesLimit = true
            return .market
        case .peg, .snap:
            guard let price = followedPrice(of: order) else {
                terms.allowance = .zero
                return .limit(order.listing.instrument.tickSize.smallest)
            }
            return .limit(price)
        }
    }

    /// How much of an order may have filled by now.
    private func allowance(of order: ManagedOrder) -> Quantity {
        guard !order.isLocating, order.monitor.isReady else { return .zero }
        guard let slicing = order.plan.slicing else { return .magnitudeMax }
        return max(scheduled(order, slicing) - order.taken, .zero)
    }

    // MARK: Prices that follow quotes

    /// Takes the price at which an order snaps, once it begins to work.
    private func snap(_ order: ManagedOrder) {
        guard case .snap(let anchor, let offset) = order.plan.style,
            order.monitor.snapPrice == nil, order.monitor.isReady, !order.isWaitingForParent
        else { return }
        order.monitor.snapPrice = anchored(order, anchor, offset)
    }

    private func followedPrice(of order: ManagedOrder) -> Price? {
        guard case .peg(let anchor, let offset, let cap) = order.plan.style else {
            return order.monitor.snapPrice
        }
        guard let price = anchored(order, anchor, offset) else { return nil }
        guard let cap else { return price }
        return order.side == .buy ? min(price, cap) : max(price, cap)
    }

    /// A price that follows the quote: better for the market by `offset`, on the tick.
    private func anchored(
        _ order: ManagedOrder, _ anchor: OrderPlan.Anchor, _ offset: Price
    ) -> Price? {
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
        let price =
            order.side == .buy
            ? ticks.roundedDown(base + offset) : ticks.roundedUp(base - offset)
        return min(max(price, -OrderManagerSettings.priceMax), OrderManagerSettings.priceMax)
    }

    // MARK: Slices

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
        case .byBroker, .unknownContract,
            .numberInUse, .readOnly, .notPermitted, .funds, .size, .price, .shortSale,
            .dayTrading, .hours, .algorithm:
            "Rejected"
        }
    }
}
