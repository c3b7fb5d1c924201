package import Model
package import Primitives

/// Orders that ended long ago are dropped: what is left of them are the positions.
extension OrderLedger {
    /// What somebody still refers to.
    package struct References: Sendable {
        /// Orders.
        package var orders: [OrderID] = []
        /// Groups: what they have filled is kept.
        package var groups: [OrderGroupID] = []

        /// Nothing.
        package init() {}
    }

    /// What was dropped.
    package struct Dropped: Sendable {
        /// How many orders.
        package fileprivate(set) var count = 0
        /// Their executions, to be folded into the ledger: all of an owner in an instrument that are older than
        /// those of the orders that stay.
        package fileprivate(set) var histories: [History] = []
    }

    /// Executions of one owner in one instrument.
    package struct History: Equatable, Sendable {
        /// Whose, and in what.
        package let owner: Owner
        /// Newest versions, oldest first.
        package fileprivate(set) var executions: [Execution] = []
    }

    /// Drops orders that ended before a time, of which nothing is uncertain and which nothing refers to that stays.
    /// An order stays, too, as long as one with an older execution of its owner in its instrument does, and the
    /// newest stays, so that numbers rise.
    ///
    /// What is reported about a dropped order later changes nothing and is marked so; see `Change.isOfDropped`.
    ///
    /// - Parameter references: what is referred to from elsewhere.
    package mutating func dropEnded(
        before time: Timestamp, keeping references: References = References()
    ) -> Dropped {
        var isDropped = records.indices.map { mayBeDropped($0, before: time) }
        for id in references.orders { if let index = index(of: id) { isDropped[index] = false } }
        // What stays makes others stay, these others again. Mostly nothing does.
        if !areOldest(isDropped) { while keepNeeded(&isDropped) {} }
        return drop(isDropped, keeping: references)
    }

    /// The lowest number of an execution that a broker may list again: of the orders of ours that are kept, and of what
    /// others have traded since a time. `nil` where there is none.
    package func oldestExecution(since time: Timestamp) -> Int64? {
        var oldest: Int64?
        for index in records.indices {
            records[index].facts.forEachExecution { execution, _ in
                oldest = min(oldest ?? execution.id.base, execution.id.base)
            }
        }
        for order in foreign {
            order.facts.forEachExecution { execution, _ in
                guard execution.time >= time else { return }
                oldest = min(oldest ?? execution.id.base, execution.id.base)
            }
        }
        return oldest
    }

    /// Whether an order was dropped; no order of ours and none that is known not to be ours.
    func isDropped(_ id: OrderID) -> Bool {
        id.number >= 1 && id.number <= identity.newestDropped && index(of: id) == nil
            && !foreign.contains { $0.id == id }
    }

    /// Whether an order ended before a time and nothing of it is uncertain.
    private func mayBeDropped(_ index: Int, before time: Timestamp) -> Bool {
        guard index < records.count - 1, let endedAt = records[index].endedAt, endedAt < time else {
            return false
        }
        return !records[index].isInquired && !records[index].state.isLive
            && records[index].facts.isCharged(from: time)
    }

    /// True if the orders to be dropped are the oldest, in all that others could need of them: their numbers, their
    /// groups' numbers and the times of their executions.
    private func areOldest(_ isDropped: [Bool]) -> Bool {
        guard let end = isDropped.firstIndex(of: false), end > 0, !isDropped[end...].contains(true)
        else { return false }
        var (time, group) = (Timestamp.distantPast, OrderGroupID(number: 0))
        for index in 0..<end {
            group = max(group, records[index].ticket.request.group ?? group)
            records[index].facts.forEachExecution { execution, _ in time = max(time, execution.time)
            }
        }
        let last = records[end - 1].ticket.id
        for index in end..<records.count {
            let request = records[index].ticket.request
            if let parent = request.parent, parent <= last { return false }
            if let member = request.group, member <= group { return false }
            var first = Timestamp.distantFuture
            records[index].facts.forEachExecution { execution, _ in
                first = min(first, execution.time)
            }
            if first <= time { return false }
        }
        return true
    }

