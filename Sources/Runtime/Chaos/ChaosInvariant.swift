/// What holds in every session, whatever goes wrong, by the simulated gateway's own word and the journal's file.
package enum ChaosInvariant: String, CaseIterable, Sendable {
    /// Positions are those of the executions that the broker has of the session's orders.
    case positions
    /// Cash is what was there at the beginning and what those executions cost.
    case cash
    /// Each order has filled here what it has at the broker, and no more than it was for.
    case fills
    /// No two orders at the broker are for one decision.
    case nothingDoubled = "doubled"
    /// All entries of one intent together are for no more than the largest of them.
    case intents
    /// Numbers of orders rise, and none is used for two orders.
    case numbers
    /// Every order carries a reference of the session's.
    case references
    /// What leaves is in the journal before, with the same terms.
    case written
    /// No order leaves while the session knows that the link does not let it.
    case link
    /// No order of others is changed or cancelled.
    case others
    /// Orders that work at the broker are known to work.
    case knownOrders = "orders"
    /// An order that is known to be cancelled is left alone.
    case finished
    /// No position is without its stop for long.
    case protection
    /// Orders that close a position are not for more than it for long.
    case exits
    /// What closes a position does not open another.
    case reducing
    /// No entry leaves while the user has halted or killed trading, also behind a restart.
    case halts
    /// No more orders of a strategy leave within a minute than it may send.
    case rate
    /// The broker's limits on messages hold.
    case pacing
    /// Each symbol has one stream of bars.
    case streams
    /// Connections are not tried more often than twelve times a minute.
    case connections
    /// Every connection is under the configured client id.
    case client
    /// Every row of the journal is as it was written, and a second engine answers as the first did.
    case journal
    /// The program ends by itself only with a reason that allows that.
    case program
    /// While nothing has gone wrong yet, there is no alarm that has to be looked at at once.
    case calm
    /// When nothing goes wrong any more, the session trades within two minutes, or says why it does not.
    case recovery
}
