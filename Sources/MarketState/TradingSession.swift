public import Primitives

/// The regular hours of one session. Keep it while `contains` holds: asking the calendar costs
/// more.
public struct TradingSession: Hashable, Codable, Sendable, BitwiseCopyable {
    /// The session's day, by the market's own clock.
    public let day: Day
    /// The first timestamp.
    public let open: Timestamp
    /// The first timestamp after it.
    public let close: Timestamp

    /// How long it lasts; positive.
    public var length: Duration { close - open }

    /// Whether a timestamp lies in it: from the open on, before the close.
    public func contains(_ time: Timestamp) -> Bool { time >= open && time < close }
}

/// A span of days that has a first and a last session.
public enum SessionPeriod: Hashable, Codable, Sendable {
    /// From a Monday to a Sunday.
    case week
    /// A month of the calendar.
    case month
}
