package import Primitives

/// Where a gain or loss came from.
package struct Profit: Equatable, Sendable {
    /// What was closed, at average cost, before charges.
    package var realized = ExactMoney.zero
    /// What is held, at its mark less its cost; nothing where there is no mark.
    package var unrealized = ExactMoney.zero
    /// Dividends received less paid.
    package var income = ExactMoney.zero
    /// Interest received less paid; the account's alone.
    package var interest = ExactMoney.zero
    /// Commissions and fees.
    package var charges = ExactMoney.zero

    /// No gain and no loss.
    package init() {}

    /// All together.
    package var net: ExactMoney { realized + unrealized + income + interest - charges }
}

extension PortfolioLedger {
    /// Commissions and fees charged so far.
    package var charges: ExactMoney { fees.total }

    /// One owner's profit in one instrument.
    package func profit(of holding: Holding) -> Profit {
        profit(row: row(holding.owner, holding.instrument))
    }

    /// One owner's profit in all instruments.
    package func profit(of owner: Attribution) -> Profit {
        var sum = Profit()
        for index in 0..<instruments.count {
            sum.add(profit(row: row(owner, InstrumentID(index: index))))
        }
        return sum
    }

    /// The account's profit: what equity is above the capital put in. Charges that are for no known
    /// owner are in here only.
    package var profit: Profit {
        var sum = Profit()
        for row in 0..<ledgers.count { sum.add(profit(row: row)) }
        // What the account's own values say: owners may cancel each other out before the first mark.
        sum.unrealized = equity - cash
        for row in 0..<ledgers.count { sum.unrealized -= ledgers[row].cost }
        sum.interest = interest
        sum.charges = charges
        return sum
    }

    private func profit(row: Int) -> Profit {
        let ledger = ledgers[row]
        let position = instruments[row % instruments.count]
        var profit = Profit()
        profit.realized = ledger.realized
        profit.unrealized =
            position.mark.map { $0 * ledger.quantity * position.multiplier - ledger.cost } ?? .zero
        profit.income = ledger.income
        profit.charges = ledger.charges
        return profit
    }
}

extension Profit {
    fileprivate mutating func add(_ other: Profit) {
        realized += other.realized
        unrealized += other.unrealized
        income += other.income
        charges += other.charges
    }
}
