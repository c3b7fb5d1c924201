import Journal
import Model
import Primitives
import TradingEngine

/// The journal of a live session: its folder, the file of this start, and what the one before has left.
final class SessionJournal: SessionRecord {
    /// The number in the references of its orders.
    var instance: Int32 { folder.instance }
    private let folder: JournalFolder
    private var journal: Journal?

    /// Opens a folder, and makes it where there is none.
    init(folder path: String, newInstance: Int32) throws(RunFailure) {
        do throws(JournalError) {
            folder = try JournalFolder(path: path, newInstance: newInstance)
        } catch {
            throw .file("\(error)")
        }
    }

    /// What the newest session has left; `nil` for a new folder.
    func recover(opening: SessionOpening) throws(RunFailure) -> RecoveredSession? {
        // A start that was cut off before its first batch has left a file without a session.
        for part in folder.parts.reversed() where try hasSession(part) {
            return try RecoveredSession(folder.file(of: part), opening: opening)
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
            return try SavedOpening(saved, of: file).instruments.map(\.symbol)
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
        do throws(JournalError) {
            let journal = try Journal(
                creating: folder.file(of: folder.newPart(on: day)), previousHash: previousHash,
                saved: pieces)
            journal.append(first, at: time)
            try journal.commit()
            self.journal = journal
            folder.keepReserve()
        } catch {
            throw .file("\(error)")
        }
    }

    /// The kind of the saved piece that is the configuration as YAML.
    static let configurationKind = "configuration"

    /// The bytes of this start's file.
    var byteCount: Int64 { journal?.byteCount ?? 0 }

    func append(_ batch: RecordBatch, at time: Timestamp) { journal?.append(batch, at: time) }

    /// Writes; when the disk is full, into the room that was kept for that.
    func commit() throws(JournalError) {
        do throws(JournalError) {
            try journal?.commit()
        } catch {
            guard case .diskFull = error, folder.releaseReserve() else { throw error }
            try journal?.commit()
        }
    }

    var freeSpace: Int64? { folder.freeSpace }
}
