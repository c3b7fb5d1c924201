import Configuration
import Model
import Primitives

/// Entries about market data: for each symbol at most one within a time, with how much has come since the one before.
struct DataEntries: Sendable {
    private let interval: Duration
    private var symbols: [String] = []
    private var counts: [Counts] = []

    private struct Counts: Sendable {
        var bars = 0
        var quotes = 0
        var trades = 0
        var price: Price?
        /// When the next entry may be made.
        var due = Timestamp.distantPast
    }

    /// Entries that far apart.
    init(_ interval: Duration) { self.interval = interval }

    /// Takes in events, and makes the entries that are due.
    mutating func take(_ events: [Event], _ names: SessionNames) -> [LogEntry] {
        // A new session day may number instruments anew.
        if symbols != names.symbols {
            symbols = names.symbols
            counts = Array(repeating: Counts(), count: symbols.count)
        }
        var entries: [LogEntry] = []
        for event in events {
            switch event.kind {
            case .bar(let bar):
                count(bar.instrument, at: event.at, &entries) {
                    $0.bars += 1
                    $0.price = bar.close
                }
            case .quote(let quote):
                count(quote.instrument, at: event.at, &entries) { $0.quotes += 1 }
            case .trade(let trade):
                count(trade.instrument, at: event.at, &entries) {
                    $0.trades += 1
                    $0.price = trade.price
                }
            case .historyComplete(let coverage):
                entries.append(Self.entry(of: coverage, names, at: event.at))
            case .history, .sliceClosed, .order, .brokerOrder, .listing, .link, .accountValue,
                .sessionOpened, .opening, .openingComplete, .name, .corporateAction, .timer,
                .cashMovement, .signal, .shadowResult, .operatorRequest, .condition, .dailyClose,
                .clock:
                break
            }
        }
        return entries
    }

    private mutating func count(
        _ instrument: InstrumentID, at now: Timestamp, _ entries: inout [LogEntry],
        by add: (inout Counts) -> Void
    ) {
        let index = Int(instrument.index)
        guard counts.indices.contains(index) else { return }
        add(&counts[index])
        guard now >= counts[index].due else { return }
        var entry = LogEntry(at: now, .info, .data, "data")
        entry.set("symbol", .text(symbols[index]))
        entry.set("bars", .integer(counts[index].bars))
        entry.set("quotes", .integer(counts[index].quotes))
        entry.set("trades", .integer(counts[index].trades))
        entry.set("price", counts[index].price.map { .exact($0) })
        entries.append(entry)
        let price = counts[index].price
        counts[index] = Counts()
        counts[index].price = price
        counts[index].due = now + interval
    }

    private static func entry(
        of coverage: HistoryCoverage, _ names: SessionNames, at now: Timestamp
    ) -> LogEntry {
        var entry = LogEntry(
            at: now, coverage.isWhole ? .info : .notice, .data, "past bars were shown")
        entry.set("symbol", coverage.instrument.map { .text(names.symbol(of: $0)) })
        entry.set("bars", .integer(coverage.have))
        entry.set("asked", .integer(coverage.asked))
        return entry
    }
}
