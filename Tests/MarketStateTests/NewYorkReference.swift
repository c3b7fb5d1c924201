import Foundation
import Primitives

/// The calendar that `Fixtures/nyse_exceptions_1990_2035.csv` tells, read without our rules:
/// weekdays from 1990 to 2035 but for the exceptions, with Foundation's clock of New York.
struct NewYorkReference {
    /// One weekday.
    struct Weekday {
        let day: Day
        /// Why there is no session.
        var closure: String?
        var open: Timestamp
        var close: Timestamp
        /// Whether calendars disagree about its hours.
        var isDisputed = false
    }

    let weekdays: [Weekday]

    private struct Exception {
        let kind: Substring
        let detail: String
    }

    init() throws {
        let exceptions = try Self.exceptions()
        let utc = try Self.calendar(of: "UTC")
        let newYork = try Self.calendar(of: "America/New_York")
        var weekdays: [Weekday] = []
        var date = try Self.date(utc, DateComponents(year: 1990, month: 1, day: 1))
        let end = try Self.date(utc, DateComponents(year: 2036, month: 1, day: 1))
        while date < end {
            let parts = utc.dateComponents([.year, .month, .day, .weekday], from: date)
            date = date.addingTimeInterval(86_400)
            guard let weekday = parts.weekday, (2...6).contains(weekday) else { continue }
            var row = Weekday(
                day: Day(number: Int32(date.timeIntervalSince1970 / 86_400) - 1),
                open: try Self.timestamp(newYork, parts, 9, 30),
                close: try Self.timestamp(newYork, parts, 16, 0))
            if let exception = exceptions[row.day.description] {
                switch exception.kind {
                case "closed": row.closure = exception.detail
                case "disputed": row.isDisputed = true
                default:
                    guard let hour = Int(exception.detail.prefix(2)) else { throw Unreadable() }
                    row.close = try Self.timestamp(newYork, parts, hour, 0)
                }
            }
            weekdays.append(row)
        }
        self.weekdays = weekdays
    }

    private struct Unreadable: Error {}

    private static func exceptions() throws -> [String: Exception] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "Fixtures/nyse_exceptions_1990_2035.csv")
        var exceptions: [String: Exception] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        where !line.hasPrefix("#") {
            let fields = line.split(separator: ",", maxSplits: 2)
            guard fields.count >= 2 else { throw Unreadable() }
            exceptions[String(fields[0])] = Exception(
                kind: fields[1], detail: fields.count > 2 ? String(fields[2]) : "")
        }
        return exceptions
    }

    private static func calendar(of zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = TimeZone(identifier: zone) else { throw Unreadable() }
        calendar.timeZone = zone
        return calendar
    }

    private static func date(_ calendar: Calendar, _ parts: DateComponents) throws -> Date {
        guard let date = calendar.date(from: parts) else { throw Unreadable() }
        return date
    }

    private static func timestamp(
        _ calendar: Calendar, _ day: DateComponents, _ hour: Int, _ minute: Int
    ) throws -> Timestamp {
        let parts = DateComponents(
            year: day.year, month: day.month, day: day.day, hour: hour, minute: minute)
        return Timestamp(seconds: Int64(try date(calendar, parts).timeIntervalSince1970))
    }
}
