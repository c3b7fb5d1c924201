/// What is traded, as the wire describes it. Set `conId`, or enough of the rest to leave one match.
public struct Contract: Hashable, Sendable {
    /// The broker's number of the instrument; 0 where the other fields describe it.
    public var conId: ContractID = 0
    /// The symbol of the instrument, or of what it is derived from.
    public var symbol = ""
    /// The kind of instrument.
    public var secType = SecurityType.none
    /// A future's or option's last trading day (`yyyymmdd`) or month (`yyyymm`).
    public var lastTradeDateOrContractMonth = ""
    /// An option's strike price.
    public var strike: DecimalValue?
    /// Whether an option is a call or a put.
    public var right = OptionRight.none
    /// Units of the underlying in one contract, as text; empty for stocks.
    public var multiplier = ""
    /// Where orders go: `SMART`, or an exchange's name.
    public var exchange = ""
    /// Where the instrument is listed; distinguishes equal symbols under `SMART`.
    public var primaryExchange = ""
    /// The currency it trades in.
    public var currency = ""
    /// The exchange's own symbol.
    public var localSymbol = ""
    /// The exchange's group of like contracts.
    public var tradingClass = ""

    /// Nothing described.
    public init() {}

    /// A stock.
    ///
    /// - Parameters:
    ///   - exchange: where orders go.
    ///   - primaryExchange: where it is listed, if the symbol alone is not unique.
    public static func stock(
        _ symbol: String, exchange: String = "SMART", primaryExchange: String = "",
        currency: String = "USD"
    ) -> Contract {
        var contract = Contract()
        contract.symbol = symbol
        contract.secType = .stock
        contract.exchange = exchange
        contract.primaryExchange = primaryExchange
        contract.currency = currency
        return contract
    }

    /// All twelve fields: requests.
    mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        head(&coder)
        coder.text("exchange", &exchange)
        coder.text("primaryExchange", &primaryExchange)
        tail(&coder)
        coder.text("tradingClass", &tradingClass)
    }

    /// Without `primaryExchange`: most answers.
    mutating func fieldsWithoutPrimaryExchange(_ coder: inout some FieldCoder & ~Copyable) {
        fieldsWithoutTradingClass(&coder)
        coder.text("tradingClass", &tradingClass)
    }

    /// Without `primaryExchange` and `tradingClass`: positions of the oldest message version.
    mutating func fieldsWithoutTradingClass(_ coder: inout some FieldCoder & ~Copyable) {
        head(&coder)
        coder.text("exchange", &exchange)
        tail(&coder)
    }

    /// With `primaryExchange` in place of `exchange`: portfolio values.
    mutating func fieldsWithoutExchange(_ coder: inout some FieldCoder & ~Copyable) {
        head(&coder)
        coder.text("primaryExchange", &primaryExchange)
        tail(&coder)
        coder.text("tradingClass", &tradingClass)
    }

    private mutating func head(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("conId", &conId, or: 0)
        coder.text("symbol", &symbol)
        coder.word("secType", &secType)
        coder.text("lastTradeDateOrContractMonth", &lastTradeDateOrContractMonth)
        coder.double("strike", &strike, .empty)
        coder.word("right", &right)
        coder.text("multiplier", &multiplier)
    }

    private mutating func tail(_ coder: inout some FieldCoder & ~Copyable) {
        coder.text("currency", &currency)
        coder.text("localSymbol", &localSymbol)
    }
}

/// The kinds of instrument the broker knows.
public enum SecurityType: WireWord {
    /// None given.
    case none
    /// A share of a company or fund traded as one.
    case stock
    /// An option on a stock or index.
    case option
    /// A future.
    case future
    /// An index, which cannot be traded.
    case index
    /// An option on a future.
    case futureOption
    /// A pair of currencies.
    case forex
    /// Several legs traded as one.
    case combo
    /// A warrant.
    case warrant
    /// A bond.
    case bond
    /// A commodity.
    case commodity
    /// A news feed.
    case news
    /// A mutual fund.
    case fund
    /// A cryptocurrency.
    case crypto
    /// A contract for difference.
    case contractForDifference
    /// The chain of front futures, for history.
    case continuousFuture
    /// A word that is not known.
    case unknown(String)

    /// Every known kind.
    public static let known: [SecurityType] = [
        .none, .stock, .option, .future, .index, .futureOption, .forex, .combo, .warrant, .bond,
        .commodity, .news, .fund, .crypto, .contractForDifference, .continuousFuture,
    ]
    /// Their words.
    public static let words = WordTable<SecurityType>(known)

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .stock: "STK"
        case .option: "OPT"
        case .future: "FUT"
        case .index: "IND"
        case .futureOption: "FOP"
        case .forex: "CASH"
        case .combo: "BAG"
        case .warrant: "WAR"
        case .bond: "BOND"
        case .commodity: "CMDTY"
        case .news: "NEWS"
        case .fund: "FUND"
        case .crypto: "CRYPTO"
        case .contractForDifference: "CFD"
        case .continuousFuture: "CONTFUT"
        case .unknown(let word): word
        }
    }
}

/// The right an option gives.
public enum OptionRight: WireWord {
    /// No option.
    case none
    /// The right to buy.
    case call
    /// The right to sell.
    case put
    /// A word that is not known.
    case unknown(String)

    /// Every known right.
    public static let known: [OptionRight] = [.none, .call, .put]
    /// Their words. Gateways write `?` or `0` for none, and some programs the whole words.
    public static let words = WordTable<OptionRight>(
        known, others: ["?": .none, "0": .none, "CALL": .call, "PUT": .put])

    /// The word as it travels.
    public var word: String {
        switch self {
        case .none: ""
        case .call: "C"
        case .put: "P"
        case .unknown(let word): word
        }
    }
}

/// One leg of a combination, without what only orders set of it.
public struct ComboLeg: FieldRecord {
    /// The leg's instrument.
    public var conId: ContractID = 0
    /// How many of it in one combination.
    public var ratio: Int32 = 1
    /// Bought or sold when the combination is bought: `BUY` or `SELL`.
    public var action = ""
    /// Where the leg goes.
    public var exchange = ""

    /// Nothing described.
    public init() {}

    /// Number, ratio, action, exchange.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("conId", &conId, or: 0)
        coder.integer("ratio", &ratio, or: 0)
        coder.text("action", &action)
        coder.text("exchange", &exchange)
    }
}

/// The stock side of a combination that is traded neutral to its delta.
public struct DeltaNeutralContract: FieldRecord {
    /// The instrument that hedges.
    public var conId: ContractID = 0
    /// The hedge's delta.
    public var delta: DecimalValue = .zero
    /// The price the combination was reckoned at.
    public var price: DecimalValue = .zero

    /// Nothing described.
    public init() {}

    /// Number, delta, price.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("deltaNeutralContractConId", &conId, or: 0)
        coder.double("deltaNeutralContractDelta", &delta, or: .zero)
        coder.double("deltaNeutralContractPrice", &price, or: .zero)
    }
}
