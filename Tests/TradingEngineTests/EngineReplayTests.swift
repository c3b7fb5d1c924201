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
        rig.request(.target(200))
        for fact in facts { rig.report(1, fact) }
        rig.checkLedger()
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

    /// Purchases of one order and sales of another, heard in any order: what they cost and gained is that of
    /// their own times.
    @Test func anyOrderOfExecutionsOfTwoOrdersGivesTheSameState() {
        let hashes = Set(Self.trades(seconds: [11, 12, 13, 14]).permutations.map(stateHash))
        #expect(hashes.count == 1)
    }

    /// The same with executions at one and the same time, as those of one bar have.
    @Test func anyOrderOfExecutionsAtOneTimeGivesTheSameState() {
        let hashes = Set(Self.trades(seconds: [11, 11, 11, 11]).permutations.map(stateHash))
        #expect(hashes.count == 1)
    }

    /// Reports of two orders that are not ours.
    @Test func anyOrderOfReportsOnUnknownOrdersGivesTheSameState() {
        let trades: [(order: Int64, execution: Execution)] = [
            (71, Make.execution(1, .buy, 10, cents: 50_00, second: 1)),
            (72, Make.execution(2, .sell, 20, cents: 51_00, second: 2)),
            (71, Make.execution(3, .buy, 30, cents: 52_00, second: 3)),
        ]
        #expect(Set(trades.permutations.map(stateHash)).count == 1)
    }

    private static func trades(seconds: [Int64]) -> [(order: Int64, execution: Execution)] {
        [
            (1, Make.execution(11, .buy, 100, cents: 52_00, second: seconds[0])),
            (2, Make.execution(12, .sell, 40, cents: 53_00, second: seconds[1])),
            (1, Make.execution(13, .buy, 60, cents: 54_00, second: seconds[2])),
            (2, Make.execution(14, .sell, 20, cents: 51_00, second: seconds[3])),
        ]
    }

    /// The state after these trades of an entry that is being cancelled, 300 of 500 filled at 50.00, and of an
    /// exit of 100.
    private func stateHash(_ trades: [(order: Int64, execution: Execution)]) -> UInt64 {
        var rig = Rig()
        rig.request(.target(500))
        rig.fill(1, 300)
        rig.request(.target(200))
        #expect(rig.commands.orders == ["buy 500 entry", "sell 100 exit"])
        for trade in trades { rig.report(trade.order, .executed(trade.execution)) }
        rig.checkLedger()
        return rig.stateHash
    }

    // MARK: Replay

    /// Property: the same events twice give the same commands and the same state after each.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func sameEventsGiveTheSameCommandsAndState(seed: UInt64) throws {
        var session = RandomSession(seed: seed, keepsHashes: true)
        for index in 0..<80 { session.play(index) }
        try #require(session.failure == nil)
        var repeated = session.freshEngine()
        var output = EngineOutput()
        for (event, hash) in zip(session.events, session.hashes) {
            repeated.step(event, into: &output)
            try #require(repeated.stateHash == hash)
        }
        #expect(output.commands == session.commands)
        #expect(output.decisions == session.decisions)
        #expect(!output.commands.isEmpty)
        #expect(!output.decisions.isEmpty)
    }
}
