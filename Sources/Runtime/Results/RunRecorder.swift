import Accounting
import Catalog
import Model
import Orders
import Primitives
import Reporting
import Signals
import TradingEngine

/// What a run leaves behind, written down as it happens: fed with commands, with what venues report, with cash
/// flows, equity and what the engine concluded.
///
/// It needs no order that has ended to be known to anybody else. Like `OrderFacts`, it takes reports in any
/// order and as often as they come.
struct RunRecorder: Sendable {
    /// By number. What follows from executions is computed at the end: average price and commission.
    private var orders: [OrderRecord] = []
    /// The reports about each of `orders` besides executions.
    private var handledCount: [HandledCounts] = []
    /// By the number of the execution, which rises from one to the next at most venues.
    private var fills: [FillRecord] = []
    /// The version of the commission report behind each of `fills`.
    private var chargedVersions: [Int32] = []
    /// Changes of orders that may still be made, oldest first.
    private var changes: [Change] = []
    /// All reports about the orders that a broker has reported on.
    private var brokerFacts: [OrderID: OrderFacts] = [:]

    private var revisions: [RevisionRecord] = []
    private var equity: [EquityPoint] = []
    private var cashFlows: [CashFlow] = []
    private var decisions: [Decision] = []
    private var notes: [ScoreNote] = []
    private var droppedScores = 0
    /// Sessions that ended with a position of each strategy; empty when there is only one.
    private var exposedSessions: [Int]

    /// The reports about an order besides its executions.
    private struct HandledCounts: Sendable {
        var isAcknowledged = false
        var cancelled: CancelCause?
        var rejected: RejectCause?
    }

    /// A change of an order that was asked for.
    private struct Change: Sendable {
        let order: OrderID
        let revision: Int32
        var request: OrderRequest
        var isRefused = false
    }

    /// What was recorded, as reports want it.
    struct Recorded: Sendable {
        /// By number.
        var orders: [OrderRecord]
        /// In the order in which the venue executed them.
        var fills: [FillRecord]
        /// In the order in which they were asked for.
        let revisions: [RevisionRecord]
        /// In order of time.
        let equity: [EquityPoint]
        /// In order of time.
        let cashFlows: [CashFlow]
        /// In order of time.
        let decisions: [Decision]
        /// In order of time.
        let scores: [ScoreRecord]
        /// Sessions that ended with a position of each strategy; empty when there is only one.
        let exposedSessions: [Int]
    }

    /// A recorder before the first event.
    ///
    /// - Parameter rowCount: how many rows of data there are, for how much room is made: address space only, until
    ///   it is used. Lists that grow would be copied, and the first touch of memory costs more than what is written.
    init(strategyCount: Int, rowCount: Int = 0) {
        exposedSessions = Array(repeating: 0, count: strategyCount > 1 ? strategyCount : 0)
        let expected = min(rowCount / 8, 1 << 17)
        orders.reserveCapacity(expected)
        handledCount.reserveCapacity(expected)
        fills.reserveCapacity(expected)
        chargedVersions.reserveCapacity(expected)
    }

    // MARK: Account

    /// Takes in that money came or went.
    mutating func record(_ flow: CashFlow) { cashFlows.append(flow) }

    /// Takes in what the account is worth.
    mutating func record(_ point: EquityPoint) { equity.append(point) }

    /// Takes in what the strategies hold at the end of a session.
    mutating func endSession(with portfolio: borrowing PortfolioLedger, _ instruments: [Instrument])
    {
        for index in exposedSessions.indices {
            let owner = Attribution.strategy(StrategyID(index: index))
            for instrument in instruments
            where portfolio.ledger(of: owner, in: instrument.id).quantity != .zero {
                exposedSessions[index] += 1
                break
            }
        }
    }

    /// Takes decisions and notes out of what the engine has answered. Many at a time: each of them costs a copy.
    mutating func take(_ output: inout EngineOutput) {
        if !output.decisions.isEmpty {
            decisions += output.decisions
            output.decisions.removeAll(keepingCapacity: true)
        }
        guard !output.notes.isEmpty else { return }
        let kept = min(output.notes.count, Self.notesMax - notes.count)
        notes += output.notes.prefix(kept)
        droppedScores += output.notes.count - kept
        output.notes.removeAll(keepingCapacity: true)
    }

