/// Why entries are halted. Several may hold at a time.
public enum HaltCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The user has killed trading.
    case killed
    /// The user wants it.
    case operatorRequest
    /// The state that the session was to begin with cannot be read whole.
    case damagedState
    /// Program, configuration or strategies differ from those of the journal: the user looks first.
    case changedSetup
    /// A replay of the journal was not answered as the journal says: the user looks first.
    case replayDiffers
    /// The broker has too little excess liquidity: it liquidates.
    case brokerMargin
    /// A position is too large to be valued.
    case unvaluedPosition
    /// Equity was below the maintenance margin.
    case marginCall
    /// Equity fell too far below its highest value.
    case drawdown
    /// Equity fell too far since the start of the day.
    case dailyLoss
    /// The account holds, orders or trades what is not ours, and the configuration halts for that.
    case foreignActivity
    /// The broker has closed a position by itself: the user looks first.
    case brokerLiquidation
    /// The program stood still in the middle of a decision and was ended: the user looks first.
    case programHung
    /// The broker knows orders of ours that the journal does not: it is an older copy.
    case journalOutdated

    /// Whether it ends with the day by itself. All others end when the user lifts them; that of
    /// the broker's margin also when the margin is there again.
    public var endsWithDay: Bool {
        switch self {
        case .killed, .operatorRequest, .damagedState, .changedSetup, .replayDiffers,
            .brokerMargin, .foreignActivity, .brokerLiquidation, .unvaluedPosition, .marginCall,
            .drawdown, .programHung, .journalOutdated:
            false
        case .dailyLoss: true
        }
    }

    /// True if the user's lifting of all halts ends it; a kill is lifted by name alone.
    public var endsWithOthers: Bool { !endsWithDay && self != .killed }

    /// The reason for which it refuses an entry.
    public var refusal: Refusal {
        switch self {
        case .killed, .operatorRequest, .damagedState, .changedSetup, .replayDiffers,
            .foreignActivity, .unvaluedPosition, .brokerLiquidation, .programHung,
            .journalOutdated:
            .halted
        case .marginCall, .brokerMargin: .marginCall
        case .drawdown: .drawdown
        case .dailyLoss: .dailyLoss
        }
    }

    /// In words, for people.
    public var name: StaticString {
        switch self {
        case .killed: "kill"
        case .operatorRequest: "operator"
        case .damagedState: "opening state damaged"
        case .changedSetup: "program or configuration changed"
        case .replayDiffers: "replay differs from the journal"
        case .brokerMargin: "broker margin"
        case .foreignActivity: "position or trade of others"
        case .unvaluedPosition: "position too large to be valued"
        case .marginCall: "maintenance margin"
        case .drawdown: "drawdown"
        case .dailyLoss: "daily loss"
        case .brokerLiquidation: "liquidation by the broker"
        case .programHung: "the program hung"
        case .journalOutdated: "the journal is an older copy"
        }
    }
}
