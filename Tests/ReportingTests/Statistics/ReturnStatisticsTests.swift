import Primitives
import Reporting
import Testing

@Suite struct ReturnStatisticsTests {
    /// 1.01^252 - 1: one percent a session.
    private let onePercentASession = (0..<252).reduce(1.0) { product, _ in product * 1.01 } - 1

    /// Returns of 0.1, -0.1 and 0.1 less 0.01 each: mean 7/300, deviation √(1/75); below the rate
    /// only -0.11, so the downside is 0.11 / √3; above it 0.09 twice.
    @Test func riskFreeRateCountsWhereverItHasAPlace() {
        let statistics = ReturnStatistics(
            of: [0.1, -0.1, 0.1], riskFreeRate: onePercentASession)
        #expect(isClose(statistics.sharpe, 7.0 / 300 * (75.0 * 252).squareRoot()))
        #expect(isClose(statistics.downsideRisk, 0.11 * 84.0.squareRoot()))
        #expect(isClose(statistics.sortino, 7.0 / 300 * (3.0 * 252).squareRoot() / 0.11))
        #expect(isClose(statistics.omega, 0.18 / 0.11))
        // What has no place for it.
        #expect(isClose(statistics.volatility, 3.36.squareRoot()))
        #expect(isClose(statistics.gainToPain, 1))
    }

    /// Two gains of 0.02, a loss of 0.01, and a zero, which is neither: p = 2/3, payoff 2, Kelly
    /// 2/3 - (1/3) / 2.
    @Test func gainsAndLossesAreCounted() {
        let wins = ReturnStatistics(of: [0.02, 0, -0.01, 0.02]).wins
        #expect(isClose(wins.winRate, 2.0 / 3))
        #expect(isClose(wins.profitFactor, 4))
        #expect(isClose(wins.payoffRatio, 2))
        #expect(isClose(wins.kelly, 0.5))
    }

    /// Sorted -0.3, -0.1, 0, 0.1, 0.2: the 5th percentile lies 0.2 of the way from the first to the
    /// second, the 95th 0.8 of the way from the fourth to the fifth; the shortfall is the worst of
    /// floor(0.2) + 1 = 1 returns.
    @Test func quantilesLieBetweenOrderStatistics() {
        let statistics = ReturnStatistics(of: [0.1, -0.3, 0.2, 0, -0.1])
        #expect(isClose(statistics.valueAtRisk95, -0.26))
        #expect(isClose(statistics.tailRatio, 0.18 / 0.26))
        #expect(isClose(statistics.conditionalValueAtRisk95, -0.3))
    }

    /// The level goes 1, 0.5, 0.75: drawdowns of 0.5 and 0.25 from the start. The sum of returns is
    /// 0, though a quarter is lost.
    @Test func theStartIsAHigh() {
        let statistics = ReturnStatistics(of: [-0.5, 0.5])
        #expect(statistics.totalReturn == -0.25)
        #expect(statistics.maxDrawdown == 0.5)
        #expect(isClose(statistics.ulcerIndex, 0.3125.squareRoot()))
        #expect(statistics.recoveryFactor == 0)
    }

    /// As quantstats: a recovery factor has no sign.
    @Test func recoveryFactorOfALossIsPositive() {
        #expect(isClose(ReturnStatistics(of: [-0.5, 0.25]).recoveryFactor, 0.5))
    }

    /// Logarithms on a line: ln 1.01 more with every session.
    @Test func steadyGrowthIsStable() {
        let statistics = ReturnStatistics(of: Array(repeating: 0.01, count: 50))
        #expect(isClose(statistics.stability, 1))
        #expect(isClose(statistics.cagr, onePercentASession))
    }

    @Test func aSeriesWithoutReturnsHasNoFigures() {
        let statistics = ReturnStatistics(of: [])
        #expect(statistics.count == 0)
        #expect(figures(of: statistics).isEmpty)
        #expect(figures(of: statistics.wins).allSatisfy { $0 == 0 })
        #expect(statistics.wins.winRate == nil)
    }

