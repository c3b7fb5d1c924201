/// Asks which volatility an option's price implies.
public struct CalculateImpliedVolatility: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The option.
    public var contract = Contract()
    /// The option's price.
    public var optionPrice = DecimalValue.zero
    /// The underlying's price.
    public var underPrice = DecimalValue.zero
    /// Options for the broker's own use.
    public var impliedVolatilityOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("3")
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.double("optionPrice", &optionPrice)
        coder.double("underPrice", &underPrice)
        // ib_async writes the number of options in front of them.
        coder.skipIfRemaining(2)
        coder.tagText("impliedVolatilityOptions", &impliedVolatilityOptions)
    }
}

/// Asks which price a volatility gives an option.
public struct CalculateOptionPrice: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0
    /// The option.
    public var contract = Contract()
    /// The volatility; 0.2 for 20 %.
    public var volatility = DecimalValue.zero
    /// The underlying's price.
    public var underPrice = DecimalValue.zero
    /// Options for the broker's own use.
    public var optionPriceOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("3")
        coder.id("reqId", &reqId)
        contract.fields(&coder)
        coder.double("volatility", &volatility)
        coder.double("underPrice", &underPrice)
        // ib_async writes the number of options in front of them.
        coder.skipIfRemaining(2)
        coder.tagText("optionPriceOptions", &optionPriceOptions)
    }
}

/// Ends a request for an implied volatility.
public struct CancelCalcImpliedVolat: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
    }
}

/// Ends a request for an option's price.
public struct CancelCalcOptionPrice: FieldRecord {
    /// The request.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
    }
}

/// An option's implied volatility and sensitivities. What was not computed is `nil`; it travels as -1
/// (volatility and prices) or -2 (sensitivities).
public struct TickOptionComputation: FieldRecord {
    /// The subscription, or the calculation that was asked for.
    public var reqId: RequestID = 0
    /// Which price it is computed from.
    public var tickType = TickType.modelOption
    /// 0: returns, 1: prices were the base.
    public var tickAttrib: Int32 = 0
    /// The implied volatility; 0.2 for 20 %.
    public var impliedVol: DecimalValue?
    /// Change of the price by the underlying's.
    public var delta: DecimalValue?
    /// The option's price.
    public var optPrice: DecimalValue?
    /// Present value of dividends expected.
    public var pvDividend: DecimalValue?
    /// Change of delta by the underlying's price.
    public var gamma: DecimalValue?
    /// Change of the price by volatility.
    public var vega: DecimalValue?
    /// Change of the price by time.
    public var theta: DecimalValue?
    /// The underlying's price.
    public var undPrice: DecimalValue?

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.code("tickType", &tickType)
        coder.integer("tickAttrib", &tickAttrib, or: 0)
        coder.computed("impliedVol", &impliedVol, none: -1)
        coder.computed("delta", &delta, none: -2)
        coder.computed("optPrice", &optPrice, none: -1)
        coder.computed("pvDividend", &pvDividend, none: -1)
        coder.computed("gamma", &gamma, none: -2)
        coder.computed("vega", &vega, none: -2)
        coder.computed("theta", &theta, none: -2)
        coder.computed("undPrice", &undPrice, none: -1)
    }
}

extension FieldCoder where Self: ~Copyable {
    /// A number that gateways write as `none` where they computed nothing.
    fileprivate mutating func computed(
        _ name: StaticString, _ value: inout DecimalValue?, none: DecimalValue
    ) {
        var number = value ?? none
        double(name, &number, or: none)
        value = number == none ? nil : number
    }
}
