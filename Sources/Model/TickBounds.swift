public import Primitives

/// Up to when, and between which prices, quotes and trades are of no concern to anybody but who watches
/// them.
public struct TickBounds: Hashable, BitwiseCopyable, Sendable {
    /// The first timestamp beyond them.
    public var end = Timestamp.distantFuture
    /// The lowest price that may be asked or paid.
    public var low = Price(units: .min)
    /// The highest price that may be bid or paid.
    public var high = Price(units: .max)

    /// Bounds that hold everything.
    public init() {}

    /// True for a row that is within them. False for some that are, too: a bid or an ask that is absent
    /// counts as zero.
    @inlinable
    @inline(__always)
    package func contains(_ row: TickRow) -> Bool {
        row.at < end && row.first <= high.units
            && (row.isTrade ? row.first : row.second) >= low.units
    }
}
