public import MarketState
public import Model
public import Primitives

/// Shows bars to one strategy and notes what it asks for, without a market: for tests of strategies.
///
/// Intents come true at once: after `enter` it has 100 shares on that side, after `setTarget` and `exit`
/// what it asked for. Nothing else changes what it has, and equity stays as it was set.
///
/// ```swift
/// var rehearsal = Rehearsal(try MyStrategy(setup), instruments: setup.instruments)
/// rehearsal.show([bar])
/// #expect(rehearsal.intents.map(\.goal) == [.enter(.buy)])
/// ```
public struct Rehearsal: ~Copyable {
    /// What was asked for so far, in order.
    public private(set) var intents: [RecordedIntent] = []

    /// What was noted so far, in order.
    public var notes: [Note] {
        context.notes.map {
            Note(
                at: $0.at, instrument: $0.instrument, score: $0.score,
                rank: $0.rank > 0 ? Int($0.rank) : nil)
        }
    }

    private var strategy: any Strategy
    private var context: StrategyContext

    /// A figure that was left for people.
    public struct Note: Hashable, Sendable {
        /// When it was left.
        public let at: Timestamp
        /// About which instrument.
        public let instrument: InstrumentID
        /// What the strategy thinks of it.
        public let score: Double
        /// The place among those compared, from 1; `nil` when nothing was compared.
        public let rank: Int?
    }

    /// An intent about a position.
    public struct RecordedIntent: Hashable, Sendable {
        /// When it was left.
        public let at: Timestamp
        /// About which instrument.
        public let instrument: InstrumentID
        /// What is wanted.
        public let goal: Intent.Goal
        /// On which terms.
        public let terms: OrderTerms
        /// What shall protect the position, if the intent says so.
        public let protection: Protection?
    }

    /// A rehearsal before the first bar, with nothing held and an account of 100,000.
    ///
    /// - Parameter instruments: those of the strategy's setup.
    public init(
        _ strategy: any Strategy, instruments: [Instrument], calendar: SessionCalendar = .newYork
    ) {
        self.strategy = strategy
        context = StrategyContext(instruments: instruments, strategyCount: 1, calendar: calendar)
        context.keepsNotes = true
        setEquity(Money(cents: 100_000_00))
    }

    /// Shows the bars that end at one instant, and closes it.
    public mutating func show(_ bars: [Bar]) {
        for bar in bars { record(bar) }
        strategy._runSlice(bars.span, &context)
        performRequests()
    }

    /// Shows bars of the past, as before a run's first day: what is asked for or noted is forgotten, and no
    /// instant is closed.
    public mutating func warmUp(_ bars: [Bar]) {
        context.keepsNotes = false
        context.isWarmingUp = true
        defer {
            context.keepsNotes = true
            context.isWarmingUp = false
        }
        for bar in bars {
            record(bar)
            strategy.barClosed(bar, &context)
            context.requests.removeAll()
        }
    }

    /// Changes what the strategy has.
    public mutating func setHolding(
        _ holding: StrategyContext.Holding, of instrument: InstrumentID
    ) {
        context.setHolding(holding, of: instrument, for: context.strategy)
    }

    /// Changes what the account is worth.
    public mutating func setEquity(_ equity: Money) {
        context.valuation = Valuation(ExactMoney(equity))
    }

    private mutating func record(_ bar: Bar) {
        context.time = bar.end
        context.state.record(bar)
    }

    private mutating func performRequests() {
        for index in context.requests.indices {
            guard case .intent(let intent, _) = context.requests[index] else { continue }
            intents.append(
                RecordedIntent(
                    at: context.now, instrument: intent.instrument, goal: intent.goal,
                    terms: intent.terms, protection: intent.protection))
            let quantity: Quantity
            switch intent.goal {
            case .enter(let side): quantity = side.signed(Quantity(shares: 100))
            case .exit: quantity = .zero
            case .target(let target): quantity = target
            case .weight, .cancelEntries, .withdraw, .protect: continue
            }
            setHolding(StrategyContext.Holding(quantity: quantity), of: intent.instrument)
        }
        context.requests.removeAll()
    }
}
