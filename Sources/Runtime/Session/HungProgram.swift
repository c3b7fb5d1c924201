import CLinux
import Glibc
import Primitives
import Synchronization

/// Writes down where a program hangs, ends it and starts it again in its place.
///
/// All that it needs is there before it is needed: whoever hangs may have the memory's lock. Its last three calls happen
/// on a thread that does not hang.
final class HungProgram: Sendable {
    /// What becomes of a program that hangs.
    struct Plan: Sendable {
        /// With which turn of the loop it is ended.
        var limit: Duration
        /// The journal's folder, which gets the stack and the mark.
        var folder: String
        /// The command line with which it is started again; `nil` to end it only.
        var arguments: [String]?
    }

    private let plan: Plan

    /// With which turn of the loop the program is ended.
    var limit: Duration { plan.limit }
    // Written once, here, and never freed.
    private nonisolated(unsafe) let arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private nonisolated(unsafe) let markPath: UnsafeMutablePointer<CChar>
    private nonisolated(unsafe) let stackPath: UnsafeMutablePointer<CChar>
    private let mark: [UInt8]
    private let notice: [UInt8]
    private let loop: pthread_t
    private let ignoresHangups: Bool

    /// The signal at which a thread writes its stack.
    private static let number = SIGUSR2
    /// The file that the stack goes to; below zero while it goes to none.
    private static let file = Atomic<Int32>(-1)
    /// How many frames are written at most.
    private static let framesMax = 120

    /// To be made by the thread that is watched.
    init(_ plan: Plan) {
        self.plan = plan
        loop = pthread_self()
        let seconds = plan.limit.nanoseconds / 1_000_000_000
        mark = Array("\(seconds)\n".utf8)
        let then =
            plan.arguments == nil
            ? "It is ended; the next start goes on from its journal"
            : "It is ended and started again from its journal"
        notice = Array(
            ("critical: the session has been stuck for \(seconds) seconds. \(then), with entries "
                + "halted. Where it hung is in \(plan.folder)/hung-stack.\n").utf8)
        markPath = strdup(HangMark(folder: plan.folder).path)
        stackPath = strdup(plan.folder + "/hung-stack")
        let words = plan.arguments ?? []
        arguments = .allocate(capacity: words.count + 1)
        for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
        arguments[words.count] = nil
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        ignoresHangups =
            unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
        Self.prepare()
    }

    /// Lets threads answer the signal.
    private static func prepare() {
        // The first call loads a library, which no handler of a signal may.
        withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 1) { frames in
            if let first = frames.baseAddress { _ = backtrace(first, 1) }
        }
        var action = sigaction()
        action.sa_flags = SA_RESTART
        action.__sigaction_handler.sa_handler = { _ in
            let (file, error) = (HungProgram.file.load(ordering: .acquiring), errno)
            guard file >= 0 else { return }
            withUnsafeTemporaryAllocation(
                of: UnsafeMutableRawPointer?.self, capacity: HungProgram.framesMax
            ) { frames in
                guard let first = frames.baseAddress else { return }
                let count = backtrace(first, Int32(HungProgram.framesMax))
                backtrace_symbols_fd(first, count, file)
            }
            errno = error
            HungProgram.file.store(-1, ordering: .releasing)
        }
        sigaction(number, &action, nil)
    }

    /// Writes the stack of the loop's thread into the folder, in the place of an earlier one.
    func writeStack() {
        let file = open(stackPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        Self.file.store(file, ordering: .releasing)
        guard pthread_kill(loop, Self.number) == 0 else { return }
        // A thread in the middle of a disk's call answers when that has ended.
        for _ in 0..<200 where Self.file.load(ordering: .acquiring) >= 0 { usleep(10_000) }
        Self.file.store(-1, ordering: .releasing)
    }

    /// Leaves the mark, and ends the program or starts it again.
    func end() {
        let file = open(markPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if file >= 0 {
            _ = mark.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            fsync(file)
            close(file)
        }
        _ = notice.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        guard plan.arguments != nil else { _exit(ExitCode.unexpected.rawValue) }
        closeFilesOnExecution()
        // What is blocked and ignored stays so in the new program.
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
        if !ignoresHangups { signal(SIGHUP, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Also where the file was replaced meanwhile, it is the same program.
        execv("/proc/self/exe", arguments)
        _exit(ExitCode.unexpected.rawValue)
    }

    /// No lock and no connection stays behind.
    private func closeFilesOnExecution() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        for file in 3..<Int32(clamping: min(limit.rlim_cur, 65_536)) {
            let flags = fcntl(file, F_GETFD)
            if flags >= 0 { _ = fcntl(file, F_SETFD, flags | FD_CLOEXEC) }
        }
    }
}
