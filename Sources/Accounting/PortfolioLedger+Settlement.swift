import Model
package import Primitives

extension PortfolioLedger {
    /// Cash that purchases may use in a cash account: settled cash less what purchases that are done will
    /// take. Charges have left settled cash already. This is the account value IBKR calls SettledCash.
    ///
    /// It never counts the proceeds of a sale before their settlement day, so no purchase made with it
    /// can be a good-faith violation or free riding (Regulation T, 12 CFR 220.8). May be negative after a
    /// correction. Orders that still work are not in here: who sizes takes off what they may cost.
    package var spendableCash: ExactMoney { settledCash - settlements.payments }

    /// The next day on which cash settles; `nil` when none waits.
    package var nextSettlement: Day? { settlements.due.first?.day }

    /// Settles what is due up to a day, that day included. To be called before the first order of a day.
    package mutating func settle(through day: Day) {
        settledCash += settlements.settle(through: day)
    }

    /// Lets an execution's cash, which is in `settledCash` already, wait for its day.
    mutating func queue(_ execution: Execution, on day: Day?, takingBack: Bool = false) {
        guard let day, settlements.holds(day) else { return }
        let multiplier = instruments[execution.instrument].multiplier
        let received = execution.price * -execution.signedQuantity * multiplier
        settlements.move(received, on: day, takingBack: takingBack)
        settledCash -= takingBack ? -received : received
    }
}
