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
        for entry in LedgerEntry.merged(executions, actions) {
            switch entry {
            case .execution(let execution): base.apply(execution, multiplier: multiplier)
            // One that the position cannot bear is left out, as when it is booked anew.
            case .action(let booked): _ = base.apply(booked, multiplier: multiplier)
            }
        }
        bases[row] = base
    }
}
