package import Model
package import Primitives

/// What follows from the broker's lists and what we know: a pure function of both.
///
/// It looks at our account alone. It finds, asks and hands out what is to be booked; it never sends, changes or cancels an order, nor books
/// anything itself. The order of the records within a list changes nothing.
package struct Reconciliation: Sendable {
    /// Where the broker contradicts us.
    package private(set) var findings: [Finding] = []
    /// Lists that are missing or are to be asked for again.
    package private(set) var commands: [Command] = []
    /// Executions that we did not know, or not in this version: each once.
    package private(set) var bookings: [OrderReport] = []
    /// What the lists report about orders.
    package private(set) var facts: [OrderReport] = []
    /// Orders that are not ours and are open; `nil` unless the list of open orders is complete.
    package private(set) var foreign: [ForeignListing]?
    /// Orders of which the broker is to be asked what became of them.
    package private(set) var inquiries: [OrderID] = []
    /// Orders of ours that work under other terms than ours, as others have changed them: those terms are to be taken for
    /// theirs. Not the quantity of what protects or is in a group, which its position determines.
    package private(set) var otherTerms: [OtherTerms] = []
    /// By instrument, what the broker has more than our ledger with all bookings done; zeros are left out.
    /// `nil` unless the list of positions is complete.
    package private(set) var unexplained: [PositionGap]?
    /// What the lists report about which order is which.
    package private(set) var identity: OrderIdentity

    // Looked up only: the array has the order.
    private var found: Set<Finding> = []
    /// What the bookings change of positions.
    private var moves: [Move] = []

    private struct Move: Sendable {
        let instrument: InstrumentID
        let quantity: Quantity
    }

    /// The time without executions after which positions that differ are a finding.
    package static let quietTime = Duration.seconds(10)

    /// An order that is not ours, and the number it is kept under.
    package struct ForeignListing: Hashable, Sendable {
        /// The number.
        package let order: OrderID
        /// As it is listed.
        package let listed: ListedOrder
    }

    /// Terms that an order of ours has at the broker and not with us.
    package struct OtherTerms: Hashable, Sendable {
        /// The order.
        package let order: OrderID
        /// Its prices; `nil` where they are ours.
        package var type: OrderType?
        /// Its quantity; `nil` where it is ours.
        package var quantity: Quantity?
        /// True if it is of another type: more than its prices differs, and nothing of that is to be taken for its terms.
        package var isOfOtherType = false

        /// Terms of an order.
        package init(of order: OrderID, type: OrderType? = nil, quantity: Quantity? = nil) {
            self.order = order
            self.type = type
            self.quantity = quantity
        }
    }

    /// A position by our ledger.
    package struct BookedPosition: Hashable, Sendable {
        /// In what.
        package let instrument: InstrumentID
        /// How much; negative is short.
        package let quantity: Quantity
        /// When it last changed.
        package let changed: Timestamp

        /// A position.
        package init(
            _ instrument: InstrumentID, _ quantity: Quantity, changed: Timestamp = .distantPast
        ) {
            self.instrument = instrument
            self.quantity = quantity
            self.changed = changed
        }
    }

    /// By how much the broker's position is above ours.
    package struct PositionGap: Hashable, Sendable {
        /// In what.
        package let instrument: InstrumentID
        /// By how much; negative is below.
        package let quantity: Quantity

        /// A difference.
        package init(instrument: InstrumentID, quantity: Quantity) {
            self.instrument = instrument
            self.quantity = quantity
        }
    }

    /// Compares.
    ///
    /// - Parameters:
    ///   - positions: every position of our ledger, of our orders and of those that are not ours together.
    ///   - nextID: the next number that the gateway takes, if the gateway has sent it.
    package init(
        of ledger: borrowing OrderLedger, with lists: Listings, positions: [BookedPosition],
        nextID: BrokerOrderID? = nil, at now: Timestamp
    ) {
        identity = ledger.identity
        let open = lists.isComplete(.openOrders) ? matched(lists.openOrders) : []
        let completed = lists.isComplete(.completedOrders) ? matched(lists.completedOrders) : []
        bookExecutions(lists.executions, ledger)
        if let began = lists.began(.openOrders) { reviewOpen(open, ledger, began) }
        reviewCompleted(completed, ledger)
        reviewLive(ledger, lists)
        if let began = lists.began(.positions) {
            comparePositions(lists.positions, positions, began, now)
        }
        if let nextID { reviewNext(nextID) }
        for kind in Listings.needed where !lists.isComplete(kind) && !lists.isUnderWay(kind) {
            ask(for: kind)
        }
    }

    // MARK: Names

    /// The orders that lists name, by our numbers.
    private mutating func matched(_ listed: [ListedOrder]) -> [ForeignListing] {
        let own = listed.filter { !identity.isElsewhere($0.key) }
        let sorted = own.sorted { $0.precedes($1) }
        return sorted.map { ForeignListing(order: match($0.key), listed: $0) }
            .sorted { $0.precedes($1) }
    }

    private mutating func match(_ key: BrokerOrderKey) -> OrderID {
        let match = identity.match(key)
        if let contradiction = match.contradiction { find(contradiction.finding) }
        return match.order
    }

    private mutating func find(_ finding: Finding) {
        if found.insert(finding).inserted { findings.append(finding) }
    }

    private mutating func report(_ order: OrderID, _ fact: OrderFact) {
        let report = OrderReport(order: order, fact: fact)
        // Those of one order come one after the other.
        if facts.last != report { facts.append(report) }
    }

    private mutating func ask(for kind: ListingKind) {
        if !commands.contains(.query(kind)) { commands.append(.query(kind)) }
    }

    private mutating func inquire(_ order: OrderID) {
        if !inquiries.contains(order) { inquiries.append(order) }
    }

    private mutating func reviewNext(_ next: BrokerOrderID) {
        guard let mark = identity.mark, !identity.takesNext(next) else { return }
        find(.nextIDBelowMark(next: next, mark: mark))
    }
}

