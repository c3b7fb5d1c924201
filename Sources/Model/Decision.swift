public import Primitives

/// What the engine concluded and why, for people: what came of an intent, which rule stopped it with which
/// figures, what was submitted, halted, protected.
///
/// Plain memory without references, at most 128 bytes. Decisions of a run are numbered without gaps.
public struct Decision: Hashable, Sendable, BitwiseCopyable {
    /// The number, from 1 within a run.
    public let number: Int64
    /// The time of the event that it follows from.
    public let at: Timestamp
    /// What it is about.
    public let subject: Subject
    /// What was concluded.
    public let kind: Kind
    /// The strategy's or the engine's words for why, if there are any.
    public let reason: TextID
    /// The numbers that explain it.
    public let figures: Figures

    /// What a decision is about. Ids and numbers that do not apply are absent.
    public struct Subject: Hashable, Sendable, BitwiseCopyable {
        // Strategies and instruments count from 0, orders and intents from 1: what is absent is beside them.
        private let strategyIndex: Int32
        private let instrumentIndex: Int32
        private let orderNumber: Int64
        private let intentNumber: Int64

        /// A subject.
        public init(
            strategy: StrategyID? = nil, instrument: InstrumentID? = nil, order: OrderID? = nil,
            intent: Int64? = nil
        ) {
            strategyIndex = strategy?.index ?? -1
            instrumentIndex = instrument?.index ?? -1
            orderNumber = order?.number ?? 0
            intentNumber = intent ?? 0
        }

        /// The strategy.
        public var strategy: StrategyID? {
            strategyIndex < 0 ? nil : StrategyID(index: Int(strategyIndex))
        }
        /// The instrument.
        public var instrument: InstrumentID? {
            instrumentIndex < 0 ? nil : InstrumentID(index: Int(instrumentIndex))
        }
        /// The order.
        public var order: OrderID? { orderNumber == 0 ? nil : OrderID(number: orderNumber) }
        /// The number of the intent; they count from 1 within a run.
        public var intent: Int64? { intentNumber == 0 ? nil : intentNumber }
    }

    /// What was concluded.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        /// A strategy has asked for something.
        case intentReceived(Intent.Kind)
        /// An entry was sized.
        case sized(SizingMethod)
        /// A rule has cut an order: `asked` and `allowed` say to what.
        case reduced(Refusal)
        /// A rule has stopped an intent or an order.
        case refused(Refusal)
        /// An intent is not performed, and no rule is the reason.
        case dropped(DropCause)
        /// An intent is kept for a later time.
        case held(PendingCause)
        /// An intent that was kept is taken up.
        case released
        /// An order goes to the venue.
        case submitted(OrderPurpose)
        /// A change of an order goes to the venue.
        case modified(OrderPurpose)
        /// The end of an order is asked for.
        case cancelRequested(OrderPurpose)
        /// Entries are halted.
        case halted(HaltCause)
        /// A halt has ended.
        case resumed(HaltCause)
        /// Entries in an instrument are latched: they wait until a person has looked.
        case latched(LatchCause)
        /// A latch was cleared.
        case latchCleared
        /// A position has the protection planned for it on its way.
        case protectionPlaced
        /// Protection moves to other prices.
        case protectionMoved
        /// A position has no protection where it should have some.
        case protectionMissing
        /// Purchases took settled cash below zero.
        case overdrawn
        /// What a company did is beyond what the portfolio can bear and was not booked.
        case actionNotBooked
        /// The link to the broker changed.
        case linkChanged(BrokerLinkState)
        /// The broker's lists are asked for, to be compared with what is known.
        case reconciliationBegun
        /// They contradict what is known.
        case finding(Finding.Kind)
        /// They were compared: `count` findings.
        case reconciled
        /// The user's instruction was taken in.
        case instructed(OperatorRequest.Kind)
        /// A record of the state to begin with cannot be read.
        case damagedRecord(OpeningRecord.Topic)
        /// History was shorter than strategies asked for.
        case historyShort
        /// A row of external signals was applied before.
        case signalRepeated
        /// Money came or went: counted as what it is.
        case cashMoved(CashMovement.Cause)
        /// A condition that bears on trading has begun.
        case conditionBegan(SessionCondition)
        /// It has ended.
        case conditionEnded(SessionCondition)
        /// A strategy's entries are stopped until the user lets them go on.
        case strategyStopped(StopCause)
        /// Nothing has been heard of an order: what became of it is asked.
        case outcomeUnknown
        /// A cancel was sent as often as it is and not answered: the order counts as working.
        case cancelUnanswered
        /// The configuration no longer names a strategy or an instrument that still has a position or orders. They
        /// stay protected; no strategy decides about them.
        case orphaned
        /// A position that was without its protection for longer than it may be has it again: `value` seconds.
        case protectionRestored
        /// The account's cash has moved, and nothing that is known explains it: what it seems to be. Only what the
        /// user names is booked.
        case accountCashMoved(CashMovement.Cause)
        /// A figure of the broker's differs from ours by more than it may.
        case accountDiffers(AccountComparison)
        /// An order of ours works at the broker on other terms than it should: it is cancelled and sent anew.
        case protectionMended
        /// The broker has corrected an execution, or taken it back.
        case executionCorrected
        /// The broker has rejected an order; the value is its code.
        case orderRejected
        /// An order has not left this machine.
        case orderNotSent
        /// The broker has held an order for minutes: it works as far as that can be known.
        case orderHeld
        /// Executions have had no commission for too long: `count` of them.
        case commissionMissing
    }

    /// A decision.
    public init(
        number: Int64, at time: Timestamp, _ kind: Kind, about subject: Subject,
        because reason: TextID = .none, _ figures: Figures = Figures()
    ) {
        self.number = number
        at = time
        self.subject = subject
        self.kind = kind
        self.reason = reason
        self.figures = figures
    }
}

