import GRDB
import Glibc
import Primitives

/// Days that are over: compressed, and deleted once they are old enough.
extension JournalFolder {
    /// How many files are compressed in one call: a folder of many days is not worked off in one go.
    package static let packedMax = 16

    /// Compresses the files of earlier days, and deletes those that are older than they have to be kept.
    ///
    /// A process that dies meanwhile leaves every day readable. What recovery needs is never touched.
    ///
    /// - Parameters:
    ///   - newest: the newest file with a session; it, what is behind it, and its day are left as they are.
    ///   - days: how many days are kept, that of `newest` left out.
    /// - Returns: what could not be done, and why.
    package func tidy(behind newest: Part, keeping days: Int) -> [JournalError] {
        for name in Self.names(in: path) where name.hasSuffix(Self.unfinishedSuffix) {
            unlink("\(path)/\(name)")
        }
        var errors: [JournalError] = []
        var packed = 0
        for part in parts where part.day < newest.day {
            let plain = "\(path)/\(part.name)"
            if part.day < newest.day.advanced(by: -days) {
                remove(plain)
                unlink(plain + Self.packedEnding)
            } else if access(plain, F_OK) == 0, packed < Self.packedMax {
                packed += 1
                do throws(JournalError) { try pack(plain) } catch { errors.append(error) }
            }
        }
        syncFolder()
        return errors
    }

    /// Deletes a file in which no session has begun.
    package func discard(_ part: Part) { remove("\(path)/\(part.name)") }

    static let unfinishedSuffix = ".unfinished"

    /// Replaces a file by its compressed form.
    private func pack(_ plain: String) throws(JournalError) {
        try Self.close(plain)
        let packed = plain + Self.packedEnding
        let unfinished = packed + Self.unfinishedSuffix
        defer { unlink(unfinished) }
        let hash = try PackedFile.pack(plain, into: unfinished)
        guard try PackedFile.unpack(unfinished, into: nil) == hash else {
            throw .file(unfinished, "it is not what was written")
        }
        guard rename(unfinished, packed) == 0 else {
            throw .file(packed, String(cString: strerror(errno)))
        }
        syncFolder()
        remove(plain)
    }

    /// Brings all of a database into its one file.
    private static func close(_ file: String) throws(JournalError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(0.5)
        try Journal.perform(file) {
            let database = try DatabaseQueue(path: file, configuration: configuration)
            let mode = try database.inDatabase { db in
                try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            }
            try database.close()
            guard mode == "delete" else { throw JournalError.locked(file) }
        }
    }

    private func remove(_ plain: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(plain + suffix) }
    }

    private func syncFolder() {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        Glibc.close(folder)
    }
}
