import Model
import Primitives

/// Figures of the account by the broker against ours. One that differs for some time is reported once a day.
struct AccountComparisons: Sendable {
    private var figures = Array(
        repeating: ComparedFigure(), count: AccountComparison.allCases.count)
    /// The costs of positions, by instrument.
    private var costs: [ComparedFigure]
    /// What was realised, less costs, when the day began.
    var realizedBefore: ExactMoney?
    /// All profit, less costs, when the day began.
    var netBefore: ExactMoney?
    /// The newest day on which others held or traded something in the account.
    private var sharedDay: Day?
    /// False where what is held is valued at prices of other days.
    let valuesAreCurrent: Bool

    private struct ComparedFigure: Sendable {
        /// Since when it differs; `nil` while it does not.
        var since: Timestamp?
        /// The day on which it was reported last.
        var reported: Day?

        /// Takes in a comparison; true where it is to be reported.
        mutating func note(differs: Bool, at now: Timestamp, on today: Day?) -> Bool {
            guard differs else {
                since = nil
                return false
            }
            let begun = since ?? now
            since = begun
            guard now >= begun + AccountComparisons.time, reported != today else { return false }
            reported = today
            return true
        }
    }

    /// How long a figure differs before it is reported: prices and commissions do not come together.
    static let time = Duration.minutes(10)

    /// No comparisons.
    init(valuesAreCurrent: Bool, instrumentCount: Int) {
        self.valuesAreCurrent = valuesAreCurrent
        costs = Array(repeating: ComparedFigure(), count: instrumentCount)
    }

    /// Takes in that others hold or have traded something in the account.
    mutating func noteOthers(on today: Day?) { sharedDay = today }

    /// True if others have held or traded something on a day: what was realised on it is not ours alone.
    func wereOthers(on today: Day?) -> Bool { sharedDay == today && today != nil }

    /// Takes in a comparison.
    ///
    /// - Returns: true where it is to be reported.
    mutating func note(
        _ comparison: AccountComparison, differs: Bool, at now: Timestamp, on today: Day?
    ) -> Bool {
        figures[Int(comparison.rawValue)].note(differs: differs, at: now, on: today)
    }

    /// Takes in a comparison of what an instrument's position has cost.
    ///
    /// - Returns: true where it is to be reported.
    mutating func noteCost(
        of instrument: InstrumentID, differs: Bool, at now: Timestamp, on today: Day?
    ) -> Bool {
        costs[Int(instrument.index)].note(differs: differs, at: now, on: today)
    }
}
