public import Primitives

/// Where what the broker has contradicts what we know, for people and for the engine to act on.
///
/// Orders are named by our numbers; negative ones are orders at the broker that are not ours.
public enum Finding: Hashable, Sendable, BitwiseCopyable {
    /// An order of ours whose outcome was unknown is at the broker.
    case adopted(OrderID)
    /// An order of ours that should be open is in no list.
    case missing(OrderID)
    /// An order that is not ours is open.
    case foreignOrder(OrderID, PermanentID?, quantity: Quantity?)
    /// Another order of the broker's carries the reference, or the number, of an order of ours.
    case secondOrder(of: OrderID, known: PermanentID, other: PermanentID)
    /// The reference of an order of ours came with another client or under another number.
    case otherNumber(OrderID, known: BrokerOrderID?, told: BrokerOrderID?)
    /// The broker's number is of one order of ours, the reference of another.
    case otherReference(OrderID, told: OrderReference)
    /// A reference is spelled like ours, and we know no such order.
    case unknownReference(OrderReference)
    /// An execution that we did not know, or not in this version. The quantity is negative for a sale.
    case unknownFill(OrderID, base: Int64, quantity: Quantity)
    /// An execution is said to be of another order than the one it is booked for.
    case fillOfOtherOrder(base: Int64, known: OrderID, told: OrderID)
    /// The broker has another position than our books.
    case positionDiffers(InstrumentID, ours: Quantity, brokers: Quantity)
    /// The broker has a position in what the run does not have.
    case foreignPosition(symbol: NameID, quantity: Quantity)
    /// An order of ours works for another quantity than we asked for.
    case quantityChanged(OrderID, ours: Quantity, brokers: Quantity)
    /// An order of ours works at another price, or as another type, than we asked for.
    case termsChanged(OrderID)
    /// An order of ours is listed in another instrument or on the other side.
    case notAsOrdered(OrderID)
    /// An order of ours was cancelled, and not by us.
    case cancelledOutside(OrderID)
    /// The broker says that an order is filled, and executions of this quantity are not known.
    case executionsMissing(OrderID, quantity: Quantity)
    /// The next number that the gateway takes is not above those that were used.
    case nextIDBelowMark(next: BrokerOrderID, mark: BrokerOrderID)
    /// An order that was not sent, or was taken to be at the broker no more, is open.
    case resubmitted(OrderID)
    /// An order that had ended is open.
    case liveAgain(OrderID)
    /// Everything was asked as often as it may be, and what became of an order is still not known.
    case unresolved(OrderID)
}
