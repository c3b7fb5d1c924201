/// New York's days of instants that mostly lie near each other: from one change of clocks to the next, it
/// asks the rules once.
package struct NewYorkClock: Sendable {
    /// From when to when New York is as far behind UTC as now.
    private var steady = Timestamp.distantPast..<Timestamp.distantPast
    private var behind = Duration.zero

    /// Knows no instant yet.
    package init() {}

    /// The civil day in New York at a timestamp, as `NewYork.day(at:)` gives it.
    package mutating func day(at timestamp: Timestamp) -> Day {
        if !steady.contains(timestamp) { (steady, behind) = NewYork.steadyTime(around: timestamp) }
        return (timestamp - behind).day
    }
}
