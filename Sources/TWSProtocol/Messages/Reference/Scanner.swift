/// Asks what the scanner can do.
public struct ReqScannerParameters: FieldRecord {
    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
    }
}

/// What the scanner can do.
public struct ScannerParameters: FieldRecord {
    /// Instruments, locations, codes and filters as XML, up to 2 MB.
    public var xml = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.escapedText("xml", &xml)
    }
}

/// Subscribes to a scan of the market.
public struct ReqScannerSubscription: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Rows at most; -1 for the gateway's own choice.
    public var numberOfRows: Int32 = -1
    /// The kind of instrument, such as `STK`.
    public var instrument = ""
    /// Where, such as `STK.US.MAJOR`.
    public var locationCode = ""
    /// What for, such as `TOP_PERC_GAIN`.
    public var scanCode = ""
    /// Price from here on.
    public var abovePrice: DecimalValue?
    /// Price up to here.
    public var belowPrice: DecimalValue?
    /// Volume from here on.
    public var aboveVolume: Int64?
    /// Capitalisation from here on.
    public var marketCapAbove: DecimalValue?
    /// Capitalisation up to here.
    public var marketCapBelow: DecimalValue?
    /// Moody's rating from here on.
    public var moodyRatingAbove = ""
    /// Moody's rating up to here.
    public var moodyRatingBelow = ""
    /// S&P's rating from here on.
    public var spRatingAbove = ""
    /// S&P's rating up to here.
    public var spRatingBelow = ""
    /// Maturity from here on.
    public var maturityDateAbove = ""
    /// Maturity up to here.
    public var maturityDateBelow = ""
    /// Interest from here on, in percent.
    public var couponRateAbove: DecimalValue?
    /// Interest up to here, in percent.
    public var couponRateBelow: DecimalValue?
    /// Without convertible bonds.
    public var excludeConvertible = false
    /// Average volume of options from here on.
    public var averageOptionVolumeAbove: Int64?
    /// Settings of some scans, such as `Annual,true`.
    public var scannerSettingPairs = ""
    /// Kinds of stock: `CORP`, `ADR`, `ETF`, `REIT`, `CEF`, `ALL`.
    public var stockTypeFilter = ""
    /// Further filters by their names in the scanner's parameters.
    public var scannerSubscriptionFilterOptions: [TagValue] = []
    /// Options for the broker's own use.
    public var scannerSubscriptionOptions: [TagValue] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.id("reqId", &reqId)
        coder.integer("numberOfRows", &numberOfRows, or: -1)
        coder.text("instrument", &instrument)
        coder.text("locationCode", &locationCode)
        coder.text("scanCode", &scanCode)
        coder.double("abovePrice", &abovePrice, .empty)
        coder.double("belowPrice", &belowPrice, .empty)
        coder.integer("aboveVolume", &aboveVolume, .empty)
        coder.double("marketCapAbove", &marketCapAbove, .empty)
        coder.double("marketCapBelow", &marketCapBelow, .empty)
        coder.text("moodyRatingAbove", &moodyRatingAbove)
        coder.text("moodyRatingBelow", &moodyRatingBelow)
        coder.text("spRatingAbove", &spRatingAbove)
        coder.text("spRatingBelow", &spRatingBelow)
        coder.text("maturityDateAbove", &maturityDateAbove)
        coder.text("maturityDateBelow", &maturityDateBelow)
        coder.double("couponRateAbove", &couponRateAbove, .empty)
        coder.double("couponRateBelow", &couponRateBelow, .empty)
        coder.flag("excludeConvertible", &excludeConvertible)
        coder.integer("averageOptionVolumeAbove", &averageOptionVolumeAbove, .empty)
        coder.text("scannerSettingPairs", &scannerSettingPairs)
        coder.text("stockTypeFilter", &stockTypeFilter)
        coder.tagText("scannerSubscriptionFilterOptions", &scannerSubscriptionFilterOptions)
        coder.tagText("scannerSubscriptionOptions", &scannerSubscriptionOptions)
    }
}

/// Ends a scanner subscription.
public struct CancelScannerSubscription: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("1")
        coder.id("reqId", &reqId)
    }
}

/// One instrument a scan found.
public struct ScannerRow: FieldRecord {
    /// Its place, counted from 0.
    public var rank: Int32 = 0
    /// The instrument.
    public var contract = Contract()
    /// The product's name at its market.
    public var marketName = ""
    /// Depends on the scan.
    public var distance = ""
    /// Depends on the scan.
    public var benchmark = ""
    /// Depends on the scan.
    public var projection = ""
    /// A combination's legs.
    public var legsStr = ""

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.integer("rank", &rank, or: 0)
        coder.id("conId", &contract.conId, or: 0)
        coder.text("symbol", &contract.symbol)
        coder.word("secType", &contract.secType)
        coder.text("lastTradeDateOrContractMonth", &contract.lastTradeDateOrContractMonth)
        coder.double("strike", &contract.strike, .empty)
        coder.word("right", &contract.right)
        coder.text("exchange", &contract.exchange)
        coder.text("currency", &contract.currency)
        coder.text("localSymbol", &contract.localSymbol)
        coder.text("marketName", &marketName)
        coder.text("tradingClass", &contract.tradingClass)
        coder.text("distance", &distance)
        coder.text("benchmark", &benchmark)
        coder.text("projection", &projection)
        coder.text("legsStr", &legsStr)
    }
}

/// All rows of a scan, sent anew as they change.
public struct ScannerData: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// The rows, best first.
    public var rows: [ScannerRow] = []

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("3")
        coder.id("reqId", &reqId)
        coder.list("rows", &rows)
    }
}
