/// Why entries are halted. Several may hold at a time.
package enum HaltCause: UInt8, CaseIterable, Hashable, Sendable {
    /// A person wanted it.
    case operatorRequest
    /// A position is too large to be valued.
    case unvaluedPosition
    /// Equity was below the maintenance margin.
    case marginCall
    /// Equity fell too far below its highest value.
    case drawdown
    /// Equity fell too far since the start of the day.
    case dailyLoss

    /// Whether it ends with the day by itself. All others end when a person says so.
    package var endsWithDay: Bool {
        switch self {
        case .operatorRequest, .unvaluedPosition, .marginCall, .drawdown: false
        case .dailyLoss: true
        }
    }

    /// What an entry is told that meets it.
    package var refusal: Refusal {
        switch self {
        case .operatorRequest, .unvaluedPosition: .halted
        case .marginCall: .marginCall
        case .drawdown: .drawdown
        case .dailyLoss: .dailyLoss
        }
    }

    /// In words, for people.
    package var name: StaticString {
        switch self {
        case .operatorRequest: "operator"
        case .unvaluedPosition: "position too large to be valued"
        case .marginCall: "maintenance margin"
        case .drawdown: "drawdown"
        case .dailyLoss: "daily loss"
        }
    }
}

/// A set of causes in one word.
struct HaltCauses: Hashable, Sendable {
    /// A bit for each cause, by its number.
    private(set) var bits: UInt8 = 0

    /// Whether there is none.
    var isEmpty: Bool { bits == 0 }

    /// The causes, gravest first.
    var all: [HaltCause] { HaltCause.allCases.filter(contains) }

    /// Whether a cause is among them.
    func contains(_ cause: HaltCause) -> Bool { bits & Self.bit(of: cause) != 0 }

    /// Adds a cause.
    mutating func insert(_ cause: HaltCause) { bits |= Self.bit(of: cause) }

    /// Takes a cause out.
    mutating func remove(_ cause: HaltCause) { bits &= ~Self.bit(of: cause) }

    private static func bit(of cause: HaltCause) -> UInt8 { 1 << cause.rawValue }
}
