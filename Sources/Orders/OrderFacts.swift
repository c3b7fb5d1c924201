package import Model
package import Primitives

/// All that was reported about one order. Facts only accumulate; the state is a view of them.
///
/// What was filled comes from executions alone. What else is reported is kept as "this was reported", so that
/// union is all there is to it: any order of arrival and any repetition gives the same value.
package struct OrderFacts: Equatable, Sendable {
    // First: the flags use the bytes behind it.
    private var executions = ExecutionSet()

    /// Everything but executions and costs.
    private var statusFacts = StatusFacts()

    /// The reports but executions and costs. In eight bytes, so that where the order stands is computed
    /// without a copy of its executions.
    fileprivate struct StatusFacts: Equatable, Sendable {
        var flags: Flags = []
        var cancelled: CancelCause?
        var rejected: RejectCause?
        /// The statuses that the broker has sent unasked.
        var reported: Statuses = []
        /// With what the broker has listed it as open.
        var listedOpen: Statuses = []
        /// With what the broker has listed it as completed.
        var listedCompleted: Statuses = []
        /// The number of the newest closure, which is odd, or reopening, which is even; 0 before the first.
        var closure: UInt8 = 0
    }

    /// What was reported at least once.
    fileprivate struct Flags: OptionSet, Equatable, Sendable {
        let rawValue: UInt16

        static let acknowledged = Flags(rawValue: 1 << 0)
        /// Anything was reported that a simulated venue does not report: set with each of the following.
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

    /// Statuses that were reported at least once.
    fileprivate struct Statuses: OptionSet, Equatable, Sendable {
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
        /// An execution was reported; what is new about it.
        case executed(ExecutionChange)
        /// What the order has cost changed by this much.
        case charged(Money)
        /// A change that we asked for was made or refused.
        case answered(revision: Int32, isMade: Bool)
    }

    /// Nothing reported yet.
    package init() {}

    /// The facts, in any order.
    package init(recording facts: some Sequence<OrderFact>) {
        for fact in facts { _ = record(fact) }
    }

    /// Unites `fact` with what is known. Repetition and order of arrival change nothing.
    @inline(__always)
    package mutating func record(_ fact: OrderFact) -> Change {
        switch fact {
        case .acknowledged: acknowledge()
        case .cancelled(let cause):
            statusFacts.cancelled = max(statusFacts.cancelled ?? cause, cause)
        case .rejected(let cause): statusFacts.rejected = max(statusFacts.rejected ?? cause, cause)
        // A fill is money: it counts even after a cancel or a reject.
        case .executed(let execution): return .executed(executions.keepNewest(execution))
        case .commission(let report): return .charged(charge(report))
        case .modified(let revision): return .answered(revision: revision, isMade: true)
        case .modificationRefused(let revision): return .answered(revision: revision, isMade: false)
        case .notSent: statusFacts.insert(.notSent)
        case .sendInterrupted: statusFacts.insert(.sendInterrupted)
        case .status(let status): statusFacts.insert(reported: status)
        case .listedOpen(let status): statusFacts.insert(open: status)
        case .listedCompleted(let status): statusFacts.insert(completed: status)
        case .rejectedByBroker(let message): statusFacts.rejectByBroker(message.cause)
        case .cancelledByBroker: statusFacts.insert(.endedByCode)
        case .heldByBroker: statusFacts.insert(.held)
        case .probeAnswer(let answer): statusFacts.insert(answer)
        case .acknowledgementOverdue: statusFacts.insert(.overdue)
        case .closed(let closure): statusFacts.close(closure)
        case .reopened(let number): statusFacts.reopen(number)
        // An information ends nothing and starts nothing.
        case .message: break
        }
        return .state
    }

    /// Takes in that the venue has it.
    mutating func acknowledge() { statusFacts.flags.insert(.acknowledged) }

    /// Takes in what an execution has cost. Returns by how much the charge changes.
    @inline(__always)
    mutating func charge(_ report: CommissionReport) -> Money { executions.keepNewest(report) }

    /// The venue has it.
    package var acknowledged: Bool { statusFacts.flags.contains(.acknowledged) }

    /// It no longer works, and why: the gravest cause reported. A cause that the broker left out is missing
    /// here, see `isCancelled`.
    package var cancelled: CancelCause? { statusFacts.cancelled }

    /// The venue refused it, and why: the gravest cause reported.
    package var rejected: RejectCause? { statusFacts.rejected }

    /// The quantity executed.
    @inline(__always)
    package var filled: Quantity { executions.quantity }

    /// The quantity executed at costs that are not known yet.
    var uncharged: Quantity { executions.uncharged }

    /// The executions, newest versions, by id, of which it is not known what they have cost.
    package var unchargedExecutions: [Execution] { executions.unchargedExecutions }

    /// The executions, newest versions, by id.
    package var allExecutions: [Execution] { executions.executions }

    /// Calls `body` with each execution, newest versions, by id, and with what it has cost so far.
    @inline(__always)
    package func forEachExecution(_ body: (_ execution: Execution, _ commission: Money) -> Void) {
        executions.forEach(body)
    }

    /// What the facts show of an order for `ordered`.
    @inline(__always)
    package func state(ordered: Quantity) -> OrderState {
        let filled = filled
        if filled > ordered { return .overfilled }
        if filled == ordered { return .filled }
        if isBrokers { return statusFacts.state(hasExecutions: !executions.isEmpty) }
        if rejected != nil { return .rejected }
        if cancelled != nil { return .cancelled }
        return acknowledged || !executions.isEmpty ? .working : .unacknowledged
    }
}

/// What a broker behind a link adds.
extension OrderFacts {
    /// Whether anything was reported that a simulated venue does not report.
    @inline(__always)
    var isBrokers: Bool { statusFacts.flags.contains(.isBrokers) }

    /// Whether the broker had it at some time.
    package var wasAtBroker: Bool { statusFacts.wasAtBroker || !executions.isEmpty }

    /// Whether anything says that it was cancelled, with a cause or without.
    package var isCancelled: Bool { statusFacts.isCancelled }

    /// Whether the broker reports all of it as filled. Only executions show what that was.
    package var isReportedFilled: Bool { statusFacts.isReportedFilled }

    /// Whether the broker has held it at some time: it waited for shares, for a check or for the user.
    package var wasHeld: Bool {
        statusFacts.flags.contains(.held)
            || statusFacts.reported.union(statusFacts.listedOpen).contains(.inactive)
    }

    /// Whether it is taken to be at the broker no more, by a closure.
    package var isClosed: Bool { statusFacts.isClosed }

    /// Whether it counts as live again after it had ended.
    package var isReopened: Bool { statusFacts.isReopened }

    /// The number of the closure that may be next; `nil` while it is closed, and when numbers have run out.
    package var nextClosure: UInt8? {
        isClosed || statusFacts.closure == .max - 1 ? nil : statusFacts.closure + 1
    }

    /// The number of the reopening that may be next; `nil` while it is reopened, and when numbers have run
    /// out.
    package var nextReopening: UInt8? {
        guard statusFacts.closure == 0 || isClosed else { return nil }
        // An end that was reported before is none; one that is reported later is.
        let remainder: UInt8 = rejected == nil && !isCancelled ? 0 : 2
        let least = statusFacts.closure
        return (least..<UInt8.max - 1).first { $0 > least && $0 % 4 == remainder }
    }

    /// The newest version of an execution; `nil` if it is not known.
    func execution(base: Int64) -> Execution? {
        executions.executions.first { $0.id.base == base }
    }

    /// Takes what a broker has reported into a digest.
    func hashBrokers(into hasher: inout StateHasher) {
        hasher.combine(UInt64(statusFacts.flags.rawValue) << 8 | UInt64(statusFacts.closure))
        hasher.combine(
            UInt64(statusFacts.reported.rawValue) << 16 | UInt64(statusFacts.listedOpen.rawValue)
                << 8
                | UInt64(statusFacts.listedCompleted.rawValue))
    }
}

extension OrderFacts.StatusFacts {
    // MARK: Taking in

    mutating func insert(_ flag: OrderFacts.Flags) {
        flags.insert([.isBrokers, flag])
    }

    mutating func insert(reported status: BrokerStatus) {
        flags.insert(.isBrokers)
        reported.insert(OrderFacts.Statuses(status))
    }

    mutating func insert(open status: BrokerStatus) {
        flags.insert(.isBrokers)
        listedOpen.insert(OrderFacts.Statuses(status))
    }

    mutating func insert(completed status: BrokerStatus) {
        flags.insert(.isBrokers)
        listedCompleted.insert(OrderFacts.Statuses(status))
    }

    mutating func insert(_ answer: ProbeAnswer) {
        switch answer {
        case .notFound: insert(.probeNotFound)
        case .tooLate: insert(.probeTooLate)
        case .filled: insert(.probeFilled)
        case .cancelled: insert(.probeCancelled)
        case .pendingCancel: insert(.probePending)
        }
    }

    mutating func rejectByBroker(_ cause: RejectCause) {
        flags.insert(.isBrokers)
        let cause = max(cause, .byBroker)
        rejected = max(rejected ?? cause, cause)
    }

    mutating func close(_ closure: OrderClosure) {
        flags.insert(.isBrokers)
        // One without its proof says nothing.
        if closure.isProven { self.closure = max(self.closure, closure.number) }
    }

    mutating func reopen(_ number: UInt8) {
        flags.insert(.isBrokers)
        if number % 2 == 0 { closure = max(closure, number) }
    }

    // MARK: What it shows

    var wasAtBroker: Bool {
        !flags.isDisjoint(with: .brokerHadIt)
            || !reported.union(listedOpen).union(listedCompleted).isEmpty
    }

    var isCancelled: Bool {
        cancelled != nil || !flags.isDisjoint(with: [.endedByCode, .probeCancelled])
            || !reported.union(listedOpen).union(listedCompleted).isDisjoint(with: .cancelled)
            || listedCompleted.contains(.inactive)
    }

    var isReportedFilled: Bool {
        flags.contains(.probeFilled)
            || reported.union(listedOpen).union(listedCompleted).contains(.filled)
    }

    var isClosed: Bool { closure % 2 == 1 }

    var isReopened: Bool { closure != 0 && closure % 2 == 0 }

    /// True if it was taken to be live again over an end that was reported. Behind a closure, or where it was taken not to
    /// have been sent, its end is still to come.
    var overrulesEnds: Bool { isReopened && closure % 4 == 2 }

    /// Where an order stands that is not filled and about which a broker has reported something.
    ///
    /// - A closure holds over everything before it, and a reopening over every end before it.
    /// - "Not sent" holds only while nothing shows the order at the broker and no byte may have left.
    /// - `inactive` alone is held: it is live and counts as working. With a rejection's code it is rejected,
    ///   in a list of completed orders it has ended.
    @inline(never)
    func state(hasExecutions: Bool) -> OrderState {
        if isClosed { return .closed }
        let wasAtBroker = wasAtBroker || hasExecutions
        if !overrulesEnds {
            if rejected != nil { return .rejected }
            if isCancelled { return .cancelled }
        }
        if !isReopened, flags.contains(.notSent), !flags.contains(.sendInterrupted), !wasAtBroker {
            return .notSent
        }
        if isReportedFilled { return .executionsMissing }
        // It cannot be cancelled any more, and nothing says yet how it ended.
        if flags.contains(.probeTooLate) { return .unknown }
        if wasAtBroker || isReopened { return .working }
        return flags.isDisjoint(with: .doubt) ? .unacknowledged : .unknown
    }
}

/// Where an order stands.
///
/// A view of facts, not a machine: any state may follow any other as facts come in, only that from
/// `cancelled`, `rejected`, `notSent`, `closed` and `filled` nothing leads away but executions, their
/// corrections and, from the first four, the broker's having the order after all.
package enum OrderState: Hashable, Sendable {
    /// Sent, nothing reported: it may exist and it may fill.
    case unacknowledged
    /// The venue has it.
    case working
    /// All of it was executed.
    case filled
    /// More than all of it was executed: booked, and a matter for the user.
    case overfilled
    /// It ended before all of it was executed.
    case cancelled
    /// The venue refused it.
    case rejected
    /// What became of it is not known: it may work, have filled or never have existed. Evidence ends this,
    /// never time.
    case unknown
    /// The broker reports it as filled, and not all its executions are known. What is missing counts as
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

    /// Whether all of it was filled, or more.
    package var isFilled: Bool { self == .filled || self == .overfilled }
}

/// The facts reported about an order as records: the topics `fact` and `execution`.
extension OrderFacts {
    /// Writes a record of everything but executions, unless there is nothing.
    func writeReported(of order: OrderID, to writer: inout RecordWriter) {
        guard statusFacts != StatusFacts() else { return }
        writer.item(.fact) { writer in
            writer.write(order)
            writer.write(statusFacts)
        }
    }

    /// Writes a record for each execution.
    func writeExecutions(of order: OrderID, to writer: inout RecordWriter) {
        executions.forEachRecord { write in
            writer.item(.execution) { writer in
                writer.write(order)
                write(&writer)
            }
        }
    }

    /// Takes in everything but executions.
    mutating func readReported(_ reader: inout RecordReader) throws(RecordError) {
        statusFacts = try reader.value(StatusFacts.self)
    }

    /// Takes in an execution, which comes behind those before it.
    mutating func readExecution(_ reader: inout RecordReader) throws(RecordError) {
        try executions.read(&reader)
    }

    /// Whether nothing more is to be expected of its executions: all are known, and those from a time on have
    /// charges.
    func isCharged(from time: Timestamp) -> Bool {
        !executions.lacksExecutions && !executions.isUncharged(from: time)
    }
}

extension OrderFacts.StatusFacts: RecordValue {
    /// Writes each part as a number.
    func write(to writer: inout RecordWriter) {
        writer.write(Int(flags.rawValue))
        writer.write(optional: cancelled.map { Int64($0.rawValue) })
        writer.write(optional: rejected.map { Int64($0.rawValue) })
        for statuses in [reported, listedOpen, listedCompleted] {
            writer.write(Int(statuses.rawValue))
        }
        writer.write(Int(closure))
    }

    /// The reported statuses, as written.
    init(from reader: inout RecordReader) throws(RecordError) {
        guard let bits = UInt16(exactly: try reader.word()), bits < 1 << 12 else {
            throw reader.damage
        }
        flags = OrderFacts.Flags(rawValue: bits)
        cancelled = try reader.flag() ? try reader.raw(CancelCause.self) : nil
        rejected = try reader.flag() ? try reader.raw(RejectCause.self) : nil
        reported = OrderFacts.Statuses(rawValue: try reader.byte())
        listedOpen = OrderFacts.Statuses(rawValue: try reader.byte())
        listedCompleted = OrderFacts.Statuses(rawValue: try reader.byte())
        closure = try reader.byte()
    }
}

/// All that was reported about an order, in one item.
extension OrderFacts: RecordValue {
    /// Writes the reported statuses, how many executions there are, and each.
    package func write(to writer: inout RecordWriter) {
        writer.write(statusFacts)
        var count = 0
        executions.forEachRecord { _ in count += 1 }
        writer.write(count)
        executions.forEachRecord { write in write(&writer) }
    }

    /// The facts as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        statusFacts = try reader.value(StatusFacts.self)
        for _ in 0..<(try reader.count()) { try executions.read(&reader) }
    }
}
