package import Model
package import Primitives

/// How much worse than the price it is matched at an order fills.
///
/// An order that takes a quote pays the spread there and slips nothing.
package enum SlippageModel: Hashable, Sendable {
    /// Not at all.
    case none
    /// By an amount a share; not below zero.
    case fixed(Price)
    /// By a part of the price; not below zero.
    case basisPoints(Percent)
    /// By half of what lies between bid and ask of the newest quote; by that part of the price
    /// where there was no quote with both, or they crossed. Not below zero.
    case halfSpread(otherwise: Percent)
    /// By price · coefficient · (quantity / bar volume)², where the share of volume counts at
    /// most as `shareMax`: zipline's `VolumeShareSlippage` (finance/slippage.py), whose defaults
    /// are 0.1 and 0.025. A bar without volume slips nothing, because it says nothing. From 0 to
    /// 100 %, both of them.
    case volumeShare(coefficient: Percent, shareMax: Percent)

    /// Units of `Percent` in the whole.
    fileprivate static let wholeUnits: Int128 = 100_000_000

    /// Whether it goes by the spread.
    var asksForSpread: Bool {
        switch self {
        case .halfSpread: true
        case .none, .fixed, .basisPoints, .volumeShare: false
        }
    }

    /// `price` moved against the order, up for a buy, down for a sale, and on to the next tick that
    /// way.
    ///
    /// A model that adds nothing leaves the price as it is, on a tick or not. No sale falls from a
    /// positive price below one tick.
    ///
    /// - Parameters:
    ///   - price: what the order is matched at.
    ///   - quantity: how much fills; positive.
    ///   - barVolume: how much traded in the bar; zero where that is unknown.
    ///   - ticks: the steps of its prices.
    package func worsened(
        _ price: Price, side: Side, quantity: Quantity, barVolume: Quantity, ticks: TickSize
    ) -> Price {
        let market = MarketFill(
            side: side, quantity: quantity, barVolume: barVolume, spread: nil, ticks: ticks)
        return market.moved(price, by: amount(at: price, for: market))
    }

    /// The distance, rounded up to a price unit and held to what an edge accepts as a price.
    func amount(at price: Price, for market: MarketFill) -> Price {
        switch self {
        case .none: return .zero
        case .fixed(let amount): return min(amount, .magnitudeMax)
        case .basisPoints(let percent): return Self.distance(Self.product(price, percent))
        case .halfSpread(let otherwise):
            guard let spread = market.spread else {
                return Self.distance(Self.product(price, otherwise))
            }
            return Price(units: spread.units / 2 + spread.units % 2)
        case .volumeShare(let coefficient, let shareMax):
            let (quantity, barVolume) = (market.quantity, market.barVolume)
            guard barVolume > .zero, quantity > .zero else { return .zero }
            let isWithinMax =
                Int128(quantity.units) * Self.wholeUnits
                <= Int128(barVolume.units) * Int128(shareMax.units)
            let part = isWithinMax ? quantity.units : shareMax.units
            let whole = isWithinMax ? barVolume.units : Int64(Self.wholeUnits)
            let once = Self.scaled(Self.product(price, coefficient), part: part, whole: whole)
            return Self.distance(Self.scaled(once, part: part, whole: whole))
        }
    }

    /// The size of a part of a price; 10^-8 times 10^-8.
    fileprivate static func product(_ price: Price, _ percent: Percent) -> Int128 {
        Int128(price.units.magnitude) * Int128(percent.units)
    }

    /// `amount` · `part` / `whole`, rounded up. Divides first, so that no product leaves `Int128`.
    fileprivate static func scaled(_ amount: Int128, part: Int64, whole: Int64) -> Int128 {
        let (quotient, remainder) = amount.quotientAndRemainder(dividingBy: Int128(whole))
        return quotient * Int128(part) + (remainder * Int128(part) + Int128(whole) - 1)
            / Int128(whole)
    }

    fileprivate static func distance(_ product: Int128) -> Price {
        let units = (product + Self.wholeUnits - 1) / Self.wholeUnits
        return Price(units: Int64(min(units, Int128(Price.magnitudeMax.units))))
    }
}

/// How much an order at the market moves the price by its own size.
package enum ImpactModel: Hashable, Sendable {
    /// By price · coefficient · √(quantity / bar volume): the square-root law, whose coefficient is
    /// mostly taken as the volatility over the time that the volume stands for. From 0 to 100 %.
    /// A bar without volume moves nothing, because it says nothing.
    case squareRoot(coefficient: Percent)

    /// The distance, rounded up to a price unit and held to what an edge accepts as a price.
    func amount(at price: Price, for market: MarketFill) -> Price {
        switch self {
        case .squareRoot(let coefficient):
            guard market.barVolume > .zero, market.quantity > .zero else { return .zero }
            let share =
                Int128(market.quantity.units) * SlippageModel.wholeUnits * SlippageModel.wholeUnits
                / Int128(market.barVolume.units)
            // The root of a share in steps of 10^-16 is in steps of 10^-8.
            return SlippageModel.distance(
                SlippageModel.scaled(
                    SlippageModel.product(price, coefficient), part: Self.root(of: share),
                    whole: Int64(SlippageModel.wholeUnits)))
        }
    }

    /// The square root, rounded down: Newton's steps from above, at most some seventy of them.
    ///
    /// - Parameter square: not negative and below 10^36.
    static func root(of square: Int128) -> Int64 {
        guard square > 1 else { return Int64(square) }
        let bits = Int128.bitWidth - square.leadingZeroBitCount
        var root = Int128(1) << ((bits + 1) / 2)
        while true {
            let next = (root + square / root) / 2
            guard next < root else { return Int64(root) }
            root = next
        }
    }
}

/// What the price of an order at the market depends on.
struct MarketFill {
    /// Which way.
    let side: Side
    /// How much fills; positive.
    let quantity: Quantity
    /// How much traded in the bar; zero where that is unknown.
    let barVolume: Quantity
    /// What lay between bid and ask, where it is known; positive.
    let spread: Price?
    /// The steps of its prices.
    let ticks: TickSize

    /// `price` moved by `amount` against the order, and on to the next tick that way.
    ///
    /// Nothing leaves it as it is, on a tick or not. No sale falls from a positive price below one
    /// tick.
    func moved(_ price: Price, by amount: Price) -> Price {
        guard amount > .zero else { return price }
        switch side {
        case .buy: return ticks.roundedUp(price + amount)
        case .sell:
            let lowered = ticks.roundedDown(price - amount)
            // A spread's price may be negative; a share's stays above zero and never rises.
            return price > .zero ? min(max(lowered, ticks.smallest), price) : lowered
        }
    }
}
