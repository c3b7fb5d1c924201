import Primitives
import Testing

@Suite struct SeededGeneratorTests {
    /// The first outputs published with SplitMix64 for this seed (rosettacode.org, after Vigna's C
    /// code).
    @Test func givesThePublishedNumbers() {
        var generator = SeededGenerator(seed: 1_234_567)
        let published: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(published.map { _ in generator.next() } == published)
    }

    @Test func sameSeedSameNumbersOtherSeedOthers() {
        var left = SeededGenerator(seed: 7)
        var right = SeededGenerator(seed: 7)
        var other = SeededGenerator(seed: 8)
        let numbers = (0..<100).map { _ in left.next() }
        #expect((0..<100).map { _ in right.next() } == numbers)
        #expect((0..<100).map { _ in other.next() } != numbers)
    }

    @Test func uniformNumbersFillTheUnitInterval() {
        var generator = SeededGenerator(seed: 1)
        var buckets = Array(repeating: 0, count: 10)
        for _ in 0..<100_000 {
            let number = generator.nextUniform()
            #expect(number >= 0 && number < 1)
            buckets[Int(number * 10)] += 1
        }
        // 10,000 expected in each; five standard deviations are about 474.
        #expect(buckets.allSatisfy { abs($0 - 10_000) < 474 })
    }

    @Test func exponentialNumbersHaveTheirMeanAndMedian() {
        var generator = SeededGenerator(seed: 2)
        let numbers = (0..<100_000).map { _ in generator.nextExponential(mean: 3) }
        let mean = numbers.reduce(0, +) / 100_000
        #expect(abs(mean - 3) < 0.06)
        // The median is mean · ln 2 = 2.0794; half of the numbers, within five standard deviations.
        #expect(abs(numbers.filter { $0 < 2.0794 }.count - 50_000) < 790)
        #expect(numbers.allSatisfy { $0 >= 0 && $0.isFinite })
    }
}
