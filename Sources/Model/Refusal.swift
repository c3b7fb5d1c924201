/// Why an order was not allowed.
public enum Refusal: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Entries are halted.
    case halted
    /// The instrument contradicts the ledger and is latched until a person has looked.
    case latched
    /// The instrument cannot be traded.
    case notTradable
    /// No price, no size or a number beyond what can be computed with.
    case cannotEvaluate
    /// Order type, time in force and hours do not go together.
    case invalidTerms
    /// Not even one share is within the size wanted.
    case tooSmall
    /// Nothing is held that the order could reduce.
    case nothingToReduce
    /// It would make the position short.
    case shortNotAllowed
    /// The limit on one position.
    case positionLimit
    /// The limit on all positions together.
    case exposureLimit
    /// The limit on how many positions there are.
    case positionCount
    /// Entries are halted: the loss of the day.
    case dailyLoss
    /// Entries are halted: the fall from the highest equity.
    case drawdown
    /// Entries are halted: equity was below the maintenance margin.
    case marginCall
    /// The initial margin.
    case initialMargin
    /// The settled cash that is left.
    case settledCash
    /// The venue keeps refusing or ending what protects a position; the instrument is latched.
    case protectionFailed
    /// The venue keeps ending an exit: it is sent again in the next session.
    case exitUnfinished
    /// What became of an order in the instrument is not known.
    case outcomeUnknown
    /// The link to the broker does not let such orders leave.
    case linkNotReady
    /// The user has stopped the strategy's entries.
    case strategyStopped
    /// The account holds or orders what is not ours in the instrument, and the user has not adopted it.
    case foreignPosition
    /// The user keeps the instrument to themselves.
    case disowned
    /// There is no number left under which an order could be placed.
    case noOrderNumber
    /// Another intent that it goes together with was refused.
    case groupRefused
    /// The configuration no longer names the strategy or the instrument.
    case orphaned
    /// The instrument has no market data.
    case noMarketData
    /// The instrument has less of its past than strategies want to begin with.
    case noHistory
    /// The instrument's own hours say that it is not traded now.
    case notInTradingHours
    /// The instrument's prices have jumped, and nothing has confirmed them.
    case implausiblePrice
    /// It could trade with an order of our own that works on the other side.
    case selfCrossing
    /// The strategy has sent as many orders as it may within a time.
    case orderRate

    /// In words, for people.
    public var reason: String {
        switch self {
        case .halted: "entries are halted"
        case .latched: "instrument latched after a contradiction"
        case .notTradable: "instrument cannot be traded"
        case .cannotEvaluate: "no price or size to check it with"
        case .invalidTerms: "order type, time in force and hours do not go together"
        case .tooSmall: "less than one share"
        case .nothingToReduce: "nothing left to reduce"
        case .shortNotAllowed: "short selling is off"
        case .positionLimit: "position limit"
        case .exposureLimit: "exposure limit"
        case .positionCount: "number of positions"
        case .dailyLoss: "halted: daily loss"
        case .drawdown: "halted: drawdown"
        case .marginCall: "halted: maintenance margin"
        case .initialMargin: "initial margin"
        case .settledCash: "not enough settled cash"
        case .protectionFailed: "protection refused or ended by the venue: instrument latched"
        case .groupRefused: "refused with the others of its group"
        case .exitUnfinished: "exit ended by the venue: sent again later"
        case .outcomeUnknown: "an order in the instrument has an unknown outcome"
        case .linkNotReady: "the link to the broker is not ready"
        case .strategyStopped: "the strategy's entries are stopped"
        case .foreignPosition: "the account has a position in the instrument that is not ours"
        case .disowned: "the instrument is left to the user"
        case .orphaned: "the strategy or instrument is no longer configured"
        case .noMarketData: "the instrument has no market data"
        case .noHistory: "the instrument has too few past bars"
        case .notInTradingHours: "outside the instrument's own hours"
        case .implausiblePrice: "the instrument's prices have jumped and are not confirmed"
        case .selfCrossing: "it could trade with an order of our own"
        case .orderRate: "the strategy has sent as many orders as it may"
        case .noOrderNumber: "no order number left"
        }
    }
}
