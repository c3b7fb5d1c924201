package import Model
package import Primitives

/// All we have been told about one order. Facts only accumulate; the state is a view of them.
///
/// What was filled comes from executions alone. What else is told is kept as "this was said", so that union is
/// all there is to it: any order of arrival and any repetition gives the same value.
package struct OrderFacts: Equatable, Sendable {
    // First: the flags use the bytes behind it.
    private var executions = ExecutionSet()

    private var flags: Flags = []
    /// It no longer works, and why: the gravest cause told. A cause that the broker left out is missing here,
    /// see `isCancelled`.
    package private(set) var cancelled: CancelCause?
    /// The venue refused it, and why: the gravest cause told.
    package private(set) var rejected: RejectCause?
    /// What the broker has said of itself.
    private var said: Statuses = []
    /// With what the broker has listed it as open.
    private var listedOpen: Statuses = []
    /// With what the broker has listed it as completed.
    private var listedCompleted: Statuses = []
    /// The number of the newest closure, which is odd, or reopening, which is even; 0 before the first.
    private var closure: UInt8 = 0

    /// What was told at least once.
    private struct Flags: OptionSet, Equatable, Sendable {
        let rawValue: UInt16

        static let acknowledged = Flags(rawValue: 1 << 0)
        /// Anything was told that a simulated venue does not tell: set with each of the following.
        static let isBrokers = Flags(rawValue: 1 << 1)
        static let notSent = Flags(rawValue: 1 << 2)
        static let sendInterrupted = Flags(rawValue: 1 << 3)
        static let overdue = Flags(rawValue: 1 << 4)
        static let held = Flags(rawValue: 1 << 5)
        static let endedByCode = Flags(rawValue: 1 << 6)
        static let probeNotFound = Flags(rawValue: 1 << 7)
        static let probeTooLate = Flags(rawValue: 1 << 8)
        static let probeFilled = Flags(rawValue: 1 << 9)
        static let probeCancelled = Flags(rawValue: 1 << 10)
        static let probePending = Flags(rawValue: 1 << 11)

        /// Any of these shows that the broker had it.
        static let brokerHadIt: Flags = [
            .acknowledged, .held, .probeTooLate, .probeFilled, .probePending,
        ]
        /// Any of these, and nothing from the broker, leaves open what became of it.
        static let doubt: Flags = [.sendInterrupted, .overdue, .probeNotFound]
    }

    /// Statuses that were told at least once.
    private struct Statuses: OptionSet, Equatable, Sendable {
        let rawValue: UInt8

        init(rawValue: UInt8) { self.rawValue = rawValue }
        init(_ status: BrokerStatus) { rawValue = 1 << status.rawValue }

        static let cancelled: Statuses = [Statuses(.cancelled), Statuses(.apiCancelled)]
        static let filled = Statuses(.filled)
        static let inactive = Statuses(.inactive)
    }

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
        // An information ends nothing and starts nothing.
        case .message: break
        case .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .probeAnswer, .acknowledgementOverdue, .closed,
            .reopened:
            recordBrokers(fact)
        }
        return .state
    }

    /// Takes in what only a broker behind a link makes one say. Not inlined: it is no part of a backtest.
    @inline(never)
    private mutating func recordBrokers(_ fact: OrderFact) {
        flags.insert(.isBrokers)
        switch fact {
        case .notSent: flags.insert(.notSent)
        case .sendInterrupted: flags.insert(.sendInterrupted)
        case .status(let status): said.insert(Statuses(status))
        case .listedOpen(let status): listedOpen.insert(Statuses(status))
        case .listedCompleted(let status): listedCompleted.insert(Statuses(status))
        case .rejectedByBroker: rejected = .byBroker
        case .cancelledByBroker: flags.insert(.endedByCode)
        case .heldByBroker: flags.insert(.held)
        case .probeAnswer(let answer): flags.insert(Self.flag(of: answer))
        case .acknowledgementOverdue: flags.insert(.overdue)
        // One without its proof says nothing.
        case .closed(let closure): if closure.isProven { raiseClosure(to: closure.number) }
        case .reopened(let number): if number % 2 == 0 { raiseClosure(to: number) }
        case .acknowledged, .executed, .commission, .cancelled, .rejected, .modified,
            .modificationRefused, .message:
            preconditionFailure("a venue's fact is recorded where it is told")
        }
    }

    private static func flag(of answer: ProbeAnswer) -> Flags {
        switch answer {
        case .notFound: .probeNotFound
        case .tooLate: .probeTooLate
        case .filled: .probeFilled
        case .cancelled: .probeCancelled
        case .pendingCancel: .probePending
        }
    }

    private mutating func raiseClosure(to number: UInt8) { closure = max(closure, number) }

    /// Takes in that the venue has it.
    mutating func acknowledge() { flags.insert(.acknowledged) }

    /// Takes in what an execution has cost. Returns by how much the charge changes.
    @inline(__always)
    mutating func charge(_ report: CommissionReport) -> Money { executions.keepNewest(report) }

    /// The venue has it.
    package var acknowledged: Bool { flags.contains(.acknowledged) }

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
        if isBrokers { return brokersState }
        if rejected != nil { return .rejected }
        if cancelled != nil { return .cancelled }
        return acknowledged || !executions.isEmpty ? .working : .unacknowledged
    }
}

