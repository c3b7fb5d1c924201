import Configuration
import Dispatch
import Foundation
import Primitives
import Synchronization

/// The logs of a session: takes entries from the loop without making it wait, and writes them on a thread of its own.
///
/// A folder that cannot be written to stops nothing: the user is notified once, and what is lost is counted.
final class SessionLog: Sendable {
    /// What a log is made of.
    struct Plan: Sendable {
        /// What is written, and how.
        let settings: LoggingSettings
        /// The folder of the files.
        let folder: String
        /// What is hidden.
        let mask: LogMask
        /// What a terminal shows of it.
        var console = SessionConsole.usual
        /// False to write in the caller's thread, for tests.
        var isBeside = true
        /// Receives what the user should see, in lines; from any thread.
        let complain: @Sendable (String) -> Void
    }

    private let plan: Plan
    private let format: LogFormat
    private let queue = DispatchQueue(label: "session log", qos: .utility)
    private let pending = Mutex(Pending())
    private let files: Mutex<Files>

    /// What waits to be written.
    private struct Pending {
        var entries: [LogEntry] = []
        /// True while a thread is about to write.
        var isScheduled = false
        /// The newest time of an entry.
        var newest = Timestamp.distantPast
        /// What was said before there was a time.
        var early: [String] = []
        /// How many entries are lost.
        var dropped = 0
        /// How many of them the log does not name yet.
        var unnamed = 0
        var isComplainedOf = false

        mutating func lose(_ count: Int) {
            dropped += count
            unnamed += count
        }
    }

    /// How many entries may wait.
    static let pendingMax = 20_000

    /// A log that has written nothing.
    init(_ plan: Plan) {
        self.plan = plan
        format = LogFormat(plan.settings.format, plan.mask)
        files = Mutex(Files(plan))
    }

    /// How many entries could not be written.
    var droppedCount: Int { pending.withLock { $0.dropped } }

    /// True if an entry of the kind would be written.
    func writes(_ category: LoggingSettings.Category, _ level: LoggingSettings.Level) -> Bool {
        plan.settings.writes(category, level)
    }

    // MARK: Taking in

    /// Takes entries. Returns at once, whatever the disk does.
    func write(_ entries: [LogEntry]) {
        guard let first = entries.map(\.at).min() else { return }
        let early = pending.withLock { pending in
            defer { pending.early.removeAll() }
            return pending.early
        }
        let all = early.map { Self.entry($0, at: first) } + entries
        let written = all.filter { $0.isTrade || writes($0.category, $0.level) }
        guard !written.isEmpty else { return }
        let schedules = pending.withLock { pending in
            pending.newest = max(pending.newest, written.map(\.at).max() ?? .distantPast)
            let kept = written.prefix(max(Self.pendingMax - pending.entries.count, 0))
            pending.entries += kept
            pending.lose(written.count - kept.count)
            defer { pending.isScheduled = true }
            return !pending.isScheduled
        }
        guard schedules else { return }
        if plan.isBeside { queue.async { [self] in drain() } } else { drain() }
    }

    /// Shows an alarm; the entry about it comes by itself.
    func show(_ alarm: SessionAlarm) {
        guard plan.console != .quiet || alarm.isCritical else { return }
        plan.complain(plan.mask.hiding(in: "\(alarm)"))
    }

    /// Shows and writes what the user should look at and no decision says: `warning: …`.
    func complain(_ words: String) {
        let isCritical = words.hasPrefix("critical: ")
        let isAlarm = isCritical || words.hasPrefix("warning: ")
        if plan.console != .quiet || !isAlarm || isCritical {
            plan.complain(plan.mask.hiding(in: words))
        }
        let time = pending.withLock { pending in
            if pending.newest == .distantPast { pending.early.append(words) }
            return pending.newest
        }
        if time > .distantPast { write([Self.entry(words, at: time)]) }
    }

    private static func entry(_ words: String, at time: Timestamp) -> LogEntry {
        var level = LoggingSettings.Level.info
        if words.hasPrefix("critical: ") { level = .critical }
        if words.hasPrefix("warning: ") { level = .warning }
        let text = level == .info ? words : String(words.drop { $0 != " " }.dropFirst())
        var entry = LogEntry(at: time, level, .session, text)
        entry.isAlarm = true
        return entry
    }

