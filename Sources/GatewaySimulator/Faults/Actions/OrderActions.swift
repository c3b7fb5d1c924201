import Primitives
import TWSProtocol

/// Which orders the broker does something to.
enum OrderChoice: String, CaseIterable, Sendable {
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
struct OrderFault: Fault {
    static let name = "order"
    static let purpose =
        "Somebody enters an order by hand at the gateway, or another program does under its own number."
    /// What; `nil` for the symbol ordered last, or SPY.
    var symbol: String?
    /// Which way.
    var side = FaultSide.buy
    /// How much.
    var quantity = 100
    /// Its limit; `nil` for a market order.
    var limit: DecimalValue?
    /// The other program's number; `nil` for an order by hand.
    var client: ClientID?

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.word("side", &side)
        list.integer("quantity", &quantity, 1...1_000_000_000)
        list.decimal("limit", &limit)
        list.client("client", &client)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let contract = try gateway.listing(symbol).contract
        let order = gateway.order(side, quantity, limit)
        try gateway.atOrderManager { (manager) throws(OrderManagerFault) in
            try manager.enter(contract, order, for: client)
        }
    }
}

/// Somebody else trades.
struct TradeFault: Fault {
    static let name = "trade"
    static let purpose =
        "Somebody trades by hand, another program does, or the broker liquidates: an order that is filled at once at a price."
    /// What; `nil` for the symbol ordered last, or SPY.
    var symbol: String?
    /// Which way.
    var side = FaultSide.buy
    /// How much.
    var quantity = 100
    /// At which price; `nil` for the market's.
    var price: DecimalValue?
    /// The other program's number; `nil` for a trade by hand.
    var client: ClientID?
    /// Whether the broker trades, to liquidate.
    var isLiquidation = false

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.word("side", &side)
        list.integer("quantity", &quantity, 1...1_000_000_000)
        list.decimal("price", &price)
        list.client("client", &client)
        list.flag("liquidation", &isLiquidation)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let listed = try gateway.listing(symbol)
        let price = try gateway.price(price, of: listed.id)
        let order = gateway.order(side, quantity, nil)
        try gateway.atOrderManager { (manager) throws(OrderManagerFault) in
            try manager.trade(
                listed.contract, order, at: price, for: client, isLiquidation: isLiquidation)
        }
    }
}

/// A way to trade.
enum FaultSide: String, CaseIterable, Sendable {
    /// To buy.
    case buy
    /// To sell.
    case sell
}

/// Orders are filled whatever the market is.
struct FillFault: Fault {
    static let name = "fill"
    static let purpose =
        "The broker fills orders, or a share of what is left of them, whatever the market is; even one that was cancelled."
    /// Which.
    var orders = OrderChoice.last
    /// Which share of what is left, in whole shares, at least one.
    var share = 1.0
    /// At which price; `nil` for the order's own, or the market's.
    var price: DecimalValue?

    mutating func parameters(_ list: inout ParameterList) {
        list.word("orders", &orders)
        list.share("share", &share)
        list.decimal("price", &price)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        for order in gateway.orders(orders) {
            let limit = order.request.order.lmtPrice?.price
            let price =
                try price == nil && limit != nil
                ? limit ?? .zero : gateway.price(price, of: order.instrument)
            let whole = Double(order.remaining.units) / Double(Quantity.unitsPerOne)
            let part = Quantity(shares: max(1, Int64((whole * share).rounded(.down))))
            let quantity = share == 1 ? order.remaining : min(part, order.remaining)
            try gateway.atOrderManager { (manager) throws(OrderManagerFault) in
                try manager.execute(order.permID, quantity, at: price)
            }
        }
    }
}

/// Orders are cancelled by the broker.
struct CancelFault: Fault {
    static let name = "cancel"
    static let purpose = "The broker cancels orders that nobody asked it to cancel."
    /// Which.
    var orders = OrderChoice.last
    /// Its words.
    var reason: String?

    mutating func parameters(_ list: inout ParameterList) {
        list.word("orders", &orders)
        list.text("reason", &reason)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        for order in gateway.orders(orders) {
            try gateway.atOrderManager { (manager) throws(OrderManagerFault) in
                try manager.cancelAtBroker(order.permID, reason: reason ?? "")
            }
        }
    }
}

/// Orders are changed by hand.
struct AmendFault: Fault {
    static let name = "amend"
    static let purpose =
        "Somebody changes orders by hand at the gateway: those that have such a price, where one is given."
    /// Which.
    var orders = OrderChoice.last
    /// Only those of this symbol.
    var symbol: String?
    /// Their limit.
    var limit: DecimalValue?
    /// Their stop.
    var stop: DecimalValue?
    /// Their quantity.
    var quantity: Int?

    mutating func parameters(_ list: inout ParameterList) {
        list.word("orders", &orders)
        list.text("symbol", &symbol)
        list.decimal("limit", &limit)
        list.decimal("stop", &stop)
        list.integer("quantity", &quantity, 1...1_000_000_000)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let instrument = try symbol.map { name throws(FaultRefusal) in
            try gateway.listing(name).id
        }
        for order in gateway.orders(orders)
        where instrument == nil || order.instrument == instrument {
            guard let request = amended(order.request) else { continue }
            try gateway.atOrderManager { (manager) throws(OrderManagerFault) in
                try manager.amend(order.permID, to: request)
            }
        }
    }

