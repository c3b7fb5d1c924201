public import Primitives

/// An instruction of the user to a running engine, with the reason given for it.
public struct OperatorRequest: Hashable, Sendable, BitwiseCopyable {
    /// What is to be done.
    public let action: Action
    /// The user's words for why; `.none` without any.
    public let reason: NameID

    /// An instruction.
    public init(_ action: Action, because reason: NameID = .none) {
        self.action = action
        self.reason = reason
    }

    /// What can be asked for. Each may be repeated without doing anything twice.
    public enum Action: Hashable, Sendable, BitwiseCopyable {
        /// No more entries, and those that work are cancelled; exits and protection go on.
        case halt
        /// One halt is lifted, and nothing else.
        case resume(HaltCause)
        /// Every halt is lifted that does not end by itself and is no kill, and every latch is cleared.
        case resumeAll
        /// Entries in one instrument go on after the user has looked.
        case clearLatch(InstrumentID)
        /// One strategy opens and enlarges no more positions; its entries that work are cancelled.
        case stopEntries(StrategyID)
        /// It may again.
        case startEntries(StrategyID)
        /// Entries within the scope are cancelled; exits and protection stay. An order that is named is
        /// cancelled whatever it is for.
        case cancel(Scope)
        /// Positions within the scope are closed, whatever their strategies want meanwhile.
        case flatten(Scope)
        /// What became of an order is decided by the user, on evidence from outside.
        case resolve(OrderID, OrderEvidence)
        /// An execution that no message brought, booked for an order.
        case bookExecution(OrderID, Execution)
        /// Entries are allowed in an instrument in which the account holds or orders what is not ours.
        case adopt(InstrumentID)
        /// An instrument is left to the user: entries that work are cancelled and no more follow; what is held
        /// stays protected.
        case disown(InstrumentID)
        /// A split that data or broker suggest is true: positions and orders are converted.
        case confirmSplit(InstrumentID, SplitRatio)
        /// Money came in or went out.
        case cash(CashMovement)
        /// No entry leaves until the user lifts this cause by name.
        case kill
    }

    /// What an instruction is about.
    public enum Scope: Hashable, Sendable, BitwiseCopyable {
        /// One order, and what it has opened.
        case order(OrderID)
        /// All of an instrument.
        case instrument(InstrumentID)
        /// All of a strategy.
        case strategy(StrategyID)
        /// Everything.
        case all
    }
}

/// What the user knows about an order from outside.
public enum OrderEvidence: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The broker does not have it, or no longer.
    case notAtBroker
    /// The broker has it, and it works.
    case working
    /// It was cancelled.
    case cancelled
}

extension OperatorRequest {
    /// What is asked for, without details.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// See `Action`.
        case halt, resume, resumeAll, clearLatch, stopEntries, startEntries, cancel, flatten,
            resolve,
            bookExecution, adopt, disown, confirmSplit, cash, kill
    }

    /// What is asked for, without details.
    public var kind: Kind {
        switch action {
        case .halt: .halt
        case .resume: .resume
        case .resumeAll: .resumeAll
        case .clearLatch: .clearLatch
        case .stopEntries: .stopEntries
        case .startEntries: .startEntries
        case .cancel: .cancel
        case .flatten: .flatten
        case .resolve: .resolve
        case .bookExecution: .bookExecution
        case .adopt: .adopt
        case .disown: .disown
        case .confirmSplit: .confirmSplit
        case .cash: .cash
        case .kill: .kill
        }
    }
}
