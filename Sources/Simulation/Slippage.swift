package import Model
package import Primitives

/// How much worse than the price it is matched at an order fills.
///
/// Half of the spread belongs to quotes and is not here.
package enum SlippageModel: Hashable, Sendable {
    /// Not at all.
    case none
    /// By an amount a share; not below zero.
    case fixed(Price)
    /// By a part of the price; not below zero.
    case basisPoints(Percent)
    /// By price · coefficient · (quantity / bar volume)², where the share of volume counts at
    /// most as `shareMax`: zipline's `VolumeShareSlippage` (finance/slippage.py), whose defaults
    /// are 0.1 and 0.025. A bar without volume slips nothing, because it says nothing. From 0 to
    /// 100 %, both of them.
    case volumeShare(coefficient: Percent, shareMax: Percent)

    /// Units of `Percent` in the whole.
    private static let wholeUnits: Int128 = 100_000_000

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
    ///   - tick: smallest step; positive.
    package func worsened(
        _ price: Price, side: Side, quantity: Quantity, barVolume: Quantity, tick: Price
    ) -> Price {
        let amount = amount(at: price, quantity: quantity, barVolume: barVolume)
        guard amount > .zero else { return price }
        switch side {
        case .buy: return (price + amount).roundedUp(to: tick)
        case .sell:
            let lowered = (price - amount).roundedDown(to: tick)
            // A spread's price may be negative; a share's stays above zero and never rises.
            return price > .zero ? min(max(lowered, tick), price) : lowered
        }
    }

    /// The distance, rounded up to a price unit and held to what an edge accepts as a price.
    private func amount(at price: Price, quantity: Quantity, barVolume: Quantity) -> Price {
        switch self {
        case .none: return .zero
        case .fixed(let amount): return min(amount, .magnitudeMax)
        case .basisPoints(let percent): return Self.distance(Self.product(price, percent))
        case .volumeShare(let coefficient, let shareMax):
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
    private static func product(_ price: Price, _ percent: Percent) -> Int128 {
        Int128(price.units.magnitude) * Int128(percent.units)
    }

    /// `amount` · `part` / `whole`, rounded up. Divides first, so that no product leaves `Int128`.
    private static func scaled(_ amount: Int128, part: Int64, whole: Int64) -> Int128 {
        let (quotient, rest) = amount.quotientAndRemainder(dividingBy: Int128(whole))
        return quotient * Int128(part) + (rest * Int128(part) + Int128(whole) - 1) / Int128(whole)
    }

    private static func distance(_ product: Int128) -> Price {
        let units = (product + Self.wholeUnits - 1) / Self.wholeUnits
        return Price(units: Int64(min(units, Int128(Price.magnitudeMax.units))))
    }
}
