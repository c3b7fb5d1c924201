import Journal
import Model
import Primitives

/// The way into the journal.
protocol SessionRecord: AnyObject {
    /// Takes a batch; it need not be durable yet.
    func append(_ batch: RecordBatch, at time: Timestamp)
    /// Returns once everything taken is durable. After an error all of it is kept for the next call.
    func commit() throws(JournalError)
    /// How many bytes there is room for where it lies; `nil` if that is not known.
    var freeSpace: Int64? { get }
    /// False where orders leave before they are durable, for measurements.
    var isAwaited: Bool { get }
}

extension SessionRecord {
    /// True: nothing leaves before it is durable.
    var isAwaited: Bool { true }
}

/// Keeps a session's journal durable, and reports when that fails and when room runs out.
///
/// What could not be written is kept and tried again; the order stays as it happened. The caller lets nothing leave
/// meanwhile.
struct SessionStorage {
    private let record: (any SessionRecord)?
    /// Why nothing can be written at present.
    private(set) var failure: JournalError?
    /// When to try again, or to look at the room, next.
    private var due = Timestamp.distantPast
    /// Since when something waits to be written; `nil` if nothing does.
    private var waitingSince: Timestamp?
    /// The conditions of the room that hold.
    private var conditions: Set<SessionCondition> = []

    /// How often the room is looked at, and writing tried again.
    static let interval = Duration.seconds(1)
    /// How long what no order depends on waits to be written together.
    static let delay = Duration.milliseconds(100)
    /// With less room, people are warned: a gibibyte.
    static let warningSpace: Int64 = 1 << 30
    /// With less room, no entry leaves: 200 mebibytes.
    static let entrySpace: Int64 = 200 << 20

    /// A journal that can be written; `nil` for none.
    init(_ record: (any SessionRecord)?) { self.record = record }

    /// True while everything that was taken is written.
    var isDurable: Bool { failure == nil && waitingSince == nil }

    /// When `review` has to be called at the latest; `nil` while nothing is waited for.
    var wake: Timestamp? {
        failure == nil ? waitingSince.map { $0 + Self.delay } : due
    }

    /// Takes a batch for writing.
    mutating func append(_ batch: RecordBatch, at time: Timestamp) {
        record?.append(batch, at: time)
        waitingSince = waitingSince ?? time
    }

    /// Writes what has waited long enough: market data do not cost a write to the disk each.
    ///
    /// - Returns: what began or ended by it.
    mutating func commitWaiting(at now: Timestamp) -> [ConditionReport] {
        guard failure != nil || waitingSince.map({ now >= $0 + Self.delay }) == true else {
            return []
        }
        return commit(at: now)
    }

    /// Writes what something that leaves depends on.
    ///
    /// - Returns: what began or ended by it.
    mutating func commitBeforeLeaving(at now: Timestamp) -> [ConditionReport] {
        record?.isAwaited == false ? [] : commit(at: now)
    }

    /// Writes what was taken, unless that has failed a short time ago.
    ///
    /// - Returns: what began or ended by it.
    mutating func commit(at now: Timestamp) -> [ConditionReport] {
        guard let record, failure == nil || now >= due else { return [] }
        do throws(JournalError) {
            try record.commit()
        } catch {
            let isNew = failure == nil
            failure = error
            // A second sync would succeed, and not bring back what the first has lost.
            due = error.endsSession ? .distantFuture : now + Self.interval
            return isNew ? [ConditionReport(.journalFailing, isPresent: true)] : []
        }
        waitingSince = nil
        guard failure != nil else { return [] }
        failure = nil
        return [ConditionReport(.journalFailing, isPresent: false)]
    }

    /// Writes what was taken, at the end.
    ///
    /// - Returns: why that failed; `nil` if it did not.
    func finish() -> JournalError? {
        if let failure, failure.endsSession { return failure }
        do throws(JournalError) { try record?.commit() } catch { return error }
        return nil
    }

    /// Tries again where writing has failed, and looks at the room now and then.
    ///
    /// - Returns: what began or ended.
    mutating func review(at now: Timestamp) -> [ConditionReport] {
        guard now >= due else { return [] }
        var reports = failure == nil ? [] : commit(at: now)
        due = now + Self.interval
        guard let freeSpace = record?.freeSpace else { return reports }
        let limits = [
            (SessionCondition.diskFilling, Self.warningSpace), (.diskLow, Self.entrySpace),
        ]
        for (condition, limit) in limits {
            let isPresent = freeSpace < limit
            guard isPresent != conditions.contains(condition) else { continue }
            if isPresent { conditions.insert(condition) } else { conditions.remove(condition) }
            reports.append(ConditionReport(condition, isPresent: isPresent, value: freeSpace))
        }
        return reports
    }
}
