public import Primitives

/// What a strategy wants, in terms of positions, not of orders.
///
/// The engine sizes it, passes it through risk and works out the orders.
public struct Intent: Hashable, Sendable, BitwiseCopyable {
    /// Whose intent.
    public let strategy: StrategyID
    /// About which instrument.
    public let instrument: InstrumentID
    /// What is wanted.
    public private(set) var goal: Goal
    /// On which terms its order goes.
    public private(set) var terms: OrderTerms
    /// Why.
    public private(set) var reason: TextID
    /// What shall protect the position; `nil` for what is configured, or what protects it already.
    public private(set) var protection: Protection?

    /// What it asks for, without figures.
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// See `Goal`.
        case enter, exit, targetQuantity, targetWeight, cancelEntries, withdraw, protect
    }

    /// What can be wanted of a position.
    public enum Goal: Hashable, Codable, Sendable, BitwiseCopyable {
        /// Open a position on that side with the size the configured sizing gives; nothing when there
        /// is a position or a working entry already.
        case enter(Side)
        /// Close the position, whatever its side.
        case exit
        /// Hold this many shares; negative is short.
        case target(Quantity)
        /// Hold this part of equity; 0.1 is ten percent, negative is short.
        case weight(Double)
        /// Cancel the strategy's working entries in the instrument, and drop those that are pending. Exits
        /// and protection stay.
        case cancelEntries
        /// Leave the position as it is: drop what the strategy wanted before and is not done, exits among
        /// it. Protection stays.
        case withdraw
        /// Put `protection` in the place of that of the position held.
        case protect
    }

    /// Its number within the run, from 1, which the engine gives it on receipt; 0 before that, and for what
    /// the engine itself wants.
    public internal(set) var number: Int64
    /// The group of intents that it belongs to, from 1; 0 for one that stands alone.
    package internal(set) var group: Int32

    /// An intent.
    public init(
        strategy: StrategyID, instrument: InstrumentID, goal: Goal, terms: OrderTerms = .market,
        reason: TextID = .none, protection: Protection? = nil
    ) {
        number = 0
        group = 0
        self.strategy = strategy
        self.instrument = instrument
        self.goal = goal
        self.terms = terms
        self.reason = reason
        self.protection = protection
    }

    /// How its order finds a price.
    public var orderType: OrderType { terms.type }

    /// How long its order works.
    public var timeInForce: TimeInForce { terms.timeInForce }

    /// Whether it is about a strategy's position in an instrument.
    package func isAbout(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        self.strategy == strategy && self.instrument == instrument
    }

    /// What it asks for, without figures.
    public var kind: Kind {
        switch goal {
        case .enter: .enter
        case .exit: .exit
        case .target: .targetQuantity
        case .weight: .targetWeight
        case .cancelEntries: .cancelEntries
        case .withdraw: .withdraw
        case .protect: .protect
        }
    }

    /// The same intent as received: with its number, its reason's and its group's.
    package func received(as number: Int64, because reason: TextID, group: Int32) -> Intent {
        // Changed in a copy: to make it anew takes each part apart and together again.
        var intent = self
        (intent.number, intent.reason, intent.group) = (number, reason, group)
        return intent
    }

    /// The same intent on other terms.
    package func with(terms: OrderTerms) -> Intent {
        var intent = self
        intent.terms = terms
        return intent
    }

    /// The same intent with another goal.
    package func with(goal: Goal) -> Intent {
        var intent = self
        intent.goal = goal
        return intent
    }

    /// The same intent with each of its prices replaced.
    package func mapPrices(_ replacement: (Price) -> Price) -> Intent {
        var intent = self
        intent.terms = terms.mapPrices(replacement)
        intent.protection = protection?.mapPrices(replacement)
        return intent
    }
}
