import Model
import Primitives
import Signals
import Testing

/// Every indicator against TA-Lib on real bars, warm-up included.
@Suite struct TALibTests {
    @Test(arguments: ReferenceSeries.names)
    func movingAverages(name: String) throws {
        let series = try ReferenceSeries(name)
        for length in [5, 20, 50, 200] {
            let simple = SimpleMovingAverage(length: length).over(series.closes)
            try series.expect(simple.inOnes, equal: "SMA_\(length)")
        }
        for length in [9, 12, 26, 50] {
            let exponential = ExponentialMovingAverage(length: length).over(series.closes)
            try series.expect(exponential.inOnes, equal: "EMA_\(length)")
        }
        for length in [10, 30] {
            let weighted = WeightedMovingAverage(length: length).over(series.closes)
            try series.expect(weighted.inOnes, equal: "WMA_\(length)")
        }
    }

    @Test(arguments: ReferenceSeries.names)
    func relativeStrengthIndex(name: String) throws {
        let series = try ReferenceSeries(name)
        for length in [2, 14, 21] {
            let index = RelativeStrengthIndex(length: length).over(series.closes)
            try series.expect(index, equal: "RSI_\(length)")
        }
    }

    @Test(arguments: ReferenceSeries.names)
    func trueRanges(name: String) throws {
        let series = try ReferenceSeries(name)
        try series.expect(TrueRange().over(series.bars).inOnes, equal: "TRANGE")
        for length in [14, 20] {
            let average = AverageTrueRange(length: length).over(series.bars)
            try series.expect(average.inOnes, equal: "ATR_\(length)")
        }
    }

    /// TA-Lib moves sums of rounded squares: its own figures are good to a millionth.
    @Test(arguments: ReferenceSeries.names)
    func deviations(name: String) throws {
        let series = try ReferenceSeries(name)
        for length in [5, 20] {
            let deviation = StandardDeviation(length: length).over(series.closes)
            try series.expect(deviation.inOnes, equal: "STDDEV_\(length)", within: 1e-6)
        }
        let variance = Variance(length: 20).over(series.closes)
        // Units squared: once for each factor.
        try series.expect(variance.inOnes.inOnes, equal: "VAR_20", within: 1e-6)
        // TA-Lib has no score: its parts make one.
        let score = ZScore(length: 20).over(series.closes)
        let means = try series.column("SMA_20")
        let widths = try series.column("STDDEV_20")
        for (row, score) in score.enumerated() {
            guard let mean = means[row], let width = widths[row] else {
                try #require(score == nil)
                continue
            }
            let expected = (Double(series.closes[row].units) / 1e8 - mean) / width
            let found = try #require(score)
            try #require(abs(found - expected) <= 1e-6)
        }
        for (length, deviations, column) in [
            (20, 2.0, "BBANDS_20_2"), (10, 1.5, "BBANDS_10_1.5"),
        ] {
            let bands = BollingerBands(length: length, deviations: deviations).over(series.closes)
            try series.expect(bands.map { $0?.upper }.inOnes, equal: column + ".upper")
            try series.expect(bands.map { $0?.middle }.inOnes, equal: column + ".middle")
            try series.expect(bands.map { $0?.lower }.inOnes, equal: column + ".lower")
        }
    }

    @Test(arguments: ReferenceSeries.names)
    func convergenceAndDivergence(name: String) throws {
        let series = try ReferenceSeries(name)
        for (fast, slow, signal) in [(12, 26, 9), (5, 35, 5)] {
            let lines = MovingAverageConvergenceDivergence(fast: fast, slow: slow, signal: signal)
                .over(series.closes)
            let column = "MACD_\(fast)_\(slow)_\(signal)"
            try series.expect(lines.map { $0?.line }.inOnes, equal: column + ".macd")
            try series.expect(lines.map { $0?.signal }.inOnes, equal: column + ".signal")
            try series.expect(lines.map { $0?.histogram }.inOnes, equal: column + ".histogram")
        }
    }

