package import Primitives
package import TWSProtocol

/// What a request for the past asks, as far as the broker's pacing looks at it.
package struct PacedHistory: Hashable, Sendable {
    /// The kinds of request that are paced together.
    package enum Kind: Hashable, Sendable {
        /// Bars of the past.
        case bars(WireBarSize, HistoryDuration)
        /// Five-second bars from now on.
        case realTimeBars
        /// Ticks of the past.
        case ticks(Int32)
    }

    /// Whose data.
    package let instrument: InstrumentID
    /// By which exchange.
    package let exchange: String
    /// Data of what.
    package let whatToShow: WhatToShow
    /// Which kind of request.
    package let kind: Kind
    /// From when, where the request says so.
    package let start: WireTime
    /// Until when, where the request says so.
    package let end: WireTime
    /// Regular hours only.
    package let regularHoursOnly: Bool

    /// A request.
    package init(
        instrument: InstrumentID, exchange: String, whatToShow: WhatToShow, kind: Kind,
        start: WireTime = .none, end: WireTime = .none, regularHoursOnly: Bool
    ) {
        self.instrument = instrument
        self.exchange = exchange
        self.whatToShow = whatToShow
        self.kind = kind
        self.start = start
        self.end = end
        self.regularHoursOnly = regularHoursOnly
    }

    /// Whether it is for bars of 30 seconds or less, five-second bars or ticks: only those are paced
    /// hard.
    package var isSmall: Bool {
        switch kind {
        case .bars(let size, _): (size.seconds ?? .max) <= 30
        case .realTimeBars, .ticks: true
        }
    }

    /// How often it counts: bids and asks together are two requests.
    fileprivate var weight: Int { whatToShow == .bidAsk ? 2 : 1 }

    /// Whether it is for the same contract, exchange and kind of data.
    fileprivate func hasSameTicks(as other: PacedHistory) -> Bool {
        instrument == other.instrument && exchange == other.exchange
            && whatToShow == other.whatToShow
    }
}

/// The small requests of the last ten minutes. All clients of a login share them.
struct HistoryLog: Sendable {
    private var entries: [(query: PacedHistory, at: Timestamp)] = []

    /// The rule that a request breaks now, if any.
    mutating func breach(
        by query: PacedHistory, at now: Timestamp, _ limits: PacingAudit.Limits
    ) -> PacingAudit.Rule? {
        entries.removeAll { now - $0.at >= limits.smallHistoryWindow }
        let isRepeated = entries.contains {
            now - $0.at < limits.sameQueryWindow && $0.query == query
        }
        if isRepeated { return .sameQuery }
        let alike = entries.lazy.filter {
            now - $0.at < limits.sameTicksWindow && $0.query.hasSameTicks(as: query)
        }
        if Self.weight(of: alike) + query.weight >= limits.sameTicks { return .sameTicks }
        let all = Self.weight(of: entries) + query.weight
        return all > limits.smallHistory ? .smallHistory : nil
    }

    /// Remembers a request that was admitted.
    mutating func add(_ query: PacedHistory, at now: Timestamp) { entries.append((query, now)) }

    private static func weight(
        of entries: some Sequence<(query: PacedHistory, at: Timestamp)>
    ) -> Int {
        entries.reduce(0) { $0 + $1.query.weight }
    }
}
