public import MarketState
public import Model
public import Primitives

/// VWAP: the mean price of a session so far, every bar's typical price weighing as much as its
/// volume.
///
/// Anchored to the session, not rolling: it covers all bars since the session's first and starts
/// anew with the first bar of the next session day, by `SessionCalendar.day(of:)` of the bar's
/// start. Bars before the opening bell belong to the day they are on; whoever wants regular hours
/// only leaves the others out. The typical price is the mean of high, low and close. `nil` until
/// something has traded in the session.
public struct VolumeWeightedAveragePrice: Indicator, Codable {
    /// What a session is.
    public let sessions: SessionCalendar
    /// The session day of the newest bar.
    public private(set) var day: Day?

    /// Sums only grow within a session, so their rounding stays in the last bits.
    private var traded = 0.0
    private var volume = 0.0

    /// An average within each session of a calendar.
    public init(sessions: SessionCalendar) { self.sessions = sessions }

    /// The mean in price units.
    public var value: Double? { volume > 0 ? traded / volume : nil }

    /// Takes in the next bar; the new `value`.
    @discardableResult
    public mutating func update(_ bar: Bar) -> Double? {
        let newest = sessions.day(of: bar.start)
        if newest != day {
            day = newest
            traded = 0
            volume = 0
        }
        let shares = Double(bar.volume.units)
        traded += Double(bar.typicalTripled.units) / 3 * shares
        volume += shares
        return value
    }
}
