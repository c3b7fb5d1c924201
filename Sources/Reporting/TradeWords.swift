import Model
import Primitives

extension Side {
    /// The word in tables.
    var word: String {
        switch self {
        case .buy: "BUY"
        case .sell: "SELL"
        }
    }

    /// The word for a position opened this way.
    var positionWord: String {
        switch self {
        case .buy: "LONG"
        case .sell: "SHORT"
        }
    }
}

extension OrderPurpose {
    /// The word in tables.
    var word: String {
        switch self {
        case .entry: "ENTRY"
        case .exit: "EXIT"
        }
    }
}

extension OrderType {
    /// The word in tables.
    var word: String {
        switch self {
        case .market: "MARKET"
        case .limit: "LIMIT"
        case .stop: "STOP"
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
    var word: String {
        switch self {
        case .day: "DAY"
        case .goodTillCancelled: "GTC"
        }
    }
}

extension OrderOutcome {
    /// The word in tables, with the cause.
    var word: String {
        switch self {
        case .working: "WORKING"
        case .filled: "FILLED"
        case .cancelled(.requested): "CANCELLED_REQUESTED"
        case .cancelled(.expired): "CANCELLED_EXPIRED"
        case .cancelled(.external): "CANCELLED_EXTERNAL"
        case .rejected(.priceNotOnTick): "REJECTED_PRICE_NOT_ON_TICK"
        case .rejected(.notTradable): "REJECTED_NOT_TRADABLE"
        }
    }
}
