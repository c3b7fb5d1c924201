public import Primitives

/// Something the engine wants done. Imperative; whoever runs the engine carries it out.
public enum Command: Hashable, Sendable, BitwiseCopyable {
    /// Send an order. Constructed by `Orders` alone, from what `Risk` approved.
    case submit(OrderTicket)
    /// Cancel an order.
    case cancel(OrderID)
    /// Wake a strategy, or the engine itself, at an instant. Replaces what was set under the same id.
    case setTimer(TimerID, at: Timestamp)
}
