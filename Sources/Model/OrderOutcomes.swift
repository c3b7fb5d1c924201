public import Primitives

/// Why an order never left us.
public enum NotSentCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The link did not allow it.
    case linkNotReady
    /// There was no connection, or writing failed before the first byte.
    case noConnection
    /// It cannot be expressed in the broker's protocol.
    case notEncodable
    /// There is no number left under which it could be placed.
    case noIDLeft
    /// It could not be written to the journal first.
    case notJournaled
}

/// Why the broker has an order and does not let it work.
public enum HoldCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Shares to be sold short are looked for.
    case locate
    /// A user has to confirm it.
    case confirmation
    /// Another cause; the broker's message says which.
    case other
}

/// What the broker answers to a cancel that was sent as a question.
public enum ProbeAnswer: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// It knows no such order.
    case notFound
    /// The order cannot be cancelled as it stands; how it stands is not reported.
    case tooLate
    /// It was filled.
    case filled
    /// It is cancelled.
    case cancelled
    /// Its end is under way.
    case pendingCancel
}

/// The conclusion that the broker has an order no more, with what proves it.
public struct OrderClosure: Hashable, Sendable, BitwiseCopyable {
    /// Its number among the closures and reopenings of the order; closures are odd.
    public let number: UInt8
    /// Why.
    public let cause: Cause

    /// Why an order is taken to be at the broker no more.
    public enum Cause: Hashable, Sendable, BitwiseCopyable {
        /// Two probes were answered, at these times, by "not found". They are at least
        /// `OrderClosure.answerDistance` apart.
        case notFound(first: Timestamp, second: Timestamp)
        /// The user has decided it.
        case operatorDecision
    }

    /// How far two answers must lie apart to prove anything.
    public static let answerDistance = Duration.seconds(2)

    /// A conclusion.
    public init(number: UInt8, _ cause: Cause) {
        self.number = number
        self.cause = cause
    }

    /// Whether it carries its proof.
    public var isProven: Bool {
        guard number % 2 == 1 else { return false }
        switch cause {
        case .operatorDecision: return true
        case .notFound(let first, let second): return second >= first + Self.answerDistance
        }
    }
}