// MARK: - Executions

extension Reconciliation {
    /// Hands out each execution that is not known, in its newest version, once.
    private mutating func bookExecutions(
        _ listed: [Listings.BrokerExecution], _ ledger: borrowing OrderLedger
    ) {
        let own = listed.filter { !identity.isElsewhere($0.key) }
        guard !own.isEmpty else { return }
        var claims = own.sorted { $0.precedes($1) }.map {
            OrderReport(order: match($0.key), fact: .executed($0.execution))
        }
        claims.sort { $0.claimPrecedes($1) }
        let known = ledger.executionOwners
        var start = 0
        while start < claims.count {
            let base = claims[start].executionBase
            var end = start + 1
            while end < claims.count, claims[end].executionBase == base { end += 1 }
            book(claims[start..<end], known[base], ledger)
            start = end
        }
    }

    /// Books the newest version of one execution, which is the last, for the order that has it or for the one
    /// that claims it; ours before others.
    private mutating func book(
        _ claims: ArraySlice<OrderReport>, _ known: OrderID?, _ ledger: borrowing OrderLedger
    ) {
        guard let newest = claims.last, case .executed(let execution) = newest.fact else { return }
        let order = known ?? claims.map(\.order).max() ?? newest.order
        for claim in claims where claim.order != order {
            find(.fillOfOtherOrder(base: execution.id.base, known: order, reported: claim.order))
        }
        if known != nil, let old = ledger.execution(execution.id.base, of: order) {
            guard old.isOlder(than: execution) else { return }
            moves.append(Move(instrument: old.instrument, quantity: -old.signedQuantity))
        }
        moves.append(Move(instrument: execution.instrument, quantity: execution.signedQuantity))
        bookings.append(OrderReport(order: order, fact: .executed(execution)))
        find(
            .unknownFill(
                order, base: execution.id.base, quantity: execution.signedQuantity))
    }
}

// MARK: - Orders

extension Reconciliation {
    /// Takes in all orders that are open.
    private mutating func reviewOpen(
        _ open: [ForeignListing], _ ledger: borrowing OrderLedger, _ began: Timestamp
    ) {
        var others: [ForeignListing] = []
        var start = 0
        while start < open.count {
            let order = open[start].order
            var end = start + 1
            while end < open.count, open[end].order == order { end += 1 }
            let listed = open[start..<end].map(\.listed)
            if let record = ledger.record(of: order) {
                reviewOwn(record, listed, ledger, began)
            } else if let working = listed.last(where: \.isActive) {
                reviewForeign(order, working, &others, ledger)
            }
            start = end
        }
        foreign = others
    }

