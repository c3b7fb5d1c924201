import Model
import Primitives
import Signals

/// How the values of a key are described, read from a scalar and written again.
///
/// `read(write(value))` is `value`. A new kind of value is a new function in an extension of this.
struct SettingsForm<Value: Sendable>: Sendable {
    /// The allowed values.
    let domain: SettingsDomain
    /// What a number counts or measures.
    var unit: String?
    /// Stands in for a value that is wrong or missing, so that reading goes on and finds the other
    /// problems. It never leaves `Settings.read`.
    let standIn: Value
    /// The value of a text, if it is allowed.
    let read: @Sendable (String) -> Value?
    /// The YAML scalar for a value.
    let write: @Sendable (Value) -> String
    /// What to do about a text that `read` refuses, as a sentence, if there is more to say than what is
    /// allowed.
    var advice: @Sendable (String) -> String? = { _ in nil }
    /// The environment variable of an older name that means the key too.
    var alias: SettingsAlias?
}

// MARK: - Words

extension SettingsForm<String> {
    /// Text without control characters; `words` say what it is.
    static func text(
        _ words: String, where isAllowed: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> SettingsForm {
        SettingsForm(
            domain: .text(words), standIn: "",
            read: { text in
                let isClean = text.unicodeScalars.allSatisfy {
                    $0.properties.generalCategory != .control
                }
                return !text.isEmpty && isClean && isAllowed(text) ? text : nil
            },
            write: { text in
                // Quoted, because other programs take some words for numbers or switches.
                let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
                return "\"\(escaped.joined())\""
            })
    }

    /// The name of an instrument as the data calls it.
    static var symbol: SettingsForm {
        text(SymbolName.rule, where: SymbolName.isAllowed)
    }

    /// A time zone by its name in the zone database.
    static var zone: SettingsForm {
        text("the name of a time zone such as America/New_York") { text in
            text.count <= 64
                && text.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "/_+-".contains($0))
                }
        }
    }

    /// A name of ours.
    static var name: SettingsForm {
        text("1 to 40 lower case letters, digits or _") { text in
            text.count <= 40
                && text.allSatisfy { ("a"..."z").contains($0) || $0.isDigit || $0 == "_" }
        }
    }

    /// One of words that are known only at run time.
    static func word(of words: [String]) -> SettingsForm {
        SettingsForm(
            domain: .choice(words), standIn: "",
            read: { words.contains($0) ? $0 : nil },
            write: { $0 },
            advice: { SettingsSuggestion.guess(for: $0, among: words) })
    }
}

extension SettingsForm where Value: CaseIterable & RawRepresentable<String> {
    /// One of an enumeration's words.
    ///
    /// - Parameter refusals: advice for words that deserve an answer of their own.
    static func choice(refusing refusals: [String: String] = [:]) -> SettingsForm {
        let words = Value.allCases.map(\.rawValue)
        guard let first = Value.allCases.first else { preconditionFailure("a choice has words") }
        return SettingsForm(
            domain: .choice(words), standIn: first,
            read: { Value(rawValue: $0) },
            write: { $0.rawValue },
            advice: { refusals[$0] ?? SettingsSuggestion.guess(for: $0, among: words) })
    }
}

/// A switch that a configuration writes `on` or `off`.
package enum OnOff: String, CaseIterable, Sendable {
    /// It holds.
    case on
    /// It does not.
    case off
}

extension SettingsForm<OnOff> {
    /// On or off; `true`, `false`, `yes` and `no` are understood too: some tools write YAML's `on` so.
    static var onOff: SettingsForm {
        SettingsForm(
            domain: .choice(OnOff.allCases.map(\.rawValue)), standIn: .off,
            read: { SettingsForm<Bool>.flag.read($0).map { $0 ? .on : .off } },
            write: { $0.rawValue })
    }
}

extension SettingsForm<Bool> {
    /// True or false; `on`, `off`, `yes` and `no` are understood too, as YAML once meant them.
    static var flag: SettingsForm {
        let words = [
            "true": true, "on": true, "yes": true, "false": false, "off": false, "no": false,
        ]
        return SettingsForm(
            domain: .flag, standIn: false,
            read: { words[$0.lowercased()] },
            write: { "\($0)" })
    }
}

// MARK: - Times

extension SettingsForm<Day> {
    /// A day such as `2019-02-11`.
    static var day: SettingsForm {
        SettingsForm(
            domain: .day, standIn: Day(number: 0), read: { Day($0) }, write: { "\($0)" })
    }
}

