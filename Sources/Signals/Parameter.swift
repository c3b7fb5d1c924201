/// A value a strategy's user may choose, declared once: the configuration check, `strategy show` and
/// optimisers read the same declaration.
public struct ParameterDeclaration: Hashable, Sendable {
    /// The key in a configuration: lower case with underscores.
    public let name: String
    /// What it does, in one line.
    public let summary: String
    /// What it counts or measures: `bars`, `percent`; `nil` for a pure number or name.
    public let unit: String?
    /// Which values are allowed and which one holds when none is given.
    public let domain: Domain

    /// Allowed values and default.
    public enum Domain: Hashable, Sendable {
        /// A whole number of a range.
        case integer(ClosedRange<Int>, default: Int)
        /// A number of a range.
        case number(ClosedRange<Double>, default: Double)
        /// One of these words.
        case choice([String], default: String)
    }

    /// The value that holds when none is given.
    public var defaultValue: ParameterValue {
        switch domain {
        case .integer(_, let value): .integer(value)
        case .number(_, let value): .number(value)
        case .choice(_, let value): .choice(value)
        }
    }

    /// The allowed values in words: `1 to 5000`, `sma or ema`.
    public var allowed: String {
        switch domain {
        case .integer(let range, _): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range, _): "\(range.lowerBound) to \(range.upperBound)"
        case .choice(let words, _): words.joined(separator: " or ")
        }
    }

    /// Whether `value` is of the declared type and range.
    public func allows(_ value: ParameterValue) -> Bool {
        switch (domain, value) {
        case (.integer(let range, _), .integer(let value)): range.contains(value)
        case (.number(let range, _), .number(let value)): range.contains(value)
        case (.choice(let words, _), .choice(let value)): words.contains(value)
        case (.integer, _), (.number, _), (.choice, _): false
        }
    }
}

/// The value of one parameter.
public enum ParameterValue: Hashable, Sendable {
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// A word.
    case choice(String)
}

extension ParameterValue: CustomStringConvertible {
    /// As it is written in a configuration.
    public var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .choice(let value): value
        }
    }
}

/// A declared parameter together with the type its value has in Swift.
///
/// ```swift
/// static let fast = Parameter.integer("fast", in: 1...500, default: 10, unit: "bars", "short window")
/// ```
public struct Parameter<Value: Sendable>: Sendable {
    /// The declaration everybody reads.
    public let declaration: ParameterDeclaration
    let read: @Sendable (ParameterValue) -> Value?
}

extension Parameter<Int> {
    /// A whole number.
    public static func integer(
        _ name: String, in range: ClosedRange<Int>, default value: Int, unit: String? = nil,
        _ summary: String
    ) -> Parameter {
        let declaration = ParameterDeclaration(
            name: name, summary: summary, unit: unit, domain: .integer(range, default: value))
        return Parameter(declaration: declaration) { value in
            switch value {
            case .integer(let number): number
            case .number, .choice: nil
            }
        }
    }
}

extension Parameter<Double> {
    /// A number.
    public static func number(
        _ name: String, in range: ClosedRange<Double>, default value: Double, unit: String? = nil,
        _ summary: String
    ) -> Parameter {
        let declaration = ParameterDeclaration(
            name: name, summary: summary, unit: unit, domain: .number(range, default: value))
        return Parameter(declaration: declaration) { value in
            switch value {
            case .number(let number): number
            case .integer, .choice: nil
            }
        }
    }
}

extension Parameter where Value: RawRepresentable<String> & CaseIterable {
    /// One of an enumeration's words.
    public static func choice(_ name: String, default value: Value, _ summary: String) -> Parameter
    {
        let declaration = ParameterDeclaration(
            name: name, summary: summary, unit: nil,
            domain: .choice(Value.allCases.map(\.rawValue), default: value.rawValue))
        return Parameter(declaration: declaration) { value in
            switch value {
            case .choice(let word): Value(rawValue: word)
            case .integer, .number: nil
            }
        }
    }
}

/// Values for all parameters of one strategy.
public struct Parameters: Hashable, Sendable {
    private let declarations: [ParameterDeclaration]
    private var values: [String: ParameterValue]

    /// The declared defaults.
    public init(defaultsOf declarations: [ParameterDeclaration]) {
        self.declarations = declarations
        values = [:]
        for declaration in declarations { values[declaration.name] = declaration.defaultValue }
    }

    /// The value of a declared parameter.
    public subscript<Value>(parameter: Parameter<Value>) -> Value {
        guard let value = values[parameter.declaration.name].flatMap(parameter.read) else {
            preconditionFailure("a strategy reads only parameters it has declared")
        }
        return value
    }

    /// All values in the order of their declaration.
    public var all: [(declaration: ParameterDeclaration, value: ParameterValue)] {
        declarations.map { ($0, values[$0.name] ?? $0.defaultValue) }
    }

    /// Sets a value. Throws when no such parameter is declared or it does not allow the value.
    public mutating func set(_ name: String, to value: ParameterValue) throws(ParameterError) {
        guard let declaration = declarations.first(where: { $0.name == name }) else {
            throw .unknown(name, known: declarations.map(\.name))
        }
        // A whole number is a number too.
        var accepted = value
        if case .number = declaration.domain, case .integer(let whole) = value {
            accepted = .number(Double(whole))
        }
        guard declaration.allows(accepted) else {
            throw .notAllowed(name, found: "\(value)", allowed: declaration.allowed)
        }
        values[name] = accepted
    }
}

/// What is wrong with a strategy's parameters.
public enum ParameterError: Error, Equatable, Sendable {
    /// No such parameter.
    case unknown(String, known: [String])
    /// The value is of another type or out of range.
    case notAllowed(String, found: String, allowed: String)
    /// Values that are allowed one by one but not together; the text says which and why.
    case conflict(String)
}

extension ParameterError: CustomStringConvertible {
    /// One phrase that names the parameter.
    public var description: String {
        switch self {
        case .unknown(let name, let known):
            "unknown parameter '\(name)', known are \(known.joined(separator: ", "))"
        case .notAllowed(let name, let found, let allowed):
            "\(name) is \(found), allowed \(allowed)"
        case .conflict(let text): text
        }
    }
}