    private mutating func reviewForeign(
        _ order: OrderID, _ listed: ListedOrder, _ others: inout [ForeignListing],
        _ ledger: borrowing OrderLedger
    ) {
        others.append(ForeignListing(order: order, listed: listed.withoutType))
        guard !ledger.isForeignListed(order) else { return }
        find(.foreignOrder(order, listed.key.permanent, quantity: listed.quantity))
    }

    /// Takes in that an order of ours is open, as all records of it say.
    private mutating func reviewOwn(
        _ record: OrderLedger.Record, _ listed: [ListedOrder], _ ledger: borrowing OrderLedger,
        _ began: Timestamp
    ) {
        let order = record.ticket.id
        for one in listed { report(order, .listedOpen(one.status)) }
        let isActive = listed.contains(where: \.isActive)
        let state = record.state
        switch state {
        case .unacknowledged, .working, .executionsMissing: break
        case .unknown: find(.adopted(order))
        case .filled, .overfilled, .cancelled, .rejected, .notSent, .closed:
            // What ended while the list came may be in it, and what was rejected stays in it as inactive.
            guard listed.contains(where: \.works), let endedAt = record.endedAt, endedAt < began
            else { break }
            reopen(record, state)
        }
        guard isActive, state.isLive else { return }
        if ledger.isSteady(order, at: began) { compareTerms(record, listed, ledger) }
        // The broker's list is the answer to a change that has had none.
        if let change = ledger.overdueChange(of: order, at: began) {
            let quantity = ledger.brokerQuantity(of: order, change.request)
            let isMade = listed.contains {
                $0.quantity == quantity && ($0.type ?? change.request.type) == change.request.type
            }
            report(
                order, isMade ? .modified(change.revision) : .modificationRefused(change.revision))
        }
    }

    private mutating func reopen(_ record: OrderLedger.Record, _ state: OrderState) {
        let order = record.ticket.id
        switch state {
        case .unacknowledged, .working, .executionsMissing, .unknown: return
        case .filled, .overfilled: return find(.liveAgain(order))
        case .notSent, .closed: find(.resubmitted(order))
        case .cancelled, .rejected: find(.liveAgain(order))
        }
        if let number = record.facts.nextReopening { report(order, .reopened(number)) }
    }

    /// Compares what is listed with what we asked for; any record of the order that agrees is enough.
    private mutating func compareTerms(
        _ record: OrderLedger.Record, _ listed: [ListedOrder], _ ledger: borrowing OrderLedger
    ) {
        let (order, ours) = (record.ticket.id, record.ticket.request)
        guard
            listed.contains(where: { $0.side == ours.side && $0.instrument == ours.instrument })
        else { return find(.notAsOrdered(order)) }
        var terms = OtherTerms(of: order)
        let quantities = listed.compactMap(\.quantity)
        if let most = quantities.max(), !quantities.contains(ours.quantity),
            // The broker does not count what others of its group have filled.
            !quantities.contains(ledger.brokerQuantity(of: order, ours))
        {
            find(.quantityChanged(order, ours: ours.quantity, brokers: most))
            if ours.group == nil, ours.purpose != .protection { terms.quantity = most }
        }
        let types = listed.compactMap(\.type)
        if let type = types.last, !types.contains(ours.type) {
            find(.termsChanged(order))
            // At a price of before a split it is not to work on.
            if !record.isSplit {
                terms.isOfOtherType = !type.isAtOtherPrice(than: ours.type)
                if !terms.isOfOtherType { terms.type = type }
            }
        }
        if terms != OtherTerms(of: order) { otherTerms.append(terms) }
    }

    /// Takes in the orders that have ended.
    private mutating func reviewCompleted(
        _ completed: [ForeignListing], _ ledger: borrowing OrderLedger
    ) {
        for one in completed {
            guard let record = ledger.record(of: one.order) else {
                if ledger.isForeignListed(one.order) {
                    report(one.order, .listedCompleted(one.listed.status))
                }
                continue
            }
            report(one.order, .listedCompleted(one.listed.status))
            if record.state == .unknown { find(.adopted(one.order)) }
            let isEnd = one.listed.status == .cancelled || one.listed.status == .inactive
            if isEnd, record.isEndUnexpected { find(.cancelledOutside(one.order)) }
        }
    }

