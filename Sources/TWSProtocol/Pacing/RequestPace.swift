public import Primitives

/// The broker's limits on requests other than the number of messages: how many may be open, and how
/// soon after one another they may leave.
///
/// | what | limit |
/// |---|---|
/// | small history: bars of 30 seconds and shorter, ticks, real-time bars | 60 in ten minutes |
/// | the same small question | once in 15 seconds |
/// | small questions for the same contract, exchange and kind of tick | 5 in two seconds |
/// | any history | 50 open |
/// | quotes and trades, real-time bars | a market data line each |
/// | every tick | 5 % of the lines; once in 15 seconds for a contract |
/// | order book, account summary, scanner | 3, 2 and 10 open |
/// | regulatory snapshot | once a second |
/// | what-if | once a minute, as advice: it is reported and never enforced |
///
/// Bid and ask together count twice in small history. Every time is longer by
/// `RequestLimits.margin`. The limits are the broker's, from its description of the interface.
///
/// All times are of a clock that never steps; a time before the latest one is taken for the latest
/// one. What is remembered is bounded by the limits themselves.
public struct RequestPace: Sendable {
    /// How much the broker allows.
    public let limits: RequestLimits
    private var latest = Timestamp.distantPast
    private var open: [Slot] = []
    private var openCounts = [Int](repeating: 0, count: PacingLimit.allCases.count)
    /// Small history of the last ten minutes, oldest first.
    private var small: [SmallRequest] = []
    /// Requests for every tick of the last 15 seconds, oldest first.
    private var tickByTick: [TickRequest] = []
    private var snapshotAt = Timestamp.distantPast
    private var whatIfAt = Timestamp.distantPast
    private var violations = 0
    private var violatedAt = Timestamp.distantPast
    private var backOffUntil = Timestamp.distantPast

    private struct Slot: Sendable {
        let id: Int
        let limit: PacingLimit
    }
    private struct SmallRequest: Sendable {
        let query: HistoryQuery
        let at: Timestamp
    }
    private struct TickRequest: Sendable {
        let contract: ContractKey
        let at: Timestamp
    }

    /// A time at which a limit lets a request go.
    struct Opening: Sendable {
        let at: Timestamp
        let limit: PacingLimit
    }

    /// Small requests in ten minutes.
    static let smallMax = 60
    /// Small requests for the same ticks in two seconds.
    static let sameTicksMax = 5
    /// Requests for every tick in 15 seconds, of whatever contracts: a bound of ours on what is
    /// remembered. Plain accounts have five such subscriptions.
    static let tickRequestsMax = 256
    private static let backOffFirst = Duration.seconds(30)
    private static let backOffMax = Duration.minutes(10)

    /// Nothing open, nothing asked.
    public init(limits: RequestLimits = RequestLimits()) {
        self.limits = limits
    }

    /// When `request` could leave if nothing else left before it. Takes no place.
    public func turn(for request: PacedRequest, at time: Timestamp) -> Turn {
        if let refusal = noSlot(for: request) { return .refused(refusal) }
        let now = max(time, latest)
        let opening = opening(for: request)
        return opening.at > now ? .after(opening.at - now, opening.limit) : .now
    }

    /// Takes the places of a request that leaves now, if it may.
    ///
    /// - Parameter id: its request id, under which `finished` gives its place back.
    /// - Returns: `now` if it may leave; otherwise nothing is taken. A what-if may always leave.
    public mutating func begin(_ request: PacedRequest, id: Int, at time: Timestamp) -> Turn {
        if hasSlot(id) { return .refused(.idInUse(id)) }
        let turn = turn(for: request, at: time)
        guard turn == .now || request == .whatIf else { return turn }
        if let limit = request.slot { takeSlot(limit, id: id) }
        departed(request, at: time)
        return .now
    }

    /// A request is over: answered to its end, refused, or its cancel has left. Gives its place back.
    ///
    /// - Returns: whether it had one.
    @discardableResult public mutating func finished(_ id: Int) -> Bool {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return false }
        openCounts[open[index].limit.rawValue] -= 1
        open.remove(at: index)
        return true
    }

    /// The broker reported that history was asked for too often (162 or 420 with words to that effect):
    /// all history rests for 30 seconds, twice as long each time it does so again within ten
    /// minutes, at most ten minutes.
    ///
    /// - Returns: how long it rests from now.
    public mutating func violated(at time: Timestamp) -> Duration {
        latest = max(time, latest)
        let isRepeated = violations > 0 && latest < violatedAt + Self.backOffMax
        violations = isRepeated ? min(violations + 1, 10) : 1
        violatedAt = latest
        let doubled = Self.backOffFirst.nanoseconds << (violations - 1)
        let pause = min(Duration(nanoseconds: doubled), Self.backOffMax)
        backOffUntil = max(backOffUntil, latest + pause)
        return backOffUntil - latest
    }

    /// The connection is gone, and with it all that was open. What was asked stays remembered: the
    /// broker counts it over connections.
    public mutating func disconnected() {
        open.removeAll()
        openCounts = [Int](repeating: 0, count: PacingLimit.allCases.count)
        guard PlantedBug.paceForgotten.isPlanted else { return }
        small.removeAll()
        tickByTick.removeAll()
    }

    /// How many places of a limit are taken.
    public func taken(of limit: PacingLimit) -> Int { openCounts[limit.rawValue] }

    /// How many places a limit has; `nil` where it counts over time.
    public func allowed(of limit: PacingLimit) -> Int? {
        switch limit {
        case .marketDataLines: limits.marketDataLines
        case .marketDepth: limits.marketDepth
        case .tickByTick: limits.tickByTick
        case .accountSummaries: limits.accountSummaries
        case .scanners: limits.scanners
        case .openHistory: limits.openHistory
        case .messages, .smallHistory, .sameQuery, .sameTicks, .sameInstrument,
            .regulatorySnapshot, .whatIf, .backOff:
            nil
        }
    }
}

