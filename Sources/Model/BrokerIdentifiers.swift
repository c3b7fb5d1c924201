/// An account's place in the run's list of accounts.
public struct BrokerAccountID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The place in the list, from 0.
    public let index: Int32

    /// The account at `index`.
    public init(index: Int) { self.index = Int32(index) }

    /// Orders by place in the list.
    public static func < (left: BrokerAccountID, right: BrokerAccountID) -> Bool {
        left.index < right.index
    }
}

/// A client of the gateway by its number. Orders belong to the client that placed them.
public struct BrokerClientID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number; 0 is the client that orders placed by hand belong to.
    public let number: Int32

    /// The client of that number.
    public init(number: Int32) { self.number = number }

    /// Orders by number.
    public static func < (left: BrokerClientID, right: BrokerClientID) -> Bool {
        left.number < right.number
    }
}

/// The number under which a client places an order with the gateway. Unique for a client only.
public struct BrokerOrderID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number. Negative for an order placed by hand that was bound to a client; never 0.
    public let number: Int32

    /// The largest number that an order can be placed under: the one above means "none" on the wire.
    public static let max = BrokerOrderID(number: Int32.max - 1)

    /// The order of that number.
    public init(number: Int32) { self.number = number }

    /// Orders by number.
    public static func < (left: BrokerOrderID, right: BrokerOrderID) -> Bool {
        left.number < right.number
    }
}

/// The broker's own number of an order: unique in an account and the same for as long as the order is known
/// (permId).
public struct PermanentID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number; positive.
    public let number: Int64

    /// The order of that number.
    public init(number: Int64) { self.number = number }

    /// Orders by number.
    public static func < (left: PermanentID, right: PermanentID) -> Bool {
        left.number < right.number
    }
}

/// The number of a text in the day's name table. Texts never enter the engine.
public struct NameID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number, from 1; 0 is the empty text.
    public let index: Int32

    /// The empty text.
    public static let none = NameID(index: 0)

    /// The text of that number.
    public init(index: Int) { self.index = Int32(index) }

    /// Orders by number.
    public static func < (left: NameID, right: NameID) -> Bool { left.index < right.index }
}

/// Which texts of the name table the state of a session refers to.
package struct NamesInUse: Sendable {
    /// The oldest text that names an execution which may be listed again; `nil` where there is none.
    package var oldestExecution: NameID?
    /// Others, however old they are.
    package var others: Set<NameID> = []

    /// None.
    package init() {}
}

/// One connection to the gateway. What was learned in one says nothing in the next.
public struct ConnectionEpoch: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number, from 1; rises with every connection.
    public let number: Int32

    /// The connection of that number.
    public init(number: Int32) { self.number = number }

    /// Orders by age.
    public static func < (left: ConnectionEpoch, right: ConnectionEpoch) -> Bool {
        left.number < right.number
    }
}
