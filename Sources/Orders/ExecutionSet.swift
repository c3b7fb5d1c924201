package import Model
import Primitives

/// The executions of one order by their base id, newest versions only, with what each has cost.
///
/// A set: adding the same thing twice, or two things in either order, gives the same value.
struct ExecutionSet: Equatable, Sendable {
    // Most orders fill at once: the first entry lives in place and costs no allocation. While its execution
    // is not known at all there is none.
    private var first = Entry()
    private var others: [Entry] = []

    /// What is known of one execution. The commission may come first.
    fileprivate struct Entry: Equatable, Sendable {
        // Until it was reported, it is of nothing, and only its number has a meaning.
        fileprivate var newest: Execution
        fileprivate var knowledge = Knowledge.nothing
        /// The version that `charged` is about; below all others before there was a report.
        fileprivate var chargedRevision = Int32.min
        /// What it has cost, by the newest report.
        fileprivate var charged = Money.zero

        /// How much was reported about an execution.
        enum Knowledge {
            /// Nothing, not even that there is one.
            case nothing
            /// Its number.
            case number
            /// A version of it.
            case version
        }

        /// That of no execution.
        init() {
            newest = Execution(
                id: ExecutionID(base: 0), instrument: InstrumentID(index: 0), side: .buy,
                quantity: .zero, price: .zero, time: .distantPast)
        }

        /// That of an execution of which only the number is known.
        init(base: Int64) {
            newest = Execution(
                id: ExecutionID(base: base), instrument: InstrumentID(index: 0), side: .buy,
                quantity: .zero, price: .zero, time: .distantPast)
            knowledge = .number
        }

        /// Whether there is an execution that it is of.
        var isKnown: Bool { knowledge != .nothing }

        private var hasVersion: Bool { knowledge == .version }

        var base: Int64 { newest.id.base }

        var execution: Execution? { hasVersion ? newest : nil }

        var quantity: Quantity { newest.quantity }

        /// What of it no report has been about yet.
        var uncharged: Quantity { chargedRevision == .min ? quantity : .zero }

        /// Whether it is an execution from a time on whose charge is not known.
        func isUncharged(from time: Timestamp) -> Bool {
            hasVersion && newest.time >= time && uncharged != .zero
        }

        @inline(__always)
        func pass(to body: (Execution, Money) -> Void) {
            if hasVersion { body(newest, charged) }
        }

        /// Takes in a version if it is newer than what is known.
        @inline(__always)
        mutating func record(_ execution: Execution) -> ExecutionChange {
            guard hasVersion else {
                newest = execution
                knowledge = .version
                return .added
            }
            guard newest.isOlder(than: execution) else { return .unchanged }
            let replaced = newest
            newest = execution
            return .replaced(replaced)
        }

        /// Takes in a report if it is newer than what is known: of one version, the larger amount is taken,
        /// whichever came first. Returns by how much the charge changes.
        @inline(__always)
        mutating func charge(_ report: CommissionReport) -> Money {
            let revision = report.execution.revision
            let isNewer =
                revision != chargedRevision
                ? revision > chargedRevision : report.amount > charged
            guard isNewer else { return .zero }
            let change = report.amount - charged
            (charged, chargedRevision) = (report.amount, revision)
            return change
        }
    }

    /// The quantity executed.
    @inline(__always)
    var quantity: Quantity {
        others.isEmpty ? first.quantity : others.reduce(first.quantity) { $0 + $1.quantity }
    }

    /// The quantity executed whose commission is not known yet.
    var uncharged: Quantity {
        var sum = first.uncharged
        for entry in others { sum += entry.uncharged }
        return sum
    }

    /// The newest versions, by base id.
    var executions: [Execution] {
        ([first] + others).compactMap(\.execution)
    }

    /// Calls `body` with each execution, newest versions, by base id, and with what it has cost so far.
    @inline(__always)
    func forEach(_ body: (_ execution: Execution, _ commission: Money) -> Void) {
        // One call for the usual order of one execution, without an array around it.
        first.pass(to: body)
        for entry in others { entry.pass(to: body) }
    }

