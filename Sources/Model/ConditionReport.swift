public import Primitives

/// Something about this machine, the gateway or its data that bears on trading, besides the link. Each begins and
/// ends by itself.
public enum SessionCondition: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Nothing can be written to the journal: nothing leaves before that ends.
    case journalFailing
    /// There is too little room for the journal: only what reduces positions leaves.
    case diskLow
    /// The room for the journal is running out.
    case diskFilling
    /// The gateway takes no orders: it was set to read only.
    case readOnlyGateway
    /// An instrument has no market data, or data that another login has taken over.
    case dataMissing

    /// An event took strategies seconds.
    case strategySlow
    /// An event took strategies so long that what they know is old.
    case strategyStuck

    /// The broker knows no contract under an instrument's name any more.
    case contractUnknown
    /// An instrument had less of its past than strategies want to begin with.
    case historyMissing
    /// Open orders were asked for, and the list has no end.
    case openOrdersMissing
    /// Completed orders were asked for, and the list has no end.
    case completedOrdersMissing
    /// Executions were asked for, and the list has no end.
    case executionsMissing
    /// Positions were asked for, and the list has no end.
    case positionsMissing
    /// The account's figures were asked for, and do not end.
    case accountValuesMissing

    /// This machine's clock and the gateway's differ.
    case clockDrifting
    /// They differ by so much that times mean nothing.
    case clockSkewed
    /// The program stood still: what happened meanwhile is not known.
    case processPaused
    /// An instrument's own hours are not those of the calendar.
    case hoursDiffer
    /// The calendar says that the market is open, and an instrument's own hours that it is closed.
    case marketClosed
    /// The days known beyond rules have ended: closures since then are not in the calendar.
    case calendarOld

    /// Market data came faster than they were read, and only the newest were kept.
    case dataShed
    /// What comes waits for so long that it is old.
    case fallingBehind
    /// Nothing has come from the gateway for so long that the line is suspect.
    case lineSilent
    /// The link to the broker has been lost for longer than an interruption takes.
    case linkLost
    /// The gateway accepts connections and does not answer, or accepts none for long: it waits for its login.
    case loginNeeded
    /// The gateway says that another connection uses the program's number.
    case clientIDInUse
    /// An instrument's prices have jumped, and no second source has confirmed them.
    case implausiblePrice
    /// The broker has closed a position by itself: it begins and ends at once, and entries are halted.
    case liquidated
    /// The gateway says that too many messages come.
    case rateExceeded
    /// A strategy took longer for one call than it may: its entries are stopped.
    case strategyOverBudget
    /// The program's memory comes near its limit.
    case memoryHigh
    /// The program has nearly as many files open as it may.
    case filesHigh

    /// What may leave while it holds.
    public enum Effect: Hashable, Sendable {
        /// Everything.
        case none
        /// Everything but entries.
        case noEntries
        /// Nothing.
        case nothingLeaves
    }

    /// What may leave while it holds; in one instrument where it is about one.
    public var effect: Effect {
        let isAboutJournal = self == .journalFailing || self == .diskLow
        if PlantedBug.sentWithoutCommit.isPlanted, isAboutJournal { return .none }
        return switch self {
        case .journalFailing, .readOnlyGateway: .nothingLeaves
        case .diskLow, .dataMissing, .strategyStuck, .contractUnknown, .historyMissing,
            .openOrdersMissing, .completedOrdersMissing, .executionsMissing, .positionsMissing,
            .accountValuesMissing, .clockSkewed, .processPaused, .marketClosed,
            .fallingBehind, .implausiblePrice:
            .noEntries
        // While the link is away nothing leaves by its state.
        case .diskFilling, .strategySlow, .clockDrifting, .hoursDiffer, .calendarOld, .dataShed,
            .lineSilent, .linkLost, .loginNeeded, .clientIDInUse, .liquidated, .rateExceeded,
            .strategyOverBudget, .memoryHigh, .filesHigh:
            .none
        }
    }

    /// How urgent it is for the user.
    public var severity: Severity {
        switch self {
        case .journalFailing, .diskLow, .readOnlyGateway, .dataMissing, .strategyStuck,
            .lineSilent, .linkLost, .loginNeeded, .clientIDInUse, .implausiblePrice, .liquidated,
            .contractUnknown, .historyMissing, .openOrdersMissing, .completedOrdersMissing,
            .executionsMissing, .positionsMissing, .accountValuesMissing, .clockSkewed,
            .processPaused, .marketClosed, .fallingBehind, .strategyOverBudget:
            .critical
        case .diskFilling, .strategySlow, .clockDrifting, .hoursDiffer, .calendarOld, .dataShed,
            .rateExceeded, .memoryHigh, .filesHigh:
            .warning
        }
    }

    /// True if it is reported again and again while it lasts, or with another reason, as an alarm each time.
    public var isRepeated: Bool {
        switch self {
        case .linkLost, .loginNeeded, .clientIDInUse, .dataMissing: true
        case .journalFailing, .diskLow, .diskFilling, .readOnlyGateway, .strategySlow,
            .strategyStuck, .lineSilent, .implausiblePrice, .liquidated,
            .contractUnknown, .historyMissing, .openOrdersMissing, .completedOrdersMissing,
            .executionsMissing, .positionsMissing, .accountValuesMissing, .clockSkewed,
            .processPaused, .marketClosed, .fallingBehind, .clockDrifting,
            .hoursDiffer, .calendarOld, .dataShed, .rateExceeded, .strategyOverBudget,
            .memoryHigh, .filesHigh:
            false
        }
    }

    /// True if it is about one strategy.
    package var isOfStrategy: Bool { self == .strategyOverBudget }

    /// In words, for people.
    public var name: StaticString {
        switch self {
        case .journalFailing: "the journal cannot be written"
        case .diskLow: "too little disk space"
        case .diskFilling: "disk space is running out"
        case .readOnlyGateway: "the gateway is read only"
        case .dataMissing: "no market data"
        case .strategySlow: "a strategy takes long"
        case .strategyStuck: "a strategy takes too long"
        case .contractUnknown: "the broker knows no such contract"
        case .historyMissing: "past bars are missing"
        case .openOrdersMissing: "open orders do not end"
        case .completedOrdersMissing: "completed orders do not end"
        case .executionsMissing: "executions do not end"
        case .positionsMissing: "positions do not end"
        case .accountValuesMissing: "account values do not end"
        case .clockDrifting: "the clock differs from the gateway's"
        case .clockSkewed: "the clock is wrong"
        case .processPaused: "the program stood still"
        case .hoursDiffer: "the contract's hours differ from the calendar"
        case .marketClosed: "closed by the contract's hours"
        case .calendarOld: "the calendar is old"
        case .dataShed: "market data were left out"
        case .fallingBehind: "what comes is not read in time"
        case .lineSilent: "the gateway is silent"
        case .linkLost: "the link to the broker stays lost"
        case .loginNeeded: "the gateway needs its login"
        case .clientIDInUse: "the client id is in use"
        case .implausiblePrice: "prices have jumped and are not confirmed"
        case .liquidated: "the broker has liquidated"
        case .rateExceeded: "the gateway has too many messages"
        case .strategyOverBudget: "a strategy took longer than it may"
        case .memoryHigh: "memory is running out"
        case .filesHigh: "too many files are open"
        }
    }
}