    /// The new terms; `nil` for an order that has no such price.
    private func amended(_ request: PlaceOrder) -> PlaceOrder? {
        var request = request
        if let limit {
            guard request.order.orderType.hasLimit else { return nil }
            request.order.lmtPrice = limit
        }
        if let stop {
            guard request.order.orderType.hasStop else { return nil }
            request.order.auxPrice = stop
        }
        if let quantity { request.order.totalQuantity = DecimalValue(Int64(quantity)) }
        return request
    }
}

extension WireOrderType {
    /// True for types that have a limit of their own.
    fileprivate var hasLimit: Bool {
        self == .limit || self == .stopLimit || self == .limitOnClose
    }

    /// True for types that have a stop of their own.
    fileprivate var hasStop: Bool { self == .stop || self == .stopLimit }
}

/// A fill is corrected.
struct CorrectFault: Fault {
    static let name = "correct"
    static let purpose =
        "The exchange corrects a fill's price or quantity; it is told again with the next revision."
    /// Which; `nil` for the last one.
    var execution: String?
    /// Its price; `nil` for one cent more than it was, where the quantity stays.
    var price: DecimalValue?
    /// Its quantity; `nil` for what it was.
    var quantity: Int?

    mutating func parameters(_ list: inout ParameterList) {
        list.text("execution", &execution)
        list.decimal("price", &price)
        list.integer("quantity", &quantity, 1...1_000_000_000)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let execution = try gateway.execution(execution)
        var corrected: Price?
        if let price {
            corrected = try gateway.price(price, of: execution.order.instrument)
        } else if quantity == nil {
            corrected = execution.price + Price(cents: 1)
        }
        try gateway.atOrderManager { (manager) throws(OrderManagerFault) in
            try manager.correct(
                execution.id, price: corrected,
                quantity: quantity.map { Quantity(shares: Int64($0)) })
        }
    }
}

/// A fill is taken back.
struct BustFault: Fault {
    static let name = "bust"
    static let purpose =
        "The exchange takes a fill back: it is told again with a quantity of 0."
    /// Which; `nil` for the last one.
    var execution: String?

    mutating func parameters(_ list: inout ParameterList) {
        list.text("execution", &execution)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let id = try gateway.execution(execution).id
        try gateway.atOrderManager { (manager) throws(OrderManagerFault) in
            try manager.correct(id, quantity: .zero)
        }
    }
}

/// Orders are refused for their margin.
struct MarginFault: Fault {
    static let name = "margin"
    static let purpose =
        "The broker refuses every order for its margin (201), until it is off."
    /// Whether it does.
    var isOn = true
    /// Its words behind `Order rejected - reason:`.
    var reason =
        "YOUR ORDER IS NOT ACCEPTED. IN ORDER TO OBTAIN THE DESIRED POSITION YOUR EQUITY WITH LOAN VALUE [1000.00 USD] MUST EXCEED THE INITIAL MARGIN [2000.00 USD]"

    mutating func parameters(_ list: inout ParameterList) {
        list.flag("on", &isOn)
        list.text("reason", &reason)
    }

    func perform(on gateway: Gateway) {
        gateway.orderManager.refuseForMargin(isOn ? reason : nil)
    }
}

/// Shares are hard to borrow.
struct BorrowFault: Fault {
    static let name = "borrow"
    static let purpose =
        "Shares are hard to borrow: short sales of them are held (404, locate) until they are found."
    /// Which; `nil` for every stock.
    var symbol: String?
    /// Whether they are found.
    var isFound = false

    mutating func parameters(_ list: inout ParameterList) {
        list.text("symbol", &symbol)
        list.flag("found", &isFound)
    }

    func perform(on gateway: Gateway) throws(FaultRefusal) {
        let ids = symbol == nil ? gateway.stocks : [try gateway.listing(symbol).id]
        for id in ids { gateway.orderManager.setHardToBorrow(id, !isFound) }
        gateway.publishOrderNotes()
    }
}

/// Changes become second orders.
struct DoubleChangeFault: Fault {
    static let name = "double-changes"
    static let purpose =
        "Changes of orders asked for while the broker is lost become second orders when it is found."
    /// Whether they do.
    var isOn = true

    mutating func parameters(_ list: inout ParameterList) {
        list.flag("on", &isOn)
    }

    func perform(on gateway: Gateway) {
        gateway.orderManager.duplicateModifications(isOn)
    }
}

/// Order numbers go back.
struct RollBackFault: Fault {
    static let name = "roll-back"
    static let purpose =
        "The next valid order number is lower than it was, as after a restart of a gateway that forgot some."
    /// By how much.
    var count = 4
    /// Whose; `nil` for every client that placed an order.
    var client: ClientID?

    mutating func parameters(_ list: inout ParameterList) {
        list.integer("by", &count, 1...1_000_000)
        list.client("client", &client)
    }

    func perform(on gateway: Gateway) {
        for client in client.map({ [$0] }) ?? gateway.orderAudit.clients {
            let next = Int(gateway.orderManager.nextValidID(for: client).rawValue) - count
            gateway.orderManager.setNextValidID(
                APIOrderID(rawValue: Int32(clamping: max(1, next))), for: client)
        }
    }
}
