import Primitives

/// What goes wrong in the session of a seed, and when: in each, some kinds of faults do not occur at all, so that rare
/// pairs of the others do (Groce et al., Swarm Testing, 2012).
struct ChaosPlan: Sendable {
    /// What everything random follows from.
    let seed: UInt64
    /// In the order in which they happen.
    let faults: [ChaosFault]

    /// 2024-03-05, a Tuesday, 10:00 in New York: the market has been open for half an hour.
    static let midday = Timestamp(seconds: 1_709_650_800)
    /// How long a session trades before the first fault.
    static let calm = Duration.minutes(6)
    /// How likely a kind occurs in a session.
    private static let share = 0.3
    /// How often one that occurs does at most.
    private static let countMax: Int64 = 3

    /// When the session of a seed begins. Most do in the middle of a day; some before the open, and some so late that
    /// they go on behind the close.
    static func start(of seed: UInt64) -> Timestamp {
        // A draw of its own: faults stay the same.
        var draw = SeededGenerator(seed: ~seed)
        switch draw.nextUniform() {
        case ..<0.1: return midday + .minutes(-40)
        case ..<0.2: return midday + .minutes(338)
        default: return midday
        }
    }

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
