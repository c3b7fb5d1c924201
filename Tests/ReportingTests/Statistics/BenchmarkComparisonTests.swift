import Primitives
import Reporting
import Testing

@Suite struct BenchmarkComparisonTests {
    /// r - f = 0.0005 + 2 (b - f) for f = 0.001 a session.
    @Test func alphaIsMeasuredAboveTheRiskFreeRate() {
        let benchmark = [0.02, -0.01, 0.03, -0.02]
        let own = benchmark.map { 0.0005 + 2 * ($0 - 0.001) + 0.001 }
        let rate = (0..<252).reduce(1.0) { product, _ in product * 1.001 } - 1
        let comparison = BenchmarkComparison(
            SharedReturns(own: own, benchmark: benchmark), riskFreeRate: rate)
        #expect(isClose(comparison.beta, 2))
        let alpha = (0..<252).reduce(1.0) { product, _ in product * 1.0005 } - 1
        #expect(isClose(comparison.alpha, alpha))
        #expect(isClose(comparison.rSquared, 1))
    }

    @Test func aFlatSideHasNoBeta() {
        let flat = Array(repeating: 0.01, count: 5)
        let moving = [0.01, -0.02, 0.03, 0, 0.01]
        for shared in [
            SharedReturns(own: moving, benchmark: flat),
            SharedReturns(own: flat, benchmark: moving),
        ] {
            let comparison = BenchmarkComparison(shared)
            #expect(comparison.beta == nil)
            #expect(comparison.alpha == nil)
            #expect(comparison.rSquared == nil)
            #expect(comparison.informationRatio != nil)
        }
        #expect(BenchmarkComparison(SharedReturns(own: flat, benchmark: flat)).upCapture == 1)
        #expect(BenchmarkComparison(SharedReturns(own: flat, benchmark: flat)).downCapture == nil)
    }

    @Test func nothingSharedHasNoFigures() {
        let comparison = BenchmarkComparison(SharedReturns(own: [], benchmark: []))
        #expect(comparison.sessionCount == 0)
        #expect(comparison.benchmarkReturn == nil)
        #expect(comparison.benchmarkCAGR == nil)
        #expect(comparison.informationRatio == nil)
        #expect(comparison.upCapture == nil)
    }

    // MARK: Alignment

    @Test func theCloseBeforeTheFirstSessionIsTheBase() {
        let shared = SharedReturns(
            daily([(1, 0.1), (2, 0.2)]), benchmark([(-4, 50), (0, 100), (1, 110), (2, 99)]))
        expect(shared, own: [0.1, 0.2], benchmark: [0.1, -0.1])
    }

    @Test func withoutACloseBeforeTheFirstSharedDayIsTheBase() {
        let shared = SharedReturns(
            daily([(0, 0.3), (1, 0.1), (2, 0.2)]), benchmark([(1, 100), (2, 150)]))
        expect(shared, own: [0.2], benchmark: [0.5])
    }

    /// Day 2 has no close, day 3 no session: from day 1 to day 4 both sides have one return, 1.1 ·
    /// 1.2 - 1 and 0.5.
    @Test func aDayThatOneSideLacksIsSpanned() {
        let shared = SharedReturns(
            daily([(1, 0), (2, 0.1), (4, 0.2), (5, 0.5)]),
            benchmark([(0, 100), (1, 100), (3, 400), (4, 150), (5, 300)]))
        expect(shared, own: [0, 0.32, 0.5], benchmark: [0, 0.5, 1])
    }

    @Test func closesThatAreNotPositiveAreLeftOut() {
        let shared = SharedReturns(
            daily([(1, 0.1), (2, 0.1), (3, 0.1)]),
            benchmark([(0, 100), (1, 0), (2, -5), (3, 200)]))
        expect(shared, own: [0.331], benchmark: [1])
    }

    @Test func benchmarksWithoutSharedDaysShareNothing() {
        let returns = daily([(1, 0.1), (2, 0.1)])
        #expect(SharedReturns(returns, benchmark([])).own.isEmpty)
        #expect(SharedReturns(returns, benchmark([(-1, 1), (5, 2)])).own.isEmpty)
        #expect(SharedReturns([], benchmark([(1, 1), (2, 2)])).own.isEmpty)
    }

    private func benchmark(_ closes: [(Int, Int64)]) -> Benchmark {
        Benchmark(
            symbol: "SPY",
            closes: closes.map {
                Benchmark.Close(day: day($0), price: Price(cents: $1 * 100))
            })
    }

    private func expect(_ shared: SharedReturns, own: [Double], benchmark: [Double]) {
        #expect(shared.own.count == own.count && shared.benchmark.count == benchmark.count)
        #expect(zip(shared.own, own).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect(zip(shared.benchmark, benchmark).allSatisfy { abs($0 - $1) < 1e-12 })
    }
}
