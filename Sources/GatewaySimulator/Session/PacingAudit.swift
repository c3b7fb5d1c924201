package import Primitives

/// Counts what clients ask in which time, and reports where they break the broker's limits.
///
/// It only judges: whoever asks it refuses, warns or lets pass. Every breach is counted by its rule,
/// whether or not it is acted upon.
package struct PacingAudit: Sendable {
    /// A limit of the broker's.
    package enum Rule: String, Hashable, CaseIterable, Sendable {
        /// Messages a second of one client.
        case messages
        /// Requests for small bars, five-second bars and ticks of the past, in ten minutes.
        case smallHistory
        /// The same such request again within 15 seconds.
        case sameQuery
        /// Six such requests for one contract, exchange and kind of data within two seconds.
        case sameTicks
        /// History requests without their answer.
        case openHistory
        /// Market data lines in use at once.
        case marketDataLines
        /// Order books open at once.
        case marketDepth
        /// Tick-by-tick subscriptions open at once.
        case tickByTick
        /// Tick-by-tick requests for one instrument within 15 seconds.
        case sameInstrument
        /// Regulatory snapshots a second.
        case regulatorySnapshot
    }

    /// How much the broker allows.
    package struct Limits: Hashable, Sendable {
        /// Messages a second of one client: half of the market data lines.
        package var messagesPerSecond = 50
        /// Requests for small bars and ticks in `smallHistoryWindow`.
        package var smallHistory = 60
        /// The window of `smallHistory`.
        package var smallHistoryWindow = Duration.minutes(10)
        /// How long the same request may not be repeated.
        package var sameQueryWindow = Duration.seconds(15)
        /// How many requests for the same ticks break the rule.
        package var sameTicks = 6
        /// The window of `sameTicks`.
        package var sameTicksWindow = Duration.seconds(2)
        /// How long one instrument may not be subscribed to tick by tick again.
        package var sameInstrumentWindow = Duration.seconds(15)

        /// A plain account's limits.
        package init() {}

        /// The limits that go with so many market data lines: half as many messages a second.
        package init(_ settings: GatewayDataSettings) {
            messagesPerSecond = max(1, settings.marketDataLines / 2)
        }
    }

    /// How much is allowed.
    package var limits = Limits()

    /// How often each rule was broken, in the order of `Rule.allCases`.
    private var broken = [Int](repeating: 0, count: Rule.allCases.count)
    private var arrivals: [ConnectionID: RecentTimes] = [:]
    private var ticks: [TickQuestion: Timestamp] = [:]
    private var history = HistoryLog()
    private var lastRegulatorySnapshot: Timestamp?

    /// What a tick-by-tick subscription is about: nobody may ask it again for a while.
    private struct TickQuestion: Hashable, Sendable {
        let connection: ConnectionID
        let instrument: InstrumentID
    }

    /// An audit that has seen nothing.
    package init(limits: Limits = Limits()) { self.limits = limits }

    /// How often a rule was broken.
    package func violations(of rule: Rule) -> Int { broken[Self.index(of: rule)] }

    /// Every rule with how often it was broken, in one order.
    package var violations: [(rule: Rule, count: Int)] {
        Rule.allCases.map { ($0, violations(of: $0)) }
    }

    /// How many breaches there were of any rule.
    package var violationsTotal: Int { broken.reduce(0, +) }

    /// Counts a breach that somebody else found.
    package mutating func count(_ rule: Rule) { broken[Self.index(of: rule)] += 1 }

    /// Forgets a client's connection; what it broke stays counted.
    package mutating func forget(_ connection: ConnectionID) {
        arrivals[connection] = nil
        ticks = ticks.filter { $0.key.connection != connection }
    }

    private static func index(of rule: Rule) -> Int {
        Rule.allCases.firstIndex(of: rule) ?? 0
    }
}

extension PacingAudit {
    /// What is to be made of a message.
    package enum MessageOutcome: Hashable, Sendable {
        /// Within the limit.
        case fine
        /// One too many: this many came within a second, for this many times by now.
        case tooMany(received: Int, times: Int)
    }

    /// Counts a message from a client.
    ///
    /// A breach is found once for each full second over the limit, as a gateway warns, not once for
    /// each message.
    package mutating func message(
        from connection: ConnectionID, at now: Timestamp
    ) -> MessageOutcome {
        let received = arrivals[connection, default: RecentTimes()].add(now, in: .seconds(1))
        guard received > limits.messagesPerSecond else { return .fine }
        guard let times = arrivals[connection]?.breach(at: now) else { return .fine }
        count(.messages)
        return .tooMany(received: received, times: times)
    }

    /// Checks and counts a client's request for every tick of an instrument.
    ///
    /// - Returns: whether it may.
    package mutating func tickByTick(
        _ instrument: InstrumentID, from connection: ConnectionID, at now: Timestamp
    ) -> Bool {
        let question = TickQuestion(connection: connection, instrument: instrument)
        if let last = ticks[question], now - last < limits.sameInstrumentWindow {
            count(.sameInstrument)
            return false
        }
        ticks[question] = now
        return true
    }

    /// Checks and counts a request for a regulatory snapshot.
    ///
    /// - Returns: whether it may.
    package mutating func regulatorySnapshot(at now: Timestamp) -> Bool {
        if let last = lastRegulatorySnapshot, now - last < .seconds(1) {
            count(.regulatorySnapshot)
            return false
        }
        lastRegulatorySnapshot = now
        return true
    }

    /// Checks and counts a request for small bars, five-second bars or ticks of the past. One that is refused
    /// does not count for the next ones.
    ///
    /// - Returns: the rule it breaks, if any.
    package mutating func history(_ query: PacedHistory, at now: Timestamp) -> Rule? {
        guard query.isSmall else { return nil }
        guard let rule = history.breach(by: query, at: now, limits) else {
            history.add(query, at: now)
            return nil
        }
        count(rule)
        return rule
    }
}

/// The times of the last messages of one client.
private struct RecentTimes: Sendable {
    private var times: [Timestamp] = []
    private var first = 0
    private var lastBreach: Timestamp?
    private var breaches = 0

    /// Adds a time, not earlier than the last one.
    ///
    /// - Returns: how many there are within `window`, with this one.
    mutating func add(_ now: Timestamp, in window: Duration) -> Int {
        times.append(now)
        while first < times.count, now - times[first] >= window { first += 1 }
        if first > 1_024 {
            times.removeFirst(first)
            first = 0
        }
        return times.count - first
    }

    /// The number of a new breach; `nil` where the last one is less than a second old.
    mutating func breach(at now: Timestamp) -> Int? {
        if let lastBreach, now - lastBreach < .seconds(1) { return nil }
        lastBreach = now
        breaches += 1
        return breaches
    }
}
