package import Primitives

/// Up to when, and between which prices, bars of an instrument can be taken in together: nothing else may happen
/// within them.
package struct BarBounds: Hashable, BitwiseCopyable, Sendable {
    /// The first time beyond them: bars must end before it.
    package var end = Timestamp.distantFuture
    /// The lowest price that a bar may reach.
    package var low = Price(units: .min)
    /// The highest price that a bar may reach.
    package var high = Price(units: .max)

    /// Bounds that contain everything.
    package init() {}

    /// Narrows the prices; what is wider than the bounds changes nothing.
    package mutating func narrow(to prices: ClosedRange<Price>) {
        low = max(low, prices.lowerBound)
        high = min(high, prices.upperBound)
    }
}
