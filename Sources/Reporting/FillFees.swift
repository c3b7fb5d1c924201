import Model
package import Primitives

/// What a fill, or several, cost, by who got it.
package struct FillFees: Hashable, Sendable {
    /// What the broker keeps; negative for a rebate.
    package var broker: Money
    /// What the broker passes on for clearing.
    package var clearing: Money
    /// The SEC's section 31 fee.
    package var sec: Money
    /// FINRA's trading activity fee.
    package var taf: Money

    /// Nothing.
    package static let zero = FillFees(broker: .zero)

    /// All parts.
    package var total: Money { broker + clearing + sec + taf }

    /// Fees in their parts.
    package init(
        broker: Money, clearing: Money = .zero, sec: Money = .zero, taf: Money = .zero
    ) {
        self.broker = broker
        self.clearing = clearing
        self.sec = sec
        self.taf = taf
    }

    /// Adds part by part.
    static func += (left: inout FillFees, right: FillFees) {
        left.broker += right.broker
        left.clearing += right.clearing
        left.sec += right.sec
        left.taf += right.taf
    }
}

/// What all fills of a run cost, in parts, and what they cost in each year: rates change with time.
package struct FeeTotals: Hashable, Sendable {
    /// All fills.
    package private(set) var all = FillFees.zero
    /// Each year of New York that has fills, in order of time.
    package private(set) var years: [Year] = []

    /// What the fills of a year cost.
    package struct Year: Hashable, Sendable {
        /// The year.
        package let year: Int
        /// The sums of its fills.
        package fileprivate(set) var fees: FillFees
    }

    /// The sums over a run's fills.
    ///
    /// - Parameter fees: of `record.fills`, one by one.
    package init(of record: RunRecord, _ fees: [FillFees]) {
        var clock = NewYorkClock()
        var (day, year) = (Day(number: 0), 1970)
        for (fill, parts) in zip(record.fills, fees) {
            all += parts
            let today = clock.day(at: fill.execution.time)
            // Most fills have the day of the one before.
            if today != day { (day, year) = (today, today.date.year) }
            if let index = years.lastIndex(where: { $0.year == year }) {
                years[index].fees += parts
            } else {
                years.append(Year(year: year, fees: parts))
            }
        }
        years.sort { $0.year < $1.year }
    }
}
