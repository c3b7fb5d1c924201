import Model
import Primitives
import Signals
import TestSupport
import Testing

/// Whole arrays at once against the same indicator fed one price after the other.
@Suite struct ColumnTests {
    /// Expects NaN exactly where there is no result, and elsewhere a number within the tolerance.
    private func expect(
        _ column: [Double], equal stream: [Double?], within tolerance: (Double) -> Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try #require(column.count == stream.count, sourceLocation: sourceLocation)
        for (index, (number, expected)) in zip(column, stream).enumerated() {
            guard let expected else {
                try #require(number.isNaN, "place \(index)", sourceLocation: sourceLocation)
                continue
            }
            let isEqual = abs(number - expected) <= tolerance(expected)
            try #require(
                isEqual, "place \(index): \(number), not \(expected)",
                sourceLocation: sourceLocation)
        }
    }

    private func units(_ prices: [Price]) -> [Double] { prices.map { Double($0.units) } }

    /// Holds all columns of closes to the streams; `level` is the largest price in units.
    private func expectColumns(
        of closes: [Price], _ length: Int, level: Double
    ) throws {
        let numbers = units(closes)
        // What is there already must not show.
        var results = [Double](repeating: 7, count: closes.count)
        let simple = SimpleMovingAverage(length: length)
        simple.fill(&results, from: numbers)
        try expect(results, equal: simple.over(closes)) { _ in 0 }
        let exponential = ExponentialMovingAverage(length: length)
        exponential.fill(&results, from: numbers)
        try expect(results, equal: exponential.over(closes)) { _ in 1e-12 * level }
        let strength = RelativeStrengthIndex(length: length)
        strength.fill(&results, from: numbers)
        try expect(results, equal: strength.over(closes)) { _ in 1e-10 }
        let divergence = MovingAverageConvergenceDivergence(
            fast: length, slow: length + 5, signal: max(length / 2, 1))
        var lines = MovingAverageConvergenceDivergence.Columns(count: closes.count)
        divergence.fill(&lines, from: numbers)
        let values = divergence.over(closes)
        try expect(lines.line, equal: values.map { $0?.line }) { _ in 1e-12 * level }
        try expect(lines.signal, equal: values.map { $0?.signal }) { _ in 1e-12 * level }
        try expect(lines.histogram, equal: values.map { $0?.histogram }) { _ in 1e-12 * level }
    }

    private func expectBands(_ closes: [Price], _ bands: BollingerBands) throws {
        var lines = BollingerBands.Columns(count: closes.count)
        bands.fill(&lines, from: units(closes))
        let values = bands.over(closes)
        // The last bits of the mean, and eleven digits of the width.
        func tolerance(_ value: BollingerBands.Value?) -> Double {
            guard let value else { return 0 }
            return 1e-15 * abs(value.middle) + 1e-11 * (value.upper - value.middle)
        }
        let tolerances = values.map(tolerance)
        for (column, stream) in [
            (lines.upper, values.map { $0?.upper }), (lines.middle, values.map { $0?.middle }),
            (lines.lower, values.map { $0?.lower }),
        ] {
            for index in closes.indices {
                let single = [stream[index]]
                try expect([column[index]], equal: single) { _ in tolerances[index] }
            }
        }
    }

    @Test(arguments: ReferenceSeries.names)
    func columnsOfRealPricesEqualStreams(name: String) throws {
        let series = try ReferenceSeries(name)
        let level = try #require(units(series.closes).max())
        for length in [1, 2, 14, 30, 200] {
            try expectColumns(of: series.closes, length, level: level)
            try expectBands(series.closes, BollingerBands(length: length))
        }
        let bars = BarColumns(
            high: units(series.bars.map(\.high)), low: units(series.bars.map(\.low)),
            close: units(series.closes))
        var ranges = [Double](repeating: 7, count: series.bars.count)
        for length in [1, 14, 100] {
            let average = AverageTrueRange(length: length)
            average.fill(&ranges, from: bars)
            try expect(ranges, equal: average.over(series.bars)) { 1e-12 * $0 }
        }
    }

    /// Property: histories of any length, shorter than the warm-up and not a multiple of four among
    /// them.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func columnsOfAnyLengthEqualStreams(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 1...25))
        let count = Int(chance.number(in: 0...Int64(6 * length)))
        let reach = chance.one(of: [0, 2, 50_000] as [Int64])
        let closes = (0..<count).map { _ in
            Price(cents: 100_000 + chance.number(in: -reach...reach))
        }
        try expectColumns(of: closes, length, level: 1.5e11)
        try expectBands(closes, BollingerBands(length: length, deviations: 1.5))
        let bars = closes.enumerated().map { index, close in
            let cents = close.units / 1_000_000
            return Make.bar(
                index, open: cents, high: cents + chance.number(in: 0...5),
                low: cents - chance.number(in: 0...5), close: cents)
        }
        var ranges = [Double](repeating: 7, count: count)
        let average = AverageTrueRange(length: length)
        average.fill(
            &ranges,
            from: BarColumns(
                high: units(bars.map(\.high)), low: units(bars.map(\.low)), close: units(closes)))
        try expect(ranges, equal: average.over(bars)) { 1e-12 * $0 + 1e-3 }
    }

    /// Spikes that leave a window, calm far from where a batch began, flat windows: what a moved
    /// sum of squares alone gets wrong.
    @Test(arguments: [2, 5, 20, 100])
    func bandsHoldWhereSquaresWouldNot(length: Int) throws {
        var chance = SeededGenerator(seed: UInt64(length))
        var level: Int64 = 100_000_00000000
        let closes = (0..<20_000).map { step in
            switch step / 500 % 4 {
            case 0: return Price(units: level + chance.number(in: -3...3))
            case 1:
                level += chance.number(in: -1_00000000...1_00000000)
                return Price(units: level)
            case 2: return Price(units: step % 130 == 0 ? 1 : level)
            default: return Price(units: level >> (step % 60))
            }
        }
        try expectBands(closes, BollingerBands(length: length))
    }

    /// Numbers that are not whole, far along: the sum is still that of the window.
    @Test func averagesOfFractionsStayClose() throws {
        var chance = SeededGenerator(seed: 5)
        let numbers = (0..<100_000).map { _ in
            Double(chance.number(in: 1...1_000_000_000_000)) / 3_000_000_000
        }
        var results = [Double](repeating: 0, count: numbers.count)
        SimpleMovingAverage(length: 30).fill(&results, from: numbers)
        for index in stride(from: 29, to: numbers.count, by: 17) {
            let expected = numbers[(index - 29)...index].reduce(0, +) / 30
            try #require(abs(results[index] - expected) <= 1e-12 * expected)
        }
    }

    /// Numbers that are not whole, far above what they move by: the width is still that of the window.
    @Test func bandsOfFractionsStayClose() throws {
        var chance = SeededGenerator(seed: 6)
        var level = 100_000.0
        let numbers = (0..<20_000).map { _ in
            level += Double(chance.number(in: -1_000...1_000)) / 3_000_000
            return level
        }
        let bands = BollingerBands(length: 20)
        var lines = BollingerBands.Columns(count: numbers.count)
        bands.fill(&lines, from: numbers)
        for index in 19..<numbers.count {
            let distances = numbers[(index - 19)...index].map { $0 - numbers[index] }
            let mean = distances.reduce(0, +) / 20
            let spread = distances.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            let reach = 2 * (spread / 20).squareRoot()
            // The last bits of the level, and ten digits of the width.
            let tolerance = 3e-11 + 1e-10 * reach
            try #require(abs(lines.upper[index] - lines.middle[index] - reach) <= tolerance)
            try #require(abs(lines.middle[index] - numbers[index] - mean) <= tolerance)
        }
    }
}
