package import MarketState
package import Primitives

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

/// Where historical bars are and how their files are meant.
package struct DataSource: Sendable {
    /// A folder of `SYMBOL.csv` and `SYMBOL.csv.gz` files, or one such file.
    package var path: String
    /// Which symbols to read, in any case and order; every file found when empty.
    package var symbols: [String] = []
    /// What the prices were adjusted for.
    package var basis = PriceBasis.raw
    /// Which end of a bar a date-time marks. Rows with a date alone are whole sessions either way.
    package var stamp = BarStamp.start
    /// The clock of date-times that carry no offset; they are refused when `nil`.
    package var zone: WallClock?
    /// How long a bar lasts; when `nil`, what the file's time column says, or else the most
    /// frequent step between its rows; see `BarSize`.
    package var barSize: Duration?
    /// The sessions that rows with a date alone stand for.
    package var calendar: SessionCalendar

    /// Bars as traded, stamped at their start, found at `path`.
    package init(path: String, calendar: SessionCalendar) {
        self.path = path
        self.calendar = calendar
    }
}
