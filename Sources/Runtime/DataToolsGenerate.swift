import Catalog
import MarketSimulation
import MarketState
import Model
import Primitives
import Reporting

/// `martlet data generate`.
package struct DataGenerateJob: Sendable {
    private let request: Request
    private let symbols: [String]
    private let firstDay: Day
    private let calendar: SessionCalendar
    /// Whether bars are whole sessions.
    private let isDated: Bool
    private let traits: SyntheticTraits

    /// What is asked for, in the words of the command line; see `SyntheticTraits`.
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
        self.request = request
        firstDay = day
        symbols = DataTools.names(request.symbols).map { $0.uppercased() }
        calendar = try DataReading.calendar(named: request.calendar)
        let barSize = try BarSizeText.read(request.barSize)
        isDated = barSize == .days(1)
        if let problem = Self.problem(symbols) ?? request.problem(barSize, from: day, calendar) {
            throw .usage(problem)
        }
        var traits = SyntheticTraits()
        traits.volatility = request.volatility
        traits.drift = request.drift
        traits.jumps = request.jumps
        traits.jumpSize = request.jumpSize
        traits.hasRegimes = request.hasRegimes
        traits.hasIntradayShape = request.hasIntradayShape
        traits.correlation = request.correlation
        // Four of five rows are quotes.
        traits.cut =
            request.ticksPerSession.map { .quotes(perSession: 0.8 * Double($0)) }
            ?? .every(barSize)
        self.traits = traits
    }

    private static func problem(_ symbols: [String]) -> String? {
        if symbols.isEmpty { return "There must be a symbol." }
        if Set(symbols).count < symbols.count { return "Each symbol must be given once." }
        return symbols.first { !OutputFolder.isFileName($0) }.map {
            "The symbol \(DataError.quoted($0)) cannot be a file's name: use letters, digits, '.', '-' and '_'."
        }
    }

    /// What was written.
    package struct Outcome: Sendable {
        fileprivate let files: [File]
        fileprivate let asked: Int
        fileprivate let word: String
    }

    /// A written file.
    fileprivate struct File: Sendable {
        let path: String
        /// How many rows it has; fewer than asked for when time or price ran out.
        let rowCount: Int
        /// The times of its first and last row.
        let first: Timestamp
        let last: Timestamp
    }

    /// Writes a file a symbol to `folder`.
    ///
    /// - Parameter progress: receives how many files are done, and of how many.
    package func run(
        into folder: String, progress: ((Int, Int) -> Void)?
    ) throws(RunFailure) -> Outcome {
        try DataTools.attempt { () throws(DataError) in
            try OutputFolder.make(folder)
            var files: [File] = []
            for symbol in symbols {
                progress?(files.count, symbols.count)
                files.append(try write(symbol, to: folder))
            }
            return Outcome(files: files, asked: request.rows, word: word)
        }
    }
}

extension DataGenerateJob {
    private var word: String { request.ticksPerSession == nil ? "bar" : "tick" }

    private func write(_ symbol: String, to folder: String) throws(DataError) -> File {
        let path = OutputFolder.path(symbol + (request.compress ? ".csv.gz" : ".csv"), in: folder)
        var lines = SyntheticLines(
            SyntheticHistory(
                of: listing(symbol), traits, calendar: calendar, seed: request.seed,
                firstDay: firstDay),
            isTicks: request.ticksPerSession != nil, isDated: isDated, calendar)
        var output = try OutputFile(path: path)
        try output.write(lines.header)
        var count = 0
        var span: (first: Timestamp, last: Timestamp)?
        while count < request.rows, let (line, at) = lines.next(), at < StampReader.latest {
            try output.write(line)
            count += 1
            span = (span?.first ?? at, at)
        }
        guard let span else {
            throw DataError(
                file: path, finding: "would have no \(word)s",
                remedy: "Choose an earlier first day.")
        }
        try output.finish()
        return File(path: path, rowCount: count, first: span.first, last: span.last)
    }

