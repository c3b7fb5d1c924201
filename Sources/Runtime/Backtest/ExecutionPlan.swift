import Catalog
import Configuration
import MarketState
import Model
import Primitives
import TradingEngine

/// When a backtest's orders go to the market, as its settings and the length of its bars say.
struct ExecutionPlan {
    /// The engine's rules.
    let rules: ExecutionRules
    /// What the user should know.
    let warnings: [String]

    /// Throws when the bars cannot show what the market gave in the execution window.
    init(_ settings: Settings, _ data: RunData) throws(RunFailure) {
        let calendar = settings.backtest.calendar
        let series =
            switch data {
            case .bars(let bars): bars.series
            case .ticks: [BarSeries]()
            }
        let seen = settings.trading.barSize.map { [$0] } ?? series.map(\.barSize)
        let isDaily = !seen.isEmpty && seen.allSatisfy { $0 >= calendar.sessionLength }
        rules = settings.execution.rules(calendar, isDaily: isDaily)
        let longest = series.map(\.barSize).max()
        if let conflict = settings.execution.conflict(with: calendar, barSize: longest) {
            throw .settings(
                SettingsProblems([
                    SettingsProblem(
                        at: nil, "execution.window", found: conflict.found,
                        allowed: conflict.allowed)
                ]))
        }
        guard case .afterOpen(let delay) = rules.window else {
            warnings = []
            return
        }
        let late = series.filter { series in
            guard let first = series.rows.first else { return false }
            let window = calendar.open(on: calendar.day(of: first.start)) + delay
            return (window - first.start).nanoseconds % series.barSize.nanoseconds != 0
        }
        warnings =
            late.isEmpty
            ? []
            : [
                "\(late.count) symbols have no bar that begins with the execution window: their "
                    + "orders wait for the open of the next bar"
            ]
    }
}

extension ExecutionSettings {
    /// The rules for a run over that calendar.
    ///
    /// - Parameter isDaily: whether every bar is a session or longer.
    func rules(_ calendar: SessionCalendar, isDaily: Bool) -> ExecutionRules {
        var rules = ExecutionRules()
        rules.window = window ?? (isDaily && calendar != .always ? .open : .now)
        rules.openingCutoff = openingCutoff
        rules.closingCutoff = closingCutoff
        rules.outsideRTH = outsideRegularHours
        rules.maintenance = maintenance
        rules.timeLimit =
            switch onTimeout {
            case .leave: nil
            case .cancel: WorkingTimeLimit(orderTimeout, then: .cancel)
            case .reprice(let times):
                WorkingTimeLimit(orderTimeout, then: .reprice(timesMax: times))
            case .escalate: WorkingTimeLimit(orderTimeout, then: .escalate)
            }
        return rules
    }
}
