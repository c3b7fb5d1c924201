package import Configuration
import Foundation
import Glibc
import Primitives

/// `martlet run --supervise`: a small process that runs the session as its child, and starts it again when it has died.
///
/// It has neither engine nor journal, so that nothing that ends a session ends it. The journal's folder keeps the deaths,
/// the same list that the session itself looks at when it starts.
package struct Supervisor {
    private let arguments: [String]
    private let latch: StartLatch
    private let folder: String

    /// How a child has ended.
    enum End: Hashable {
        /// With this status.
        case exited(Int32)
        /// By this signal.
        case killed(Int32)
    }

    /// What follows from an end.
    enum Decision: Hashable {
        /// Nothing more is to be done, or a person is needed.
        case over(Int32)
        /// It has died: it is started again, unless it dies too often.
        case died
        /// The gateway is not there, as while it restarts: it is tried again in a while.
        case withoutGateway
    }

    /// How long nothing runs between a death and the next start.
    private static let pause = Duration.seconds(1)
    /// How long a gateway that is not there is waited for before it is tried again.
    private static let gatewayPause = Duration.seconds(60)
    /// How often in a row.
    private static let gatewayTriesMax = 60

    private static let ends = [SIGTERM, SIGINT, SIGHUP]

    /// A supervisor that has started nothing.
    ///
    /// - Parameters:
    ///   - arguments: the command line of the session, the program's name first.
    ///   - journal: the journal's folder; `nil` for one under `results`.
    package init(
        _ arguments: [String], journal: String?, _ settings: Settings
    ) throws(RunFailure) {
        guard let strategy = settings.active.first else {
            throw .usage("The configuration has no strategy to run.")
        }
        folder =
            journal ?? ResultsFolder.defaultPath(verb: "run", name: strategy.name) + "/journal"
        // Every start goes on from the same journal.
        self.arguments = arguments + (journal == nil ? ["--journal", folder] : [])
        latch = StartLatch(folder: folder)
    }

    /// What follows from an end that nobody has asked for.
    static func decision(of end: End) -> Decision {
        switch end {
        case .killed: .died
        case .exited(let status):
            switch ExitCode(rawValue: status) {
            case .unexpected, nil: .died
            case .gateway: .withoutGateway
            case .success, .usage, .configuration, .notPermitted, .data, .riskHalt, .verification,
                .exitPolicy, .crashLoop:
                .over(status)
            }
        }
    }

    /// Runs the session until it has ended for good.
    ///
    /// - Parameter complain: receives what the user should look at, in a line.
    /// - Returns: the status to end with.
    package func run(complain: (String) -> Void) throws(RunFailure) -> Int32 {
        let signals = Signals()
        defer { signals.restore() }
        var gatewayTries = 0
        while true {
            let begun = StartLatch.now
            let child = try start(signals)
            let (end, asked) = wait(for: child, signals, complain)
            if let asked { return status(of: end, askedBy: asked, signals) }
            var pause = Self.pause
            switch Self.decision(of: end) {
            case .over(let status):
                guard latch.isSet else { return status }
                complain(alarm)
                return ExitCode.crashLoop.rawValue
            case .died:
                gatewayTries = 0
                if try latch.noteDeath(begun: begun) {
                    complain("warning: the session (process \(child)) has died: \(end.words).")
                    complain(alarm)
                    return ExitCode.crashLoop.rawValue
                }
                complain(
                    "warning: the session (process \(child)) has died: \(end.words). It is started again from its "
                        + "journal.")
            case .withoutGateway:
                gatewayTries += 1
                guard gatewayTries <= Self.gatewayTriesMax else {
                    complain(
                        "critical: the session cannot be started: the gateway was tried \(gatewayTries) times. Start "
                            + "TWS or IB Gateway and log in, then start the session again.")
                    return ExitCode.gateway.rawValue
                }
                pause = Self.gatewayPause
                complain("warning: the session is started again in \(pause).")
            }
            // Whoever ends what is not running has ended it in order.
            if isEnded(within: pause, signals, complain) { return ExitCode.success.rawValue }
        }
    }

    /// Lets time pass in which nothing runs.
    ///
    /// - Returns: true if this process is asked to end meanwhile.
    private func isEnded(
        within pause: Duration, _ signals: Signals, _ complain: (String) -> Void
    ) -> Bool {
        let end = Signals.now + pause
        while Signals.now < end {
            guard let number = signals.next(within: end - Signals.now) else { continue }
            if Self.ends.contains(number) { return true }
            if number == SIGUSR1 { setKill(complain) }
        }
        return false
    }

    /// Kills trading: the file is looked at by a session that runs, one that hangs and the next that starts.
    private func setKill(_ complain: (String) -> Void) {
        do throws(RunFailure) {
            try KillFile(folder: folder).set("signal SIGUSR1 to process \(getpid())")
        } catch {
            complain("critical: the session is not killed by the signal. \(error)")
        }
    }

    private var alarm: String {
        "critical: the session of \(folder) has died \(StartLatch.startsMax) times within "
            + "\(StartLatch.interval) and is not started again. Its stops and targets stay at the broker, and so do "
            + "entries that work. Look at why, then delete \(latch.file) and start it again."
    }

    // MARK: The child

    /// Starts the session in a process group of its own: a terminal's Ctrl+C comes to it once, from here.
    private func start(_ signals: Signals) throws(RunFailure) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = signals.before
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let (words, values) = (Self.copied(arguments), Self.copied(environment))
        defer { for text in words + values { free(text) } }
        var child = pid_t(0)
        // Also where the file was replaced meanwhile, it is the same program.
        let error = posix_spawn(&child, "/proc/self/exe", nil, &attributes, words, values)
        guard error == 0 else {
            throw .resources("The session cannot be started: \(String(cString: strerror(error))).")
        }
        return child
    }

    private static func copied(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Waits for the end of a child, and passes on what this process is told meanwhile.
    ///
    /// - Returns: the end, and by which signal it was asked for; `nil` where it was not.
    private func wait(
        for child: pid_t, _ signals: Signals, _ complain: (String) -> Void
    ) -> (end: End, asked: Int32?) {
        var asked: Int32?
        while true {
            var status = Int32(0)
            let known = waitpid(child, &status, WNOHANG)
            if known == child { return (End(status), asked) }
            guard let number = signals.next(within: .seconds(1)) else { continue }
            if Self.ends.contains(number) {
                // Asked a second time, both end at once; the journal has what was.
                kill(child, asked == nil ? number : SIGKILL)
                asked = asked ?? number
            } else if number == SIGUSR1 {
                setKill(complain)
            }
        }
    }

    /// The status to end with behind an end that was asked for. One by the signal itself ends this process by it, too.
    private func status(of end: End, askedBy number: Int32, _ signals: Signals) -> Int32 {
        switch end {
        case .exited(let status): return status
        case .killed(let other):
            guard other == number || other == SIGKILL else { return 128 + other }
            signal(number, SIG_DFL)
            signals.restore()
            raise(number)
            return 128 + number
        }
    }

    /// The signals that this process takes in, one by one, and their mask before. The terminal's end is none of them where
    /// the user has it ignored (`nohup`).
    private final class Signals {
        private(set) var before = sigset_t()
        private var followed = sigset_t()

        init() {
            // Whoever ignores the end of a child is not told of it.
            signal(SIGCHLD, SIG_DFL)
            sigemptyset(&followed)
            for number in Supervisor.ends + [SIGUSR1, SIGCHLD] where !Self.isIgnored(number) {
                sigaddset(&followed, number)
            }
            pthread_sigmask(SIG_BLOCK, &followed, &before)
        }

        func restore() { pthread_sigmask(SIG_SETMASK, &before, nil) }

        private static func isIgnored(_ number: Int32) -> Bool {
            var action = sigaction()
            sigaction(number, nil, &action)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
        }

        /// A clock that nobody sets.
        static var now: Timestamp {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        }

        /// The next signal; `nil` when none has come within a time.
        func next(within time: Duration) -> Int32? {
            let nanoseconds = max(time.nanoseconds, 0)
            var limit = timespec(
                tv_sec: Int(nanoseconds / 1_000_000_000),
                tv_nsec: Int(nanoseconds % 1_000_000_000))
            let number = sigtimedwait(&followed, nil, &limit)
            return number > 0 ? number : nil
        }
    }
}

extension Supervisor.End {
    /// Reads what `waitpid` tells.
    init(_ status: Int32) {
        self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }

    /// What has happened, in a few words.
    var words: String {
        switch self {
        case .exited(let status): "it ended with \(status)"
        case .killed(let number):
            "signal \(number), \(strsignal(number).map { String(cString: $0) } ?? "unknown")"
        }
    }
}
