import TWSProtocol

/// Fills a message field by field: mostly with what a program would say, sometimes with an extreme.
///
/// Fields are known by IBKR's names for them, so a request for history names a listed contract, a time, a
/// duration and a bar size, and goes as deep as one that is meant.
struct SessionFiller: FieldCoder, ~Copyable {
    let version: ServerVersion
    /// The case's draws; taken back behind the message.
    var draws: Draws
    /// Requests and orders that the other side knows.
    let known: KnownNumbers
    private let contract: ContractWords
    private var depth = 0

    /// How often, in percent, a field is an extreme.
    private static let extremes = 4.0

    /// A filler of one message: all its fields that describe a contract go together.
    init(version: ServerVersion, draws: Draws, known: KnownNumbers) {
        self.version = version
        self.draws = draws
        self.known = known
        contract = self.draws.one(of: ContractWords.all)
    }

    private mutating func isExtreme() -> Bool { draws.chance(Self.extremes) }

    // MARK: Numbers

    mutating func constant(_ text: StaticString) {}

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I) {
        guard !isExtreme() else {
            value = I(clamping: draws.one(of: Extremes.integers))
            return
        }
        let choices: [Int64] =
            switch "\(name)" {
            case "conId", "underConId", "underlyingConId": [contract.number, 0, 265_598, 756_733]
            case "reqId", "id": known.requests
            case "orderId", "apiOrderId", "parentId": known.orders
            case "numberOfTicks": [1, 10, 100, 1_000]
            case "time", "errorTime": [1_709_650_800, 1_709_650_860]
            case "clientId": [0, 1, 2, 7]
            case "errorCode":
                [
                    100, 101, 103, 110, 162, 165, 200, 201, 202, 300, 321, 322, 326, 354, 366, 399,
                    404,
                ]
                    + [420, 502, 504, 1100, 1101, 1102, 1300, 2103, 2104, 2105, 2106, 2107, 2110]
                    + [2119, 2150, 2157, 2158, 10_090, 10_147, 10_148, 10_167, 10_182, 10_197]
            case "tickType": Array(0...104)
            case "numRows", "numIds", "position": [0, 1, 5, 9]
            case "permId", "parentPermId": [0, 1_492_374_488, 1_492_374_489]
            default: [0, 1, 1, 2, 3, 4, 5, 10, 100]
            }
        value = I(clamping: draws.one(of: choices))
    }

    mutating func integer<I: WireInteger>(
        _ name: StaticString, _ value: inout I?, _ unset: UnsetForm
    ) {
        guard draws.chance(name.isFrequent ? 90 : 8) else { return }
        var number: I = 0
        integer(name, &number)
        value = number == I.max || number == 2_147_483_647 ? nil : number
    }

    mutating func integer<I: WireInteger>(_ name: StaticString, _ value: inout I, or: I) {
        integer(name, &value)
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue) {
        guard !isExtreme() else {
            value = DecimalValue(draws.one(of: Extremes.numbers)) ?? .zero
            return
        }
        let choices: [DecimalValue] =
            switch "\(name)" {
            case "totalQuantity", "size", "filled", "remaining", "position", "shares", "cumQty":
                [1, 7, 100, 100, 1_000, 100_000]
            case "lmtPrice", "auxPrice", "price", "avgPrice", "open", "high", "low", "close", "wap":
                [contract.price, contract.price, 1, 0.5, 300, 10_000]
            case "strike": [contract.strike]
            default: [0, 1, 0.01, 10, 100]
            }
        value = draws.one(of: choices)
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        guard draws.chance(name.isFrequent ? 90 : 8) else { return }
        var number = DecimalValue.zero
        double(name, &number)
        value = number
    }

    mutating func double(_ name: StaticString, _ value: inout DecimalValue, or: DecimalValue) {
        if draws.chance(name.isFrequent ? 90 : 8) { double(name, &value) }
    }

    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue) {
        double(name, &value)
    }

    mutating func decimal(_ name: StaticString, _ value: inout DecimalValue?, _ unset: UnsetForm) {
        double(name, &value, unset)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool) {
        let share: Double =
            switch "\(name)" {
            case "transmit", "outsideRth", "useRTH", "subscribe", "allMsgs": 80
            case "whatIf", "snapshot", "regulatorySnapshot": 10
            default: 15
            }
        value = draws.chance(share)
    }

    mutating func flag(_ name: StaticString, _ value: inout Bool?) {
        if draws.chance(20) { value = draws.chance(50) }
    }

    // MARK: Words and times

    mutating func text(_ name: StaticString, _ value: inout String) {
        guard !isExtreme() else {
            value = draws.one(of: Extremes.texts + Extremes.times + Extremes.lengths)
            return
        }
        value = contract.word(of: name) ?? draws.one(of: Self.words(of: "\(name)"))
    }

    private static func words(of name: String) -> [String] {
        switch name {
        case "durationStr", "timePeriod", "duration": Extremes.lengths
        case "barSizeSetting", "barSize":
            ["1 min", "5 mins", "1 hour", "1 day", "1 secs", "1 month"]
        case "genericTickList":
            ["", "100,101,104,106,165,225,233,236,293,294,295,318,411", "mdoff,292"]
        case "group": ["All", "", "1"]
        case "tags": ["NetLiquidation,TotalCashValue", "$LEDGER", "$LEDGER:ALL", "AccountType", ""]
        case "providerCode", "providerCodes": ["SIMN", "SIMA", "SIMN+SIMA", "BRFG"]
        case "articleId":
            ["SIMN$265598$19787$0", "SIMN$265598$-99999$0", "SIMN$265598$2147483647$0"]
        case "pattern": ["A", "APPLE", "SPY", "Z", ""]
        case "ocaGroup": ["", "", "", "group"]
        case "orderRef": ["", "first", "second"]
        case "execId": ["0000e0d5.5f0.01.01", "0000e0d5.5f0.01.02", "1", ""]
        case "underlyingSymbol": ["AAPL", "SPY", "ES"]
        case "connectionTime": Extremes.times
        default: ["", "", "", "1", "AAPL", "text of some words"]
        }
    }

    mutating func escapedText(_ name: StaticString, _ value: inout String) { text(name, &value) }

    mutating func word<W: WireWord>(_ name: StaticString, _ value: inout W) {
        if let word = contract.word(of: name) {
            value = W(word: word)
        } else if isExtreme() {
            value = W(word: draws.one(of: Extremes.texts))
        } else {
            value = draws.chance(25) ? value : draws.one(of: W.known)
        }
    }

    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C) {
        var number: Int32 = 0
        if isExtreme() {
            integer(name, &number)
            value = C(code: number)
        } else if draws.chance(30) {
            value = draws.one(of: C.known)
        }
    }

    mutating func code<C: WireCode>(_ name: StaticString, _ value: inout C?, _ unset: UnsetForm) {
        guard draws.chance(10) else { return }
        var chosen = draws.one(of: C.known)
        code(name, &chosen)
        value = chosen
    }

    mutating func time(_ name: StaticString, _ value: inout WireTime) {
        value = WireTime(text: draws.chance(40) ? "" : draws.one(of: Extremes.times))
    }

    mutating func account(_ name: StaticString, _ value: inout AccountID) {
        value = draws.one(of: ["DU1234567", "DU1234567", .none, "DU7654321", "All"])
    }

    mutating func accounts(_ name: StaticString, _ value: inout [AccountID]) {
        value = Array(["DU1234567", "DU7654321", "DU9"].prefix(draws.number(0...3)))
    }

    // MARK: Groups

    mutating func list<R: FieldRecord>(_ name: StaticString, _ value: inout [R]) {
        records(name, &value, count: draws.chance(50) ? 0 : draws.number(1...4))
    }

    mutating func records<R: FieldRecord>(_ name: StaticString, _ value: inout [R], count: Int) {
        value = []
        guard depth < 2 else { return }
        depth += 1
        for _ in 0..<min(count, 8) {
            var record = R()
            record.fields(&self)
            value.append(record)
        }
        depth -= 1
    }

    mutating func since(_ version: Int, _ fields: (inout Self) -> Void) {
        if self.version.number >= version { fields(&self) }
    }
    mutating func during(_ versions: Range<Int>, _ fields: (inout Self) -> Void) {
        if versions.contains(version.number) { fields(&self) }
    }
    mutating func ifRemaining(_ count: Int, _ fields: (inout Self) -> Void) { fields(&self) }
}

