package import MarketState
package import Model
package import Primitives

/// A split or dividend that a bar file names beside a row.
package struct RowAction: Hashable, Sendable {
    /// The row on whose first timestamp it takes effect, as an index into the series' rows.
    package var row: Int
    /// The line of the file that says so, from 1.
    package var line: Int
    /// What happened.
    package var kind: Kind

    /// What a company can do to its shares.
    package enum Kind: Hashable, Sendable {
        /// Each old share became `ratio` new ones: 4 for 4:1, 0.1 for a reverse split of 1:10.
        case split(ratio: Quantity)
        /// Cash a share, in the currency of that day.
        case dividend(Price)
    }

    /// An action at a row.
    package init(row: Int, line: Int, kind: Kind) {
        self.row = row
        self.line = line
        self.kind = kind
    }
}

/// A data file as it was when it was read: enough to see that it is still the same.
package struct SourceFile: Hashable, Sendable {
    /// Where it was found.
    package var path: String
    /// Its size.
    package var bytes: Int
    /// When it was last written, in nanoseconds since 1970 UTC.
    package var modified: Int64
    /// Its number in the file system.
    package var inode: UInt64

    /// A file's identity.
    package init(path: String, bytes: Int, modified: Int64, inode: UInt64) {
        self.path = path
        self.bytes = bytes
        self.modified = modified
        self.inode = inode
    }
}

/// All bars of one symbol: at least one, in time order, none overlapping the next.
package struct BarSeries: Sendable {
    /// The ticker, upper case.
    package var symbol: String
    /// How long each bar lasts; positive.
    package var barSize: Duration
    /// The bars.
    package var rows: [BarRow]
    /// Where they came from.
    package var file: SourceFile
    /// Splits and dividends, in row order.
    package var actions: [RowAction]

    /// Checked bars of a symbol.
    package init(
        symbol: String, barSize: Duration, rows: [BarRow], file: SourceFile,
        actions: [RowAction] = []
    ) {
        self.symbol = symbol
        self.barSize = barSize
        self.rows = rows
        self.file = file
        self.actions = actions
    }
}

/// The historical bars of a run.
package struct DataSet: Sendable {
    /// One series a symbol, sorted by symbol.
    package var series: [BarSeries]
    /// What the prices were adjusted for.
    package var basis: PriceBasis
    /// Which end of a bar the files' date-times marked; `rows` always say the start.
    package var stamp: BarStamp
    /// The sessions the bars belong to.
    package var calendar: SessionCalendar

    /// Series that belong together.
    package init(
        series: [BarSeries], basis: PriceBasis, stamp: BarStamp, calendar: SessionCalendar
    ) {
        self.series = series
        self.basis = basis
        self.stamp = stamp
        self.calendar = calendar
    }
}
