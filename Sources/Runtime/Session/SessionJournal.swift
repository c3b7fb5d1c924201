import Accounting
import Configuration
import Dispatch
import Journal
import Model
import Primitives
import TradingEngine

/// The journal of a live session: its folder, the file of this start, and what the one before has left.
final class SessionJournal: SessionRecord {
    /// The number in the references of its orders.
    var instance: Int32 { folder.instance }
    /// True if nothing was written to it yet.
    var isEmpty: Bool { folder.parts.isEmpty }
    /// Where it lies.
    var path: String { folder.path }
    private let folder: JournalFolder
    private var journal: Journal?
    private var part: JournalFolder.Part?
    /// How far what was written last is not noted yet.
    private var unnoted: (part: JournalFolder.Part, nextSequence: Int64)?
    private let retention: Retention
    /// What is waited for before anything leaves; less than `full` is for measurements.
    var durability = SystemSettings.JournalDurability.full
    /// Receives what the user should look at, in a sentence; from any thread.
    let complain: @Sendable (String) -> Void

    /// What becomes of days that are over.
    struct Retention {
        /// How many days are kept.
        var days = SystemSettings.journalDays
        /// True to compress and delete on a thread of its own, beside the session.
        var isBeside = true
    }

    /// Opens a folder, and makes it where there is none.
    init(
        folder path: String, newInstance: Int32, _ retention: Retention = Retention(),
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(RunFailure) {
        self.retention = retention
        self.complain = complain
        do throws(JournalError) {
            folder = try JournalFolder(path: path, newInstance: newInstance)
        } catch {
            // Another start changes nothing of it.
            if case .inUse = error { throw .notPermitted("\(error)") }
            throw .file("\(error)")
        }
    }

    /// What the newest session has left; `nil` for a new folder.
    func recover(opening: SessionOpening) throws(RunFailure) -> RecoveredSession? {
        // A start that was cut off before its first batch has left a file without a session.
        for part in folder.parts.reversed() where try hasSession(part) {
            let recovered = try RecoveredSession(folder.file(of: part), opening: opening)
            try checkMark(part, nextSequence: recovered.head.nextSequence)
            return recovered
        }
        try checkMark(nil, nextSequence: 0)
        return nil
    }

    private func checkMark(
        _ part: JournalFolder.Part?, nextSequence: Int64
    ) throws(RunFailure) {
        do throws(JournalError) {
            try folder.checkMark(part, nextSequence: nextSequence)
        } catch {
            throw .file("\(error)")
        }
    }

    /// The profit, less costs, with which the first file of this start's day begins, and the time of the newest event
    /// by then; `nil` where that file is this start's own.
    func dayOpening() throws(RunFailure) -> (profit: ExactMoney, at: Timestamp)? {
        guard let part else { return nil }
        for former in folder.parts where former.day == part.day && former < part {
            guard try hasSession(former) else { continue }
            do throws(JournalReplay.Failure) {
                return try JournalReplay.openingProfit(of: folder.file(of: former))
            } catch {
                throw error.runFailure
            }
        }
        return nil
    }

    /// The symbols of the newest session, which may have left positions and orders in them; none for a new folder.
    func symbols() throws(RunFailure) -> [String] {
        for part in folder.parts.reversed() where try hasSession(part) {
            let file = folder.file(of: part)
            let saved: [Journal.SavedPiece]
            do throws(JournalError) {
                saved = try JournalReader(file).saved()
            } catch {
                throw .file("\(error)")
            }
            return try SavedOpening(saved, of: file).symbols
        }
        return []
    }

    private func hasSession(_ part: JournalFolder.Part) throws(RunFailure) -> Bool {
        var hasBatch = false
        do throws(JournalError) {
            hasBatch = try JournalReader(folder.file(of: part)).isBegun()
        } catch {
            if case .file = error { return false }
            throw .file("\(error)")
        }
        return hasBatch
    }

    /// Begins the file of this start.
    ///
    /// - Parameters:
    ///   - configuration: as YAML that gives the same settings wherever it is read.
    ///   - first: the batch that opens the session.
    ///   - previousHash: the digest of the journal before; empty without one.
    func begin(
        on day: Day, _ saved: SavedOpening, configuration: String, _ first: RecordBatch,
        at time: Timestamp,
        previousHash: [UInt8]
    ) throws(RunFailure) {
        let pieces =
            try saved.pieces() + [
                Journal.SavedPiece(Self.configurationKind, 0, Array(configuration.utf8))
            ]
        let part = folder.newPart(on: day)
        do throws(JournalError) {
            let journal = try Journal(
                creating: folder.file(of: part), previousHash: previousHash, saved: pieces)
            journal.append(first, at: time)
            try journal.commit()
            if durability != .full { try journal.stopSyncing() }
            self.journal = journal
            self.part = part
            unnoted = nil
            folder.note(part, nextSequence: journal.nextSequence)
            folder.keepReserve()
        } catch {
            // The one before goes on, or the start fails: either way nothing happened in this one.
            folder.discard(part)
            throw .file("\(error)")
        }
        tidy(behind: part)
    }

    /// Compresses and deletes what is old, without the session waiting for it.
    private func tidy(behind part: JournalFolder.Part) {
        let (folder, days, complain) = (folder, retention.days, complain)
        let work: @Sendable () -> Void = {
            for error in folder.tidy(behind: part, keeping: days) {
                complain("warning: an old day of the journal stays as it is. \(error)")
            }
            ProcessHeap.trim()
        }
        if retention.isBeside {
            DispatchQueue.global(qos: .utility).async(execute: work)
        } else {
            work()
        }
    }

    /// The digest of what was written so far; empty before the first.
    var headHash: [UInt8] { journal?.headHash ?? [] }

    /// The kind of the saved piece that is the configuration as YAML.
    static let configurationKind = "configuration"

    /// The bytes of this start's file.
    var byteCount: Int64 { journal?.byteCount ?? 0 }

    func append(_ batch: RecordBatch, at time: Timestamp) { journal?.append(batch, at: time) }

    /// Writes; when the disk is full, into the room that was kept for that.
    func commit() throws(JournalError) {
        guard let journal, let part, journal.hasPending else { return }
        do throws(JournalError) {
            try journal.commit()
        } catch {
            // Closing the database would move pages about, of which it is not known what the disk has.
            if error.endsSession { _ = Unmanaged.passRetained(journal) }
            guard case .diskFull = error, folder.releaseReserve() else { throw error }
            try journal.commit()
        }
        unnoted = (part, journal.nextSequence)
    }

    /// Notes how far it was written, beside it: to be called when nothing waits for that.
    func noteWritten() {
        guard let (part, nextSequence) = unnoted else { return }
        folder.note(part, nextSequence: nextSequence)
        unnoted = nil
    }

    var freeSpace: Int64? { folder.freeSpace }

    var isAwaited: Bool { durability != .off }
}
