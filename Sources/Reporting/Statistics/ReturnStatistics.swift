import Primitives

/// Statistics of simple returns, one per session, 252 sessions a year, in fractions: 0.05 is five
/// percent.
///
/// One that is not defined for the series is `nil`, never NaN or infinite. Where libraries differ,
/// each says whose convention it follows: empyrical-reloaded 0.7.1 or quantstats 0.0.86. The
/// risk-free rate is taken from returns wherever a figure has a place for it: in the Sharpe and
/// Sortino ratios, downside risk and omega.
package struct ReturnStatistics: Hashable, Sendable {
    /// How many returns there are.
    package let count: Int
    /// What all returns come to: the product of 1 + r, less 1; needs a return.
    package let totalReturn: Double?
    /// Compound annual growth rate: (1 + total return)^(252 / n) - 1; needs a return.
    ///
    /// Counts sessions as both libraries do, not days of the calendar. -1 when all is lost.
    package let cagr: Double?
    /// Sample standard deviation (divisor n - 1) · √252; needs two returns.
    package let volatility: Double?
    /// Mean of returns above the risk-free rate / their sample deviation · √252; needs a deviation.
    package let sharpe: Double?
    /// Mean of returns above the risk-free rate · 252 / `downsideRisk`; needs two returns and a
    /// downside.
    package let sortino: Double?
    /// √(sum of squared returns below the risk-free rate / number of all returns) · √252.
    package let downsideRisk: Double?
    /// The deepest fall of compounded returns below their highest value, the start included, as a
    /// part of that value; positive, 0 without a fall.
    package let maxDrawdown: Double?
    /// `cagr` / `maxDrawdown`; needs a fall.
    package let calmar: Double?
    /// √(sum of squared drawdowns / (n - 1)), a drawdown per session (Martin and McCann's index with
    /// quantstats' divisor); needs two returns.
    package let ulcerIndex: Double?
    /// Sum of returns without sign / `maxDrawdown`, as quantstats; needs a fall.
    package let recoveryFactor: Double?

    /// Sum of returns above the risk-free rate / sum of those below it; needs one below.
    package let omega: Double?
    /// Sum of returns / sum of the negative ones without sign (Schwager); needs a negative one.
    package let gainToPain: Double?
    /// 95th percentile / 5th percentile, both without sign; needs a 5th percentile that is not 0.
    package let tailRatio: Double?
    /// R² of the least-squares line through the logarithms of compounded returns against
    /// 0, 1, …, n - 1; needs two that differ, and something left after each session.
    package let stability: Double?
    /// Historical value at risk: the 5th percentile, linear between order statistics (empyrical;
    /// quantstats' is that of a fitted normal distribution). A return: negative for a loss.
    package let valueAtRisk95: Double?
    /// Historical expected shortfall: mean of the floor(0.05 (n - 1)) + 1 smallest returns
    /// (empyrical). A return: negative for a loss.
    package let conditionalValueAtRisk95: Double?
    /// Skewness, corrected for bias (G1, pandas and quantstats); needs three returns that differ.
    package let skew: Double?
    /// Excess kurtosis, corrected for bias (G2, pandas and quantstats); needs four that differ.
    package let kurtosis: Double?
    /// Sessions with gains and with losses.
    package let wins: WinLoss

    /// The statistics of `returns`, in order of time.
    ///
    /// - Parameter riskFreeRate: a year, as a fraction above -1; (1 + rate)^(1 / 252) - 1 a session.
    package init(of returns: [Double], riskFreeRate: Double = 0) {
        let riskFree = Growth.perSession(riskFreeRate)
        let moments = Moments(of: returns)
        let excess = moments.mean - riskFree
        let year = Growth.sessionsPerYear
        let total = Growth.compounded(returns)
        count = returns.count
        totalReturn = returns.isEmpty ? nil : defined(total)
        cagr = Growth.perYear(total, sessions: returns.count)
        volatility = moments.deviation.flatMap { defined($0 * year.squareRoot()) }
        sharpe = quotient(excess * year.squareRoot(), moments.spread)
        skew = moments.skew
        kurtosis = moments.kurtosis

        let downside = Self.downside(of: returns, below: riskFree)
        downsideRisk = downside.flatMap { defined($0 * year.squareRoot()) }
        let spread = returns.count >= 2 ? downside.flatMap { $0 > Moments.noise ? $0 : nil } : nil
        sortino = quotient(excess * year.squareRoot(), spread)

        let drawdown = WealthCurve(of: returns)
        maxDrawdown = drawdown.deepest
        calmar = quotient(cagr, drawdown.drawdown)
        ulcerIndex = drawdown.ulcerIndex
        stability = drawdown.stability

        let sums = WinLoss(of: returns)
        wins = sums
        recoveryFactor = quotient(abs(sums.gains - sums.losses), drawdown.drawdown)
        gainToPain = quotient(sums.gains - sums.losses, sums.losses)
        omega = WinLoss(of: returns.lazy.map { $0 - riskFree }).profitFactor

        let ordered = Ordered(returns)
        valueAtRisk95 = ordered.quantile(0.05).flatMap(defined)
        conditionalValueAtRisk95 = ordered.meanOfSmallest(0.05)
        tailRatio = quotient(ordered.quantile(0.95).map(abs), ordered.quantile(0.05).map(abs))
    }

    private static func downside(of returns: [Double], below threshold: Double) -> Double? {
        guard !returns.isEmpty else { return nil }
        let squares = returns.reduce(0) {
            let shortfall = min($1 - threshold, 0)
            return $0 + shortfall * shortfall
        }
        return defined((squares / Double(returns.count)).squareRoot())
    }
}

