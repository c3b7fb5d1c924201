import Primitives
package import TWSProtocol

/// Which orders the broker does something to.
package enum OrderChoice: String, CaseIterable, Sendable {
    /// The one placed last of those that work.
    case last
    /// The oldest of those that work.
    case oldest
    /// Every one that works.
    case each
    /// The one that was cancelled last.
    case cancelled
}

/// Somebody else orders.
package struct OrderFault: FaultRecord {
    package static let name = "order"
    package static let purpose =
        "Somebody enters an order by hand at the gateway, or another program does under its own number."
    /// What; `nil` for the symbol ordered last, or SPY.
    package var symbol: String?
    /// Which way.
    package var side = FaultSide.buy
    /// How much.
    package var quantity = 100
    /// Its limit; `nil` for a market order.
    package var limit: DecimalValue?
    /// The other program's number; `nil` for an order by hand.
    package var client: ClientID?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.word("side", &side)
        list.integer("quantity", &quantity, 1...1_000_000_000)
        list.decimal("limit", &limit)
        list.client("client", &client)
    }
}

/// Somebody else trades.
package struct TradeFault: FaultRecord {
    package static let name = "trade"
    package static let purpose =
        "Somebody trades by hand, or another program does: an order that is filled at once at a price."
    /// What; `nil` for the symbol ordered last, or SPY.
    package var symbol: String?
    /// Which way.
    package var side = FaultSide.buy
    /// How much.
    package var quantity = 100
    /// At which price; `nil` for the market's.
    package var price: DecimalValue?
    /// The other program's number; `nil` for a trade by hand.
    package var client: ClientID?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.word("side", &side)
        list.integer("quantity", &quantity, 1...1_000_000_000)
        list.decimal("price", &price)
        list.client("client", &client)
    }
}

/// A way to trade.
package enum FaultSide: String, CaseIterable, Sendable {
    /// To buy.
    case buy
    /// To sell.
    case sell
}

/// Orders are filled whatever the market is.
package struct FillFault: FaultRecord {
    package static let name = "fill"
    package static let purpose =
        "The broker fills orders, or a share of what is left of them, whatever the market is; even one that was cancelled."
    /// Which.
    package var orders = OrderChoice.last
    /// Which share of what is left, in whole shares, at least one.
    package var share = 1.0
    /// At which price; `nil` for the order's own, or the market's.
    package var price: DecimalValue?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("orders", &orders)
        list.share("share", &share)
        list.decimal("price", &price)
    }
}

/// Orders are cancelled by the broker.
package struct CancelFault: FaultRecord {
    package static let name = "cancel"
    package static let purpose = "The broker cancels orders that nobody asked it to cancel."
    /// Which.
    package var orders = OrderChoice.last
    /// Its words.
    package var reason: String?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("orders", &orders)
        list.text("reason", &reason)
    }
}

/// A fill is corrected.
package struct CorrectFault: FaultRecord {
    package static let name = "correct"
    package static let purpose =
        "The exchange corrects a fill's price or quantity; it is told again with the next revision."
    /// Which; `nil` for the last one.
    package var execution: String?
    /// Its price; `nil` for one cent more than it was, where the quantity stays.
    package var price: DecimalValue?
    /// Its quantity; `nil` for what it was.
    package var quantity: Int?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("execution", &execution)
        list.decimal("price", &price)
        list.integer("quantity", &quantity, 1...1_000_000_000)
    }
}

/// A fill is taken back.
package struct BustFault: FaultRecord {
    package static let name = "bust"
    package static let purpose =
        "The exchange takes a fill back: it is told again with a quantity of 0."
    /// Which; `nil` for the last one.
    package var execution: String?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("execution", &execution)
    }
}

/// Orders are refused for their margin.
package struct MarginFault: FaultRecord {
    package static let name = "margin"
    package static let purpose =
        "The broker refuses every order for its margin (201), until it is off."
    /// Whether it does.
    package var isOn = true
    /// Its words behind `Order rejected - reason:`.
    package var reason =
        "YOUR ORDER IS NOT ACCEPTED. IN ORDER TO OBTAIN THE DESIRED POSITION YOUR EQUITY WITH LOAN VALUE [1000.00 USD] MUST EXCEED THE INITIAL MARGIN [2000.00 USD]"

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.flag("on", &isOn)
        list.text("reason", &reason)
    }
}

/// Shares are hard to borrow.
package struct BorrowFault: FaultRecord {
    package static let name = "borrow"
    package static let purpose =
        "Shares are hard to borrow: short sales of them are held (404, locate) until they are found."
    /// Which; `nil` for every stock.
    package var symbol: String?
    /// Whether they are found.
    package var isFound = false

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.flag("found", &isFound)
    }
}

/// Changes become second orders.
package struct DoubleChangeFault: FaultRecord {
    package static let name = "double-changes"
    package static let purpose =
        "Changes of orders asked for while the broker is lost become second orders when it is found."
    /// Whether they do.
    package var isOn = true

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.flag("on", &isOn)
    }
}

/// Order numbers go back.
package struct RollBackFault: FaultRecord {
    package static let name = "roll-back"
    package static let purpose =
        "The next valid order number is lower than it was, as after a restart of a gateway that forgot some."
    /// By how much.
    package var count = 4
    /// Whose; `nil` for every client that placed an order.
    package var client: ClientID?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.integer("by", &count, 1...1_000_000)
        list.client("client", &client)
    }
}
