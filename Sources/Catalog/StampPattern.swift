internal import MarketState
import Model
internal import Primitives

/// What the last carefully read time looked like, and a quick way to read the next ones like it.
///
/// It never guesses: a time that differs in form is refused, and then read carefully.
struct StampPattern {
    private var shape = Shape.unknown
    private let calendar: SessionCalendar

    /// The ten characters of a date, and the timestamp its day begins at in this shape.
    private var dayText = Self.unixDay
    private var dayStart: Int64 = 0

    /// Days from which on New York's clocks stay as they are, for dates: see `sessionOpen`.
    private var steadyDays = Day(number: 0)..<Day(number: 0)
    private var steadyOpen: Int64 = 0

    /// `1970-01-01`, lowest byte first.
    private static let unixDay: (UInt64, UInt16) = (0x2D31_302D_3037_3931, 0x3130)

    private enum Shape: Equatable {
        case unknown
        case date
        case reading(Suffix)
        case epoch(digits: Int, nanosecondsPerUnit: Int64)
    }

    /// What follows the seconds of a date-time, such as `-05:00`, `Z`, `.000Z` or nothing.
    private struct Suffix: Equatable {
        var count: Int
        var text: UInt64
        var mask: UInt64
        /// What it adds to the reading, in nanoseconds.
        var shift: Int64
        /// Whether the day begins at New York's midnight, not UTC's.
        var isNewYork: Bool
    }

    /// Knows no form yet.
    init(calendar: SessionCalendar) { self.calendar = calendar }

    /// Takes over the form of a time that was read carefully.
    mutating func learn(_ text: String, meaning: StampText, zone: WallClock?) {
        let bytes = Array(text.utf8)
        let last = shape
        switch meaning {
        case .date: shape = .date
        case .epoch(let time):
            guard let count = Int64(text), count > 0 else { return }
            shape = .epoch(
                digits: bytes.count, nanosecondsPerUnit: time.nanoseconds / count)
        case .reading(_, let sinceMidnight, let offset):
            // The quick way wants seconds and at most eight characters behind them.
            guard (19...27).contains(bytes.count), bytes[16] == UInt8(ascii: ":") else { return }
            var suffix: UInt64 = 0
            for byte in bytes[19...].reversed() { suffix = suffix << 8 | UInt64(byte) }
            let count = bytes.count - 19
            let fraction = sinceMidnight.nanoseconds % 1_000_000_000
            shape = .reading(
                Suffix(
                    count: count, text: suffix, mask: ~(UInt64.max << (8 * count)),
                    shift: fraction - (offset ?? .zero).nanoseconds,
                    isNewYork: offset == nil && zone == .newYork))
        }
        // Any known day will do; this one is simple in every shape.
        if shape != last { _ = readDay(Self.unixDay) }
    }

    /// The timestamp that the text at `position` marks, and moves `position` behind it; `nil` when it
    /// looks unlike the learned form or needs a closer look.
    ///
    /// - Parameter bytes: readable for 32 bytes from `position`.
    @inline(__always)
    mutating func read(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        switch shape {
        case .unknown: return nil
        case .epoch(let digits, let unit):
            return Self.epoch(bytes, at: &position, digits: digits, nanosecondsPerUnit: unit)
        case .date:
            guard let start = day(bytes, at: position) else { return nil }
            position &+= 10
            return start
        case .reading(let suffix):
            let remainder = UsualField.word(bytes, at: position &+ 19)
            guard let start = day(bytes, at: position),
                let time = Self.clock(bytes, at: position &+ 10),
                (remainder ^ suffix.text) & suffix.mask == 0
            else { return nil }
            position &+= 19 &+ suffix.count
            return start &+ time &+ suffix.shift
        }
    }

    /// As `read`, for times with any fraction of a second or none. The learned form is that of a time
    /// without one.
    @inline(__always)
    mutating func readFine(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        guard case .reading(let suffix) = shape else { return read(bytes, at: &position) }
        guard let start = day(bytes, at: position),
            let time = Self.clock(bytes, at: position &+ 10)
        else { return nil }
        var end = position &+ 19
        guard let fraction = Self.fraction(bytes, at: &end) else { return nil }
        let remainder = UsualField.word(bytes, at: end)
        guard (remainder ^ suffix.text) & suffix.mask == 0 else { return nil }
        position = end &+ suffix.count
        return start &+ time &+ fraction &+ suffix.shift
    }

    /// The nanoseconds in `.123456789` or a part of it; none where there is no point.
    @inline(__always)
    private static func fraction(_ bytes: RawSpan, at position: inout Int) -> Int64? {
        guard UsualField.byte(bytes, at: position) == UInt8(ascii: ".") else { return 0 }
        let word = UsualField.word(bytes, at: position &+ 1)
        let (values, others) = DigitWords.split(word)
        let count = others.trailingZeroBitCount >> 3
        guard count > 0 else { return nil }
        let number = DigitWords.number(DigitWords.prefix(count, of: values)) &* 10
        position &+= 1 &+ count
        guard count == 8 else { return number }
        let ninth = UsualField.byte(bytes, at: position) &- UInt8(ascii: "0")
        guard ninth <= 9 else { return number }
        position &+= 1
        return number &+ Int64(ninth)
    }

