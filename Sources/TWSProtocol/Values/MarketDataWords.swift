/// How fresh a subscription's data are. A request names what is allowed, an answer what comes.
public enum MarketDataMode: WireCode {
    /// As they happen; needs a subscription to the market's data.
    case live
    /// The last ones of the closed market.
    case frozen
    /// 15 to 20 minutes late, where there is no subscription; their tick types begin at 66.
    case delayed
    /// The last delayed ones of the closed market.
    case delayedFrozen
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [MarketDataMode] = [
        .live, .frozen, .delayed, .delayedFrozen,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .live: 1
        case .frozen: 2
        case .delayed: 3
        case .delayedFrozen: 4
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        switch code {
        case 1: self = .live
        case 2: self = .frozen
        case 3: self = .delayed
        case 4: self = .delayedFrozen
        default: self = .unknown(code)
        }
    }
}

/// What a tick-by-tick subscription publishes.
public enum TickByTickKind: WireWord {
    /// Trades that count for the last price.
    case last
    /// All trades, among them odd lots, averages and late reports.
    case allLast
    /// Quotes.
    case bidAsk
    /// The middle of the quote.
    case midPoint
    /// A word that is not known.
    case unknown(String)

    /// Every known value.
    public static let known: [TickByTickKind] = [
        .last, .allLast, .bidAsk, .midPoint,
    ]
    /// Their words.
    public static let words = WordTable<TickByTickKind>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .last: "Last"
        case .allLast: "AllLast"
        case .bidAsk: "BidAsk"
        case .midPoint: "MidPoint"
        case .unknown(let word): word
        }
    }
}

/// What happens to a row of an order book.
public enum DepthOperation: WireCode {
    /// A new row; the ones from there on move down.
    case insert
    /// The row is replaced.
    case update
    /// The row goes; the ones behind it move up.
    case delete
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [DepthOperation] = [
        .insert, .update, .delete,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .insert: 0
        case .update: 1
        case .delete: 2
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        switch code {
        case 0: self = .insert
        case 1: self = .update
        case 2: self = .delete
        default: self = .unknown(code)
        }
    }
}

/// A side of an order book.
public enum DepthSide: WireCode {
    /// Sellers.
    case ask
    /// Buyers.
    case bid
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [DepthSide] = [
        .ask, .bid,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .ask: 0
        case .bid: 1
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        switch code {
        case 0: self = .ask
        case 1: self = .bid
        default: self = .unknown(code)
        }
    }
}
