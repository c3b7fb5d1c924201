/// Why entries are halted. Several may hold at a time.
public enum HaltCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A person wanted it.
    case operatorRequest
    /// A position is too large to be valued.
    case unvaluedPosition
    /// Equity was below the maintenance margin.
    case marginCall
    /// Equity fell too far below its highest value.
    case drawdown
    /// Equity fell too far since the start of the day.
    case dailyLoss

    /// Whether it ends with the day by itself. All others end when a person says so.
    public var endsWithDay: Bool {
        switch self {
        case .operatorRequest, .unvaluedPosition, .marginCall, .drawdown: false
        case .dailyLoss: true
        }
    }

    /// What an entry is told that meets it.
    public var refusal: Refusal {
        switch self {
        case .operatorRequest, .unvaluedPosition: .halted
        case .marginCall: .marginCall
        case .drawdown: .drawdown
        case .dailyLoss: .dailyLoss
        }
    }

    /// In words, for people.
    public var name: StaticString {
        switch self {
        case .operatorRequest: "operator"
        case .unvaluedPosition: "position too large to be valued"
        case .marginCall: "maintenance margin"
        case .drawdown: "drawdown"
        case .dailyLoss: "daily loss"
        }
    }
}