// MARK: - What the outbox needs apart

extension RequestPace {
    /// Whether a request of that id has a place.
    func hasSlot(_ id: Int) -> Bool { open.contains { $0.id == id } }

    /// Why there is no place for `request`; `nil` if there is one or it needs none.
    func noSlot(for request: PacedRequest) -> PacingRefusal? {
        guard let limit = request.slot, let allowed = allowed(of: limit),
            taken(of: limit) >= allowed
        else { return nil }
        return .full(limit, allowed: allowed)
    }

    /// Takes a place, which has to be free.
    mutating func takeSlot(_ limit: PacingLimit, id: Int) {
        open.append(Slot(id: id, limit: limit))
        openCounts[limit.rawValue] += 1
    }

    /// When time lets `request` go, and what holds it until then. Looks at no places.
    func opening(for request: PacedRequest) -> Opening {
        switch request {
        case .history(let query): historyOpening(for: query)
        case .tickByTick(let contract): tickByTickOpening(for: contract)
        case .regulatorySnapshot:
            Opening(at: snapshotAt + spaced(.seconds(1)), limit: .regulatorySnapshot)
        case .whatIf: Opening(at: whatIfAt + spaced(.minutes(1)), limit: .whatIf)
        case .marketData, .marketDepth, .accountSummary, .scanner:
            Opening(at: .distantPast, limit: .messages)
        }
    }

    /// Remembers that `request` left.
    mutating func departed(_ request: PacedRequest, at time: Timestamp) {
        latest = max(time, latest)
        switch request {
        case .history(let query):
            guard query.isSmall else { return }
            let horizon = spaced(.minutes(10))
            small.removeAll { $0.at + horizon <= latest }
            small.append(SmallRequest(query: query, at: latest))
        case .tickByTick(let contract):
            let horizon = spaced(.seconds(15))
            tickByTick.removeAll { $0.at + horizon <= latest }
            tickByTick.append(TickRequest(contract: contract, at: latest))
        case .regulatorySnapshot: snapshotAt = latest
        case .whatIf: whatIfAt = latest
        case .marketData, .marketDepth, .accountSummary, .scanner: break
        }
    }

    private func historyOpening(for query: HistoryQuery) -> Opening {
        var latest = Opening(at: backOffUntil, limit: .backOff)
        guard query.isSmall else { return latest }
        // Newest first: the request with which the limit is passed has to leave the window.
        var (all, sameTicks) = (query.weight, query.weight)
        func block(for window: Duration, since entry: SmallRequest, _ limit: PacingLimit) {
            let opens = entry.at + spaced(window)
            if opens > latest.at { latest = Opening(at: opens, limit: limit) }
        }
        for entry in small.reversed() {
            if entry.query == query { block(for: .seconds(15), since: entry, .sameQuery) }
            if entry.query.hasSameTicks(as: query) {
                sameTicks += entry.query.weight
                if sameTicks > Self.sameTicksMax {
                    block(for: .seconds(2), since: entry, .sameTicks)
                }
            }
            all += entry.query.weight
            if all > Self.smallMax { block(for: .minutes(10), since: entry, .smallHistory) }
        }
        return latest
    }

    private func tickByTickOpening(for contract: ContractKey) -> Opening {
        let window = spaced(.seconds(15))
        let isFull = tickByTick.count >= Self.tickRequestsMax
        let oldest = isFull ? tickByTick[tickByTick.count - Self.tickRequestsMax].at : nil
        let same = tickByTick.last { $0.contract == contract }?.at
        let last = max(same ?? .distantPast, oldest ?? .distantPast)
        return Opening(at: last + window, limit: .sameInstrument)
    }

    private func spaced(_ window: Duration) -> Duration { window + max(.zero, limits.margin) }
}

extension PacedRequest {
    /// The limit that the request takes a place of while it is open.
    var slot: PacingLimit? {
        switch self {
        case .history(let query):
            switch query.kind {
            case .bars, .ticks: .openHistory
            case .realTimeBars: .marketDataLines
            }
        case .tickByTick: .tickByTick
        case .marketData: .marketDataLines
        case .marketDepth: .marketDepth
        case .accountSummary: .accountSummaries
        case .scanner: .scanners
        case .regulatorySnapshot, .whatIf: nil
        }
    }

    /// Whether it waits in the queue for a place: an open question ends by itself, a subscription
    /// does not.
    var waitsForSlot: Bool { slot == .openHistory }
}
