internal import MarketState
package import Model
package import Primitives
internal import MarketSimulation

/// Synthetic bars of one symbol, one after the other: geometric Brownian motion with what its market adds.
///
/// The close of a bar is the open of the next. Its high and low are the extremes of Brownian motion
/// between open and close, each exact by itself. Prices are kept unrounded and published in whole cents, at
/// least one.
package struct SyntheticBars {
    private let market: SyntheticMarket
    private var own: NormalDraws
    /// The same draws for all symbols.
    private var common: NormalDraws
    private var regimes: SeededGenerator
    private var regime = Regime()
    private var session: TradingSession
    private var remainingBars: Int
    /// Where in the session the next bar begins.
    private var start: Timestamp
    private var price: Double
    /// What makes the shape's weights of this session average one.
    private var weightScale = 1.0

    /// The bars of `symbol` in `market`.
    ///
    /// - Precondition: the market has no problem.
    package init(of symbol: String, in market: SyntheticMarket) {
        precondition(market.problem == nil, "a market that can be made")
        self.market = market
        own = NormalDraws(seed: market.seed, name: symbol.uppercased())
        common = NormalDraws(seed: market.seed, name: "")
        regimes = NormalDraws(seed: market.seed, name: " ").generator
        remainingBars = market.barCount
        price = market.startPrice
        session = market.calendar.nextSession(after: market.from.advanced(by: -1))
        start = session.open
        beginSession()
    }

    /// The next bar; `nil` when there are enough, when time is past 2189 or when the price is beyond
    /// what a price can be.
    package mutating func next() -> BarRow? {
        guard remainingBars > 0, start < StampReader.latest else { return nil }
        remainingBars -= 1
        let barSize = market.barSize ?? session.length
        let share = self.share(of: barSize)
        let row = bar(at: start, share: share)
        start = start + barSize
        if market.barSize == nil || start >= session.close {
            session = market.calendar.nextSession(after: session.day)
            start = session.open
            beginSession()
        }
        return row
    }

    private mutating func beginSession() {
        if market.hasRegimes { regime.advance(regimes.nextUniform()) }
        guard market.hasIntradayShape, let barSize = market.barSize else { return }
        let count = barCount(barSize)
        let sum = (0..<count).reduce(0.0) {
            $0 + SessionShape.weight(at: (Double($1) + 0.5) / Double(count))
        }
        weightScale = Double(count) / sum
    }

    private func barCount(_ barSize: Duration) -> Int {
        Int((session.length.nanoseconds + barSize.nanoseconds - 1) / barSize.nanoseconds)
    }

    /// How much of a session's variance and volume a bar has.
    private func share(of length: Duration) -> Double {
        guard market.barSize != nil else { return 1 }
        let flat = Double(length.nanoseconds) / Double(market.calendar.sessionLength.nanoseconds)
        guard market.hasIntradayShape else { return flat }
        let count = barCount(length)
        let index = Int((start - session.open).nanoseconds / length.nanoseconds)
        return flat * weightScale * SessionShape.weight(at: (Double(index) + 0.5) / Double(count))
    }

    private mutating func bar(at start: Timestamp, share: Double) -> BarRow? {
        let variance =
            market.sessionVariance * share * (market.hasRegimes ? regime.factor : 1)
        let deviation = variance.squareRoot()
        let shared = common.next()
        let single = own.next()
        let rho = market.correlation
        let draw = rho.squareRoot() * shared + (1 - rho).squareRoot() * single
        let trend =
            (Natural.log(1 + market.drift) - market.volatility * market.volatility / 2)
            / market.sessionsPerYear * (market.barSize == nil ? 1 : flatShare)
        let (up, down) = (own.generator.nextUniform(), own.generator.nextUniform())
        let jump = drawJump(share)
        let open = price
        let change = trend + deviation * draw
        // The bridge's extremes by inversion: P(max > m) = exp(-2 m (m - x) / variance).
        let high =
            (change + (change * change - 2 * variance * Natural.log(1 - up)).squareRoot()) / 2
        let low =
            (change - (change * change - 2 * variance * Natural.log(1 - down)).squareRoot()) / 2
        price = open * Natural.exp(change + jump)
        let highest = max(open * Natural.exp(high), price)
        let lowest = min(open * Natural.exp(low), price)
        guard let row = rounded(open, highest, lowest) else {
            remainingBars = 0
            return nil
        }
        return BarRow(
            start: start, open: row.open, high: row.high, low: row.low, close: row.close,
            volume: volume(share))
    }

    /// A bar's share of a session by time alone.
    private var flatShare: Double {
        let length = market.barSize ?? market.calendar.sessionLength
        return Double(length.nanoseconds) / Double(market.calendar.sessionLength.nanoseconds)
    }

    private mutating func drawJump(_ share: Double) -> Double {
        let rate = market.jumps / market.sessionsPerYear * share
        guard rate > 0, own.generator.nextUniform() < rate else { return 0 }
        return market.jumpSize * own.next()
    }

    private mutating func volume(_ share: Double) -> Quantity {
        // Log-normal around its mean, with a deviation of half.
        let noise = Natural.exp(0.5 * own.next() - 0.125)
        let shares = market.sessionVolume * share * noise * (market.hasRegimes ? regime.factor : 1)
        return Quantity(shares: Int64(min(shares, 1e10).rounded(.down)))
    }

    private func rounded(
        _ open: Double, _ high: Double, _ low: Double
    ) -> (open: Price, high: Price, low: Price, close: Price)? {
        guard let open = Self.cents(open), let high = Self.cents(high), let low = Self.cents(low),
            let close = Self.cents(price)
        else { return nil }
        return (open, high, low, close)
    }

    /// The nearest whole number of cents, at least one; `nil` beyond the largest price.
    private static func cents(_ price: Double) -> Price? {
        let cents = (price * 100).rounded(.toNearestOrEven)
        guard cents <= Double(Price.magnitudeMax.units / Price(cents: 1).units) else { return nil }
        return Price(cents: max(1, Int64(cents)))
    }
}

/// Writes synthetic bars, or quotes and trades, as files.
package enum SyntheticFiles {
    /// A written file.
    package struct File: Sendable {
        /// Where it is.
        package let path: String
        /// How many rows it has; fewer than asked for when time or price ran out.
        package let rowCount: Int
        /// The time of its first row.
        package let first: Timestamp
        /// The time of its last row.
        package let last: Timestamp
    }

    /// Writes `SYMBOL.csv` for one symbol of `market`.
    ///
    /// - Parameter ending: `.csv` or `.csv.gz`.
    /// - Precondition: the market has no problem.
    package static func write(
        _ symbol: String, of market: SyntheticMarket, to folder: String, ending: String
    ) throws(DataError) -> File {
        let path = OutputFolder.path(symbol.uppercased() + ending, in: folder)
        var bars = SyntheticBars(of: symbol, in: market)
        var output = try OutputFile(path: path)
        var text = BarText(isDated: market.barSize == nil, calendar: market.calendar)
        try output.write(text.header(["volume"]))
        var count = 0
        var span: (first: Timestamp, last: Timestamp)?
        while let row = bars.next() {
            try output.write(text.line(row))
            count += 1
            span = (span?.first ?? row.start, row.start)
        }
        guard let span else {
            throw DataError(
                file: path, finding: "would have no bars", remedy: "Choose an earlier first day.")
        }
        try output.finish()
        return File(path: path, rowCount: count, first: span.first, last: span.last)
    }
}