    /// Looks at every order of ours that may still fill, with the contents of the lists taken in.
    private mutating func reviewLive(_ ledger: borrowing OrderLedger, _ lists: Listings) {
        let isAllListed =
            lists.isComplete(.completedOrders) && lists.isComplete(.executions)
        for order in ledger.allLive {
            guard let record = ledger.record(of: order) else { continue }
            var known = record.facts
            for report in facts where report.order == order { _ = known.record(report.fact) }
            for report in bookings where report.order == order { _ = known.record(report.fact) }
            let quantity = record.ticket.request.quantity
            let state = known.state(ordered: quantity)
            guard state.isLive else { continue }
            if state == .executionsMissing {
                find(.executionsMissing(order, quantity: quantity - known.filled))
                if lists.isComplete(.executions) { inquire(order) } else { ask(for: .executions) }
                continue
            }
            if state == .unknown { inquire(order) }
            guard isAllListed, let began = lists.began(.openOrders), record.submitted < began,
                state == .working,
                !facts.contains(where: { $0.order == order && $0.fact.isListingAsOpen })
            else { continue }
            find(.missing(order))
            inquire(order)
        }
    }
}

// MARK: - Positions

extension Reconciliation {
    /// Compares positions with what is to be booked taken in. What has just moved is asked for again.
    private mutating func comparePositions(
        _ listed: [ListedPosition], _ booked: [BookedPosition], _ began: Timestamp,
        _ now: Timestamp
    ) {
        var gaps: [PositionGap] = []
        let own = listed.filter { $0.account == identity.account }
        for other in own.filter({ $0.instrument == nil && $0.quantity != .zero }).sorted(by: {
            ($0.symbol, $0.quantity) < ($1.symbol, $1.quantity)
        }) {
            find(.foreignPosition(symbol: other.symbol, quantity: other.quantity))
        }
        let instruments = (own.compactMap(\.instrument) + booked.map(\.instrument)).sorted()
        var last: InstrumentID?
        for instrument in instruments where instrument != last {
            last = instrument
            let brokers = own.filter { $0.instrument == instrument }.map(\.quantity)
            let ours = booked.first { $0.instrument == instrument }
            let unbooked = unbooked(in: instrument)
            let sum = Int128((ours?.quantity ?? .zero).units) + unbooked.sum
            let gap = Int128((brokers.max() ?? .zero).units) - sum
            let isTwofold = brokers.max() != brokers.min()
            guard gap != 0 || isTwofold else { continue }
            gaps.append(
                PositionGap(instrument: instrument, quantity: Quantity(units: Int64(clamping: gap)))
            )
            let changed = ours?.changed ?? .distantPast
            let isQuiet = changed < began && changed + Self.quietTime <= now
            guard isQuiet, !unbooked.isAny, !isTwofold else {
                ask(for: .positions)
                continue
            }
            find(
                .positionDiffers(
                    instrument, ours: ours?.quantity ?? .zero, brokers: brokers.max() ?? .zero))
        }
        unexplained = gaps
    }

    /// What the bookings will change of a position.
    private func unbooked(in instrument: InstrumentID) -> (sum: Int128, isAny: Bool) {
        var (sum, isAny) = (Int128(0), false)
        for move in moves where move.instrument == instrument {
            isAny = true
            sum += Int128(move.quantity.units)
        }
        return (sum, isAny)
    }
}

// MARK: - What is asked of ledger and words

extension OrderLedger {
    /// Takes in what lists report about which order is which, and which orders that are not ours are open. The
    /// reconciliation's facts and bookings are recorded as every other report is.
    package mutating func learn(from reconciliation: Reconciliation) {
        identity = reconciliation.identity
        if let foreign = reconciliation.foreign { listForeign(foreign) }
    }

    /// Of which order each execution is that is known, by base id. To be looked up, not iterated.
    fileprivate var executionOwners: [Int64: OrderID] {
        var owners: [Int64: OrderID] = [:]
        for index in records.indices {
            records[index].facts.forEachExecution { execution, _ in
                owners[execution.id.base] = records[index].ticket.id
            }
        }
        for order in foreign {
            order.facts.forEachExecution { execution, _ in owners[execution.id.base] = order.id }
        }
        return owners
    }

    /// The newest version of an execution that is known of an order, ours or not.
    fileprivate func execution(_ base: Int64, of order: OrderID) -> Execution? {
        facts(of: order)?.execution(base: base)
            ?? foreign.first { $0.id == order }?.facts.execution(base: base)
    }
}

