import Accounting
import Model
import Primitives

/// A run's splits, each taken out when its time has come.
struct PendingSplits {
    private var splits: ArraySlice<Split> = []

    /// A split as it was booked.
    struct Split {
        /// What was booked.
        let booked: BookedAction
        /// How many new shares old ones became.
        let ratio: SplitRatio
    }

    /// The splits among `actions`, which are in order of their ex-days.
    init(_ actions: [BookedAction]) {
        splits =
            actions.compactMap { booked in
                switch booked.action.kind {
                case .dividend: nil
                case .split(let ratio): Split(booked: booked, ratio: ratio)
                }
            }[...]
    }

    /// Takes out the first split if it goes before an execution at `time`.
    mutating func next(by time: Timestamp) -> Split? {
        guard let first = splits.first, first.booked.action.exOpening <= time else { return nil }
        return splits.popFirst()
    }
}
