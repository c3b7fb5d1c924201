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
    /// When; on a day without session, it counts for the next.
    package let day: Day
    /// How much; negative was paid out.
    package let amount: Money

    /// A payment.
    package init(day: Day, amount: Money) {
        self.day = day
        self.amount = amount
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
    /// Time-weighted: payments are no gain and no loss. What is paid in works from the session's
    /// start, what is paid out until its end (GIPS allows it, and neither can make the capital that
    /// worked negative).
    ///
    /// - Parameter cashFlows: in order of days. What came behind the last session does not count.
    init(between ends: [EquityPoint], startingWith capital: Money, cashFlows: [CashFlow]) {
        var daily: [DailyReturn] = []
        daily.reserveCapacity(ends.count)
        var previous = ExactMoney(capital)
        var flows = cashFlows[...]
        for end in ends {
            var (paidIn, paidOut) = (ExactMoney.zero, ExactMoney.zero)
            while let flow = flows.first, flow.day <= end.day {
                paidIn += ExactMoney(max(flow.amount, .zero))
                paidOut -= ExactMoney(min(flow.amount, .zero))
                flows.removeFirst()
            }
            let base = previous + paidIn
            guard base > .zero else {
                daily = []
                break
            }
            let equity = ExactMoney(end.equity)
            let gain = equity + paidOut - base
            daily.append(DailyReturn(day: end.day, value: gain.asDouble / base.asDouble))
            previous = equity
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
