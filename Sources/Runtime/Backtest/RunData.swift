import Catalog
import MarketState
import Model
import Primitives
import Reporting

/// What a run goes over.
enum RunData: Sendable {
    /// Bars.
    case bars(DataSet)
    /// Quotes and trades.
    case ticks(TickSet)

    /// Which of the two it is.
    var kind: DataKind {
        switch self {
        case .bars: .bars
        case .ticks: .ticks
        }
    }

    /// What its prices were adjusted for.
    var basis: PriceBasis {
        switch self {
        case .bars(let data): data.basis
        case .ticks(let data): data.basis
        }
    }

    /// The files, in the order of the run's instruments.
    var files: [SourceFile] {
        switch self {
        case .bars(let data): data.series.map(\.file)
        case .ticks(let data): data.series.map(\.file)
        }
    }

    /// The tickers, in the order of the run's instruments.
    var symbols: [String] {
        switch self {
        case .bars(let data): data.series.map(\.symbol)
        case .ticks(let data): data.series.map(\.symbol)
        }
    }

    /// How many rows each file has.
    var rowCounts: [Int] {
        switch self {
        case .bars(let data): data.series.map(\.rows.count)
        case .ticks(let data): data.series.map(\.rows.count)
        }
    }

    /// What makes bars of `barSize` from the data; `nil` when strategies see the data as it is.
    func longerBars(
        of barSize: Duration?, _ instruments: [InstrumentID]
    ) throws(RunFailure) -> LongerBars? {
        guard let barSize else { return nil }
        switch self {
        case .bars(let data):
            var sources: [LongerBars.Source] = []
            do throws(DataError) {
                for series in data.series {
                    sources.append(try series.source(of: barSize, data.calendar))
                }
            } catch {
                throw .data(error)
            }
            guard sources.contains(.parts) else { return nil }
            return LongerBars(
                of: instruments, from: sources, barSize: barSize, calendar: data.calendar)
        case .ticks(let data):
            return LongerBars(
                of: instruments, from: data.series.map(\.source),
                barSize: barSize, calendar: data.calendar)
        }
    }
}

extension RunData {
    /// A sentence for each position that is still open though its symbol's data ended days before the run.
    func endedWhileHeld(_ record: RunRecord, _ calendar: SessionCalendar) -> [String] {
        let lastDay = calendar.day(of: record.to - Duration(nanoseconds: 1))
        return record.openPositions.compactMap { position in
            let index = Int(position.instrument.index)
            guard let last = lastTimestamp(of: index), calendar.day(of: last) < lastDay else {
                return nil
            }
            return
                "\(symbols[index]): the data ends on \(calendar.day(of: last)) with "
                + "\(position.quantity) held, valued at the last price until \(lastDay)"
        }
    }

    /// When the last row of a file begins.
    private func lastTimestamp(of index: Int) -> Timestamp? {
        switch self {
        case .bars(let data): data.series[index].rows.last?.start
        case .ticks(let data): data.series[index].rows.last?.at
        }
    }
}

extension DataSet {
    /// The last `count` bars of each instrument that `longerBars` makes of what ends by `time`; in the
    /// order of their ends and, at one instant, of their instruments.
    func history(before time: Timestamp, count: Int, _ longerBars: LongerBars) -> [Bar] {
        var longerBars = longerBars
        for (index, series) in series.enumerated() {
            for row in series.rows where row.start + series.barSize <= time {
                longerBars.add(Bar(row, of: InstrumentID(index: index), barSize: series.barSize))
            }
        }
        return longerBars.history(before: time, count: count, of: series.count)
    }
}

extension TickSet {
    /// The instruments that are quoted and never traded.
    var quotedOnly: [InstrumentID] {
        series.indices.filter { series[$0].tradeCount == 0 }.map { InstrumentID(index: $0) }
    }

    /// The last `count` bars of each instrument that `longerBars` makes of what was published before `time`;
    /// in the order of their ends and, at one instant, of their instruments.
    func history(before time: Timestamp, count: Int, _ longerBars: LongerBars) -> [Bar] {
        var longerBars = longerBars
        for (index, series) in series.enumerated() {
            for row in series.rows where row.at < time {
                longerBars.add(row, of: InstrumentID(index: index))
            }
        }
        return longerBars.history(before: time, count: count, of: series.count)
    }

    /// Sentences for the report on a run over that period.
    func warnings(in period: Range<Timestamp>, stopsGoByTrades: Bool) -> [String] {
        var sentences: [String] = []
        let empty = series.filter { series in
            !series.rows.contains { period.contains($0.at) }
        }
        if !empty.isEmpty {
            let named = empty.prefix(5).map(\.symbol).joined(separator: ", ")
            sentences.append("\(empty.count) symbols have no ticks in the period: \(named)")
        }
        let untraded = series.filter { $0.tradeCount == 0 }
        if !untraded.isEmpty {
            let named = untraded.prefix(5).map(\.symbol).joined(separator: ", ")
            sentences.append(
                "\(untraded.count) symbols have quotes and no trades: \(named); positions are valued "
                    + "at the middle of bid and ask"
                    + (stopsGoByTrades ? ", and stops need stop_trigger: quote" : ""))
        }
        return sentences
    }
}

extension LongerBars {
    /// The last `count` complete bars of each of so many instruments that end by `time`.
    fileprivate mutating func history(
        before time: Timestamp, count: Int, of instrumentCount: Int
    ) -> [Bar] {
        var bars: [Bar] = []
        advance(to: time)
        take(into: &bars)
        var left = Array(repeating: count, count: instrumentCount)
        let newest = bars.reversed().filter { bar in
            left[Int(bar.instrument.index)] -= 1
            return left[Int(bar.instrument.index)] >= 0
        }
        return newest.reversed()
    }
}
