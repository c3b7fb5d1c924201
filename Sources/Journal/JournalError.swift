/// Why a journal cannot be used, as a sentence that says what, where and what to do.
package enum JournalError: Error, Hashable, Sendable {
    /// Another process, or another session of this one, has it.
    case inUse(folder: String, by: String)
    /// The folder cannot be made or written to.
    case folder(String, String)
    /// The file cannot be read or written.
    case file(String, String)
    /// There is no space left.
    case diskFull(String)
    /// The file is locked by another program for too long.
    case locked(String)
    /// What is in the file is not what was written, from this event on.
    case damaged(String, sequence: Int64, String)
    /// Events were written from this one on, and are not there: the file is an older copy, or its log was deleted.
    case missing(String, sequence: Int64, mark: String)
    /// The file is of a newer version of the program.
    case newerFormat(String)
    /// The system does not keep what was written through a loss of power.
    case notDurable(String)
    /// The disk has failed to keep what was written (fsync): what of it is there is not known, and a second call that
    /// succeeds says nothing about the first.
    case notSynced(String)
}

extension JournalError {
    /// True if what is there is not what was written.
    package var isDamage: Bool {
        switch self {
        case .damaged, .missing, .newerFormat: true
        case .inUse, .folder, .file, .diskFull, .locked, .notDurable, .notSynced: false
        }
    }

    /// True if nothing can be written any more before the program was started anew and has read what is there.
    package var endsSession: Bool {
        switch self {
        case .notSynced: true
        case .inUse, .folder, .file, .diskFull, .locked, .damaged, .missing, .newerFormat,
            .notDurable:
            false
        }
    }
}

extension JournalError: CustomStringConvertible {
    /// One sentence and what to do.
    package var description: String {
        switch self {
        case .inUse(let folder, let owner):
            "The journal in \(folder) is in use by \(owner): end that session first, or give this one "
                + "another folder."
        case .folder(let folder, let words):
            "The journal's folder \(folder) cannot be used: \(words). Make it writable for this user, or "
                + "choose another."
        case .file(let file, let words): "The journal \(file) cannot be read or written: \(words)."
        case .diskFull(let file):
            "There is no space left for the journal \(file): make room; no order leaves before."
        case .locked(let file):
            "The journal \(file) is locked by another program: close what has it open."
        case .damaged(let file, let sequence, let words):
            "The journal \(file) is damaged at event \(sequence): \(words). Keep the file, and start from a "
                + "copy or a new folder."
        case .missing(let file, let sequence, let mark):
            "The journal \(file) lacks what was written from event \(sequence) on: it is an older copy, or "
                + "its log (-wal) was deleted. Put back what is missing (\(mark) says how far it went), or start "
                + "with a new folder."
        case .newerFormat(let file):
            "The journal \(file) was written by a newer version of the program: use that one."
        case .notDurable(let file):
            "The journal \(file) would not survive a loss of power (synchronous is not FULL)."
        case .notSynced(let file):
            "The disk has failed to keep what was written to the journal \(file) (fsync): what of it is there is not "
                + "known. Nothing leaves any more. Look at the disk before the next start, which goes on from what is "
                + "there and reads the rest from the broker."
        }
    }
}
