import Model
import Primitives

/// The words of tables.
enum TableWord: UInt8, CaseIterable, Sendable {
    /// Sides, of orders and of positions.
    case buy, sell, long, short
    /// Purposes.
    case entry, exit, protection
    /// Order types.
    case market, limit, stop, stopLimit, trailingStop
    /// Types for auctions.
    case marketOnOpen, limitOnOpen, marketOnClose, limitOnClose
    /// Times in force.
    case day, goodTillCancelled, goodTillDate, immediateOrCancel
    /// What became of an order, with the cause.
    case working, filled
    /// Ended early.
    case cancelledRequested, cancelledExpired, cancelledLinked, cancelledExternal
    /// Never worked.
    case rejectedPriceNotOnTick, rejectedInvalidTerms, rejectedNoParent, rejectedNotTradable
    case rejectedByBroker
    /// How long lots were held.
    case shortTerm, longTerm

    /// The word as it is written.
    var text: String {
        switch self {
        case .buy: "BUY"
        case .sell: "SELL"
        case .long: "LONG"
        case .short: "SHORT"
        case .entry: "ENTRY"
        case .exit: "EXIT"
        case .protection: "PROTECTION"
        case .market: "MARKET"
        case .limit: "LIMIT"
        case .stop: "STOP"
        case .stopLimit: "STOP_LIMIT"
        case .trailingStop: "TRAILING_STOP"
        case .marketOnOpen: "MARKET_ON_OPEN"
        case .limitOnOpen: "LIMIT_ON_OPEN"
        case .marketOnClose: "MARKET_ON_CLOSE"
        case .limitOnClose: "LIMIT_ON_CLOSE"
        case .day: "DAY"
        case .goodTillCancelled: "GTC"
        case .goodTillDate: "GTD"
        case .immediateOrCancel: "IOC"
        case .working: "WORKING"
        case .filled: "FILLED"
        case .cancelledRequested: "CANCELLED_REQUESTED"
        case .cancelledExpired: "CANCELLED_EXPIRED"
        case .cancelledLinked: "CANCELLED_LINKED"
        case .cancelledExternal: "CANCELLED_EXTERNAL"
        case .rejectedPriceNotOnTick: "REJECTED_PRICE_NOT_ON_TICK"
        case .rejectedInvalidTerms: "REJECTED_INVALID_TERMS"
        case .rejectedNoParent: "REJECTED_NO_PARENT"
        case .rejectedNotTradable: "REJECTED_NOT_TRADABLE"
        case .rejectedByBroker: "REJECTED_BY_BROKER"
        case .shortTerm: "SHORT_TERM"
        case .longTerm: "LONG_TERM"
        }
    }
}

extension Side {
    /// The word in tables.
    var word: TableWord {
        switch self {
        case .buy: .buy
        case .sell: .sell
        }
    }

    /// The word for a position opened this way.
    var positionWord: TableWord {
        switch self {
        case .buy: .long
        case .sell: .short
        }
    }
}

extension TaxLot.Term {
    /// The word in tables.
    var word: TableWord {
        switch self {
        case .short: .shortTerm
        case .long: .longTerm
        }
    }
}

extension OrderPurpose {
    /// The word in tables.
    var word: TableWord {
        switch self {
        case .entry: .entry
        case .exit: .exit
        case .protection: .protection
        }
    }
}

extension OrderType {
    /// The word in tables.
    var word: TableWord {
        switch self {
        case .market: .market
        case .limit: .limit
        case .stop: .stop
        case .stopLimit: .stopLimit
        case .trailingStop: .trailingStop
        case .marketOnOpen: .marketOnOpen
        case .limitOnOpen: .limitOnOpen
        case .marketOnClose: .marketOnClose
        case .limitOnClose: .limitOnClose
        }
    }
}

extension TimeInForce {
    /// The word in tables.
    var word: TableWord {
        switch self {
        case .day: .day
        case .goodTillCancelled: .goodTillCancelled
        case .goodTillDate: .goodTillDate
        case .immediateOrCancel: .immediateOrCancel
        }
    }
}

extension OrderOutcome {
    /// The word in tables, with the cause.
    var word: TableWord {
        switch self {
        case .working: .working
        case .filled: .filled
        case .cancelled(.requested): .cancelledRequested
        case .cancelled(.expired): .cancelledExpired
        case .cancelled(.linked): .cancelledLinked
        case .cancelled(.external): .cancelledExternal
        case .rejected(.priceNotOnTick): .rejectedPriceNotOnTick
        case .rejected(.invalidTerms): .rejectedInvalidTerms
        case .rejected(.noParent): .rejectedNoParent
        case .rejected(.notTradable): .rejectedNotTradable
        case .rejected(.byBroker), .rejected(.unknownContract), .rejected(.numberInUse),
            .rejected(.readOnly), .rejected(.notPermitted), .rejected(.funds), .rejected(.size),
            .rejected(.price), .rejected(.shortSale), .rejected(.dayTrading), .rejected(.hours),
            .rejected(.algorithm):
            .rejectedByBroker
        }
    }
}
