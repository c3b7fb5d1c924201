/// An account's profit and loss, in its base currency; `nil` where the gateway has no figure.
public struct Pnl: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Since the last session's close.
    public var dailyPnL: DecimalValue?
    /// Of what is held.
    public var unrealizedPnL: DecimalValue?
    /// Of what was closed today.
    public var realizedPnL: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.double("dailyPnL", &dailyPnL, .sentinel)
        coder.double("unrealizedPnL", &unrealizedPnL, .sentinel)
        coder.double("realizedPnL", &realizedPnL, .sentinel)
    }
}

/// A position's profit and loss; `nil` where the gateway has no figure.
public struct PnlSingle: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// How much is held.
    public var position: DecimalValue?
    /// Since the last session's close.
    public var dailyPnL: DecimalValue?
    /// Of what is held.
    public var unrealizedPnL: DecimalValue?
    /// Of what was closed today.
    public var realizedPnL: DecimalValue?
    /// What the position is worth.
    public var value: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.decimal("position", &position, .empty)
        coder.double("dailyPnL", &dailyPnL, .sentinel)
        coder.double("unrealizedPnL", &unrealizedPnL, .sentinel)
        coder.double("realizedPnL", &realizedPnL, .sentinel)
        coder.double("value", &value, .sentinel)
    }
}
