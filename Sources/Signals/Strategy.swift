public import Model
public import Primitives

/// A trading strategy: a value that sees the market and answers with intents.
///
/// The same value runs in backtest, simulation, paper and live. It reads no clock, file or random source:
/// what it needs to know is in the context, what it wants goes there too. A bar is shown only when it is
/// complete, so the future cannot be read.
///
/// ```swift
/// struct BuyTheDip: Strategy {
///     static let declaration = StrategyDeclaration(
///         name: "buy_the_dip", summary: "buys after a bar that fell, sells after one that rose")
///
///     init(_ setup: StrategySetup) {}
///
///     mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
///         if bar.close < bar.open {
///             context.enter(.buy, bar.instrument, because: "the bar fell")
///         } else {
///             context.exit(bar.instrument, because: "the bar rose")
///         }
///     }
/// }
/// ```
public protocol Strategy: Sendable {
    /// Name, purpose and parameters.
    static var declaration: StrategyDeclaration { get }

    /// A strategy before its first bar. Throws when parameters contradict each other.
    init(_ setup: StrategySetup) throws(ParameterError)

    /// How many bars of each instrument it wants to see before it may act.
    var warmupBars: Int { get }

    /// The lengths of the average true ranges that the stops and targets it names count in.
    var averageTrueRangeLengths: [Int] { get }

    /// A bar of one of its instruments is complete.
    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext)

    /// So many bars of the past of one of its instruments were there in a session, of those that it asked for. No intent
    /// follows from it.
    mutating func historyCompleted(
        _ coverage: HistoryCoverage, _ context: inout StrategyContext)

    /// The best bid or offer of one of its instruments changed.
    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext)

    /// Others traded in one of its instruments.
    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext)

    /// All bars of a time were shown, and nothing more comes for it: here instruments are compared.
    mutating func sliceClosed(_ context: inout StrategyContext)

    /// An order of its own traded.
    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext)

    /// A timer it set has come.
    mutating func timerFired(_ number: Int, _ context: inout StrategyContext)

    /// An intent of its own was stopped by a rule: no order follows from it. What it asks for here is carried
    /// out; that this is refused in turn is recorded, and not notified again.
    mutating func intentRefused(_ refusal: IntentRefusal, _ context: inout StrategyContext)

    /// An order of its own has ended without filling whole: it was rejected or cancelled, its time was over, or it never
    /// came to the broker. Orders that end because others of their group have filled are not among them.
    mutating func orderEnded(_ end: OrderEnd, _ context: inout StrategyContext)

    /// Something that is the strategy's was changed at the broker by others: what it holds or an order of its own. Where
    /// it is what it holds, nothing is sent to mend it, and entries in the instrument wait until the user has looked. An
    /// order goes on under its new terms; only protection that does not cover the position any more is placed anew.
    mutating func changedOutside(_ change: OutsideChange, _ context: inout StrategyContext)

    /// The shadow account of one of its instruments has come to a result: here an allocator compares them.
    mutating func shadowReported(_ result: ShadowResult, _ context: inout StrategyContext)

    /// For the engine: `barClosed` and `sliceClosed` with one row after the other. A requirement only so that it
    /// is compiled for each strategy.
    mutating func _runBars(
        _ rows: Span<BarRow>, _ batch: inout BarBatch, _ context: inout StrategyContext)
    /// For the engine: `barClosed` with each bar of a slice, then `sliceClosed`; see `_runBars`.
    mutating func _runSlice(_ bars: Span<Bar>, _ context: inout StrategyContext)
    /// For the engine: `quoteChanged` and `tradeHappened` with one row after the other; see `_runBars`.
    mutating func _runTicks(
        _ rows: Span<TickRow>, _ batch: inout TickBatch, _ context: inout StrategyContext)
}

extension Strategy {
    /// None.
    public var warmupBars: Int { 0 }
    /// None.
    public var averageTrueRangeLengths: [Int] { [] }
    /// Does nothing.
    public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {}
    /// Does nothing, and marks that: the engine does not ask again.
    public mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        context.declinedQuotes = true
    }
    /// Does nothing, and marks that: the engine does not ask again.
    public mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        context.declinedTrades = true
    }
    /// Does nothing, and marks that: the engine does not ask again.
    @inlinable
    public mutating func sliceClosed(_ context: inout StrategyContext) {
        context.declinedSlices = true
    }
    /// Does nothing.
    public mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {}
    /// Does nothing.
    public mutating func historyCompleted(
        _ coverage: HistoryCoverage, _ context: inout StrategyContext
    ) {}
    /// Does nothing.
    public mutating func intentRefused(
        _ refusal: IntentRefusal, _ context: inout StrategyContext
    ) {}
    /// Does nothing.
    public mutating func orderEnded(_ end: OrderEnd, _ context: inout StrategyContext) {}
    /// Does nothing.
    public mutating func changedOutside(
        _ change: OutsideChange, _ context: inout StrategyContext
    ) {}
    /// Does nothing.
    public mutating func shadowReported(
        _ result: ShadowResult, _ context: inout StrategyContext
    ) {}
    /// Does nothing.
    public mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {}
}