    /// Writes what waits, at the end of the session; gives up on a disk that takes longer than five seconds.
    func finish() {
        guard plan.isBeside else { return }
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .seconds(5))
        let dropped = droppedCount
        if dropped > 0 {
            plan.complain("warning: \(dropped) entries of the log could not be written.")
        }
    }

    // MARK: Writing

    private func drain() {
        while true {
            let (entries, lost) = pending.withLock { pending in
                let taken = (entries: pending.entries, lost: pending.unnamed)
                pending.entries.removeAll()
                if taken.entries.isEmpty { pending.isScheduled = false }
                return taken
            }
            guard !entries.isEmpty else { return }
            display(entries)
            do throws(LogFailure) {
                try write(entries, lost: lost)
                pending.withLock { pending in
                    pending.unnamed -= lost
                    pending.isComplainedOf = false
                }
            } catch {
                lose(entries.count, because: error)
            }
        }
    }

    /// Shows on the terminal what is logged, where that is asked for; alarms are there already.
    private func display(_ entries: [LogEntry]) {
        guard plan.console == .verbose else { return }
        for entry in entries
        where !entry.isAlarm && entry.level >= .info && writes(entry.category, entry.level) {
            plan.complain(format.text(of: entry))
        }
    }

    private func write(_ entries: [LogEntry], lost: Int) throws(LogFailure) {
        try files.withLock { files throws(LogFailure) in
            try files.write(entries, lost: lost, format)
        }
    }

    private func lose(_ count: Int, because failure: LogFailure) {
        let isNew = pending.withLock { pending in
            pending.lose(count)
            defer { pending.isComplainedOf = true }
            return !pending.isComplainedOf
        }
        guard isNew else { return }
        plan.complain(
            "warning: the log cannot be written, and trading goes on: \(failure) What is lost is counted; the "
                + "journal has everything.")
    }
}

/// How much of a session a terminal shows.
package enum SessionConsole: Sendable {
    /// What is critical.
    case quiet
    /// Alarms.
    case usual
    /// Alarms, and everything that is logged from `info` on.
    case verbose
}

/// The files of a session's logs. One thread at a time calls it.
private struct Files {
    private let plan: SessionLog.Plan
    private var rotating: RotatingLog?
    private var trades: LogFile?
    private var sequence = 0

    init(_ plan: SessionLog.Plan) { self.plan = plan }

    mutating func write(
        _ entries: [LogEntry], lost: Int, _ format: LogFormat
    ) throws(LogFailure) {
        try open()
        if lost > 0, let first = entries.first {
            try put(
                LogEntry(
                    at: first.at, .warning, .session,
                    "\(lost) entries could not be written before this one"), format)
        }
        for entry in entries { try put(entry, format) }
        if entries.contains(where: \.isTrade) { trades?.synchronise() }
    }

    private mutating func put(_ entry: LogEntry, _ format: LogFormat) throws(LogFailure) {
        sequence += 1
        let line = format.line(of: entry, sequence)
        if entry.isTrade { try trades?.write(line) }
        guard plan.settings.writes(entry.category, entry.level) else { return }
        try rotating?.write(line, on: entry.at.day)
    }

    private mutating func open() throws(LogFailure) {
        if let trades, trades.isThere, rotating != nil { return }
        do {
            try FileManager.default.createDirectory(
                atPath: plan.folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw LogFailure(
                "\(plan.folder): cannot be made: \((error as NSError).localizedDescription)")
        }
        let trades = try LogFile(appendingTo: plan.folder + "/trades.log")
        guard trades.lock() else {
            throw LogFailure(
                "\(plan.folder): another session writes its log there; name another folder in logging.directory."
            )
        }
        self.trades = trades
        rotating = RotatingLog(
            in: plan.folder,
            RotatingLog.Limits(
                bytesMax: plan.settings.fileBytesMax, filesKept: plan.settings.filesKept,
                daysKept: plan.settings.daysKept))
    }
}
