import Foundation
import Testing

/// `martlet run --mode sim`: live sessions on a real socket.
@Suite(.serialized) struct SessionCommandTests {
    private let program: BuiltProgram
    private let samples = BuiltProgram.samples

    init() throws { program = try BuiltProgram() }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private var session: [String] {
        ["run", "--mode", "sim", "-c", samples + "/momentum-session.yaml", "--json"]
    }

    /// EVT-11, CON-09: contracts, lists and past bars come first, then strategies trade; the ledger is the gateway's.
    @Test func aSessionTradesAndItsLedgerIsTheGateways() throws {
        let run = try program.run(
            session + [
                "--data", samples + "/data/minute", "--speed", "200", "--minutes", "40",
            ])
        #expect(run.status == 0, "\(run.errors)")
        let outcome = try json(run.output)
        #expect((outcome["orders"] as? Int ?? 0) >= 3)
        #expect((outcome["fills"] as? Int ?? 0) >= 3)
        #expect((outcome["differences"] as? [String])?.isEmpty == true)
        #expect(outcome["state"] as? String == "trading")
        #expect((outcome["halts"] as? [String])?.isEmpty == true)
        #expect((outcome["latched"] as? [String])?.isEmpty == true)
        #expect((outcome["unknown"] as? [Int])?.isEmpty == true)
    }

