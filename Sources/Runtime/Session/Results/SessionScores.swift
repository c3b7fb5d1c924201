import Dispatch
import Signals
import Synchronization

/// The scores that a session's strategies note, on their way into the files of their days.
///
/// They wait until the journal has what they follow from, so that no start of the program notes them a second time, and
/// are written on another thread: the session waits for nothing. What a kill cuts off is lost.
final class SessionScores: Sendable {
    private let complain: @Sendable (String) -> Void
    private let queue: DispatchQueue
    private let pending = Mutex(Pending())
    private let files: Mutex<ScoreFiles>

    /// The scores of a batch.
    private struct Noted {
        let notes: [ScoreNote]
        /// What ids in them stand for.
        let names: SessionNames
    }

    /// What waits.
    private struct Pending {
        /// Scores that may follow from what the journal does not have yet.
        var waiting: [Noted] = []
        /// Scores that are to be written.
        var durable: [Noted] = []
        /// How many scores there are in both.
        var count = 0
        /// How many more there were.
        var lost = 0
        /// True while a thread is about to write.
        var isScheduled = false
        var isComplainedOf = false
    }

    /// How many scores may wait.
    static let pendingMax = 50_000

    /// The scores of a session before its first.
    ///
    /// - Parameters:
    ///   - files: the files that they are written to.
    ///   - queue: a serial one, on which that is done.
    init(
        _ files: sending ScoreFiles, on queue: DispatchQueue,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.files = Mutex(files)
        self.queue = queue
        self.complain = complain
    }

    /// Takes in the scores of a batch. Returns at once.
    func add(_ notes: [ScoreNote], _ names: SessionNames) {
        guard !notes.isEmpty else { return }
        pending.withLock { pending in
            let kept = Array(notes.prefix(Self.pendingMax - pending.count))
            pending.lost += notes.count - kept.count
            pending.count += kept.count
            if !kept.isEmpty { pending.waiting.append(Noted(notes: kept, names: names)) }
        }
    }

    /// Writes all that was taken in, on the queue: the journal has what it follows from. Returns at once.
    func keep() {
        let schedules = pending.withLock { pending in
            guard !pending.waiting.isEmpty else { return false }
            pending.durable += pending.waiting
            pending.waiting.removeAll()
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        if schedules { queue.async { [self] in drain() } }
    }

    private func drain() {
        while true {
            let (noted, lost) = pending.withLock { pending in
                let taken = (noted: pending.durable, lost: pending.lost)
                if taken.noted.isEmpty { pending.isScheduled = false } else { pending.lost = 0 }
                for one in taken.noted { pending.count -= one.notes.count }
                pending.durable.removeAll()
                return taken
            }
            guard !noted.isEmpty else { return }
            if lost > 0 { complainOnce("\(lost) of them waited too long.") }
            do throws(LogFailure) {
                try write(noted)
                if lost == 0 { pending.withLock { $0.isComplainedOf = false } }
            } catch {
                complainOnce("\(error)")
            }
        }
    }

    private func write(_ noted: [Noted]) throws(LogFailure) {
        try files.withLock { files throws(LogFailure) in
            for one in noted { try files.write(one.notes, one.names) }
        }
    }

    private func complainOnce(_ words: String) {
        let isNew = pending.withLock { pending in
            defer { pending.isComplainedOf = true }
            return !pending.isComplainedOf
        }
        guard isNew else { return }
        complain(
            "warning: scores.csv is not whole, and trading goes on: scores cannot be written. \(words)"
        )
    }
}
