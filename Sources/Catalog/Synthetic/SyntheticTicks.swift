internal import MarketState
package import Model
internal import Primitives
internal import MarketSimulation

/// Synthetic quotes and trades of one symbol, one after the other: geometric Brownian motion seen through
/// quotes, with trades between them.
///
/// The time between two rows is exponentially distributed, and the variance between them goes with it, both
/// in the time of the market: near the open and the close it runs faster if the market has an intraday
/// shape. Each session begins with a quote. Four of five rows are quotes, around the price that nobody
/// sees: one cent between bid and ask, sometimes two or three, or a basis point of the price if that is
/// more; some hundred shares on either side. A trade takes the bid or the ask of the quote before it, at
/// most what that showed. A jump shows with the next quote.
package struct SyntheticTicks {
    private let market: SyntheticMarket
    private let ticksPerSession: Double
    private let instrument = InstrumentID(index: 0)
    private var draws: NormalDraws
    private var regimes: SeededGenerator
    private var regime = Regime()
    private var session: TradingSession
    private var remainingTicks: Int
    /// How much of the session is over, in the market's time: 0 to 1.
    private var progress = 0.0
    private var price: Double
    private var quote: Quote?

    /// The ticks of `symbol` in `market`, whose `barCount` is their number.
    ///
    /// - Parameter ticksPerSession: how many a whole session has on average; positive.
    /// - Precondition: the market has no problem.
    package init(of symbol: String, in market: SyntheticMarket, ticksPerSession: Int) {
        precondition(market.problem == nil, "a market that can be made")
        precondition(ticksPerSession > 0, "a session has ticks")
        self.market = market
        self.ticksPerSession = Double(ticksPerSession)
        draws = NormalDraws(seed: market.seed, name: symbol.uppercased())
        regimes = NormalDraws(seed: market.seed, name: " ").generator
        remainingTicks = market.barCount
        price = market.startPrice
        session = market.calendar.nextSession(after: market.from.advanced(by: -1))
        if market.hasRegimes { regime.advance(regimes.nextUniform()) }
    }

    /// The next row; `nil` when there are enough, when time is past 2189 or when the price is beyond what a
    /// price can be.
    package mutating func next() -> TickRow? {
        guard remainingTicks > 0 else { return nil }
        remainingTicks -= 1
        pass()
        let time = self.time
        guard time < StampReader.latest else { return nil }
        if let quote, draws.generator.nextUniform() < Self.tradePart {
            return TickRow(trade(at: time, of: quote))
        }
        guard let next = quote(at: time) else {
            remainingTicks = 0
            return nil
        }
        quote = next
        return TickRow(next)
    }

    private static let tradePart = 0.2

    /// Goes on to the next row's time, into the next session if this one is over.
    private mutating func pass() {
        let share = sessionShare
        let gap = draws.generator.nextExponential(mean: 1 / (ticksPerSession * share))
        let end = progress + gap
        guard end < 1 else {
            move(over: 1 - progress, share)
            progress = 0
            quote = nil
            session = market.calendar.nextSession(after: session.day)
            if market.hasRegimes { regime.advance(regimes.nextUniform()) }
            return
        }
        move(over: gap, share)
        progress = end
    }

    /// How much of a whole session this one is, by time.
    private var sessionShare: Double {
        Double(session.length.nanoseconds) / Double(market.calendar.sessionLength.nanoseconds)
    }

    /// Moves the price that nobody sees over a part of a session that is `share` of a whole one.
    private mutating func move(over part: Double, _ share: Double) {
        let factor = market.hasRegimes ? regime.factor : 1
        let variance = market.sessionVariance * share * part * factor
        let trend =
            (Natural.log(1 + market.drift) - market.volatility * market.volatility / 2)
            / market.sessionsPerYear * share * part
        var change = trend + variance.squareRoot() * draws.next()
        let rate = market.jumps / market.sessionsPerYear * share * part
        if rate > 0, draws.generator.nextUniform() < rate {
            change += market.jumpSize * draws.next()
        }
        price *= Natural.exp(change)
    }

    /// The timestamp at `progress`.
    private var time: Timestamp {
        let part = market.hasIntradayShape ? Self.clockPart(of: progress) : progress
        let length = session.length.nanoseconds
        let since = Int64((part * Double(length)).rounded(.down))
        return session.open + Duration(nanoseconds: min(max(since, 0), length - 1))
    }

    /// Which part of a session's hours is over when that part of its events has come, if they come by the
    /// shape of `SyntheticBars`: (1 + 3 s²) / 2 at the place s from -1 at the open to 1 at the close. So
    /// s³ + s = 4 · part - 2, solved by Newton's steps, whose error falls below 10^-15 in eight.
    private static func clockPart(of part: Double) -> Double {
        let sum = 4 * part - 2
        var side = sum / 2
        for _ in 0..<8 {
            side -= (side * side * side + side - sum) / (3 * side * side + 1)
        }
        return (side + 1) / 2
    }

    private mutating func quote(at time: Timestamp) -> Quote? {
        let draw = draws.generator.nextUniform()
        let steps = draw < 0.7 ? 1.0 : draw < 0.9 ? 2.0 : 3.0
        let width = max(1, (price / 100).rounded(.down)) * steps
        // In cents, so that the price lies between.
        let bid = max(1, (price * 100 - (width - 1) / 2).rounded(.down))
        let ask = bid + width
        guard ask <= Double(Price.magnitudeMax.units / Price(cents: 1).units) else { return nil }
        return Quote(
            instrument: instrument, at: time, bid: Price(cents: Int64(bid)),
            ask: Price(cents: Int64(ask)), bidSize: drawSize(), askSize: drawSize())
    }

    /// Hundreds of shares, four of them on average besides the first.
    private mutating func drawSize() -> Quantity {
        let hundreds = 1 + min(draws.generator.nextExponential(mean: 4), 1_000).rounded(.down)
        return Quantity(shares: 100 * Int64(hundreds))
    }

    private mutating func trade(at time: Timestamp, of quote: Quote) -> Trade {
        let isBuy = draws.generator.nextUniform() < 0.5
        let shown = isBuy ? quote.askSize : quote.bidSize
        let shares = 1 + min(draws.generator.nextExponential(mean: 150), 1e6).rounded(.down)
        let price = isBuy ? quote.ask : quote.bid
        return Trade(
            instrument: instrument, at: time, price: price ?? Price(cents: 1),
            size: min(Quantity(shares: Int64(shares)), shown ?? .magnitudeMax))
    }
}

extension SyntheticFiles {
    /// Writes `SYMBOL.csv` with quotes and trades of one symbol of `market`; see `SyntheticTicks`.
    ///
    /// - Parameter ending: `.csv` or `.csv.gz`.
    package static func writeTicks(
        _ symbol: String, of market: SyntheticMarket, perSession: Int, to folder: String,
        ending: String
    ) throws(DataError) -> File {
        let path = OutputFolder.path(symbol.uppercased() + ending, in: folder)
        var ticks = SyntheticTicks(of: symbol, in: market, ticksPerSession: perSession)
        var output = try OutputFile(path: path)
        var text = TickText(calendar: market.calendar)
        try output.write(TickText.header)
        var count = 0
        var span: (first: Timestamp, last: Timestamp)?
        while let row = ticks.next() {
            try output.write(text.line(row))
            count += 1
            span = (span?.first ?? row.at, row.at)
        }
        guard let span else {
            throw DataError(
                file: path, finding: "would have no ticks", remedy: "Choose an earlier first day.")
        }
        try output.finish()
        return File(path: path, rowCount: count, first: span.first, last: span.last)
    }
}
