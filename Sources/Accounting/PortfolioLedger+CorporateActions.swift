package import Model
package import Primitives

extension PortfolioLedger {
    /// Books a corporate action for every owner of the instrument.
    ///
    /// A dividend is cash on its ex-day, since the data has no day of payment; it is settled at once,
    /// what a short owes too. A split changes quantities and the mark, and leaves costs as they are.
    /// Each owner's fraction of a share is paid in cash, rounded for itself, so that the account stays
    /// the sum of its owners: this may pay more fractions than the broker does for the account as a whole.
    ///
    /// To be called before anything of the ex-day is marked. When it comes late, the mark is to be set
    /// again, and `histories` must be given for all `lateOwners`.
    ///
    /// - Parameters:
    ///   - price: the last price of an old share, for fractions; without one, the mark.
    ///   - histories: all executions in the instrument of owners, newest versions, oldest first.
    /// - Returns: false, and nothing changes, when a position or price would be beyond what edges accept,
    ///   when a dividend would be beyond 10^12, when shares are held that nobody knows the price of, or when
    ///   executions of the ex-day or later are folded.
    package mutating func apply(
        _ action: CorporateAction, fractionsAt price: Price? = nil, histories: [OwnerHistory] = []
    ) -> Bool {
        precondition(
            lateOwners(of: action).allSatisfy { late in histories.contains { $0.owner == late } },
            "who traded after an action that comes late is booked anew from all executions")
        let index = Int(action.instrument.index)
        let booked = BookedAction(action, price: price ?? instruments[index].mark)
        guard isAcceptable(booked) else { return false }
        let row = actions.firstIndex { $0.action.exDay > action.exDay } ?? actions.endIndex
        actions.insert(booked, at: row)
        guard let ledgers = ledgers(after: booked, histories), areBearable(ledgers, after: booked)
        else {
            actions.remove(at: row)
            return false
        }
        instruments[index].mark = mark(of: action.instrument, after: action)
        for (owner, ledger) in ledgers.enumerated() {
            replace(at: owner * instruments.count + index, with: ledger)
        }
        return true
    }

    /// An owner's executions in an instrument.
    package struct OwnerHistory: Sendable {
        /// Whose.
        package let owner: Attribution
        /// Newest versions, oldest first.
        package let executions: [Execution]

        /// All executions of an owner in an instrument.
        package init(of owner: Attribution, _ executions: [Execution]) {
            self.owner = owner
            self.executions = executions
        }
    }

    /// Owners who have traded the instrument on an action's ex-day or later, or to whom a later action
    /// was booked: `apply` needs their executions.
    package func lateOwners(of action: CorporateAction) -> [Attribution] {
        var owners: [Attribution] = []
        for owner in 0...strategyCount {
            let ledger = ledgers[owner * instruments.count + Int(action.instrument.index)]
            if ledger.isAhead(of: action) { owners.append(attribution(owner)) }
        }
        return owners
    }

    /// Corporate actions booked in an instrument, by ex-day.
    package func actions(in instrument: InstrumentID) -> [BookedAction] {
        actions.filter { $0.action.instrument == instrument }
    }

    /// Books an owner's ledger in an instrument anew.
    mutating func rebuild(_ owner: Attribution, in instrument: InstrumentID, history: [Execution]) {
        let row = row(owner, instrument)
        let rebuilt = rebuilt(
            ledgers[row], on: bases[row], in: instrument, history: history)
        replace(at: row, with: rebuilt.ledger)
    }

    private mutating func replace(at row: Int, with ledger: PositionLedger) {
        let before = ledgers[row]
        use(row)
        ledgers[row] = ledger
        moveAccount(
            at: row % instruments.count, quantity: ledger.quantity - before.quantity,
            cash: ledger.cash - before.cash)
    }

    /// A ledger booked anew from what was folded, executions and actions; only the charges are kept.
    ///
    /// - Returns: the ledger, and whether it could bear all actions. One that it cannot is left out: the
    ///   execution that makes it too large is real, and cannot be refused.
    private func rebuilt(
        _ ledger: PositionLedger, on base: PositionLedger?, in instrument: InstrumentID,
        history: [Execution]
    ) -> (ledger: PositionLedger, isComplete: Bool) {
        let multiplier = instruments[instrument].multiplier
        var rebuilt = base ?? PositionLedger()
        var isComplete = true
        let executions = history.filter { $0.instrument == instrument }
        let actions = actions(in: instrument).filter { base?.isAhead(of: $0.action) != true }
        for entry in LedgerEntry.merged(executions, actions) {
            switch entry {
            case .execution(let execution): rebuilt.apply(execution, multiplier: multiplier)
            case .action(let booked):
                if !rebuilt.apply(booked, multiplier: multiplier) { isComplete = false }
            }
        }
        rebuilt.charges = ledger.charges
        return (rebuilt, isComplete)
    }

    /// All owners' ledgers behind an action that is among `actions` already; `nil` when one cannot bear it.
    private func ledgers(
        after booked: BookedAction, _ histories: [OwnerHistory]
    ) -> [PositionLedger]? {
        let instrument = booked.action.instrument
        var ledgers: [PositionLedger] = []
        for owner in 0...strategyCount {
            let row = owner * instruments.count + Int(instrument.index)
            var ledger = self.ledgers[row]
            let base = bases[row]
            // What it would have changed is folded already.
            guard base?.isAhead(of: booked.action) != true else { return nil }
            let attribution = attribution(owner)
            if let history = histories.first(where: { $0.owner == attribution }) {
                let rebuilt = rebuilt(
                    ledger, on: base, in: instrument, history: history.executions)
                guard rebuilt.isComplete else { return nil }
                ledger = rebuilt.ledger
            } else if !ledger.apply(booked, multiplier: instruments[instrument].multiplier) {
                return nil
            }
            ledgers.append(ledger)
        }
        return ledgers
    }

    /// Whether an action's figures are such that an edge accepts them, and prices are known where they
    /// are needed.
    private func isAcceptable(_ booked: BookedAction) -> Bool {
        let position = instruments[booked.action.instrument]
        switch booked.action.kind {
        case .dividend(let perShare): return perShare >= .zero && perShare <= .magnitudeMax
        case .split(let ratio):
            guard let price = booked.price else { return position.quantity == .zero }
            return ratio.adjusted(price) != nil
                && (position.mark == nil || position.mark.flatMap(ratio.adjusted) != nil)
        }
    }

    /// Whether the position, its value and each owner's dividend are within what the ledger can bear.
    private func areBearable(_ ledgers: [PositionLedger], after booked: BookedAction) -> Bool {
        let instrument = booked.action.instrument
        let units = ledgers.reduce(Int128(0)) { $0 + Int128($1.quantity.units) }
        guard units.magnitude <= UInt128(Quantity.magnitudeMax.units) else { return false }
        let price: Price? =
            switch booked.action.kind {
            case .dividend(let perShare): perShare
            case .split: mark(of: instrument, after: booked.action)
            }
        let multiplier = instruments[instrument].multiplier
        return ledgers.allSatisfy { ledger in
            ((price ?? .zero) * ledger.quantity * multiplier).magnitude <= .tradeMax
        }
    }

    /// The mark behind an action whose figures are acceptable.
    private func mark(of instrument: InstrumentID, after action: CorporateAction) -> Price? {
        let mark = instruments[instrument].mark
        switch action.kind {
        case .dividend: return mark
        case .split(let ratio): return mark.flatMap(ratio.adjusted)
        }
    }

    private func attribution(_ owner: Int) -> Attribution {
        owner == strategyCount ? .unattributed : .strategy(StrategyID(index: owner))
    }
}
