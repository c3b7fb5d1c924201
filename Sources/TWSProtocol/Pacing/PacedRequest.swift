public import Primitives

/// A contract as the pacing rules distinguish contracts.
///
/// The same contract must always be given in the same way, or the rules do not see that it is one.
public struct ContractKey: Hashable, Sendable {
    /// The broker's contract id in digits, or a text that names the contract.
    public let contract: String
    /// Where it is asked for, such as `SMART`.
    public let exchange: String

    /// A contract known by the broker's id.
    public init(id: Int, exchange: String) {
        self.init(name: "\(id)", exchange: exchange)
    }

    /// A contract known by a text: the symbol, and for what is not a stock all else that names it.
    public init(name: String, exchange: String) {
        contract = name
        self.exchange = exchange
    }
}

/// A question for history, with what the rules look at.
///
/// What it leaves out, such as regular hours only, makes two questions look the same that are not:
/// then the second waits for longer than it must.
public struct HistoryQuery: Hashable, Sendable {
    /// What is asked for.
    public let kind: Kind
    /// Of which contract.
    public let contract: ContractKey
    /// The broker's word for it: `TRADES`, `MIDPOINT`, `BID_ASK`.
    public let whatToShow: String
    /// The end and the length, or for ticks beginning, end and number, as they stand in the request.
    public let span: String

    /// What is asked for.
    public enum Kind: Hashable, Sendable {
        /// Bars of so many seconds.
        case bars(seconds: Int)
        /// Single ticks of the past.
        case ticks
        /// Bars of five seconds as they come: holds a market data line too.
        case realTimeBars
    }

    /// A question for history.
    public init(_ kind: Kind, of contract: ContractKey, showing whatToShow: String, span: String) {
        self.kind = kind
        self.contract = contract
        self.whatToShow = whatToShow
        self.span = span
    }

    /// Whether the rules for small bars bind it: bars of 30 seconds and shorter, real-time bars and
    /// ticks. Longer bars the gateway slows down by itself.
    public var isSmall: Bool {
        switch kind {
        case .bars(let seconds): seconds <= 30
        case .ticks, .realTimeBars: true
        }
    }

    /// How often the broker counts it: bid and ask together are two.
    var weight: Int { whatToShow == "BID_ASK" ? 2 : 1 }

    /// Whether the broker sees the same contract, exchange and kind of tick in both.
    func hasSameTicks(as other: HistoryQuery) -> Bool {
        contract == other.contract && whatToShow == other.whatToShow
    }
}

/// A request that limits of its own bind, besides the number of messages.
public enum PacedRequest: Hashable, Sendable {
    /// Bars or ticks of the past, or real-time bars.
    case history(HistoryQuery)
    /// Every tick of a contract.
    case tickByTick(ContractKey)
    /// Quotes and trades of a contract, or a snapshot of them: a market data line while it lasts.
    case marketData
    /// The order book of a contract.
    case marketDepth
    /// The account's figures.
    case accountSummary
    /// A running search of the market.
    case scanner
    /// A snapshot that is paid for each time.
    case regulatorySnapshot
    /// What an order would do to the margin.
    case whatIf
}

/// How much the broker allows, where it differs between accounts.
public struct RequestLimits: Hashable, Sendable {
    /// Market data lines: 100 for a plain account.
    public var marketDataLines = 100
    /// History requests that are open at once.
    public var openHistory = 50
    /// Order books that are open at once: grows with the lines.
    public var marketDepth = 3
    /// Account summaries that are open at once.
    public var accountSummaries = 2
    /// Scanners that are open at once.
    public var scanners = 10
    /// What is added to every time the broker demands between requests: two messages may arrive
    /// closer together than they left.
    public var margin = Duration.milliseconds(500)

    /// The limits of a plain account.
    public init() {}

    /// Tick-by-tick subscriptions that are open at once: 5 % of the lines, at least one.
    public var tickByTick: Int { max(1, marketDataLines / 20) }
}

/// A limit of the broker's.
public enum PacingLimit: Int, Hashable, CaseIterable, Sendable {
    /// Subscriptions for quotes, trades and real-time bars.
    case marketDataLines
    /// Order books.
    case marketDepth
    /// Subscriptions for every tick.
    case tickByTick
    /// Account summaries.
    case accountSummaries
    /// Scanners.
    case scanners
    /// History requests without their answer.
    case openHistory
    /// Messages a second.
    case messages
    /// 60 requests for small bars and ticks in ten minutes.
    case smallHistory
    /// The same question for small bars or ticks within 15 seconds.
    case sameQuery
    /// Six questions for the same contract, exchange and kind of tick within two seconds.
    case sameTicks
    /// One request for every tick of a contract in 15 seconds.
    case sameInstrument
    /// One regulatory snapshot a second.
    case regulatorySnapshot
    /// One what-if a minute: the broker's wish.
    case whatIf
    /// History rests after the broker reported that it was asked too often.
    case backOff
}

/// Why a request cannot have a place now, whatever time passes.
public enum PacingRefusal: Hashable, Sendable {
    /// All places of a limit are taken.
    case full(PacingLimit, allowed: Int)
    /// A request of that id is open or queued.
    case idInUse(Int)
    /// As many messages of that priority are queued as may be.
    case queueFull(MessagePriority, capacity: Int)

    /// What frees a place, in a sentence for people.
    public var remedy: String {
        switch self {
        case .full(.openHistory, _): "wait for an answer, or cancel an open history request"
        case .full: "end one of the open subscriptions"
        case .idInUse: "use an id that no open request has"
        case .queueFull: "wait until queued messages have left, or withdraw some"
        }
    }
}

/// When a request may leave.
public enum Turn: Hashable, Sendable {
    /// At once.
    case now
    /// After that time, because of that limit.
    case after(Duration, PacingLimit)
    /// Not before something is given up.
    case refused(PacingRefusal)
}
