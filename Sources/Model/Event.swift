public import Primitives

/// Something that happened. Past tense; stamped once, at the edge.
///
/// Plain memory without references, at most 128 bytes, so that a batch of events is a copy.
public struct Event: Hashable, Sendable, BitwiseCopyable {
    /// When we learned of it; never decreases within a run.
    public let at: Timestamp
    /// What it was.
    public let kind: Kind

    /// Everything that happens to the engine.
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
        case historyComplete(HistoryCoverage)
        /// All market data that belongs to this time has arrived.
        case sliceClosed
        /// A fact about an order, by our number.
        case order(OrderReport)
        /// A fact about an order, by the broker's names.
        case brokerOrder(BrokerReport)
        /// A part of a list that the broker gives.
        case listing(ListingRecord)
        /// The link to the broker changed.
        case link(LinkReport)
        /// The broker's value for a figure of the account.
        case accountValue(AccountValue)
        /// A session day begins: first of its events.
        case sessionOpened(SessionOpening)
        /// A piece of the state that the session begins with.
        case opening(OpeningRecord)
        /// All of that state is here.
        case openingComplete
        /// A text and its number, before its first use.
        case name(NameChunk)
        /// A company did something to its shares. Comes before the first data of the ex-day; of two on one
        /// day, the split first.
        case corporateAction(CorporateAction)
        /// A timer that was set has come.
        case timer(TimerID)
        /// Money came into the account or left it, and not by an execution.
        case cashMovement(CashMovement)
        /// A target that another program gives to a strategy.
        case signal(ExternalSignal)
        /// What a shadow account has come to.
        case shadowResult(ShadowResult)
        /// The user gave an instruction.
        case operatorRequest(OperatorRequest)
        /// Something about the machine, the gateway or its data that bears on trading has begun or ended.
        case condition(ConditionReport)
        /// The close of a past day as the broker's history has it now. Comes before the first data of a day.
        case dailyClose(DailyClose)
        /// Time passed, and nothing else happened.
        case clock
    }

    /// Something that happened at `at`.
    @inlinable
    public init(at: Timestamp, kind: Kind) {
        self.at = at
        self.kind = kind
    }
}

/// Which of two events at one instant comes first.
public enum EventClass: UInt8, Comparable, Sendable, BitwiseCopyable {
    /// What venues answered, and everything that bears on risk.
    case venueAndRisk = 0
    /// Bars, quotes, trades.
    case marketData
    /// The mark behind a timestamp's market data.
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
        case .order, .brokerOrder, .listing, .link, .accountValue, .sessionOpened, .opening,
            .openingComplete, .name, .corporateAction, .cashMovement, .operatorRequest, .condition,
            .dailyClose, .clock:
            .venueAndRisk
        case .bar, .quote, .trade, .history, .historyComplete, .signal, .shadowResult: .marketData
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
