public import Primitives

/// Something that happened. Past tense; stamped once, at the edge.
///
/// Plain memory without references, at most 128 bytes, so that a batch of events is a copy.
public struct Event: Hashable, Sendable, BitwiseCopyable {
    /// When we learned of it; never decreases within a run.
    public let at: Timestamp
    /// What it was.
    public let kind: Kind

    /// Everything the engine can be told.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        /// A bar is complete.
        case bar(Bar)
        /// The best bid or offer changed.
        case quote(Quote)
        /// Others traded.
        case trade(Trade)
        /// A bar of the past, for warm-up: no intent may follow from it.
        case history(Bar)
        /// The warm-up is over.
        case historyComplete
        /// All market data that belongs to this instant has arrived.
        case sliceClosed
        /// A venue said something about an order.
        case order(OrderReport)
        /// A company did something to its shares. Comes before the first data of the ex-day; of two on one
        /// day, the split first.
        case corporateAction(CorporateAction)
        /// A timer that was set has come.
        case timer(TimerID)
        /// Money was paid in (positive) or out (negative).
        case cashFlow(Money)
        /// A person gave an instruction.
        case operatorRequest(OperatorRequest)
    }

    /// Something that happened at `at`.
    @inlinable
    public init(at: Timestamp, kind: Kind) {
        self.at = at
        self.kind = kind
    }
}

/// What a person can tell the engine.
public enum OperatorRequest: Hashable, Sendable, BitwiseCopyable {
    /// No more entries, and those that work are cancelled; exits and protection go on.
    case halt
    /// Entries are allowed again, but for the limit on a day's loss, which ends with the day.
    case resume
    /// One halt is lifted; the others, and latches, stay.
    case lift(HaltCause)
}

/// Which of two events at one instant comes first.
public enum EventClass: UInt8, Comparable, Sendable, BitwiseCopyable {
    /// What venues answered, and everything that bears on risk.
    case venueAndRisk = 0
    /// Bars, quotes, trades.
    case marketData
    /// The mark behind an instant's market data.
    case sliceClosed
    /// Timers.
    case timer

    /// Orders by who comes first.
    public static func < (left: EventClass, right: EventClass) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Event.Kind {
    /// The rank among events of one instant.
    public var eventClass: EventClass {
        switch self {
        case .order, .corporateAction, .cashFlow, .operatorRequest: .venueAndRisk
        case .bar, .quote, .trade, .history, .historyComplete: .marketData
        case .sliceClosed: .sliceClosed
        case .timer: .timer
        }
    }
}

/// An event's place among all events of a run: time, then class, then arrival. Total and strict.
public struct EventOrder: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// When it is due.
    public let at: Timestamp
    /// Its rank at that instant.
    public let eventClass: EventClass
    /// How many were queued before it; unique within a run.
    public let sequence: UInt64

    /// A place in the order.
    public init(at: Timestamp, eventClass: EventClass, sequence: UInt64) {
        self.at = at
        self.eventClass = eventClass
        self.sequence = sequence
    }

    /// Orders by time, class and arrival.
    public static func < (left: EventOrder, right: EventOrder) -> Bool {
        if left.at != right.at { return left.at < right.at }
        if left.eventClass != right.eventClass { return left.eventClass < right.eventClass }
        return left.sequence < right.sequence
    }
}
