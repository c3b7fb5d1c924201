public import Primitives

/// What traded in one instrument from `start` for `barSize`.
public struct Bar: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Whose bar it is.
    public let instrument: InstrumentID
    /// When it begins.
    public let start: Timestamp
    /// How long it lasts; positive.
    public let barSize: Duration
    /// The first price.
    public let open: Price
    /// The highest price.
    public let high: Price
    /// The lowest price.
    public let low: Price
    /// The last price.
    public let close: Price
    /// Shares traded; zero where the source has none (indices).
    public let volume: Quantity

    /// The first timestamp that no longer belongs to it; the bar is known from then on.
    public var end: Timestamp { start + barSize }

    /// A bar as its source gives it; the source has checked that low <= open, close <= high.
    @inlinable
    public init(
        instrument: InstrumentID, start: Timestamp, barSize: Duration,
        open: Price, high: Price, low: Price, close: Price, volume: Quantity
    ) {
        self.instrument = instrument
        self.start = start
        self.barSize = barSize
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
    }
}
