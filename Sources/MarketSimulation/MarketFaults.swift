import Model
package import Primitives

/// A price nobody made, published instead of the next one.
package enum BadPrice: Hashable, Sendable {
    /// A trade or quote at this price: 0 and -1 are what broken sources publish.
    case price(Price)
    /// A quote whose bid is above its ask by as much as it was below; trades stay as they are.
    case crossed
    /// The right price with this size.
    case size(Quantity)
}

/// Which of the next ticks is published wrongly.
package enum BadTick: Hashable, Sendable {
    /// The next quote.
    case quote(BadPrice)
    /// The next trade.
    case trade(BadPrice)
}

/// What was done to an instrument's market from outside.
struct MarketFaults: Sendable {
    /// When trading was halted, in order; the last halt may have no end yet.
    var halts: [Range<Timestamp>] = []
    /// Splits, in order of time: `numerator` new shares for `denominator` old ones.
    var splits: [(at: Timestamp, numerator: Int64, denominator: Int64)] = []
    /// What is published wrongly, next first.
    var badTicks: [BadTick] = []
    /// Whether its ticks are not published.
    var isSilent = false

    /// Whether trading is halted and nobody has ended it yet.
    var isHaltedNow: Bool { halts.last?.upperBound == .distantFuture }

    /// Whether trading was halted at a time.
    func isHalted(at timestamp: Timestamp) -> Bool { halts.contains { $0.contains(timestamp) } }

    /// Whether some of an interval of time was halted.
    func touches(_ span: Range<Timestamp>) -> Bool { halts.contains { $0.overlaps(span) } }

    /// Whether anything was done that changes what a day shows.
    var changesDays: Bool { !halts.isEmpty || !splits.isEmpty }

    /// What is published in place of a tick; `nil` when the tick itself is.
    mutating func takeBad(_ tick: MarketEvent) -> MarketEvent? {
        switch (badTicks.first, tick) {
        case (.quote(let bad)?, .quote(let quote)):
            badTicks.removeFirst()
            return .quote(bad.applied(to: quote))
        case (.trade(let bad)?, .trade(let trade)):
            badTicks.removeFirst()
            return .trade(bad.applied(to: trade))
        case (nil, _), (.quote?, .trade), (.trade?, .quote): return nil
        }
    }
}

extension BadPrice {
    fileprivate func applied(to quote: Quote) -> Quote {
        var (bid, ask) = (quote.bid, quote.ask)
        var (bidSize, askSize) = (quote.bidSize, quote.askSize)
        switch self {
        case .price(let price): (bid, ask) = (price, price)
        case .crossed: (bid, ask) = (ask, bid)
        case .size(let size): (bidSize, askSize) = (size, size)
        }
        return Quote(
            instrument: quote.instrument, at: quote.at, bid: bid, ask: ask, bidSize: bidSize,
            askSize: askSize)
    }

    fileprivate func applied(to trade: Trade) -> Trade {
        var (price, size) = (trade.price, trade.size)
        switch self {
        case .price(let bad): price = bad
        case .crossed: break
        case .size(let bad): size = bad
        }
        return Trade(instrument: trade.instrument, at: trade.at, price: price, size: size)
    }
}
