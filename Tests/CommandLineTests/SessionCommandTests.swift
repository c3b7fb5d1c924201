import Foundation
import Testing

/// `martlet run --mode sim`: live sessions on a real socket.
@Suite(.serialized) struct SessionCommandTests {
    private let program: BuiltProgram
    private let samples: String

    init() throws {
        program = try BuiltProgram()
        samples =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Samples").path
    }

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
    }

    @Test func aSymbolThatTheGatewayDoesNotKnowIsNamed() throws {
        let run = try program.run(
            session + ["--set", "trading.symbols=[AAPL, NOSUCH]", "--minutes", "5"])
        #expect(run.status == 4)
        #expect(run.errors.contains("NOSUCH"))
        #expect(!run.errors.contains("AAPL:"))
    }

    @Test func aSessionWithoutSymbolsIsRefused() throws {
        let run = try program.run(["run", "--mode", "sim", "-c", "config.yaml"])
        #expect(run.status == 2)
        #expect(run.errors.contains("trading.symbols"))
    }

    @Test func otherModesAreNotThereYet() throws {
        let run = try program.run([
            "run", "--mode", "paper", "-c", samples + "/momentum-session.yaml",
        ])
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.contains("paper"))
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

    private func gateway(speed: Int) throws -> Gateway {
        let control = program.folder.path + "/ctl"
        let process = try started([
            "gateway", "run", "--port", "0", "--market", "replay", "--data",
            samples + "/data/minute", "--speed", "\(speed)", "--cash", "100000", "--control",
            control, "--state", program.folder.path + "/state",
        ])
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

    /// OPS-02: no order is lost and none doubled when the session is killed at any moment, by the gateway's ledger.
    @Test func aKilledSessionGoesOnWithoutLossOrRepetition() throws {
        let speed = 60
        let gateway = try gateway(speed: speed)
        defer { gateway.process.terminate() }
        for seconds in [2.5, 4.1, 3.3] {
            let process = try started(connected(to: gateway, speed: speed, minutes: 10_000))
            try process.run()
            Thread.sleep(forTimeInterval: seconds)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let last = try program.run(connected(to: gateway, speed: speed, minutes: 8))
        #expect(last.status == 0, "\(last.errors)")
        let outcome = try json(last.output)
        let ledger = try ledger(of: gateway)
        let account = try #require((ledger["accounts"] as? [[String: Any]])?.first)
        let cash = try #require(account["cash"] as? [String: [String: Double]])
        #expect(outcome["cash"] as? Double == cash["USD"]?["total"])
        let positions = try #require(account["positions"] as? [[String: Any]])
        var held: [String: Double] = [:]
        for position in positions {
            let symbol = try #require(position["symbol"] as? String)
            let quantity = try #require(position["quantity"] as? Double)
            if quantity != 0 { held[symbol] = quantity }
        }
        #expect(outcome["positions"] as? [String: Double] == held)
        #expect(!held.isEmpty)
        let violations = try #require(ledger["violations"] as? [String: Any])
        #expect((violations["repeatedReferences"] as? [String: Any])?.isEmpty == true)
        let asked = try #require(ledger["asked"] as? [[String: Any]])
        #expect(asked.allSatisfy { $0["placements"] as? Int == 1 })
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
        #expect(second.status == 1)
        #expect(second.errors.contains("process \(first.processIdentifier)"))
    }
}
