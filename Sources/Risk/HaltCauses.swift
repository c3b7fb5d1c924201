import Model

/// A set of causes in one word.
struct HaltCauses: Hashable, Sendable {
    /// A bit for each cause, by its number.
    private(set) var bits: UInt16 = 0

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

    private static func bit(of cause: HaltCause) -> UInt16 { 1 << cause.rawValue }
}
