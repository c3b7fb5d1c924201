import ArgumentParser
import Primitives
import Reporting
import Runtime

/// `martlet optimize`.
struct OptimizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "optimize",
        abstract: "Runs a configuration for every combination of parameters.",
        discussion: """
            The data is read once; combinations run as many at a time as there are processors. \
            Results go to results/optimize/<start time>_<name>, or to --output: runs.csv with a \
            row a combination, config.yaml of the first one, manifest.json. The best combination \
            of the past is chosen by hindsight: try it on other data.

            martlet optimize --config Samples/crossover-daily.yaml --grid fast=5:20:5 \
            --grid slow=30,50,100
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: .customLong("grid"),
        help: """
            Values to try: fast=5,10,20 or fast=first:last:step, or those of any key; repeatable.
            """)
    var axes: [String]

    @Option(help: "What combinations are ranked by.")
    var rankBy: GridObjective = .sharpe

    @Option(help: "How many combinations are shown.")
    var top: Int = 10

    @Option(name: [.customShort("o"), .customLong("output")], help: "The folder for results.")
    var folder: String?

    func validate() throws {
        guard !axes.isEmpty else { throw ValidationError("Give at least one --grid.") }
        guard top >= 0 else { throw ValidationError("--top is at least 0.") }
    }

    func run() throws {
        let document = settings.document()
        _ = settings.check(output, document)
        let job = OptimizeJob(
            document, over: try ParameterGrid(axes), rankedBy: rankBy, output: folder)
        let isDrawing = Console.isInteractive && !output.quiet && !output.json
        let outcome: OptimizeJob.Outcome
        do {
            outcome = try job.run(progress: isDrawing ? Self.draw : nil)
        } catch {
            if isDrawing { Console.eraseProgress() }
            throw error
        }
        if isDrawing { Console.eraseProgress() }
        guard !output.quiet else { return }
        Console.print(output.json ? outcome.json(best: top).compact() : text(of: outcome))
    }

    private static func draw(_ done: Int, of total: Int) {
        Console.draw("running", done, of: total)
    }

    private func text(of outcome: OptimizeJob.Outcome) -> String {
        let refused = outcome.report.refusedCount
        return outcome.report.table(best: top)
            + "\n\(outcome.count) combinations"
            + (refused > 0 ? ", \(refused) refused by the strategy" : "")
            + ", ranked by \(rankBy.rawValue).\nResults in \(outcome.folder)"
    }
}

extension GridObjective: ExpressibleByArgument {}
