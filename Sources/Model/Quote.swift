public import Primitives

/// What an instrument could be bought and sold for at one instant.
///
/// Either side may be absent: nobody offers, or nobody bids. A size is absent with its price, and
/// where the source tells none. Bid and ask may cross for a moment; who minds asks.
public struct Quote: Hashable, Sendable, BitwiseCopyable {
    /// Whose quote it is.
    public let instrument: InstrumentID
    /// When the exchange made it, by the exchange's clock.
    public let at: Timestamp
    /// The best price somebody would buy at.
    public let bid: Price?
    /// The best price somebody would sell at.
    public let ask: Price?
    /// How much would be bought at the bid.
    public let bidSize: Quantity?
    /// How much would be sold at the ask.
    public let askSize: Quantity?

    /// The middle of bid and ask, rounded down to a price unit; `nil` unless both are there and do not
    /// cross.
    public var middle: Price? {
        guard let bid, let ask, bid <= ask else { return nil }
        let (width, isTooWide) = ask.units.subtractingReportingOverflow(bid.units)
        return isTooWide ? nil : Price(units: bid.units + width / 2)
    }

    /// A quote as its source gives it.
    @inlinable
    public init(
        instrument: InstrumentID, at instant: Timestamp, bid: Price?, ask: Price?,
        bidSize: Quantity? = nil, askSize: Quantity? = nil
    ) {
        self.instrument = instrument
        at = instant
        self.bid = bid
        self.ask = ask
        self.bidSize = bidSize
        self.askSize = askSize
    }
}
