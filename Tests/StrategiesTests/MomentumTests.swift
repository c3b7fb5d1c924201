import Model
import Primitives
import Signals
import TestSupport
import Testing

@testable import Strategies

@Suite struct MomentumTests {
    /// Returns over two bars, closes in cents:
    ///
    /// | close  | 100 | 100 | 102 | 103 | 102 | 103 | 101 |
    /// | return |     |     | 2 % | 3 % | 0 % | 0 % | <0  |
    @Test func buysAboveTheThresholdAndSellsWhenTheRiseIsGone() throws {
        let closes: [Int64] = [100, 100, 102, 103, 102, 103, 101]
        let intents = try intents(Momentum.self, ["lookback": .integer(2)], closes: closes)
        // Two percent is not above two percent.
        #expect(intents == [3: .enter(.buy), 4: .exit])
    }

    @Test func decisionsNoteTheReturnTheyWereMadeOn() throws {
        var rehearsal = Rehearsal(
            try bundled(Momentum.self, ["lookback": .integer(1)]), instruments: stocks(1))
        for (index, close) in ([100, 100, 105, 106, 106] as [Int64]).enumerated() {
            rehearsal.show([Make.bar(index, open: close, close: close)])
        }
        #expect(rehearsal.intents.map(\.goal) == [.enter(.buy), .exit])
        #expect(rehearsal.notes.map { ($0.score * 100).rounded() } == [5, 0])
        #expect(rehearsal.notes.map(\.rank) == [nil, nil])
    }

    @Test func betweenTheThresholdsNothingChanges() throws {
        // Over one bar: +3 %, +1 %, +1 %, −2 %.
        let closes: [Int64] = [10_000, 10_300, 10_403, 10_507, 10_297]
        let intents = try intents(Momentum.self, ["lookback": .integer(1)], closes: closes)
        #expect(intents == [1: .enter(.buy), 4: .exit])
    }

    @Test func aFormerPriceOfNothingGivesNoReturn() throws {
        let intents = try intents(
            Momentum.self, ["lookback": .integer(1)], closes: [0, 100, 0, -100, 50])
        // From 0 and from −100 there is no return; from 100 to 0 all was lost, with nothing held.
        #expect(intents.isEmpty)
    }

    @Test func exitThresholdMustNotBeAboveTheEntrys() throws {
        #expect(
            throws: ParameterError.conflict(
                "exit_threshold (0.03) must not be above threshold (0.02)")
        ) { try bundled(Momentum.self, ["exit_threshold": .number(0.03)]) }
        _ = try bundled(Momentum.self, ["exit_threshold": .number(0.02)])
    }

    @Test func defaultsAreTwentyBarsAndTwoPercent() throws {
        let parameters = Parameters(defaultsOf: Momentum.declaration.parameters)
        #expect(
            parameters.all.map(\.declaration.name) == ["lookback", "threshold", "exit_threshold"])
        #expect(parameters.all.map(\.value) == [.integer(20), .number(0.02), .number(0)])
        #expect(try bundled(Momentum.self).warmupBars == 21)
    }
}
