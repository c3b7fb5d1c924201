import Catalog
import Configuration
import Model
import Primitives
import Reporting

/// What a program asks of a running session.
enum ControlRequest: Hashable, Sendable {
    /// How it stands.
    case status
    /// What is held.
    case positions
    /// Orders that may still fill, or all of this file of the journal.
    case orders(includesFinished: Bool)
    /// The newest decisions.
    case decisions(count: Int)
    /// Something is to be changed, for a reason.
    case instruction(ControlInstruction, reason: String)
}

/// An instruction of the user, in words that have their meaning only in the session that takes it.
enum ControlInstruction: Hashable, Sendable {
    /// See `OperatorRequest.Action`.
    case halt, kill, resumeAll
    /// One halt is lifted; a kill by the account's number alone.
    case resume(HaltCause, account: String?)
    /// A strategy's entries.
    case stop(String), start(String)
    /// Orders of a scope; a protective one only where that is asked for.
    case cancel(Scope, includesProtective: Bool)
    /// Positions of a scope.
    case flatten(Scope)
    /// What became of an order.
    case resolve(OrderID, OrderEvidence)
    /// An execution that no message brought.
    case bookExecution(Booking)
    /// A symbol.
    case adopt(String), disown(String), clear(String)
    /// New shares for old ones.
    case split(String, SplitRatio)
    /// Money that came or went.
    case cash(Payment)

    /// What an instruction is about.
    enum Scope: Hashable, Sendable {
        /// One order.
        case order(OrderID)
        /// A symbol.
        case symbol(String)
        /// A strategy by its name.
        case strategy(String)
        /// Everything.
        case all
    }

    /// An execution, as a statement has it.
    struct Booking: Hashable, Sendable {
        let order: OrderID
        let quantity: Quantity
        let price: Price
        /// The broker's identifier.
        let execution: String
        /// When it happened; `nil` for the time at which it is booked.
        let time: Timestamp?
    }

    /// Money that came (positive) or went.
    struct Payment: Hashable, Sendable {
        let cause: CashMovement.Cause
        let amount: Money
        let symbol: String?
        /// True to book it though the same was booked before.
        let isRepeated: Bool
    }
}

extension ControlRequest {
    /// How many decisions and orders an answer has at most.
    static let rowsMax = 1_000
    /// How many decisions are shown unless a number is given.
    static let decisionCount = 20
    /// How many characters a reason may have.
    static let reasonMax = 300

    private static let names = [
        "status", "positions", "orders", "decisions", "halt", "resume", "stop", "start", "cancel",
        "flatten", "resolve", "book", "adopt", "disown", "split", "cashflow", "clear", "kill",
    ]

    /// The request of a line.
    ///
    /// - Throws: when it makes no sense, as a sentence.
    init(_ line: [UInt8]) throws(ControlRefusal) {
        var fields = try ControlFields(line)
        switch fields.name {
        case "status": self = .status
        case "positions": self = .positions
        case "orders": self = .orders(includesFinished: try fields.flag("all"))
        case "decisions":
            let count = try fields.text("count") ?? "\(Self.decisionCount)"
            guard let number = Int(count), (1...Self.rowsMax).contains(number) else {
                throw ControlRefusal(
                    "'count' is \(count.printable): 1 to \(Self.rowsMax) are possible.")
            }
            self = .decisions(count: number)
        case let name where Self.names.contains(name):
            let instruction = try ControlInstruction(&fields)
            self = .instruction(instruction, reason: try Self.reason(&fields, instruction))
        case let name:
            throw ControlRefusal(
                "A session cannot do '\(name.printable)'. "
                    + SettingsSuggestion.sentence(for: name, among: Self.names))
        }
        try fields.finish()
    }

    private static func reason(
        _ fields: inout ControlFields, _ instruction: ControlInstruction
    ) throws(ControlRefusal) -> String {
        let given = try fields.text("reason") ?? ""
        let isBlank = given.allSatisfy(\.isWhitespace)
        // Who kills is in a hurry.
        if isBlank, instruction == .kill { return "no reason given" }
        guard !isBlank else {
            throw ControlRefusal("'\(fields.name)' needs a reason: it is kept in the journal.")
        }
        guard given.count <= reasonMax else {
            throw ControlRefusal("A reason has at most \(reasonMax) characters.")
        }
        return ShownText.escaped(given)
    }
}

extension ControlInstruction {
    /// True if entries may follow that were kept away.
    var letsEntriesGoOn: Bool {
        switch self {
        case .resumeAll, .resume, .start: true
        case .halt, .kill, .stop, .cancel, .flatten, .resolve, .bookExecution, .adopt, .disown,
            .clear, .split, .cash:
            false
        }
    }