/// How often something was won and lost, and how much.
package struct WinLoss: Hashable, Sendable {
    /// The sum of the gains.
    let gains: Double
    /// The sum of the losses, without sign.
    let losses: Double
    /// How many gains there are.
    let gainCount: Int
    /// How many losses there are.
    let lossCount: Int

    /// The gains and losses among `results`; zeros are neither.
    init(of results: some Sequence<Double>) {
        var (gains, losses, gainCount, lossCount) = (0.0, 0.0, 0, 0)
        for result in results {
            if result > 0 {
                gains += result
                gainCount += 1
            } else if result < 0 {
                losses -= result
                lossCount += 1
            }
        }
        self.gains = gains
        self.losses = losses
        self.gainCount = gainCount
        self.lossCount = lossCount
    }

    /// Gains / gains and losses together, by number; needs one.
    package var winRate: Double? { quotient(Double(gainCount), Double(gainCount + lossCount)) }
    /// Sum of the gains / sum of the losses; needs a loss.
    package var profitFactor: Double? { quotient(gains, losses) }
    /// The average gain / the average loss; needs one of each.
    package var payoffRatio: Double? {
        quotient(
            quotient(gains, Double(gainCount)), quotient(losses, Double(lossCount)))
    }
    /// Kelly's share of capital, p - (1 - p) / payoff, for the win rate p; needs a gain and a loss.
    package var kelly: Double? {
        guard let payoffRatio, let winRate else { return nil }
        return quotient(payoffRatio * winRate - (1 - winRate), payoffRatio)
    }
}

/// What compounding returns makes of 1, session by session.
private struct WealthCurve {
    /// See `ReturnStatistics.maxDrawdown`.
    let deepest: Double?
    /// See `ReturnStatistics.ulcerIndex`.
    let ulcerIndex: Double?
    /// See `ReturnStatistics.stability`.
    let stability: Double?

    /// The deepest fall, if it is more than rounding.
    var drawdown: Double? { deepest.flatMap { $0 > Moments.noise ? $0 : nil } }

    init(of returns: [Double]) {
        var (level, high, deepest, squares) = (1.0, 1.0, 0.0, 0.0)
        var logarithm = 0.0
        var logarithms: [Double] = []
        logarithms.reserveCapacity(returns.count)
        for change in returns {
            level *= 1 + change
            high = max(high, level)
            let drawdown = (high - level) / high
            deepest = max(deepest, drawdown)
            squares += drawdown * drawdown
            logarithm += Natural.log(1 + change)
            logarithms.append(logarithm)
        }
        self.deepest = returns.isEmpty ? nil : defined(deepest)
        ulcerIndex =
            returns.count < 2 ? nil : defined((squares / Double(returns.count - 1)).squareRoot())
        stability =
            logarithm.isFinite
            ? Covariation(logarithms, logarithms.indices.map(Double.init))?.rSquared : nil
    }
}
