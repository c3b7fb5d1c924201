public import Primitives

/// Which way an order or execution goes.
public enum Side: Hashable, Sendable, BitwiseCopyable {
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

/// How an order finds its price.
public enum OrderType: Hashable, Sendable, BitwiseCopyable {
    /// At whatever the market gives.
    case market
    /// At this price or better.
    case limit(Price)
    /// At the market once the price has traded at or through this one.
    case stop(Price)
}

/// How long an order works. Explicit on every order: a venue's preset never decides.
public enum TimeInForce: Hashable, Sendable, BitwiseCopyable {
    /// Until the end of the session it first takes part in.
    case day
    /// Until it fills or is cancelled.
    case goodTillCancelled
}

/// What an order is for. Halts, kills and working-time limits act on entries only.
public enum OrderPurpose: Hashable, Sendable, BitwiseCopyable {
    /// Opens or enlarges a position.
    case entry
    /// Reduces a position, at most to nothing.
    case exit
}

/// What somebody wants a venue to do. Not yet allowed: `Risk` turns it into `Approved` or refuses it.
public struct OrderRequest: Hashable, Sendable, BitwiseCopyable {
    /// Whose wish it is.
    public let strategy: StrategyID
    /// What is bought or sold.
    public let instrument: InstrumentID
    /// Which way.
    public let side: Side
    /// How much; positive.
    public let quantity: Quantity
    /// At what price.
    public let type: OrderType
    /// For how long.
    public let timeInForce: TimeInForce
    /// What for.
    public let purpose: OrderPurpose
    /// Why, in the strategy's words.
    public let reason: TextID

    /// A request; quantity and prices are checked by `Risk`, not here.
    public init(
        strategy: StrategyID, instrument: InstrumentID, side: Side, quantity: Quantity,
        type: OrderType, timeInForce: TimeInForce, purpose: OrderPurpose, reason: TextID = .none
    ) {
        self.strategy = strategy
        self.instrument = instrument
        self.side = side
        self.quantity = quantity
        self.type = type
        self.timeInForce = timeInForce
        self.purpose = purpose
        self.reason = reason
    }

    /// The same request for another quantity.
    public func with(quantity: Quantity) -> OrderRequest {
        OrderRequest(
            strategy: strategy, instrument: instrument, side: side, quantity: quantity, type: type,
            timeInForce: timeInForce, purpose: purpose, reason: reason)
    }
}

/// A request with our number on it, as it goes to the venue.
public struct OrderTicket: Hashable, Sendable, BitwiseCopyable {
    /// Our number.
    public let id: OrderID
    /// What the venue shall do.
    public let request: OrderRequest

    /// Numbers a request.
    public init(id: OrderID, request: OrderRequest) {
        self.id = id
        self.request = request
    }
}

/// One execution of an order as the venue reported it.
public struct Execution: Hashable, Sendable, BitwiseCopyable {
    /// Which execution, and which version of it.
    public let id: ExecutionID
    /// What was traded.
    public let instrument: InstrumentID
    /// Which way.
    public let side: Side
    /// How much; positive, or zero when the venue took the execution back (a busted trade).
    public let quantity: Quantity
    /// At what price.
    public let price: Price
    /// When it happened at the venue.
    public let time: Timestamp

    /// The quantity with its sign in a position.
    public var signedQuantity: Quantity { side.signed(quantity) }

    /// An execution as reported.
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
    public init(execution: ExecutionID, amount: Money) {
        self.execution = execution
        self.amount = amount
    }
}

/// Why an order ended without filling whole. When several are told, the last in this order holds.
public enum CancelCause: UInt8, Comparable, Sendable, BitwiseCopyable {
    /// We asked for it.
    case requested
    /// Its time in force ran out.
    case expired
    /// The venue or a person did it.
    case external

    /// Orders by how much it concerns a person.
    public static func < (left: CancelCause, right: CancelCause) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// Why a venue refused an order. When several are told, the last in this order holds.
public enum RejectCause: UInt8, Comparable, Sendable, BitwiseCopyable {
    /// The price is no multiple of the tick size.
    case priceNotOnTick
    /// The instrument cannot be traded.
    case notTradable

    /// Orders by gravity.
    public static func < (left: RejectCause, right: RejectCause) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// One thing we were told about an order. Facts accumulate; see `OrderFacts`.
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
}

/// A fact and the order it is about.
public struct OrderReport: Hashable, Sendable, BitwiseCopyable {
    /// Which order.
    public let order: OrderID
    /// What happened to it.
    public let fact: OrderFact

    /// A fact about an order.
    public init(order: OrderID, fact: OrderFact) {
        self.order = order
        self.fact = fact
    }
}
