import Model
import Primitives

extension Slice {
    /// Makes prices those of `numerator` new shares for `denominator` old ones, on the grid.
    mutating func split(_ numerator: Int64, for denominator: Int64, grid: Int64) {
        func price(_ units: Int64) -> Int64 {
            units.scaled(denominator, numerator, to: grid)
        }
        prices = PriceUnitRange(
            open: price(prices.open), high: price(prices.high), low: price(prices.low),
            close: price(prices.close))
        if volume > 0 {
            volume = volume.scaled(numerator, denominator, to: Quantity(shares: 1).units)
        }
        if hasQuotes { width = price(width) }
    }
}

extension SliceParts {
    /// Makes prices and volumes those of `numerator` new shares for `denominator` old ones, prices on the grid.
    mutating func split(_ numerator: Int64, for denominator: Int64, grid: Int64) {
        func range(_ range: PriceUnitRange) -> PriceUnitRange {
            func price(_ units: Int64) -> Int64 {
                units.scaled(denominator, numerator, to: grid)
            }
            return PriceUnitRange(
                open: price(range.open), high: price(range.high), low: price(range.low),
                close: price(range.close))
        }
        trades = trades.map(range)
        bids = bids.map(range)
        asks = asks.map(range)
        middles = middles.map(range)
        if volume > 0 {
            volume = volume.scaled(numerator, denominator, to: Quantity(shares: 1).units)
        }
        scaleSnapshot(by: Double(denominator) / Double(numerator))
    }
}

extension MarketEvent {
    /// The same after a split into `numerator` new shares for `denominator` old ones, on the grid.
    func split(_ numerator: Int64, for denominator: Int64, grid: Int64) -> MarketEvent {
        func price(_ price: Price) -> Price {
            Price(units: price.units.scaled(denominator, numerator, to: grid))
        }
        func size(_ size: Quantity) -> Quantity {
            guard size > .zero else { return size }
            return Quantity(
                units: size.units.scaled(numerator, denominator, to: Quantity(shares: 1).units))
        }
        switch self {
        case .quote(let quote):
            return .quote(
                Quote(
                    instrument: quote.instrument, at: quote.at, bid: quote.bid.map(price),
                    ask: quote.ask.map(price), bidSize: quote.bidSize.map(size),
                    askSize: quote.askSize.map(size)))
        case .trade(let trade):
            return .trade(
                Trade(
                    instrument: trade.instrument, at: trade.at, price: price(trade.price),
                    size: size(trade.size)))
        }
    }
}

extension Int64 {
    /// This times a fraction, rounded down to a multiple of `step`: at least one, at most the largest
    /// quantity.
    fileprivate func scaled(_ numerator: Int64, _ denominator: Int64, to step: Int64) -> Int64 {
        let exact = Int128(self) * Int128(numerator) / Int128(Swift.max(1, denominator))
        let bounded = Int64(Swift.min(exact, Int128(Quantity.magnitudeMax.units)))
        return Swift.max(bounded / step, 1) * step
    }
}
