import Primitives
import Signals
import TestSupport
import Testing

@Suite struct StandardDeviationTests {
    private func prices(_ cents: [Int64]) -> [Price] { cents.map(Price.init(cents:)) }

    // MARK: By hand

    @Test func deviationIsThePopulations() {
        // 2, 4, 4, 4, 5, 5, 7, 9 dollars: mean 5, squared distances 9+1+1+1+0+0+4+16 = 32, 32/8 =
        // 4.
        let prices = prices([200, 400, 400, 400, 500, 500, 700, 900])
        #expect(Variance(length: 8).over(prices).last == 4e16)
        #expect(StandardDeviation(length: 8).over(prices).last == 2e8)
        #expect(ZScore(length: 8).over(prices).last == 2)  // (9 - 5) / 2
        let bands = BollingerBands(length: 8, deviations: 1.5).over(prices)
        expect(bands[7], upper: 8e8, middle: 5e8, lower: 2e8)
    }

    private func expect(
        _ bands: BollingerBands.Value?, upper: Double, middle: Double, lower: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(bands?.upper == upper, sourceLocation: sourceLocation)
        #expect(bands?.middle == middle, sourceLocation: sourceLocation)
        #expect(bands?.lower == lower, sourceLocation: sourceLocation)
    }

    @Test func windowMovesOn() {
        // 1, 3 | 3, 3 | 3, 9: variances 1, 0, 9.
        #expect(
            Variance(length: 2).over(prices([100, 300, 300, 900])) == [nil, 1e16, 0, 9e16])
    }

    @Test func flatWindowHasNoScoreAndNoWidth() {
        let flat = prices([500, 100, 100, 100])
        #expect(ZScore(length: 3).over(flat).last == .some(nil))
        #expect(StandardDeviation(length: 3).over(flat).last == 0)
        expect(
            BollingerBands(length: 3).over(flat)[3], upper: 1e8, middle: 1e8, lower: 1e8)
    }

    @Test func deviationOfOnePriceIsNothing() {
        #expect(StandardDeviation(length: 1).over(prices([5, 7])) == [0, 0])
    }

    // MARK: Properties

    /// Property: n² times the variance is the sum of the squared differences of all pairs, a
    /// formula without a mean; prices from anywhere an edge accepts.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func varianceIsThatOfAllPairs(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let length = Int(chance.number(in: 2...12))
        let reach = chance.one(of: [2, 1_000, 100_000_000_00, Price.magnitudeMax.units / 2])
        let level = chance.number(in: -Price.magnitudeMax.units / 2...Price.magnitudeMax.units / 2)
        let units = (0..<60).map { _ in level + chance.number(in: -reach...reach) }
        let variances = Variance(length: length).over(units.map(Price.init(units:)))
        for end in length...units.count {
            let window = units[(end - length)..<end]
            var squares: UInt128 = 0
            for (index, one) in window.enumerated() {
                for other in window.dropFirst(index + 1) {
                    squares += UInt128((one - other).magnitude) * UInt128((one - other).magnitude)
                }
            }
            let expected = approximately(squares) / Double(length * length)
            let variance = try #require(variances[end - 1])
            try #require(abs(variance - expected) <= 1e-13 * expected)
        }
    }

    /// A million prices made to leave rounding behind: calm at the top of the range, spikes from
    /// one end to the other, decay, flat batches. The result stays that of a fresh computation.
    @Test func nothingIsLeftBehindInALongSeries() throws {
        var chance = SeededGenerator(seed: 1)
        var deviation = StandardDeviation(length: 20)
        var window: [Int64] = []
        var checks = 0
        var flats = 0
        for step in 0..<1_000_000 {
            let units = adversarialUnits(step, &chance)
            window.append(units)
            if window.count > 20 { window.removeFirst() }
            let value = deviation.update(Price(units: units))
            guard step >= 19, step % 61 == 0 || step % 1_000 > 960 else { continue }
            let expected = freshDeviation(window)
            let found = try #require(value)
            try #require(abs(found - expected) <= 1e-12 * expected, "step \(step)")
            checks += 1
            if expected == 0 { flats += 1 }
        }
        #expect(checks > 50_000)
        #expect(flats > 1_000)
    }

    private func adversarialUnits(_ step: Int, _ chance: inout SeededGenerator) -> Int64 {
        let top = Price.magnitudeMax.units
        let phase = step % 1_000
        switch step / 1_000 % 5 {
        case 0: return top - chance.number(in: 0...2)
        case 1: return phase % 100 == 0 ? -top : top - Int64(phase)
        case 2: return top >> (phase % 50)
        case 3: return phase < 500 ? 100_00000000 : chance.number(in: -top...top)
        default: return phase < 970 ? chance.number(in: 0...100_00000000) : 1
        }
    }

    /// Two passes; distances from the newest price are exact.
    private func freshDeviation(_ window: [Int64]) -> Double {
        let newest = window[window.count - 1]
        let distances = window.map { Double($0 - newest) }
        let mean = distances.reduce(0, +) / Double(window.count)
        let squares = distances.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(window.count)).squareRoot()
    }

    private func approximately(_ number: UInt128) -> Double {
        Double(UInt64(truncatingIfNeeded: number >> 64)) * 0x1p64
            + Double(UInt64(truncatingIfNeeded: number))
    }
}
