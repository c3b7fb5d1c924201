public import Primitives

/// What a strategy wants, in terms of positions, not of orders.
///
/// The engine sizes it, passes it through risk and works out the orders.
public struct Intent: Hashable, Sendable, BitwiseCopyable {
    /// Whose wish.
    public let strategy: StrategyID
    /// About which instrument.
    public let instrument: InstrumentID
    /// What is wanted.
    public let goal: Goal
    /// How its order finds a price.
    public let orderType: OrderType
    /// How long its order works.
    public let timeInForce: TimeInForce
    /// Why.
    public let reason: TextID
    /// What shall protect the position; `nil` for what is configured, or what protects it already.
    public let protection: Protection?

    /// What can be wanted of a position.
    public enum Goal: Hashable, Sendable, BitwiseCopyable {
        /// Open a position on that side with the size the configured sizing gives; nothing when there
        /// is a position or a working entry already.
        case enter(Side)
        /// Close the position, whatever its side.
        case exit
        /// Hold this many shares; negative is short.
        case hold(Quantity)
        /// Hold this part of equity; 0.1 is ten percent, negative is short.
        case weight(Double)
        /// Cancel the strategy's working orders in the instrument, its protection excepted.
        case cancelOrders
        /// Put `protection` in the place of that of the position held.
        case protect
    }

    /// A wish.
    public init(
        strategy: StrategyID, instrument: InstrumentID, goal: Goal, orderType: OrderType = .market,
        timeInForce: TimeInForce = .day, reason: TextID = .none, protection: Protection? = nil
    ) {
        self.strategy = strategy
        self.instrument = instrument
        self.goal = goal
        self.orderType = orderType
        self.timeInForce = timeInForce
        self.reason = reason
        self.protection = protection
    }

    /// The same wish with each of its prices replaced.
    package func mapPrices(_ replacement: (Price) -> Price) -> Intent {
        Intent(
            strategy: strategy, instrument: instrument, goal: goal,
            orderType: orderType.mapPrices(replacement), timeInForce: timeInForce, reason: reason,
            protection: protection?.mapPrices(replacement))
    }
}
