internal import MarketState
import Model
internal import Primitives

/// Whether the first bar of each session is shorter than the others.
///
/// Bars of an hour that begin at whole hours, as Interactive Brokers' do, have a first one of half an hour:
/// 09:30, 10:00, 11:00. The smallest step is then not their length: taken for it, each bar would end half
/// an hour early, and a strategy see closes before they were.
enum FirstBars {
    /// The length of the bars behind the first of each session, if that is shorter; otherwise `nil`.
    ///
    /// The first steps are then the smallest, begin at the open, and end where the others begin: at
    /// multiples of their length from New York's midnight. Whether it is so hangs on rows being there: a
    /// file of half hours that lacks every other row looks the same.
    ///
    /// - Parameters:
    ///   - rows: in order of time; `start` is when their bars begin.
    ///   - step: the smallest step between two of them.
    static func barSizeOfOthers(
        _ rows: [BarRow], step: Int64, calendar: SessionCalendar
    ) -> Duration? {
        guard calendar == .newYork, step > 0, let steps = laterSteps(rows, step, calendar) else {
            return nil
        }
        // Of four hours there is but one whole bar a session, from noon.
        let barSize = steps == .max ? Duration.hours(4) : Duration(nanoseconds: steps)
        guard step == Self.toGrid(sinceMidnight: openSinceMidnight, barSize) else { return nil }
        var days = DayWalk(calendar)
        for row in rows where !days.isFirst(row.start) {
            let sinceMidnight = (row.start - days.open).nanoseconds + openSinceMidnight
            guard Self.toGrid(sinceMidnight: sinceMidnight, barSize) == barSize.nanoseconds else {
                return nil
            }
        }
        return barSize
    }

    /// The smallest step within a day behind its first row, `.max` without any; `nil` unless all of the
    /// smallest steps of the file begin at an open.
    private static func laterSteps(
        _ rows: [BarRow], _ step: Int64, _ calendar: SessionCalendar
    ) -> Int64? {
        var days = DayWalk(calendar)
        var smallest = Int64.max
        var previous: (start: Timestamp, isFirst: Bool)?
        var isFound = false
        for row in rows {
            let isFirst = days.isFirst(row.start)
            if let previous, !isFirst {
                let width = (row.start - previous.start).nanoseconds
                if width == step {
                    // Mostly decided by the second and third row of the file.
                    guard previous.isFirst, previous.start == days.open else { return nil }
                    isFound = true
                } else if !previous.isFirst {
                    smallest = min(smallest, width)
                }
            }
            previous = (row.start, isFirst)
        }
        return isFound ? smallest : nil
    }

    private static var openSinceMidnight: Int64 { Duration.minutes(9 * 60 + 30).nanoseconds }

    /// How far it is to the next multiple of a length: the length itself from a multiple.
    private static func toGrid(sinceMidnight: Int64, _ barSize: Duration) -> Int64 {
        barSize.nanoseconds - sinceMidnight % barSize.nanoseconds
    }
}

/// Which of successive timestamps are the first of their days.
private struct DayWalk {
    /// When the session of the newest timestamp's day opens.
    private(set) var open = Timestamp.distantPast
    private var end = Timestamp.distantPast
    private let calendar: SessionCalendar

    init(_ calendar: SessionCalendar) { self.calendar = calendar }

    /// Takes in the next timestamp.
    mutating func isFirst(_ time: Timestamp) -> Bool {
        guard time >= end else { return false }
        let day = calendar.day(of: time)
        open = calendar.open(on: day)
        end = calendar.dayEnd(of: day)
        return true
    }
}

extension DataError {
    /// The message about a file whose sessions begin with a shorter bar.
    static func shortFirstBars(_ file: String, _ step: Duration, others: Duration) -> DataError {
        DataError(
            file: file, finding: findingOfFirstBars(step, others: others),
            remedy: "Take bars of a length that divides 30 minutes, and set trading.bar_size: "
                + "\(others); or, if each bar does last \(step), set backtest.data.bar_size: "
                + "\(step).")
    }

    /// The same without what to do.
    static func findingOfFirstBars(_ step: Duration, others: Duration) -> String {
        "found first bars of sessions that last \(step) where the others last \(others), but bars of a "
            + "file have one length"
    }
}
