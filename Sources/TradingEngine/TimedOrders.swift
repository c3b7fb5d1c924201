import MarketState
import Model
import Orders
import Primitives

/// Entries whose working time is limited, and what takes their place.
///
/// Limits hold for entries that should have traded at once, never for protection, trailing stops or what is
/// queued for an auction. A machine without an engine: it is given what becomes of orders and answers with
/// what is to be done.
struct TimedOrders: Sendable {
    /// How long entries may work, and what happens then; `nil`: as long as their terms say.
    private let limit: WorkingTimeLimit?
    private let calendar: SessionCalendar
    /// Those that work, oldest first.
    private var entries: [Entry] = []
    /// Those that have ended and whose rest is sent anew once it is proven what they have filled; oldest first.
    private var unproven: [Unproven] = []
    /// When the engine is to be woken; `nil`: it is not.
    private(set) var wakeUp: Timestamp?

    /// An entry that works.
    private struct Entry: Sendable {
        /// Its number.
        let id: OrderID
        /// When its time is over; `nil` when that has been acted on, or it has no limit.
        var deadline: Timestamp?
        /// True if its rest is to be sent anew when it has ended.
        var isRenewed = false
        /// The orders whose rest it is, oldest first.
        let predecessors: [OrderID]
    }

    /// An entry that has ended at a broker's, which may still report executions of it.
    struct Unproven: Hashable, Sendable {
        /// Its number.
        let id: OrderID
        /// Whose.
        let strategy: StrategyID
        /// In what.
        let instrument: InstrumentID
        /// When it ended: only a list of executions that begins later proves anything.
        let finished: Timestamp
        /// The orders whose rest is sent anew, oldest first; it is the last.
        let predecessors: [OrderID]
    }

    /// None yet.
    init(_ limit: WorkingTimeLimit?, in calendar: SessionCalendar) {
        self.limit = limit
        self.calendar = calendar
    }

    /// True if none is limited.
    var isEmpty: Bool { entries.isEmpty }

    /// True if the rest of any entry waits for proof of what that has filled.
    var isAnyUnproven: Bool { !unproven.isEmpty }

    /// True if that of one of a strategy's entries in an instrument does.
    func isUnproven(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        unproven.contains { $0.strategy == strategy && $0.instrument == instrument }
    }

    /// The entries that are limited, and those whose remainder they are.
    var orders: [OrderID] {
        entries.flatMap { [$0.id] + $0.predecessors }
            + unproven.flatMap { [$0.id] + $0.predecessors }
    }

    /// True if entries may be limited.
    var isOn: Bool { limit != nil }

    // MARK: Inputs

    /// Limits the working time of an entry that was sent, if it is a limit at or through the market. One that
    /// is the rest of others is taken in anyway.
    ///
    /// - Returns: whether it was taken in.
    mutating func submitted(
        _ entry: SubmittedEntry, after predecessors: [OrderID], at now: Timestamp
    ) -> Bool {
        guard let limit else { return false }
        let isLimited = entry.isMarketable
        guard isLimited || !predecessors.isEmpty else { return false }
        let start = workStart(of: entry.request, at: now)
        entries.append(
            Entry(
                id: entry.id, deadline: isLimited ? start + limit.length : nil,
                predecessors: predecessors))
        return true
    }

    /// Somebody else ends an order: it is not sent anew.
    mutating func forget(_ id: OrderID) { _ = remove(id) }

    /// The same for all orders: what ends now is not sent anew, even if entries are allowed again before it
    /// has ended.
    mutating func forgetAll() {
        entries.removeAll()
        unproven.removeAll()
    }

    /// The rest of entries that have ended is wanted no more.
    mutating func forgetUnproven(where isMeant: (StrategyID, InstrumentID) -> Bool) {
        unproven.removeAll { isMeant($0.strategy, $0.instrument) }
    }

    /// Takes in that an entry has ended whose rest is sent anew once it is proven what it has filled.
    mutating func awaitProof(of entry: Unproven) { unproven.append(entry) }

