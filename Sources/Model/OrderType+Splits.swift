import Primitives

extension OrderType {
    /// The type with prices for split shares, on their steps: limits away from the market, stops that protect a
    /// position towards its entry, other stops away from being triggered.
    ///
    /// - Returns: `nil` where one of them is no price any more.
    package func adjusted(
        by ratio: SplitRatio, _ ticks: TickSize, for side: Side, _ purpose: OrderPurpose
    ) -> OrderType? {
        func adjusted(_ price: Price, on side: Side) -> Price? {
            guard let exact = ratio.adjusted(price) else { return nil }
            let price = side == .buy ? ticks.roundedDown(exact) : ticks.roundedUp(exact)
            return price > .zero && price <= .magnitudeMax ? price : nil
        }
        let stopSide = purpose == .protection ? side : side.opposite
        switch self {
        case .market, .marketOnOpen, .marketOnClose, .trailingStop(.percent): return self
        case .limit(let price): return adjusted(price, on: side).map(OrderType.limit)
        case .stop(let price): return adjusted(price, on: stopSide).map(OrderType.stop)
        case .stopLimit(let stop, let limit):
            guard let stop = adjusted(stop, on: stopSide), let limit = adjusted(limit, on: side)
            else { return nil }
            return .stopLimit(stop: stop, limit: limit)
        case .trailingStop(.amount(let amount)):
            guard let exact = ratio.adjusted(amount) else { return nil }
            return .trailingStop(.amount(max(ticks.roundedDown(exact), ticks.smallest)))
        case .limitOnOpen(let price): return adjusted(price, on: side).map(OrderType.limitOnOpen)
        case .limitOnClose(let price): return adjusted(price, on: side).map(OrderType.limitOnClose)
        }
    }
}