    /// The instruction of a request's members.
    fileprivate init(_ fields: inout ControlFields) throws(ControlRefusal) {
        switch fields.name {
        case "halt": self = .halt
        case "kill": self = .kill
        case "resume": self = try Self.resume(&fields)
        case "stop": self = .stop(try fields.required("strategy"))
        case "start": self = .start(try fields.required("strategy"))
        case "cancel":
            self = .cancel(
                try Scope(&fields), includesProtective: try fields.flag("include_protective"))
        case "flatten": self = .flatten(try Scope(&fields))
        case "resolve":
            self = .resolve(
                try Self.order(&fields),
                try fields.required(
                    "as", "not-at-broker, working or cancelled", OrderEvidence.init(word:)))
        case "book": self = .bookExecution(try Booking(&fields))
        case "adopt": self = .adopt(try fields.required("symbol"))
        case "disown": self = .disown(try fields.required("symbol"))
        case "clear": self = .clear(try fields.required("symbol"))
        case "split":
            self = .split(
                try fields.required("symbol"),
                try fields.required(
                    "ratio", "new shares to old ones, such as 4:1", SessionActions.ratio))
        default: self = .cash(try Payment(&fields))
        }
    }

    private static func resume(
        _ fields: inout ControlFields
    ) throws(ControlRefusal) -> ControlInstruction {
        let word = try fields.required("cause")
        let account = try fields.text("account")
        if word.lowercased() == "all" { return .resumeAll }
        if let cause = HaltCause(word: word) { return .resume(cause, account: account) }
        throw ControlRefusal(
            "Nothing is halted for '\(word.printable)'. "
                + SettingsSuggestion.sentence(
                    for: word, among: ["all"] + HaltCause.allCases.map(\.word)))
    }

    fileprivate static func order(_ fields: inout ControlFields) throws(ControlRefusal) -> OrderID {
        try fields.required("order", "the number of an order", OrderID.init(text:))
    }
}

extension ControlInstruction.Scope {
    fileprivate init(_ fields: inout ControlFields) throws(ControlRefusal) {
        var scopes: [Self] = []
        if let text = try fields.text("order") {
            guard let order = OrderID(text: text) else {
                throw ControlRefusal("'order' is \(text.printable), and no number of an order.")
            }
            scopes.append(.order(order))
        }
        if let symbol = try fields.text("symbol") { scopes.append(.symbol(symbol)) }
        if let strategy = try fields.text("strategy") { scopes.append(.strategy(strategy)) }
        if try fields.flag("all") { scopes.append(.all) }
        guard scopes.count == 1 else {
            throw ControlRefusal(
                "'\(fields.name)' needs one of order, symbol, strategy and all: it has \(scopes.count) of them."
            )
        }
        self = scopes[0]
    }
}

extension ControlInstruction.Booking {
    fileprivate init(_ fields: inout ControlFields) throws(ControlRefusal) {
        order = try ControlInstruction.order(&fields)
        quantity = try fields.required("quantity", "a number of shares above 0") { text in
            (try? Quantity(text)).flatMap { $0 > .zero && $0 <= .magnitudeMax ? $0 : nil }
        }
        price = try fields.required("price", "a price above 0") { text in
            (try? Price(text)).flatMap { $0 > .zero && $0 <= .magnitudeMax ? $0 : nil }
        }
        guard price * quantity <= .tradeMax else {
            throw ControlRefusal("\(quantity) at \(price) are more than one execution can be.")
        }
        execution = try fields.required("execution").printable
        if let text = try fields.text("time") {
            guard let time = TimestampText.read(text, ofDay: .hours(10)),
                Timestamp.supported.contains(time)
            else {
                throw ControlRefusal(
                    "'time' is \(text.printable): write 2026-01-05T10:00:00-05:00.")
            }
            self.time = time
        } else {
            time = nil
        }
    }
}

extension ControlInstruction.Payment {
    fileprivate init(_ fields: inout ControlFields) throws(ControlRefusal) {
        let causes: [(word: String, cause: CashMovement.Cause)] = [
            ("transfer", .transfer), ("dividend", .dividend), ("interest", .interest),
            ("fee", .fee), ("unknown", .unknown),
        ]
        // A trillion.
        let amountMax = Money(units: 1_000_000_000_000 * Money.unitsPerOne)
        amount = try fields.required("amount", "an amount of money other than 0") { text in
            (try? Money(text)).flatMap {
                $0 != .zero && $0 >= -amountMax && $0 <= amountMax ? $0 : nil
            }
        }
        cause = try fields.required(
            "cause", causes.map(\.word).joined(separator: ", ")
        ) { word in causes.first { $0.word == word }?.cause }
        symbol = try fields.text("symbol")
        isRepeated = try fields.flag("repeat")
    }
}

extension OrderID {
    fileprivate init?(text: String) {
        guard let number = Int64(text), number > 0 else { return nil }
        self.init(number: number)
    }
}

extension OrderEvidence {
    fileprivate init?(word: String) {
        switch word.lowercased().replacing("_", with: "-") {
        case "not-at-broker": self = .notAtBroker
        case "working": self = .working
        case "cancelled": self = .cancelled
        default: return nil
        }
    }
}

extension HaltCause {
    /// Its word in commands: `daily_loss`.
    var word: String { DecisionWords.word(String(describing: self)).lowercased() }

    /// The cause of a word; `kill` and `halt` are those of the commands of these names.
    init?(word: String) {
        let plain = word.lowercased().replacing("-", with: "_")
        switch plain {
        case "kill": self = .killed
        case "halt": self = .operatorRequest
        default:
            guard let cause = Self.allCases.first(where: { $0.word == plain }) else { return nil }
            self = cause
        }
    }
}
