package import Primitives

extension OrderType {
    /// The type with each of its prices replaced.
    package func mapPrices(_ replacement: (Price) -> Price) -> OrderType {
        switch self {
        case .market: self
        case .limit(let price): .limit(replacement(price))
        case .stop(let price): .stop(replacement(price))
        }
    }
}
