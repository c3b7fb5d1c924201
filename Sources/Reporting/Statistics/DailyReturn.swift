package import Primitives

/// What the account gained or lost in a session, as a fraction.
package struct DailyReturn: Hashable, Sendable {
    /// The session.
    package let day: Day
    /// The return since the session before: 0.01 is one percent.
    package let value: Double

    /// A session's return.
    package init(day: Day, value: Double) {
        self.day = day
        self.value = value
    }
}

/// Money that was paid in or out.
package struct CashFlow: Hashable, Sendable {
    /// The session in which it was booked; on a day without one, it counts for the next.
    package let day: Day
    /// When it was booked.
    package let at: Timestamp
    /// How much; negative was paid out.
    package let amount: Money
    /// Equity just before it.
    package let equityBefore: Money

    /// A payment.
    package init(day: Day, at: Timestamp, amount: Money, equityBefore: Money) {
        self.day = day
        self.at = at
        self.amount = amount
        self.equityBefore = equityBefore
    }
}

/// What equity gained or lost between two points, payments left out: the intervals between them
/// multiplied (GIPS: the true time-weighted return).
struct LinkedReturn {
    /// What 1 became up to the newest payment.
    private var growth = 1.0
    /// Equity behind it.
    private var start: ExactMoney

    /// A return that begins with that equity.
    init(from equity: Money) { start = ExactMoney(equity) }

    /// Ends an interval at a payment; false when it began with nothing and made a profit or loss.
    mutating func take(_ flow: CashFlow) -> Bool {
        let before = ExactMoney(flow.equityBefore)
        if before != start {
            guard start > .zero else { return false }
            growth *= before.asDouble / start.asDouble
        }
        start = before + ExactMoney(flow.amount)
        return true
    }

    /// The return up to an equity; `nil` when the newest interval began with nothing.
    func value(to equity: Money) -> Double? {
        guard start > .zero else { return nil }
        let gain = (ExactMoney(equity) - start).asDouble / start.asDouble
        return growth == 1 ? gain : growth * (1 + gain) - 1
    }
}

/// What equity gained or lost from session to session; the first session counts from the starting
/// capital.
struct SessionReturns: Sendable {
    /// A return for each session; empty when one of them follows capital that is not positive,
    /// because a return has no meaning then.
    let daily: [DailyReturn]

    /// The returns between `ends`, an equity point per session.
    ///
    /// Time-weighted: payments are no gain and no loss.
    ///
    /// - Parameter cashFlows: in order of time. What came behind the last session does not count.
    init(between ends: [EquityPoint], startingWith capital: Money, cashFlows: [CashFlow]) {
        var daily: [DailyReturn] = []
        daily.reserveCapacity(ends.count)
        var previous = capital
        var flows = cashFlows[...]
        for end in ends {
            var linked = LinkedReturn(from: previous)
            var isDefined = true
            while let flow = flows.first, flow.day <= end.day {
                if !linked.take(flow) { isDefined = false }
                flows.removeFirst()
            }
            guard isDefined, let value = linked.value(to: end.equity) else {
                daily = []
                break
            }
            daily.append(DailyReturn(day: end.day, value: value))
            previous = end.equity
        }
        self.daily = daily
    }
}

extension RunRecord {
    /// The account at the end of each session: the last of each day's equity points.
    var sessionEnds: [EquityPoint] {
        var ends: [EquityPoint] = []
        for point in equity {
            if ends.last?.day == point.day { ends.removeLast() }
            ends.append(point)
        }
        return ends
    }
}