/// How a strategy presents itself.
public struct StrategyDeclaration: Sendable {
    /// The name in configurations: lower case with underscores.
    public let name: String
    /// What it does, in one line.
    public let summary: String
    /// What its user may choose.
    public let parameters: [ParameterDeclaration]
    /// For a strategy that names all its quantities itself, so that the configured sizing means nothing: what
    /// says how large positions are, as in "top and invested_pct say".
    public let ownSizing: String?

    /// A declaration.
    public init(
        name: String, summary: String, parameters: [ParameterDeclaration] = [],
        ownSizing: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.ownSizing = ownSizing
    }
}

/// What a strategy is given at its start.
public struct StrategySetup: Sendable {
    /// The strategy's own instruments, those it is shown, in the order of the run's.
    public let instruments: [Instrument]
    /// All instruments of the run; an `InstrumentID` is an index into it.
    public let universe: [Instrument]
    /// The values its user chose.
    public let parameters: Parameters

    /// A setup of a strategy.
    ///
    /// - Parameter universe: all instruments of the run; those of the strategy, unless set otherwise. An
    ///   instrument's id must be its index here.
    public init(
        instruments: [Instrument], universe: [Instrument]? = nil, parameters: Parameters
    ) {
        self.instruments = instruments
        self.universe = universe ?? instruments
        self.parameters = parameters
    }
}

/// An intent of a strategy that a rule has stopped.
public struct IntentRefusal: Hashable, Sendable, BitwiseCopyable {
    /// When.
    public let at: Timestamp
    /// Whose intent it was.
    public let strategy: StrategyID
    /// What it was about.
    public let instrument: InstrumentID
    /// What it asked for.
    public let intent: Intent.Kind
    /// The rule that stopped it.
    public let rule: Refusal
    /// The numbers that explain it.
    public let figures: Figures

    /// A refusal.
    public init(
        at time: Timestamp, strategy: StrategyID, instrument: InstrumentID, intent: Intent.Kind,
        rule: Refusal, figures: Figures = Figures()
    ) {
        at = time
        self.strategy = strategy
        self.instrument = instrument
        self.intent = intent
        self.rule = rule
        self.figures = figures
    }
}

/// The end of a strategy's order that has not filled whole.
public struct OrderEnd: Hashable, Sendable, BitwiseCopyable {
    /// When.
    public let at: Timestamp
    /// The order.
    public let order: OrderID
    /// What it was for.
    public let instrument: InstrumentID
    /// Which way it went.
    public let side: Side
    /// What it was meant to do.
    public let purpose: OrderPurpose
    /// How it ended.
    public let outcome: Outcome
    /// What of it has filled.
    public let filled: Quantity
    /// What of it has not.
    public let remaining: Quantity

    /// How an order ended.
    public enum Outcome: Hashable, Sendable, BitwiseCopyable {
        /// The venue rejected it.
        case rejected(RejectCause)
        /// It was cancelled, or its time was over.
        case cancelled(CancelCause)
        /// It has not left this machine.
        case notSent(NotSentCause)
        /// The broker does not have it: it was lost on its way, or the user has decided so.
        case notAtBroker
    }

    /// The end of an order.
    public init(
        at time: Timestamp, order: OrderID, instrument: InstrumentID, side: Side,
        purpose: OrderPurpose, outcome: Outcome, filled: Quantity, remaining: Quantity
    ) {
        at = time
        self.order = order
        self.instrument = instrument
        self.side = side
        self.purpose = purpose
        self.outcome = outcome
        self.filled = filled
        self.remaining = remaining
    }
}

/// What others have changed at the broker of what is a strategy's.
public struct OutsideChange: Hashable, Sendable, BitwiseCopyable {
    /// When that was found.
    public let at: Timestamp
    /// What it is about.
    public let instrument: InstrumentID
    /// What has changed.
    public let kind: Kind

    /// What has changed.
    public enum Kind: Hashable, Sendable, BitwiseCopyable {
        /// The account holds so much more of the instrument than the program's own orders have made of it; negative is
        /// less, zero as much again. The strategy's own position is what its executions made of it, still.
        case position(Quantity)
        /// An order of the strategy's works for another quantity or at other prices than it was sent with.
        case order(OrderID)
    }

    /// A change.
    public init(at time: Timestamp, instrument: InstrumentID, kind: Kind) {
        at = time
        self.instrument = instrument
        self.kind = kind
    }
}
