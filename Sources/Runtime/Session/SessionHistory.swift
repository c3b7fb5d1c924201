package import Configuration
import Foundation
import Glibc
package import Primitives
import TWSProtocol

/// What decides about orders: the program, the configuration without its mode, and the strategies.
package struct SessionVersion: Hashable, Sendable {
    /// The digest of the program's file.
    package var program: UInt64
    /// The digest of the configuration's sections that decisions are made by; the mode is left out.
    package var configuration: UInt64
    /// The digest of all strategies that take part, with their parameters.
    package var strategies: UInt64

    /// The version of three digests.
    package init(program: UInt64, configuration: UInt64, strategies: UInt64) {
        self.program = program
        self.configuration = configuration
        self.strategies = strategies
    }

    /// The version that a configuration has under a program.
    init(_ settings: Settings, program: UInt64) {
        self.init(
            program: program, configuration: SessionStart.digestWithoutMode(of: settings),
            strategies: SessionStart.digest(of: "\(settings.active.map(\.digest))"))
    }
}

/// A session in a journal's folder, as its list has it.
package struct ListedSession: Hashable, Sendable {
    /// Where its orders went.
    package var mode: TradingMode
    /// Its account.
    package var account: String
    /// By what it decided.
    package var version: SessionVersion
    /// When it began.
    package var begun: Timestamp
    /// When it ended in order; `nil` for one that did not, or still runs.
    package var finished: Timestamp?
    /// How many of the market's sessions it was there for, from open to close.
    package var wholeDays = 0
    /// Of how many orders it was not known what became of them at its end.
    package var unknownOrders = 0
    /// How many symbols were latched at its end.
    package var latched = 0
    /// How many critical alarms it gave.
    package var criticalAlarms = 0

    /// A session that begins.
    package init(mode: TradingMode, account: String, version: SessionVersion, begun: Timestamp) {
        self.mode = mode
        self.account = account
        self.version = version
        self.begun = begun
    }

    /// The line of one; `nil` for another line.
    init?(_ line: some StringProtocol) {
        var fields: [Substring: Substring] = [:]
        for field in line.split(separator: " ") {
            let parts = field.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { fields[Substring(parts[0])] = Substring(parts[1]) }
        }
        func digest(_ name: Substring) -> UInt64? {
            fields[name].flatMap { UInt64($0, radix: 16) }
        }
        func count(_ name: Substring) -> Int? { fields[name].flatMap { Int($0) } }
        guard let mode = fields["mode"].flatMap({ TradingMode(rawValue: String($0)) }),
            let account = fields["account"], let program = digest("program"),
            let configuration = digest("configuration"), let strategies = digest("strategies"),
            let begun = fields["begun"].flatMap({ Int64($0) }),
            let wholeDays = count("whole_days"), let unknownOrders = count("unknown"),
            let latched = count("latched"), let criticalAlarms = count("critical")
        else { return nil }
        self.init(
            mode: mode, account: String(account),
            version: SessionVersion(
                program: program, configuration: configuration, strategies: strategies),
            begun: Timestamp(nanoseconds: begun))
        finished = fields["finished"].flatMap { Int64($0) }.map { Timestamp(nanoseconds: $0) }
        self.wholeDays = wholeDays
        self.unknownOrders = unknownOrders
        self.latched = latched
        self.criticalAlarms = criticalAlarms
    }

    /// Its line; times are in nanoseconds since 1970.
    var line: String {
        func hex(_ digest: UInt64) -> String { String(digest, radix: 16) }
        let end = finished.map { " finished=\($0.nanoseconds)" } ?? ""
        return "mode=\(mode.rawValue) account=\(account) program=\(hex(version.program)) "
            + "configuration=\(hex(version.configuration)) strategies=\(hex(version.strategies)) "
            + "begun=\(begun.nanoseconds)\(end) whole_days=\(wholeDays) unknown=\(unknownOrders) "
            + "latched=\(latched) critical=\(criticalAlarms)"
    }
}

/// The file `sessions` in a journal's folder: which sessions in modes `paper`, `live` and `dry` have run on it, a line
/// each, oldest first.
///
/// A journal belongs to one mode and one account: what was filled in one is no position in another.
package struct SessionHistory: Sendable {
    private let folder: String
    private var path: String { folder + "/" + Self.file }

    /// Its name.
    static let file = "sessions"

    /// How many are kept.
    private static let keptMax = 1_000

    /// The list of a journal's folder.
    package init(folder: String) { self.folder = folder }

    /// The sessions, oldest first. A line that cannot be read counts as none.
    package var sessions: [ListedSession] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { ListedSession($0) }
    }

    /// Refuses a journal that is another mode's.
    ///
    /// - Parameter isEmpty: nothing was written to the journal yet.
    func check(mode: TradingMode, isEmpty: Bool) throws(RunFailure) {
        // Sessions at the simulator are not listed.
        let known = sessions.last?.mode ?? (isEmpty ? nil : .sim)
        guard let known, known != mode else { return }
        throw .notPermitted(
            "The journal in \(folder) is of sessions in mode \(known.rawValue), and trading.mode is "
                + "\(mode.rawValue): what was filled in one is no position in the other. Choose another folder with "
                + "--journal.")
    }

    /// Notes a session that begins, durably.
    ///
    /// - Throws: when the journal is another account's.
    func begin(_ session: ListedSession) throws(RunFailure) {
        guard session.mode != .sim else { return }
        let known = sessions
        if let last = known.last, last.account != session.account {
            throw .notPermitted(
                "The journal in \(folder) is of the account \(AccountID(last.account).redacted), and the gateway's "
                    + "is \(AccountID(session.account).redacted): choose another folder with --journal."
            )
        }
        try write(known + [session])
    }

    /// Notes how the newest session has ended, durably.
    func end(_ change: (inout ListedSession) -> Void) throws(RunFailure) {
        var known = sessions
        guard var last = known.popLast() else { return }
        change(&last)
        try write(known + [last])
    }

    private func write(_ sessions: [ListedSession]) throws(RunFailure) {
        let text = sessions.suffix(Self.keptMax).map { $0.line + "\n" }.joined()
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure }
        let bytes = Array(text.utf8)
        let isWritten =
            Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(new, path) == 0 else { throw failure }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure }
    }

    private var failure: RunFailure {
        .file("\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
