import Model
import Primitives
import Signals
import TestSupport
import Testing

@testable import Strategies

@Suite struct RSIReversionTests {
    /// Length 2, so each average is (old + new) / 2 after the first two changes:
    ///
    /// | close   | 100 | 102 | 98 | 97  | 99    | 103     |
    /// | gain    |     | 2   | 0  | 0   | 2     | 4       |
    /// | loss    |     | 0   | 4  | 1   | 0     | 0       |
    /// | gains   |     |     | 1  | 0.5 | 1.25  | 2.625   |
    /// | losses  |     |     | 2  | 1.5 | 0.75  | 0.375   |
    /// | RSI     |     |     | 33.3 | 25 | 62.5 | 87.5   |
    @Test func buysBelowAndSellsAbove() throws {
        let closes: [Int64] = [100, 102, 98, 97, 99, 103]
        let length = ["length": ParameterValue.integer(2)]
        let toTheMiddle = try intents(RSIReversion.self, length, closes: closes)
        #expect(toTheMiddle == [3: .enter(.buy), 4: .exit])
        let farther = try intents(
            RSIReversion.self, length.merging(["sell_above": .number(62.5)]) { $1 }, closes: closes)
        #expect(farther == [3: .enter(.buy), 5: .exit])
        let never = try intents(
            RSIReversion.self, length.merging(["buy_below": .number(25)]) { $1 }, closes: closes)
        #expect(never.isEmpty)
    }

    @Test func pricesThatNeverChangedAreNoReason() throws {
        let closes = Array(repeating: 100 as Int64, count: 50)
        #expect(
            try intents(RSIReversion.self, ["buy_below": .number(50)], closes: closes).isEmpty)
    }

    @Test func lowerThresholdMustNotBeAboveTheUpper() throws {
        #expect(
            throws: ParameterError.conflict("buy_below (60.0) must not be above sell_above (50.0)")
        ) { try bundled(RSIReversion.self, ["buy_below": .number(60)]) }
    }

    @Test func defaultsAreWildersLengthAndThirtyToFifty() throws {
        let parameters = Parameters(defaultsOf: RSIReversion.declaration.parameters)
        #expect(parameters.all.map(\.value) == [.integer(14), .number(30), .number(50)])
        #expect(try bundled(RSIReversion.self).warmupBars == 280)
    }
}

@Suite struct ZScoreReversionTests {
    /// Five closes; four equal ones and one lower by d: the mean is d/5 lower, the variance 4d²/25,
    /// so the lower one is (4d/5) / (2d/5) = exactly 2 deviations below.
    @Test func buysAtTheEntryDistanceAndSellsAtTheExitDistance() throws {
        let period = ["sma_period": ParameterValue.integer(5)]
        let closes: [Int64] = [100, 100, 100, 100, 95, 95, 100]
        // At place 5: 100 100 100 95 95: mean 98, deviation √6, 95 is 1.22 below; at 6: 100 is
        // above.
        let taken = try intents(ZScoreReversion.self, period, closes: closes)
        #expect(taken == [4: .enter(.buy), 6: .exit])
        let sooner = try intents(
            ZScoreReversion.self, period.merging(["exit_std": .number(1.5)]) { $1 }, closes: closes)
        #expect(sooner == [4: .enter(.buy), 5: .exit])
        let never = try intents(
            ZScoreReversion.self, period.merging(["entry_std": .number(2.001)]) { $1 },
            closes: closes)
        #expect(never.isEmpty)
    }

    @Test func aFlatWindowIsNoReasonToBuyAndOneToSell() throws {
        let flat = try intents(
            ZScoreReversion.self,
            ["sma_period": .integer(3), "entry_std": .number(0), "exit_std": .number(-1)],
            closes: [100, 100, 100, 100])
        #expect(flat.isEmpty)
        // Bought at 2 of 5 below; then the price stays, until the window holds nothing else.
        let stuck = try intents(
            ZScoreReversion.self, ["sma_period": .integer(5), "exit_std": .number(0)],
            closes: [100, 100, 100, 100, 95, 95, 95, 95, 95, 95])
        #expect(stuck == [4: .enter(.buy), 8: .exit])
    }

    @Test func exitMustBeNearerThanEntry() throws {
        #expect(
            throws: ParameterError.conflict("exit_std (2.0) must be below entry_std (2.0)")
        ) { try bundled(ZScoreReversion.self, ["exit_std": .number(2)]) }
    }

    @Test func defaultsAreTwentyBarsTwoAndAHalf() throws {
        let parameters = Parameters(defaultsOf: ZScoreReversion.declaration.parameters)
        #expect(parameters.all.map(\.value) == [.integer(20), .number(2), .number(0.5)])
        #expect(try bundled(ZScoreReversion.self).warmupBars == 20)
    }
}