extension SettingsForm<Duration> {
    /// A length of time with its unit: `5s`, `1m`, `1d`.
    static func duration(_ range: ClosedRange<Duration>) -> SettingsForm {
        SettingsForm(
            domain: .duration(range), standIn: range.lowerBound,
            read: { Duration($0).flatMap { range.contains($0) ? $0 : nil } },
            write: { "\($0)" },
            advice: { Int($0) == nil ? nil : "Add the unit: \($0.printable)s, \($0.printable)m …" })
    }

    /// Whole milliseconds, for keys that end in `_ms`.
    static func milliseconds(_ range: ClosedRange<Int>) -> SettingsForm {
        counted(range, unit: "milliseconds", .milliseconds(1))
    }

    /// Whole seconds, for keys that end in `_seconds`.
    static func seconds(_ range: ClosedRange<Int>) -> SettingsForm {
        counted(range, unit: "seconds", .seconds(1))
    }

    /// Whole days, for keys that end in `_days`.
    static func days(_ range: ClosedRange<Int>) -> SettingsForm {
        counted(range, unit: "days", .days(1))
    }

    /// A time of day by a wall clock, `23:45`, since midnight.
    static var timeOfDay: SettingsForm {
        SettingsForm(
            domain: .text("a time of day such as 23:45"), standIn: .zero,
            read: { text in
                let parts = text.split(separator: ":", omittingEmptySubsequences: false)
                guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) }),
                    let hour = Int64(parts[0]), let minute = Int64(parts[1]),
                    (0..<24).contains(hour), (0..<60).contains(minute)
                else { return nil }
                return .minutes(hour * 60 + minute)
            },
            write: { time in
                let minutes = time.nanoseconds / Duration.minutes(1).nanoseconds
                let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
                return "\"\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)\""
            })
    }

    private static func counted(
        _ range: ClosedRange<Int>, unit: String, _ one: Duration
    ) -> SettingsForm {
        let count = SettingsForm<Int>.integer(range, unit: unit)
        return SettingsForm(
            domain: count.domain, unit: count.unit, standIn: .zero,
            read: { count.read($0).map { Duration(nanoseconds: Int64($0) * one.nanoseconds) } },
            write: { "\($0.nanoseconds / one.nanoseconds)" },
            advice: { text in
                guard let length = Duration(text), length.nanoseconds % one.nanoseconds == 0 else {
                    return count.advice(text)
                }
                return "Write \(length.nanoseconds / one.nanoseconds)."
            })
    }
}

extension Duration {
    /// Reads a whole number with its unit: `250ms`, `5s`, `1m`, `1h`, `1d`.
    init?(_ text: String) {
        let digits = text.prefix(while: \.isDigit)
        let units: [Substring: Int64] = [
            "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000,
            "d": 86_400_000_000_000,
        ]
        guard let count = Int64(digits), let unit = units[text.dropFirst(digits.count)] else {
            return nil
        }
        let (nanoseconds, isTooLong) = count.multipliedReportingOverflow(by: unit)
        guard !isTooLong else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}

// MARK: - Numbers

extension SettingsForm<Int> {
    /// A whole number.
    static func integer(_ range: ClosedRange<Int>, unit: String? = nil) -> SettingsForm {
        SettingsForm(
            domain: .integer(range), unit: unit, standIn: range.lowerBound,
            read: { Int($0).flatMap { range.contains($0) ? $0 : nil } },
            write: { "\($0)" },
            advice: { SettingsSuggestion.advice(forNumber: $0) { Int($0) != nil } })
    }
}

extension SettingsForm<Money> {
    /// An amount in dollars, for keys that end in `_usd`.
    static func money(_ bounds: DecimalBounds) -> SettingsForm {
        decimal(
            bounds, scale: DecimalScale(unit: "USD", decimals: Money.digits), standIn: .zero,
            read: { text throws(DecimalError) in try Money(text) }, units: { $0.units },
            write: { "\($0)" })
    }
}

extension SettingsForm<Price> {
    /// Dollars for each share, for keys that end in `_usd`.
    static func perShare(_ bounds: DecimalBounds) -> SettingsForm {
        decimal(
            bounds, scale: DecimalScale(unit: "USD per share", decimals: Price.digits),
            standIn: .zero,
            read: { text throws(DecimalError) in try Price(text) }, units: { $0.units },
            write: { "\($0)" })
    }
}

extension SettingsForm<Quantity> {
    /// A whole number of shares.
    static func shares(_ bounds: DecimalBounds) -> SettingsForm {
        decimal(
            bounds, scale: DecimalScale(unit: "shares", decimals: 0), standIn: .zero,
            read: { text throws(DecimalError) in
                let quantity = try Quantity(text)
                guard quantity.isWhole else { throw .tooPrecise(text, digitsMax: 0) }
                return quantity
            },
            units: { $0.units / Quantity.unitsPerOne }, write: { "\($0)" })
    }
}

extension SettingsForm<Percent> {
    /// A percentage, for keys that end in `_pct`; `whole` is what it is a part of.
    static func percent(_ bounds: DecimalBounds, of whole: String) -> SettingsForm {
        decimal(
            bounds, scale: DecimalScale(unit: "percent of \(whole)", decimals: Percent.digits),
            standIn: .zero,
            read: { text throws(DecimalError) in try Percent(text) }, units: { $0.units },
            write: { "\($0)" })
    }

