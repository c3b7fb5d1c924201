public import Primitives

/// Something the engine wants done. Imperative; whoever runs the engine carries it out.
public enum Command: Hashable, Sendable, BitwiseCopyable {
    /// Send an order. Constructed by `Orders` alone, from what `Risk` approved.
    case submit(OrderTicket)
    /// Let an order that works go on under other terms, with what it has filled. Constructed by `Orders`
    /// alone. The revision counts the order's changes from 1 and comes back in the answer.
    case modify(OrderTicket, revision: Int32)
    /// Cancel an order.
    case cancel(OrderID)
    /// Cancel an order of which it is not known whether the broker has it: the answer shows it.
    case probe(OrderID)
    /// Ask the broker for a list.
    case query(ListingKind)
    /// Wake a strategy, or the engine itself, at a timestamp. Replaces what was set under the same id.
    case setTimer(TimerID, at: Timestamp)
}
