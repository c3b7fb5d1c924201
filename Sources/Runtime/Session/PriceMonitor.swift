import Model
import Primitives

/// Admits prices that are near the last one known. What jumps beyond the band waits, and its bars come from history,
/// until history or the stream itself is where it was: a stream that lies by a constant offset makes no order, and a
/// real gap passes once history shows it.
struct PriceMonitor: Sendable {
    private let instruments: [InstrumentID]
    /// The last price admitted, by instrument; `nil` before the first.
    private var known: [Price?]
    /// The newest price that was not admitted; `nil` while all are.
    private var doubted: [Price?]
    /// When the stream is asked for anew, while it is doubted.
    private var renewals: [Timestamp?]
    private var reports: [ConditionReport] = []

    /// How far a price may be from the last one: a tenth of it.
    static let band = 10
    /// How often a stream that is doubted is asked for anew.
    static let renewalInterval = Duration.seconds(60)

    init(_ instruments: [InstrumentID]) {
        self.instruments = instruments
        known = instruments.map { _ in nil }
        doubted = known
        renewals = instruments.map { _ in nil }
    }

    /// Takes in a bar of the stream.
    ///
    /// - Returns: false where it is not to be used.
    mutating func admits(_ bar: Bar, at now: Timestamp) -> Bool {
        admits(bar.low...bar.high, newest: bar.close, of: bar.instrument, at: now)
    }

    /// Takes in a trade of the stream.
    ///
    /// - Returns: false where it is not to be used.
    mutating func admits(_ trade: Trade, at now: Timestamp) -> Bool {
        admits(trade.price...trade.price, newest: trade.price, of: trade.instrument, at: now)
    }

    private mutating func admits(
        _ range: ClosedRange<Price>, newest: Price, of instrument: InstrumentID, at now: Timestamp
    ) -> Bool {
        let index = Int(instrument.index)
        guard let last = known[index] else {
            known[index] = newest
            return true
        }
        guard Self.isNear(range.upperBound, last), Self.isNear(range.lowerBound, last) else {
            doubt(newest, of: instrument, at: now)
            return false
        }
        known[index] = newest
        confirm(index)
        return true
    }

    /// Takes in a quote of the stream.
    ///
    /// - Returns: the quote without the sides that are far from the last price known. Where bid and ask both are, on
    ///   the same side of it, the price has jumped; on either side of it nobody wants to trade.
    mutating func admitted(_ quote: Quote, at now: Timestamp) -> Quote {
        let index = Int(quote.instrument.index)
        guard let last = known[index] else {
            known[index] = quote.middle
            return quote
        }
        let bid = quote.bid.flatMap { Self.isNear($0, last) ? $0 : nil }
        let ask = quote.ask.flatMap { Self.isNear($0, last) ? $0 : nil }
        if bid != nil, ask != nil {
            if let middle = quote.middle { known[index] = middle }
            confirm(index)
            return quote
        }
        if bid == nil, ask == nil, let low = quote.bid, let high = quote.ask,
            (low > last) == (high > last)
        {
            doubt(quote.middle ?? low, of: quote.instrument, at: now)
        }
        return Quote(
            instrument: quote.instrument, at: quote.at, bid: bid, ask: ask,
            bidSize: bid == nil ? nil : quote.bidSize, askSize: ask == nil ? nil : quote.askSize)
    }

    /// The instruments whose stream is doubted.
    var doubtedInstruments: [InstrumentID] {
        instruments.indices.filter { doubted[$0] != nil }.map { instruments[$0] }
    }

    /// Takes in that an instrument's next price may be anywhere: a night lies between.
    mutating func forget() {
        for index in known.indices where doubted[index] == nil { known[index] = nil }
    }

    private mutating func doubt(_ price: Price, of instrument: InstrumentID, at now: Timestamp) {
        let index = Int(instrument.index)
        if doubted[index] == nil {
            reports.append(
                ConditionReport(
                    .implausiblePrice, isPresent: true, of: instrument, value: price.units))
            renewals[index] = now
        }
        doubted[index] = price
    }

    /// Takes in bars of history: a second source.
    mutating func confirm(_ bars: [Bar]) {
        guard let newest = bars.max(by: { $0.end < $1.end }) else { return }
        let index = Int(newest.instrument.index)
        known[index] = newest.close
        if let price = doubted[index], Self.isNear(price, newest.close) { confirm(index) }
    }

    /// The instruments whose streams are to be asked for anew.
    mutating func takeRenewals(at now: Timestamp) -> [InstrumentID] {
        var due: [InstrumentID] = []
        for (index, instrument) in instruments.enumerated() {
            guard let time = renewals[index], now >= time else { continue }
            renewals[index] = now + Self.renewalInterval
            due.append(instrument)
        }
        return due
    }

    /// Takes what began and ended.
    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports
    }

    private mutating func confirm(_ index: Int) {
        guard doubted[index] != nil else { return }
        doubted[index] = nil
        renewals[index] = nil
        reports.append(
            ConditionReport(.implausiblePrice, isPresent: false, of: instruments[index]))
    }

    private static func isNear(_ price: Price, _ last: Price) -> Bool {
        let difference = Int128(price.units) - Int128(last.units)
        return difference.magnitude * UInt128(band) <= Int128(last.units).magnitude
    }
}
