package import MarketState
package import Model

/// All quotes and trades of one symbol: at least one, in the order of time.
package struct TickSeries: Sendable {
    /// The ticker, upper case.
    package let symbol: String
    /// The quotes and trades; those of one timestamp in the order of the file.
    package let rows: [TickRow]
    /// How many of them are trades.
    package let tradeCount: Int
    /// Where they came from.
    package let file: SourceFile

    /// Checked rows of a symbol.
    package init(symbol: String, rows: [TickRow], file: SourceFile) {
        self.symbol = symbol
        self.rows = rows
        self.file = file
        tradeCount = rows.count { $0.isTrade }
    }
}

/// The historical quotes and trades of a run.
package struct TickSet: Sendable {
    /// One series a symbol, sorted by symbol.
    package var series: [TickSeries]
    /// What the prices were adjusted for.
    package let basis: PriceBasis
    /// The sessions they belong to.
    package let calendar: SessionCalendar

    /// Series that belong together.
    package init(series: [TickSeries], basis: PriceBasis, calendar: SessionCalendar) {
        self.series = series
        self.basis = basis
        self.calendar = calendar
    }
}
