import ArgumentParser
import Configuration
import Dispatch
import Primitives
import Runtime
import TWSClient
import TWSProtocol

/// `martlet run`.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Trades a configuration's strategies in a live session.",
        discussion: """
            In mode sim the broker is a simulated gateway in this process: orders go over a real socket, in the \
            broker's own protocol, with simulated money, on synthetic or replayed prices. Ctrl+C ends the session.

            martlet run --mode sim --config Samples/momentum-session.yaml --data Samples/data/minute --speed 300
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "What the broker is: sim (trading.mode).")
    var mode: String?

    @Option(help: "In mode sim, the folder of prices to replay; without it they are synthetic.")
    var data: String?

    @Option(help: "In mode sim, what every draw follows from.")
    var seed: UInt64 = 1

    @Option(help: "In mode sim, seconds of session time in a second.")
    var speed = 1.0

    @Option(
        help: "In mode sim, when session time begins: 2026-01-05T10:00:00-05:00, now, or a day.")
    var start: String?

    @Option(help: "In mode sim, end after so many minutes of session time.")
    var minutes: Int?

    @Option(help: "In mode sim, what goes wrong at the gateway, by name; several joined by +.")
    var scenario: String?

    @Option(
        help: "The journal's folder: a session goes on from what an earlier one has left there.")
    var journal: String?

    @Flag(
        help: "In mode sim, connect to a gateway run that runs already, at ibkr.host and ibkr.port."
    )
    var connect = false

    func run() throws {
        var document = settings.document()
        if let mode { document.set("trading.mode", to: mode, flag: "--mode") }
        let settings = try self.settings.check(output, document).get()
        guard settings.trading.mode == .sim else {
            throw RunFailure.usage(
                "trading.mode is \(settings.trading.mode.rawValue): this version runs sessions in mode sim only."
            )
        }
        var options = SimulatedSessionJob.Options()
        options.data = data
        options.seed = seed
        options.speed = speed
        options.start = start
        options.scenario = scenario
        options.journal = journal
        if connect { options.gatewayTime = try gatewayTime(settings) }
        if let minutes {
            guard (1...1_000_000).contains(minutes) else {
                throw RunFailure.usage("--minutes is \(minutes): 1 to 1000000 are possible.")
            }
            options.duration = .minutes(Int64(minutes))
        }
        try run(settings, options)
    }

    private func run(_ settings: Settings, _ options: SimulatedSessionJob.Options) throws {
        let job = try SimulatedSessionJob(settings, options)
        let isDrawing = Console.isInteractive && !output.quiet && !output.json
        var signals: [any DispatchSourceSignal] = []
        defer { for signal in signals { signal.cancel() } }
        let outcome = try job.run(
            complain: { Console.complain($0) },
            interrupted: { signals = Interruption.call($0) },
            during: { if isDrawing { Console.draw($0) } })
        if isDrawing { Console.eraseProgress() }
        if !output.quiet { Console.print(output.json ? outcome.json.compact() : outcome.text) }
        if !outcome.differences.isEmpty { throw ExitCode(Runtime.ExitCode.verification.rawValue) }
    }
}

extension RunCommand {
    /// The clock of the gateway that runs already.
    private func gatewayTime(_ settings: Settings) throws -> Timestamp {
        let target = GatewayTarget(
            host: settings.ibkr.host, port: settings.ibkr.port,
            clientID: ClientID(rawValue: Self.clockClient), settings: settings.ibkr,
            codes: .standard, recorder: nil)
        return try target.connected(limit: settings.ibkr.connectTimeout) { client in
            try await client.clockReading().gateway
        }
    }

    /// The client number under which the clock is read: nobody trades under it.
    private static let clockClient: Int32 = 1_999_999_999
}

extension Console {
    /// Draws in place how a session stands.
    static func draw(_ progress: SimulatedSessionJob.Progress) {
        drawLine(
            "\(progress.now.description.prefix(16))  \(progress.step)  orders \(progress.orders)  "
                + "fills \(progress.fills)  equity \(progress.equity)")
    }
}

extension SimulatedSessionJob.Outcome {
    /// The summary for people.
    var text: String {
        var lines = [
            "Orders     \(orders)", "Fills      \(fills)", "Reconnects \(reconnections)",
            "Equity     \(equity)", "Cash       \(cash)",
        ]
        for position in positions {
            lines.append("Position   \(position.symbol) \(position.quantity)")
        }
        if let recovery { lines.append("Recovered  \(recovery)") }
        lines.append("Journal    \(journal) (\(journalBytes / 1_000) kB)")
        if !isCompared { return lines.joined(separator: "\n") }
        if differences.isEmpty {
            lines.append("Books      equal to the gateway's own ledger")
        } else {
            lines += differences.map { "Difference \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// The summary for programs.
    var json: JSONObject {
        [
            .init("orders", .number("\(orders)")), .init("fills", .number("\(fills)")),
            .init("reconnections", .number("\(reconnections)")),
            .init("equity", .number("\(equity)")), .init("cash", .number("\(cash)")),
            .init(
                "positions",
                .object(positions.map { .init($0.symbol, .number("\($0.quantity)")) })),
            .init("differences", .array(differences.map { .text($0) })),
        ]
    }
}
