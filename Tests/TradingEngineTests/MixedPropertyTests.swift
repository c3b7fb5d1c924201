import Model
import Primitives
import TestSupport
import Testing
import TradingEngine

/// Property: with halts, flattening, liquidation, cash accounts, windows, maintenance, working-time limits,
/// stops and targets, splits and dividends all at once, books add up after every event; no exit opens the
/// other side; a position with a plan is covered exactly once nothing is under way, or a person has been
/// called; no entry leaves or goes on against a halt; no intent is sent twice. 3,000 sequences.
@Suite struct MixedPropertyTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func everythingHoldsTogether(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let number = chance.next()
            var session = MixedSession(seed: number)
            for _ in 0..<30 { session.play() }
            session.finish()
            try #require(
                session.failure == nil, "sequence \(number): \(session.failure ?? "")")
        }
    }

    /// The property says little unless sequences hold what it is about.
    @Test func sequencesReachWhatThePropertyIsAbout() {
        var counts: [String: Int] = [:]
        for seed in 0..<200 as Range<UInt64> {
            var session = MixedSession(seed: seed)
            for _ in 0..<30 { session.play() }
            for what in session.seen { counts[what, default: 0] += 1 }
        }
        for what in [
            "entry fill", "exit fill", "protection fill", "change", "rejection", "latch", "split",
            "cover", "halt", "engine timer", "timer",
        ] {
            #expect(counts[what] ?? 0 > 20, "\(what): \(counts[what] ?? 0)")
        }
    }

    /// The same events give the same states in another engine.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func theSameEventsGiveTheSameStates(seed: UInt64) {
        var session = MixedSession(seed: seed, keepsHashes: true)
        for _ in 0..<30 { session.play() }
        var engine = session.freshEngine()
        var output = EngineOutput()
        for (event, hash) in zip(session.events, session.hashes) {
            engine.step(event, into: &output)
            let found = engine.stateHash
            guard found == hash else {
                Issue.record("sequence \(seed): another state after \(event)")
                return
            }
        }
    }
}
