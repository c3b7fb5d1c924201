package import Primitives

/// A key as the section that reads it declares it: what the check, the resolved text, a schema and the
/// documentation say about it.
package struct SettingsKey: Hashable, Sendable {
    /// Where it is, with `*` for any element of a list: `strategies.*.sizing.shares`.
    package let path: String
    /// What it may hold.
    package let domain: SettingsDomain
    /// What a number counts or measures: `USD`, `percent of equity`.
    package let unit: String?
    /// What holds when it is not given.
    package let fallback: Fallback
    /// Where it belongs, if not everywhere: `method: fixed_shares`.
    package let condition: String?
    /// What it does, in one line.
    package let summary: String

    /// What holds when a key is not given.
    package enum Fallback: Hashable, Sendable {
        /// Nothing: it must be given.
        case required
        /// Nothing, which is what is meant.
        case none
        /// This value, as it is written in YAML.
        case value(String)
    }

    /// The allowed values in words: `0 to 100 (percent of equity)`.
    package var allowed: String { unit.map { "\(domain.allowed) (\($0))" } ?? domain.allowed }

    /// Whether no output may contain its value.
    var isSecret: Bool { domain.isSecret }
}

/// The values a key may hold.
package enum SettingsDomain: Hashable, Sendable {
    /// Text without control characters, in words.
    case text(String)
    /// Texts, each different; the words are for one of them.
    case texts(String)
    /// One of these words.
    case choice([String])
    /// True or false.
    case flag
    /// A whole number.
    case integer(ClosedRange<Int>)
    /// A number of which only the size counts, not the last digit.
    case number(ClosedRange<Double>)
    /// An exact decimal number.
    case decimal(DecimalBounds, decimals: Int)
    /// A civil day.
    case day
    /// A length of time with its unit, such as `5m`.
    case duration(ClosedRange<Duration>)
    /// Text that no output ever contains.
    case secret

    /// Whether no output may contain its value.
    var isSecret: Bool {
        switch self {
        case .secret: true
        case .text, .texts, .choice, .flag, .integer, .number, .decimal, .day, .duration: false
        }
    }

    /// The allowed values in words, without the unit.
    package var allowed: String {
        switch self {
        case .text(let words): words
        case .texts(let words): "a list such as [A, B], each \(words)"
        case .choice(let words):
            [words.dropLast().joined(separator: ", "), words.last ?? "nothing"]
                .filter { !$0.isEmpty }.joined(separator: " or ")
        case .flag: "true or false"
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .decimal(let bounds, decimals: 0): "\(bounds), whole"
        case .decimal(let bounds, _): "\(bounds)"
        case .day: "a day such as 2019-02-11, of 1900 to 2200"
        case .duration(let range):
            "\(range.lowerBound) to \(range.upperBound), such as 5s, 1m or 1d"
        case .secret: "a secret, from the environment or the secrets file only"
        }
    }
}

/// A range of exact decimal numbers between whole ones.
package struct DecimalBounds: Hashable, Sendable {
    /// The lowest number, or the highest that is too low.
    package let lowest: Int64
    /// Whether `lowest` itself is too low.
    package let excludesLowest: Bool
    /// The highest number.
    package let highest: Int64

    /// From `lowest` on.
    static func from(_ lowest: Int64, to highest: Int64) -> DecimalBounds {
        DecimalBounds(lowest: lowest, excludesLowest: false, highest: highest)
    }

    /// More than `lowest`.
    static func above(_ lowest: Int64, to highest: Int64) -> DecimalBounds {
        DecimalBounds(lowest: lowest, excludesLowest: true, highest: highest)
    }

    /// Whether a number of so many steps is inside; the bounds in steps must fit 64 bits.
    func contains(steps: Int64, stepsPerOne: Int64) -> Bool {
        let lowestSteps = lowest * stepsPerOne
        return steps <= highest * stepsPerOne
            && (excludesLowest ? steps > lowestSteps : steps >= lowestSteps)
    }
}

extension DecimalBounds: CustomStringConvertible {
    /// `0 to 100`, `more than 0 to 100`.
    package var description: String {
        "\(excludesLowest ? "more than " : "")\(lowest) to \(highest)"
    }
}
