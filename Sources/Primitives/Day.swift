/// A civil day of the proleptic Gregorian calendar, without a time zone.
public struct Day: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Days since 1970-01-01.
    public let number: Int32

    /// A day of the week; raw values as in ISO 8601.
    public enum Weekday: Int, Sendable {
        /// The first day of the week.
        case monday = 1
        /// The second day.
        case tuesday
        /// The third day.
        case wednesday
        /// The fourth day.
        case thursday
        /// The fifth day.
        case friday
        /// The sixth day.
        case saturday
        /// The last day.
        case sunday
    }

    static let nanoseconds: Int64 = 86_400_000_000_000

    /// The days that are taken from outside (wire, control socket, files, settings): 1900-01-01 to
    /// 2200-12-31. A `Timestamp` can express each of them, and what is some decades before or after one.
    public static let supported =
        Day(validYear: 1900, month: 1, day: 1)...Day(validYear: 2200, month: 12, day: 31)

    /// The day `number` days after 1970-01-01.
    public init(number: Int32) { self.number = number }

    /// The day of that date, or `nil` when the calendar has no such date or the year is not within
    /// 1900 to 2200 (see `supported`).
    public init?(year: Int, month: Int, day: Int) {
        guard (1900...2200).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        self.init(validYear: year, month: month, day: day)
    }

    /// Reads `2019-02-11`.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month and day of the month.
    public var date: (year: Int, month: Int, day: Int) {
        // Years counted from March, so that the leap day ends one; 400 years have 146,097 days.
        let shifted = Int64(number) + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (Int(year), Int(month), Int(day))
    }

    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let index = (Int(number) + 3) % 7
        guard let weekday = Weekday(rawValue: (index < 0 ? index + 7 : index) + 1) else {
            preconditionFailure("a remainder of seven names a weekday")
        }
        return weekday
    }

    /// The day `days` later, or earlier when negative; at most the last there is, or the first.
    public func advanced(by days: Int) -> Day {
        Day(number: Int32(clamping: Int(number) &+ Int(Int32(clamping: days))))
    }

    /// Orders by date.
    public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    /// The first day of a year.
    static func first(ofYear year: Int) -> Day { first(ofMonth: 1, year: year) }

    /// The first day of a month, in years beyond `supported` as well.
    package static func first(ofMonth month: Int, year: Int) -> Day {
        Day(validYear: year, month: month, day: 1)
    }

    /// The `ordinal`th (from 1) such weekday of a month.
    static func weekday(_ weekday: Weekday, ordinal: Int, month: Int, year: Int) -> Day {
        let first = Day(validYear: year, month: month, day: 1)
        let offset = (weekday.rawValue - first.weekday.rawValue + 7) % 7
        return first.advanced(by: offset + 7 * (ordinal - 1))
    }

    /// The last such weekday of a month.
    package static func lastWeekday(_ weekday: Weekday, month: Int, year: Int) -> Day {
        let last = Day(validYear: year, month: month, day: length(ofMonth: month, year: year))
        return last.advanced(by: -((last.weekday.rawValue - weekday.rawValue + 7) % 7))
    }

    private init(validYear year: Int, month: Int, day: Int) {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let era = shiftedYear.flooredQuotient(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = Int32(clamping: era * 146_097 + dayOfEra - 719_468)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

extension Day: CustomStringConvertible {
    /// ISO 8601: `2019-02-11`.
    public var description: String {
        let (year, month, day) = date
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(year)-\(two(month))-\(two(day))"
    }
}