    @inline(__always)
    private mutating func day(_ bytes: RawSpan, at position: Int) -> Int64? {
        let text = (
            UsualField.word(bytes, at: position),
            UsualField.load(bytes, at: position &+ 8, as: UInt16.self)
        )
        if text == dayText || readDay(text) { return dayStart }
        return nil
    }

    /// Reads another date; `false` when its day has no simple start.
    @inline(never)
    private mutating func readDay(_ text: (UInt64, UInt16)) -> Bool {
        // "YYYY-MM-" and "DD" without the dashes are eight digits.
        let dashes: UInt64 = 0xFF00_00FF_0000_0000
        guard text.0 & dashes == 0x2D00_002D_0000_0000 else { return false }
        let month = (text.0 >> 40) & 0xFFFF
        let digits = (text.0 & 0xFFFF_FFFF) | month << 32 | UInt64(text.1) << 48
        let (values, others) = DigitWords.split(digits)
        guard others == 0 else { return false }
        let date = Int(DigitWords.number(values))
        guard let day = Day(year: date / 10_000, month: date / 100 % 100, day: date % 100),
            // Two days inside the accepted range: no time of day or offset leads out of it.
            Timestamp(day: day) >= StampReader.earliest + .days(2),
            Timestamp(day: day) < StampReader.latest - .days(2),
            let start = start(of: day)
        else { return false }
        dayText = text
        dayStart = start
        return true
    }

    /// The timestamp that a time of day is added to.
    private mutating func start(of day: Day) -> Int64? {
        switch shape {
        case .date: return sessionOpen(on: day)
        case .reading(let suffix) where suffix.isNewYork:
            let midnight = NewYork.timestamp(on: day, at: .zero)
            let next = NewYork.timestamp(on: day.advanced(by: 1), at: .zero)
            // Not on the two days a year when clocks change.
            return next - midnight == .days(1) ? midnight.nanoseconds : nil
        case .reading: return Timestamp(day: day).nanoseconds
        case .epoch, .unknown: return nil
        }
    }

    /// `calendar.open(on:)`, asked for once in a while: between two days at most 64 days apart that
    /// have their sessions at the same time of the UTC day, all days have.
    private mutating func sessionOpen(on day: Day) -> Int64 {
        if !steadyDays.contains(day) {
            func open(after days: Int) -> Int64 {
                let day = day.advanced(by: days)
                return calendar.open(on: day).nanoseconds - Timestamp(day: day).nanoseconds
            }
            steadyOpen = open(after: 0)
            let days = [64, 16, 4].first { open(after: $0) == steadyOpen } ?? 0
            steadyDays = day..<day.advanced(by: days + 1)
        }
        return Timestamp(day: day).nanoseconds + steadyOpen
    }

    /// The time of day in `T09:30:00` or ` 09:30:00` at `position`, in nanoseconds.
    @inline(__always)
    private static func clock(_ bytes: RawSpan, at position: Int) -> Int64? {
        let separator = UsualField.byte(bytes, at: position)
        let text = UsualField.word(bytes, at: position &+ 1)
        // As in `DigitWords.split`, with colons that must be colons.
        let values = text ^ 0x3030_3A30_303A_3030
        let others =
            ((values &+ 0x0606_7F06_067F_0606) | values) & 0xF0F0_80F0_F080_F0F0
        let pairs = values &* 10 &+ (values >> 8)
        let hour = Int64(pairs & 0xFF)
        let minute = Int64((pairs >> 24) & 0xFF)
        let second = Int64((pairs >> 48) & 0xFF)
        guard others == 0, hour < 24, minute < 60, second < 60,
            separator == UInt8(ascii: "T") || separator == UInt8(ascii: " ")
        else { return nil }
        return (hour &* 3_600 &+ minute &* 60 &+ second) &* 1_000_000_000
    }

    /// The timestamp of exactly `digits` digits at `position`.
    @inline(__always)
    private static func epoch(
        _ bytes: RawSpan, at position: inout Int, digits: Int, nanosecondsPerUnit: Int64
    ) -> Int64? {
        var count: Int64 = 0
        for offset in position..<position + digits {
            let digit =
                UsualField.byte(bytes, at: offset)
                &- UInt8(ascii: "0")
            // 18 digits and one more digit stay below 10^19; the sign shows what is beyond 2^63.
            guard digit <= 9 else { return nil }
            count = count &* 10 &+ Int64(digit)
        }
        let countMax = StampReader.latest.nanoseconds / nanosecondsPerUnit
        guard count >= 0, count < countMax else { return nil }
        position &+= digits
        return count &* nanosecondsPerUnit
    }
}
