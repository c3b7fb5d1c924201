import Model
import Primitives

extension PriceUnitRange {
    /// The same in shares of which there are `numerator` for `denominator` old ones, on the grid.
    fileprivate func split(_ numerator: Int64, for denominator: Int64, grid: Int64) -> Self {
        func price(_ units: Int64) -> Int64 { units.scaled(denominator, numerator, to: grid) }
        return PriceUnitRange(
            open: price(open), high: price(high), low: price(low), close: price(close))
    }
}

extension Slice {
    /// Makes prices those of `numerator` new shares for `denominator` old ones, on the grid.
    mutating func split(_ numerator: Int64, for denominator: Int64, grid: Int64) {
        prices = prices.split(numerator, for: denominator, grid: grid)
        if volume > 0 {
            volume = volume.scaled(numerator, denominator, to: Quantity(shares: 1).units)
        }
        if hasQuotes { width = width.scaled(denominator, numerator, to: grid) }
    }
}

extension SliceParts {
    /// Makes prices and volumes those of `numerator` new shares for `denominator` old ones, prices on the grid.
    mutating func split(_ numerator: Int64, for denominator: Int64, grid: Int64) {
        trades = trades?.split(numerator, for: denominator, grid: grid)
        bids = bids?.split(numerator, for: denominator, grid: grid)
        asks = asks?.split(numerator, for: denominator, grid: grid)
        middles = middles?.split(numerator, for: denominator, grid: grid)
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
