/// A length of time in nanoseconds. Range about ±292 years; a length beyond is the longest there is.
public struct Duration: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The length in nanoseconds.
    public let nanoseconds: Int64

    /// No time at all.
    @inlinable public static var zero: Duration { Duration(nanoseconds: 0) }

    /// A length of `nanoseconds`.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// A length of whole seconds.
    public static func seconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count.saturatingProduct(1_000_000_000))
    }
    /// A length of whole milliseconds.
    public static func milliseconds(_ count: Int64) -> Duration {
        Duration(nanoseconds: count.saturatingProduct(1_000_000))
    }
    /// A length of whole minutes.
    public static func minutes(_ count: Int64) -> Duration {
        seconds(count.saturatingProduct(60))
    }
    /// A length of whole hours.
    public static func hours(_ count: Int64) -> Duration {
        seconds(count.saturatingProduct(3_600))
    }
    /// A length of whole 24-hour days.
    public static func days(_ count: Int64) -> Duration {
        seconds(count.saturatingProduct(86_400))
    }

    /// Orders by length.
    @inlinable public static func < (left: Duration, right: Duration) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
    /// The sum.
    @inlinable public static func + (left: Duration, right: Duration) -> Duration {
        Duration(nanoseconds: left.nanoseconds.saturatingSum(right.nanoseconds))
    }
}

extension Duration: CustomStringConvertible {
    /// In the largest unit that divides it: `1d`, `5m`, `250ms`.
    public var description: String {
        let units: [(Int64, String)] = [
            (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "m"),
            (1_000_000_000, "s"), (1_000_000, "ms"), (1, "ns"),
        ]
        guard nanoseconds != 0 else { return "0s" }
        let (length, name) = units.first { nanoseconds % $0.0 == 0 } ?? (1, "ns")
        return "\(nanoseconds / length)\(name)"
    }
}

/// A timestamp: nanoseconds since 1970-01-01T00:00:00 UTC without leap seconds. Years 1678 to 2262.
///
/// Times that come from outside lie within `supported`: edges refuse all others. Inside, arithmetic that
/// leads beyond the first or the last instant ends there, so that no time can stop the process.
public struct Timestamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Nanoseconds since the epoch.
    public let nanoseconds: Int64

    /// The first representable instant: before anything that happens.
    public static var distantPast: Timestamp { Timestamp(nanoseconds: .min) }
    /// The last representable instant: after anything that happens.
    public static var distantFuture: Timestamp { Timestamp(nanoseconds: .max) }

    /// The instants that are taken from outside: those of `Day.supported`, in UTC.
    public static let supported =
        Timestamp(day: Day.supported.lowerBound)..<Timestamp(day: Day.supported.upperBound)
        + .days(1)

    /// The instant `nanoseconds` after the epoch.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The instant whole seconds after the epoch.
    public init(seconds: Int64) { nanoseconds = seconds.saturatingProduct(1_000_000_000) }

    /// The instant `sinceMidnight` after `day` begins in UTC.
    public init(day: Day, sinceMidnight: Duration = .zero) {
        nanoseconds = Int64(day.number).saturatingProduct(Day.nanoseconds)
            .saturatingSum(sinceMidnight.nanoseconds)
    }

    /// The civil day in UTC.
    public var day: Day { Day(number: Int32(nanoseconds.flooredQuotient(by: Day.nanoseconds))) }

    /// The time since midnight UTC.
    public var sinceMidnight: Duration {
        // Not by way of `day`: the first day there is begins before the first timestamp there is.
        let remainder = nanoseconds % Day.nanoseconds
        return Duration(nanoseconds: remainder < 0 ? remainder + Day.nanoseconds : remainder)
    }

    /// Orders by time.
    @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
    /// A later instant.
    @inlinable public static func + (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(nanoseconds: left.nanoseconds.saturatingSum(right.nanoseconds))
    }
    /// An earlier instant.
    @inlinable public static func - (left: Timestamp, right: Duration) -> Timestamp {
        Timestamp(nanoseconds: left.nanoseconds.saturatingDifference(right.nanoseconds))
    }
    /// The time between two instants.
    @inlinable public static func - (left: Timestamp, right: Timestamp) -> Duration {
        Duration(nanoseconds: left.nanoseconds.saturatingDifference(right.nanoseconds))
    }
}

extension Timestamp: CustomStringConvertible {
    /// ISO 8601 in UTC, with a fraction only where there is one: `2016-01-04T15:00:00Z`.
    public var description: String {
        let second = sinceMidnight.nanoseconds / 1_000_000_000
        let fraction = sinceMidnight.nanoseconds % 1_000_000_000
        let clock = [second / 3_600, second / 60 % 60, second % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        guard fraction != 0 else { return "\(day)T\(clock)Z" }
        var digits = String(String(fraction + 1_000_000_000).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return "\(day)T\(clock).\(digits)Z"
    }
}

extension Int64 {
    /// The sum, or the bound that it lies beyond.
    @inlinable @inline(__always)
    func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the bound that it lies beyond.
    @inlinable @inline(__always)
    func saturatingDifference(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the bound that it lies beyond.
    func saturatingProduct(_ factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }

    /// The quotient rounded towards minus infinity.
    ///
    /// - Parameter divisor: positive.
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
