/// What a tick of a market data subscription publishes, by its number.
///
/// Gateways may send numbers that are not known; they have no name and no carrier.
public struct TickType: WireCode {
    /// The number as it travels.
    public let code: Int32

    /// The kind with this number, known or not.
    public init(code: Int32) { self.code = code }

    /// The kind of message that carries a tick.
    public enum Carrier: Hashable, Sendable {
        /// `tickPrice`.
        case price
        /// `tickSize`.
        case size
        /// `tickString`.
        case text
        /// `tickGeneric`.
        case number
        /// `tickOptionComputation`.
        case option
        /// `tickEFP`.
        case exchangeForPhysical
        /// None: the number is not in use.
        case nothing
    }

    /// Every known kind, by number.
    public static let known = entries.indices.map { TickType(code: Int32($0)) }

    /// Its name, that of the constant; `nil` where the number is not known.
    public var name: String? { entry?.name.description }

    /// The kind of message that carries it; `nil` where the number is not known.
    public var carrier: Carrier? { entry?.carrier }

    /// The size that belongs to a price and travels with it in `tickPrice`; `nil` where none does.
    public var size: TickType? {
        switch self {
        case .bid: .bidSize
        case .ask: .askSize
        case .last: .lastSize
        case .delayedBid: .delayedBidSize
        case .delayedAsk: .delayedAskSize
        case .delayedLast: .delayedLastSize
        default: nil
        }
    }

    private var entry: Entry? {
        Self.entries.indices.contains(Int(code)) ? Self.entries[Int(code)] : nil
    }

    private typealias Entry = (name: StaticString, carrier: Carrier)

    private static let entries: [Entry] = [
        ("bidSize", .size),
        ("bid", .price),
        ("ask", .price),
        ("askSize", .size),
        ("last", .price),
        ("lastSize", .size),
        ("high", .price),
        ("low", .price),
        ("volume", .size),
        ("close", .price),
        ("bidOptionComputation", .option),
        ("askOptionComputation", .option),
        ("lastOptionComputation", .option),
        ("modelOption", .option),
        ("open", .price),
        ("low13Weeks", .price),
        ("high13Weeks", .price),
        ("low26Weeks", .price),
        ("high26Weeks", .price),
        ("low52Weeks", .price),
        ("high52Weeks", .price),
        ("averageVolume", .size),
        ("openInterest", .size),
        ("optionHistoricalVolatility", .number),
        ("optionImpliedVolatility", .number),
        ("optionBidExchange", .text),
        ("optionAskExchange", .text),
        ("optionCallOpenInterest", .size),
        ("optionPutOpenInterest", .size),
        ("optionCallVolume", .size),
        ("optionPutVolume", .size),
        ("indexFuturePremium", .number),
        ("bidExchange", .text),
        ("askExchange", .text),
        ("auctionVolume", .size),
        ("auctionPrice", .price),
        ("auctionImbalance", .size),
        ("markPrice", .price),
        ("bidEFPComputation", .exchangeForPhysical),
        ("askEFPComputation", .exchangeForPhysical),
        ("lastEFPComputation", .exchangeForPhysical),
        ("openEFPComputation", .exchangeForPhysical),
        ("highEFPComputation", .exchangeForPhysical),
        ("lowEFPComputation", .exchangeForPhysical),
        ("closeEFPComputation", .exchangeForPhysical),
        ("lastTimestamp", .text),
        ("shortable", .number),
        ("notUsed", .nothing),
        ("realTimeVolume", .text),
        ("halted", .number),
        ("bidYield", .price),
        ("askYield", .price),
        ("lastYield", .price),
        ("customOptionComputation", .option),
        ("tradeCount", .number),
        ("tradeRate", .number),
        ("volumeRate", .number),
        ("lastRegularHoursTrade", .price),
        ("realTimeHistoricalVolatility", .number),
        ("ibDividends", .text),
        ("bondFactorMultiplier", .number),
        ("regulatoryImbalance", .size),
        ("newsTick", .text),
        ("shortTermVolume3Minutes", .size),
        ("shortTermVolume5Minutes", .size),
        ("shortTermVolume10Minutes", .size),
        ("delayedBid", .price),
        ("delayedAsk", .price),
        ("delayedLast", .price),
        ("delayedBidSize", .size),
        ("delayedAskSize", .size),
        ("delayedLastSize", .size),
        ("delayedHigh", .price),
        ("delayedLow", .price),
        ("delayedVolume", .size),
        ("delayedClose", .price),
        ("delayedOpen", .price),
        ("realTimeTradeVolume", .text),
        ("creditmanMarkPrice", .price),
        ("creditmanSlowMarkPrice", .price),
        ("delayedBidOption", .option),
        ("delayedAskOption", .option),
        ("delayedLastOption", .option),
        ("delayedModelOption", .option),
        ("lastExchange", .text),
        ("lastRegulatoryTime", .text),
        ("futuresOpenInterest", .size),
        ("averageOptionVolume", .size),
        ("delayedLastTimestamp", .text),
        ("shortableShares", .size),
        ("delayedHalted", .number),
        ("reuters2MutualFunds", .text),
        ("etfNAVClose", .price),
        ("etfNAVPriorClose", .price),
        ("etfNAVBid", .price),
        ("etfNAVAsk", .price),
        ("etfNAVLast", .price),
        ("etfFrozenNAVLast", .price),
        ("etfNAVHigh", .price),
        ("etfNAVLow", .price),
        ("socialMarketAnalytics", .number),
        ("estimatedIPOMidpoint", .number),
        ("finalIPOLast", .number),
        ("delayedYieldBid", .price),
        ("delayedYieldAsk", .price),
        ("oddLotBid", .price),
        ("oddLotAsk", .price),
        ("oddLotBidSize", .size),
        ("oddLotAskSize", .size),
        ("oddLotBidExchange", .text),
        ("oddLotAskExchange", .text),
    ]
}

extension TickType: CustomStringConvertible {
    /// The name, or the number where there is none.
    public var description: String { name ?? String(code) }
}
