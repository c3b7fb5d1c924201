import Glibc
import Model
import Primitives

/// What the program uses of the machine, against what it may use.
struct ResourceReview: Sendable {
    /// What it uses.
    struct Usage: Sendable {
        /// Bytes of memory.
        var memory: Int64
        /// Files and connections that are open.
        var files: Int64
    }

    /// What it may use.
    struct Limits: Sendable {
        /// Bytes of memory.
        var memory: Int64
        /// Files and connections.
        var files: Int64
    }

    /// From how many percent of a limit on the user is warned.
    static let warning: Int64 = 70
    /// Below how many percent that is over.
    static let over: Int64 = 60
    /// From how many percent on the session ends in order, before the system ends it in any way.
    static let end: Int64 = 90
    /// How often it is looked.
    static let interval = Duration.seconds(1)

    private let limits: Limits
    private var present: Set<SessionCondition> = []
    /// Why the session has to end, in a sentence; `nil` while it does not.
    private(set) var end: String?

    /// Nothing used yet.
    init(_ limits: Limits) { self.limits = limits }

    /// Takes in what is used.
    ///
    /// - Returns: what has begun and ended.
    mutating func note(_ usage: Usage) -> [ConditionReport] {
        let memory = percent(usage.memory, of: limits.memory)
        let files = percent(usage.files, of: limits.files)
        if memory >= Self.end, end == nil {
            end =
                "The program uses \(usage.memory >> 20) MiB of memory, of the \(limits.memory >> 20) MiB of "
                + "system.memory_limit_mb: the session has ended in order. Orders at the broker stay as they are; "
                + "the next start goes on from the journal."
        }
        if files >= Self.end, end == nil {
            end =
                "The program has \(usage.files) files and connections open, of \(limits.files) that it may have "
                + "(ulimit -n): the session has ended in order. Orders at the broker stay as they are; the next "
                + "start goes on from the journal."
        }
        return report(.memoryHigh, memory) + report(.filesHigh, files)
    }

    private func percent(_ used: Int64, of limit: Int64) -> Int64 {
        limit <= 0 ? 0 : Int64(clamping: Int128(used) * 100 / Int128(limit))
    }

    private mutating func report(
        _ condition: SessionCondition, _ percent: Int64
    ) -> [ConditionReport] {
        if percent >= Self.warning, present.insert(condition).inserted {
            return [ConditionReport(condition, isPresent: true, value: percent)]
        }
        if percent < Self.over, present.remove(condition) != nil {
            return [ConditionReport(condition, isPresent: false, value: percent)]
        }
        return []
    }
}

extension ResourceReview.Usage {
    /// What this process uses now; `nil` where the system does not say.
    static func now() -> ResourceReview.Usage? {
        guard let pages = residentPages(), let files = openFiles() else { return nil }
        return ResourceReview.Usage(
            memory: pages * Int64(sysconf(Int32(_SC_PAGESIZE))), files: files)
    }

    /// The second number of `/proc/self/statm`, as proc(5) has it.
    private static func residentPages() -> Int64? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        let words = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(
            separator: " ")
        return words.count > 1 ? Int64(words[1]) : nil
    }

    private static func openFiles() -> Int64? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        // The folder's own two names and the file with which it is read.
        var count: Int64 = -3
        while readdir(folder) != nil { count += 1 }
        return max(count, 0)
    }
}

extension ResourceReview.Limits {
    /// The limits of this process.
    ///
    /// - Parameter memory: in mebibytes.
    init(memory: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        self.init(memory: Int64(memory) << 20, files: Int64(clamping: limit.rlim_cur))
    }
}