    /// The instrument of a symbol: in whole cents, traded in sessions only.
    private func listing(_ symbol: String) -> MarketListing {
        let cent = Price(cents: 1)
        var instrument = Instrument(id: InstrumentID(index: 0), symbol: symbol)
        instrument.tickSize = .fixed(cent)
        let units = (request.price * Double(Price.unitsPerOne)).rounded()
        var listing = MarketListing(
            instrument: instrument, startPrice: Price(units: Int64(units)), hours: .uninterrupted)
        if let ticks = request.ticksPerSession {
            // A fifth of them are trades, of 150 shares on average.
            listing.dailyVolume = Int64(ticks) * 30
        } else {
            listing.lot = Quantity(shares: 1)
        }
        return listing
    }
}

/// The lines of a synthetic file with their times.
private struct SyntheticLines: IteratorProtocol {
    private var history: SyntheticHistory
    private let isTicks: Bool
    private var bars: BarText
    private var ticks: TickText
    /// Ticks to be written, the next one last.
    private var pending: [MarketEvent] = []

    init(_ history: SyntheticHistory, isTicks: Bool, isDated: Bool, _ calendar: SessionCalendar) {
        self.history = history
        self.isTicks = isTicks
        bars = BarText(isDated: isDated, calendar: calendar)
        ticks = TickText(calendar: calendar)
    }

    /// The first line.
    var header: String { isTicks ? TickText.header : bars.header(["volume"]) }

    mutating func next() -> (String, Timestamp)? {
        guard isTicks else { return history.nextBar().map { (bars.line($0), $0.start) } }
        while pending.isEmpty {
            guard history.appendTicks(to: &pending) else { return nil }
            pending.reverse()
        }
        return pending.popLast().map { tick in
            switch tick {
            case .quote(let quote): (ticks.line(TickRow(quote)), quote.at)
            case .trade(let trade): (ticks.line(TickRow(trade)), trade.at)
            }
        }
    }
}

extension DataGenerateJob.Request {
    /// Why no rows can be made, as a sentence; `nil` when they can.
    fileprivate func problem(
        _ barSize: Duration, from day: Day, _ calendar: SessionCalendar
    ) -> String? {
        if !(1...Self.rowsMax).contains(rows) {
            return "The number of bars or ticks must be 1 to \(Self.rowsMax)."
        }
        if barSize != .days(1),
            barSize < .seconds(1) || barSize > calendar.sessionLength
                || barSize.nanoseconds % 1_000_000_000 != 0
        {
            return "The length of bars must be whole seconds, at most a session, or 1d."
        }
        if !(0.0...10).contains(volatility) {
            return "The volatility must be 0 to 10 (0.15 is 15 %)."
        }
        if !(-1.0...10).contains(drift) { return "The drift must be -1 to 10 (0.05 is 5 %)." }
        if !(0.0...1).contains(correlation) { return "The correlation must be 0 to 1." }
        if !(0.0...1_000).contains(jumps) || !(0.0...1).contains(jumpSize) {
            return "Jumps must be 0 to 1000 a year, and their size 0 to 1."
        }
        if volatility * volatility < jumps * jumpSize * jumpSize {
            return "Jumps alone are more than the volatility: choose fewer or smaller ones."
        }
        if !(0.01...1_000_000).contains(price) { return "The price must be 0.01 to 1000000." }
        if !(1990...2188).contains(day.date.year) {
            return "The first day must be within 1990 to 2188."
        }
        guard let ticksPerSession else { return nil }
        if !(1...Self.rowsMax).contains(ticksPerSession) {
            return "--ticks-per-session must be 1 to \(Self.rowsMax)."
        }
        return correlation == 0
            ? nil : "--correlation is for bars: quotes of two symbols come at other times."
    }

    /// The most bars or ticks a file can get, and ticks a session.
    private static let rowsMax = 100_000_000
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
