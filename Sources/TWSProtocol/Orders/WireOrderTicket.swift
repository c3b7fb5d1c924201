/// Which way an order trades.
public enum OrderSide: Hashable, Sendable {
    /// Buys.
    case buy
    /// Sells.
    case sell

    /// The other way.
    public var opposite: OrderSide {
        switch self {
        case .buy: .sell
        case .sell: .buy
        }
    }

    var action: OrderAction {
        switch self {
        case .buy: .buy
        case .sell: .sell
        }
    }
}

/// Whose order it is, and under which text it comes back. Neither may be left out: without an account
/// the gateway chooses one, and without a text an order cannot be distinguished from others after a restart.
public struct OrderOwner: Hashable, Sendable {
    /// The account.
    public let account: AccountID
    /// The client's own text (`orderRef`).
    public let reference: String

    /// An owner of orders.
    ///
    /// - Throws: when a text is empty or has other characters than printable ASCII.
    public init(account: AccountID, reference: String) throws(OrderRefusal) {
        try Self.check(account.name, as: "account")
        try Self.check(reference, as: "orderRef")
        self.account = account
        self.reference = reference
    }

    private init(_ account: AccountID, checked reference: String) {
        self.account = account
        self.reference = reference
    }

    /// The same account with `/suffix` behind the text.
    func appending(_ suffix: StaticString) -> OrderOwner {
        OrderOwner(account, checked: "\(reference)/\(suffix)")
    }

    /// Refuses text that is empty or could not travel.
    static func check(_ text: String, as field: String) throws(OrderRefusal) {
        guard !text.isEmpty else { throw .missing(field: field) }
        guard text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) else {
            throw .badCharacter(field: field)
        }
    }
}

/// Which way, how much and whose.
public struct WireOrderTicket: Hashable, Sendable {
    /// Buys or sells.
    public let side: OrderSide
    /// How much, in shares or contracts; a fraction where the account may.
    public let quantity: DecimalValue
    /// Whose order it is.
    public let owner: OrderOwner

    /// An order of `quantity`.
    ///
    /// - Throws: when the quantity is not above 0 or not finite.
    public init(
        _ side: OrderSide, _ quantity: DecimalValue, for owner: OrderOwner
    ) throws(OrderRefusal) {
        guard quantity.isFinite, quantity > .zero else {
            throw .outOfRange(field: "totalQuantity", quantity)
        }
        self.init(checked: quantity, side, owner)
    }

    private init(checked quantity: DecimalValue, _ side: OrderSide, _ owner: OrderOwner) {
        self.side = side
        self.quantity = quantity
        self.owner = owner
    }

    /// The order that ends what this one begins.
    func exit(_ suffix: StaticString) -> WireOrderTicket {
        WireOrderTicket(checked: quantity, side.opposite, owner.appending(suffix))
    }
}

/// What is traded, and the prices it may have.
public struct TradableContract: Hashable, Sendable {
    /// The instrument, with the exchange orders go to.
    public let contract: Contract
    /// The prices it may have.
    public let ladder: PriceLadder
    /// Legs, for a combination.
    public let combo: ComboTerms

    /// A contract whose orders may have the prices of `ladder`.
    ///
    /// - Parameter combo: legs; some for a combination, none for anything else.
    /// - Throws: when nothing of its kind can be ordered, or legs are missing or too many.
    public init(
        _ contract: Contract, on ladder: PriceLadder, combo: ComboTerms = ComboTerms()
    ) throws(OrderRefusal) {
        switch contract.secType {
        case .index, .news, .continuousFuture: throw .notTradable(contract.secType)
        case .none:
            // The broker's number is enough to name an instrument.
            guard contract.conId != 0 else { throw .notTradable(.none) }
        case .stock, .option, .future, .futureOption, .forex, .combo, .warrant, .bond, .commodity,
            .fund, .crypto, .contractForDifference, .unknown:
            break
        }
        guard (contract.secType == .combo) == !combo.comboLegs.isEmpty else {
            throw .missing(field: "comboLegs")
        }
        guard !contract.exchange.isEmpty else { throw .missing(field: "exchange") }
        self.contract = contract
        self.ladder = ladder
        self.combo = combo
    }
}