    /// How many scores are kept, of 40 bytes each.
    private static let notesMax = 4_000_000

    /// How many more scores there were than are kept.
    var droppedScoreCount: Int { droppedScores }

    // MARK: Commands

    /// Takes in what the engine wants done.
    mutating func record(_ command: Command, at time: Timestamp) {
        switch command {
        case .submit(let ticket): add(ticket, at: time)
        case .modify(let ticket, let revision):
            revisions.append(RevisionRecord(order: ticket.id, at: time))
            guard let index = index(of: ticket.id) else { return }
            orders[index].revisionCount += 1
            changes.append(Change(order: ticket.id, revision: revision, request: ticket.request))
            relist(index, at: time)
        case .cancel, .probe, .query, .setTimer: break
        }
    }

    private mutating func add(_ ticket: OrderTicket, at time: Timestamp) {
        let record = OrderRecord(
            ticket: ticket, submitted: time, state: .working, filled: .zero, averagePrice: nil,
            commission: .zero, finishedAt: nil)
        guard let last = orders.last, last.ticket.id >= ticket.id else {
            orders.append(record)
            return handledCount.append(HandledCounts())
        }
        let index = orders.firstIndex(behind: { $0.ticket.id < ticket.id })
        orders.insert(record, at: index)
        handledCount.insert(HandledCounts(), at: index)
    }

    /// Puts other terms in the place of those of orders that work and of changes under way: their shares were
    /// split.
    ///
    /// - Parameters:
    ///   - terms: the terms of an order now; `nil` for one that stays as it was.
    ///   - change: those of its change under way; `nil` for one that stays as it was.
    mutating func replaceTerms(
        by terms: (OrderID) -> OrderRequest?, changes change: (OrderID) -> OrderRequest?
    ) {
        for index in orders.indices where orders[index].finishedAt == nil {
            let id = orders[index].ticket.id
            if let terms = terms(id) { orders[index].ticket = OrderTicket(id: id, request: terms) }
        }
        for index in changes.indices where !changes[index].isRefused {
            if let change = change(changes[index].order) { changes[index].request = change }
        }
    }

    // MARK: Reports

    /// Takes in what was reported of an order. Orders that were not submitted by command are none of the run's.
    mutating func record(_ report: OrderReport, at time: Timestamp) {
        guard let index = index(of: report.order) else { return }
        if !brokerFacts.isEmpty { _ = brokerFacts[report.order]?.record(report.fact) }
        switch report.fact {
        case .acknowledged:
            handledCount[index].isAcknowledged = true
            if brokerFacts.isEmpty { return }
        case .executed(let execution): add(execution, to: index)
        case .commission(let costs): return charge(costs, to: report.order)
        case .cancelled(let cause):
            handledCount[index].cancelled = max(handledCount[index].cancelled ?? cause, cause)
        case .rejected(let cause):
            handledCount[index].rejected = max(handledCount[index].rejected ?? cause, cause)
        case .modified(let revision): makeChange(revision, of: index)
        case .modificationRefused(let revision): refuseChange(revision, of: report.order)
        case .message: return
        case .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .probeAnswer, .acknowledgementOverdue, .closed,
            .reopened:
            addBrokerFact(report)
        }
        relist(index, at: time)
    }

    /// Notes when an order has ended, or that it works again.
    private mutating func relist(_ index: Int, at time: Timestamp) {
        let isLive = isLive(index)
        if isLive != (orders[index].finishedAt == nil) {
            orders[index].finishedAt = isLive ? nil : time
        }
        guard !isLive, !changes.isEmpty else { return }
        let order = orders[index].ticket.id
        changes.removeAll { $0.order == order && $0.isRefused }
    }