extension OrderLedger.Record {
    /// Whether its end would be nothing that we asked for or that its terms bring about.
    fileprivate var isEndUnexpected: Bool {
        let request = ticket.request
        return state.isLive && !isEndOurs && facts.cancelled == nil && !request.isLinked
            && (request.timeInForce == .day || request.timeInForce == .goodTillCancelled)
    }
}

extension OrderType {
    /// Whether it is of the same kind as another, so that no more than prices differ.
    fileprivate func isAtOtherPrice(than other: OrderType) -> Bool {
        switch (self, other) {
        case (.limit, .limit), (.stop, .stop), (.stopLimit, .stopLimit),
            (.trailingStop, .trailingStop), (.limitOnOpen, .limitOnOpen),
            (.limitOnClose, .limitOnClose):
            true
        case (.market, _), (.limit, _), (.stop, _), (.stopLimit, _), (.trailingStop, _),
            (.marketOnOpen, _), (.limitOnOpen, _), (.marketOnClose, _), (.limitOnClose, _):
            false
        }
    }
}

extension Reconciliation.ForeignListing {
    /// Whether it comes before another: by order, then by status.
    fileprivate func precedes(_ other: Self) -> Bool {
        if order != other.order { return order < other.order }
        let (left, right) = (listed.status, other.listed.status)
        return left != right ? left < right : listed.precedes(other.listed)
    }
}

extension ListedOrder {
    /// The same without type and prices: of orders that are not ours they mean nothing to us.
    fileprivate var withoutType: ListedOrder {
        ListedOrder(
            key: key, instrument: instrument, side: side, quantity: quantity, type: nil,
            status: status)
    }

    /// Whether it works, or may become active again.
    fileprivate var isActive: Bool { works || status == .inactive }

    /// Whether it works.
    fileprivate var works: Bool {
        switch status {
        case .pendingSubmit, .preSubmitted, .submitted, .pendingCancel: true
        case .inactive, .apiCancelled, .cancelled, .filled: false
        }
    }

    /// Whether it comes before another; total but for records that differ by their type alone.
    fileprivate func precedes(_ other: ListedOrder) -> Bool {
        if key != other.key { return key.precedes(other.key) }
        let (left, right) = (status, other.status)
        if left != right { return left < right }
        let (most, mostOther) = (quantity?.units ?? -1, other.quantity?.units ?? -1)
        if most != mostOther { return most < mostOther }
        let (index, otherIndex) = (instrument?.index ?? -1, other.instrument?.index ?? -1)
        if index != otherIndex { return index < otherIndex }
        return side == .buy && other.side == .sell
    }
}

extension Listings.BrokerExecution {
    fileprivate func precedes(_ other: Self) -> Bool {
        if key != other.key { return key.precedes(other.key) }
        if execution.id.base != other.execution.id.base {
            return execution.id.base < other.execution.id.base
        }
        return execution.isOlder(than: other.execution)
    }
}

extension OrderReport {
    fileprivate var executionBase: Int64 {
        if case .executed(let execution) = fact { execution.id.base } else { 0 }
    }

    /// By execution, version and order.
    fileprivate func claimPrecedes(_ other: OrderReport) -> Bool {
        guard case .executed(let left) = fact, case .executed(let right) = other.fact else {
            return false
        }
        if left.id.base != right.id.base { return left.id.base < right.id.base }
        if left != right { return left.isOlder(than: right) }
        return order < other.order
    }
}

extension OrderFact {
    /// Whether the list of open orders reports it.
    fileprivate var isListingAsOpen: Bool {
        if case .listedOpen = self { true } else { false }
    }

    /// Whether a list reports it.
    var isListing: Bool {
        switch self {
        case .listedOpen, .listedCompleted: true
        case .acknowledged, .executed, .commission, .cancelled, .rejected, .modified,
            .modificationRefused, .notSent, .sendInterrupted, .status, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            false
        }
    }
}

extension OrderIdentity.Contradiction {
    /// What it is for people.
    package var finding: Finding {
        switch self {
        case .secondPermanentID(let order, let known, let reported):
            .secondOrder(of: order, known: known, other: reported)
        case .otherNumber(let order, let known, let reported):
            .otherNumber(order, known: known.order, reported: reported.order)
        case .otherReference(let order, let reported): .otherReference(order, reported: reported)
        case .unknownReference(let reference): .unknownReference(reference)
        }
    }
}
