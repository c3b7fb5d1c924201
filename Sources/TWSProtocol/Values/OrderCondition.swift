/// What must hold before an order works, or what cancels it.
public enum OrderCondition: FieldRecord {
    /// A price of an instrument.
    case price(PriceCondition)
    /// A time.
    case time(TimeCondition)
    /// The account's cushion above its margin.
    case margin(MarginCondition)
    /// A fill in an instrument.
    case execution(ExecutionCondition)
    /// The day's volume of an instrument.
    case volume(VolumeCondition)
    /// The day's change of an instrument's price.
    case percentChange(PercentChangeCondition)

    /// A price condition with nothing set.
    public init() { self = .price(PriceCondition()) }

    /// How the next condition joins this one; without meaning on the last.
    public var conjunction: Conjunction {
        switch self {
        case .price(let condition): condition.conjunction
        case .time(let condition): condition.conjunction
        case .margin(let condition): condition.conjunction
        case .execution(let condition): condition.conjunction
        case .volume(let condition): condition.conjunction
        case .percentChange(let condition): condition.conjunction
        }
    }

    /// How two conditions go together.
    public enum Conjunction: WireWord {
        /// Both must hold.
        case and
        /// One of them is enough.
        case or
        /// A word that is not known.
        case unknown(String)

        /// Every known one.
        public static let known: [Conjunction] = [.and, .or]
        /// Their words.
        public static let words = WordTable<Conjunction>(known)

        /// The word as it travels.
        public var word: String {
            switch self {
            case .and: "a"
            case .or: "o"
            case .unknown(let word): word
            }
        }
    }

    /// The kinds by their numbers.
    private enum Kind: Int32 {
        case price = 1
        case time = 3
        case margin = 4
        case execution = 5
        case volume = 6
        case percentChange = 7
    }

    private var kind: Kind {
        switch self {
        case .price: .price
        case .time: .time
        case .margin: .margin
        case .execution: .execution
        case .volume: .volume
        case .percentChange: .percentChange
        }
    }

    /// The kind, then what it takes. A kind that is not known rejects the message: where its fields end
    /// is not known either.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        var number = kind.rawValue
        coder.integer("type", &number)
        guard let kind = Kind(rawValue: number) else { return coder.reject("type") }
        switch kind {
        case .price:
            var condition = priceCondition ?? PriceCondition()
            condition.fields(&coder)
            self = .price(condition)
        case .time:
            var condition = timeCondition ?? TimeCondition()
            condition.fields(&coder)
            self = .time(condition)
        case .margin:
            var condition = marginCondition ?? MarginCondition()
            condition.fields(&coder)
            self = .margin(condition)
        case .execution:
            var condition = executionCondition ?? ExecutionCondition()
            condition.fields(&coder)
            self = .execution(condition)
        case .volume:
            var condition = volumeCondition ?? VolumeCondition()
            condition.fields(&coder)
            self = .volume(condition)
        case .percentChange:
            var condition = percentChangeCondition ?? PercentChangeCondition()
            condition.fields(&coder)
            self = .percentChange(condition)
        }
    }

    private var priceCondition: PriceCondition? {
        if case .price(let condition) = self { condition } else { nil }
    }
    private var timeCondition: TimeCondition? {
        if case .time(let condition) = self { condition } else { nil }
    }
    private var marginCondition: MarginCondition? {
        if case .margin(let condition) = self { condition } else { nil }
    }
    private var executionCondition: ExecutionCondition? {
        if case .execution(let condition) = self { condition } else { nil }
    }
    private var volumeCondition: VolumeCondition? {
        if case .volume(let condition) = self { condition } else { nil }
    }
    private var percentChangeCondition: PercentChangeCondition? {
        if case .percentChange(let condition) = self { condition } else { nil }
    }
}

/// A price of an instrument is reached.
public struct PriceCondition: FieldRecord {
    /// How the next condition joins this one.
    public var conjunction = OrderCondition.Conjunction.and
    /// Whether the value must be at least this, or at most.
    public var isMore = true
    /// The price.
    public var price: DecimalValue = .zero
    /// The instrument.
    public var conId: ContractID = 0
    /// The exchange whose prices count.
    public var exchange = ""
    /// Which prices count.
    public var triggerMethod = TriggerMethod.standard

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("conjunction", &conjunction)
        coder.flag("isMore", &isMore)
        coder.double("price", &price, or: .zero)
        coder.id("conId", &conId, or: 0)
        coder.text("exchange", &exchange)
        coder.code("triggerMethod", &triggerMethod, or: .standard)
    }
}

/// A time is reached.
public struct TimeCondition: FieldRecord {
    /// How the next condition joins this one.
    public var conjunction = OrderCondition.Conjunction.and
    /// Whether the value must be at least this, or at most.
    public var isMore = true
    /// The time, in UTC or with its zone.
    public var time = WireTime.none

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("conjunction", &conjunction)
        coder.flag("isMore", &isMore)
        coder.time("time", &time)
    }
}

/// The account's cushion above its margin passes a bound.
public struct MarginCondition: FieldRecord {
    /// How the next condition joins this one.
    public var conjunction = OrderCondition.Conjunction.and
    /// Whether the value must be at least this, or at most.
    public var isMore = true
    /// The bound in percent.
    public var percent: Int32 = 0

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("conjunction", &conjunction)
        coder.flag("isMore", &isMore)
        coder.integer("percent", &percent, or: 0)
    }
}

/// Something is filled in an instrument.
public struct ExecutionCondition: FieldRecord {
    /// How the next condition joins this one.
    public var conjunction = OrderCondition.Conjunction.and
    /// The kind of instrument.
    public var secType = SecurityType.none
    /// The exchange of the fill.
    public var exchange = ""
    /// The symbol.
    public var symbol = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("conjunction", &conjunction)
        coder.word("secType", &secType)
        coder.text("exchange", &exchange)
        coder.text("symbol", &symbol)
    }
}

/// The day's volume of an instrument passes a bound.
public struct VolumeCondition: FieldRecord {
    /// How the next condition joins this one.
    public var conjunction = OrderCondition.Conjunction.and
    /// Whether the value must be at least this, or at most.
    public var isMore = true
    /// The bound in shares or contracts.
    public var volume: Int64 = 0
    /// The instrument.
    public var conId: ContractID = 0
    /// The exchange whose prices count.
    public var exchange = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("conjunction", &conjunction)
        coder.flag("isMore", &isMore)
        coder.integer("volume", &volume, or: 0)
        coder.id("conId", &conId, or: 0)
        coder.text("exchange", &exchange)
    }
}

/// The day's change of an instrument's price passes a bound.
public struct PercentChangeCondition: FieldRecord {
    /// How the next condition joins this one.
    public var conjunction = OrderCondition.Conjunction.and
    /// Whether the value must be at least this, or at most.
    public var isMore = true
    /// The bound in percent.
    public var changePercent: DecimalValue = .zero
    /// The instrument.
    public var conId: ContractID = 0
    /// The exchange whose prices count.
    public var exchange = ""

    /// With nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.word("conjunction", &conjunction)
        coder.flag("isMore", &isMore)
        coder.double("changePercent", &changePercent, or: .zero)
        coder.id("conId", &conId, or: 0)
        coder.text("exchange", &exchange)
    }
}
