import Catalog
import Primitives
import Reporting

/// `martlet data generate`.
package struct DataGenerateJob: Sendable {
    private let market: SyntheticMarket
    private let ending: String
    /// How many quotes and trades a whole session has on average; `nil` for bars.
    private let ticksPerSession: Int?

    /// What is asked for, in the words of the command line; see `SyntheticMarket`.
    package struct Request: Sendable {
        /// Tickers, separated by commas.
        package var symbols: String
        /// How many bars each gets, or with `ticksPerSession`, how many quotes and trades.
        package var rows: Int
        /// How many quotes and trades a whole session has on average; `nil` for bars.
        package var ticksPerSession: Int?
        /// How long a bar lasts; `1d` for sessions.
        package var barSize: String
        /// The first day.
        package var from: String
        /// What every draw follows from.
        package var seed: UInt64
        /// The deviation of a year's return, as a fraction.
        package var volatility: Double
        /// The expected return of a year, as a fraction.
        package var drift = 0.0
        /// The expected number of jumps a year.
        package var jumps = 0.0
        /// The deviation of a jump, as a fraction.
        package var jumpSize = 0.03
        /// Whether calm and turbulent times take turns.
        package var hasRegimes = false
        /// Whether prices and volume move more near the open and the close.
        package var hasIntradayShape = false
        /// The correlation of any two tickers' returns.
        package var correlation = 0.0
        /// The first price.
        package var price = 100.0
        /// `new_york` or `always`.
        package var calendar = "new_york"
        /// Whether to write `.csv.gz`.
        package var compress = false

        /// Bars of one session each, from 2019 on.
        package init(symbols: String, rows: Int, volatility: Double) {
            self.symbols = symbols
            self.rows = rows
            self.volatility = volatility
            barSize = "1d"
            from = "2019-01-02"
            seed = 1
        }
    }

    /// A job that can be done.
    package init(_ request: Request) throws(RunFailure) {
        guard let day = Day(request.from) else {
            throw .usage(
                "--from must be a day such as 2019-01-02, not '\(request.from.printable)'.")
        }
        let barSize = try BarSizeText.read(request.barSize)
        var market = SyntheticMarket(
            symbols: DataTools.names(request.symbols), barCount: request.rows,
            barSize: barSize == .days(1) ? nil : barSize, from: day, seed: request.seed,
            volatility: request.volatility)
        market.drift = request.drift
        market.jumps = request.jumps
        market.jumpSize = request.jumpSize
        market.hasRegimes = request.hasRegimes
        market.hasIntradayShape = request.hasIntradayShape
        market.correlation = request.correlation
        market.startPrice = request.price
        market.calendar = try DataReading.calendar(named: request.calendar)
        if let problem = market.problem { throw .usage(problem) }
        if let count = request.ticksPerSession {
            guard (1...100_000_000).contains(count) else {
                throw .usage("--ticks-per-session must be 1 to 100000000.")
            }
            guard market.correlation == 0 else {
                throw .usage(
                    "--correlation is for bars: quotes of two symbols come at other times.")
            }
        }
        ticksPerSession = request.ticksPerSession
        self.market = market
        ending = request.compress ? ".csv.gz" : ".csv"
    }

    /// What was written.
    package struct Outcome: Sendable {
        fileprivate let files: [SyntheticFiles.File]
        fileprivate let asked: Int
        fileprivate let word: String
    }

    /// Writes a file a symbol to `folder`.
    ///
    /// - Parameter progress: receives how many files are done, and of how many.
    package func run(
        into folder: String, progress: ((Int, Int) -> Void)?
    ) throws(RunFailure) -> Outcome {
        try DataTools.attempt { () throws(DataError) in
            try OutputFolder.make(folder)
            var files: [SyntheticFiles.File] = []
            for symbol in market.symbols {
                progress?(files.count, market.symbols.count)
                files.append(try write(symbol, to: folder))
            }
            return Outcome(
                files: files, asked: market.barCount,
                word: ticksPerSession == nil ? "bar" : "tick")
        }
    }
}

extension DataGenerateJob {
    private func write(
        _ symbol: String, to folder: String
    ) throws(DataError) -> SyntheticFiles.File {
        guard let ticksPerSession else {
            return try SyntheticFiles.write(symbol, of: market, to: folder, ending: ending)
        }
        return try SyntheticFiles.writeTicks(
            symbol, of: market, perSession: ticksPerSession, to: folder, ending: ending)
    }
}

extension DataGenerateJob.Outcome {
    /// A line a file.
    package var text: String {
        files.map { file in
            let short =
                file.rowCount < asked
                ? " (fewer than the \(asked) asked for: the price or the years ran out)" : ""
            return "\(file.path): \(DataTools.counted(file.rowCount, word)), \(file.first) to "
                + "\(file.last)\(short)"
        }.joined(separator: "\n")
    }

    /// The same as one JSON document.
    package var json: String {
        var object = JSONObject()
        let list = files.map { file -> JSONValue in
            var item = JSONObject()
            item.set("path", .text(file.path))
            item.set("rows", .integer(file.rowCount))
            item.set("first", .text(file.first.description))
            item.set("last", .text(file.last.description))
            return .object(item)
        }
        object.set("files", .array(list))
        return object.compact()
    }
}
