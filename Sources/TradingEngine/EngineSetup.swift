package import Accounting
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
    package var strategies: [StrategySeat]
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
    /// When wishes go to the market, and how long their orders may work.
    package var execution = ExecutionRules()

    /// What is set aside beyond the price of a purchase, where only settled cash may be spent.
    package var cushion = CashCushion(Percent(1))
    /// How much may be lost before entries are halted.
    package var losses = LossLimits()
    /// What part of positions must be there as equity, where falling short of it means something; `nil`
    /// where it does not.
    package var margin: MarginTerms?

    /// Instruments that are quoted and never traded, such as currencies: positions in them are valued at
    /// the middles of their quotes, which are also their newest prices.
    package var quotedOnly: [InstrumentID] = []

    /// A setup of a margin account that pays no interest.
    package init(
        instruments: [Instrument], strategies: [StrategySeat], capital: Money, limits: RiskLimits?
    ) {
        self.instruments = instruments
        self.strategies = strategies
        self.capital = capital
        self.limits = limits
    }
}

/// A strategy and what belongs to it in this run.
@usableFromInline
package struct StrategySeat: Sendable {
    /// The strategy itself.
    @usableFromInline package var strategy: any Strategy
    /// How large its entries are.
    package var sizing: Sizing

    /// Whether the strategy acts on the end of an instant.
    @usableFromInline var hearsSlices = true
    /// Whether entries are sized by the average true range.
    @usableFromInline let sizesByRange: Bool
    /// By instrument, if entries are sized by them; of the prices that the strategy sees.
    var ranges: [AverageTrueRange] = []
    /// Whether the strategy acts on quotes.
    var hearsQuotes = true
    /// Whether the strategy acts on trades.
    var hearsTrades = true
    /// The instruments the strategy is shown.
    let shown: [InstrumentID]

    /// Seats a strategy.
    ///
    /// - Parameter shown: the instruments it is shown; only these call it.
    package init(_ strategy: any Strategy, sizing: Sizing, shown: [InstrumentID]) {
        self.strategy = strategy
        self.sizing = sizing
        self.shown = shown
        sizesByRange = sizing.averageTrueRangeLength != nil
        guard let length = sizing.averageTrueRangeLength else { return }
        let count = shown.reduce(0) { max($0, Int($1.index) + 1) }
        ranges = Array(repeating: AverageTrueRange(length: length), count: count)
    }
}

extension StrategySeat {
    /// Takes a bar into the average true range of its instrument.
    @usableFromInline
    mutating func updateRange(_ bar: Bar) { ranges[Int(bar.instrument.index)].update(bar) }

    /// The newest average true range of an instrument, in the prices that the strategy sees.
    func averageTrueRange(of instrument: InstrumentID) -> Price? {
        guard sizesByRange, let value = ranges[Int(instrument.index)].value else { return nil }
        return Price(rounding: value / Double(Price.unitsPerOne))
    }
}
