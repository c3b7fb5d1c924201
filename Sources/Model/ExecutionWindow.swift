package import Primitives

/// When what strategies want at the market goes there.
package enum ExecutionWindow: Hashable, Sendable {
    /// At once.
    case now
    /// In the next opening auction.
    case open
    /// So long after the next open: positive, and shorter than the shortest session.
    case afterOpen(Duration)
    /// In the next closing auction.
    case close
}

/// A batch of every day by the market's clock.
package struct DailyInterval: Hashable, Sendable {
    /// When it begins, since midnight; less than a day.
    package let start: Duration
    /// When it ends, since midnight; at or before `start` it is on the next day.
    package let end: Duration

    /// A batch from one time of day to another.
    package init(from start: Duration, to end: Duration) {
        self.start = start
        self.end = end
    }
}
