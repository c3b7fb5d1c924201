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
        for index in 0..<instruments.count {
            values += instruments[index].value
            guard isSound(at: index) else { return false }
        }
        var explainedCash = contributed - fees.total + interest
        for place in 0..<ledgers.count { explainedCash += ledgers[place].cash }
        guard settlements.isSound, settledCash + settlements.proceeds == cash + settlements.payments
        else { return false }
        return explainedCash == cash && cash + values == equity
    }

    /// Whether an instrument's position is the sum of its owners' and valued at its mark.
    @inline(__always)
    private func isSound(at index: Int) -> Bool {
        var held = Quantity.zero
        // Places are below the ledgers' count, which was computed with overflow trapping.
        var place = index
        while place < ledgers.count {
            held += ledgers[place].quantity
            place &+= instruments.count
        }
        guard held == instruments[index].quantity else { return false }
        // Nothing is worth nothing at any mark.
        guard held != .zero else { return instruments[index].value == .zero }
        let value =
            instruments[index].mark.map { $0 * held * instruments[index].multiplier }
            ?? unmarkedValue(at: index)
        return instruments[index].value == value
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
