package import Model
package import Primitives

/// What stays of executions that nobody keeps any longer.
extension PortfolioLedger {
    /// Folds an owner's oldest executions in an instrument, and the corporate actions before the last of them: what
    /// is booked anew from now on starts behind them, and `history` is without them. Nothing else changes.
    ///
    /// - Parameter executions: newest versions, oldest first; all older ones are folded already.
    package mutating func fold(
        _ executions: [Execution], of owner: Attribution, in instrument: InstrumentID
    ) {
        guard let last = executions.last else { return }
        let row = row(owner, instrument)
        var base = bases[row] ?? PositionLedger()
        let actions = actions(in: instrument).filter {
            !base.isAhead(of: $0.action) && $0.action.exOpening <= last.time
        }
        let multiplier = instruments[instrument].multiplier
        var next = actions.startIndex
        for execution in executions {
            while next < actions.endIndex, actions[next].action.exOpening <= execution.time {
                // One that the position cannot bear is left out, as when it is booked anew.
                _ = base.apply(actions[next], multiplier: multiplier)
                next += 1
            }
            base.apply(execution, multiplier: multiplier)
        }
        bases[row] = base
    }
}