    private func isLive(_ index: Int) -> Bool {
        let most = quantityMax(index)
        if !brokerFacts.isEmpty, let facts = brokerFacts[orders[index].ticket.id] {
            return facts.state(ordered: most).isLive
        }
        return orders[index].filled < most && handledCount[index].cancelled == nil
            && handledCount[index].rejected == nil
    }

    /// The most that an order may fill: while a change is under way, either quantity.
    private func quantityMax(_ index: Int) -> Quantity {
        let quantity = orders[index].ticket.request.quantity
        guard !changes.isEmpty else { return quantity }
        let order = orders[index].ticket.id
        guard let change = changes.last(where: { $0.order == order }), !change.isRefused else {
            return quantity
        }
        return max(quantity, change.request.quantity)
    }

    // MARK: Changes

    private mutating func makeChange(_ revision: Int32, of index: Int) {
        let order = orders[index].ticket.id
        guard let slot = place(ofChange: revision, order) else { return }
        orders[index].ticket = OrderTicket(id: order, request: changes[slot].request)
        // One that is answered late says nothing against a newer one that was made.
        changes.removeAll { $0.order == order && $0.revision <= revision }
    }

    private mutating func refuseChange(_ revision: Int32, of order: OrderID) {
        if let index = place(ofChange: revision, order) { changes[index].isRefused = true }
    }

    private func place(ofChange revision: Int32, _ order: OrderID) -> Int? {
        changes.lastIndex { $0.order == order && $0.revision == revision }
    }

    // MARK: Executions

    private mutating func add(_ execution: Execution, to index: Int) {
        let order = orders[index].ticket.id
        let slot = firstPlace(from: execution.id.base, order)
        guard isFill(slot, execution.id.base, order) else {
            insert(execution, of: order, at: slot)
            orders[index].filled += execution.quantity
            return
        }
        let known = fills[slot].execution
        guard known.time == .distantPast || known.isOlder(than: execution) else { return }
        orders[index].filled += execution.quantity - known.quantity
        fills[slot].execution = execution
    }

    /// Takes in what an execution has cost, by the newest report; of one version, the larger amount.
    private mutating func charge(_ costs: CommissionReport, to order: OrderID) {
        let (base, version) = (costs.execution.base, costs.execution.revision)
        let index = firstPlace(from: base, order)
        if !isFill(index, base, order) {
            // The execution follows: until then it is of nothing.
            insert(
                Execution(
                    id: ExecutionID(base: base), instrument: InstrumentID(index: 0), side: .buy,
                    quantity: .zero, price: .zero, time: .distantPast), of: order, at: index)
        }
        let charged = chargedVersions[index]
        guard
            version != charged ? version > charged : costs.amount > fills[index].commission
        else { return }
        fills[index].commission = costs.amount
        chargedVersions[index] = version
    }

    private mutating func insert(_ execution: Execution, of order: OrderID, at index: Int) {
        // Whose it was and why is looked up at the end: the reason may change.
        let fill = FillRecord(
            execution: execution, order: order, strategy: StrategyID(index: 0), commission: .zero,
            reason: .none)
        if index == fills.count {
            fills.append(fill)
            chargedVersions.append(.min)
        } else {
            fills.insert(fill, at: index)
            chargedVersions.insert(.min, at: index)
        }
    }

    /// True if an execution of an order is at an index.
    private func isFill(_ index: Int, _ base: Int64, _ order: OrderID) -> Bool {
        index < fills.count && fills[index].execution.id.base == base && fills[index].order == order
    }

    /// The place of the first fill that does not come before an execution of an order.
    private func firstPlace(from base: Int64, _ order: OrderID) -> Int {
        guard let last = fills.last else { return 0 }
        // Mostly it is the newest or comes behind it.
        if last.execution.id.base < base { return fills.count }
        if last.execution.id.base == base, last.order == order { return fills.count - 1 }
        return fills.firstIndex(behind: { ($0.execution.id.base, $0.order) < (base, order) })
    }

    // MARK: Brokers

