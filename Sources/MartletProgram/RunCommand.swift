import ArgumentParser
import Configuration
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
        options.isAnnounced = !output.quiet
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
        let outcome = try SimulatedSessionJob(settings, options).run(output)
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
