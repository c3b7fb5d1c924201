import Configuration
import MarketState
import Simulation

extension VenueRules {
    /// The rules of a configuration, for bars.
    init(_ settings: Settings) {
        let backtest = settings.backtest
        self.init(calendar: backtest.calendar)
        commission = backtest.commission.schedule
        slippage = backtest.slippage.model
        participation = backtest.participation
        limitFill = backtest.limitFill
        stopTrigger = backtest.stopTrigger
        barPath = backtest.barPath
        impact = backtest.impact.map { .squareRoot(coefficient: $0) }
        guard backtest.calendar != .always else { return }
        openingCutoff = settings.execution.openingCutoff
        closingCutoff = settings.execution.closingCutoff
    }
}