    @Test(arguments: ReferenceSeries.names)
    func directionalMovement(name: String) throws {
        let series = try ReferenceSeries(name)
        var bars = series.bars
        var tolerance = 1e-8
        if name == "qqq_1min_2019-02-11" {
            // At 11:13 the high rose by 0.01 and the low fell by 0.01: a tie, which counts as
            // neither. In TA-Lib's doubles 168.43 - 168.42 is more than 168.38 - 168.37, so it
            // counts a rise. Let the high be higher by the smallest step there is, and all its
            // figures follow.
            bars[103] = bars[103].withHigh(bars[103].high + Price(units: 1))
            tolerance = 1e-6
        }
        let lines = AverageDirectionalIndex(length: 14).over(bars)
        try series.expect(lines.map { $0?.plus }, equal: "PLUS_DI_14", within: tolerance)
        try series.expect(lines.map { $0?.minus }, equal: "MINUS_DI_14", within: tolerance)
        try series.expect(lines.map { $0?.index }, equal: "DX_14", within: tolerance)
        try series.expect(lines.map { $0?.average }, equal: "ADX_14", within: tolerance)
    }

    @Test(arguments: ReferenceSeries.names)
    func stochasticOscillators(name: String) throws {
        let series = try ReferenceSeries(name)
        for length in [5, 14] {
            let slow = StochasticOscillator(length: length).over(series.bars)
            try series.expect(slow.map { $0?.percentK }, equal: "STOCH_\(length)_3_3.slowk")
            try series.expect(slow.map { $0?.percentD }, equal: "STOCH_\(length)_3_3.slowd")
        }
        let fast = StochasticOscillator(length: 14, slowing: 1).over(series.bars)
        try series.expect(fast.map { $0?.percentK }, equal: "STOCHF_14_3.fastk")
        try series.expect(fast.map { $0?.percentD }, equal: "STOCHF_14_3.fastd")
    }

    @Test(arguments: ReferenceSeries.names)
    func changes(name: String) throws {
        let series = try ReferenceSeries(name)
        for length in [1, 10, 20] {
            let rate = RateOfChange(length: length).over(series.closes)
            try series.expect(rate, equal: "ROC_\(length)")
        }
        try series.expect(MomentumIndicator(length: 10).over(series.closes).inOnes, equal: "MOM_10")
    }

    @Test(arguments: ReferenceSeries.names)
    func channels(name: String) throws {
        let series = try ReferenceSeries(name)
        for length in [20, 55] {
            let channel = DonchianChannel(length: length).over(series.bars)
            try series.expect(channel.map { $0?.upper }.inOnes, equal: "DONCHIAN_\(length).upper")
            try series.expect(channel.map { $0?.middle }.inOnes, equal: "DONCHIAN_\(length).middle")
            try series.expect(channel.map { $0?.lower }.inOnes, equal: "DONCHIAN_\(length).lower")
        }
        let share = WilliamsPercentRange(length: 14).over(series.bars)
        try series.expect(share, equal: "WILLR_14")
    }

    @Test(arguments: ReferenceSeries.names)
    func typicalPricesAndVolumes(name: String) throws {
        let series = try ReferenceSeries(name)
        for length in [14, 20] {
            let index = CommodityChannelIndex(length: length).over(series.bars)
            try series.expect(index, equal: "CCI_\(length)")
        }
        try series.expect(OnBalanceVolume().over(series.bars), equal: "OBV")
        try series.expect(MoneyFlowIndex(length: 14).over(series.bars), equal: "MFI_14")
    }
}

extension Bar {
    fileprivate func withHigh(_ high: Price) -> Bar {
        Bar(
            instrument: instrument, start: start, barSize: barSize, open: open, high: high,
            low: low,
            close: close, volume: volume)
    }
}
