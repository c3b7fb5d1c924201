import Configuration
import Primitives
import TWSProtocol
import Testing

@testable import Runtime

/// CON-14: what the doctor makes of what it has found.
@Suite struct DoctorReportTests {
    private static func expectation(
        _ mode: TradingMode, host: String = "127.0.0.1", port: Int = 4002, account: String? = nil
    ) throws -> GatewayExpectation {
        var document = SettingsDocument()
        document.merge(assignment: "ibkr.client_id=7")
        var expected = GatewayExpectation(
            try SettingsCheck(document).gateway(), mode: mode, showsAccounts: false)
        (expected.host, expected.port, expected.account) = (host, port, account)
        return expected
    }

    private static func facts(
        accounts: [AccountID] = ["DU1234567"], skew: Duration? = .zero,
        orders: GatewayFacts.Orders = .listed(0)
    ) -> GatewayFacts {
        GatewayFacts(version: 200, accounts: accounts, skew: skew, orders: orders)
    }

    private static func outcome(
        _ check: String, _ facts: GatewayFacts, _ mode: TradingMode, account: String? = nil
    ) throws -> DoctorReport.Outcome? {
        var report = DoctorReport()
        report.check(facts, try expectation(mode, account: account))
        return report.lines.first { $0.check == check }?.outcome
    }

    /// Accounts by their prefix against the mode.
    @Test func accountsAreOfTheirMode() throws {
        let table: [(account: AccountID, mode: TradingMode, outcome: DoctorReport.Outcome)] = [
            ("DU1234567", .paper, .pass), ("DU1234567", .sim, .pass), ("DU1234567", .dry, .pass),
            ("DU1234567", .live, .fail), ("DF1234567", .paper, .pass), ("U1234567", .live, .pass),
            ("U1234567", .paper, .fail), ("U1234567", .sim, .fail), ("U1234567", .dry, .pass),
            ("F1234567", .live, .pass),
        ]
        for row in table {
            let outcome = try Self.outcome(
                "account", Self.facts(accounts: [row.account]), row.mode)
            #expect(outcome == row.outcome, "\(row)")
        }
        let both = Self.facts(accounts: ["U1", "U2"])
        #expect(try Self.outcome("account", both, .live) == .fail)
        #expect(try Self.outcome("account", both, .live, account: "U2") == .pass)
        #expect(try Self.outcome("account", both, .live, account: "U3") == .fail)
    }

    /// Clocks by the limits of sessions: two seconds, thirty seconds; a simulated gateway has a time of its own.
    @Test func clocksAreComparedAsInSessions() throws {
        let table: [(skew: Duration?, mode: TradingMode, outcome: DoctorReport.Outcome)] = [
            (.seconds(2), .paper, .pass), (.seconds(-2), .paper, .pass),
            (.milliseconds(2_001), .paper, .warn), (.seconds(-30), .live, .warn),
            (.milliseconds(30_001), .live, .fail), (.hours(-3), .paper, .fail),
            (.days(300), .sim, .pass), (nil, .paper, .warn),
        ]
        for row in table {
            #expect(
                try Self.outcome("clock", Self.facts(skew: row.skew), row.mode) == row.outcome,
                "\(row)")
        }
    }

    /// Answers to the question for open orders.
    @Test func readOnlyIsAFailureWhereOrdersAreMeant() throws {
        let refused = Self.facts(orders: .readOnly("321: Read-Only"))
        #expect(try Self.outcome("read_only_api", refused, .paper) == .fail)
        #expect(try Self.outcome("read_only_api", refused, .dry) == .pass)
        let table: [(orders: GatewayFacts.Orders, outcome: DoctorReport.Outcome)] = [
            (.listed(3), .pass), (.refused("200"), .warn), (.silent(.seconds(3)), .warn),
        ]
        for row in table {
            let facts = Self.facts(orders: row.orders)
            #expect(try Self.outcome("read_only_api", facts, .live) == row.outcome, "\(row)")
        }
    }

    /// Hosts that others reach, and ports of the other kind of account.
    @Test func hostsAndPortsAreCompared() throws {
        let table:
            [(host: String, port: Int, mode: TradingMode, outcomes: [DoctorReport.Outcome])] =
                [
                    ("127.0.0.1", 4002, .paper, [.pass, .pass]),
                    ("localhost", 7496, .live, [.pass, .pass]),
                    ("::1", 7497, .live, [.pass, .warn]),
                    ("192.168.1.5", 4001, .paper, [.warn, .warn]),
                    ("gateway", 5000, .live, [.warn, .pass]),
                ]
        for row in table {
            var report = DoctorReport()
            report.checkPlace(try Self.expectation(row.mode, host: row.host, port: row.port))
            #expect(report.lines.map(\.check) == ["host", "port"])
            #expect(report.lines.map(\.outcome) == row.outcomes, "\(row)")
        }
    }

    /// The first failure decides how the command ends.
    @Test func theFirstFailureIsTheExitCode() throws {
        var report = DoctorReport()
        report.explainSettings()
        #expect(report.exitCode == .success)
        report.noteNoConnection("refused")
        report.check(
            Self.facts(accounts: ["U1"]), try Self.expectation(.paper))
        #expect(report.exitCode == .gateway)
        #expect(
            report.lines.filter { $0.outcome == .fail }.map(\.check) == ["connection", "account"])
        #expect(report.lines.allSatisfy { ($0.outcome == .pass) == ($0.remedy == nil) })
    }
}
