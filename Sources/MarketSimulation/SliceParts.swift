import Model
import Primitives

/// What bars are made of: the trades and quotes of an interval of time.
struct SliceParts: Sendable {
    /// The trades' prices; `nil` without any.
    var trades: PriceUnitRange?
    /// What was traded, in units of `Quantity`.
    var volume: Int64 = 0
    /// Price units times quantity units of it.
    var turnover: Int128 = 0
    /// How many trades.
    var count: Int64 = 0
    /// The bids; `nil` without any.
    var bids: PriceUnitRange?
    /// The asks.
    var asks: PriceUnitRange?
    /// The middles of quotes that have both sides.
    var middles: PriceUnitRange?
    /// Bid and ask times the nanoseconds they stood, and those nanoseconds: what averages are made of.
    private var snapshot = (bid: 0.0, ask: 0.0, time: 0.0)

    init() {}

    /// All of a slice that follows from its fields.
    init(_ slice: Slice, grid: Int64) {
        trades = slice.trades
        volume = slice.count > 0 ? slice.volume : 0
        turnover = slice.turnover
        count = Int64(slice.count)
        guard slice.hasQuotes else { return }
        let bids = slice.bids(grid: grid)
        self.bids = bids
        asks = bids.moved(by: slice.width)
        middles = bids.moved(by: slice.width / 2)
        let time = Double(slice.length.nanoseconds)
        let bid = Double(bids.middle)
        snapshot = (bid * time, (bid + Double(slice.width)) * time, time)
    }

    /// Takes what came later into this.
    mutating func append(_ later: SliceParts) {
        Self.append(later.trades, to: &trades)
        volume =
            volume.addingReportingOverflow(later.volume).overflow ? .max : volume + later.volume
        turnover &+= later.turnover
        count &+= later.count
        Self.append(later.bids, to: &bids)
        Self.append(later.asks, to: &asks)
        Self.append(later.middles, to: &middles)
        snapshot.bid += later.snapshot.bid
        snapshot.ask += later.snapshot.ask
        snapshot.time += later.snapshot.time
    }

    /// Takes a trade into this.
    mutating func append(_ trade: Trade) {
        Self.append(PriceUnitRange(trade.price.units), to: &trades)
        volume =
            volume.addingReportingOverflow(trade.size.units).overflow
            ? .max : volume + trade.size.units
        turnover &+= Int128(trade.price.units) &* Int128(trade.size.units)
        count &+= 1
    }

    /// Takes a quote into this that stood for some time.
    mutating func append(_ quote: Quote, snapshot time: Duration) {
        Self.append(quote.bid.map { PriceUnitRange($0.units) }, to: &bids)
        Self.append(quote.ask.map { PriceUnitRange($0.units) }, to: &asks)
        Self.append(quote.middle.map { PriceUnitRange($0.units) }, to: &middles)
        guard let bid = quote.bid, let ask = quote.ask else { return }
        let time = Double(max(0, time.nanoseconds))
        snapshot.bid += Double(bid.units) * time
        snapshot.ask += Double(ask.units) * time
        snapshot.time += time
    }

    /// Makes the average bid and ask those of other shares.
    mutating func scaleSnapshot(by factor: Double) {
        snapshot.bid *= factor
        snapshot.ask *= factor
    }

    /// The average bid and ask over the time they stood; `nil` where none did.
    var averages: (bid: Int64, ask: Int64)? {
        guard snapshot.time > 0 else { return nil }
        let limit = Double(Price.magnitudeMax.units)
        func whole(_ sum: Double) -> Int64 {
            Int64(min(max((sum / snapshot.time).rounded(), 0), limit))
        }
        return (whole(snapshot.bid), whole(snapshot.ask))
    }

    /// The average price by volume; the last one where there is no volume.
    var average: Int64? {
        guard let trades else { return nil }
        guard volume > 0 else { return trades.middle }
        return Int64(clamping: (turnover + Int128(volume / 2)) / Int128(volume))
    }

    private static func append(_ later: PriceUnitRange?, to range: inout PriceUnitRange?) {
        guard let later else { return }
        if range == nil { range = later } else { range?.append(later) }
    }
}

extension SliceParts {
    /// What ticks within an interval of time come to.
    ///
    /// - Parameters:
    ///   - standing: the quote before the first tick; becomes the last one.
    ///   - span: the interval; ticks outside it are left out, except that quotes before it stand at its
    ///     beginning.
    init(_ ticks: [MarketEvent], in span: Range<Timestamp>, snapshot: inout Quote?) {
        self.init()
        var since = span.lowerBound
        for tick in ticks {
            guard tick.at < span.upperBound else { break }
            switch tick {
            case .trade(let trade) where trade.at >= span.lowerBound: append(trade)
            case .trade: break
            case .quote(let quote):
                if quote.at > since, let before = snapshot {
                    append(before, snapshot: quote.at - since)
                }
                since = max(since, quote.at)
                snapshot = quote
            }
        }
        if let last = snapshot { append(last, snapshot: span.upperBound - since) }
    }
}
