public import Primitives

/// Which way an order or execution goes.
public enum Side: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Money out, shares in.
    case buy
    /// Shares out, money in.
    case sell

    /// The other side.
    public var opposite: Side {
        switch self {
        case .buy: .sell
        case .sell: .buy
        }
    }

    /// `quantity` with the sign it has in a position: positive bought, negative sold.
    public func signed(_ quantity: Quantity) -> Quantity {
        switch self {
        case .buy: quantity
        case .sell: -quantity
        }
    }
}

/// What somebody wants a venue to do. Not yet allowed: `Risk` turns it into `Approved` or refuses it.
///
/// In 64 bytes: every order of a run is kept, and copied a few times on its way.
public struct OrderRequest: Hashable, Sendable, BitwiseCopyable {
    /// Whose intent it is.
    public let strategy: StrategyID
    /// What is bought or sold.
    public let instrument: InstrumentID
    /// How much; positive. In a group: what all of the group shall have filled when this one is done.
    public let quantity: Quantity
    /// At what price.
    public let type: OrderType
    /// Which way.
    public let side: Side
    /// What for.
    public let purpose: OrderPurpose
    /// Whether it also works outside the session's regular hours.
    public let outsideRTH: Bool
    /// Why, in the strategy's words.
    public let reason: TextID
    /// For how long.
    public let timeInForce: TimeInForce

    // Ids count from 1: 0 is none, and takes less than an optional.
    @usableFromInline let groupNumber: Int32
    @usableFromInline let parentNumber: Int64

    /// A request; quantity, prices and their going together are checked by `Risk`, not here.
    @inlinable
    public init(
        strategy: StrategyID, instrument: InstrumentID, side: Side, quantity: Quantity,
        type: OrderType, timeInForce: TimeInForce, purpose: OrderPurpose, reason: TextID = .none,
        parent: OrderID? = nil, group: OrderGroupID? = nil, outsideRTH: Bool = false
    ) {
        self.strategy = strategy
        self.instrument = instrument
        self.side = side
        self.quantity = quantity
        self.type = type
        self.timeInForce = timeInForce
        self.purpose = purpose
        self.reason = reason
        parentNumber = parent?.number ?? 0
        groupNumber = group?.number ?? 0
        self.outsideRTH = outsideRTH
    }

    /// The group in which it and others take each other's place, if it is in one.
    public var group: OrderGroupID? {
        groupNumber == 0 ? nil : OrderGroupID(number: Int(groupNumber))
    }

    /// The order that must fill first, if there is one. This one may fill the part of its quantity that that one has
    /// filled of its own, and ends when nothing is left of it.
    public var parent: OrderID? { parentNumber == 0 ? nil : OrderID(number: parentNumber) }

    /// Whether it is in a group or has a parent.
    public var isLinked: Bool { groupNumber != 0 || parentNumber != 0 }

    /// Whether type, time in force and hours go together.
    public var isValid: Bool { type.goes(with: timeInForce, outsideRTH: outsideRTH) }

    /// The same request for another quantity.
    public func with(quantity: Quantity) -> OrderRequest {
        OrderRequest(
            strategy: strategy, instrument: instrument, side: side, quantity: quantity, type: type,
            timeInForce: timeInForce, purpose: purpose, reason: reason, parent: parent,
            group: group, outsideRTH: outsideRTH)
    }

    /// The same request at another price, for the reason given.
    package func with(type: OrderType, because reason: TextID) -> OrderRequest {
        OrderRequest(
            strategy: strategy, instrument: instrument, side: side, quantity: quantity, type: type,
            timeInForce: timeInForce, purpose: purpose, reason: reason, parent: parent,
            group: group, outsideRTH: outsideRTH)
    }

    /// Whether it differs from another request in what can change of an order that works at most: price,
    /// quantity and our reason.
    package func isChange(of other: OrderRequest) -> Bool {
        with(quantity: other.quantity).with(type: other.type, because: other.reason) == other
    }
}

/// A request with our number on it, as it goes to the venue.
public struct OrderTicket: Hashable, Sendable, BitwiseCopyable {
    /// Our number.
    public let id: OrderID
    /// What the venue shall do.
    public let request: OrderRequest

    /// Numbers a request.
    @inlinable
    public init(id: OrderID, request: OrderRequest) {
        self.id = id
        self.request = request
    }
}

/// One execution of an order as the venue reported it.
public struct Execution: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Which execution, and which version of it.
    public let id: ExecutionID
    /// What was traded.
    public let instrument: InstrumentID
    /// How much; positive, or zero when the venue took the execution back (a busted trade).
    public let quantity: Quantity
    /// At what price.
    public let price: Price
    /// When it happened at the venue.
    public let time: Timestamp
    /// Which way. Last: what holds an execution can use the bytes behind it.
    public let side: Side

    /// The quantity with its sign in a position.
    public var signedQuantity: Quantity { side.signed(quantity) }

    /// An execution as reported.
    @inlinable
    public init(
        id: ExecutionID, instrument: InstrumentID, side: Side, quantity: Quantity, price: Price,
        time: Timestamp
    ) {
        self.id = id
        self.instrument = instrument
        self.side = side
        self.quantity = quantity
        self.price = price
        self.time = time
    }
}