/// What a broker behind a link adds.
extension OrderFacts {
    /// Whether anything was told that a simulated venue does not tell.
    @inline(__always)
    var isBrokers: Bool { flags.contains(.isBrokers) }

    /// Whether the broker had it at some time.
    package var wasAtBroker: Bool {
        !flags.isDisjoint(with: .brokerHadIt) || !executions.isEmpty
            || !said.union(listedOpen).union(listedCompleted).isEmpty
    }

    /// Whether anything says that it was cancelled, with a cause or without.
    package var isCancelled: Bool {
        cancelled != nil || !flags.isDisjoint(with: [.endedByCode, .probeCancelled])
            || !said.union(listedOpen).union(listedCompleted).isDisjoint(with: .cancelled)
            || listedCompleted.contains(.inactive)
    }

    /// Whether the broker says that all of it was filled. Only executions say what that was.
    package var isSaidFilled: Bool {
        flags.contains(.probeFilled)
            || said.union(listedOpen).union(listedCompleted).contains(.filled)
    }

    /// Whether the broker has held it at some time: it waited for shares, for a check or for the user.
    package var wasHeld: Bool {
        flags.contains(.held) || said.union(listedOpen).contains(.inactive)
    }

    /// Whether a list has shown it as open.
    package var wasListedOpen: Bool { !listedOpen.isEmpty }

    /// Whether it is taken to be at the broker no more, by a closure.
    package var isClosed: Bool { closure % 2 == 1 }

    /// Whether it counts as live again after it had ended.
    package var isReopened: Bool { closure != 0 && closure % 2 == 0 }

    /// The number of the closure that may be next; `nil` while it is closed, and when numbers have run out.
    package var nextClosure: UInt8? { isClosed || closure == .max - 1 ? nil : closure + 1 }

    /// The number of the reopening that may be next; `nil` while it is reopened, and when numbers have run
    /// out.
    package var nextReopening: UInt8? {
        if closure == 0 { return 2 }
        return isClosed && closure < .max - 1 ? closure + 1 : nil
    }

    /// The newest version of an execution; `nil` if it is not known.
    func execution(base: Int64) -> Execution? {
        executions.executions.first { $0.id.base == base }
    }

    /// Where an order stands that is not filled and of which a broker has said something.
    ///
    /// - A closure holds over everything before it, and a reopening over every end before it.
    /// - "Not sent" holds only while nothing shows the order at the broker and no byte may have left.
    /// - `inactive` alone is held: it is live and counts as working. With a rejection's code it is rejected,
    ///   in a list of completed orders it has ended.
    private var brokersState: OrderState {
        if isClosed { return .closed }
        if !isReopened {
            if rejected != nil { return .rejected }
            if isCancelled { return .cancelled }
            if flags.contains(.notSent), !flags.contains(.sendInterrupted), !wasAtBroker {
                return .notSent
            }
        }
        if isSaidFilled { return .executionsMissing }
        // It cannot be cancelled any more, and nothing says yet how it ended.
        if flags.contains(.probeTooLate) { return .unknown }
        if wasAtBroker || isReopened { return .working }
        return flags.isDisjoint(with: .doubt) ? .unacknowledged : .unknown
    }

    /// Takes what a broker has said into a digest.
    func hashBrokers(into hasher: inout StateHasher) {
        hasher.combine(UInt64(flags.rawValue) << 8 | UInt64(closure))
        hasher.combine(
            UInt64(said.rawValue) << 16 | UInt64(listedOpen.rawValue) << 8
                | UInt64(listedCompleted.rawValue))
    }
}

/// Where an order stands.
///
/// A view of facts, not a machine: any state may follow any other as facts come in, only that from
/// `cancelled`, `rejected`, `notSent`, `closed` and `filled` nothing leads away but executions, their
/// corrections and, from the first four, the broker's having the order after all.
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
    /// What became of it is not known: it may work, have filled or never have existed. Evidence ends this,
    /// never time.
    case unknown
    /// The broker says that it is filled, and not all its executions are known. What is missing counts as
    /// working.
    case executionsMissing
    /// It never left us.
    case notSent
    /// The broker has it no more, as a proof or the user says.
    case closed

    /// Whether it may still fill as far as we know.
    @inline(__always)
    package var isLive: Bool {
        switch self {
        case .unacknowledged, .working, .unknown, .executionsMissing: true
        case .filled, .overfilled, .cancelled, .rejected, .notSent, .closed: false
        }
    }
}