/// How an entry is sized.
public enum SizingMethod: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// A fixed number of shares.
    case fixedShares
    /// What an amount of money buys.
    case fixedMoney
    /// What a part of equity buys.
    case percentOfEquity
    /// What loses a part of cash when the price reaches the stop.
    case riskPerTrade
    /// What a weight in the portfolio comes to.
    case weight
}

/// Why an intent is not performed, though no rule stopped it.
public enum DropCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The strategy has a position already.
    case alreadyHeld
    /// An entry works already.
    case alreadyEntering
    /// Nothing is held that could be closed.
    case nothingHeld
    /// The position is, or will be with the orders that work, what is asked for.
    case atTarget
    /// A newer intent of the strategy about the position has taken its place.
    case superseded
    /// Entries are halted, and it would have opened or enlarged a position.
    case halted
    /// The strategy has taken it back.
    case withdrawn
    /// The same exit works, or waits for its next try.
    case alreadyExiting
    /// An order that it had to wait for has ended in vain.
    case precedingOrderEnded
    /// It cannot be expressed in new shares after a split.
    case notConvertible
    /// Its strategy has begun anew under another configuration, or is no longer configured.
    case strategyRestarted
}

/// What an intent that is kept waits for.
public enum PendingCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Its execution window.
    case window
    /// The end of the broker's maintenance.
    case maintenance
    /// The end, or a change, of orders in its way.
    case otherOrders
}

/// Why entries in an instrument wait until a person has looked.
public enum LatchCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// An execution that is of no order of ours, not as ordered, or more than ordered.
    case unexpectedFill
    /// Protection that the venue keeps rejecting or ending.
    case protectionFailed
    /// A corporate action that could not be booked.
    case actionNotBooked
    /// A position on the side that nobody ordered.
    case wrongSide
    /// The broker has another position than the ledger.
    case positionDiffers
    /// The broker names two orders by what is the name of one.
    case contradiction
    /// The broker's close of a past day is another than it was, and no corporate action that is known explains it.
    case closeDiffers
    /// An execution that the broker has taken back.
    case executionTakenBack
}

/// A figure of the account that is compared with the broker's.
public enum AccountComparison: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// What the net liquidation value has gained since it was compared last.
    case netLiquidation
    /// The profit of positions that are held.
    case unrealizedProfit
    /// The day's profit of what was closed.
    case realizedProfit
    /// What a position has cost for each unit.
    case averageCost
}

/// Why a strategy's entries are stopped.
public enum StopCause: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The broker has refused several of its entries within a short time.
    case rejections
    /// It took longer for one call than it may.
    case overBudget
    /// It has sent as many orders as it may within a time.
    case orderRate
}

/// How urgent a decision is for the user.
public enum Severity: UInt8, CaseIterable, Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Nothing to be done.
    case information
    /// Worth a look today.
    case warning
    /// Trading is restricted, or a position is in danger: the user looks at once.
    case critical

    /// Orders by urgency.
    public static func < (left: Severity, right: Severity) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Decision.Kind {
    /// How urgent it is; from `warning` on it is an alarm.
    public var severity: Severity {
        switch self {
        case .halted(let cause): cause == .operatorRequest ? .warning : .critical
        case .latched, .protectionMissing, .damagedRecord, .strategyStopped, .cancelUnanswered:
            .critical
        case .refused(let rule):
            rule == .protectionFailed || rule == .exitUnfinished ? .critical : .information
        case .finding(let finding): finding.severity
        case .linkChanged(let state):
            state == .down || state == .upstreamLost || state == .locked ? .warning : .information
        case .overdrawn, .actionNotBooked, .historyShort, .orphaned, .protectionRestored,
            .protectionMended, .accountDiffers, .outcomeUnknown, .executionCorrected,
            .orderRejected, .orderNotSent, .orderHeld, .commissionMissing:
            .warning
        case .cashMoved(let cause): cause == .unknown ? .warning : .information
        case .accountCashMoved(let cause):
            cause == .unknown || cause == .transfer ? .warning : .information
        case .conditionBegan(let condition): condition.severity
        case .intentReceived, .sized, .reduced, .dropped, .held, .released, .submitted, .modified,
            .cancelRequested, .resumed, .latchCleared, .protectionPlaced, .protectionMoved,
            .conditionEnded, .reconciliationBegun, .reconciled, .instructed, .signalRepeated:
            .information
        }
    }
}

