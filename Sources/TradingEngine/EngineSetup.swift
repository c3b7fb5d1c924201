package import Model
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

    /// A setup.
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
    /// The instruments the strategy is shown.
    let shown: [InstrumentID]

    /// Seats a strategy.
    ///
    /// - Parameter shown: the instruments it is shown; only these call it.
    package init(_ strategy: any Strategy, sizing: Sizing, shown: [InstrumentID]) {
        self.strategy = strategy
        self.sizing = sizing
        self.shown = shown
    }
}
