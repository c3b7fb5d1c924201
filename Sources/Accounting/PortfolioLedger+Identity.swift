import Model
package import Primitives

extension PortfolioLedger {
    /// Whether every sum that is moved by differences equals the sum added up anew:
    ///
    /// - equity is cash plus values, and profit explains what it has gained;
    /// - cash is capital, interest, other income and what ledgers moved, less charges;
    /// - positions are the sums of their owners', each valued at its mark;
    /// - settled cash is cash less what waits, and what waits is sound.
    package var identityHolds: Bool {
        var values = ExactMoney.zero
        var explainedCash = contributed - fees.total + interest + otherIncome
        for index in 0..<instruments.count {
            let (held, cash) = sums(at: index)
            guard held == instruments[index].quantity else { return false }
            explainedCash += cash
            let value = instruments[index].value
            if held == .zero {
                // Nothing is worth nothing at any mark.
                guard value == .zero else { return false }
            } else {
                guard value == worth(of: held, at: index) else { return false }
                values += value
            }
        }
        guard settlements.isSound, settledCash + settlements.proceeds == cash + settlements.payments
        else { return false }
        return explainedCash == cash && cash + values == equity
    }

    /// What all owners hold of an instrument, and the cash that they moved in it.
    @inline(__always)
    private func sums(at index: Int) -> (held: Quantity, cash: ExactMoney) {
        var held = ledgers[index].quantity
        var cash = ledgers[index].cash
        // Places are below the ledgers' count, which was computed with overflow trapping.
        var row = index &+ instruments.count
        while row < ledgersInUse {
            held += ledgers[row].quantity
            cash += ledgers[row].cash
            row &+= instruments.count
        }
        return (held, cash)
    }

    /// What a position is worth at its mark.
    private func worth(of held: Quantity, at index: Int) -> ExactMoney {
        instruments[index].mark.map { $0 * held * instruments[index].multiplier }
            ?? unmarkedValue(at: index)
    }

    /// Takes the ledger into a digest.
    package func hash(into hasher: inout StateHasher) {
        hasher.combine(cash)
        hasher.combine(settledCash)
        settlements.hash(into: &hasher)
        hasher.combine(equity)
        fees.hash(into: &hasher)
        hasher.combine(interest)
        if otherIncome != .zero { hasher.combine(otherIncome) }
        hasher.combine(contributed)
        timeWeightedReturn.hash(into: &hasher)
        for booked in actions {
            hasher.combine(booked.action.instrument.index)
            hasher.combine(booked.action.exDay.number)
        }
        for index in 0..<instruments.count {
            hasher.combine(instruments[index].quantity)
            hasher.combine(instruments[index].mark?.units ?? .min)
        }
        for index in 0..<ledgers.count { ledgers[index].hash(into: &hasher) }
        guard !bases.isEmpty else { return }
        for index in 0..<ledgers.count { bases[index]?.hash(into: &hasher) }
    }
}

extension PositionLedger {
    fileprivate func hash(into hasher: inout StateHasher) {
        hasher.combine(quantity)
        hasher.combine(cost)
        hasher.combine(realized)
        hasher.combine(income)
        hasher.combine(charges)
    }
}
