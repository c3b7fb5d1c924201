/// What the prices of a data file were adjusted for.
package enum PriceBasis: String, CaseIterable, Sendable {
    /// As traded.
    case raw
    /// Adjusted for splits.
    case split
    /// Adjusted for splits and dividends.
    case total
}

/// Which end of a bar its row's time marks.
package enum BarStamp: String, CaseIterable, Sendable {
    /// The first timestamp of the bar.
    case start
    /// The first timestamp after the bar.
    case end
}

/// The clock that date-times without an offset were read from.
package enum WallClock: String, CaseIterable, Sendable {
    /// Universal time.
    case utc
    /// New York's wall clock, with daylight saving.
    case newYork = "new_york"
}

/// What the rows of a data file are.
package enum DataKind: String, CaseIterable, Sendable {
    /// Bars.
    case bars
    /// Quotes and trades.
    case ticks
}
