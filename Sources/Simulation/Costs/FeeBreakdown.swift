package import Model
package import Primitives

/// What an execution cost, by who got it; each part in whole cents, none below zero.
package struct ChargeParts: Hashable, Sendable {
    /// What the broker keeps.
    package let broker: Money
    /// What the tiered schedule passes on for clearing; other schedules have it in `broker`.
    package let clearing: Money
    /// The SEC's section 31 fee.
    package let sec: Money
    /// FINRA's trading activity fee.
    package let taf: Money

    /// All parts: the amount of the commission report.
    package var total: Money { broker + clearing + sec + taf }
}

/// Works out again which parts the charges of a run's executions had.
///
/// A commission report has one sum, as a broker's does. Its parts follow from the schedule, the
/// executions and their order, so nobody needs to carry them along.
package struct FeeBreakdown: Sendable {
    private let schedule: CommissionSchedule
    private var month = MonthlyVolume()
    /// The order that executed last, which mostly executes no more.
    private var newest: (order: OrderID, progress: Progress)?
    /// Others that have executed and may do so again; looked up only.
    private var others: [OrderID: Progress] = [:]

    private struct Progress {
        var costs = OrderCosts()
        var clearing = Money.zero
    }

    /// A breakdown before the first execution.
    package init(_ schedule: CommissionSchedule) { self.schedule = schedule }

    /// The parts of an execution's charge. To be asked for all of a run's, in the order in which they
    /// happened.
    ///
    /// - Parameters:
    ///   - order: the one that it filled.
    ///   - multiplier: the contract's; 1 for shares.
    package mutating func parts(
        of execution: Execution, in order: OrderID, multiplier: Int64
    ) -> ChargeParts {
        var progress = take(order)
        let before = progress.costs.charged
        _ = schedule.charge(
            for: execution, multiplier: multiplier, order: &progress.costs, month: &month)
        let after = progress.costs.charged
        let commission = after.commission - before.commission
        let due = schedule.clearing(for: progress.costs) - progress.clearing
        let clearing = max(min(due, commission), .zero)
        progress.clearing += clearing
        newest = (order, progress)
        return ChargeParts(
            broker: commission - clearing, clearing: clearing, sec: after.sec - before.sec,
            taf: after.taf - before.taf)
    }

    /// Forgets an order that executes no more.
    package mutating func end(_ order: OrderID) {
        if newest?.order == order {
            newest = nil
        } else {
            others[order] = nil
        }
    }

    private mutating func take(_ order: OrderID) -> Progress {
        if let newest {
            if newest.order == order { return newest.progress }
            others[newest.order] = newest.progress
            self.newest = nil
        }
        return others.removeValue(forKey: order) ?? Progress()
    }
}
