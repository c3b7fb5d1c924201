import ArgumentParser
import Configuration
import Primitives
import Runtime

/// `martlet chaos`.
struct ChaosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chaos",
        abstract: "Tests a configuration in sessions in which things go wrong.",
        subcommands: [ChaosRunCommand.self])
}

/// `martlet chaos run`.
struct ChaosRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs sessions with faults, and judges each from outside.",
        discussion: """
            Each session is the configuration's own strategies at a simulated gateway of this process, on a clock of its \
            own: with connections lost, orders swallowed, answers late and twice, the program killed, the disk full, \
            as follows from a seed, or as a scenario says. Then nothing goes wrong any more, and within two minutes \
            of session time the session has to trade, its books those of the broker. A session is judged by the \
            gateway's own ledger and by the journal's file. The exit code is 8 where something does not hold; a \
            seed's session can be repeated, with its first faults alone.

            martlet chaos run -c Samples/momentum-session.yaml --seeds 100
            martlet chaos run -c Samples/momentum-session.yaml --first 17 --seeds 1 --faults 3
            martlet chaos run nightly-restart -c Samples/momentum-session.yaml
            martlet chaos run all -c Samples/momentum-session.yaml -o table.md
            """)

    @Argument(
        help: ArgumentHelp(
            "Scenarios of 'gateway run', a session for each, or 'all'; + joins several in one. Without, seeds.",
            valueName: "scenario"))
    var scenarios: [String] = []

    @Option(help: "How many seeds; default: 20.")
    var seeds: Int?

    @Option(help: "The first seed; default: 1.")
    var first: UInt64?

    @Option(help: "Only so many of a seed's first faults.")
    var faults: Int?

    @Option(help: "How long things go wrong, in minutes of session time; default: 40.")
    var minutes: Int?

    @Option(help: "Leave the journal of the only session in this new folder.")
    var journal: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: "Write a table of scenarios and invariants to this file, as Markdown.")
    var table: String?

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var document = settings.document()
        document.set("trading.mode", to: "sim", flag: "chaos")
        let settings = try self.settings.check(output, document).get()
        let job = try ChaosJob(settings, try options())
        let isDrawing = Console.isInteractive && !output.quiet
        let total = job.sessionCount
        let outcome = try job.run { done in
            if isDrawing { Console.draw("sessions", done, of: total) }
        }
        if isDrawing { Console.eraseProgress() }
        if !output.quiet {
            Console.print(output.json ? outcome.json.compact() : outcome.text)
        }
        if let table { try outcome.writeTable(to: table) }
        if outcome.exitCode != .success { throw ExitCode(outcome.exitCode.rawValue) }
    }

    private func options() throws -> ChaosJob.Options {
        guard scenarios.isEmpty || (seeds == nil && first == nil && faults == nil) else {
            throw RunFailure.usage(
                "--seeds, --first and --faults are for sessions without a scenario.")
        }
        guard table == nil || !scenarios.isEmpty else {
            throw RunFailure.usage("--output is for scenarios.")
        }
        var options = ChaosJob.Options()
        options.scenarios = scenarios
        options.seedCount = seeds ?? options.seedCount
        options.firstSeed = first ?? options.firstSeed
        options.faultCount = faults
        options.journal = journal
        if let minutes {
            guard (1...1_000_000).contains(minutes) else {
                throw RunFailure.usage("--minutes is \(minutes): 10 to 360 are possible.")
            }
            options.length = .minutes(Int64(minutes))
        }
        return options
    }
}
