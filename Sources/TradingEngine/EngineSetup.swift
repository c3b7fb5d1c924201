import Accounting
package import MarketState
public import Model
package import Primitives
package import Risk
public import Signals

/// What an engine is made of.
package struct EngineSetup: Sendable {
    /// The run's instruments; an `InstrumentID` is an index into it.
    package var instruments: [Instrument]
    /// The strategies, in the order in which they are called.
    package var strategies: [StrategyInstance]
    /// Cash at the start.
    package var capital: Money
    /// What the gate holds orders to; `nil` switches limits off.
    package var limits: RiskLimits?
    /// Which time belongs to which day.
    package var calendar = SessionCalendar.newYork
    /// When executions settle, in an account that may spend settled cash only; `nil` in a margin account,
    /// where proceeds can be spent at once.
    package var settlement: SettlementCalendar?
    /// What is paid a year for cash that is owed.
    package var debitInterest = Percent.zero
    /// When intents go to the market, and how long their orders may work.
    package var execution = ExecutionRules()

    /// What is set aside beyond the price of a purchase, where only settled cash may be spent.
    package var cashBuffer = CashBuffer(Percent(1))
    /// How much may be lost before entries are halted.
    package var losses = LossLimits()
    /// What part of positions must be there as equity, where falling short of it means something; `nil`
    /// where it does not.
    package var margin: MarginTerms?

    /// How many orders a strategy may send before its entries are stopped; `nil` for any number.
    package var orderRates: OrderRateLimits?

    /// Instruments that are quoted and never traded, such as currencies: positions in them are valued at
    /// the middles of their quotes, which are also their newest prices.
    package var quotedOnly: [InstrumentID] = []

    /// True if market data may be taken in in batches. Off for comparing: nothing comes out differently.
    package var usesBatches = true
    /// The reasons that a saved state refers to by their numbers, as `Engine.reasons` had them; the first is the
    /// empty one.
    package var reasons = [""]
    /// How the state of another setup is read; `nil` where the state is of the same instruments and strategies in the
    /// same order, under the same configuration.
    package var takeover: Takeover?
    /// How many of the instruments the configuration names, if not all: those behind are a state's orphans.
    package var configuredInstruments: Int?
    /// How many of the strategies the configuration names, if not all: those behind are a state's orphans.
    package var configuredStrategies: Int?
    /// What follows when the account holds, orders or trades what is not ours.
    package var foreignPolicy = ForeignPolicy.ignore
    /// True if what is held is valued at prices of the day, as the broker values it; false where strategies see a bar a
    /// day: then only what was realised is compared with the broker's figures.
    package var valuesAreCurrent = true
    /// Which decisions leave the engine.
    package var decisions = DecisionLevel.counts
    /// True if what strategies note leaves the engine.
    package var keepsNotes = false

    /// A setup of a margin account that pays no interest.
    package init(
        instruments: [Instrument], strategies: [StrategyInstance], capital: Money,
        limits: RiskLimits?
    ) {
        self.instruments = instruments
        self.strategies = strategies
        self.capital = capital
        self.limits = limits
    }
}

/// How an engine takes over a state that was left under another configuration.
package struct Takeover: Sendable {
    /// What ids in the state's records are in the setup.
    package let ids: RecordIDs
    /// By strategy of the setup: true for one that begins anew instead of going on from its saved state.
    package let restarts: [Bool]
    /// True if entries wait until the user has looked; false where only orphans that hold nothing are left out.
    package let haltsEntries: Bool

    /// - Precondition: no two ids in records are the same in the setup.
    package init(_ ids: RecordIDs, restarts: [Bool], haltsEntries: Bool) {
        self.ids = ids
        self.restarts = restarts
        self.haltsEntries = haltsEntries
    }

    /// True if a strategy begins anew.
    func restarts(_ strategy: StrategyID) -> Bool {
        Int(strategy.index) < restarts.count && restarts[Int(strategy.index)]
    }
}