    /// LOG-02, LOG-04: logs lie in the folder that the configuration names, results with the journal; the terminal shows
    /// what is logged where that is asked for.
    @Test func aSessionLeavesLogsAndResults() throws {
        let run = try program.run(
            session + [
                "--data", samples + "/data/minute", "--speed", "200", "--minutes", "40", "-v",
                "--set", "logging.directory=notes/of/today", "--set", "logging.format=json",
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains(" connection: "))
        #expect(!run.errors.contains("DU1234567"))
        let outcome = try json(run.output)
        let log = try program.text("notes/of/today/martlet.log").split(separator: "\n")
        #expect(log.count > 20)
        for line in log { #expect(try json(String(line))["category"] is String) }
        let fills = try #require(outcome["fills"] as? Int)
        #expect(fills > 0)
        let trades = try program.text("notes/of/today/trades.log").split(separator: "\n")
        #expect(trades.count { $0.contains("\"message\":\"FILL\"") } == fills)
        let folder = try #require(outcome["results"] as? String)
        let rows = try program.text(folder + "/fills.csv").split(separator: "\n")
        #expect(rows.count == fills + 1)
    }

    @Test func aSymbolThatTheGatewayDoesNotKnowIsNamed() throws {
        let run = try program.run(
            session + ["--set", "trading.symbols=[AAPL, NOSUCH]", "--minutes", "5"])
        #expect(run.status == 2)
        #expect(run.errors.contains("NOSUCH"))
        #expect(!run.errors.contains("AAPL:"))
    }

    @Test func aSessionWithoutSymbolsIsRefused() throws {
        let run = try program.run(["run", "--mode", "sim", "-c", "config.yaml"])
        #expect(run.status == 2)
        #expect(run.errors.contains("trading.symbols"))
    }

    /// CON-18: the account is what the configuration says, or nothing is traded.
    @Test func anAccountOfAnotherKindIsRefused() throws {
        let gateway = try gateway(speed: 60, "--account-type", "cash")
        defer { gateway.process.terminate() }
        let run = try program.run(connected(to: gateway, speed: 60, minutes: 5))
        #expect(run.status == 5)
        #expect(run.errors.contains("cash account"))
        let other = try program.run(
            connected(to: gateway, speed: 60, minutes: 5) + [
                "--set", "ibkr.account_id=DU7654321",
            ])
        #expect(other.status == 5)
        #expect(other.errors.contains("DU***21") && other.errors.contains("DU***67"))
    }

    // MARK: Crashes

    /// A simulated gateway in a process of its own.
    private struct Gateway {
        let process: Process
        let port: Int
        let control: String
    }

    private func started(_ arguments: [String]) throws -> Process {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("martlet")
        process.arguments = arguments
        process.currentDirectoryURL = program.folder
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        return process
    }

    private func gateway(speed: Int, _ more: String...) throws -> Gateway {
        let control = program.folder.path + "/ctl"
        let process = try started(
            [
                "gateway", "run", "--port", "0", "--market", "replay", "--data",
                samples + "/data/minute", "--speed", "\(speed)", "--cash", "100000", "--control",
                control, "--state", program.folder.path + "/state",
            ] + more)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let byte = output.fileHandleForReading.readData(ofLength: 1)
            try #require(!byte.isEmpty)
            line += String(decoding: byte, as: UTF8.self)
        }
        let port = try #require(Int(line.dropLast().split(separator: ":").last ?? ""))
        return Gateway(process: process, port: port, control: control)
    }

    private func connected(to gateway: Gateway, speed: Int, minutes: Int) -> [String] {
        session + [
            "--connect", "--set", "ibkr.port=\(gateway.port)", "--set",
            "ibkr.account_id=DU1234567", "--journal", "journal", "--speed", "\(speed)",
            "--minutes", "\(minutes)",
        ]
    }

    private func ledger(of gateway: Gateway) throws -> [String: Any] {
        let run = try program.run(
            "gateway", "ctl", "--socket", gateway.control, "{\"do\":\"ledger\"}")
        return try json(run.output)
    }

    /// The orders that the gateway was sent.
    private func orderCount(at gateway: Gateway) throws -> Int {
        (try ledger(of: gateway)["asked"] as? [Any])?.count ?? 0
    }

    /// Waits until the gateway was sent another order.
    private func waitForAnOrder(at gateway: Gateway, above count: Int) throws {
        for _ in 0..<600 {
            if try orderCount(at: gateway) > count { return }
            Thread.sleep(forTimeInterval: 0.2)
        }
        Issue.record("no order came in two minutes")
    }

    /// OPS-02: no order is lost and none doubled when the session is killed behind an order, by the gateway's ledger.
    @Test func aKilledSessionGoesOnWithoutLossOrRepetition() throws {
        let speed = 60
        let gateway = try gateway(speed: speed)
        defer { gateway.process.terminate() }
        for delay in [0.0, 0.05, 0.4] {
            let before = try orderCount(at: gateway)
            let process = try started(connected(to: gateway, speed: speed, minutes: 10_000))
            try process.run()
            try waitForAnOrder(at: gateway, above: before)
            Thread.sleep(forTimeInterval: delay)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            // Somebody looks each time: a fourth start behind three deaths would be refused.
            try FileManager.default.removeItem(
                at: program.folder.appendingPathComponent("journal/starts"))
        }
        try expectEqualLedgers(gateway, speed)
        try replayVerifies()
    }

    // MARK: Ends

    /// A session whose output is kept.
    private func followed(
        _ gateway: Gateway, _ settings: String...
    ) throws -> (process: Process, output: Pipe, errors: Pipe) {
        let process = try started(
            connected(to: gateway, speed: 60, minutes: 10_000)
                + settings.flatMap { ["--set", "system.\($0)"] })
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return (process, output, errors)
    }

    /// Looks at the gateway's ledger until it is as wanted.
    private func wait(
        for gateway: Gateway, _ what: String, _ isMeant: ([String: Any]) -> Bool
    ) throws {
        for _ in 0..<600 {
            if isMeant(try ledger(of: gateway)) { return }
            Thread.sleep(forTimeInterval: 0.2)
        }
        Issue.record("this did not come in two minutes: \(what)")
    }

    private func held(_ ledger: [String: Any]) -> [Double] {
        let account = (ledger["accounts"] as? [[String: Any]])?.first
        let positions = account?["positions"] as? [[String: Any]] ?? []
        return positions.compactMap { $0["quantity"] as? Double }.filter { $0 != 0 }
    }

    /// P5, CON-15: asked to end, a session closes what it holds where it is to, and ends with 0. What the broker does not
    /// answer is named at the deadline, with a code of its own. Asked a second time it ends at once.
    @Test func aSessionEndsByItsExitPolicy() throws {
        let gateway = try gateway(speed: 60)
        defer { gateway.process.terminate() }
        let flat = try followed(gateway, "exit_policy=flatten")
        try wait(for: gateway, "a position") { !held($0).isEmpty }
        flat.process.terminate()
        let outcome = try json(
            String(decoding: flat.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
        flat.process.waitUntilExit()
        #expect(flat.process.terminationStatus == 0)
        #expect(outcome["exit_policy"] as? String == "flatten")
        #expect(outcome["exit_complete"] as? Bool == true)
        #expect((outcome["positions"] as? [String: Any])?.isEmpty == true)
        #expect((outcome["left"] as? [Any])?.isEmpty == true)
        #expect(try held(ledger(of: gateway)).isEmpty)
    }

    /// The session's ledger is the gateway's. What fills while a session ends is in the next one's.
    private func expectEqualLedgers(_ gateway: Gateway, _ speed: Int) throws {
        var differences = ["no session has run to its end"]
        for _ in 0..<6 where !differences.isEmpty {
            let run = try program.run(connected(to: gateway, speed: speed, minutes: 4))
            try #require(run.status == 0, "\(run.errors)")
            differences = try self.differences(of: json(run.output), from: ledger(of: gateway))
        }
        #expect(differences.isEmpty)
        let ledger = try ledger(of: gateway)
        let violations = try #require(ledger["violations"] as? [String: Any])
        #expect((violations["repeatedReferences"] as? [String: Any])?.isEmpty == true)
        let asked = try #require(ledger["asked"] as? [[String: Any]])
        #expect(asked.count >= 3)
        #expect(asked.allSatisfy { $0["placements"] as? Int == 1 })
    }

    private func differences(
        of outcome: [String: Any], from ledger: [String: Any]
    ) throws -> [String] {
        let account = try #require((ledger["accounts"] as? [[String: Any]])?.first)
        let cash = try #require(account["cash"] as? [String: [String: Double]])
        let positions = try #require(account["positions"] as? [[String: Any]])
        var held: [String: Double] = [:]
        for position in positions {
            let symbol = try #require(position["symbol"] as? String)
            let quantity = try #require(position["quantity"] as? Double)
            if quantity != 0 { held[symbol] = quantity }
        }
        var differences: [String] = []
        let here = outcome["positions"] as? [String: Double] ?? [:]
        if here != held { differences.append("positions \(here) and \(held)") }
        let total = cash["USD"]?["total"]
        if outcome["cash"] as? Double != total {
            differences.append("cash \(outcome["cash"] ?? "") and \(total ?? 0)")
        }
        return differences
    }

    /// Each of the journals is answered again by a second engine, in another process; a flipped byte is found.
    private func replayVerifies() throws {
        let verified = try program.run("replay", "journal", "--verify", "--json")
        #expect(verified.status == 0, "\(verified.output)")
        let files = try #require(try json(verified.output)["files"] as? [[String: Any]])
        #expect(files.count >= 4)
        #expect(files.contains { ($0["events"] as? Int ?? 0) > 20 })
        let path = try #require(files.last?["path"] as? String)
        let file = program.folder.appendingPathComponent(path)
        var bytes = [UInt8](try Data(contentsOf: file))
        // In the last page, where the newest rows are.
        let index = bytes.count - 200
        bytes[index] ^= 0x55
        try Data(bytes).write(to: file)
        let damaged = try program.run("replay", "journal", "--verify")
        #expect(damaged.status == 8)
        #expect(damaged.output.contains("damaged at event"), "\(damaged.output)")
    }

    /// Two processes on one journal: the second is refused by the first one's number.
    @Test func aSecondSessionOnOneJournalIsRefused() throws {
        let gateway = try gateway(speed: 10)
        defer { gateway.process.terminate() }
        let first = try started(connected(to: gateway, speed: 10, minutes: 10_000))
        try first.run()
        defer {
            kill(first.processIdentifier, SIGKILL)
            first.waitUntilExit()
        }
        let lock = program.folder.appendingPathComponent("journal/lock")
        for _ in 0..<100 {
            let text = try? String(contentsOf: lock, encoding: .utf8)
            if text?.isEmpty == false { break }
            Thread.sleep(forTimeInterval: 0.1)
        }
        let second = try program.run(connected(to: gateway, speed: 10, minutes: 1))
        #expect(second.status == 5)
        #expect(second.errors.contains("process \(first.processIdentifier)"))
    }
}
