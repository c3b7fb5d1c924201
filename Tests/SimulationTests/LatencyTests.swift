import Primitives
import Simulation
import Testing

@Suite struct LatencyTests {
    @Test(arguments: [Primitives.Duration.zero, .milliseconds(25), .seconds(1)])
    func fixedTimesDrawNothing(length: Primitives.Duration) {
        var generator = SeededGenerator(seed: 1)
        var untouched = SeededGenerator(seed: 1)
        #expect(LatencyModel.fixed(length).draw(&generator) == length)
        #expect(generator.next() == untouched.next())
    }

    @Test(arguments: 0..<5 as Range<UInt64>)
    func exponentialTimesHaveTheirMinimumAndMean(seed: UInt64) {
        let model = LatencyModel.exponential(minimum: .milliseconds(10), mean: .milliseconds(40))
        var generator = SeededGenerator(seed: seed)
        let times = (0..<100_000).map { _ in model.draw(&generator) }
        #expect(times.allSatisfy { $0 >= .milliseconds(10) })
        let mean = times.reduce(0.0) { $0 + Double($1.nanoseconds) } / 100_000
        // 10 ms and 40 ms; what is added has its mean within 2 %.
        #expect(abs(mean - 50_000_000) < 800_000)
        // Half of them within the median, 10 + 40 · ln 2 = 37.726 ms; five standard deviations.
        let median = Primitives.Duration(nanoseconds: 37_725_887)
        #expect(abs(times.filter { $0 < median }.count - 50_000) < 790)
    }

    @Test func sameSeedSameTimes() {
        let model = LatencyModel.exponential(minimum: .zero, mean: .seconds(1))
        func times(_ seed: UInt64) -> [Primitives.Duration] {
            var generator = SeededGenerator(seed: seed)
            return (0..<1_000).map { _ in model.draw(&generator) }
        }
        #expect(times(42) == times(42))
        #expect(times(42) != times(43))
    }

    @Test func aMeanOfZeroAddsNothing() {
        let model = LatencyModel.exponential(minimum: .milliseconds(5), mean: .zero)
        var generator = SeededGenerator(seed: 3)
        #expect((0..<100).allSatisfy { _ in model.draw(&generator) == .milliseconds(5) })
    }

    @Test func whatIsAddedIsAtMostADay() {
        let model = LatencyModel.exponential(minimum: .seconds(1), mean: .days(100_000))
        var generator = SeededGenerator(seed: 4)
        let longest = (0..<1_000).map { _ in model.draw(&generator) }.max()
        #expect(longest == .days(1) + .seconds(1))
    }

    @Test func noLatencyIsNoTimeAtAll() {
        var generator = SeededGenerator(seed: 5)
        for model in [
            Latencies.none.marketData, Latencies.none.order, Latencies.none.acknowledgement,
        ] {
            #expect(model.draw(&generator) == .zero)
        }
    }
}