/// The beginning or the end of a condition.
public struct ConditionReport: Hashable, Sendable, BitwiseCopyable {
    /// Which.
    public let condition: SessionCondition
    /// True from its beginning on.
    public let isPresent: Bool
    /// The instrument that it is about; `nil` where it is about none.
    public var instrument: InstrumentID? {
        instrumentIndex < 0 ? nil : InstrumentID(index: Int(instrumentIndex))
    }
    /// The strategy that it is about; `nil` where it is about none.
    public var strategy: StrategyID? {
        strategyIndex < 0 ? nil : StrategyID(index: Int(strategyIndex))
    }
    /// What was measured: bytes of room, nanoseconds, the gateway's code; 0 where nothing was.
    public let value: Int64

    private let instrumentIndex: Int32
    private let strategyIndex: Int32

    /// A beginning or an end.
    public init(
        _ condition: SessionCondition, isPresent: Bool, of instrument: InstrumentID? = nil,
        value: Int64 = 0
    ) {
        self.condition = condition
        self.isPresent = isPresent
        self.value = value
        instrumentIndex = instrument?.index ?? -1
        strategyIndex = -1
    }

    /// A beginning or an end that is about a strategy.
    public init(
        _ condition: SessionCondition, isPresent: Bool, of strategy: StrategyID, value: Int64 = 0
    ) {
        self.condition = condition
        self.isPresent = isPresent
        self.value = value
        instrumentIndex = -1
        strategyIndex = strategy.index
    }
}
