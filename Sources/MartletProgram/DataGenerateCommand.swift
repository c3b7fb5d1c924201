import ArgumentParser
import Runtime

extension DataCommand {
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate",
            abstract:
                "Generates synthetic bars, or quotes and trades, from a seed; the same options "
                + "give the same files.",
            discussion: """
                martlet data generate --symbols AAA,BBB --bars 1950 --bar-size 1m --from 2019-01-02 \
                --seed 7 --volatility 0.15 -o synthetic

                martlet data generate --symbols AAA --ticks 100000 -o synthetic-ticks
                """)

        @Option(help: "The tickers, separated by commas.")
        var symbols: String

        @Option(help: "How many bars each gets.")
        var bars: Int?

        @Option(help: "How many quotes and trades each gets, in place of bars.")
        var ticks: Int?

        @Option(help: "With --ticks, how many of them a whole session has on average.")
        var ticksPerSession = 23_400

        @Option(help: "How long a bar lasts: 1m, 5m, 1h, or 1d for sessions.")
        var barSize = "1d"

        @Option(help: "The first day.")
        var from = "2019-01-02"

        @Option(help: "What every draw follows from.")
        var seed: UInt64 = 1

        @Option(help: "The deviation of a year's return; 0.15 is 15 %.")
        var volatility = 0.15

        @Option(help: "The expected return of a year; 0.05 is 5 %.")
        var drift = 0.0

        @Option(help: "The expected number of jumps a year; part of the volatility.")
        var jumps = 0.0

        @Option(help: "The deviation of a jump; 0.03 is 3 %.")
        var jumpSize = 0.03

        @Flag(help: "Let calm and turbulent times take turns.")
        var regimes = false

        @Flag(help: "Move prices and volume more near the open and the close.")
        var intradayShape = false

        @Option(help: "The correlation of any two tickers' returns, 0 to 1.")
        var correlation = 0.0

        @Option(help: "The first price.")
        var price = 100.0

        @Option(help: "The sessions: new_york, or always for whole UTC days.")
        var calendar = "new_york"

        @Flag(help: "Write .csv.gz.")
        var compress = false

        @Option(name: [.customShort("o"), .customLong("output")], help: "The folder to write to.")
        var folder: String

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (bars == nil) != (ticks == nil) else {
                throw ValidationError("Give either --bars or --ticks.")
            }
        }

        func run() throws {
            let job = try DataGenerateJob(request)
            let outcome = try DataCommand.withProgress(output, "writing") { progress in
                try job.run(into: folder, progress: progress)
            }
            if !output.quiet { Console.print(output.json ? outcome.json : outcome.text) }
        }

        private var request: DataGenerateJob.Request {
            var request = DataGenerateJob.Request(
                symbols: symbols, rows: ticks ?? bars ?? 0, volatility: volatility)
            request.ticksPerSession = ticks == nil ? nil : ticksPerSession
            request.barSize = barSize
            request.from = from
            request.seed = seed
            request.drift = drift
            request.jumps = jumps
            request.jumpSize = jumpSize
            request.hasRegimes = regimes
            request.hasIntradayShape = intradayShape
            request.correlation = correlation
            request.price = price
            request.calendar = calendar
            request.compress = compress
            return request
        }
    }
}
