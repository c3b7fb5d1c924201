import Model
import Primitives

/// The words of tables.
enum TableWord: UInt8, CaseIterable, Sendable {
    /// Sides, of orders and of positions.
    case buy, sell, long, short
    /// Purposes.
    case entry, exit
    /// Order types.
    case market, limit, stop
    /// Times in force.
    case day, goodTillCancelled
    /// What became of an order, with the cause.
    case working, filled
    /// Ended early.
    case cancelledRequested, cancelledExpired, cancelledExternal
    /// Never worked.
    case rejectedPriceNotOnTick, rejectedNotTradable

    /// The word as it is written.
    var text: String {
        switch self {
        case .buy: "BUY"
        case .sell: "SELL"
        case .long: "LONG"
        case .short: "SHORT"
        case .entry: "ENTRY"
        case .exit: "EXIT"
        case .market: "MARKET"
        case .limit: "LIMIT"
        case .stop: "STOP"
        case .day: "DAY"
        case .goodTillCancelled: "GTC"
        case .working: "WORKING"
        case .filled: "FILLED"
        case .cancelledRequested: "CANCELLED_REQUESTED"
        case .cancelledExpired: "CANCELLED_EXPIRED"
        case .cancelledExternal: "CANCELLED_EXTERNAL"
        case .rejectedPriceNotOnTick: "REJECTED_PRICE_NOT_ON_TICK"
        case .rejectedNotTradable: "REJECTED_NOT_TRADABLE"
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

extension OrderPurpose {
    /// The word in tables.
    var word: TableWord {
        switch self {
        case .entry: .entry
        case .exit: .exit
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
        }
    }

    /// The limit, if it is one.
    var limitPrice: Price? {
        switch self {
        case .limit(let price): price
        case .market, .stop: nil
        }
    }

    /// The trigger, if it has one.
    var stopPrice: Price? {
        switch self {
        case .stop(let price): price
        case .market, .limit: nil
        }
    }
}

extension TimeInForce {
    /// The word in tables.
    var word: TableWord {
        switch self {
        case .day: .day
        case .goodTillCancelled: .goodTillCancelled
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
        case .cancelled(.external): .cancelledExternal
        case .rejected(.priceNotOnTick): .rejectedPriceNotOnTick
        case .rejected(.notTradable): .rejectedNotTradable
        }
    }
}
