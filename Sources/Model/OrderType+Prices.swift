package import Primitives

extension OrderType {
    /// The type with each of its prices replaced, a trailing amount too.
    package func mapPrices(_ replacement: (Price) -> Price) -> OrderType {
        switch self {
        case .market: .market
        case .limit(let price): .limit(replacement(price))
        case .stop(let price): .stop(replacement(price))
        case .stopLimit(let stop, let limit):
            .stopLimit(stop: replacement(stop), limit: replacement(limit))
        case .trailingStop(.amount(let amount)): .trailingStop(.amount(replacement(amount)))
        case .trailingStop(.percent(let percent)): .trailingStop(.percent(percent))
        case .marketOnOpen: .marketOnOpen
        case .limitOnOpen(let price): .limitOnOpen(replacement(price))
        case .marketOnClose: .marketOnClose
        case .limitOnClose(let price): .limitOnClose(replacement(price))
        }
    }
}
