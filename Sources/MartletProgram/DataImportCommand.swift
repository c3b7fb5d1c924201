import ArgumentParser
import Runtime

extension DataCommand {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Converts files of other programs into SYMBOL.csv files.",
            discussion: """
                Reads bars of one symbol, closes of one symbol, long tables with a symbol in each row and \
                wide tables with a column of closes a symbol. Ends with 6 when rows had to be left out.

                martlet data import sp500.csv.gz -o prices
                """)

        @Argument(help: "A .csv or .csv.gz file, or a folder of them.")
        var path: String

        @Option(
            help: "yahoo, alpha_vantage, ib, bars, closes, long or wide; found out when left out.")
        var format: String?

        @Option(
            help: """
                What columns hold, such as time=Day,close=Last. Known: time, clock, symbol, open, high, \
                low, close, adjusted, volume, dividend, split.
                """)
        var columns = ""

        @Option(help: "The ticker of a file with one symbol; its name when left out.")
        var symbol: String?

        @OptionGroup var times: Times

        @Flag(help: "Read 02/11/2019 as 2 November.")
        var dayFirst = false

        @Flag(help: "Multiply prices by adjusted close / close: basis total.")
        var adjust = false

        @Flag(help: "Write .csv.gz.")
        var compress = false

        @Option(name: [.customShort("o"), .customLong("output")], help: "The folder to write to.")
        var folder: String

        @Option(help: "How many rows that were left out to print; JSON has them all.")
        var details = 5

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard details >= 0 else { throw ValidationError("--details must not be negative.") }
        }

        func run() throws {
            let job = try DataImportJob(request)
            let outcome = try DataCommand.withProgress(output, "importing") { progress in
                try job.run(into: folder, progress: progress)
            }
            if !output.quiet {
                Console.print(output.json ? outcome.json : outcome.text(details: details))
            }
            if outcome.exitCode != .success { throw ExitCode(outcome.exitCode.rawValue) }
        }

        private var request: DataImportJob.Request {
            var request = DataImportJob.Request(path: path)
            request.format = format
            request.columns = columns
            request.symbol = symbol
            request.reading = times.reading
            request.isDayFirst = dayFirst
            request.isAdjusting = adjust
            request.compress = compress
            return request
        }
    }
}
