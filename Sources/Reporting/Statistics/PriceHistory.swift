import Model
package import Primitives

/// The prices of the past, as far as reports ask for them.
///
/// Asking changes it, so that it may remember where it was: questions about an instrument mostly come
/// in order of time.
package protocol PriceHistory {
    /// The lowest and the highest price of the instrument's bars that begin at `start` or later and
    /// end at `end` or earlier; `nil` without such a bar.
    mutating func range(
        of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
    ) -> PriceRange?

    /// The first price of the instrument's bar that begins at `start`; `nil` without such a bar.
    mutating func open(of instrument: InstrumentID, at start: Timestamp) -> Price?
}

/// A lowest and a highest price.
package struct PriceRange: Hashable, Sendable {
    /// The lowest.
    package var low: Price
    /// The highest.
    package var high: Price

    /// A range; `low` is at most `high`.
    package init(low: Price, high: Price) {
        self.low = low
        self.high = high
    }
}
