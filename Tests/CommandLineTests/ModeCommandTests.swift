import Foundation
import Glibc
import Testing

/// `martlet run` in modes paper and live: at a gateway in another process, which here is the simulator.
@Suite(.serialized) struct ModeCommandTests {
    private let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        try program.write(Self.configuration("paper"), to: "paper.yaml")
    }

    private static func configuration(_ mode: String) -> String {
        """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: \(mode), symbols: [AAPL, MSFT], bar_size: 1m}
        risk: {max_daily_loss_pct: 2, max_position_pct: 25}
        strategies:
          - use: cross_sectional_momentum
            parameters: {lookback: 10, top: 1, invested_pct: 20, rebalance: bars, every: 5}
        """
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    // MARK: The gateway

    /// A simulated gateway in a process of its own, at the time of day.
    private struct Gateway {
        let process: Process
        let port: Int
        let control: String
    }

    private func gateway(_ account: String) throws -> Gateway {
        let control = program.folder.path + "/\(account).ctl"
        let process = program.process([
            "gateway", "run", "--port", "0", "--start", "now", "--cash", "100000", "--account",
            account, "--control", control,
        ])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
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

    private func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The orders that a gateway was sent.
    private func orderCount(at gateway: Gateway) throws -> Int {
        let run = try program.run(
            "gateway", "ctl", "--socket", gateway.control, "{\"do\":\"ledger\"}")
        return try #require(try json(run.output)["asked"] as? [Any]).count
    }

    // MARK: Paper

    /// OPS-11, CON-04: a paper session at a gateway in another process goes by the time of day, gets ready, is shown by
    /// `ctl`, ends in order at Ctrl+C, and is listed; no other mode takes its journal.
    @Test func aPaperSessionRunsAtAGatewayOfItsOwn() throws {
        let gateway = try gateway("DU1234567")
        defer { end(gateway.process) }
        let arguments = [
            "run", "--mode", "paper", "-c", "paper.yaml", "--set", "ibkr.port=\(gateway.port)",
            "--journal", "journal", "--json",
        ]
        let session = program.process(arguments)
        let output = Pipe()
        session.standardOutput = output
        session.standardError = FileHandle.nullDevice
        try session.run()
        defer { end(session) }
        let status = try waitUntilReady()
        let now = try #require(status["now"] as? String)
        let shown = try #require(ISO8601DateFormatter().date(from: String(now.prefix(19)) + "Z"))
        #expect(abs(shown.timeIntervalSinceNow) < 60)
        kill(session.processIdentifier, SIGINT)
        let text = output.fileHandleForReading.readDataToEndOfFile()
        session.waitUntilExit()
        #expect(session.terminationStatus == 0)
        let outcome = try json(String(decoding: text, as: UTF8.self))
        #expect(outcome["link"] as? String == "READY")
        #expect((outcome["unknown"] as? [Any])?.isEmpty == true)
        let list = try program.text("journal/sessions")
        #expect(list.hasPrefix("mode=paper account=DU1234567 "))
        #expect(list.contains(" finished=") && list.split(separator: "\n").count == 1)
        let simulated = try program.run([
            "run", "--mode", "sim", "-c", "paper.yaml", "--journal", "journal", "--minutes", "1",
        ])
        #expect(simulated.status == 5, "\(simulated.errors)")
        #expect(simulated.errors.contains("mode paper"))
        let verified = try program.run("replay", "journal", "--verify")
        #expect(verified.status == 0, "\(verified.output)")
    }

    /// A dry session at a login for trading with money: it gets ready, ends in order with equal ledgers, goes on from its
    /// journal and its account, and nothing was ordered at the gateway. Without a gateway it ends with 4.
    @Test func aDrySessionOrdersNothingAtALoginWithMoney() throws {
        let gateway = try gateway("U7654321")
        defer { end(gateway.process) }
        let arguments = [
            "run", "--mode", "dry", "-c", "paper.yaml", "--set", "ibkr.port=\(gateway.port)",
            "--set", "ibkr.allow_port_mismatch=true", "--journal", "journal", "--json",
        ]
        for _ in 1...2 {
            let session = program.process(arguments)
            let output = Pipe()
            session.standardOutput = output
            session.standardError = FileHandle.nullDevice
            try session.run()
            defer { end(session) }
            _ = try waitUntilReady()
            kill(session.processIdentifier, SIGINT)
            let text = output.fileHandleForReading.readDataToEndOfFile()
            session.waitUntilExit()
            #expect(session.terminationStatus == 0)
            let outcome = try json(String(decoding: text, as: UTF8.self))
            #expect((outcome["differences"] as? [Any])?.isEmpty == true)
        }
        #expect(try program.text("journal/sessions").hasPrefix("mode=dry account=U7654321 "))
        let answer = try program.run(
            "gateway", "ctl", "--socket", gateway.control, #"{"do":"ledger"}"#)
        #expect((try json(answer.output)["asked"] as? [Any])?.isEmpty == true)
        end(gateway.process)
        let alone = try program.run(arguments)
        #expect(alone.status == 4, "\(alone.errors)")
    }

    private func waitUntilReady() throws -> [String: Any] {
        let end = Date() + 60
        var newest = ""
        while Date() < end {
            let run = try program.run("ctl", "status", "--journal", "journal", "--json")
            newest = run.output + run.errors
            if run.status == 0 {
                let status = try json(run.output)
                if status["link"] as? String == "READY" { return status }
            }
            Thread.sleep(forTimeInterval: 0.2)
        }
        throw Missing(words: "the session did not get ready: \(newest)")
    }

    private struct Missing: Error { let words: String }

    /// CON-04: with no mode given it is paper, at the paper port of the configured program; nothing listens there, and
    /// the status is 4, with the address.
    @Test(arguments: [("gateway", 4_002), ("tws", 7_497)])
    func withoutAModeThePaperPortIsConnectedTo(app: String, port: Int) throws {
        let run = try program.run([
            "run", "-c", "config.yaml", "--set", "trading.symbols=[AAPL]", "--set",
            "ibkr.host=127.0.0.9", "--set", "ibkr.app=\(app)",
        ])
        #expect(run.status == 4, "\(run.errors)")
        #expect(run.errors.contains("127.0.0.9:\(port)"), "\(run.errors)")
        #expect(run.errors.contains("API"), "\(run.errors)")
    }

    /// CON-04: an account that is no paper account is refused with 5, before anything is ordered.
    @Test(arguments: ["paper", "sim"])
    func anAccountWithMoneyIsRefused(mode: String) throws {
        let gateway = try gateway("U1234567")
        defer { end(gateway.process) }
        let run = try program.run(
            [
                "run", "--mode", mode, "-c", "paper.yaml", "--set", "ibkr.port=\(gateway.port)",
                "--journal", "journal",
            ] + (mode == "sim" ? ["--connect"] : []))
        #expect(run.status == 5, "\(run.errors)")
        #expect(run.errors.contains("no paper account") && run.errors.contains("U***67"))
        #expect(try orderCount(at: gateway) == 0)
    }

    /// What means something in mode sim alone is refused in others, and what is for mode live, too.
    @Test(arguments: [
        ["--speed", "10"], ["--data", "data"], ["--seed", "2"], ["--start", "now"],
        ["--scenario", "flapping"], ["--connect"], ["--live"], ["--cap-reason", "x"],
    ])
    func optionsOfAnotherModeAreRefused(option: [String]) throws {
        let run = try program.run(["run", "-c", "paper.yaml"] + option)
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.contains(option[0]))
    }

    // MARK: Live

    private struct Attempt {
        var file = "live"
        var more: [String] = []
        var typed: String? = "U1234567"
        var words: String
    }

    /// D.3, TH20: mode live is refused with 5 and the first condition that does not hold, and with all of them held for
    /// the missing alerts; no gateway is sent an order.
    @Test func liveIsRefusedConditionByCondition() throws {
        let (own, paper) = (try gateway("U1234567"), try gateway("DU1234567"))
        defer { for gateway in [own, paper] { end(gateway.process) } }
        try program.write(Self.configuration("live"), to: "live.yaml")
        let session =
            "mode=live account=U1234567 program=1 configuration=1 strategies=1 begun=1 whole_days=0 "
            + "unknown=0 latched=0 critical=0\n"
        try FileManager.default.createDirectory(
            at: program.folder.appendingPathComponent("unclean"), withIntermediateDirectories: true)
        try program.write(session, to: "unclean/sessions")
        let mismatch = ["--set", "ibkr.allow_port_mismatch=true", "--set", "ibkr.port=4002"]
        let attempts = [
            Attempt(file: "paper", more: ["--mode", "live", "--live"], words: "not in a file"),
            Attempt(words: "does not say --live"),
            Attempt(more: ["--live", "--set", "ibkr.account_id=null"], words: "does not name"),
            Attempt(more: ["--live"], typed: nil, words: "was not typed"),
            Attempt(more: ["--live"], typed: "U7654321", words: "not that of"),
            Attempt(more: ["--live"] + mismatch, words: "paper account's"),
            Attempt(
                more: ["--live", "--set", "ibkr.port=\(paper.port)"], words: "has a paper account"),
            Attempt(
                more: ["--live", "--set", "ibkr.account_id=U7654321"], typed: "U7654321",
                words: "does not have the account"),
            Attempt(
                more: ["--live", "--set", "risk.max_daily_loss_pct=null"], words: "limits are"),
            Attempt(
                more: ["--live", "--set", "risk.max_position_pct=26"], words: "more than a quarter"),
            Attempt(more: ["--live", "--journal", "unclean"], words: "did not end in order"),
            Attempt(more: ["--live"], words: "no paper session"),
            Attempt(
                more: ["--live", "--untested-reason", "a drill"], words: "no alert channel"),
        ]
        for attempt in attempts {
            let run = try program.run(
                [
                    "run", "-c", "\(attempt.file).yaml", "--set", "ibkr.port=\(own.port)", "--set",
                    "ibkr.account_id=U1234567",
                ] + attempt.more, with: attempt.typed.map { ["ARM_LIVE": $0] } ?? [:])
            #expect(run.status == 5, "\(attempt.words): \(run.errors)")
            #expect(run.errors.contains(attempt.words), "\(attempt.words): \(run.errors)")
        }
        #expect(try orderCount(at: own) == 0)
        #expect(try orderCount(at: paper) == 0)
    }
}
