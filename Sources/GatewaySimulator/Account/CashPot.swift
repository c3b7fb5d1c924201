package import Primitives

/// The money of one currency.
package struct CashPot: Hashable, Sendable {
    /// Proceeds that are not there yet.
    package struct Pending: Hashable, Sendable {
        /// On which day they are.
        package let day: Day
        /// How much.
        package internal(set) var amount: ExactMoney
    }

    /// ISO 4217 code.
    package let currency: String
    /// All of it, proceeds not yet settled included.
    package internal(set) var total = ExactMoney.zero
    /// Proceeds that are not settled, soonest first.
    package internal(set) var pending: [Pending] = []

    /// No money.
    init(_ currency: String) { self.currency = currency }

    /// What is settled: purchases count from their trade on, sales from their settlement day on.
    package var settled: ExactMoney { pending.reduce(total) { $0 - $1.amount } }

    /// Has an amount wait for a day, or takes it out again when it is negative.
    mutating func wait(_ amount: ExactMoney, until day: Day) {
        guard amount != .zero else { return }
        if let index = pending.firstIndex(where: { $0.day >= day }) {
            if pending[index].day == day {
                pending[index].amount += amount
                if pending[index].amount == .zero { pending.remove(at: index) }
            } else {
                pending.insert(Pending(day: day, amount: amount), at: index)
            }
        } else {
            pending.append(Pending(day: day, amount: amount))
        }
    }

    /// Settles what is due.
    mutating func settle(on day: Day) { pending.removeAll { $0.day <= day } }
}

/// Money that moved without a fill.
package struct CashPotMovement: Hashable, Sendable {
    /// Why.
    package enum Cause: String, Hashable, Sendable, Codable {
        /// Paid in, or out when it is negative.
        case deposit
        /// Paid on what was held, or owed on what was short.
        case dividend
        /// Anything else, such as interest.
        case other
    }

    /// Why.
    package let cause: Cause
    /// How much; negative when it went out.
    package let amount: Money
    /// Its currency.
    package let currency: String
    /// When.
    package let time: Timestamp

    /// Money that moves without a fill.
    package init(cause: Cause, amount: Money, currency: String, time: Timestamp) {
        self.cause = cause
        self.amount = amount
        self.currency = currency
        self.time = time
    }
}