/// What an execution cost. Arrives after it, sometimes before it, sometimes twice.
public struct CommissionReport: Hashable, Sendable, BitwiseCopyable {
    /// The execution it belongs to; the base is what counts.
    public let execution: ExecutionID
    /// Commission and regulatory fees together; negative for a rebate.
    public let amount: Money

    /// A report as received.
    @inlinable
    public init(execution: ExecutionID, amount: Money) {
        self.execution = execution
        self.amount = amount
    }
}

/// Why an order ended without filling whole. When several are reported, the last in this order holds.
public enum CancelCause: UInt8, Comparable, Sendable, BitwiseCopyable {
    /// We asked for it.
    case requested
    /// Its time in force ran out.
    case expired
    /// An order of its group traded in its place, or its parent ended and left it nothing to do.
    case linked
    /// The venue or a person did it.
    case external

    /// Orders by how much it concerns a person.
    public static func < (left: CancelCause, right: CancelCause) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Why a venue refused an order. When several are reported, the last in this order holds.
public enum RejectCause: UInt8, Comparable, Sendable, BitwiseCopyable {
    /// The price is no multiple of the tick size.
    case priceNotOnTick
    /// Type, time in force and hours do not go together, or a trailing offset is none.
    case invalidTerms
    /// Its parent is not known, or ended without a fill.
    case noParent
    /// The instrument cannot be traded.
    case notTradable
    /// The broker has rejected it; its message says why.
    case byBroker
    /// The broker knows no such contract.
    case unknownContract
    /// Its number was used before: it was never placed.
    case numberInUse
    /// The gateway takes no orders.
    case readOnly
    /// The account may not trade that.
    case notPermitted
    /// There is too little money or margin.
    case funds
    /// The broker does not take that size: too large, too small, or parts of shares.
    case size
    /// The broker does not take that price: too far from the market, or off its steps.
    case price
    /// The shares cannot be sold short now.
    case shortSale
    /// The rule about day trades of small accounts stands against it.
    case dayTrading
    /// The market is closed.
    case hours
    /// The broker does not work it by the algorithm that it was sent for.
    case algorithm

    /// Orders by gravity.
    public static func < (left: RejectCause, right: RejectCause) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// One thing that was reported about an order. Facts accumulate; see `OrderFacts`.
public enum OrderFact: Hashable, Sendable, BitwiseCopyable {
    /// The venue has it.
    case acknowledged
    /// Some of it traded.
    case executed(Execution)
    /// What an execution cost.
    case commission(CommissionReport)
    /// It no longer works.
    case cancelled(CancelCause)
    /// It never worked.
    case rejected(RejectCause)
    /// It works under the terms of our change of that number.
    case modified(Int32)
    /// It goes on under the terms it had: our change of that number came too late or cannot be.
    case modificationRefused(Int32)
    /// None of its bytes left us.
    case notSent(NotSentCause)
    /// Writing it failed on the way: its bytes may have left us.
    case sendInterrupted
    /// The broker reported where it stands, unasked.
    case status(BrokerStatus)
    /// It was in a list of open orders.
    case listedOpen(BrokerStatus)
    /// It was in a list of completed orders.
    case listedCompleted(BrokerStatus)
    /// The broker has rejected it, by a code that says so.
    case rejectedByBroker(BrokerMessage)
    /// The broker has ended it, by a code that says so.
    case cancelledByBroker(BrokerMessage)
    /// The broker has it and holds it back.
    case heldByBroker(HoldCause)
    /// The broker sent a message that ends nothing: an information, a warning, a code that is not known.
    case message(BrokerMessage)
    /// What came of a cancel that was sent as a question.
    case probeAnswer(ProbeAnswer)
    /// Nothing was received about it for as long as an answer may take.
    case acknowledgementOverdue
    /// It is taken to be at the broker no more.
    case closed(OrderClosure)
    /// It is at the broker though it had ended: it counts as live again. Carries an even number above that of the closure
    /// that it takes the place of: no multiple of four where a cancel or a rejection was reported before, which does not
    /// count then.
    case reopened(UInt8)
}

/// A fact and the order it is about.
public struct OrderReport: Hashable, Sendable, BitwiseCopyable {
    /// Which order.
    public let order: OrderID
    /// What happened to it.
    public let fact: OrderFact

    /// A fact about an order.
    @inlinable
    public init(order: OrderID, fact: OrderFact) {
        self.order = order
        self.fact = fact
    }
}
