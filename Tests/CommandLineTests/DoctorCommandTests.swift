import Foundation
import Testing

/// CON-14: `martlet doctor` against simulated gateways.
@Suite(.serialized) struct DoctorCommandTests {
    private let program: BuiltProgram

    init() throws { program = try BuiltProgram() }

    /// A simulated gateway in a process of its own, which is ended with the value.
    private final class Gateway {
        let port: Int
        let control: String
        private let process: Process

        /// - Parameter more: further options of `gateway run`.
        init(_ program: BuiltProgram, _ more: [String]) throws {
            control = program.folder.path + "/gateway-ctl"
            let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            process = Process()
            process.executableURL = tests.deletingLastPathComponent()
                .appendingPathComponent("martlet")
            process.arguments =
                ["gateway", "run", "--port", "0", "--start", "now", "--control", control] + more
            process.currentDirectoryURL = program.folder
            process.standardInput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            var line = ""
            while !line.hasSuffix("\n") {
                let byte = output.fileHandleForReading.readData(ofLength: 1)
                try #require(!byte.isEmpty)
                line += String(decoding: byte, as: UTF8.self)
            }
            port = try #require(Int(line.dropLast().split(separator: ":").last ?? ""))
        }

        deinit {
            process.terminate()
            process.waitUntilExit()
        }
    }

    private func gateway(_ more: String...) throws -> Gateway { try Gateway(program, more) }

    private struct Report {
        let status: Int32
        let exit: Int?
        let passed: Bool?
        /// By the name of the check.
        let outcomes: [String: String]
        let found: [String: String]
        let remedies: [String: String]

        var failed: [String] { outcomes.filter { $0.value == "fail" }.map(\.key).sorted() }
    }

    /// What the doctor says of a gateway, for the paper account of the tests' configuration.
    private func doctor(_ port: Int, _ more: String...) throws -> Report {
        let run = try program.run(
            [
                "doctor", "-c", "config.yaml", "--set", "trading.mode=paper", "--json", "--port",
                "\(port)",
            ] + more)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any],
            "\(run.output) \(run.errors)")
        let checks = try #require(object["checks"] as? [[String: Any]])
        func column(_ name: String) -> [String: String] {
            Dictionary(
                checks.compactMap { row in
                    guard let check = row["check"] as? String, let value = row[name] as? String
                    else { return nil }
                    return (check, value)
                }, uniquingKeysWith: { first, _ in first + " twice" })
        }
        return Report(
            status: run.status, exit: object["exit"] as? Int, passed: object["passed"] as? Bool,
            outcomes: column("outcome"), found: column("found"), remedies: column("remedy"))
    }

    @Test func aGoodGatewayPasses() throws {
        let gateway = try gateway()
        let report = try doctor(gateway.port, "--client-id", "7")
        #expect(report.status == 0)
        #expect(report.passed == true)
        for check in [
            "configuration", "host", "port", "connection", "client_id", "account", "clock",
            "read_only_api", "journal",
        ] {
            #expect(report.outcomes[check] == "pass", "\(check): \(report.found[check] ?? "")")
        }
        #expect(report.found["connection"]?.contains("server version 200") == true)
        #expect(report.found["account"]?.contains("DU***67 is a paper account") == true)
        // What no program is told is explained, with its place and what it should be.
        for check in [
            "trusted_ips", "localhost_only", "precautions", "master_client_id", "auto_restart",
            "instrument_attributes", "memory",
        ] {
            #expect(report.outcomes[check] == "look", "\(check)")
            #expect(report.remedies[check]?.contains("onfigur") == true, "\(check)")
        }
        let text = try program.run(
            "doctor", "-c", "config.yaml", "--port", "\(gateway.port)", "--client-id", "7")
        #expect(text.status == 0)
        #expect(text.output.contains("pass  read_only_api"))
        #expect(text.output.hasSuffix("Nothing failed.\n"))
        #expect(!text.output.contains("DU1234567"))
    }

    /// A gateway that is set to read only refuses the list of open orders: no order is needed to find it out.
    @Test func aReadOnlyGatewayIsFoundOut() throws {
        let gateway = try gateway()
        let asked = try program.run(
            "gateway", "ctl", "--socket", gateway.control, #"{"do":"read-only","lists":true}"#)
        #expect(asked.status == 0, "\(asked.errors)")
        let report = try doctor(gateway.port)
        #expect(report.status == 5)
        #expect(report.exit == 5)
        #expect(report.failed == ["read_only_api"])
        #expect(report.found["read_only_api"]?.contains("321") == true)
        #expect(report.remedies["read_only_api"]?.contains("Read-Only API") == true)
        let ledger = try program.run(
            "gateway", "ctl", "--socket", gateway.control, #"{"do":"ledger"}"#)
        #expect(ledger.output.contains(#""asked":[]"#))
    }

    @Test func aWrongPortIsAFailure() throws {
        let report = try doctor(try TestGateway.freePort())
        #expect(report.status == 4)
        #expect(report.failed == ["connection"])
        #expect(report.found["connection"]?.contains("connection refused") == true)
        #expect(report.outcomes["account"] == nil)
        // The rest is told all the same.
        #expect(report.outcomes["journal"] == "pass")
        #expect(report.outcomes["trusted_ips"] == "look")
    }

    @Test func aClientIDInUseIsAFailure() throws {
        let gateway = try gateway()
        let held = try program.run(
            "gateway", "ctl", "--socket", gateway.control, #"{"do":"hold-client","client":7}"#)
        #expect(held.status == 0, "\(held.errors)")
        let report = try doctor(gateway.port, "--client-id", "7")
        #expect(report.status == 4)
        #expect(report.failed == ["connection"])
        #expect(report.found["connection"]?.contains("client id 7 is in use") == true)
        #expect(report.remedies["connection"]?.contains("ibkr.client_id") == true)
    }

    @Test func aWrongAccountIsAFailure() throws {
        let gateway = try gateway()
        let other = try doctor(gateway.port, "--set", "ibkr.account_id=DU7654321")
        #expect(other.status == 5)
        #expect(other.failed == ["account"])
        #expect(other.found["account"]?.contains("DU***67") == true)
        let several = try self.gateway("--account", "DU1,DU2", "--control", control("two"))
        #expect(try doctor(several.port).failed == ["account"])
        #expect(try doctor(several.port, "--set", "ibkr.account_id=DU2").failed == [])
        let real = try self.gateway("--account", "U1234567", "--control", control("real"))
        let report = try doctor(real.port)
        #expect(report.status == 5)
        #expect(report.found["account"]?.contains("real money, and trading.mode is paper") == true)
    }

    private func control(_ name: String) -> String { program.folder.path + "/ctl-" + name }

    @Test func aWrongConfigurationIsAFailure() throws {
        let gateway = try gateway()
        let report = try doctor(gateway.port, "--set", "risk.nonsense=1")
        #expect(report.status == 3)
        #expect(report.failed == ["configuration"])
        #expect(report.outcomes["connection"] == "pass")
        let unreadable = try doctor(gateway.port, "--set", "ibkr.client_id=x")
        #expect(unreadable.status == 3)
        #expect(unreadable.failed == ["configuration"])
        #expect(unreadable.outcomes["connection"] == nil)
    }

    /// A folder for journals that cannot be made is found before a session wants it.
    @Test func aJournalThatCannotBeWrittenIsAFailure() throws {
        let gateway = try gateway()
        try program.write("a file", to: "occupied")
        let report = try doctor(gateway.port, "--journal", "occupied/journal")
        #expect(report.status == 1)
        #expect(report.failed == ["journal"])
    }
}