    /// Lets stay what orders that stay need. Returns whether that was any.
    private func keepNeeded(_ isDropped: inout [Bool]) -> Bool {
        var parents = Array(repeating: false, count: records.count)
        var groups = GroupFills.Marks(of: self.groups)
        // By owner and instrument.
        var oldest = Array(repeating: Moment.none, count: working.rowCount)
        for index in records.indices where !isDropped[index] {
            let request = records[index].ticket.request
            if let parent = request.parent.flatMap({ self.index(of: $0) }) {
                parents[parent] = true
            }
            if let group = request.group { self.groups.mark(group, in: &groups) }
            records[index].facts.forEachExecution { execution, _ in
                let row = working.row(request.strategy, execution.instrument)
                oldest[row] = min(oldest[row], Moment(execution))
            }
        }
        var isAny = false
        for index in records.indices where isDropped[index] {
            let request = records[index].ticket.request
            var isNeeded = parents[index]
            if let group = request.group, self.groups.isMarked(group, in: groups) {
                isNeeded = true
            }
            records[index].facts.forEachExecution { execution, _ in
                let row = working.row(request.strategy, execution.instrument)
                if Moment(execution) > oldest[row] { isNeeded = true }
            }
            guard isNeeded else { continue }
            isDropped[index] = false
            isAny = true
        }
        return isAny
    }

    private mutating func drop(_ isDropped: [Bool], keeping references: References) -> Dropped {
        var dropped = Dropped()
        dropped.count = isDropped.count { $0 }
        guard dropped.count > 0 else { return dropped }
        dropped.histories = histories(isDropped)
        var ids: [OrderID] = []
        for index in records.indices where isDropped[index] { ids.append(records[index].ticket.id) }
        var index = -1
        records.removeAll { _ in
            index += 1
            return isDropped[index]
        }
        identity.drop(ids)
        relinkChanges()
        guard !self.groups.isEmpty else { return dropped }
        var groups = GroupFills.Marks(of: self.groups)
        for group in references.groups { self.groups.mark(group, in: &groups) }
        for index in records.indices {
            if let group = records[index].ticket.request.group {
                self.groups.mark(group, in: &groups)
            }
        }
        self.groups.keep(groups)
        return dropped
    }

    /// The executions of orders that are to be dropped, by owner and instrument.
    private func histories(_ isDropped: [Bool]) -> [History] {
        var entries: [(row: Int, owner: Owner, execution: Execution)] = []
        for index in records.indices where isDropped[index] {
            let strategy = records[index].ticket.request.strategy
            records[index].facts.forEachExecution { execution, _ in
                let owner = Owner(strategy: strategy, instrument: execution.instrument)
                entries.append((working.row(strategy, execution.instrument), owner, execution))
            }
        }
        // Mostly of one owner in one instrument, and in order already.
        entries.sort { left, right in
            left.row != right.row
                ? left.row < right.row : Moment(left.execution) < Moment(right.execution)
        }
        return entries.chunked { $0.row == $1.row }.map { entries in
            History(owner: entries[entries.startIndex].owner, executions: entries.map(\.execution))
        }
    }

    /// Leaves out the changes of orders that are gone, and finds those of the others anew.
    private mutating func relinkChanges() {
        var kept: [OrderChange] = []
        for index in records.indices { records[index].newestChange = 0 }
        for var change in changes {
            guard let index = index(of: change.order) else { continue }
            change.previous = records[index].newestChange
            kept.append(change)
            records[index].newestChange = Int32(kept.count)
        }
        changes = kept
    }
}

extension Array {
    /// The parts between elements that do not belong together.
    fileprivate func chunked(by belongTogether: (Element, Element) -> Bool) -> [ArraySlice<Element>]
    {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where !belongTogether(self[index - 1], self[index]) {
            chunks.append(self[start..<index])
            start = index
        }
        if start < endIndex { chunks.append(self[start...]) }
        return chunks
    }
}

/// Where an execution comes in the history of its owner.
private struct Moment: Comparable {
    let time: Timestamp
    let base: Int64

    init(_ execution: Execution) {
        time = execution.time
        base = execution.id.base
    }

    private init(_ time: Timestamp, _ base: Int64) {
        self.time = time
        self.base = base
    }

    /// Behind every execution.
    static var none: Moment { Moment(.distantFuture, .max) }

    static func < (left: Moment, right: Moment) -> Bool {
        left.time != right.time ? left.time < right.time : left.base < right.base
    }
}
