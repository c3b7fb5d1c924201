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
    case otherNumber(OrderID, known: BrokerOrderID?, reported: BrokerOrderID?)
    /// The broker's number is of one order of ours, the reference of another.
    case otherReference(OrderID, reported: OrderReference)
    /// A reference is spelled like ours, and we know no such order.
    case unknownReference(OrderReference)
    /// An execution that we did not know, or not in this version. The quantity is negative for a sale.
    case unknownFill(OrderID, base: Int64, quantity: Quantity)
    /// An execution is reported for another order than the one it is booked for.
    case fillOfOtherOrder(base: Int64, known: OrderID, reported: OrderID)
    /// The broker has another position than our ledger.
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
    /// The broker reports an order as filled, and executions of this quantity are not known.
    case executionsMissing(OrderID, quantity: Quantity)
    /// The next number that the gateway takes is not above those that were used.
    case nextIDBelowMark(next: BrokerOrderID, mark: BrokerOrderID)
    /// The gateway has refused an order because its number was used before.
    case numberInUse(OrderID)
    /// An order that was not sent, or was taken to be at the broker no more, is open.
    case resubmitted(OrderID)
    /// An order that had ended is open.
    case liveAgain(OrderID)
    /// Everything was asked as often as it may be, and what became of an order is still not known.
    case unresolved(OrderID)
}

extension Finding {
    /// What was found, without ids and figures.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// See `Finding`.
        case adopted, missing, foreignOrder, secondOrder, otherNumber, otherReference,
            unknownReference, unknownFill, fillOfOtherOrder, positionDiffers, foreignPosition,
            quantityChanged, termsChanged, notAsOrdered, cancelledOutside, executionsMissing,
            nextNumberBelowMark, resubmitted, liveAgain, unresolved, numberInUse

        /// How urgent it is for the user.
        public var severity: Severity {
            switch self {
            case .adopted: .information
            case .foreignOrder, .foreignPosition, .unknownFill, .quantityChanged, .termsChanged,
                .cancelledOutside, .resubmitted, .liveAgain, .nextNumberBelowMark:
                .warning
            case .missing, .secondOrder, .otherNumber, .otherReference, .unknownReference,
                .fillOfOtherOrder, .positionDiffers, .notAsOrdered, .executionsMissing, .unresolved,
                .numberInUse:
                .critical
            }
        }
    }

    /// What was found, without ids and figures.
    public var kind: Kind {
        switch self {
        case .adopted: .adopted
        case .missing: .missing
        case .foreignOrder: .foreignOrder
        case .secondOrder: .secondOrder
        case .otherNumber: .otherNumber
        case .otherReference: .otherReference
        case .unknownReference: .unknownReference
        case .unknownFill: .unknownFill
        case .fillOfOtherOrder: .fillOfOtherOrder
        case .positionDiffers: .positionDiffers
        case .foreignPosition: .foreignPosition
        case .quantityChanged: .quantityChanged
        case .termsChanged: .termsChanged
        case .notAsOrdered: .notAsOrdered
        case .cancelledOutside: .cancelledOutside
        case .executionsMissing: .executionsMissing
        case .nextIDBelowMark: .nextNumberBelowMark
        case .resubmitted: .resubmitted
        case .liveAgain: .liveAgain
        case .unresolved: .unresolved
        case .numberInUse: .numberInUse
        }
    }

    /// The order that it is about, if it is about one.
    public var order: OrderID? {
        switch self {
        case .adopted(let order), .missing(let order), .foreignOrder(let order, _, _),
            .secondOrder(let order, _, _), .otherNumber(let order, _, _),
            .otherReference(let order, _), .unknownFill(let order, _, _),
            .fillOfOtherOrder(_, let order, _), .quantityChanged(let order, _, _),
            .termsChanged(let order), .notAsOrdered(let order), .cancelledOutside(let order),
            .executionsMissing(let order, _), .resubmitted(let order), .liveAgain(let order),
            .unresolved(let order), .numberInUse(let order):
            order
        case .unknownReference(let reference): reference.order
        case .positionDiffers, .foreignPosition, .nextIDBelowMark: nil
        }
    }

    /// The instrument that it names, if it names one.
    public var instrument: InstrumentID? {
        if case .positionDiffers(let instrument, _, _) = self { instrument } else { nil }
    }

    /// The numbers that explain it.
    public var figures: Figures {
        switch self {
        case .positionDiffers(_, let ours, let brokers), .quantityChanged(_, let ours, let brokers):
            Figures(.shares(.held, ours), .shares(.value, brokers))
        case .foreignPosition(_, let quantity), .unknownFill(_, _, let quantity),
            .executionsMissing(_, let quantity):
            Figures(.shares(.value, quantity))
        case .foreignOrder(_, _, let quantity):
            quantity.map { Figures(.shares(.value, $0)) } ?? Figures()
        case .nextIDBelowMark(let next, let mark):
            Figures(.count(.value, Int(next.number)), .count(.limit, Int(mark.number)))
        case .adopted, .missing, .secondOrder, .otherNumber, .otherReference, .unknownReference,
            .fillOfOtherOrder, .termsChanged, .notAsOrdered, .cancelledOutside, .resubmitted,
            .liveAgain, .unresolved, .numberInUse:
            Figures()
        }
    }
}
