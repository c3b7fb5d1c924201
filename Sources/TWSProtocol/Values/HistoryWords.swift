/// What historical or five-second bars are made of.
public enum WhatToShow: WireWord {
    /// Trades.
    case trades
    /// The middle of the quote.
    case midpoint
    /// Bids.
    case bid
    /// Asks.
    case ask
    /// Average bid as open, highest ask, lowest bid, average ask as close; counts twice for pacing.
    case bidAsk
    /// Trades, adjusted for splits and dividends; the request must not name an end.
    case adjustedLast
    /// Volatility over the last 30 days.
    case historicalVolatility
    /// Volatility that option prices imply.
    case optionImpliedVolatility
    /// The rate for borrowing shares.
    case feeRate
    /// A bond's yield at the bid.
    case yieldBid
    /// A bond's yield at the ask.
    case yieldAsk
    /// A bond's yields at bid and ask.
    case yieldBidAsk
    /// A bond's yield at the last price.
    case yieldLast
    /// Trading sessions instead of bars (server version 165); with bars of one day only.
    case schedule
    /// Trades of cryptocurrencies, which have no `trades` from server version 168 on.
    case aggregatedTrades
    /// A word that is not known.
    case unknown(String)

    /// Every known value.
    public static let known: [WhatToShow] = [
        .trades, .midpoint, .bid, .ask, .bidAsk, .adjustedLast, .historicalVolatility,
        .optionImpliedVolatility, .feeRate, .yieldBid, .yieldAsk, .yieldBidAsk, .yieldLast,
        .schedule, .aggregatedTrades,
    ]
    /// Their words.
    public static let words = WordTable<WhatToShow>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .trades: "TRADES"
        case .midpoint: "MIDPOINT"
        case .bid: "BID"
        case .ask: "ASK"
        case .bidAsk: "BID_ASK"
        case .adjustedLast: "ADJUSTED_LAST"
        case .historicalVolatility: "HISTORICAL_VOLATILITY"
        case .optionImpliedVolatility: "OPTION_IMPLIED_VOLATILITY"
        case .feeRate: "FEE_RATE"
        case .yieldBid: "YIELD_BID"
        case .yieldAsk: "YIELD_ASK"
        case .yieldBidAsk: "YIELD_BID_ASK"
        case .yieldLast: "YIELD_LAST"
        case .schedule: "SCHEDULE"
        case .aggregatedTrades: "AGGTRADES"
        case .unknown(let word): word
        }
    }
}

/// How a history's times are written.
public enum HistoryDateFormat: WireCode {
    /// Date, time of day and zone.
    case text
    /// Seconds since 1970 UTC; still dates for bars of a day and longer.
    case epoch
    /// Month and day, time of day and zone, without the year.
    case dayAndTime
    /// A number that is not known.
    case unknown(Int32)

    /// Every known value.
    public static let known: [HistoryDateFormat] = [
        .text, .epoch, .dayAndTime,
    ]

    /// The number as it travels.
    public var code: Int32 {
        switch self {
        case .text: 1
        case .epoch: 2
        case .dayAndTime: 3
        case .unknown(let code): code
        }
    }

    /// The value of a number.
    public init(code: Int32) {
        switch code {
        case 1: self = .text
        case 2: self = .epoch
        case 3: self = .dayAndTime
        default: self = .unknown(code)
        }
    }
}
