package import Model
package import Primitives
package import Risk

/// A change of an order that was asked for, and what was reported about it.
struct OrderChange: Sendable {
    /// Which order.
    let order: OrderID
    /// How many of its changes there were up to this one.
    let revision: Int32
    /// When it was asked for.
    let asked: Timestamp
    /// The terms asked for.
    var request: OrderRequest
    /// How the one before it is found; zero for the first.
    var previous: Int32
    /// Whether the venue has made it.
    var isMade = false
    /// Whether the venue has refused it.
    var isRefused = false

    /// Whether the venue has still to answer.
    var isUnderWay: Bool { !isMade && !isRefused }

    /// Takes the change into a digest.
    func combine(into hasher: inout StateHasher) {
        hasher.combine(order.number)
        request.combine(into: &hasher)
        hasher.combine(isMade)
        hasher.combine(isRefused)
    }
}

/// Other terms for orders that work: one change under way for an order at a time.
///
/// While it is under way either quantity may fill, so the larger one counts. The venue's answers are facts:
/// in any order, and however often they come, the newest change that was made holds.
extension OrderLedger {
    /// Asks for an order to work under other terms; nothing while another change or a cancellation is under
    /// way, and for orders that have ended.
    ///
    /// - Parameter approved: the order's request with another price or quantity.
    package mutating func modify(
        _ id: OrderID, to approved: Approved, at time: Timestamp
    ) -> Command? {
        guard let index = index(of: id), isSettled(id),
            approved.request.isChange(of: records[index].ticket.request)
        else { return nil }
        let revision = add(approved.request, to: index, at: time)
        return .modify(OrderTicket(id: id, request: approved.request), revision: revision)
    }

    /// The command that places an order once more, under another number: what only a planted defect does.
    package mutating func repeated(_ id: OrderID) -> [Command] {
        guard let index = index(of: id) else { return [] }
        identity.renumber(id)
        return [.submit(records[index].ticket)]
    }

    /// Takes in a change that was asked for before the run began, as the journal has it.
    package mutating func restoreChange(_ ticket: OrderTicket, asked time: Timestamp) {
        guard let index = index(of: ticket.id) else { return }
        _ = add(ticket.request, to: index, at: time)
    }

    /// Adds a change to those of an order. Returns its number.
    private mutating func add(
        _ request: OrderRequest, to index: Int, at time: Timestamp
    ) -> Int32 {
        let previous = records[index].newestChange
        let revision = previous == 0 ? 1 : changes[Int(previous) - 1].revision + 1
        changes.append(
            OrderChange(
                order: records[index].ticket.id, revision: revision, asked: time,
                request: request, previous: previous))
        records[index].newestChange = Int32(changes.count)
        recount(index, at: time)
        return revision
    }

    /// Whether an order may still fill and nothing that we asked for is under way to it.
    package func isSettled(_ id: OrderID) -> Bool {
        guard let index = index(of: id), records[index].isListed, !records[index].cancelRequested
        else { return false }
        return newestChange(of: index)?.isUnderWay != true
    }

    /// Whether the terms of an order are what they were some time before `time`: no change under way, none
    /// asked for shortly before. Of those that were split only protection counts: at an old price it must not trigger.
    func isSteady(_ id: OrderID, at time: Timestamp) -> Bool {
        guard let index = index(of: id),
            !records[index].isSplit || records[index].ticket.request.purpose == .protection
        else { return false }
        guard let change = newestChange(of: index) else { return true }
        return !change.isUnderWay && change.asked + .seconds(10) < time
    }

    /// When the change of an order was asked for that is under way; `nil` without one.
    package func changeAsked(of id: OrderID) -> Timestamp? {
        guard let index = index(of: id), records[index].isListed,
            let change = newestChange(of: index),
            change.isUnderWay
        else { return nil }
        return change.asked
    }

    /// After how long without an answer a change is looked for in the broker's list of open orders.
    package static let changeTime = Duration.seconds(10)

    /// A change of an order that has had no answer for so long that a list which began at `time` shows what became of it.
    func overdueChange(of id: OrderID, at time: Timestamp) -> (
        revision: Int32, request: OrderRequest
    )? {
        guard let asked = changeAsked(of: id), asked + Self.changeTime <= time,
            let change = index(of: id).flatMap({ newestChange(of: $0) })
        else { return nil }
        return (change.revision, change.request)
    }

    /// The quantity that the broker counts of terms of an order: its own without what others of its group have filled.
    package func brokerQuantity(of id: OrderID, _ request: OrderRequest) -> Quantity {
        guard request.group != nil else { return request.quantity }
        return request.quantity - max(groupFilled(request.group) - filled(id), .zero)
    }

