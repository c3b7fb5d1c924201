public import Primitives

/// What an instrument could be bought and sold for at one instant.
///
/// Either side may be absent: nobody offers, or nobody bids. A size is absent with its price, and
/// where the source gives none. Bid and ask may cross for a moment; who minds asks.
public struct Quote: Hashable, Codable, Sendable, BitwiseCopyable {
    /// Whose quote it is.
    public let instrument: InstrumentID
    /// When the exchange made it, by the exchange's clock.
    public let at: Timestamp
    /// The best price somebody would buy at.
    @inlinable public var bid: Price? { parts.contains(.bid) ? Price(units: bidUnits) : nil }
    /// The best price somebody would sell at.
    @inlinable public var ask: Price? { parts.contains(.ask) ? Price(units: askUnits) : nil }
    /// How much would be bought at the bid.
    @inlinable public var bidSize: Quantity? {
        parts.contains(.bidSize) ? Quantity(units: bidSizeUnits) : nil
    }
    /// How much would be sold at the ask.
    @inlinable public var askSize: Quantity? {
        parts.contains(.askSize) ? Quantity(units: askSizeUnits) : nil
    }

    // In steps of 10^-8; what is not there is zero and has no bit in `parts`. Four optionals would take
    // half as much again, and each tick is written down.
    @usableFromInline let parts: TickRow.Parts
    @usableFromInline let bidUnits: Int64
    @usableFromInline let bidSizeUnits: Int64
    @usableFromInline let askUnits: Int64
    @usableFromInline let askSizeUnits: Int64

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
        instrument: InstrumentID, at time: Timestamp, bid: Price?, ask: Price?,
        bidSize: Quantity? = nil, askSize: Quantity? = nil
    ) {
        self.instrument = instrument
        at = time
        var parts: TickRow.Parts = []
        if bid != nil { parts.insert(.bid) }
        if ask != nil { parts.insert(.ask) }
        if bidSize != nil { parts.insert(.bidSize) }
        if askSize != nil { parts.insert(.askSize) }
        self.parts = parts
        bidUnits = bid?.units ?? 0
        bidSizeUnits = bidSize?.units ?? 0
        askUnits = ask?.units ?? 0
        askSizeUnits = askSize?.units ?? 0
    }

    /// The quote that a row holds.
    @inlinable
    init(_ row: TickRow, of instrument: InstrumentID) {
        self.instrument = instrument
        at = row.at
        parts = row.parts
        bidUnits = row.first
        bidSizeUnits = row.firstSize
        askUnits = row.second
        askSizeUnits = row.secondSize
    }
}