    /// Takes in what only a broker reports: where an order stands is not simple any more.
    private mutating func addBrokerFact(_ report: OrderReport) {
        guard brokerFacts[report.order] == nil, let index = index(of: report.order) else { return }
        var facts = OrderFacts()
        if handledCount[index].isAcknowledged { _ = facts.record(.acknowledged) }
        if let cause = handledCount[index].cancelled { _ = facts.record(.cancelled(cause)) }
        if let cause = handledCount[index].rejected { _ = facts.record(.rejected(cause)) }
        for slot in fills.indices where fills[slot].order == report.order {
            let (execution, version) = (fills[slot].execution, chargedVersions[slot])
            if execution.time != .distantPast { _ = facts.record(.executed(execution)) }
            guard version != .min else { continue }
            let charged = ExecutionID(base: execution.id.base, revision: Int(version))
            _ = facts.record(
                .commission(
                    CommissionReport(execution: charged, amount: fills[slot].commission)))
        }
        _ = facts.record(report.fact)
        brokerFacts[report.order] = facts
    }

    // MARK: The end

    /// Gives away what was recorded. The recorder is empty then.
    mutating func finish() -> Recorded {
        var recorded = Recorded(
            orders: [], fills: [], revisions: revisions, equity: equity, cashFlows: cashFlows,
            decisions: decisions, scores: notes.map(ScoreRecord.init),
            exposedSessions: exposedSessions)
        sumFills()
        for index in orders.indices { orders[index].state = outcome(of: index) }
        swap(&recorded.orders, &orders)
        swap(&recorded.fills, &fills)
        self = RunRecorder(strategyCount: exposedSessions.count)
        return recorded
    }

    /// Works out what executions come to for their orders, and drops those that the venue took back.
    private mutating func sumFills() {
        var values = Array(repeating: ExactMoney.zero, count: orders.count)
        fills.removeAll { $0.execution.quantity <= .zero }
        for slot in fills.indices {
            guard let index = index(of: fills[slot].order) else { continue }
            let request = orders[index].ticket.request
            (fills[slot].strategy, fills[slot].reason) = (request.strategy, request.reason)
            values[index] += fills[slot].execution.price * fills[slot].execution.quantity
            orders[index].commission += fills[slot].commission
        }
        for index in orders.indices where orders[index].filled > .zero {
            let units = values[index].units.dividedHalfToEven(
                by: Int128(orders[index].filled.units))
            orders[index].averagePrice = Int64(exactly: units).map(Price.init(units:))
        }
    }

    private func outcome(of index: Int) -> OrderOutcome {
        let record = orders[index]
        if let facts = brokerFacts[record.ticket.id] {
            return facts.outcome(ordered: record.ticket.request.quantity)
        }
        if record.filled >= record.ticket.request.quantity { return .filled }
        if let cause = handledCount[index].rejected { return .rejected(cause) }
        return handledCount[index].cancelled.map { .cancelled($0) } ?? .working
    }

    private func index(of order: OrderID) -> Int? {
        // Numbers rise from 1; where they leave out what others have used, they say no more than the start.
        let dense = Int(clamping: order.number) - 1
        if orders.indices.contains(dense), orders[dense].ticket.id == order { return dense }
        let index = orders.firstIndex(behind: { $0.ticket.id < order })
        return index < orders.count && orders[index].ticket.id == order ? index : nil
    }
}

extension OrderFacts {
    /// What became of an order for `quantity`.
    func outcome(ordered quantity: Quantity) -> OrderOutcome {
        switch state(ordered: quantity) {
        case .unacknowledged, .working, .unknown, .executionsMissing: .working
        case .filled, .overfilled: .filled
        // The state says that there is a cause.
        case .cancelled, .notSent, .closed: .cancelled(cancelled ?? .external)
        case .rejected: .rejected(rejected ?? .notTradable)
        }
    }
}

extension ScoreRecord {
    /// A score that a strategy noted.
    init(_ note: ScoreNote) {
        self.init(
            at: note.at, strategy: note.strategy, instrument: note.instrument, score: note.score,
            rank: note.rank > 0 ? Int(note.rank) : nil, held: note.held)
    }
}
