import Model
import Primitives

/// Figures of the account by the broker against ours. One that differs for some time is reported once a day.
struct AccountComparisons: Sendable {
    private var figures = Array(
        repeating: ComparedFigure(), count: AccountComparison.allCases.count)
    /// What was realised, less costs, when the day began.
    var realizedBefore: ExactMoney?
    /// False where what is held is valued at prices of other days.
    let valuesAreCurrent: Bool

    private struct ComparedFigure: Sendable {
        /// Since when it differs; `nil` while it does not.
        var since: Timestamp?
        /// The day on which it was reported last.
        var reported: Day?
    }

    /// How long a figure differs before it is reported: prices and commissions do not come together.
    static let time = Duration.minutes(10)

    /// No comparisons.
    init(valuesAreCurrent: Bool) { self.valuesAreCurrent = valuesAreCurrent }

    /// Takes in a comparison.
    ///
    /// - Returns: true where it is to be reported.
    mutating func note(
        _ comparison: AccountComparison, differs: Bool, at now: Timestamp, on today: Day?
    ) -> Bool {
        let index = Int(comparison.rawValue)
        guard differs else {
            figures[index].since = nil
            return false
        }
        let since = figures[index].since ?? now
        figures[index].since = since
        guard now >= since + Self.time, figures[index].reported != today else { return false }
        figures[index].reported = today
        return true
    }
}
