package import Model
package import Primitives

/// All we have been told about one order. Facts only accumulate; the state is a view of them.
package struct OrderFacts: Equatable, Sendable {
    // First: the flags use the bytes behind it.
    private var executions = ExecutionSet()

    /// The venue has it.
    package private(set) var acknowledged = false
    /// It no longer works, and why: the gravest cause told.
    package private(set) var cancelled: CancelCause?
    /// The venue refused it, and why.
    package private(set) var rejected: RejectCause?

    /// What a fact changed.
    package enum Change: Equatable, Sendable {
        /// Nothing about executions or costs; perhaps the state.
        case state
        /// An execution was told; what is new about it.
        case executed(ExecutionChange)
        /// What the order has cost changed by this much.
        case charged(Money)
        /// A change that we asked for was made or refused.
        case answered(revision: Int32, isMade: Bool)
    }

    /// Nothing heard yet.
    package init() {}

    /// The facts, in any order.
    package init(recording facts: some Sequence<OrderFact>) {
        for fact in facts { _ = record(fact) }
    }

    /// Unites `fact` with what is known. Repetition and order of arrival change nothing.
    @inline(__always)
    package mutating func record(_ fact: OrderFact) -> Change {
        switch fact {
        case .acknowledged:
            acknowledge()
        case .cancelled(let cause):
            cancelled = max(cancelled ?? cause, cause)
        case .rejected(let cause):
            rejected = max(rejected ?? cause, cause)
        case .executed(let execution):
            // A fill is money: it counts even after a cancel or a reject.
            return .executed(executions.keepNewest(execution))
        case .commission(let report):
            return .charged(charge(report))
        case .modified(let revision):
            return .answered(revision: revision, isMade: true)
        case .modificationRefused(let revision):
            return .answered(revision: revision, isMade: false)
        }
        return .state
    }

    /// Takes in that the venue has it.
    mutating func acknowledge() { acknowledged = true }

    /// Takes in what an execution has cost. Returns by how much the charge changes.
    @inline(__always)
    mutating func charge(_ report: CommissionReport) -> Money { executions.keepNewest(report) }

    /// The quantity executed.
    @inline(__always)
    package var filled: Quantity { executions.quantity }

    /// The quantity executed at costs that are not known yet.
    var uncharged: Quantity { executions.uncharged }

    /// The executions, newest versions, by id.
    package var allExecutions: [Execution] { executions.executions }

    /// Calls `body` with each execution, newest versions, by id, and with what it has cost so far.
    package func forEachExecution(_ body: (_ execution: Execution, _ commission: Money) -> Void) {
        executions.forEach(body)
    }

    /// What the facts say of an order for `ordered`.
    @inline(__always)
    package func state(ordered: Quantity) -> OrderState {
        let filled = filled
        if filled > ordered { return .overfilled }
        if filled == ordered { return .filled }
        if rejected != nil { return .rejected }
        if cancelled != nil { return .cancelled }
        return acknowledged || !executions.isEmpty ? .working : .unacknowledged
    }
}

/// Where an order stands.
///
/// A view of facts, not a machine: any state may follow any other as facts come in, only that from
/// `cancelled`, `rejected` and `filled` nothing but executions and their corrections leads away.
package enum OrderState: Hashable, Sendable {
    /// Sent, nothing heard: it may exist and it may fill.
    case unacknowledged
    /// The venue has it.
    case working
    /// All of it was executed.
    case filled
    /// More than all of it was executed: booked, and a matter for a person.
    case overfilled
    /// It ended before all of it was executed.
    case cancelled
    /// The venue refused it.
    case rejected

    /// Whether it may still fill as far as we know.
    @inline(__always)
    package var isLive: Bool {
        switch self {
        case .unacknowledged, .working: true
        case .filled, .overfilled, .cancelled, .rejected: false
        }
    }
}
