import MarketState
import Model
import Primitives
import Signals
import TestSupport
import Testing

/// Property: whatever bars come, no result is NaN or infinite, and shares stay within their bounds.
@Suite struct FiniteResultTests {
    private func bars(_ chance: inout SeededGenerator) -> [Bar] {
        let top = Price.magnitudeMax.units / 1_000_000
        var close: Int64 = 100_00
        return (0..<250).map { index in
            // Batches of one kind: still, nervous, from end to end of the range.
            switch index / 25 % 4 {
            case 0: break
            case 1: close += chance.number(in: -3...3)
            case 2: close = chance.one(of: [-top, 0, 1, top])
            default: close = chance.number(in: -top...top)
            }
            let isFlat = index / 25 % 4 == 0 || chance.chance(percent: 20)
            let reach = isFlat ? 0 : chance.number(in: 0...5)
            return Make.bar(
                index, open: close, high: close + reach, low: close - reach, close: close,
                volume: chance.one(of: [0, 0, 1, 90_000_000_000]))
        }
    }

    private func requireFinite(
        _ values: [Double?], in range: ClosedRange<Double>? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for case let value? in values {
            try #require(value.isFinite, sourceLocation: sourceLocation)
            guard let range else { continue }
            try #require(
                value >= range.lowerBound - 1e-9 && value <= range.upperBound + 1e-9,
                sourceLocation: sourceLocation)
        }
        // A result now and then, or the property says nothing.
        try #require(values.contains { $0 != nil }, sourceLocation: sourceLocation)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func priceIndicatorsGiveNumbers(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let closes = bars(&chance).map(\.close)
        let length = Int(chance.number(in: 2...20))
        try requireFinite(SimpleMovingAverage(length: length).over(closes))
        try requireFinite(ExponentialMovingAverage(length: length).over(closes))
        try requireFinite(WeightedMovingAverage(length: length).over(closes))
        try requireFinite(RelativeStrengthIndex(length: length).over(closes), in: 0...100)
        try requireFinite(Variance(length: length).over(closes), in: 0...(.greatestFiniteMagnitude))
        try requireFinite(StandardDeviation(length: length).over(closes))
        // The largest score there can be: one price apart from all others.
        let scoreMax = Double(length - 1).squareRoot()
        try requireFinite(ZScore(length: length).over(closes), in: -scoreMax...scoreMax)
        let bands = BollingerBands(length: length).over(closes)
        try requireFinite(bands.map { $0?.upper })
        try requireFinite(bands.map { $0?.lower })
        let lines = MovingAverageConvergenceDivergence(fast: length, slow: 2 * length, signal: 3)
            .over(closes)
        try requireFinite(lines.map { $0?.histogram })
        try requireFinite(RateOfChange(length: length).over(closes))
        try requireFinite(MomentumIndicator(length: length).over(closes))
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func barIndicatorsGiveNumbers(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let bars = bars(&chance)
        let length = Int(chance.number(in: 2...20))
        let positive = 0...Double.greatestFiniteMagnitude
        try requireFinite(TrueRange().over(bars), in: positive)
        try requireFinite(AverageTrueRange(length: length).over(bars), in: positive)
        let directions = AverageDirectionalIndex(length: length).over(bars)
        try requireFinite(directions.map { $0?.plus }, in: 0...100)
        try requireFinite(directions.map { $0?.minus }, in: 0...100)
        try requireFinite(directions.map { $0?.index }, in: 0...100)
        try requireFinite(directions.map { $0?.average }, in: 0...100)
        let positions = StochasticOscillator(length: length).over(bars)
        try requireFinite(positions.map { $0?.percentK }, in: 0...100)
        try requireFinite(positions.map { $0?.percentD }, in: 0...100)
        try requireFinite(WilliamsPercentRange(length: length).over(bars), in: -100...0)
        try requireFinite(DonchianChannel(length: length).over(bars).map { $0?.middle })
        try requireFinite(CommodityChannelIndex(length: length).over(bars))
        try requireFinite(MoneyFlowIndex(length: length).over(bars), in: 0...100)
        try requireFinite(OnBalanceVolume().over(bars))
        try requireFinite(VolumeWeightedAveragePrice(sessions: .always).over(bars))
    }
}
