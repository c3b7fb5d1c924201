/// Which way an order trades.
public enum OrderAction: WireWord {
    /// None given.
    case none
    /// Buys.
    case buy
    /// Sells what is held, or short where the account may.
    case sell
    /// Sells short through a slot; institutions only.
    case sellShort
    /// A word that is not known.
    case unknown(String)

    /// Every known action.
    public static let known: [OrderAction] = [.buy, .sell, .sellShort, .none]
    /// Their words.
    public static let words = WordTable<OrderAction>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .buy: "BUY"
        case .sell: "SELL"
        case .sellShort: "SSHORT"
        case .unknown(let word): word
        }
    }
}

/// How an order finds its price.
public enum WireOrderType: WireWord {
    /// None given.
    case none
    /// Gateways' own word for none, in attributes that may name a second type.
    case statedNone
    /// At the market.
    case market
    /// At a price or better.
    case limit
    /// At the market once a price is reached.
    case stop
    /// At a limit once a price is reached.
    case stopLimit
    /// A stop that follows the market.
    case trailingStop
    /// A stop with a limit that follows the market.
    case trailingStopLimit
    /// At the market in the closing auction.
    case marketOnClose
    /// At a price or better in the closing auction.
    case limitOnClose
    /// At the market once a better price is touched.
    case marketIfTouched
    /// At a limit once a better price is touched.
    case limitIfTouched
    /// A trailing order that becomes market-if-touched.
    case trailingMarketIfTouched
    /// A trailing order that becomes limit-if-touched.
    case trailingLimitIfTouched
    /// At the market; what is left becomes a limit order at the price of the fill.
    case marketToLimit
    /// At the market within the exchange's bounds.
    case marketWithProtection
    /// A stop at the market within the exchange's bounds.
    case stopWithProtection
    /// Pegged to the best price of its own side, also called pegged to primary.
    case relative
    /// Pegged to the best price of its own side, without giving priority up.
    case passiveRelative
    /// Pegged to the best price of the other side.
    case peggedToMarket
    /// Pegged to the midpoint.
    case peggedToMidpoint
    /// Competes for the best price within bounds.
    case peggedToBest
    /// Pegged to another instrument's price.
    case peggedToBenchmark
    /// An option's price pegged to its stock.
    case peggedToStock
    /// At the midpoint or better.
    case midPrice
    /// By an option's volatility.
    case volatility
    /// At the market in a combination's legs, with a limit on one.
    case limitAndMarket
    /// Relative and limit in a combination's legs.
    case relativeAndLimit
    /// Relative and market in a combination's legs.
    case relativeAndMarket
    /// The midpoint at the moment of the order, as a limit.
    case snapToMidpoint
    /// The other side's best price at the moment of the order, as a limit.
    case snapToMarket
    /// Its own side's best price at the moment of the order, as a limit.
    case snapToPrimary
    /// At the best price of an option exchange's auction.
    case boxTop
    /// A word that is not known.
    case unknown(String)

    /// Every known type, the frequent ones first.
    public static let known: [WireOrderType] = [
        .limit, .market, .stop, .none, .statedNone, .stopLimit, .trailingStop, .trailingStopLimit,
        .marketOnClose, .limitOnClose, .marketIfTouched, .limitIfTouched,
        .trailingMarketIfTouched, .trailingLimitIfTouched, .marketToLimit, .marketWithProtection,
        .stopWithProtection, .relative, .passiveRelative, .peggedToMarket, .peggedToMidpoint,
        .peggedToBest, .peggedToBenchmark, .peggedToStock, .midPrice, .volatility,
        .limitAndMarket, .relativeAndLimit, .relativeAndMarket, .snapToMidpoint, .snapToMarket,
        .snapToPrimary, .boxTop,
    ]
    /// Their words. Some programs write the pegged types without the blank.
    public static let words = WordTable<WireOrderType>(
        known,
        others: [
            "PEGBENCH": .peggedToBenchmark, "PEGBEST": .peggedToBest,
            "PEGMID": .peggedToMidpoint,
        ])

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .statedNone: "None"
        case .market: "MKT"
        case .limit: "LMT"
        case .stop: "STP"
        case .stopLimit: "STP LMT"
        case .trailingStop: "TRAIL"
        case .trailingStopLimit: "TRAIL LIMIT"
        case .marketOnClose: "MOC"
        case .limitOnClose: "LOC"
        case .marketIfTouched: "MIT"
        case .limitIfTouched: "LIT"
        case .trailingMarketIfTouched: "TRAIL MIT"
        case .trailingLimitIfTouched: "TRAIL LIT"
        case .marketToLimit: "MTL"
        case .marketWithProtection: "MKT PRT"
        case .stopWithProtection: "STP PRT"
        case .relative: "REL"
        case .passiveRelative: "PASSV REL"
        case .peggedToMarket: "PEG MKT"
        case .peggedToMidpoint: "PEG MID"
        case .peggedToBest: "PEG BEST"
        case .peggedToBenchmark: "PEG BENCH"
        case .peggedToStock: "PEG STK"
        case .midPrice: "MIDPRICE"
        case .volatility: "VOL"
        case .limitAndMarket: "LMT + MKT"
        case .relativeAndLimit: "REL + LMT"
        case .relativeAndMarket: "REL + MKT"
        case .snapToMidpoint: "SNAP MID"
        case .snapToMarket: "SNAP MKT"
        case .snapToPrimary: "SNAP PRIM"
        case .boxTop: "BOX TOP"
        case .unknown(let word): word
        }
    }
}

