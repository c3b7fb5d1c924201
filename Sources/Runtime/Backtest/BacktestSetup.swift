package import Configuration
import Primitives
package import Simulation
package import TradingEngine

/// What a backtest is made of, besides its data.
package struct BacktestSetup: Sendable {
    /// Instruments, strategies, capital, limits.
    package var engine: EngineSetup
    /// How orders fill and what they cost.
    package var venue: VenueRules
    /// How long things travel.
    package var latencies: Latencies
    /// What chance depends on.
    package var seed: UInt64
    /// What is paid in and out on the way, in order of days.
    package var cashFlows: [CashFlowSettings] = []
    /// When entries that a limit has halted for good go on.
    package var resume = ResumeSettings.never
    /// True if the engine's state is hashed at the end of every session: `Backtest.sessionHashes`.
    package var hashesSessions = false
    /// True if every session begins with an engine that is opened from the state that the one before left, as the
    /// sessions of an account are. Nothing comes out differently.
    package var reopensSessions = false

    /// A setup.
    package init(engine: EngineSetup, venue: VenueRules, latencies: Latencies, seed: UInt64) {
        self.engine = engine
        self.venue = venue
        self.latencies = latencies
        self.seed = seed
    }
}
