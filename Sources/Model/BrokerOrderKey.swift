import Primitives

/// Everything by which a broker's message names an order. What the message does not say is absent.
public struct BrokerOrderKey: Hashable, Sendable, BitwiseCopyable {
    // What is absent takes no room of its own: optionals would make the key half as large again.
    private let permanentNumber: Int64
    private let referenceOrder: Int64
    private let referenceJournal: Int32
    private let accountIndex: Int32
    private let clientNumber: Int32
    private let orderNumber: Int32

    /// A key of what is known. The number of a client counts only together with the order's.
    public init(
        account: BrokerAccountID? = nil, client: BrokerClientID? = nil,
        order: BrokerOrderID? = nil, permanent: PermanentID? = nil,
        reference: OrderReference? = nil
    ) {
        accountIndex = account?.index ?? -1
        clientNumber = client?.number ?? .min
        orderNumber = order?.number ?? 0
        permanentNumber = permanent?.number ?? 0
        referenceJournal = reference?.journal ?? 0
        referenceOrder = reference?.order.number ?? 0
    }

    /// The account.
    public var account: BrokerAccountID? {
        accountIndex < 0 ? nil : BrokerAccountID(index: Int(accountIndex))
    }

    /// The client that placed the order.
    public var client: BrokerClientID? {
        clientNumber == .min ? nil : BrokerClientID(number: clientNumber)
    }

    /// The client's number of the order; completed orders have none, nor have those placed by hand.
    public var order: BrokerOrderID? {
        orderNumber == 0 ? nil : BrokerOrderID(number: orderNumber)
    }

    /// The broker's number of the order; absent until the broker has it.
    public var permanent: PermanentID? {
        permanentNumber == 0 ? nil : PermanentID(number: permanentNumber)
    }

    /// Our name for the order, if it carries one that is spelled like ours.
    public var reference: OrderReference? {
        OrderReference(journal: referenceJournal, order: OrderID(number: referenceOrder))
    }

    /// The same key with the broker's number of the order.
    public func with(permanent: PermanentID) -> BrokerOrderKey {
        BrokerOrderKey(
            account: account, client: client, order: order, permanent: permanent,
            reference: reference)
    }

    /// Whether it comes before another; total, so that what is done key by key does not hang on how the
    /// keys came.
    package func precedes(_ other: BrokerOrderKey) -> Bool {
        let left = (permanentNumber, referenceJournal, referenceOrder)
        let right = (other.permanentNumber, other.referenceJournal, other.referenceOrder)
        if left != right { return left < right }
        return (accountIndex, clientNumber, orderNumber)
            < (other.accountIndex, other.clientNumber, other.orderNumber)
    }
}

/// Where an order stands in the broker's words.
///
/// A cross-check: what was filled comes from executions only.
public enum BrokerStatus: UInt8, CaseIterable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The gateway has it; the broker has not accepted it yet.
    case pendingSubmit
    /// The broker has it and holds it: a trigger, a parent or the session is waited for.
    case preSubmitted
    /// It works at its destination, partly filled or not.
    case submitted
    /// Its end was asked for and is not confirmed: it may still fill.
    case pendingCancel
    /// It was cancelled before the broker had accepted it.
    case apiCancelled
    /// What was left of it is cancelled, or it was rejected.
    case cancelled
    /// All of it is executed.
    case filled
    /// It does not work: rejected if a message says so, else held for a check or a confirmation. It can
    /// become active again.
    case inactive

    /// Orders as an order's life mostly goes.
    public static func < (left: BrokerStatus, right: BrokerStatus) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A broker's message about an order: its code, what it means for the order and, for people, its text.
public struct BrokerMessage: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The broker's code.
    public let code: Int32
    /// The text's number.
    public let text: NameID
    /// Why the broker has rejected the order, as far as code and text show it. Of use for rejections only.
    public let cause: RejectCause

    /// A message as received.
    public init(code: Int32, text: NameID = .none, cause: RejectCause = .byBroker) {
        self.code = code
        self.text = text
        self.cause = cause
    }

    /// Orders by code and text.
    public static func < (left: BrokerMessage, right: BrokerMessage) -> Bool {
        (left.code, left.text) < (right.code, right.text)
    }
}

/// A fact about an order that is named in the broker's way.
public struct BrokerReport: Hashable, Sendable, BitwiseCopyable {
    /// Which order.
    public let key: BrokerOrderKey
    /// What happened to it.
    public let fact: OrderFact

    /// A fact about an order.
    public init(key: BrokerOrderKey, fact: OrderFact) {
        self.key = key
        self.fact = fact
    }
}
