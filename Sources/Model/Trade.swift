public import Primitives

/// One trade that others made in an instrument.
public struct Trade: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Whose trade it is.
    public let instrument: InstrumentID
    /// When it was made, by the exchange's clock.
    public let at: Timestamp
    /// What was paid.
    public let price: Price
    /// How much changed hands; zero where the source has none (indices).
    public let size: Quantity

    /// A trade as its source gives it.
    @inlinable
    public init(instrument: InstrumentID, at time: Timestamp, price: Price, size: Quantity) {
        self.instrument = instrument
        at = time
        self.price = price
        self.size = size
    }
}
