import ArgumentParser
import Configuration
import Foundation
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
            In mode paper, the default, orders go to a paper account, at the TWS or IB Gateway that listens at \
            ibkr.host and ibkr.port. In mode sim the broker is a simulated gateway in this process: orders go over a \
            real socket, in the broker's own protocol, with simulated money, on synthetic or replayed prices. \
            Ctrl+C ends the session as system.exit_policy says; a second one ends it at once.

            martlet run --mode paper --config Samples/momentum-session.yaml --journal journal
            martlet run --mode sim --config Samples/momentum-session.yaml --data Samples/data/minute --speed 300
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Flag(name: [.short, .long], help: "Print what is logged, from level info on, besides alarms.")
    var verbose = false

    @Option(help: "Where orders go: paper or sim; live is refused (trading.mode).")
    var mode: String?

    @Option(help: "In mode sim, the folder of prices to replay; without it they are synthetic.")
    var data: String?

    @Option(help: "In mode sim, what every draw follows from; default: 1.")
    var seed: UInt64?

    @Option(help: "In mode sim, seconds of session time in a second; default: 1.")
    var speed: Double?

    @Option(
        help: "In mode sim, when session time begins: 2026-01-05T10:00:00-05:00, now, or a day.")
    var start: String?

    @Option(help: "End after so many minutes of session time.")
    var minutes: Int?

    @Option(help: "In mode sim, what goes wrong at the gateway, by name; several joined by +.")
    var scenario: String?

    @Option(
        help: """
            The journal's folder; a session continues from what is there. Without it, a new folder \
            under results/run.
            """)
    var journal: String?

    @Flag(
        help: """
            In mode sim, connect to a 'gateway run' that is already running, at ibkr.host and \
            ibkr.port.
            """)
    var connect = false

    @Flag(
        help: """
            Run the session as a child process and restart it if it dies, but not after three \
            deaths within ten minutes.
            """)
    var supervise = false

    @OptionGroup var live: LiveOptions

    func run() throws {
        var document = settings.document()
        let fileMode = SettingsCheck(document).fileMode
        if let mode { document.set("trading.mode", to: mode, flag: "--mode") }
        let settings = try self.settings.check(output, document).get()
        try refuseOptions(foreignTo: settings.trading.mode)
        if supervise {
            // A child in the background could not ask for the account's number.
            if settings.trading.mode == .live { throw try liveRefusal(settings, fileMode) }
            return try runSupervised(settings)
        }
        var options = SessionJob.Options()
        options.data = data
        options.seed = seed ?? options.seed
        options.speed = speed ?? options.speed
        options.start = start
        options.scenario = scenario
        options.journal = journal
        options.isAnnounced = !output.quiet
        options.console = try output.console(isVerbose: verbose)
        if let minutes {
            guard (1...1_000_000).contains(minutes) else {
                throw RunFailure.usage("--minutes is \(minutes): 1 to 1000000 are possible.")
            }
            options.duration = .minutes(Int64(minutes))
        }
        options.broker = try broker(settings, fileMode)
        try run(settings, options)
    }

    /// Options of mode sim mean nothing in another one.
    private func refuseOptions(foreignTo mode: TradingMode) throws(RunFailure) {
        if mode != .live, live.isGiven {
            throw .usage(
                "--live, --cap-reason, --untested-reason and --paper-journal are for trading.mode: live, and it is "
                    + "\(mode.rawValue).")
        }
        guard mode != .sim else { return }
        let given = [
            ("--data", data != nil), ("--seed", seed != nil), ("--speed", speed != nil),
            ("--start", start != nil), ("--scenario", scenario != nil), ("--connect", connect),
        ].filter(\.1).map(\.0)
        guard given.isEmpty else {
            throw .usage(
                "\(given.joined(separator: ", ")): only with --mode sim, and trading.mode is "
                    + "\(mode.rawValue).")
        }
    }

    /// The gateway of the mode, which answers unless it is this process's own.
    private func broker(
        _ settings: Settings, _ fileMode: TradingMode?
    ) throws -> SessionJob.Broker {
        switch settings.trading.mode {
        case .sim where connect: return .runningSimulator(try gatewayTime(settings))
        case .sim: return .simulator
        case .paper:
            try SessionJob.check(accounts(settings), fit: .paper)
            return .gateway
        case .live: throw try liveRefusal(settings, fileMode)
        case .dry:
            // Of whatever login: nothing is ordered there.
            _ = try accounts(settings)
            return .gateway
        }
    }

    /// Why nothing is ordered with money. The gateway is asked for its accounts once everything before holds.
    private func liveRefusal(_ settings: Settings, _ fileMode: TradingMode?) throws -> RunFailure {
        var arming = try Arming(settings, live.statements(fileMode, journal: journal))
        if arming.refusal == .accountsUnread { arming.managedAccounts = try accounts(settings) }
        let refusal = arming.refusal ?? .noAlertChannel
        return .notPermitted("Nothing is ordered in mode live: \(refusal.words)")
    }

    private func run(_ settings: Settings, _ options: SessionJob.Options) throws {
        let outcome = try SessionJob(settings, options).run(output)
        if outcome.exitCode != .success { throw ExitCode(outcome.exitCode.rawValue) }
    }
}

