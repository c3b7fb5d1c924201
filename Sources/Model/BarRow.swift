public import Primitives

/// A bar of a series that knows for all its bars whose they are and how long they last.
public struct BarRow: Hashable, BitwiseCopyable, Sendable {
    /// When the bar begins.
    public var start: Timestamp
    /// The first price.
    public var open: Price
    /// The highest price.
    public var high: Price
    /// The lowest price.
    public var low: Price
    /// The last price.
    public var close: Price
    /// What was traded; zero where the source has no volume.
    public var volume: Quantity

    /// A row as its source gives it.
    @inlinable
    public init(
        start: Timestamp, open: Price, high: Price, low: Price, close: Price, volume: Quantity
    ) {
        self.start = start
        self.open = open
        self.high = high
        self.low = low
        self.close = close
        self.volume = volume
    }
}

extension Bar {
    /// A row as a bar.
    @inlinable
    public init(_ row: BarRow, of instrument: InstrumentID, barSize: Duration) {
        self.init(
            instrument: instrument, start: row.start, barSize: barSize, open: row.open,
            high: row.high, low: row.low, close: row.close, volume: row.volume)
    }
}
