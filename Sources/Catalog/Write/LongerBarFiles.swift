package import MarketState
package import Model
package import Primitives

/// Writes longer bars, made of the bars or the quotes and trades of a file.
package enum LongerBarFiles {
    /// A written file.
    package struct File: Sendable {
        /// Where it is.
        package let path: String
        /// How many bars it has.
        package let barCount: Int
        /// How many bars or trades were looked at; quotes where nobody trades.
        package let partCount: Int
        /// How many of them are in no bar: they lie outside regular hours.
        package let dropped: Int
    }

    /// Writes `SYMBOL.csv` with bars of `barSize` to `folder`: the bars that a backtest over the same file
    /// shows with `trading.bar_size`. Splits and dividends go with the bar that holds their row.
    ///
    /// - Parameter ending: `.csv` or `.csv.gz`.
    package static func write(
        _ file: DataFolder.File, source: DataSource, barSize: Duration, to folder: String,
        ending: String
    ) throws(DataError) -> File {
        try check(barSize, source.calendar, file.path)
        let bars: [Bar]
        var actions: [(at: Timestamp, kind: RowAction.Kind)] = []
        let parts: (count: Int, dropped: Int)
        switch try TickFile.kind(of: file) {
        case .bars:
            let series = try BarFile.read(file, source: source, bufferBytesMax: 1 << 18)
            guard try series.source(of: barSize, source.calendar) == .parts else {
                throw DataError(
                    file: file.path, finding: "has bars of \(barSize) already",
                    remedy: "Choose a longer --bar-size.")
            }
            actions = series.actions.map { (series.rows[$0.row].start, $0.kind) }
            (bars, parts) = series.bars(of: barSize, source.calendar)
        case .ticks:
            let series = try TickFile.read(file, source: source, bufferBytesMax: 1 << 18)
            (bars, parts) = series.bars(of: barSize, source.calendar)
        }
        let path = OutputFolder.path(file.symbol + ending, in: folder)
        try write(bars, actions, of: barSize, source.calendar, to: path)
        return File(
            path: path, barCount: bars.count, partCount: parts.count, dropped: parts.dropped)
    }

    /// A bar file cannot say that a bar is shorter than the others, as the first hour of a session is.
    private static func check(
        _ barSize: Duration, _ calendar: SessionCalendar, _ path: String
    ) throws(DataError) {
        let whole: Duration =
            switch calendar {
            case .newYork: .minutes(30)
            case .always: .days(1)
            }
        let fits = barSize == .days(1) || whole.nanoseconds % barSize.nanoseconds == 0
        guard !fits else { return }
        throw DataError(
            file: path,
            finding: "cannot be made into a file of bars of \(barSize): a session's first or last "
                + "would be shorter, which a file cannot say",
            remedy:
                "Choose 1d or a length that divides \(whole); trading.bar_size makes the others.")
    }

    private static func write(
        _ bars: [Bar], _ actions: [(at: Timestamp, kind: RowAction.Kind)], of barSize: Duration,
        _ calendar: SessionCalendar, to path: String
    ) throws(DataError) {
        guard !bars.isEmpty else {
            throw DataError(
                file: path, finding: "would have no bars",
                remedy: "The data lies outside of regular hours: check its zone, or take "
                    + "--calendar always.")
        }
        var output = try OutputFile(path: path)
        var text = BarText(isDated: barSize == .days(1), calendar: calendar)
        try output.write(
            text.header(
                ["volume"] + (actions.isEmpty ? [] : ["dividend", "split"]), barSize: barSize))
        var remaining = actions[...]
        for bar in bars {
            var line =
                text.stamp(bar.start)
                + ",\(bar.open),\(bar.high),\(bar.low),\(bar.close),\(bar.volume)"
            var cells = ["", ""]
            while let action = remaining.first, action.at < bar.end {
                remaining.removeFirst()
                switch action.kind {
                case .dividend(let amount): cells[0] = amount.description
                case .split(let ratio): cells[1] = ratio.description
                }
            }
            if !actions.isEmpty { line += "," + cells.joined(separator: ",") }
            try output.write(line + "\n")
        }
        try output.finish()
    }
}

extension BarSeries {
    /// How bars of `barSize` come about from these.
    package func source(
        of barSize: Duration, _ calendar: SessionCalendar
    ) throws(DataError) -> LongerBars.Source {
        let isSession = self.barSize == calendar.sessionLength && barSize == .days(1)
        if self.barSize == barSize || isSession { return .asTheyAre }
        guard barSize.nanoseconds % self.barSize.nanoseconds == 0 else {
            throw DataError(
                file: file.path,
                finding: "has bars of \(self.barSize), of which no bars of \(barSize) can be made",
                remedy: "Choose a length that they divide, or finer data.")
        }
        return .parts
    }

    /// Bars of `barSize`, the last at the end of its time, whether or not there are bars until then.
    func bars(
        of barSize: Duration, _ calendar: SessionCalendar
    ) -> (bars: [Bar], parts: (count: Int, dropped: Int)) {
        let instrument = InstrumentID(index: 0)
        var longerBars = LongerBars(
            of: [instrument], from: [.parts], barSize: barSize, calendar: calendar)
        for row in rows { longerBars.add(Bar(row, of: instrument, barSize: self.barSize)) }
        return (longerBars.finish(), (rows.count, longerBars.dropped.count))
    }
}

extension TickSeries {
    /// What bars of it are made of.
    package var source: LongerBars.Source { tradeCount == 0 ? .middles : .parts }

    /// Bars of `barSize`, likewise.
    func bars(
        of barSize: Duration, _ calendar: SessionCalendar
    ) -> (bars: [Bar], parts: (count: Int, dropped: Int)) {
        let instrument = InstrumentID(index: 0)
        var longerBars = LongerBars(
            of: [instrument], from: [source], barSize: barSize, calendar: calendar)
        for row in rows { longerBars.add(row, of: instrument) }
        let bars = longerBars.finish()
        return (bars, (tradeCount == 0 ? rows.count : tradeCount, longerBars.dropped.count))
    }
}

extension LongerBars {
    /// Takes in a row of a tick file.
    package mutating func add(_ row: TickRow, of instrument: InstrumentID) {
        if row.isTrade { add(row.trade(of: instrument)) } else { add(row.quote(of: instrument)) }
    }

    /// All bars not taken yet, those in progress included.
    package mutating func finish() -> [Bar] {
        advance(to: .distantFuture)
        var bars: [Bar] = []
        take(into: &bars)
        return bars
    }
}
