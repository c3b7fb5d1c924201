import Foundation
import Glibc
import Testing

/// `martlet ctl`: a session in one process, operated from others.
@Suite(.serialized) struct CtlCommandTests {
    private let program: BuiltProgram
    private let samples = BuiltProgram.samples

    init() throws { program = try BuiltProgram() }

    private func json(_ run: BuiltProgram.Run) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
            "\(run.output) \(run.errors)")
    }

    private func arguments(_ journal: String, _ speed: Int, _ minutes: Int) -> [String] {
        [
            "run", "--mode", "sim", "-c", samples + "/momentum-session.yaml", "--data",
            samples + "/data/minute", "--speed", "\(speed)", "--minutes", "\(minutes)",
            "--journal", journal, "--json",
        ]
    }

    /// A session that runs.
    private func started(_ journal: String, speed: Int) throws -> Process {
        let process = program.process(arguments(journal, speed, 100_000))
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits until a session's status has a value.
    private func wait<Value: Equatable>(
        _ options: [String] = [], for name: String, _ value: Value, seconds: Double = 120
    ) throws {
        let end = Date() + seconds
        var newest = ""
        while Date() < end {
            let run = try program.run(["ctl", "status", "--json"] + options)
            if run.status == 0, try json(run)[name] as? Value == value { return }
            newest = run.output + run.errors
            Thread.sleep(forTimeInterval: 0.1)
        }
        Issue.record("\(name) did not become \(value): \(newest)")
    }

    /// ORD-13: a session is found, shown, halted, killed by a signal and let go on, all from other processes.
    @Test func aSessionIsOperatedFromOtherProcesses() throws {
        let session = try started("journal", speed: 60)
        defer { end(session) }
        // The only session that runs is found without a word.
        try wait(for: "state", "trading")
        let shown = try program.run("ctl", "status")
        #expect(shown.output.contains("trading") && shown.output.contains("READY"))
        #expect(try program.run("ctl", "halt").status == 2)
        let halted = try program.run("ctl", "halt", "--reason", "drill", "--json")
        #expect(halted.status == 0, "\(halted.errors)")
        #expect(try json(halted)["done"] as? String == "halt")
        let second = try program.run("ctl", "halt", "--reason", "drill", "--journal", "journal")
        #expect(second.status == 0)
        let halts = try json(program.run("ctl", "status", "--json"))["halts"] as? [[String: Any]]
        #expect(halts?.map { $0["cause"] as? String } == ["operator_request"])
        let wrong = try program.run("ctl", "flatten", "--symbol", "APPL", "--reason", "x")
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("'AAPL'"))
        #expect(try program.run("ctl", "cancel", "--reason", "x").status == 2)
        let flat = try program.run("ctl", "flatten", "--all", "--reason", "drill")
        #expect(flat.status == 0, "\(flat.errors)")
        let fee = try program.run(
            "ctl", "cashflow", "-12.50", "--cause", "fee", "--reason", "data", "--json")
        #expect(fee.status == 0, "\(fee.errors)")
        // The gateway knows of no such fee, and its ledger is compared at the end.
        let back = try program.run(
            "ctl", "cashflow", "12.50", "--cause", "fee", "--reason", "none after all", "--json")
        #expect(back.status == 0, "\(back.errors)")
        let decisions = try json(program.run("ctl", "decisions", "200", "--json"))
        #expect((decisions["decisions"] as? [[String: Any]])?.isEmpty == false)
        #expect(try program.run("ctl", "resume", "all", "--reason", "x").status == 0)
        try killBySignal(session)
    }

    /// TH21: a signal kills within a second, and the process goes on; only the account's number lifts it.
    private func killBySignal(_ session: Process) throws {
        kill(session.processIdentifier, SIGUSR1)
        // Within a second where the machine has nothing else to do.
        try wait(for: "killed", true, seconds: 10)
        #expect(session.isRunning)
        let all = try program.run("ctl", "resume", "all", "--reason", "x")
        #expect(all.status == 0 && all.output.contains("the kill stays"))
        let wrong = ["ctl", "resume", "killed", "--reason", "x", "--account", "DU7654321"]
        #expect(try program.run(wrong).status == 5)
        #expect(try program.run("ctl", "resume", "killed", "--reason", "x").status == 5)
        let lifted = try program.run(
            "ctl", "resume", "killed", "--reason", "x", "--account", "DU1234567")
        #expect(lifted.status == 0, "\(lifted.errors)")
        try wait(for: "killed", false, seconds: 5)
        kill(session.processIdentifier, SIGTERM)
        session.waitUntilExit()
        #expect(session.terminationStatus == 0)
        let gone = try program.run("ctl", "status")
        #expect(gone.status == 4)
        #expect(gone.errors.contains("no running session"))
        let verified = try program.run("replay", "journal", "--verify")
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// L13: a kill without a session holds for the next start: nothing is ordered.
    @Test func aKillBeforeAStartHolds() throws {
        #expect(try program.run("ctl", "kill").status == 4)
        #expect(try program.run("ctl", "kill", "--journal", "nowhere").status == 2)
        try FileManager.default.createDirectory(
            at: program.folder.appendingPathComponent("journal"),
            withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let killed = try program.run("ctl", "kill", "--journal", "journal", "--reason", "drill")
        #expect(killed.status == 0, "\(killed.errors)")
        #expect(killed.output.contains("holds for the next start"))
        #expect(try program.text("journal/kill").contains("drill"))
        let run = try program.run(arguments("journal", 200, 20))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("the session is killed"))
        let outcome = try json(run)
        #expect(outcome["orders"] as? Int == 0)
        #expect(outcome["halts"] as? [String] == ["killed"])
        // It is still there, and so it holds on.
        let second = try json(program.run(arguments("journal", 200, 10)))
        #expect(second["orders"] as? Int == 0)
    }

    /// Of two sessions one has to be chosen.
    @Test func ofSeveralSessionsOneIsChosen() throws {
        let sessions = [try started("one", speed: 1), try started("two", speed: 1)]
        defer { for session in sessions { end(session) } }
        for journal in ["one", "two"] {
            try wait(["--journal", journal], for: "killed", false)
        }
        let run = try program.run("ctl", "status")
        #expect(run.status == 2)
        #expect(run.errors.contains("--journal") && run.errors.contains("/one"))
        let killed = try program.run("ctl", "kill", "--socket", "two/ctl", "--json")
        #expect(try json(killed)["done"] as? String == "kill")
        #expect(try program.text("two/kill").contains("(uid \(getuid()))"))
        #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/one/kill"))
        // One that is killed and ended hard is found no more.
        end(sessions[1])
        try wait(for: "killed", false)
    }
}
