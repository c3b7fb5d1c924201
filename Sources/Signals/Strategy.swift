public import Model

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

    /// Calls `barClosed` for one row after the other, up to the first about which it intents something.
    ///
    /// For the engine, where nothing is ordered meanwhile: as a requirement it is compiled for each
    /// strategy, which takes the calls between engine and strategy out of most bars. Leave it as it is.
    mutating func watch(
        _ rows: Span<BarRow>, _ batch: inout BarBatch, _ context: inout StrategyContext)

    /// Calls `barClosed` for one bar of an instant after the other.
    ///
    /// For the engine, as `watch` is. Leave it as it is.
    mutating func watchSlice(_ bars: Span<Bar>, _ context: inout StrategyContext)

    /// Calls `quoteChanged` and `tradeHappened` for one row after the other, up to the first about which
    /// it intents something.
    ///
    /// For the engine, as `watch` is. Leave it as it is.
    mutating func watchTicks(
        _ rows: Span<TickRow>, _ batch: inout TickBatch, _ context: inout StrategyContext)

    /// The best bid or offer of one of its instruments changed.
    mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext)

    /// Others traded in one of its instruments.
    mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext)

    /// All bars of an instant have been shown: the place to compare instruments.
    mutating func sliceClosed(_ context: inout StrategyContext)

    /// An order of its own traded.
    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext)

    /// A timer it set has come.
    mutating func timerFired(_ number: Int, _ context: inout StrategyContext)
}

extension Strategy {
    /// None.
    public var warmupBars: Int { 0 }
    /// None.
    public var averageTrueRangeLengths: [Int] { [] }
    /// Does nothing.
    public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {}
    /// Does nothing, and says so: the engine does not ask again.
    public mutating func quoteChanged(_ quote: Quote, _ context: inout StrategyContext) {
        context.declinedQuotes = true
    }
    /// Does nothing, and says so: the engine does not ask again.
    public mutating func tradeHappened(_ trade: Trade, _ context: inout StrategyContext) {
        context.declinedTrades = true
    }
    /// Does nothing, and says so: the engine does not ask again.
    public mutating func sliceClosed(_ context: inout StrategyContext) {
        context.declinedSlices = true
    }
    /// Does nothing.
    public mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {}
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
    /// All instruments of the run; an `InstrumentID` is an index into it.
    public let instruments: [Instrument]
    /// The values its user chose.
    public let parameters: Parameters

    /// A setup.
    public init(instruments: [Instrument], parameters: Parameters) {
        self.instruments = instruments
        self.parameters = parameters
    }
}