    /// Takes out the entries of which a list of executions proves what they have filled.
    ///
    /// - Parameter began: when the list was begun.
    mutating func takeProven(by began: Timestamp) -> [Unproven] {
        let proven = unproven.filter { $0.finished <= began }
        unproven.removeAll { $0.finished <= began }
        return proven
    }

    /// The time of orders may be over. The wake-up for them is, and so is their limit.
    ///
    /// - Returns: the orders to be cancelled, oldest first.
    mutating func endOverdue(at now: Timestamp) -> [OrderID] {
        guard let limit else { return [] }
        wakeUp = nil
        var overdue: [OrderID] = []
        entries = entries.compactMap { entry in
            guard let deadline = entry.deadline, deadline <= now else { return entry }
            overdue.append(entry.id)
            guard limit.renews(after: entry.predecessors.count) else { return nil }
            var entry = entry
            entry.deadline = nil
            entry.isRenewed = true
            return entry
        }
        return overdue
    }

    /// An order has ended, or traded behind its end.
    ///
    /// - Parameter isRequested: true if a broker's words for its end are the answer to our cancel.
    mutating func ended(
        _ id: OrderID, by fact: OrderFact, isRequested: Bool = false
    ) -> TimeLimitAction {
        if case .executed = fact {
            _ = remove(id)
            // What an order that had ended filled after all is not to be filled again.
            guard let entry = entries.first(where: { $0.predecessors.contains(id) }) else {
                return .none
            }
            forget(entry.id)
            return .cancel(entry.id)
        }
        guard let entry = remove(id), entry.isRenewed,
            // Only our own cancel proves that nobody else wanted its end.
            fact == .cancelled(.requested) || isRequested
        else { return .none }
        return .renew(after: entry.predecessors + [id])
    }

    /// What is to be sent in the place of an order that has ended, on the terms that the limit asks for.
    func renewal(of request: OrderRequest, _ facts: RenewalFacts) -> Renewal {
        let remaining = request.quantity - facts.filled
        guard let limit, !facts.isMaintenance, remaining > .zero else { return .none }
        switch limit.action {
        case .cancel: return .none
        case .escalate:
            return .place(
                OrderRequest(
                    strategy: request.strategy, instrument: request.instrument,
                    side: request.side, quantity: remaining, type: .market, timeInForce: .day,
                    purpose: .entry, reason: request.reason))
        case .reprice:
            guard let price = facts.price?.towardsMarket(on: facts.ticks, for: request.side) else {
                return .refuse(.cannotEvaluate)
            }
            return .place(
                OrderRequest(
                    strategy: request.strategy, instrument: request.instrument,
                    side: request.side, quantity: remaining, type: .limit(price),
                    timeInForce: request.timeInForce, purpose: .entry, reason: request.reason,
                    outsideRTH: request.outsideRTH))
        }
    }

    /// When the engine must be woken, if that has to be said anew.
    mutating func newWakeUp() -> Timestamp? {
        guard let next = entries.compactMap(\.deadline).min(), next != wakeUp else { return nil }
        wakeUp = next
        return next
    }

    /// When an order begins to work that is sent now: with the next session, if it waits for one.
    private func workStart(of request: OrderRequest, at now: Timestamp) -> Timestamp {
        guard !request.outsideRTH else { return now }
        let day = calendar.day(of: now)
        if let session = calendar.session(on: day), now < session.close {
            return max(now, session.open)
        }
        return calendar.nextSession(after: day).open
    }

    private mutating func remove(_ id: OrderID) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: index)
    }

    /// Takes the orders into a digest.
    func hash(into hasher: inout StateHasher) {
        for entry in entries {
            hasher.combine(entry.id.number)
            hasher.combine(entry.deadline ?? .distantFuture)
            hasher.combine(entry.isRenewed)
            for id in entry.predecessors { hasher.combine(id.number) }
        }
        for entry in unproven {
            hasher.combine(entry.id.number)
            hasher.combine(entry.finished)
        }
        if let wakeUp { hasher.combine(wakeUp) }
    }
}

