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

    /// The row behind the last that is within them, of rows of one instrument by time.
    ///
    /// - Parameters:
    ///   - range: the rows that are looked at; the first one that is not within ends the search.
    ///   - barSize: how long the rows' bars last.
    package func end(of rows: Span<BarRow>, _ range: Range<Int>, barSize: Duration) -> Int {
        guard end > .distantPast + barSize else { return range.lowerBound }
        let timeEnd = rows.firstRow(in: range, notBefore: end - barSize)
        guard !containsAllPrices else { return timeEnd }
        var next = range.lowerBound
        while next < timeEnd, rows[next].low >= low, rows[next].high <= high { next += 1 }
        return next
    }

    /// True if no price is beyond them that an edge lets in.
    private var containsAllPrices: Bool { low <= -.magnitudeMax && high >= .magnitudeMax }
}

extension Span<BarRow> {
    /// The first row that begins at a time or later; the end of the range without one.
    fileprivate func firstRow(in range: Range<Int>, notBefore time: Timestamp) -> Int {
        // Mostly all of them begin before.
        guard let last = range.last, self[last].start >= time else { return range.upperBound }
        var (first, end) = (range.lowerBound, last)
        while first < end {
            let middle = (first + end) / 2
            if self[middle].start < time { first = middle + 1 } else { end = middle }
        }
        return end
    }
}