    /// Basis points: hundredths of a percent.
    static func basisPoints(_ bounds: DecimalBounds, of whole: String) -> SettingsForm {
        let scale = DecimalScale(
            unit: "basis points of \(whole)", decimals: Percent.basisPointDigits)
        return decimal(
            bounds, scale: scale, standIn: .zero,
            read: { text throws(DecimalError) in try Percent(basisPoints: text) },
            units: { $0.units }, write: { $0.basisPoints })
    }

    /// A ratio to `whole`: 1 is 100 percent.
    static func ratio(_ bounds: DecimalBounds, of whole: String) -> SettingsForm {
        decimal(
            bounds, scale: DecimalScale(unit: "times \(whole)", decimals: Percent.ratioDigits),
            standIn: .zero,
            read: { text throws(DecimalError) in try Percent(ratio: text) }, units: { $0.units },
            write: { $0.ratio })
    }
}

/// What the last decimal of an exact number means.
private struct DecimalScale {
    let unit: String
    let decimals: Int

    /// Steps in a number of 1.
    var stepsPerOne: Int64 { (0..<decimals).reduce(1) { product, _ in product * 10 } }
}

extension SettingsForm {
    /// - Parameter units: a value in steps of its last decimal.
    private static func decimal(
        _ bounds: DecimalBounds, scale: DecimalScale, standIn: Value,
        read: @escaping @Sendable (String) throws(DecimalError) -> Value,
        units: @escaping @Sendable (Value) -> Int64, write: @escaping @Sendable (Value) -> String
    ) -> SettingsForm {
        @Sendable func parsed(_ text: String) -> Result<Value, DecimalError> {
            do throws(DecimalError) { return .success(try read(text)) } catch {
                return .failure(error)
            }
        }
        let stepsPerOne = scale.stepsPerOne
        return SettingsForm(
            domain: .decimal(bounds, decimals: scale.decimals), unit: scale.unit,
            standIn: standIn,
            read: { text in
                guard case .success(let value) = parsed(text),
                    bounds.contains(steps: units(value), stepsPerOne: stepsPerOne)
                else { return nil }
                return value
            },
            write: write,
            advice: { text in
                switch parsed(text) {
                case .success, .failure(.outOfRange): nil
                case .failure(.tooPrecise(_, digitsMax: 0)): "Whole numbers only."
                case .failure(.tooPrecise(_, let digits)): "At most \(digits) decimals."
                case .failure(.notANumber):
                    SettingsSuggestion.advice(forNumber: text) { bare in
                        if case .success = parsed(bare) { true } else { false }
                    }
                }
            })
    }
}

// MARK: - Parameters of strategies

extension SettingsForm<ParameterValue> {
    /// A parameter of a strategy, of the declared type. Its range is up to `Parameters.set`.
    static func parameter(_ declaration: ParameterDeclaration) -> SettingsForm {
        let domain: SettingsDomain
        let read: @Sendable (String) -> ParameterValue?
        switch declaration.domain {
        case .integer(let range, _):
            domain = .integer(range)
            read = { Int($0).map { .integer($0) } }
        case .number(let range, _):
            domain = .number(range)
            read = { finite($0).map { .number($0) } }
        case .choice(let words, _):
            domain = .choice(words)
            read = { words.contains($0) ? .choice($0) : nil }
        }
        return SettingsForm(
            domain: domain, unit: declaration.unit, standIn: declaration.defaultValue,
            read: read, write: { "\($0)" },
            advice: { text in
                switch domain {
                case .choice(let words): SettingsSuggestion.guess(for: text, among: words)
                default: SettingsSuggestion.advice(forNumber: text) { read($0) != nil }
                }
            })
    }

    /// `Double` reads more than numbers: `nan`, `infinity`, `0x1p3`.
    private static func finite(_ text: String) -> Double? {
        guard text.looksNumeric, let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

extension Character {
    /// Whether it is one of `0` to `9`; `isNumber` is true for many others.
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension String {
    /// Whether it consists of what decimal numbers consist of.
    var looksNumeric: Bool { !isEmpty && allSatisfy { $0.isDigit || "+-.eE".contains($0) } }
}
