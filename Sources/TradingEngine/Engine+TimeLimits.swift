import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Entries whose working time is limited, and what takes their place.
struct TimedOrders: Sendable {
    /// Those that work, oldest first.
    private(set) var entries: [Entry] = []
    /// When the engine is to be woken; `nil`: it is not.
    private var wakeUp: Timestamp?

    /// An entry that works.
    struct Entry: Sendable {
        /// Its number.
        let id: OrderID
        /// When its time is over; `nil` when that has been acted on, or it has no limit.
        var deadline: Timestamp?
        /// Whether its rest is to be sent anew when it has ended.
        var isRenewed = false
        /// The orders whose rest it is, oldest first.
        let predecessors: [OrderID]
    }

    /// Whether none is limited.
    var isEmpty: Bool { entries.isEmpty }

    /// Takes in an order.
    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Takes out an order, if it is there.
    @discardableResult
    mutating func remove(_ id: OrderID) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: index)
    }

    /// Takes out all orders.
    mutating func removeAll() { entries.removeAll() }

    /// The orders whose time is over, oldest first. The wake-up for them is over, and so is their limit.
    mutating func takeDue(at now: Timestamp) -> [Entry] {
        wakeUp = nil
        var due: [Entry] = []
        for index in entries.indices {
            guard let deadline = entries[index].deadline, deadline <= now else { continue }
            due.append(entries[index])
            entries[index].deadline = nil
        }
        return due
    }

    /// Says that an order's rest is to be sent anew.
    mutating func renew(_ id: OrderID) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[index].isRenewed = true
    }

    /// When the engine must be woken, if that has to be said anew.
    mutating func newWakeUp() -> Timestamp? {
        guard let next = entries.compactMap(\.deadline).min(), next != wakeUp else { return nil }
        wakeUp = next
        return next
    }

    /// Takes the orders into a digest.
    func hash(into hasher: inout StateHasher) {
        for entry in entries {
            hasher.combine(entry.id.number)
            hasher.combine(entry.deadline ?? .distantFuture)
            hasher.combine(entry.isRenewed)
            for id in entry.predecessors { hasher.combine(id.number) }
        }
        if let wakeUp { hasher.combine(wakeUp) }
    }
}

/// Working-time limits. They hold for entries that should have traded at once, never for protection,
/// trailing stops or what is queued for an auction.
extension Engine {
    /// Limits the working time of the entry just sent, if it is a limit at or through the market.
    mutating func limitTime(
        of request: OrderRequest, after predecessors: [OrderID] = [], _ output: inout EngineOutput
    ) {
        guard let limit = held.rules.timeLimit, let id = orders.newestID else {
            return
        }
        let isLimited = isMarketable(request)
        guard isLimited || !predecessors.isEmpty else { return }
        let start = held.workStart(of: request, at: now)
        timed.add(
            TimedOrders.Entry(
                id: id, deadline: isLimited ? start + limit.length : nil,
                predecessors: predecessors))
        wakeForTimeLimits(&output)
    }

    /// Cancels the entries whose time is over.
    mutating func endOverdueOrders(into output: inout EngineOutput) {
        guard let limit = held.rules.timeLimit else { return }
        for entry in timed.takeDue(at: now) {
            let isRenewed =
                switch limit.action {
                case .cancel: false
                case .reprice(let timesMax): entry.predecessors.count < timesMax
                case .escalate: true
                }
            if isRenewed { timed.renew(entry.id) } else { timed.remove(entry.id) }
            cancelOrder(entry.id, &output)
        }
        wakeForTimeLimits(&output)
    }

    /// An order with a limited time has ended, or traded behind its end: sends its rest anew if that is
    /// due.
    mutating func limitedOrderEnded(
        _ report: OrderReport, _ output: inout EngineOutput
    ) {
        if case .executed = report.fact { stopReplacing(report.order, &output) }
        guard let entry = timed.remove(report.order), entry.isRenewed,
            // Only our own cancel proves that nobody else wanted its end.
            report.fact == .cancelled(.requested), held.maintenanceEnd(at: now) == nil,
            let request = orders.request(of: report.order)
        else { return }
        let rest = request.quantity - orders.filled(report.order)
        guard rest > .zero else { return }
        guard let renewed = renewal(of: request, rest) else {
            return refuse(
                .cannotEvaluate, about: Decision.Subject(report.order, request), as: .enter,
                because: request.reason, &output)
        }
        guard submit(renewed, for: nil, &output) else { return }
        limitTime(of: renewed, after: entry.predecessors + [report.order], &output)
    }

    /// What an order that had ended filled after all is not to be filled again.
    private mutating func stopReplacing(_ id: OrderID, _ output: inout EngineOutput) {
        guard let entry = timed.entries.first(where: { $0.predecessors.contains(id) }) else {
            return
        }
        timed.remove(entry.id)
        cancelOrder(entry.id, &output)
    }

    /// The rest of an entry on the terms that its time limit asks for; `nil` without a price.
    private mutating func renewal(of request: OrderRequest, _ rest: Quantity) -> OrderRequest? {
        guard let limit = held.rules.timeLimit else { return nil }
        switch limit.action {
        case .cancel: return nil
        case .escalate:
            return OrderRequest(
                strategy: request.strategy, instrument: request.instrument, side: request.side,
                quantity: rest, type: .market, timeInForce: .day, purpose: .entry,
                reason: request.reason)
        case .reprice:
            let ticks = context.market.instruments[Int(request.instrument.index)].tickSize
            guard
                let price = marketPrice(for: request.side, of: request.instrument)?
                    .towardsMarket(on: ticks, for: request.side)
            else { return nil }
            return OrderRequest(
                strategy: request.strategy, instrument: request.instrument, side: request.side,
                quantity: rest, type: .limit(price), timeInForce: request.timeInForce,
                purpose: .entry, reason: request.reason,
                outsideRTH: request.outsideRTH)
        }
    }

    /// Whether an order is a limit that should trade at once.
    private mutating func isMarketable(_ request: OrderRequest) -> Bool {
        guard case .limit(let limit) = request.type, request.timeInForce != .immediateOrCancel,
            let price = marketPrice(for: request.side, of: request.instrument)
        else { return false }
        switch request.side {
        case .buy: return limit >= price
        case .sell: return limit <= price
        }
    }

    /// What trading at once costs or brings: the opposite quote, else the newest price that was paid.
    private mutating func marketPrice(for side: Side, of instrument: InstrumentID) -> Price? {
        let quote = context.market.latestQuote(of: instrument)
        let opposite =
            switch side {
            case .buy: quote?.ask
            case .sell: quote?.bid
            }
        return opposite ?? context.market.latestPrice(of: instrument)
    }

    private mutating func wakeForTimeLimits(_ output: inout EngineOutput) {
        guard let time = timed.newWakeUp() else { return }
        output.commands.append(.setTimer(TimerID(engine: EngineTimer.timeLimit.rawValue), at: time))
    }
}

extension Price {
    /// This price on a tick, into the market.
    fileprivate func towardsMarket(on ticks: TickSize, for side: Side) -> Price {
        switch side {
        case .buy: ticks.roundedUp(self)
        case .sell: ticks.roundedDown(self)
        }
    }
}
