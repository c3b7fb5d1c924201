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
        switch self {
        case .journalFailing, .readOnlyGateway: .nothingLeaves
        case .diskLow, .dataMissing, .strategyStuck: .noEntries
        case .diskFilling, .strategySlow: .none
        }
    }

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
        }
    }
}

/// The beginning or the end of a condition.
public struct ConditionReport: Hashable, Sendable, BitwiseCopyable {
    /// Which.
    public let condition: SessionCondition
    /// True from its beginning on.
    public let isPresent: Bool
    /// The instrument that it is about; `nil` where it is about all.
    public var instrument: InstrumentID? {
        instrumentIndex < 0 ? nil : InstrumentID(index: Int(instrumentIndex))
    }
    /// What was measured: bytes of room, nanoseconds, the gateway's code; 0 where nothing was.
    public let value: Int64

    private let instrumentIndex: Int32

    /// A beginning or an end.
    public init(
        _ condition: SessionCondition, isPresent: Bool, of instrument: InstrumentID? = nil,
        value: Int64 = 0
    ) {
        self.condition = condition
        self.isPresent = isPresent
        self.value = value
        instrumentIndex = instrument?.index ?? -1
    }
}
