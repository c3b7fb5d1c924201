import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing

@testable import Runtime

/// An indicator that was saved and restored goes on as if nothing had been.
@Suite struct IndicatorStateTests {
    private static let seeds = 0..<8 as Range<UInt64>

    /// A random walk with flat stretches; bars of 40 minutes, so that sessions pass.
    private func bars(_ seed: UInt64) -> [Bar] {
        var chance = SeededGenerator(seed: seed)
        var price = 5_000 as Int64
        return (0..<160).map { index in
            let open = price
            let reach = chance.chance(percent: 40) ? 0 : 90 as Int64
            price = max(200, price + chance.number(in: -reach...reach))
            return Make.bar(
                index, open: open, high: max(open, price) + chance.number(in: 0...reach),
                low: min(open, price) - chance.number(in: 0...reach), close: price,
                volume: chance.number(in: 0...9_000), barSize: .minutes(40))
        }
    }

    private func expectToGoOn<Drawn: Indicator & Codable>(
        _ fresh: Drawn, _ inputs: [Drawn.Input], _ seed: UInt64
    ) throws where Drawn.Output: Equatable {
        var chance = SeededGenerator(seed: seed &+ 500)
        var original = fresh
        var restored = fresh
        var count = 0
        for input in inputs {
            if chance.chance(percent: 10) {
                let saved = try StateEncoder.encode(restored)
                restored = try StateDecoder.decode(Drawn.self, from: saved)
                #expect(try StateEncoder.encode(original) == saved)
            }
            let value = original.update(input)
            #expect(restored.update(input) == value)
            #expect(restored.value == original.value)
            if value != nil { count += 1 }
        }
        #expect(count > 50, "\(Drawn.self) gives values")
    }

    @Test(arguments: seeds)
    func indicatorsOfPricesGoOn(seed: UInt64) throws {
        let closes = bars(seed).map(\.close)
        try expectToGoOn(SimpleMovingAverage(length: 7), closes, seed)
        try expectToGoOn(ExponentialMovingAverage(length: 7), closes, seed)
        try expectToGoOn(WeightedMovingAverage(length: 7), closes, seed)
        try expectToGoOn(MomentumIndicator(length: 5), closes, seed)
        try expectToGoOn(RateOfChange(length: 5), closes, seed)
        try expectToGoOn(RelativeStrengthIndex(length: 6), closes, seed)
        try expectToGoOn(Variance(length: 8), closes, seed)
        try expectToGoOn(StandardDeviation(length: 8), closes, seed)
        try expectToGoOn(ZScore(length: 8), closes, seed)
        try expectToGoOn(BollingerBands(length: 8, deviations: 1.5), closes, seed)
        try expectToGoOn(
            MovingAverageConvergenceDivergence(fast: 4, slow: 9, signal: 3), closes, seed)
    }

    @Test(arguments: seeds)
    func indicatorsOfBarsGoOn(seed: UInt64) throws {
        let bars = bars(seed)
        try expectToGoOn(TrueRange(), bars, seed)
        try expectToGoOn(AverageTrueRange(length: 6), bars, seed)
        try expectToGoOn(AverageDirectionalIndex(length: 6), bars, seed)
        try expectToGoOn(CommodityChannelIndex(length: 6), bars, seed)
        try expectToGoOn(MoneyFlowIndex(length: 6), bars, seed)
        try expectToGoOn(OnBalanceVolume(), bars, seed)
        try expectToGoOn(DonchianChannel(length: 6), bars, seed)
        try expectToGoOn(WilliamsPercentRange(length: 6), bars, seed)
        try expectToGoOn(StochasticOscillator(length: 6), bars, seed)
        try expectToGoOn(VolumeWeightedAveragePrice(sessions: .newYork), bars, seed)
    }

    @Test(arguments: seeds)
    func aMakerOfLongerBarsGoesOn(seed: UInt64) throws {
        var original = try #require(
            BarAggregator(InstrumentID(index: 0), barSize: .hours(2), calendar: .always))
        var restored = original
        var made: [Bar] = []
        var repeated: [Bar] = []
        for bar in bars(seed) {
            original.add(bar, into: &made)
            restored.add(bar, into: &repeated)
            let saved = try StateEncoder.encode(restored)
            restored = try StateDecoder.decode(BarAggregator.self, from: saved)
        }
        #expect(made.count > 40)
        #expect(repeated == made)
    }

    @Test(arguments: seeds)
    func pairsOfAveragesGoOn(seed: UInt64) throws {
        var original = SimpleMovingAveragePairs(fast: 3, slow: 8, count: 2)
        var restored = original
        var chance = SeededGenerator(seed: seed)
        for bar in bars(seed) {
            let instrument = InstrumentID(index: Int(chance.number(in: 0...1)))
            let saved = try StateEncoder.encode(restored)
            restored = try StateDecoder.decode(SimpleMovingAveragePairs.self, from: saved)
            let means = original.update(instrument, bar.close)
            let others = restored.update(instrument, bar.close)
            #expect(means?.fast == others?.fast && means?.slow == others?.slow)
        }
    }

    // MARK: Places that are relied on

    private struct Cells: Codable {
        var cells: [Double]
    }

    /// Whole numbers are bit patterns in it, and `update` follows them unchecked.
    @Test func damagedPlacesOfAveragesAreRefused() throws {
        let whole = SimpleMovingAveragePairs(fast: 3, slow: 8, count: 2)
        let cells = try StateDecoder.decode(Cells.self, from: StateEncoder.encode(whole)).cells
        func isRefused(_ change: (inout [Double]) -> Void) throws -> Bool {
            var changed = Cells(cells: cells)
            change(&changed.cells)
            let bytes = try StateEncoder.encode(changed)
            return (try? StateDecoder.decode(SimpleMovingAveragePairs.self, from: bytes)) == nil
        }
        func bits(_ number: Int) -> Double { Double(bitPattern: UInt64(bitPattern: Int64(number))) }
        #expect(try !isRefused { _ in })
        #expect(try isRefused { $0 = [] })
        #expect(try isRefused { $0.removeLast() })
        #expect(try isRefused { $0.append(0) })
        for fast in [0, -1, 9, Int.max] { #expect(try isRefused { $0[0] = bits(fast) }) }
        for slow in [0, -1, 2, 9, 16, Int.max] { #expect(try isRefused { $0[1] = bits(slow) }) }
        for block in [4, 16] {
            for next in [-1, 8, Int.min, Int.max] {
                #expect(try isRefused { $0[block] = bits(next) })
            }
            for missing in [-1, 9] { #expect(try isRefused { $0[block + 1] = bits(missing) }) }
        }
    }

    private struct Average: Codable {
        var length = 3
        var window = [1.0, 2, 3]
        var next = 0
        var count = 3
        var sum = 6.0
    }

    @Test func damagedPlacesOfAnAverageAreRefused() throws {
        func isRefused(_ change: (inout Average) -> Void) throws -> Bool {
            var changed = Average()
            change(&changed)
            let bytes = try StateEncoder.encode(changed)
            return (try? StateDecoder.decode(SimpleMovingAverage.self, from: bytes)) == nil
        }
        #expect(try !isRefused { _ in })
        #expect(try isRefused { $0.next = 3 })
        #expect(try isRefused { $0.next = -1 })
        #expect(try isRefused { $0.count = 4 })
        #expect(try isRefused { $0.window = [] })
        #expect(
            try isRefused {
                $0.length = 0
                $0.window = []
            })
    }
}