/// Numbers that the other side gave or was given.
struct KnownNumbers {
    /// Requests.
    var requests: [Int64] = Array(1...12)
    /// Orders.
    var orders: [Int64] = Array(0...12)
}

/// How a listed contract is described.
struct ContractWords {
    let number: Int64
    let symbol: String
    let type: String
    let exchange: String
    let currency: String
    let price: DecimalValue
    var expiry = ""
    var strike: DecimalValue = 0
    var right = ""
    var multiplier = ""

    static let all = [
        ContractWords(265_598, "AAPL", "STK", "SMART", "USD", 185),
        ContractWords(756_733, "SPY", "STK", "ARCA", "USD", 475),
        ContractWords(0, "AAPL", "STK", "SMART", "USD", 185),
        ContractWords(12_087_792, "EUR", "CASH", "IDEALPRO", "USD", 1.1),
        ContractWords(13_455_763, "VIX", "IND", "CBOE", "USD", 14),
        ContractWords(0, "ES", "FUT", "CME", "USD", 4_800, expiry: "202406"),
        ContractWords(0, "CL", "FUT", "NYMEX", "USD", 75, expiry: "20240419"),
        ContractWords(0, "ES", "CONTFUT", "CME", "USD", 4_800),
        ContractWords(
            0, "AAPL", "OPT", "SMART", "USD", 5, expiry: "20240315", strike: 180, right: "C",
            multiplier: "100"),
        ContractWords(0, "SPY", "BAG", "SMART", "USD", 1),
        ContractWords(0, "NOTLISTED", "STK", "SMART", "USD", 1),
        ContractWords(0, "", "", "", "", 1),
    ]

    private init(
        _ number: Int64, _ symbol: String, _ type: String, _ exchange: String, _ currency: String,
        _ price: DecimalValue, expiry: String = "", strike: DecimalValue = 0, right: String = "",
        multiplier: String = ""
    ) {
        (self.number, self.symbol, self.type) = (number, symbol, type)
        (self.exchange, self.currency, self.price) = (exchange, currency, price)
        (self.expiry, self.strike, self.right) = (expiry, strike, right)
        self.multiplier = multiplier
    }

    /// What a contract's field says; `nil` for a field of something else.
    func word(of name: StaticString) -> String? {
        switch "\(name)" {
        case "symbol": symbol
        case "secType": type
        case "exchange": exchange
        case "currency": currency
        case "lastTradeDateOrContractMonth": expiry
        case "right": right
        case "multiplier": multiplier
        case "primaryExchange", "localSymbol", "tradingClass", "secIdType", "secId", "issuerId": ""
        default: nil
        }
    }
}

extension StaticString {
    /// True for numbers that a message of their kind mostly has.
    fileprivate var isFrequent: Bool {
        [
            "totalQuantity", "lmtPrice", "auxPrice", "conId", "reqId", "orderId", "strike",
            "filled",
            "remaining", "position", "size", "time",
        ].contains("\(self)")
    }
}
