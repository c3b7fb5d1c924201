import ArgumentParser
import Configuration
import Primitives
import Reporting
import Runtime

/// `martlet backtest`.
struct BacktestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backtest",
        abstract: "Runs strategies over historical prices.",
        discussion: """
            Results go to results/backtest/<start time>_<name>, or to --output: summary.json, \
            trades.csv, fills.csv, orders.csv, equity.csv, config.yaml, manifest.json; with --decisions also \
            decisions.csv. With --verify a second engine is given the same events one by one; if it answers \
            otherwise, the exit code is 8 and nothing is written.

            martlet backtest --config Samples/crossover-daily.yaml
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Option(name: [.short, .long], help: "Run only the strategy of that name.")
    var strategy: String?

    @Option(help: "The folder with SYMBOL.csv files, or one file (backtest.data.path).")
    var data: String?

    @Option(help: "The first day, such as 2015-01-02 (backtest.from).")
    var from: String?

    @Option(help: "The last day, inclusive (backtest.to).")
    var to: String?

    @Option(help: "What every random draw follows from (backtest.seed).")
    var seed: String?

    @Option(name: [.customShort("o"), .customLong("output")], help: "The folder for results.")
    var folder: String?

    @Option(help: "Rows of equity.csv: one a session, or one each time slice.")
    var equity: BacktestJob.EquityRows = .session

    @Flag(
        help:
            "Write decisions.csv: what the engine concluded, by which rule and with which figures.")
    var decisions = false

    @Flag(help: "Run the events of the run through a second engine, which must answer the same.")
    var verify = false

    func run() throws {
        let settings = try settings.check(output, document()).get()
        let job = BacktestJob(
            settings, output: folder, equityRows: equity, keepsDecisions: decisions,
            isVerified: verify)
        let isDrawing = Console.isInteractive && !output.quiet && !output.json
        let outcome: BacktestJob.Outcome
        do {
            outcome = try job.run(progress: isDrawing ? Self.draw : nil)
        } catch {
            if isDrawing { Console.eraseProgress() }
            throw error
        }
        if isDrawing { Console.eraseProgress() }
        if !output.quiet {
            Console.print(output.json ? outcome.json.compact() : text(of: outcome))
        }
        if outcome.record.endedHalted { throw ExitCode(Runtime.ExitCode.riskHalt.rawValue) }
    }

    private func document() -> SettingsDocument {
        var document = settings.document()
        let flags = [
            ("backtest.data.path", data, "--data"), ("backtest.from", from, "--from"),
            ("backtest.to", to, "--to"), ("backtest.seed", seed, "--seed"),
        ]
        for case (let key, let value?, let flag) in flags {
            document.set(key, to: value, flag: flag)
        }
        if let strategy { document.keepStrategies(named: strategy, flag: "--strategy") }
        return document
    }

    private func text(of outcome: BacktestJob.Outcome) -> String {
        TerminalSummary.text(
            of: outcome.record, summary: outcome.summary, unicode: Console.showsUnicode)
            + outcome.doubts.map { "\nDoubtful data: \($0)" }.joined()
            + (outcome.record.verification.map { "\n\($0.text)" } ?? "")
            + "\nResults in \(outcome.folder)"
    }

    private static func draw(_ progress: BacktestJob.Progress) {
        switch progress {
        case .files(let done, let total): Console.draw("reading", done, of: total)
        case .rows(let done, let total): Console.draw("running", done, of: total)
        }
    }
}

extension BacktestJob.EquityRows: ExpressibleByArgument {}
