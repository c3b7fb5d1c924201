public import Primitives

/// A list that the broker gives on request, with an end. Accounts and the next id come with the link.
public enum ListingKind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// All orders that are open, of every client.
    case openOrders
    /// The day's orders that have ended.
    case completedOrders
    /// The day's executions.
    case executions
    /// All positions.
    case positions
    /// The account's values.
    case accountValues
}

/// One record of a list. A list may span many events, between which others come; it counts only when its end
/// was seen in the connection in which it began.
public enum ListingRecord: Hashable, Sendable, BitwiseCopyable {
    /// A list begins; what came of an earlier one of the kind counts no longer.
    case begin(ListingKind, ConnectionEpoch)
    /// An order that is open.
    case openOrder(ListedOrder)
    /// An order that has ended; its key has no client's number.
    case completedOrder(ListedOrder)
    /// An execution of the order that the key names.
    case execution(BrokerOrderKey, Execution)
    /// A position.
    case position(ListedPosition)
    /// A list is complete.
    case end(ListingKind, ConnectionEpoch)
    /// A list was refused or broke off: nothing follows from what it lacks.
    case failed(ListingKind, ConnectionEpoch)
}

/// An order as the broker lists it.
public struct ListedOrder: Hashable, Sendable, BitwiseCopyable {
    /// Which order.
    public let key: BrokerOrderKey
    /// How much was ordered; `nil` if it was not reported, as of completed orders.
    public let quantity: Quantity?
    /// Its type and prices; `nil` if it is none of ours.
    public let type: OrderType?
    /// What is bought or sold; `nil` if the run does not have it.
    public let instrument: InstrumentID?
    /// Which way.
    public let side: Side
    /// Where it stands.
    public let status: BrokerStatus

    /// An order as listed.
    public init(
        key: BrokerOrderKey, instrument: InstrumentID?, side: Side, quantity: Quantity?,
        type: OrderType?, status: BrokerStatus
    ) {
        self.key = key
        self.instrument = instrument
        self.side = side
        self.quantity = quantity
        self.type = type
        self.status = status
    }
}

/// A position as the broker lists it.
public struct ListedPosition: Hashable, Sendable, BitwiseCopyable {
    /// In which account.
    public let account: BrokerAccountID
    /// Of what; `nil` if the run does not have it.
    public let instrument: InstrumentID?
    /// The instrument's symbol, for people.
    public let symbol: NameID
    /// How much; negative is short.
    public let quantity: Quantity
    /// What a share cost by the broker's method, if it was reported.
    public let averageCost: Price?

    /// A position as listed.
    public init(
        account: BrokerAccountID, instrument: InstrumentID?, symbol: NameID = .none,
        quantity: Quantity, averageCost: Price? = nil
    ) {
        self.account = account
        self.instrument = instrument
        self.symbol = symbol
        self.quantity = quantity
        self.averageCost = averageCost
    }
}
