import Model
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// The same events, the same answers; the same facts in any order, the same state.
@Suite struct EngineReplayTests {
    // MARK: Order of facts

    /// The state after an entry and these facts about it, all heard at one time.
    private func stateHash(_ facts: [OrderFact]) -> UInt64 {
        var rig = Rig()
        rig.want(.hold(200))
        for fact in facts { rig.report(1, fact) }
        #expect(rig.isSound)
        return rig.stateHash
    }

    /// A correction, two executions more and commissions, never more than ordered on the way.
    private static let facts: [OrderFact] = [
        .acknowledged,
        .executed(Make.execution(1, .buy, 60, cents: 50_00, second: 1)),
        .executed(Make.execution(1, .buy, 50, cents: 49_90, revision: 2, second: 1)),
        .executed(Make.execution(2, .buy, 40, cents: 50_10, second: 2)),
        .executed(Make.execution(3, .buy, 30, cents: 50_20, second: 3)),
        .commission(Make.commission(1, cents: 1_00)),
        .cancelled(.expired),
    ]

    @Test func anyOrderOfFactsGivesTheSameState() {
        let expected = stateHash(Self.facts)
        let others = Self.facts.permutations.filter { stateHash($0) != expected }
        #expect(others.isEmpty)
    }

    @Test func anyRepetitionOfFactsGivesTheSameState() {
        let expected = stateHash(Self.facts)
        for seed in 0..<100 as Range<UInt64> {
            var chance = SeededGenerator(seed: seed)
            let facts = (Self.facts + Self.facts).shuffled(using: &chance)
            #expect(stateHash(facts) == expected)
        }
    }

    /// Purchases and sales of one strategy, in two orders, heard in any order: what they cost and gained is
    /// that of their own times.
    @Test func anyOrderOfExecutionsOfSeveralOrdersGivesTheSameBooks() {
        let hashes = Set(Self.trades(seconds: [1, 2, 3, 4]).permutations.map(books))
        #expect(hashes.count == 1)
    }

    /// The same, executions at one and the same time, as those of one bar have.
    @Test func anyOrderOfExecutionsAtOneTimeGivesTheSameBooks() {
        let hashes = Set(Self.trades(seconds: [1, 1, 1, 1]).permutations.map(books))
        #expect(hashes.count == 1)
    }

    /// 100 bought at 50.00 and 40 sold, 60 bought and 20 sold, at other prices.
    private static func trades(seconds: [Int64]) -> [(order: Int64, execution: Execution)] {
        [
            (1, Make.execution(1, .buy, 100, cents: 50_00, second: seconds[0])),
            (2, Make.execution(2, .sell, 40, cents: 52_00, second: seconds[1])),
            (1, Make.execution(3, .buy, 60, cents: 54_00, second: seconds[2])),
            (2, Make.execution(4, .sell, 20, cents: 51_00, second: seconds[3])),
        ]
    }

    private func books(_ trades: [(order: Int64, execution: Execution)]) -> UInt64 {
        var rig = Rig(strategies: 1)
        rig.want(.enterAtLimit(.buy, cents: 49_00))
        rig.fill(1, 0)
        var hash = StateHasher()
        // An entry of 100 and the exit from a position that facts must show first: two orders of one strategy.
        rig.want(.hold(160))
        for trade in trades {
            rig.report(trade.order == 1 ? 2 : 1, .executed(trade.execution))
        }
        rig.engine.books.hash(into: &hash)
        return hash.digest
    }

    // MARK: Replay

    /// Property: the same events twice give the same commands and the same state after each.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func sameEventsGiveTheSameCommandsAndState(seed: UInt64) throws {
        var session = RandomSession(seed: seed)
        for place in 0..<80 { session.play(place) }
        try #require(session.failure == nil)
        var again = session.freshEngine()
        var commands: [Command] = []
        for (event, hash) in zip(session.events, session.hashes) {
            again.step(event, into: &commands)
            try #require(again.stateHash == hash)
        }
        #expect(commands == session.commands)
        #expect(commands.count > 20)
    }
}
