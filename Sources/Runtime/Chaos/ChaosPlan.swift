import Primitives

/// What goes wrong in the session of a seed, and when: in each, some kinds of faults do not occur at all, so that rare
/// pairs of the others do (Groce et al., Swarm Testing, 2012).
struct ChaosPlan: Sendable {
    /// What everything random follows from.
    let seed: UInt64
    /// In the order in which they happen.
    let faults: [ChaosFault]

    /// How long a session trades before the first fault.
    static let calm = Duration.minutes(6)
    /// How likely a kind occurs in a session.
    private static let share = 0.3
    /// How often one that occurs does at most.
    private static let countMax: Int64 = 3

    /// The faults of a seed within a session of that length, only the first `limit` of them.
    init(seed: UInt64, lasting length: Duration, first limit: Int? = nil) {
        self.seed = seed
        var draw = SeededGenerator(seed: seed)
        var faults: [ChaosFault] = []
        for kind in ChaosFault.Kind.allCases where draw.nextUniform() < Self.share {
            for _ in 0..<Int64.random(in: 1...Self.countMax, using: &draw) {
                let span = length.nanoseconds - Self.calm.nanoseconds
                let time = Duration(nanoseconds: Int64(draw.nextUniform() * Double(span)))
                faults += kind.faults(at: Self.calm + time, &draw)
            }
        }
        // What happens at one time does in the order of the kinds.
        let sorted = faults.enumerated().sorted {
            ($0.element.after, $0.offset) < ($1.element.after, $1.offset)
        }.map(\.element)
        self.faults = Array(sorted.prefix(limit ?? sorted.count))
    }
}
