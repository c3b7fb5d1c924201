import Primitives

/// Says when the connection is made anew because prices of several instruments are off at the same time and stay so: a
/// stream that lost its step, and not a market that jumped, which history confirms within that time.
///
/// Once, and while it lasts again after ten, twenty and forty minutes, then every hour.
struct RenewalReview: Sendable {
    private var since: Timestamp?
    private var notBefore = Timestamp.distantPast
    private var wait = Self.waitFirst

    /// How many instruments are several.
    static let instrumentsMin = 2
    /// How long they are off: longer than history of bars of a minute takes to confirm a jump.
    static let patience = Duration.seconds(75)
    /// How long after one connection was made anew the next is, at first.
    static let waitFirst = Duration.minutes(10)
    /// How long that becomes at most.
    static let waitMax = Duration.hours(1)

    /// True when the connection is to be made anew; counts as done.
    ///
    /// - Parameter count: of how many instruments prices are off.
    mutating func isDue(_ count: Int, at now: Timestamp) -> Bool {
        guard count >= Self.instrumentsMin else {
            since = nil
            if count == 0, now >= notBefore { wait = Self.waitFirst }
            return false
        }
        let begun = since ?? now
        since = begun
        guard now - begun >= Self.patience, now >= notBefore else { return false }
        notBefore = now + wait
        wait = min(wait.times(2), Self.waitMax)
        return true
    }
}
