package import MarketState
package import Model
package import Primitives

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
