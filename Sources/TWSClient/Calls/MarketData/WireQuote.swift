public import Primitives
public import TWSProtocol

/// What an instrument trades at, by its ticks so far. All numbers are exact decimals; `nil`
/// stands for what was not published, or for a side on which nobody quotes.
public struct WireQuote: Hashable, Sendable {
    /// The best price that buyers offer.
    public internal(set) var bid: DecimalValue?
    /// How much they want there.
    public internal(set) var bidSize: DecimalValue?
    /// The best price that sellers offer.
    public internal(set) var ask: DecimalValue?
    /// How much they have there.
    public internal(set) var askSize: DecimalValue?
    /// The price of the last trade.
    public internal(set) var last: DecimalValue?
    /// Its size.
    public internal(set) var lastSize: DecimalValue?
    /// The day's traded volume.
    public internal(set) var volume: DecimalValue?
    /// The day's first price.
    public internal(set) var open: DecimalValue?
    /// The day's highest price.
    public internal(set) var high: DecimalValue?
    /// The day's lowest price.
    public internal(set) var low: DecimalValue?
    /// The last close before the day.
    public internal(set) var close: DecimalValue?
    /// The price the broker values positions at (generic tick 221 or 232).
    public internal(set) var mark: DecimalValue?
    /// Whether trading is halted.
    public internal(set) var halt = Halt.unknown
    /// The broker's model of an option: volatility, sensitivities.
    public internal(set) var model: TickOptionComputation?
    /// When the exchange made the last trade, in whole seconds; `nil` where none was published.
    public internal(set) var lastTradeAt: Timestamp?
    /// When the newest tick in it came to this program, by this machine's time of day.
    public internal(set) var receivedAt: Timestamp
    /// How fresh the data are. Anything but `live` is late or of a closed market.
    public internal(set) var mode: MarketDataMode
    /// What changed against the quote before.
    public internal(set) var changed = Changes()

    /// Nothing published yet.
    init(mode: MarketDataMode, receivedAt: Timestamp) {
        self.mode = mode
        self.receivedAt = receivedAt
    }

    /// The middle between bid and ask; `nil` unless both are there and the middle is an exact decimal of
    /// 8 digits or fewer.
    public var midpoint: DecimalValue? {
        guard let bid = bid?.price, let ask = ask?.price else { return nil }
        let sum = bid.units + ask.units
        return sum.isMultiple(of: 2) ? DecimalValue(Price(units: sum / 2)) : nil
    }

    /// Whether the data are 15 to 20 minutes late.
    public var isDelayed: Bool { mode == .delayed || mode == .delayedFrozen }

    /// Whether trading is halted.
    public enum Halt: Hashable, Sendable {
        /// Not published.
        case unknown
        /// It is not.
        case none
        /// For a reason such as news.
        case general
        /// Because of volatility.
        case volatility
    }

    /// Parts of a quote.
    public struct Changes: OptionSet, Hashable, Sendable {
        /// One bit each.
        public let rawValue: UInt16
        /// The parts of these bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// Bid or its size.
        public static let bid = Changes(rawValue: 1)
        /// Ask or its size.
        public static let ask = Changes(rawValue: 2)
        /// Last price, its size or its time.
        public static let last = Changes(rawValue: 4)
        /// Volume.
        public static let volume = Changes(rawValue: 8)
        /// Open, high, low or close.
        public static let day = Changes(rawValue: 16)
        /// Mark price.
        public static let mark = Changes(rawValue: 32)
        /// Halt.
        public static let halt = Changes(rawValue: 64)
        /// An option's model.
        public static let model = Changes(rawValue: 128)
        /// How fresh the data are.
        public static let mode = Changes(rawValue: 256)
    }
}
