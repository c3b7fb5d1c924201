internal import MarketState
import Model
internal import Primitives

/// Times that stand for days: daily bars stamped with a midnight, the open or the close of their day.
///
/// Taken as they are, such a bar would last from one stamp to the next: one stamped with midnight UTC would
/// begin in New York's evening before. They are the dates they stand for.
enum DailyStamps {
    /// The day of each row, if that is what the times stand for.
    ///
    /// - Parameters:
    ///   - rows: in order of time, as the file stamps them.
    ///   - steps: the steps between them.
    ///   - declared: how long bars are declared to last.
    /// - Returns: `nil` unless there is at most a row a day.
    static func days(
        of rows: [BarRow], _ steps: StepCount, declared: Duration?, _ source: DataSource
    ) -> [Day]? {
        guard mayBeDaily(steps, declared: declared, source) else { return nil }
        return meanings(source).lazy.compactMap { meaning in days(of: rows, meaning) }.first
    }

    /// Whether times are dates as they are: midnights of days without sessions, each a bar's beginning.
    static func areDates(
        _ rows: [BarRow], _ steps: StepCount, declared: Duration?, _ source: DataSource
    ) -> Bool {
        source.calendar == .always && source.stamp == .start
            && rows.first?.start.sinceMidnight == .zero && steps.areMultiples(of: .days(1))
            && mayBeDaily(steps, declared: declared, source)
    }

    /// Whether rows are days apart, with times of day that no daily bar is known to have.
    static func areOdd(
        _ steps: StepCount, declared: Duration?, _ source: DataSource
    ) -> Bool {
        declared == nil && source.calendar != .always
            && mayBeDaily(steps, declared: declared, source)
    }

    /// The message about such times.
    static func finding(_ row: BarRow, _ calendar: SessionCalendar) -> String {
        "found a row a day, the first at \(StampName.text(row.start, isDated: false, calendar)): "
            + "neither midnight nor the open"
    }

    /// What to do about it.
    static let remedy =
        "Write dates alone, such as 2019-02-11; with times of the close, set backtest.data.stamp: end; if "
        + "these are shorter bars, set backtest.data.bar_size."

    /// No two rows are nearer than a day with a change of clocks, and most are no week apart.
    private static func mayBeDaily(
        _ steps: StepCount, declared: Duration?, _ source: DataSource
    ) -> Bool {
        let session = source.calendar.sessionLength
        guard declared == nil || declared == .days(1) || declared == session,
            let usual = steps.mostFrequentOfDates, usual < .days(5)
        else { return false }
        return steps.shortest >= Duration.hours(23).nanoseconds && steps.shortest < Int64.max
    }

    /// The day that a timestamp stands for, by one way to stamp days; `nil` for other timestamps.
    private typealias Meaning = (Timestamp) -> Day?

    private static func meanings(_ source: DataSource) -> [Meaning] {
        let calendar = source.calendar
        let midnight: Meaning = { $0.sinceMidnight == .zero ? $0.day : nil }
        switch calendar {
        case .always: return source.stamp == .start ? [midnight] : []
        case .newYork:
            let local: Meaning = { time in
                let day = calendar.day(of: time)
                return NewYork.timestamp(on: day, at: .zero) == time ? day : nil
            }
            let open: Meaning = { time in
                let day = calendar.day(of: time)
                return calendar.open(on: day) == time ? day : nil
            }
            let close: Meaning = { time in
                let day = calendar.day(of: time)
                return calendar.close(on: day) == time ? day : nil
            }
            return [midnight, local, open] + (source.stamp == .end ? [close] : [])
        }
    }

    private static func days(of rows: [BarRow], _ meaning: Meaning) -> [Day]? {
        var days: [Day] = []
        days.reserveCapacity(rows.count)
        for row in rows {
            guard let day = meaning(row.start), days.last.map({ $0 < day }) ?? true else {
                return nil
            }
            days.append(day)
        }
        return days
    }
}
