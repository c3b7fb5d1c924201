import Primitives
import Signals
import TestSupport
import Testing

/// What takes prices, but for averages and deviations.
@Suite struct PriceIndicatorTests {
    private func prices(_ cents: [Int64]) -> [Price] { cents.map(Price.init(cents:)) }

    // MARK: Relative strength

    @Test func strengthIsTheShareOfRises() {
        // Changes +1 +2 | -1: means 1.5 and 0; then (1.5 + 0)/2 = 0.75 and (0 + 1)/2 = 0.5.
        #expect(
            RelativeStrengthIndex(length: 2).over(prices([1, 2, 4, 3])) == [nil, nil, 100, 60])
        #expect(RelativeStrengthIndex(length: 2).over(prices([9, 7, 6])).last == 0)
    }

    @Test func strengthOfWhatNeverMovedIsUndefined() {
        #expect(
            RelativeStrengthIndex(length: 2).over(prices([5, 5, 5, 5, 6]))
                == [nil, nil, nil, nil, 100])
    }

    // MARK: Convergence and divergence

    @Test func linesBeginTogether() throws {
        // Weights 2/2 (the price itself) and 2/3, signal 2/3. Prices 3, 6, 9, 9, 3: the slow
        // average is 4.5, then 7.5, 8.5, 4.8333…; the line 1.5, 1.5, 0.5, -1.8333….
        let lines = MovingAverageConvergenceDivergence(fast: 1, slow: 2, signal: 2)
            .over(prices([300, 600, 900, 900, 300]))
        #expect(lines[0] == nil && lines[1] == nil)
        let first = try #require(lines[2])
        #expect(first.line == 1.5e8 && first.signal == 1.5e8 && first.histogram == 0)
        // The signal: 1.5 + (0.5 - 1.5)·2/3 = 0.8333…, then 0.8333… + (-1.8333… - 0.8333…)·2/3 =
        // -0.9444….
        let last = try #require(lines[4])
        #expect(abs(last.line + 11e8 / 6) < 1e-6)
        #expect(abs(last.signal + 17e8 / 18) < 1e-6)
        #expect(last.histogram == last.line - last.signal)
    }

    // MARK: Changes

    @Test func changesAreAgainstThePriceOfThen() {
        let prices = prices([100, 200, 150, 0, 300])
        #expect(MomentumIndicator(length: 2).over(prices) == [nil, nil, 0.5e8, -2e8, 1.5e8])
        #expect(RateOfChange(length: 2).over(prices) == [nil, nil, 50, -100, 100])
    }

    @Test func changeFromNothingIsUndefined() {
        #expect(RateOfChange(length: 1).over(prices([100, 0, 100, 200])) == [nil, -100, nil, 100])
    }

    // MARK: Weighted average

    @Test func weightsRiseToTheNewest() {
        // (1·1 + 2·2 + 3·6)/6 = 23/6; (1·2 + 2·6 + 3·4)/6 = 26/6; in units of a cent.
        let average = WeightedMovingAverage(length: 3).over(prices([1, 2, 6, 4]))
        #expect(average == [nil, nil, 23e6 / 6, 26e6 / 6])
    }

    /// Property: equals the weighted sum made anew, to the last bit.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func weightedAverageEqualsItsDefinition(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 1...40))
        let units = (0..<150).map { _ in chance.number(in: -1_00000000...900_00000000) }
        let results = WeightedMovingAverage(length: length).over(units.map(Price.init(units:)))
        for (index, result) in results.enumerated() {
            guard index + 1 >= length else {
                try #require(result == nil)
                continue
            }
            let window = units[(index + 1 - length)...index]
            let sum = window.enumerated().reduce(0) { $0 + Int64($1.offset + 1) * $1.element }
            let weights = Double(length * (length + 1) / 2)
            try #require(result == Double(sum) / weights)
        }
    }

    // MARK: History

    @Test func historyIsTakenInByACopy() {
        var average = SimpleMovingAverage(length: 2)
        average.update(Price(cents: 2))
        #expect(average.over(prices([4, 6])) == [3e6, 5e6])
        #expect(average.value == nil)
        #expect(average.update(Price(cents: 8)) == 5e6)
        #expect(average.over([]).isEmpty)
    }
}
