import Model
package import Primitives

extension Books {
    /// Whether every sum that is moved by differences equals the sum added up anew:
    ///
    /// - equity is cash plus values, and profit explains what it has gained;
    /// - cash is capital, interest and what ledgers moved, less charges;
    /// - positions are the sums of their owners', each valued at its mark;
    /// - settled cash is cash less what waits, and what waits is sound.
    package var identityHolds: Bool {
        var values = ExactMoney.zero
        var explainedCash = contributed - fees.total + interest
        for index in 0..<instruments.count {
            let book = instruments[index]
            values += book.value
            var held = Quantity.zero
            for owner in 0...strategyCount {
                let ledger = ledgers[owner * instruments.count + index]
                held += ledger.quantity
                explainedCash += ledger.cash
            }
            let value =
                book.mark.map { $0 * book.quantity * book.multiplier } ?? unmarkedValue(at: index)
            guard held == book.quantity, book.value == value else { return false }
        }
        guard settlements.isSound, settledCash + settlements.proceeds == cash + settlements.payments
        else { return false }
        return explainedCash == cash && cash + values == equity
    }

    /// Takes the books into a digest.
    package func hash(into hasher: inout StateHasher) {
        hasher.combine(cash)
        hasher.combine(settledCash)
        settlements.hash(into: &hasher)
        hasher.combine(equity)
        fees.hash(into: &hasher)
        hasher.combine(interest)
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