extension RunCommand {
    /// Runs this command without `--supervise` as a child, again and again where that is right.
    private func runSupervised(_ settings: Settings) throws {
        guard !self.settings.configs.contains("-") else {
            throw RunFailure.usage(
                "A configuration from standard input can be read once only: give --supervise a file."
            )
        }
        let supervisor = try Supervisor(
            CommandLine.arguments.filter { $0 != "--supervise" }, journal: journal, settings)
        let code = try supervisor.run { Console.complain($0) }
        if code != 0 { throw ExitCode(code) }
    }

    /// The clock of the gateway that runs already.
    private func gatewayTime(_ settings: Settings) throws -> Timestamp {
        try target(settings).connected(limit: settings.ibkr.connectTimeout) { client in
            try await client.clockReading().gateway
        }
    }

    /// The accounts of the gateway's login. A gateway that is not there is found out at once.
    private func accounts(_ settings: Settings) throws -> [String] {
        try target(settings).connected(limit: settings.ibkr.connectTimeout) { client in
            client.accounts.map(\.name)
        }
    }

    private func target(_ settings: Settings) -> GatewayTarget {
        GatewayTarget(
            host: settings.ibkr.host, port: settings.ibkr.port,
            clientID: ClientID(rawValue: Self.readingClient), settings: settings.ibkr,
            codes: .standard, recorder: nil)
    }

    /// The client number under which clock and accounts are read: nobody trades under it.
    private static let readingClient: Int32 = 1_999_999_999
}

/// What has to be said before a session orders with money, beside the configuration.
struct LiveOptions: ParsableArguments {
    @Flag(
        help: """
            Confirm mode live, along with trading.mode: live in a file and the account's number \
            typed or in ARM_LIVE.
            """)
    var live = false

    @Option(help: "In mode live, why one order may be worth more than a quarter of the capital.")
    var capReason: String?

    @Option(help: "In mode live, why this version may trade without a paper session.")
    var untestedReason: String?

    @Option(help: "In mode live, the journal's folder of the paper session of this version.")
    var paperJournal: String?

    /// Whether any was given.
    var isGiven: Bool {
        live || capReason != nil || untestedReason != nil || paperJournal != nil
    }

    /// What is said, the account included; it is asked for at a terminal.
    func statements(_ fileMode: TradingMode?, journal: String?) -> Arming.Statements {
        var statements = Arming.Statements()
        statements.fileMode = fileMode
        statements.hasLiveOption = live
        statements.capReason = capReason
        statements.evidenceReason = untestedReason
        statements.paperJournal = paperJournal
        statements.journal = journal
        statements.typedAccount = ProcessInfo.processInfo.environment["ARM_LIVE"]
        if statements.typedAccount == nil, live, fileMode == .live, isatty(STDIN_FILENO) == 1 {
            Console.complain("Orders would be with money. Type the account's number:")
            statements.typedAccount = readLine()
        }
        return statements
    }
}
