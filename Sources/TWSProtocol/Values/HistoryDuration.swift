/// How far back a request for history reaches.
public enum HistoryDuration: Hashable, Sendable {
    /// Seconds, 1 to 86,400; at most 2,000 with bars of one second.
    case seconds(Int32)
    /// Trading days, 1 to 365.
    case days(Int32)
    /// Weeks, 1 to 52.
    case weeks(Int32)
    /// Months, 1 to 12.
    case months(Int32)
    /// Years, 1 to 68.
    case years(Int32)
    /// Text of another form, as it came. Gateways refuse it (error 321).
    case other(String)
}

extension HistoryDuration {
    /// Reads a number, a blank and a unit's letter, as gateways want them.
    public init(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int32(parts[0]), parts[0] == "\(number)" else {
            self = .other(text)
            return
        }
        switch parts[1] {
        case "S": self = .seconds(number)
        case "D": self = .days(number)
        case "W": self = .weeks(number)
        case "M": self = .months(number)
        case "Y": self = .years(number)
        default: self = .other(text)
        }
    }

    /// The text as it travels: `3 D`.
    public var text: String {
        switch self {
        case .seconds(let number): "\(number) S"
        case .days(let number): "\(number) D"
        case .weeks(let number): "\(number) W"
        case .months(let number): "\(number) M"
        case .years(let number): "\(number) Y"
        case .other(let text): text
        }
    }

    /// The length in seconds, a month taken as 30 days and a year as 365; `nil` for other text.
    public var seconds: Int64? {
        switch self {
        case .seconds(let number): Int64(number)
        case .days(let number): Int64(number) * 86_400
        case .weeks(let number): Int64(number) * 604_800
        case .months(let number): Int64(number) * 2_592_000
        case .years(let number): Int64(number) * 31_536_000
        case .other: nil
        }
    }

    /// How many of its unit, and how many gateways give at most; `nil` for other text.
    var count: (number: Int32, most: Int32)? {
        switch self {
        case .seconds(let number): (number, 86_400)
        case .days(let number): (number, 365)
        case .weeks(let number): (number, 52)
        case .months(let number): (number, 12)
        case .years(let number): (number, 68)
        case .other: nil
        }
    }
}

extension HistoryDuration: CustomStringConvertible {
    /// The text as it travels.
    public var description: String { text }
}
