import Primitives
import Testing

/// Property: whatever strategies want, markets do and venues answer, exits and protection never open the
/// other side at the venue, and when nothing is under way each position is covered, exactly: by its stop
/// and target, by an exit that leaves, or a person has been called. 12,000 sequences.
@Suite struct ProtectionPropertyTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func everyPositionIsProtected(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for travel in CountedVenue.Travel.allCases {
            for _ in 0..<40 {
                let number = chance.next()
                var session = ProtectedSession(seed: number, travel: travel)
                for _ in 0..<10 { session.play() }
                session.finish()
                try #require(
                    session.failure == nil,
                    "sequence \(number), messages travel \(travel): \(session.failure ?? "")")
            }
        }
    }

    /// The property says little unless sequences hold what it is about.
    @Test func sequencesReachWhatThePropertyIsAbout() {
        var counts: [String: Int] = [:]
        for seed in 0..<100 as Range<UInt64> {
            for travel in CountedVenue.Travel.allCases {
                var session = ProtectedSession(seed: seed, travel: travel)
                for _ in 0..<16 { session.play() }
                for what in session.seen { counts[what, default: 0] += 1 }
            }
        }
        for what in [
            "entry fill", "exit fill", "protection fill", "change", "refused change", "rejection",
            "latch", "split", "cover",
        ] {
            #expect(counts[what] ?? 0 > 20, "\(what)")
        }
    }

    /// The same events give the same states.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func sequencesRepeatThemselves(seed: UInt64) {
        for travel in CountedVenue.Travel.allCases {
            var first = ProtectedSession(seed: seed, travel: travel, keepsHashes: true)
            var second = ProtectedSession(seed: seed, travel: travel, keepsHashes: true)
            for _ in 0..<16 {
                first.play()
                second.play()
            }
            #expect(first.hashes == second.hashes)
        }
    }
}