    /// Every change that was asked for, whatever became of it: of which order and when, oldest first.
    package var revisions: [(order: OrderID, at: Timestamp)] {
        changes.map { ($0.order, $0.asked) }
    }

    /// The terms of an order's newest change, if the venue has refused it.
    package func refusedChange(of id: OrderID) -> OrderRequest? {
        guard let index = index(of: id), let change = newestChange(of: index), change.isRefused,
            !change.isMade
        else { return nil }
        return change.request
    }

    /// Takes in what was reported about an order that is in a group or was changed.
    mutating func recordLinked(
        _ fact: OrderFact, of index: Int, at time: Timestamp
    ) -> Change {
        let request = records[index].ticket.request
        let change = records[index].note(fact)
        var isRight = false
        if case .answered(let revision, let isMade) = change { answer(revision, isMade, of: index) }
        if case .executed(let execution) = fact, case .executed(let how) = change {
            fillGroup(execution, how, of: index, at: time)
            isRight =
                execution.instrument == request.instrument && execution.side == request.side
        }
        let wasListed = records[index].isListed
        let state = recount(index, at: time)
        return Change(
            owner: Owner(strategy: request.strategy, instrument: request.instrument),
            change: change, state: state, isAsOrdered: isRight && state != .overfilled,
            isEnd: wasListed && !state.isLive)
    }

    /// Counts anew what an order may still fill. Returns where it stands.
    @discardableResult
    mutating func recount(_ index: Int, at time: Timestamp) -> OrderState {
        let most = quantityMax(index)
        let request = records[index].ticket.request
        let filled = request.group.map { groupFilled($0) }
        let (state, opened, isRelisted) = records[index].count(
            of: most, filled: filled, at: time)
        if opened != .zero { working.add(opened, for: request) }
        if isRelisted { list(records[index].ticket.id, asLive: state.isLive) }
        if records[index].mayBeUnknown { countUnknown(index, state) }
        return state
    }

    /// The most that an order may fill by its terms and those under way.
    private func quantityMax(_ index: Int) -> Quantity {
        let quantity = records[index].ticket.request.quantity
        guard let change = newestChange(of: index), change.isUnderWay else { return quantity }
        return max(quantity, change.request.quantity)
    }

    /// The terms of an order's change that the venue has still to answer, if there is one.
    package func pendingTerms(of id: OrderID) -> OrderRequest? {
        index(of: id).flatMap { pendingChange(of: $0) }
    }

    /// The terms of a change that the venue has still to answer, if there is one.
    func pendingChange(of index: Int) -> OrderRequest? {
        guard let change = newestChange(of: index), change.isUnderWay else { return nil }
        return change.request
    }

    /// Asks for other terms by the change that the venue has still to answer.
    mutating func replacePendingChange(of index: Int, by request: OrderRequest) {
        changes[Int(records[index].newestChange) - 1].request = request
    }

    private func newestChange(of index: Int) -> OrderChange? {
        let slot = Int(records[index].newestChange)
        return slot == 0 ? nil : changes[slot - 1]
    }

    /// Notes the answer to a change. One that was never asked for says nothing.
    private mutating func answer(_ revision: Int32, _ isMade: Bool, of index: Int) {
        var slot = Int(records[index].newestChange)
        var isNewestMade = true
        while slot != 0 {
            if changes[slot - 1].revision == revision {
                guard isMade else { return changes[slot - 1].isRefused = true }
                // Said once more: others may have changed the terms since.
                guard !changes[slot - 1].isMade else { return }
                changes[slot - 1].isMade = true
                if isNewestMade { records[index].ticket = ticket(of: changes[slot - 1]) }
                return
            }
            if changes[slot - 1].isMade { isNewestMade = false }
            slot = Int(changes[slot - 1].previous)
        }
    }

    /// Takes an order to work under the terms that others have given it at the broker. Nothing for one that has ended, or
    /// of which a change of ours is under way.
    ///
    /// - Returns: false where nothing was taken.
    package mutating func adopt(
        _ terms: Reconciliation.OtherTerms, at time: Timestamp
    ) -> Bool {
        guard let index = index(of: terms.order), records[index].isListed,
            newestChange(of: index)?.isUnderWay != true
        else { return false }
        var request = records[index].ticket.request
        if let type = terms.type { request = request.with(type: type, because: request.reason) }
        // What has filled was ordered.
        if let quantity = terms.quantity {
            request = request.with(quantity: max(quantity, records[index].facts.filled))
        }
        guard request != records[index].ticket.request else { return false }
        records[index].ticket = OrderTicket(id: terms.order, request: request)
        recount(index, at: time)
        return true
    }

    private func ticket(of change: OrderChange) -> OrderTicket {
        OrderTicket(id: change.order, request: change.request)
    }

    // MARK: Groups