/// An entry that was sent.
struct SubmittedEntry {
    /// Its number.
    let id: OrderID
    /// What it asks for.
    let request: OrderRequest
    /// What trading at once costs or brings, if that is known.
    var marketPrice: Price?

    /// True if it is a limit that should trade at once.
    var isMarketable: Bool {
        guard case .limit(let limit) = request.type, request.timeInForce != .immediateOrCancel,
            let marketPrice
        else { return false }
        switch request.side {
        case .buy: return limit >= marketPrice
        case .sell: return limit <= marketPrice
        }
    }
}

/// What is to be done when an order has ended, or traded behind its end.
enum TimeLimitAction: Equatable {
    /// Nothing.
    case none
    /// Ask for the end of the order that was to fill the same again.
    case cancel(OrderID)
    /// Send the rest of it anew, as the rest of these orders.
    case renew(after: [OrderID])
}

/// What takes the place of an order whose time is over.
enum Renewal: Equatable {
    /// Nothing.
    case none
    /// An order, if the gate allows it.
    case place(OrderRequest)
    /// Nothing, because of a rule that is worth saying.
    case refuse(Refusal)
}

/// What is known when an order is to be sent anew.
struct RenewalFacts {
    /// What the order has filled.
    var filled: Quantity
    /// True in a maintenance of the broker's.
    var isMaintenance = false
    /// What trading at once costs or brings, if that is known.
    var price: Price?
    /// The steps of the instrument's prices.
    var ticks: TickSize
}

extension WorkingTimeLimit {
    /// True if the rest of an order is sent anew when its time is over.
    ///
    /// - Parameter count: how many orders were ended before it for the same entry.
    fileprivate func renews(after count: Int) -> Bool {
        switch action {
        case .cancel: false
        case .reprice(let timesMax): count < timesMax
        case .escalate: true
        }
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

// MARK: - Records

extension TimedOrders {
    /// What an item is.
    private enum Item: Int64 {
        case wakeUp
        case entry
        case unproven
    }

    /// Writes the entries that are limited.
    func write(to writer: inout RecordWriter) {
        for entry in entries {
            writer.item(.timedOrder) { item in
                item.write(Item.entry.rawValue)
                item.write(entry.id)
                item.write(optional: entry.deadline) { $0.write($1) }
                item.write(entry.isRenewed)
                item.write(list: entry.predecessors) { $0.write($1) }
            }
        }
        for entry in unproven {
            writer.item(.timedOrder) { item in
                item.write(Item.unproven.rawValue)
                item.write(entry.id)
                item.write(entry.strategy)
                item.write(entry.instrument)
                item.write(entry.finished)
                item.write(list: entry.predecessors) { $0.write($1) }
            }
        }
        // It may be for an entry that works no more.
        guard let wakeUp else { return }
        writer.item(.timedOrder) { item in
            item.write(Item.wakeUp.rawValue)
            item.write(wakeUp)
        }
    }

    /// Reads an entry back, or when the engine is to be woken.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        switch Item(rawValue: try reader.word()) {
        case .wakeUp: wakeUp = try reader.time()
        case .entry:
            let id = try reader.order()
            let deadline = try reader.optional { (reader) throws(RecordError) in
                try reader.time()
            }
            let isRenewed = try reader.flag()
            entries.append(
                Entry(
                    id: id, deadline: deadline, isRenewed: isRenewed,
                    predecessors: try Self.orders(&reader)))
        case .unproven:
            let id = try reader.order()
            let (strategy, instrument) = (try reader.strategy(), try reader.instrument())
            let finished = try reader.time()
            unproven.append(
                Unproven(
                    id: id, strategy: strategy, instrument: instrument, finished: finished,
                    predecessors: try Self.orders(&reader)))
        case nil: throw reader.damage
        }
    }

    private static func orders(_ reader: inout RecordReader) throws(RecordError) -> [OrderID] {
        try reader.list { (reader) throws(RecordError) in try reader.order() }
    }
}
