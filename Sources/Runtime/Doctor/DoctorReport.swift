package import Primitives

/// What `martlet doctor` has found, check by check.
package struct DoctorReport: Sendable {
    /// What one check has come to.
    package enum Outcome: String, Sendable {
        /// It is as it should be.
        case pass
        /// A session can run, and something should be better.
        case warn
        /// A session cannot run, or not trade.
        case fail
        /// The program cannot find it out: a person looks.
        case look
    }

    /// A check.
    package struct Line: Sendable {
        /// Its name, for scripts.
        package let check: String
        /// What it has come to.
        package let outcome: Outcome
        /// What was found, or what the setting is.
        package let found: String
        /// What to do; `nil` where nothing is to be done.
        package let remedy: String?
        /// How the command ends for it; only with `fail`.
        let failure: ExitCode?
    }

    /// The checks in their order.
    package private(set) var lines: [Line] = []

    /// A report without a check.
    package init() {}

    /// How the command ends: by the first check that failed.
    package var exitCode: ExitCode { lines.lazy.compactMap(\.failure).first ?? .success }

    /// Adds a check that is as it should be.
    mutating func pass(_ check: String, _ found: String) {
        lines.append(Line(check: check, outcome: .pass, found: found, remedy: nil, failure: nil))
    }

    /// Adds a check that should be better.
    mutating func warn(_ check: String, _ found: String, _ remedy: String) {
        lines.append(
            Line(check: check, outcome: .warn, found: found, remedy: remedy, failure: nil))
    }

    /// Adds a check that failed.
    mutating func fail(_ check: String, _ found: String, _ remedy: String, _ code: ExitCode) {
        lines.append(
            Line(check: check, outcome: .fail, found: found, remedy: remedy, failure: code))
    }

    /// Adds what a person has to look at.
    mutating func look(_ check: String, _ found: String, _ remedy: String) {
        lines.append(
            Line(check: check, outcome: .look, found: found, remedy: remedy, failure: nil))
    }

    /// A line or two for each check, for people.
    package var text: String {
        let width = lines.map(\.check.count).max() ?? 0
        var rows = lines.flatMap { line in
            let name = line.check + String(repeating: " ", count: width - line.check.count)
            let space = String(repeating: " ", count: width + 8)
            return ["\(line.outcome)  \(name)  \(line.found)"]
                + (line.remedy.map { ["\(space)-> \($0)"] } ?? [])
        }
        let failed = lines.filter { $0.outcome == .fail }.map(\.check)
        rows.append(
            failed.isEmpty
                ? "Nothing failed." : "Failed: \(failed.joined(separator: ", ")).")
        return rows.joined(separator: "\n")
    }

    /// The same for programs.
    package var json: JSONObject {
        [
            .init("passed", .bool(exitCode == .success)),
            .init("exit", .number("\(exitCode.rawValue)")),
            .init(
                "checks",
                .array(
                    lines.map { line in
                        .object([
                            .init("check", .text(line.check)),
                            .init("outcome", .text(line.outcome.rawValue)),
                            .init("found", .text(line.found)),
                            .init("remedy", line.remedy.map { .text($0) } ?? .null),
                        ])
                    })),
        ]
    }
}