    /// A group that no order is in yet.
    package mutating func makeGroup() -> OrderGroupID {
        groups.make()
    }

    /// What all orders of a group have filled; nothing without one.
    package func groupFilled(_ group: OrderGroupID?) -> Quantity {
        guard let group else { return .zero }
        return groups[group]
    }

    /// Whether an order of a group may still fill, as far as we know.
    package func isAnyLive(in group: OrderGroupID) -> Bool {
        live.contains { isIn(group, $0) }
    }

    private func isIn(_ group: OrderGroupID, _ id: OrderID) -> Bool {
        index(of: id).map { records[$0].ticket.request.group == group } ?? false
    }

    /// Takes an execution from what the other orders of its group may fill.
    private mutating func fillGroup(
        _ execution: Execution, _ how: ExecutionChange, of index: Int, at time: Timestamp
    ) {
        guard let group = records[index].ticket.request.group else { return }
        let before: Quantity
        switch how {
        case .unchanged: return
        case .added: before = .zero
        case .replaced(let old): before = old.quantity
        }
        // Wider: whatever is reported must not trap.
        let filled =
            Int128(groups[group].units) + Int128(execution.quantity.units) - Int128(before.units)
        groups.set(Quantity(units: Int64(clamping: filled)), of: group)
        for id in live where isIn(group, id) {
            if let other = self.index(of: id), other != index { recount(other, at: time) }
        }
    }
}

extension OrderRequest {
    /// Takes all terms into a digest.
    package func combine(into hasher: inout StateHasher) {
        hasher.combine(strategy.index)
        hasher.combine(instrument.index)
        hasher.combine(side == .buy)
        hasher.combine(quantity)
        type.combine(into: &hasher)
        hasher.combine(purposeNumber)
        timeInForce.combine(into: &hasher)
        hasher.combine(outsideRTH)
        hasher.combine(reason.index)
        hasher.combine(parent?.number ?? 0)
        hasher.combine(group?.number ?? 0)
    }

    private var purposeNumber: Int {
        switch purpose {
        case .entry: 0
        case .exit: 1
        case .protection: 2
        }
    }
}

extension TimeInForce {
    /// Takes kind and end into a digest.
    package func combine(into hasher: inout StateHasher) {
        switch self {
        case .day: hasher.combine(0)
        case .goodTillCancelled: hasher.combine(1)
        case .goodTillDate(let end):
            hasher.combine(2)
            hasher.combine(end)
        case .immediateOrCancel: hasher.combine(3)
        }
    }
}

extension OrderType {
    /// Takes type and prices into a digest.
    package func combine(into hasher: inout StateHasher) {
        switch self {
        case .market: hasher.combine(0)
        case .limit(let price): hasher.combine(1, price)
        case .stop(let price): hasher.combine(2, price)
        case .stopLimit(let stop, let limit):
            hasher.combine(3, stop)
            hasher.combine(limit)
        case .trailingStop(.amount(let amount)): hasher.combine(4, amount)
        case .trailingStop(.percent(let percent)):
            hasher.combine(5)
            hasher.combine(percent.units)
        case .marketOnOpen: hasher.combine(6)
        case .limitOnOpen(let price): hasher.combine(7, price)
        case .marketOnClose: hasher.combine(8)
        case .limitOnClose(let price): hasher.combine(9, price)
        }
    }
}

extension StateHasher {
    /// Takes in the number of a kind and a price that belongs to it.
    fileprivate mutating func combine(_ kind: Int, _ price: Price) {
        combine(kind)
        combine(price)
    }
}

/// A change as a record: the topic `change`. How it is found from the newest follows from the order of records.
extension OrderChange: RecordValue {
    /// Writes all but its place.
    package func write(to writer: inout RecordWriter) {
        writer.write(order)
        writer.write(revision)
        writer.write(asked)
        writer.write(request)
        writer.write(isMade)
        writer.write(isRefused)
    }

    /// The change as written, as if it was the first.
    package init(from reader: inout RecordReader) throws(RecordError) {
        order = try reader.order()
        revision = try reader.int32()
        asked = try reader.time()
        request = try reader.value(OrderRequest.self)
        previous = 0
        isMade = try reader.flag()
        isRefused = try reader.flag()
    }
}

extension OrderLedger {
    /// Takes in a change, which is newer than those before it.
    mutating func readChange(_ reader: inout RecordReader) throws(RecordError) {
        var change = try reader.value(OrderChange.self)
        guard let index = index(of: change.order),
            change.request.isChange(of: records[index].ticket.request),
            change.revision == (newestChange(of: index)?.revision ?? 0) + 1
        else { throw reader.damage }
        change.previous = records[index].newestChange
        changes.append(change)
        records[index].newestChange = Int32(changes.count)
    }
}
