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

    /// The row behind the last whose prices are within them.
    ///
    /// - Parameter range: the rows that are looked at; the first one that is not within ends the search.
    package func pricesEnd(of rows: Span<BarRow>, _ range: Range<Int>) -> Int {
        guard !containsAllPrices else { return range.upperBound }
        var next = range.lowerBound
        while next < range.upperBound, rows[next].low >= low, rows[next].high <= high { next += 1 }
        return next
    }

    /// The first start of a bar whose end is beyond them.
    package func startEnd(barSize: Duration) -> Timestamp {
        end > .distantPast + barSize ? end - barSize : .distantPast
    }

    /// True if no price is beyond them that an edge lets in.
    package var containsAllPrices: Bool { low <= -.magnitudeMax && high >= .magnitudeMax }
}
