package import MarketState
package import Model
package import Primitives

/// Rows as lines of a bar file.
package struct BarText {
    private let isDated: Bool
    private let calendar: SessionCalendar
    /// The last day's name and what midnight is on its clock, and when that ends.
    private var day = (
        text: "", offset: "", midnight: Timestamp.distantPast, end: Timestamp.distantPast
    )

    /// Lines with dates, or with timestamps on the calendar's clock.
    package init(isDated: Bool, calendar: SessionCalendar) {
        self.isDated = isDated
        self.calendar = calendar
    }

    /// The first line; `others` are columns behind the close. A known length of bars is declared in it.
    package func header(_ others: [String], barSize: Duration? = nil) -> String {
        let stamp = barSize.map { "timestamp_" + BarSize.name($0) } ?? "timestamp"
        return ([isDated ? "date" : stamp, "open", "high", "low", "close"] + others)
            .joined(separator: ",") + "\n"
    }

    /// The line of a row with its volume.
    package mutating func line(_ row: BarRow) -> String {
        "\(stamp(row.start)),\(prices(row)),\(row.volume)\n"
    }

    /// Open, high, low and close.
    func prices(_ row: BarRow) -> String { "\(row.open),\(row.high),\(row.low),\(row.close)" }

    /// A date, or `2019-02-11T09:30:00-05:00`.
    mutating func stamp(_ time: Timestamp) -> String {
        if isDated { return calendar.day(of: time).description }
        if time >= day.end || time < day.midnight {
            begin(calendar.day(of: time), time)
        }
        let since = (time - day.midnight).nanoseconds
        let second = since / 1_000_000_000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let clock = "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
        let remainder = since % 1_000_000_000
        let fraction =
            remainder == 0 ? "" : "." + String(String(remainder + 1_000_000_000).dropFirst())
        return day.text + "T" + clock + fraction + day.offset
    }

    /// Takes another day, or another part of one in which clocks change.
    private mutating func begin(_ name: Day, _ time: Timestamp) {
        switch calendar {
        case .always:
            day = (
                name.description, "Z", Timestamp(day: name),
                Timestamp(day: name.advanced(by: 1))
            )
        case .newYork:
            let behind = NewYork.behindUTC(at: time)
            let midnight = Timestamp(day: name) + behind
            // Clocks change on whole hours, at night.
            let hour = Duration.hours(1).nanoseconds
            let nextHour = Timestamp(nanoseconds: (time.nanoseconds / hour + 1) * hour)
            let end = calendar.dayEnd(of: name)
            let changes = NewYork.behindUTC(at: end - Duration(nanoseconds: 1)) != behind
            day = (
                name.description, behind == .hours(4) ? "-04:00" : "-05:00", midnight,
                changes ? nextHour : end
            )
        }
    }
}
