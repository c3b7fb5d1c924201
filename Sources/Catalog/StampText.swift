internal import Primitives

/// A row's time as its text says it.
enum StampText: Equatable {
    /// A date alone: a whole session.
    case date(Day)
    /// A reading of a clock `offset` ahead of UTC, or of a clock the text does not name.
    case reading(day: Day, sinceMidnight: Duration, offset: Duration?)
    /// Time since 1970 UTC.
    case epoch(Timestamp)

    /// Reads `2019-02-11`, `2019-02-11T09:30:00.123-05:00` and its variants, or the digits of Unix
    /// seconds, milliseconds, microseconds or nanoseconds; `nil` for anything else.
    init?(_ text: some StringProtocol) {
        var remainder = Scanner(bytes: Array(text.utf8))
        if let epoch = Self.epoch(remainder.bytes) {
            self = .epoch(epoch)
            return
        }
        guard let year = remainder.number(digits: 4), remainder.skip("-"),
            let month = remainder.number(digits: 2),
            remainder.skip("-"), let dayOfMonth = remainder.number(digits: 2),
            let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        if remainder.isAtEnd {
            self = .date(day)
            return
        }
        guard remainder.skip("T") || remainder.skip(" "), let time = Self.clock(&remainder) else {
            return nil
        }
        guard !remainder.isAtEnd else {
            self = .reading(day: day, sinceMidnight: time, offset: nil)
            return
        }
        guard let offset = Self.offset(&remainder), remainder.isAtEnd else { return nil }
        self = .reading(day: day, sinceMidnight: time, offset: offset)
    }

    /// The unit follows from the number of digits; that is unambiguous from March 1973 to 2286.
    private static func epoch(_ bytes: [UInt8]) -> Timestamp? {
        let nanosecondsPerUnit: Int64
        switch bytes.count {
        case 9, 10: nanosecondsPerUnit = 1_000_000_000
        case 12, 13: nanosecondsPerUnit = 1_000_000
        case 15, 16: nanosecondsPerUnit = 1_000
        case 18, 19: nanosecondsPerUnit = 1
        default: return nil
        }
        var digits = Scanner(bytes: bytes)
        guard let count = digits.number(digits: bytes.count) else { return nil }
        let (nanoseconds, overflow) = Int64(count).multipliedReportingOverflow(
            by: nanosecondsPerUnit)
        return overflow ? nil : Timestamp(nanoseconds: nanoseconds)
    }

    /// Reads `09:30`, `09:30:00` or `09:30:00.123456789`.
    private static func clock(_ remainder: inout Scanner) -> Duration? {
        guard let hour = remainder.number(digits: 2), hour < 24, remainder.skip(":"),
            let minute = remainder.number(digits: 2), minute < 60
        else { return nil }
        guard remainder.skip(":") else { return .minutes(Int64(hour * 60 + minute)) }
        guard let second = remainder.number(digits: 2), second < 60 else { return nil }
        let whole = Duration.seconds(Int64((hour * 60 + minute) * 60 + second))
        guard remainder.skip(".") else { return whole }
        let digits = remainder.digitCount
        guard (1...9).contains(digits), let fraction = remainder.number(digits: digits) else {
            return nil
        }
        let scale = (digits..<9).reduce(1) { scale, _ in scale * 10 }
        return whole + Duration(nanoseconds: Int64(fraction * scale))
    }

    /// Reads `Z`, `-05:00`, `-0500` or `-05`.
    private static func offset(_ remainder: inout Scanner) -> Duration? {
        if remainder.skip("Z") { return .zero }
        let isBehind = remainder.skip("-")
        guard isBehind || remainder.skip("+"), let hours = remainder.number(digits: 2), hours < 24
        else {
            return nil
        }
        var minutes = 0
        if !remainder.isAtEnd {
            _ = remainder.skip(":")
            guard let value = remainder.number(digits: 2), value < 60 else { return nil }
            minutes = value
        }
        let magnitude = Int64(hours * 60 + minutes)
        return .minutes(isBehind ? -magnitude : magnitude)
    }
}

/// Takes bytes of a text from its front.
private struct Scanner {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// How many digits come next.
    var digitCount: Int {
        bytes[position...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    }

    /// Takes `character` if it comes next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    /// Takes that many digits as a number, or nothing when there are fewer or it overflows.
    mutating func number(digits: Int) -> Int? {
        guard bytes.count - position >= digits, digitCount >= digits else { return nil }
        let text = bytes[position..<position + digits]
        position += digits
        return Int(String(decoding: text, as: UTF8.self))
    }
}
