/// Whose order it is.
public enum OrderOrigin: WireCode {
    /// A customer's.
    case customer
    /// The firm's own.
    case firm
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [OrderOrigin] = [.customer, .firm]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .customer: 0
        case .firm: 1
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// What a fill does to the other orders of its group (one cancels all).
public enum OCAType: WireCode {
    /// No group.
    case none
    /// Cancels them; only one order works at a time, so nothing is overfilled.
    case cancelWithBlock
    /// Reduces them by what was filled; only one order works at a time.
    case reduceWithBlock
    /// Reduces them by what was filled; all of them work, so an overfill can happen.
    case reduceWithoutBlock
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [OCAType] = [
        .none, .cancelWithBlock, .reduceWithBlock, .reduceWithoutBlock,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .none: 0
        case .cancelWithBlock: 1
        case .reduceWithBlock: 2
        case .reduceWithoutBlock: 3
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// Which prices release a stop or a price condition.
public enum TriggerMethod: WireCode {
    /// The instrument's usual one.
    case standard
    /// Two bids or asks in a row.
    case doubleBidAsk
    /// The last trade.
    case last
    /// Two last trades in a row.
    case doubleLast
    /// The bid or ask.
    case bidAsk
    /// The last trade, or the bid or ask.
    case lastOrBidAsk
    /// The midpoint.
    case midpoint
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [TriggerMethod] = [
        .standard, .doubleBidAsk, .last, .doubleLast, .bidAsk, .lastOrBidAsk, .midpoint,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .standard: 0
        case .doubleBidAsk: 1
        case .last: 2
        case .doubleLast: 3
        case .bidAsk: 4
        case .lastOrBidAsk: 7
        case .midpoint: 8
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// Where borrowed shares come from; institutions only.
public enum ShortSaleSlot: WireCode {
    /// Nothing is borrowed.
    case none
    /// The broker.
    case broker
    /// Another place, named by `designatedLocation`.
    case elsewhere
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [ShortSaleSlot] = [.none, .broker, .elsewhere]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .none: 0
        case .broker: 1
        case .elsewhere: 2
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// How an order joins an option exchange's auction.
public enum AuctionStrategy: WireCode {
    /// Not at all.
    case none
    /// Matches.
    case match
    /// Improves the price.
    case improvement
    /// Openly.
    case transparent
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [AuctionStrategy] = [.none, .match, .improvement, .transparent]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .none: 0
        case .match: 1
        case .improvement: 2
        case .transparent: 3
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// The period of a volatility.
public enum VolatilityType: WireCode {
    /// A day.
    case daily
    /// A year.
    case annual
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [VolatilityType] = [.daily, .annual]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .daily: 1
        case .annual: 2
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// The stock price a volatility order is reckoned from.
public enum ReferencePriceType: WireCode {
    /// The middle of bid and ask.
    case average
    /// The bid or ask, by the order's side.
    case bidOrAsk
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [ReferencePriceType] = [.average, .bidOrAsk]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .average: 1
        case .bidOrAsk: 2
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// Whether a leg opens or closes a position.
public enum LegOpenClose: WireCode {
    /// As the combination.
    case same
    /// Opens.
    case open
    /// Closes.
    case close
    /// Not known.
    case undetermined
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [LegOpenClose] = [.same, .open, .close, .undetermined]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .same: 0
        case .open: 1
        case .close: 2
        case .undetermined: 3
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// What a fill did to the order book.
public enum Liquidity: WireCode {
    /// Not stated.
    case none
    /// Added liquidity.
    case added
    /// Removed liquidity.
    case removed
    /// Was routed out.
    case routed
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [Liquidity] = [.none, .added, .removed, .routed]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .none: 0
        case .added: 1
        case .removed: 2
        case .routed: 3
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

/// What is to happen to an option.
public enum ExerciseAction: WireCode {
    /// It is exercised.
    case exercise
    /// It lapses.
    case lapse
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [ExerciseAction] = [.exercise, .lapse]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .exercise: 1
        case .lapse: 2
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        self = Self.known.first { $0.code == code } ?? .unknown(code)
    }
}

extension FieldCoder where Self: ~Copyable {
    /// A number of a known set, with a value for an empty field.
    @inline(__always)
    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C, or: C) {
        var number = value.code
        integer(name, &number, or: or.code)
        if Self.fillsValues { value = C(code: number) }
    }

    /// Fields that travel only with orders of a kind, such as the limit of a pegged one. What is set
    /// without belonging to the order stops a client's message: an order must not arrive without it.
    @inline(__always)
    mutating func only(if isCarried: Bool, _ fields: (inout Self) -> Void) {
        during(isCarried ? 0..<Int.max : Int.max..<Int.max, fields)
    }
}
