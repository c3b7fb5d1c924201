import Model
package import Primitives

/// A run in figures. Ratios are fractions: 0.05 is five percent.
///
/// A figure that is not defined for the run is `nil`, never NaN or infinite.
package struct PerformanceSummary: Hashable, Sendable {
    /// What is figured with, besides the record.
    package struct Basis: Sendable {
        /// The risk-free rate a year, as a fraction above -1.
        package var riskFreeRate = 0.0
        /// What the run is measured against.
        package var benchmark: Benchmark?
        /// The fees of the record's fills in their parts; `nil` if a broker reported one sum only.
        package var fees: [FillFees]?
        /// How far back rolling statistics look; `nil` if nobody wants them.
        package var windows: RollingStatistics.Windows?
        /// The paths of the record's round trips; `nil` if prices are not known.
        package var paths: TradePaths?

        /// No risk-free rate, no benchmark, no fees, no windows, no paths.
        package init() {}
    }

    /// Final equity / starting capital - 1; needs a positive starting capital. With payments, what
    /// the start became by the ledger: time-weighted.
    package let totalReturn: Double?
    /// What was paid in, less what was paid out; `nil` without payments.
    package let netCashFlow: Money?
    /// Statistics of session returns, the first one from the starting capital, payments no part of
    /// them; undefined when a session begins with capital that is not positive.
    package let returns: ReturnStatistics
    /// The deepest fall of equity, measured by the engine at every slice.
    package let maxDrawdown: DrawdownRecord?
    /// The fraction lost in `maxDrawdown`; 0 without a fall.
    package var deepestDrawdown: Double { maxDrawdown?.fraction ?? 0 }
    /// `returns.cagr` / fraction lost in `maxDrawdown`; needs a fall.
    package let calmar: Double?
    /// The falls at sessions' ends.
    package let drawdowns: Drawdowns
    /// Returns by month and year.
    package let periods: PeriodReturns
    /// Statistics of the last sessions, as each session ended; empty unless windows were given.
    package let rolling: RollingStatistics
    /// The risk-free rate that the figures are based on, a year.
    package let riskFreeRate: Double
    /// The benchmark's ticker; `nil` without one.
    package let benchmarkSymbol: String?
    /// The run beside its benchmark; `nil` without one.
    package let comparison: BenchmarkComparison?

    /// Sessions with an equity point.
    package let sessionCount: Int
    /// Executions.
    package let fillCount: Int
    /// Orders sent.
    package let orderCount: Int
    /// Round trips that ended.
    package let trades: TradeStatistics
    /// How many messages the orders took; `nil` without orders.
    package let orderEfficiency: OrderEfficiency?

    /// Commissions and fees of all fills.
    package let commissions: Money
    /// The same in parts; `nil` if they are not known.
    package let fees: FeeTotals?
    /// What each strategy came to; empty when the record does not say.
    package let strategies: [StrategySummary]
    /// Value of all fills, bought and sold / average equity at sessions' ends. Not per year.
    package let turnover: Double?
    /// `turnover` · 252 / sessions.
    package let turnoverPerYear: Double?
    /// Sessions that ended with a position / all sessions.
    package let exposure: Double?

    /// The figures of a run.
    ///
    /// - Parameter trades: the round trips of the same record.
    package init(of record: RunRecord, trades: RoundTrips, _ basis: Basis = Basis()) {
        let ends = record.sessionEnds
        let daily = SessionReturns(
            between: ends, startingWith: record.startingCapital, cashFlows: record.cashFlows
        ).daily
        let returns = ReturnStatistics(of: daily.map(\.value), riskFreeRate: basis.riskFreeRate)
        self.returns = returns
        totalReturn =
            record.cashFlows.isEmpty
            ? quotient(
                (ExactMoney(record.finalEquity) - ExactMoney(record.startingCapital)).asDouble,
                record.startingCapital.asDouble)
            : record.growth.flatMap { defined($0.asDouble - 1) }
        netCashFlow =
            record.cashFlows.isEmpty
            ? nil
            : record.cashFlows.reduce(ExactMoney.zero) { $0 + ExactMoney($1.amount) }
                .roundedIfRepresentable()
        maxDrawdown = record.maxDrawdown
        calmar = quotient(returns.cagr, record.maxDrawdown?.fraction)
        drawdowns = Drawdowns(of: daily)
        periods = PeriodReturns(of: daily)
        rolling = RollingStatistics(
            of: basis.windows == nil ? [] : daily, basis.windows ?? .usual,
            riskFreeRate: basis.riskFreeRate)
        riskFreeRate = basis.riskFreeRate
        benchmarkSymbol = basis.benchmark?.symbol
        comparison = basis.benchmark.map {
            BenchmarkComparison(SharedReturns(daily, $0), riskFreeRate: basis.riskFreeRate)
        }

        sessionCount = ends.count
        fillCount = record.fills.count
        orderCount = record.orders.count
        self.trades = TradeStatistics(of: trades.closed, paths: basis.paths?.closed)
        orderEfficiency = OrderEfficiency(of: record)

        commissions = record.fills.reduce(.zero) { $0 + $1.commission }
        fees = basis.fees.map { FeeTotals(of: record, $0) }
        strategies = StrategySummary.all(of: record, trades, sessionCount: ends.count)
        turnover = Self.turnover(of: record, ends)
        turnoverPerYear = quotient(
            turnover.map { $0 * Growth.sessionsPerYear }, Double(ends.count))
        let exposed = ends.count { $0.grossExposure > .zero }
        exposure = quotient(Double(exposed), Double(ends.count))
    }

    private static func turnover(of record: RunRecord, _ ends: [EquityPoint]) -> Double? {
        let tradedValue = record.fills.reduce(ExactMoney.zero) { sum, fill in
            let multiplier = record.instruments[Int(fill.execution.instrument.index)].multiplier
            let value = (fill.execution.price * fill.execution.quantity) * multiplier
            return sum + value.magnitude
        }
        let equity = ends.reduce(ExactMoney.zero) { $0 + ExactMoney($1.equity) }
        return quotient(tradedValue.asDouble, quotient(equity.asDouble, Double(ends.count)))
    }
}