/// How long an order works.
public enum WireTimeInForce: WireWord {
    /// None given: the gateway puts its preset in place (10349).
    case none
    /// To the end of the day.
    case day
    /// Until cancelled.
    case goodTillCancelled
    /// At once, as far as possible.
    case immediateOrCancel
    /// Until the time in `goodTillDate`.
    case goodTillDate
    /// In the opening auction.
    case atTheOpening
    /// At once and whole, or not at all.
    case fillOrKill
    /// To the end of the day, then kept by the gateway without being sent again.
    case dayTillCancelled
    /// Until crossing.
    case goodTillCrossing
    /// In an auction at its price.
    case auction
    /// A word that is not known.
    case unknown(String)

    /// Every known time in force.
    public static let known: [WireTimeInForce] = [
        .day, .goodTillCancelled, .immediateOrCancel, .goodTillDate, .atTheOpening, .fillOrKill,
        .dayTillCancelled, .goodTillCrossing, .auction, .none,
    ]
    /// Their words.
    public static let words = WordTable<WireTimeInForce>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .day: "DAY"
        case .goodTillCancelled: "GTC"
        case .immediateOrCancel: "IOC"
        case .goodTillDate: "GTD"
        case .atTheOpening: "OPG"
        case .fillOrKill: "FOK"
        case .dayTillCancelled: "DTC"
        case .goodTillCrossing: "GTX"
        case .auction: "AUC"
        case .unknown(let word): word
        }
    }
}

/// Whether an order opens or closes a position; institutions only.
public enum OpenClose: WireWord {
    /// None given.
    case none
    /// Gateways' own mark for none.
    case statedNone
    /// Opens.
    case open
    /// Closes.
    case close
    /// A word that is not known.
    case unknown(String)

    /// Every known value.
    public static let known: [OpenClose] = [.none, .open, .close, .statedNone]
    /// Their words.
    public static let words = WordTable<OpenClose>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .statedNone: "?"
        case .open: "O"
        case .close: "C"
        case .unknown(let word): word
        }
    }
}

/// What an order hedges in the order it hangs on.
public enum HedgeType: WireWord {
    /// No hedge.
    case none
    /// An option's delta.
    case delta
    /// By beta.
    case beta
    /// The currency.
    case currency
    /// The other half of a pair.
    case pair
    /// A word that is not known.
    case unknown(String)

    /// Every known hedge.
    public static let known: [HedgeType] = [.none, .delta, .beta, .currency, .pair]
    /// Their words.
    public static let words = WordTable<HedgeType>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .delta: "D"
        case .beta: "B"
        case .currency: "F"
        case .pair: "P"
        case .unknown(let word): word
        }
    }
}

/// Which way a fill went.
public enum ExecutionSide: WireWord {
    /// None given.
    case none
    /// Bought.
    case bought
    /// Sold.
    case sold
    /// A word that is not known.
    case unknown(String)

    /// Every known side.
    public static let known: [ExecutionSide] = [.bought, .sold, .none]
    /// Their words.
    public static let words = WordTable<ExecutionSide>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .bought: "BOT"
        case .sold: "SLD"
        case .unknown(let word): word
        }
    }
}
