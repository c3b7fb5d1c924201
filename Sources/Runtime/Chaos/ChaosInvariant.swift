/// What holds in every session, whatever goes wrong, by the simulated gateway's own word and the journal's file.
package enum ChaosInvariant: String, CaseIterable, Sendable {
    /// Positions are those of the executions that the broker has of the session's orders.
    case positions
    /// Cash is what was there at the beginning and what those executions cost.
    case cash
    /// No two orders at the broker are for one decision.
    case nothingDoubled = "doubled"
    /// Numbers of orders rise, and none is used for two orders.
    case numbers
    /// Every order carries a reference of the session's.
    case references
    /// No order of others is changed or cancelled.
    case others
    /// Orders that work at the broker are known to work.
    case knownOrders = "orders"
    /// No position is without its stop for long.
    case protection
    /// The broker's limits on messages hold.
    case pacing
    /// Connections are not tried more often than twelve times a minute.
    case connections
    /// Every row of the journal is as it was written, and a second engine answers as the first did.
    case journal
    /// The program ends by itself only with a reason that allows that.
    case program
    /// When nothing goes wrong any more, the session trades within two minutes, or says why it does not.
    case recovery
}
