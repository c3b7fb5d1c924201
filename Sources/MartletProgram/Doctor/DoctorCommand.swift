import ArgumentParser
import Configuration
import Primitives
import Runtime
import TWSClient
import TWSProtocol

/// `martlet doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks configuration, gateway and machine, and explains the settings.",
        discussion: """
            One line for each check: pass, warn or fail, what was found and what to do; "look" \
            marks settings that no program can read. It orders nothing, and ends with 0 unless a \
            check failed: 3 for the configuration, 4 for the connection and the clock, 5 for \
            account, mode and a gateway that is set to read only, 1 for the journal's folder.

            martlet doctor -c session.yaml
            """)

    @OptionGroup var gateway: GatewayOptions

    @Option(
        help: """
            The folder that will hold the journals: for run --journal /data/journal, give /data.
            """)
    var journal = "results/run"

    /// How long each stage of the connection may take, and each answer.
    private static let limit = Duration.milliseconds(3_500)

    func run() throws {
        var report = DoctorReport()
        let check = SettingsCheck(gateway.settings.document())
        report.check(check, isGiven: gateway.settings.isGiven)
        do {
            try look(into: &report, mode: check.mode)
        } catch RunFailure.settings where report.exitCode == .configuration {
            // Where the gateway is, is not known.
        }
        report.explainSettings()
        report.checkJournal(journal)
        if gateway.output.json {
            Console.print(report.json.compact())
        } else if !gateway.output.quiet {
            Console.print(report.text)
        }
        if report.exitCode != .success { throw ExitCode(report.exitCode.rawValue) }
    }

    private func look(into report: inout DoctorReport, mode: TradingMode) throws {
        let target = try gateway.target()
        var expected = GatewayExpectation(
            target.settings, mode: mode, showsAccounts: gateway.showAccounts)
        (expected.host, expected.port) = (target.host, target.port)
        expected.clientID = Int(target.clientID.rawValue)
        report.checkPlace(expected)
        do {
            let facts = try target.connected(limit: Self.limit) { client in
                try await GatewayFacts(client, limit: Self.limit)
            }
            report.check(facts, expected)
        } catch RunFailure.gateway(let words) {
            report.noteNoConnection(words)
        }
    }
}

extension GatewayFacts {
    /// Asks a gateway. Nothing that is asked can become an order.
    fileprivate init(_ client: GatewayClient, limit: Duration) async throws {
        let clock = try await Self.within(limit) { try await client.clockReading() }
        self.init(
            version: client.serverVersion?.number ?? 0, accounts: client.accounts,
            skew: clock?.skew, orders: try await Self.orders(client, limit))
    }

    /// The question for open orders, which a gateway that is set to read only refuses with 321 and the number of no request.
    private static func orders(
        _ client: GatewayClient, _ limit: Duration
    ) async throws -> GatewayFacts.Orders {
        let events = client.connectionEvents()
        return try await withThrowingTaskGroup(of: GatewayFacts.Orders?.self) { group in
            group.addTask {
                do {
                    return .listed(try await client.openOrders(.all).count)
                } catch ClientError.rejected(let notice) {
                    return Self.refusal(notice) ?? .refused("\(notice)")
                }
            }
            group.addTask {
                for try await event in events {
                    if case .notice(let notice) = event, let refusal = Self.refusal(notice) {
                        return refusal
                    }
                }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: .nanoseconds(limit.nanoseconds))
                return .silent(limit)
            }
            defer { group.cancelAll() }
            while let next = try await group.next() {
                if let next { return next }
            }
            return .silent(limit)
        }
    }

    private static func refusal(_ notice: Notice) -> GatewayFacts.Orders? {
        let words = notice.text.lowercased()
        guard notice.code == 321, words.contains("read-only") || words.contains("read only") else {
            return nil
        }
        return .readOnly("\(notice.code): \(notice.text)")
    }

    /// What comes within a time; `nil` where nothing does.
    private static func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: .nanoseconds(limit.nanoseconds))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
