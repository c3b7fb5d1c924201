package import Primitives

/// How large an entry is when the strategy does not say.
package enum Sizing: Hashable, Sendable {
    /// Always this many.
    case fixedShares(Quantity)
    /// As many whole shares as this part of equity buys.
    case percentOfEquity(Percent)

    /// The size at a price, in whole shares; `nil` when it cannot be computed, zero when not even one
    /// share is within it.
    ///
    /// - Parameters:
    ///   - equity: the account's.
    ///   - price: of one unit; what is not positive cannot be sized.
    ///   - multiplier: the contract's.
    package func quantity(equity: ExactMoney, price: Price, multiplier: Int64) -> Quantity? {
        switch self {
        case .fixedShares(let quantity): quantity
        case .percentOfEquity(let percent):
            percent.of(equity).flatMap {
                Self.wholeShares(worth: $0, price: price, multiplier: multiplier)
            }
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
