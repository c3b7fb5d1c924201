package import Model
package import Primitives

/// Recorded prices to be replayed: bars or ticks of symbols, checked.
package struct ReplayData: Sendable {
    /// Why a recording cannot be replayed.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// Whose recording.
        package let symbol: String
        /// Which row, from 0; `nil` where it is about all.
        package let row: Int?
        /// What is wrong, and what to do.
        package let text: String

        /// As one sentence.
        package var description: String {
            let label = row.map { ", row \($0 + 1)" } ?? ""
            return "\(symbol)\(label): \(text)"
        }
    }

    /// What was recorded of one symbol.
    enum Series: Sendable {
        /// Bars that last `length`, or whole sessions.
        case bars([BarRow], length: Duration?)
        /// Quotes and trades.
        case ticks([MarketEvent])
    }

    /// The symbols with recordings, in alphabetical order.
    package private(set) var symbols: [String] = []
    /// What was recorded, by symbol.
    private(set) var series: [String: Series] = [:]

    /// No recording yet.
    package init() {}

    /// Whether there is nothing.
    package var isEmpty: Bool { symbols.isEmpty }

    /// The time of the first row of all.
    package var firstTime: Timestamp? {
        symbols.compactMap { symbol -> Timestamp? in
            switch series[symbol] {
            case .bars(let rows, _): rows.first?.start
            case .ticks(let ticks): ticks.first?.at
            case nil: nil
            }
        }.min()
    }

    /// Adds bars of a symbol that has none yet.
    ///
    /// - Parameters:
    ///   - rows: in order of time, not overlapping.
    ///   - length: how long each lasts, from a second to a day; `nil` for whole sessions.
    package mutating func add(
        _ rows: [BarRow], length: Duration?, of symbol: String
    ) throws(Problem) {
        try checkNew(symbol, count: rows.count)
        if let length, length < .seconds(1) || length > .days(1) {
            throw Problem(
                symbol: symbol, row: nil,
                text: "bars last \(length): give bars of a second to a day.")
        }
        var last: Timestamp?
        for (index, row) in rows.enumerated() {
            if let text = Self.problem(row, after: last) {
                throw Problem(symbol: symbol, row: index, text: text)
            }
            last = row.start
        }
        set(.bars(rows, length: length), of: symbol)
    }

    /// Adds ticks of a symbol that has none yet; their instruments do not matter.
    ///
    /// - Parameter ticks: in order of time; equal times are published in their order.
    package mutating func add(ticks: [MarketEvent], of symbol: String) throws(Problem) {
        try checkNew(symbol, count: ticks.count)
        var last = Timestamp(nanoseconds: 0)
        for (index, tick) in ticks.enumerated() {
            if let text = Self.problem(tick, after: last) {
                throw Problem(symbol: symbol, row: index, text: text)
            }
            last = tick.at
        }
        set(.ticks(ticks), of: symbol)
    }

    private mutating func set(_ recording: Series, of symbol: String) {
        series[symbol] = recording
        symbols.insert(symbol, at: symbols.firstIndex { $0 > symbol } ?? symbols.count)
    }

    private func checkNew(_ symbol: String, count: Int) throws(Problem) {
        guard series[symbol] == nil else {
            throw Problem(
                symbol: symbol, row: nil, text: "is there already: give each symbol one recording.")
        }
        guard count > 0, count <= Self.rowsMax else {
            throw Problem(
                symbol: symbol, row: nil,
                text: "has \(count) rows: give 1 to \(Self.rowsMax).")
        }
    }

    private static func problem(_ row: BarRow, after last: Timestamp?) -> String? {
        guard span.contains(row.start) else { return "begins before 1970 or after 2200." }
        if let last, row.start <= last {
            return "does not begin after the row before: sort the rows by time."
        }
        guard row.low.units > 0, row.high <= .magnitudeMax else {
            return "has a price that is not above 0 or above \(Price.magnitudeMax)."
        }
        guard row.low <= row.open, row.low <= row.close, row.high >= row.open,
            row.high >= row.close
        else { return "its open or close is not between its low and its high." }
        guard row.volume >= .zero, row.volume <= .magnitudeMax else {
            return "has a volume below 0 or above \(Quantity.magnitudeMax)."
        }
        return nil
    }

    private static func problem(_ tick: MarketEvent, after last: Timestamp) -> String? {
        guard span.contains(tick.at) else { return "is from before 1970 or after 2200." }
        guard tick.at >= last else { return "is before the tick before it: sort them by time." }
        let (prices, sizes): ([Price?], [Quantity?]) =
            switch tick {
            case .quote(let quote): ([quote.bid, quote.ask], [quote.bidSize, quote.askSize])
            case .trade(let trade): ([trade.price], [trade.size])
            }
        guard prices.allSatisfy({ $0.map { $0 > .zero && $0 <= .magnitudeMax } ?? true }) else {
            return "has a price that is not above 0 or above \(Price.magnitudeMax)."
        }
        guard sizes.allSatisfy({ $0.map { $0 >= .zero && $0 <= .magnitudeMax } ?? true }) else {
            return "has a size below 0 or above \(Quantity.magnitudeMax)."
        }
        return nil
    }

    private static let rowsMax = 500_000_000
    private static let span: Range<Timestamp> = {
        let end = Day(year: 2200, month: 1, day: 1).map { Timestamp(day: $0) } ?? .distantFuture
        return Timestamp(nanoseconds: 0)..<end
    }()
}
