package import Model
package import Primitives

/// How large an entry is when the strategy does not say.
package enum Sizing: Hashable, Sendable {
    /// Always this many.
    case fixedShares(Quantity)
    /// As many whole shares as this amount buys.
    case fixedMoney(Money)
    /// As many whole shares as this part of equity buys.
    case percentOfEquity(Percent)
    /// As many whole shares as lose this part of settled cash when the price goes against them by the
    /// distance of their own stop, or by this distance where they have none: part × settled cash / distance.
    case riskPerTrade(Percent, RangeDistance)

    /// What a size depends on.
    package struct Facts: Hashable, Sendable {
        /// The account's.
        package var equity: ExactMoney
        /// What the account may spend without waiting for a settlement; all its cash where sales settle at
        /// once.
        package var settledCash: ExactMoney
        /// Of one unit; what is not positive cannot be sized.
        package var price: Price
        /// The contract's.
        package var multiplier: Int64
        /// The newest average true range, once there is one.
        package var averageTrueRange: Price?
        /// How far the stop of the position is from its price; `nil` where it has none.
        package var stopDistance: Price?

        /// What is known when an entry is sized.
        package init(equity: ExactMoney, settledCash: ExactMoney, price: Price, multiplier: Int64) {
            self.equity = equity
            self.settledCash = settledCash
            self.price = price
            self.multiplier = multiplier
        }
    }

    /// The length of the average true range it needs, if any.
    package var averageTrueRangeLength: Int? {
        switch self {
        case .fixedShares, .fixedMoney, .percentOfEquity: nil
        case .riskPerTrade(_, let distance): distance.length
        }
    }

    /// The name of the method.
    package var method: SizingMethod {
        switch self {
        case .fixedShares: .fixedShares
        case .fixedMoney: .fixedMoney
        case .percentOfEquity: .percentOfEquity
        case .riskPerTrade: .riskPerTrade
        }
    }

    /// The figures that explain a size: what it was worked out from, and what it is if it could be.
    package func figures(of facts: Facts, _ quantity: Quantity?) -> Figures {
        let result = quantity.map { Figure.shares(.result, $0) } ?? .none
        let price = Figure.price(.price, facts.price)
        switch self {
        case .fixedShares(let shares): return Figures(.shares(.size, shares), price, result)
        case .fixedMoney(let amount): return Figures(.money(.size, amount), price, result)
        case .percentOfEquity(let percent):
            return Figures(
                .percent(.size, percent), .money(.equity, facts.equity), price, result)
        case .riskPerTrade(let percent, let range):
            let distance =
                facts.stopDistance ?? facts.averageTrueRange.flatMap(range.price(at:))
            return Figures(
                .percent(.size, percent), .money(.cash, facts.settledCash),
                distance.map { .price(.distance, $0) } ?? .none, result)
        }
    }

    /// The size, in whole shares; `nil` when it cannot be computed, zero when not even one share is within
    /// it.
    package func quantity(given facts: Facts) -> Quantity? {
        switch self {
        case .fixedShares(let quantity): return quantity
        case .fixedMoney(let amount):
            return Self.wholeShares(
                worth: ExactMoney(amount), price: facts.price, multiplier: facts.multiplier)
        case .percentOfEquity(let percent):
            return percent.of(facts.equity).flatMap {
                Self.wholeShares(worth: $0, price: facts.price, multiplier: facts.multiplier)
            }
        case .riskPerTrade(let percent, let distance):
            guard
                let price = facts.stopDistance
                    ?? facts.averageTrueRange.flatMap(distance.price(at:)),
                facts.price > .zero, let risk = percent.of(max(facts.settledCash, .zero))
            else { return nil }
            return Self.wholeShares(worth: risk, price: price, multiplier: facts.multiplier)
        }
    }

    /// The whole shares that `amount` buys, never more; negative amounts are negative quantities.
    package static func wholeShares(
        worth amount: ExactMoney, price: Price, multiplier: Int64
    ) -> Quantity? {
        guard price > .zero, multiplier > 0 else { return nil }
        let units = amount.units / (Int128(price.units) * Int128(multiplier))
        return Int64(exactly: units).map { Quantity(units: $0).wholeShares }
    }
}