    @Test func aSingleReturnHasNoSpread() {
        let statistics = ReturnStatistics(of: [0.01])
        #expect(isClose(statistics.totalReturn, 0.01))
        #expect(isClose(statistics.cagr, onePercentASession))
        #expect(statistics.volatility == nil)
        #expect(statistics.sharpe == nil)
        #expect(statistics.sortino == nil)
        #expect(statistics.maxDrawdown == 0)
        #expect(statistics.calmar == nil)
        #expect(statistics.ulcerIndex == nil)
        #expect(statistics.valueAtRisk95 == 0.01)
        #expect(statistics.conditionalValueAtRisk95 == 0.01)
        #expect(statistics.stability == nil)
        #expect(statistics.skew == nil)
        #expect(ReturnStatistics(of: [-0.01]).sortino == nil)
    }

    /// Mean 0.01, sample variance 2 · 0.02² = 0.0008, downside √(0.0001 / 2).
    @Test func twoReturnsHaveASharpe() {
        let statistics = ReturnStatistics(of: [0.03, -0.01])
        #expect(isClose(statistics.sharpe, 0.01 / 0.0008.squareRoot() * 252.0.squareRoot()))
        #expect(isClose(statistics.sortino, 0.01 / 0.00005.squareRoot() * 252.0.squareRoot()))
        #expect(isClose(statistics.stability, 1))
        #expect(statistics.skew == nil)
        #expect(statistics.kurtosis == nil)
    }

    @Test func equalReturnsHaveNoRatioToTheirSpread() {
        let statistics = ReturnStatistics(of: Array(repeating: 0.001, count: 300))
        #expect(statistics.volatility.map { $0 < 1e-12 } == true)
        #expect(statistics.sharpe == nil)
        #expect(statistics.sortino == nil)
        #expect(statistics.skew == nil)
        #expect(statistics.kurtosis == nil)
        #expect(statistics.omega == nil)
        #expect(statistics.calmar == nil)
        #expect(isClose(statistics.tailRatio, 1))
    }

    @Test func zerosAreASeriesWithoutRisk() {
        let statistics = ReturnStatistics(of: Array(repeating: 0, count: 10))
        #expect(statistics.totalReturn == 0)
        #expect(statistics.cagr == 0)
        #expect(statistics.volatility == 0)
        #expect(statistics.downsideRisk == 0)
        #expect(statistics.maxDrawdown == 0)
        #expect(statistics.ulcerIndex == 0)
        #expect(statistics.sharpe == nil)
        #expect(statistics.tailRatio == nil)
        #expect(statistics.stability == nil)
        #expect(statistics.recoveryFactor == nil)
        #expect(statistics.gainToPain == nil)
        #expect(statistics.wins.winRate == nil)
    }

    @Test func losingEverythingIsAFigure() {
        let statistics = ReturnStatistics(of: [0.1, -1, 0.5])
        #expect(statistics.totalReturn == -1)
        #expect(statistics.cagr == -1)
        #expect(statistics.maxDrawdown == 1)
        #expect(statistics.calmar == -1)
        #expect(statistics.stability == nil)
        #expect(statistics.sharpe != nil)
    }

    @Test func losingMoreThanEverythingHasNoGrowthRate() {
        let statistics = ReturnStatistics(of: [0.1, -1.5])
        #expect(isClose(statistics.totalReturn, -1.55))
        #expect(statistics.cagr == nil)
        #expect(statistics.calmar == nil)
        #expect(isClose(statistics.maxDrawdown, 1.5))
    }

    /// Whatever the returns are, no figure is NaN or infinite.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func figuresAreNumbers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let usual = [0, 1e-300, -1e-300, 0.01, -0.01, -1, 1, 1e160, -1e160, 1e308, -1e308]
        let count = Int.random(in: 0...12, using: &generator)
        let kinds = Int.random(in: 1...usual.count, using: &generator)
        let returns = (0..<count).map { _ in
            usual[Int.random(in: 0..<kinds, using: &generator)]
        }
        let rate = [0, 0.05, -0.99, -1, 1e300][Int.random(in: 0..<5, using: &generator)]
        let statistics = ReturnStatistics(of: returns, riskFreeRate: rate)
        let wins = statistics.wins
        let ratios = [wins.winRate, wins.profitFactor, wins.payoffRatio, wins.kelly]
        let shared = SharedReturns(own: returns, benchmark: returns.reversed())
        let comparison = BenchmarkComparison(shared, riskFreeRate: rate)
        let figures =
            figures(of: statistics) + ratios.compactMap(\.self) + figures(of: comparison)
        #expect(figures.allSatisfy { $0.isFinite })
    }

    /// The numbers among a value's stored properties.
    private func figures(of value: some Any) -> [Double] {
        Mirror(reflecting: value).children.compactMap { $0.value as? Double }
    }
}
