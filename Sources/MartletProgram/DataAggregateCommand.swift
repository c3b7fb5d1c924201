import ArgumentParser
import Runtime

extension DataCommand {
    struct Aggregate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "aggregate",
            abstract: "Makes longer bars of bars, or bars of quotes and trades.",
            discussion: """
                They are those that a backtest over the same files shows with trading.bar_size.

                martlet data aggregate Samples/data/minute --into 5m -o five
                """)

        @OptionGroup var selection: Selection

        @Option(
            name: .customLong("into"),
            help: "How long the bars are to last: 1m, 5m, 30m, or 1d for sessions.")
        var barSize: String

        @Flag(help: "Write .csv.gz.")
        var compress = false

        @Option(name: [.customShort("o"), .customLong("output")], help: "The folder to write to.")
        var folder: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let job = try DataAggregateJob(
                try selection.selection(), barSize: barSize, compress: compress)
            let outcome = try DataCommand.withProgress(output, "aggregating") { progress in
                try job.run(into: folder, progress: progress)
            }
            if !output.quiet { Console.print(output.json ? outcome.json : outcome.text) }
        }
    }
}
