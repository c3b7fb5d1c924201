package import Primitives

/// A timestamp as a person types it.
package enum TimestampText {
    /// Reads `2026-01-05T10:00:00-05:00`, `2026-01-05 10:00` by New York's clock, or a date alone.
    ///
    /// - Parameter ofDay: what a date alone stands for: so long after midnight in New York.
    /// - Returns: `nil` for anything else, and beyond `Timestamp.supported`.
    package static func read(_ text: String, ofDay: Duration) -> Timestamp? {
        let time: Timestamp? =
            switch StampText(text) {
            case .date(let day): NewYork.timestamp(on: day, at: ofDay)
            case .reading(let day, let clock, let offset?):
                Timestamp(day: day, sinceMidnight: clock) - offset
            case .reading(let day, let clock, nil):
                NewYork.timestamp(on: day, at: clock)
            case .epoch(let time): time
            case nil: nil
            }
        guard let time, Timestamp.supported.contains(time) else { return nil }
        return time
    }
}