/// A strategy and what belongs to it in this run.
@usableFromInline
package struct StrategyInstance: Sendable {
    /// The strategy itself.
    @usableFromInline package var strategy: any Strategy
    /// How large its entries are.
    package var sizing: Sizing
    /// What protects its positions unless it says so itself; `nil` for nothing.
    package let protection: Protection?

    /// Whether the strategy acts on the end of a slice.
    @usableFromInline var receivesSlices = true
    /// Whether sizes, stops or targets count in average true ranges.
    @usableFromInline let keepsRanges: Bool
    /// The lengths that they count in, each once.
    private let rangeLengths: [Int]
    /// By instrument, then length; of the prices that the strategy sees.
    private var ranges: [AverageTrueRange] = []
    /// Whether the strategy acts on quotes.
    var receivesQuotes = true
    /// Whether the strategy acts on trades.
    var receivesTrades = true
    /// The instruments the strategy is shown.
    let shown: [InstrumentID]
    private var showsIndex: [Bool] = []

    /// True if it is shown every instrument of the run: then it needs no selection of a slice's bars.
    var isShownAll = false
    /// The newest row of another program's table that was applied to it.
    var newestSignal: Int64 = .min
    /// The strategy at the start of a batch, while one runs.
    private var saved: (any Strategy)?
    /// The bars of a slice that it is shown, while they are.
    private var ownBars: [Bar] = []

    /// An instance of a strategy.
    ///
    /// - Parameters:
    ///   - protection: what protects its positions unless it says so itself.
    ///   - shown: the instruments it is shown; only these call it.
    package init(
        _ strategy: any Strategy, sizing: Sizing, protection: Protection? = nil,
        shown: [InstrumentID]
    ) {
        self.strategy = strategy
        self.sizing = sizing
        self.shown = shown
        self.protection = protection
        let requiredLengths =
            [sizing.averageTrueRangeLength].compactMap(\.self) + (protection?.rangeLengths ?? [])
            + strategy.averageTrueRangeLengths.filter { $0 > 0 }
        var lengths: [Int] = []
        for length in requiredLengths where !lengths.contains(length) { lengths.append(length) }
        rangeLengths = lengths
        keepsRanges = !lengths.isEmpty
        let count = shown.reduce(0) { max($0, Int($1.index) + 1) }
        showsIndex = Array(repeating: false, count: count)
        for instrument in shown { showsIndex[Int(instrument.index)] = true }
        for _ in 0..<count { ranges += lengths.map { AverageTrueRange(length: $0) } }
    }
}

/// What stands in for a strategy that the configuration no longer names: it asks for nothing.
private struct OrphanedStrategy: Strategy {
    static let declaration = StrategyDeclaration(
        name: "orphaned", summary: "stands in for a strategy that the configuration no longer names"
    )

    init(_ setup: StrategySetup) {}
    init() {}
}

extension StrategyInstance {
    /// What stands in for a strategy that the configuration no longer names: it asks for nothing, its positions stay
    /// protected as they are, and the user can cancel and flatten what it has.
    package static func orphan(shown: [InstrumentID]) -> StrategyInstance {
        StrategyInstance(OrphanedStrategy(), sizing: .fixedShares(.zero), shown: shown)
    }

    /// True for what stands in for a strategy.
    package var isOrphan: Bool { strategy is OrphanedStrategy }

    /// Keeps the strategy as it is, for `restore`.
    mutating func checkpoint() { saved = strategy }

    /// Takes the strategy back to its checkpoint.
    mutating func restore() {
        if let saved { strategy = saved }
    }

    /// Forgets the checkpoint.
    mutating func dropCheckpoint() { saved = nil }

    /// Shows it those of a slice's bars that it is shown, and the slice's end.
    mutating func showSlice(_ bars: Span<Bar>, _ context: inout StrategyContext) {
        guard !isShownAll else { return strategy._runSlice(bars, &context) }
        // Taken out meanwhile: the strategy cannot be called while a part beside it is read.
        var own: [Bar] = []
        swap(&own, &ownBars)
        for index in bars.indices where isShown(bars[index].instrument) { own.append(bars[index]) }
        strategy._runSlice(own.span, &context)
        own.removeAll(keepingCapacity: true)
        swap(&own, &ownBars)
    }

    private func isShown(_ instrument: InstrumentID) -> Bool {
        isShownAll || Int(instrument.index) < showsIndex.count && showsIndex[Int(instrument.index)]
    }

    /// Takes a bar into the average true ranges of its instrument.
    @usableFromInline
    mutating func updateRanges(_ bar: Bar) {
        let first = Int(bar.instrument.index) * rangeLengths.count
        for index in first..<(first + rangeLengths.count) { ranges[index].update(bar) }
    }

    /// The newest average true range of an instrument, in the prices that the strategy sees; `nil` for a
    /// length that nobody has asked for at the start, and before there were bars enough.
    func averageTrueRange(of instrument: InstrumentID, length: Int) -> Price? {
        guard let column = rangeLengths.firstIndex(of: length) else { return nil }
        let index = Int(instrument.index) * rangeLengths.count + column
        guard index < ranges.count, let value = ranges[index].value else { return nil }
        return Price(rounding: value / Double(Price.unitsPerOne))
    }
}

// MARK: - Records

extension StrategyInstance {
    /// Writes what belongs to the instance besides the strategy itself.
    func write(to writer: inout RecordWriter, as id: StrategyID) {
        if newestSignal != .min {
            writer.item(.instance) { item in
                item.write(id)
                item.write(newestSignal)
            }
        }
        for index in ranges.indices {
            writer.item(.range) { item in
                item.write(id)
                item.write(InstrumentID(index: index / rangeLengths.count))
                item.write(rangeLengths[index % rangeLengths.count])
                item.write(ranges[index])
            }
        }
    }

    /// Reads an average true range back, behind the strategy's id. That of a length that nobody counts in any more is
    /// left out.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let instrument = try reader.instrument()
        let length = try reader.count()
        let range = try reader.value(AverageTrueRange.self)
        guard let column = rangeLengths.firstIndex(of: length) else { return }
        let index = Int(instrument.index) * rangeLengths.count + column
        guard index < ranges.count else { return }
        ranges[index] = range
    }
}
