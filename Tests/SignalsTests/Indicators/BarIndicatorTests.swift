import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing

/// What takes bars, but for volumes.
@Suite struct BarIndicatorTests {
    /// Bars of (high, low, close) in cents.
    private func bars(_ prices: [(high: Int64, low: Int64, close: Int64)]) -> [Bar] {
        prices.enumerated().map { index, price in
            Make.bar(
                index, open: price.close, high: price.high, low: price.low, close: price.close)
        }
    }

    // MARK: True range

    @Test func rangeReachesToTheCloseBefore() {
        // Gap up: 20 - 10; gap down: 12 to 5; within: 8 - 6; nothing.
        let bars = bars([(12, 8, 10), (20, 15, 12), (9, 5, 7), (8, 6, 6), (6, 6, 6)])
        #expect(TrueRange().over(bars) == [nil, 10e6, 7e6, 2e6, 0])
        // (10 + 7)/2 = 8.5, (8.5 + 2)/2 = 5.25, 5.25/2 = 2.625.
        #expect(AverageTrueRange(length: 2).over(bars) == [nil, nil, 8.5e6, 5.25e6, 2.625e6])
    }

    // MARK: Directional movement

    @Test func equalMovementBothWaysCountsAsNeither() throws {
        // Up 2 (range 5), then 1 both ways, then nothing, each with ranges of 4 and 2.
        let lines = AverageDirectionalIndex(length: 1).over(
            bars([(10, 8, 9), (12, 9, 7), (13, 8, 12), (12, 10, 11)]))
        #expect(lines[0] == nil)
        let rise = try #require(lines[1])
        #expect(rise.plus == 100 * 2.0 / 3 && rise.minus == 0)
        #expect(rise.index == 100 && rise.average == 100)
        let tie = try #require(lines[2])
        #expect(tie.plus == 0 && tie.minus == 0)
        // Undefined, so the average stays.
        #expect(tie.index == nil && tie.average == 100)
    }

    @Test func nothingMovesInAStillMarket() {
        let still = bars(Array(repeating: (5, 5, 5), count: 10))
        let lines = AverageDirectionalIndex(length: 3).over(still)
        #expect(lines.allSatisfy { $0 == nil })
    }

    // MARK: Ranges

    @Test func channelHasTheNewestBarInIt() throws {
        let bars = bars([(5, 3, 4), (9, 4, 8), (7, 6, 6), (6, 1, 2)])
        let channel = DonchianChannel(length: 2).over(bars)
        #expect(channel[0] == nil)
        #expect(channel.map { $0?.upper } == [nil, 9e6, 9e6, 7e6])
        #expect(channel.map { $0?.middle } == [nil, 6e6, 6.5e6, 4e6])
        #expect(channel.map { $0?.lower } == [nil, 3e6, 4e6, 1e6])
        // (9 - 8)/6, (9 - 6)/5, (7 - 2)/6.
        let expected: [Double?] = [nil, -100 * (1.0 / 6), -60, -100 * (5.0 / 6)]
        #expect(WilliamsPercentRange(length: 2).over(bars) == expected)
    }

    @Test func flatRangeHasNoPlaceInIt() throws {
        let bars = bars([
            (5, 5, 5), (5, 5, 5), (9, 5, 8), (9, 5, 6), (6, 6, 6), (6, 6, 6), (8, 6, 8),
        ])
        let share = WilliamsPercentRange(length: 2).over(bars)
        #expect(share == [nil, nil, -25, -75, -75, nil, 0])
        // Raw: -, -, 75, 25, 25, -, 100; means of two pass over the gap: (25 + 100)/2.
        let lines = StochasticOscillator(length: 2, slowing: 2, smoothing: 1).over(bars)
        #expect(lines.map { $0?.percentK } == [nil, nil, nil, 50, 25, nil, 62.5])
    }

    /// Property: the extremes are those of the last bars looked through anew.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func extremesEqualThoseLookedForAnew(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 1...25))
        // Few values, so that equal ones are common; or many; now and then a long fall.
        let reach = chance.one(of: [3, 100_000] as [Int64])
        let fall = chance.one(of: [0, 50] as [Int64])
        let bars = bars(
            (0..<200).map { index in
                let low = chance.number(in: -reach...reach) - fall * Int64(index)
                let high = low + chance.number(in: 0...reach)
                return (high: high, low: low, close: chance.number(in: low...high))
            })
        let channel = DonchianChannel(length: length).over(bars)
        for (index, value) in channel.enumerated() {
            guard index + 1 >= length else {
                try #require(value == nil)
                continue
            }
            let window = bars[(index + 1 - length)...index]
            let high = try #require(window.map(\.high).max())
            let low = try #require(window.map(\.low).min())
            let found = try #require(value)
            try #require(found.upper == Double(high.units) && found.lower == Double(low.units))
        }
    }

    // MARK: Commodity channel

    @Test func indexCountsMeanDeviations() {
        // Typical prices 1, 2, 6: mean 3, mean deviation (2+1+3)/3 = 2; (6-3)/(0.015·2) = 100.
        let index = CommodityChannelIndex(length: 3)
        #expect(index.over(bars([(1, 1, 1), (2, 2, 2), (6, 6, 6)])) == [nil, nil, 100])
        #expect(index.over(bars([(9, 9, 9), (2, 2, 2), (2, 2, 2), (2, 2, 2)])).last == .some(nil))
    }
}