    /// The newest versions, by base id, of executions whose commission is not known yet.
    var unchargedExecutions: [Execution] {
        ([first] + others).filter { $0.uncharged != .zero }.compactMap(\.execution)
    }

    /// Whether anything is known.
    var isEmpty: Bool { !first.isKnown }

    /// Keeps the newest version of an execution.
    @inline(__always)
    mutating func keepNewest(_ execution: Execution) -> ExecutionChange {
        update(base: execution.id.base) { $0.record(execution) }
    }

    /// Keeps the newest version of a commission. Returns by how much the charge changes.
    @inline(__always)
    mutating func keepNewest(_ report: CommissionReport) -> Money {
        update(base: report.execution.base) { $0.charge(report) }
    }

    @inline(__always)
    private mutating func update<Change>(
        base: Int64, _ change: (inout Entry) -> Change
    ) -> Change {
        if !first.isKnown { first = Entry(base: base) }
        if first.base == base { return change(&first) }
        return updateOther(base: base, change)
    }

    private mutating func updateOther<Change>(
        base: Int64, _ change: (inout Entry) -> Change
    ) -> Change {
        if base < first.base {
            others.insert(first, at: 0)
            first = Entry(base: base)
            return change(&first)
        }
        let isTwice = PlantedBug.executionCountedTwice.isPlanted
        let slot =
            others.firstIndex { isTwice ? $0.base > base : $0.base >= base } ?? others.count
        if slot == others.count || others[slot].base != base {
            others.insert(Entry(base: base), at: slot)
        }
        return change(&others[slot])
    }
}

/// What an execution changed in its set.
package enum ExecutionChange: Equatable, Sendable {
    /// It was known, in this version or a newer one.
    case unchanged
    /// It is new.
    case added
    /// It takes the place of this version.
    case replaced(Execution)
}

extension Execution {
    /// Whether `other` takes this version's place. Versions count; should a venue send two different
    /// executions as the same version, the later, then larger one is taken, whichever came first.
    package func isOlder(than other: Execution) -> Bool {
        if id.revision != other.id.revision { return id.revision < other.id.revision }
        if time != other.time { return time < other.time }
        if price != other.price { return price < other.price }
        if quantity != other.quantity { return quantity < other.quantity }
        if instrument != other.instrument { return instrument < other.instrument }
        return side == .sell && other.side == .buy
    }
}

/// Executions and costs as records: each is written apart.
extension ExecutionSet {
    /// Calls `body` for each execution of which anything is known, by base id, with what writes it.
    func forEachRecord(_ body: ((inout RecordWriter) -> Void) -> Void) {
        guard first.isKnown else { return }
        body { first.write(to: &$0) }
        for entry in others { body { entry.write(to: &$0) } }
    }

    /// Takes in an execution whose base id is above those before it. Throws, too, when the sum of quantities could
    /// not be represented.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let entry = try reader.value(Entry.self)
        guard first.isKnown else { return first = entry }
        guard (others.last ?? first).base < entry.base,
            !quantity.units.addingReportingOverflow(entry.quantity.units).overflow
        else { throw reader.damage }
        others.append(entry)
    }

    /// Whether there is a charge for an execution that is not known.
    var lacksExecutions: Bool {
        first.isKnown && (first.execution == nil || others.contains { $0.execution == nil })
    }

    /// Whether there is an execution from a time on whose charge is not known.
    func isUncharged(from time: Timestamp) -> Bool {
        first.isUncharged(from: time) || others.contains { $0.isUncharged(from: time) }
    }
}

extension ExecutionSet.Entry: RecordValue {
    /// Writes the newest version, or 0 and the number where only that is known, and what it has cost.
    func write(to writer: inout RecordWriter) {
        writer.write(execution != nil)
        if let execution { writer.write(execution) } else { writer.write(base) }
        writer.write(chargedRevision)
        writer.write(charged)
    }

    /// What is known of an execution, as written.
    init(from reader: inout RecordReader) throws(RecordError) {
        if try reader.flag() {
            self.init()
            newest = try reader.value(Execution.self)
            knowledge = .version
        } else {
            self.init(base: try reader.word())
        }
        chargedRevision = try reader.int32()
        charged = try reader.money()
    }
}
