import Primitives
import Signals
import TestSupport
import Testing

@Suite struct MovingAverageTests {
    private func simple(_ length: Int, _ cents: [Int64]) -> [Double?] {
        var average = SimpleMovingAverage(length: length)
        return cents.map { price in
            average.update(Price(cents: price))
            return average.value.map { $0 / 1_000_000 }  // price units to cents
        }
    }

    private func exponential(_ length: Int, _ cents: [Int64]) -> [Double?] {
        var average = ExponentialMovingAverage(length: length)
        return cents.map { price in
            average.update(Price(cents: price))
            return average.value.map { $0 / 1_000_000 }
        }
    }

    // MARK: By hand

    @Test func simpleAverageIsTheMeanOfTheLastPrices() {
        // (1+2+6)/3 = 3, (2+6+10)/3 = 6, (6+10+2)/3 = 6
        #expect(simple(3, [1, 2, 6, 10, 2]) == [nil, nil, 3, 6, 6])
    }

    @Test func exponentialAverageStartsAtTheMeanAndFades() {
        // Mean of 1, 2, 6 is 3; weight 2/4: 3 + (10-3)/2 = 6.5; 6.5 + (2-6.5)/2 = 4.25.
        #expect(exponential(3, [1, 2, 6, 10, 2]) == [nil, nil, 3, 6.5, 4.25])
    }

    @Test func lengthOfOneIsThePriceItself() {
        #expect(simple(1, [5, 7, 3]) == [5, 7, 3])
        #expect(exponential(1, [5, 7, 3]) == [5, 7, 3])
    }

    @Test func constantPriceIsItsOwnAverage() {
        let prices = Array(repeating: 123_45 as Int64, count: 40)
        #expect(simple(30, prices).last == 123_45)
        #expect(exponential(30, prices).last == 123_45)
    }

    // MARK: Properties

    /// Property: the moved sum equals the one added up anew, to the last bit.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func simpleAverageEqualsTheMeanAddedUpAnew(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 1...50))
        var average = SimpleMovingAverage(length: length)
        var prices: [Int64] = []
        for _ in 0..<300 {
            // Up to 8 decimals, and now and then of a spread: below zero.
            let units = chance.number(in: -1_00000000...900_00000000)
            prices.append(units)
            average.update(Price(units: units))
            let sum = prices.suffix(length).reduce(0, +)
            let expected = prices.count < length ? nil : Double(sum) / Double(length)
            try #require(average.value == expected)
        }
    }

    /// Property: equals the definition, the weighted sum of all prices, nearly.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func exponentialAverageEqualsTheWeightedSum(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 1...30))
        let weight = 2 / Double(length + 1)
        var average = ExponentialMovingAverage(length: length)
        let prices = (0..<120).map { _ in chance.number(in: 1_00000000...900_00000000) }
        for (index, price) in prices.enumerated() {
            average.update(Price(units: price))
            guard index + 1 >= length else {
                try #require(average.value == nil)
                continue
            }
            let start = prices[..<length].reduce(0, +)
            var expected = Double(start) / Double(length)
            for later in prices[length..<max(length, index + 1)] {
                expected = Double(later) * weight + expected * (1 - weight)
            }
            let value = try #require(average.value)
            try #require(abs(value - expected) <= 1e-9 * expected)
        }
    }

    /// Property: averages of 10 and of 30 prices in whole cents compare as their sums do in integers; where
    /// 3 · the one sum is the other, they are equal.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func averagesCompareAsExactSumsDo(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var fast = SimpleMovingAverage(length: 10)
        var slow = SimpleMovingAverage(length: 30)
        var cents: [Int64] = []
        for _ in 0..<400 {
            // Few values, so that the averages tie often.
            cents.append(chance.number(in: 100_07...100_09))
            fast.update(Price(cents: cents[cents.count - 1]))
            slow.update(Price(cents: cents[cents.count - 1]))
            guard cents.count >= 30, let short = fast.value, let long = slow.value else { continue }
            let tripled = 3 * cents.suffix(10).reduce(0, +)
            let whole = cents.suffix(30).reduce(0, +)
            try #require((short == long) == (tripled == whole))
            try #require((short < long) == (tripled < whole))
        }
    }

    /// Property: a pair gives what two averages of its lengths give, to the last bit, also where both are of
    /// one length; and no instrument's prices reach another's averages.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func pairsEqualTwoAveragesEach(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let slowLength = Int(chance.number(in: 1...40))
        let fastLength = Int(
            chance.one(of: [chance.number(in: 1...Int64(slowLength)), Int64(slowLength)]))
        var pairs = SimpleMovingAveragePairs(fast: fastLength, slow: slowLength, count: 3)
        var fast = Array(repeating: SimpleMovingAverage(length: fastLength), count: 3)
        var slow = Array(repeating: SimpleMovingAverage(length: slowLength), count: 3)
        for _ in 0..<400 {
            let index = Int(chance.number(in: 0...2))
            let price = Price(units: chance.number(in: -1_00000000...900_00000000))
            let short = fast[index].update(price)
            let long = slow[index].update(price)
            let both = pairs.update(InstrumentID(index: index), price)
            try #require(both?.slow == long)
            // The fast one waits for the slow one.
            try #require(both?.fast == (long == nil ? nil : short))
        }
    }

    @Test func drawnAveragesTieOften() {
        // The property above means little unless ties happen: with 60 equal prices they always do.
        var fast = SimpleMovingAverage(length: 10)
        var slow = SimpleMovingAverage(length: 30)
        var ties = 0
        var chance = SeededGenerator(seed: 3)
        for _ in 0..<400 {
            let price = Price(cents: chance.number(in: 100_07...100_09))
            fast.update(price)
            slow.update(price)
            if let short = fast.value, short == slow.value { ties += 1 }
        }
        #expect(ties > 10)
    }
}