extension Decision {
    /// A decision's kind without its details, for counting.
    public enum Topic: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// See `Kind`.
        case intentReceived, sized, reduced, refused, dropped, held, released, submitted, modified,
            cancelRequested, halted, resumed, latched, latchCleared, protectionPlaced,
            protectionMoved, protectionMissing, overdrawn, actionNotBooked, linkChanged,
            reconciliationBegun, finding, reconciled, instructed, damagedRecord, historyShort,
            signalRepeated, cashMoved, orphaned, conditionBegan, conditionEnded,
            protectionRestored, accountCashMoved, accountDiffers, protectionMended, strategyStopped,
            outcomeUnknown, cancelUnanswered, executionCorrected, orderRejected, orderNotSent,
            orderHeld, commissionMissing
    }
}

extension Decision.Kind {
    /// The kind without its details.
    public var topic: Decision.Topic {
        switch self {
        case .intentReceived: .intentReceived
        case .sized: .sized
        case .reduced: .reduced
        case .refused: .refused
        case .dropped: .dropped
        case .held: .held
        case .released: .released
        case .submitted: .submitted
        case .modified: .modified
        case .cancelRequested: .cancelRequested
        case .halted: .halted
        case .resumed: .resumed
        case .latched: .latched
        case .latchCleared: .latchCleared
        case .protectionPlaced: .protectionPlaced
        case .protectionMoved: .protectionMoved
        case .protectionMissing: .protectionMissing
        case .overdrawn: .overdrawn
        case .actionNotBooked: .actionNotBooked
        case .linkChanged: .linkChanged
        case .reconciliationBegun: .reconciliationBegun
        case .finding: .finding
        case .reconciled: .reconciled
        case .instructed: .instructed
        case .damagedRecord: .damagedRecord
        case .historyShort: .historyShort
        case .signalRepeated: .signalRepeated
        case .cashMoved: .cashMoved
        case .conditionBegan: .conditionBegan
        case .conditionEnded: .conditionEnded
        case .orphaned: .orphaned
        case .protectionRestored: .protectionRestored
        case .accountCashMoved: .accountCashMoved
        case .accountDiffers: .accountDiffers
        case .protectionMended: .protectionMended
        case .strategyStopped: .strategyStopped
        case .outcomeUnknown: .outcomeUnknown
        case .cancelUnanswered: .cancelUnanswered
        case .executionCorrected: .executionCorrected
        case .orderRejected: .orderRejected
        case .orderNotSent: .orderNotSent
        case .orderHeld: .orderHeld
        case .commissionMissing: .commissionMissing
        }
    }

    /// The number of what the kind is about in detail; 0 where it has none.
    package var detail: UInt8 {
        switch self {
        case .intentReceived(let kind): kind.rawValue
        case .sized(let method): method.rawValue
        case .reduced(let refusal), .refused(let refusal): refusal.rawValue
        case .dropped(let cause): cause.rawValue
        case .held(let cause): cause.rawValue
        case .submitted(let purpose), .modified(let purpose), .cancelRequested(let purpose):
            switch purpose {
            case .entry: 0
            case .exit: 1
            case .protection: 2
            }
        case .halted(let cause), .resumed(let cause): cause.rawValue
        case .latched(let cause): cause.rawValue
        case .linkChanged(let state): state.rawValue
        case .finding(let finding): finding.rawValue
        case .instructed(let request): request.rawValue
        case .damagedRecord(let topic): topic.rawValue
        case .cashMoved(let cause), .accountCashMoved(let cause): cause.rawValue
        case .accountDiffers(let comparison): comparison.rawValue
        case .strategyStopped(let cause): cause.rawValue
        case .conditionBegan(let condition), .conditionEnded(let condition): condition.rawValue
        case .released, .latchCleared, .protectionPlaced, .protectionMoved, .protectionMissing,
            .overdrawn, .actionNotBooked, .reconciliationBegun, .reconciled, .historyShort,
            .signalRepeated, .orphaned, .protectionRestored, .protectionMended, .outcomeUnknown,
            .cancelUnanswered, .executionCorrected, .orderRejected, .orderNotSent, .orderHeld,
            .commissionMissing:
            0
        }
    }
}

extension Decision {
    /// Takes the decision into a digest.
    package func hash(into hasher: inout StateHasher) {
        hasher.combine(number)
        hasher.combine(at)
        hasher.combine(UInt64(kind.topic.rawValue) << 8 | UInt64(kind.detail))
        hasher.combine(subject.strategy?.index ?? -1)
        hasher.combine(subject.instrument?.index ?? -1)
        hasher.combine(subject.order?.number ?? 0)
        hasher.combine(subject.intent ?? 0)
        hasher.combine(reason.index)
        figures.hash(into: &hasher)
    }
}
