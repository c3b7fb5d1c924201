import Model
import Primitives
import Reporting
import Testing

@Suite struct PerformanceSummaryTests {
    /// Returns of 0.1, -0.1 and 0.1: mean 1/30, sample variance (4 + 16 + 4)/900 / 2 = 1/75.
    private let upDownUp = RunRecord.sessions(
        startingWith: 100_00, equityInCents: [110_00, 99_00, 108_90])

    @Test func volatilityIsTheSampleDeviationOfAYear() {
        // √(252 / 75) = √3.36.
        #expect(isClose(summary(of: upDownUp).returns.volatility, 3.36.squareRoot()))
    }

    @Test func sharpeIsMeanOverDeviation() {
        // 1/30 · √(75 · 252) = √(18900 / 900) = √21.
        #expect(isClose(summary(of: upDownUp).returns.sharpe, 21.0.squareRoot()))
    }

    @Test func sortinoCountsLossesOverAllReturns() {
        // Downside √(0.01 / 3); 1/30 · √(300 · 252) = √(75600 / 900) = √84.
        #expect(isClose(summary(of: upDownUp).returns.sortino, 84.0.squareRoot()))
    }

    @Test func totalReturnIsFinalOverStartingCapital() {
        #expect(isClose(summary(of: upDownUp).totalReturn, 0.089))
    }

    /// 1.21 in 504 sessions is ten percent a year of 252; half of it lost between is Calmar 0.2.
    @Test func growthIsPerYearOf252Sessions() {
        var record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: Array(repeating: 121_00, count: 504))
        record.maxDrawdown = DrawdownRecord(fraction: 0.5, from: record.from, to: record.to)
        #expect(isClose(summary(of: record).returns.cagr, 0.1))
        #expect(isClose(summary(of: record).calmar, 0.2))
        #expect(summary(of: record).maxDrawdown == record.maxDrawdown)
    }

    @Test func tradesAreCountedByNetProfit() {
        var record = RunRecord.uneventful
        // 100 shares each: +300, +100, -200 and 0, all less 1.00; 60 and three times 30 minutes.
        record.fills = [
            .sample(.buy, 100, atCents: 10_00, minute: 0),
            .sample(.sell, 100, atCents: 13_00, minute: 60, commission: Money(cents: 1_00)),
            .sample(.buy, 100, atCents: 10_00, minute: 60),
            .sample(.sell, 100, atCents: 11_00, minute: 90, commission: Money(cents: 1_00)),
            .sample(.buy, 100, atCents: 10_00, minute: 100),
            .sample(.sell, 100, atCents: 8_00, minute: 130, commission: Money(cents: 1_00)),
            .sample(.buy, 100, atCents: 10_00, minute: 130),
            .sample(.sell, 100, atCents: 10_00, minute: 160, commission: Money(cents: 1_00)),
        ]
        let summary = summary(of: record)
        #expect(summary.fillCount == 8)
        #expect(summary.trades.count == 4)
        #expect(summary.trades.winRate == 0.5)
        // (299 + 99) / (201 + 1).
        #expect(isClose(summary.trades.profitFactor, 398.0 / 202.0))
        // 196 / 4.
        #expect(summary.trades.expectancy == Money(cents: 49_00))
        #expect(summary.trades.best == Money(cents: 299_00))
        #expect(summary.trades.worst == Money(cents: -201_00))
        // (60 + 3 · 30) / 4 = 37.5 minutes.
        #expect(summary.trades.averageDuration == .seconds(2_250))
        #expect(summary.commissions == Money(cents: 4_00))
    }

    /// 3 · 200 bought, 3 · 300 sold and two options for 5 · 100 each: 2,500 on an average of 2,000.
    @Test func turnoverIsTradedValueOverAverageEquity() {
        var record = RunRecord.sessions(
            startingWith: 1_000_00, equityInCents: [1_000_00, 3_000_00])
        record.fills = [
            .sample(.buy, 3, atCents: 200_00), .sample(.sell, 3, atCents: 300_00),
            .sample(.sell, 2, atCents: 5_00, instrument: 1),
        ]
        #expect(summary(of: record).turnover == 1.25)
    }

    @Test func exposureIsTheShareOfSessionsThatEndWithAPosition() {
        var record = RunRecord.uneventful
        record.equity = [0, 5, 7, 0].enumerated().map { session, cents in
            .sample(
                session: session, equity: Money(cents: 100), grossExposure: Money(cents: cents))
        }
        #expect(summary(of: record).exposure == 0.5)
        #expect(summary(of: record).sessionCount == 4)
    }

    @Test func figuresThatAreNotDefinedAreAbsent() {
        let summary = summary(of: .uneventful)
        #expect(summary.totalReturn == 0)
        #expect(summary.returns.cagr == nil)
        #expect(summary.returns.volatility == nil)
        #expect(summary.returns.sharpe == nil)
        #expect(summary.returns.sortino == nil)
        #expect(summary.maxDrawdown == nil)
        #expect(summary.calmar == nil)
        #expect(summary.drawdowns.longestDays == nil)
        #expect(summary.periods.bestDay == nil)
        #expect(summary.comparison == nil)
        #expect(summary.orderEfficiency == nil)
        #expect(summary.turnoverPerYear == nil)
        #expect(summary.trades.winRate == nil)
        #expect(summary.trades.profitFactor == nil)
        #expect(summary.trades.expectancy == nil)
        #expect(summary.trades.best == nil)
        #expect(summary.trades.worst == nil)
        #expect(summary.trades.averageDuration == nil)
        #expect(summary.turnover == nil)
        #expect(summary.exposure == nil)
    }

    /// Equal returns have no deviation, whatever rounding leaves of them.
    @Test func aSteadyCurveHasNoSharpe() {
        let flat = summary(of: .sessions(startingWith: 100_00, equityInCents: [100_00, 100_00]))
        #expect(flat.returns.volatility == 0)
        #expect(flat.returns.sharpe == nil)
        #expect(flat.returns.sortino == nil)
        let steady = summary(
            of: .sessions(startingWith: 100_00, equityInCents: [110_00, 121_00, 133_10]))
        #expect(steady.returns.sharpe == nil)
        #expect(steady.returns.sortino == nil)
    }

    @Test func aRunWithoutLossesHasNoProfitFactor() {
        var record = RunRecord.uneventful
        record.fills = [.sample(.buy, 1, atCents: 1_00), .sample(.sell, 1, atCents: 2_00)]
        #expect(summary(of: record).trades.profitFactor == nil)
        #expect(summary(of: record).trades.winRate == 1)
    }

    @Test func lostCapitalLeavesNoStatistics() {
        let summary = summary(
            of: .sessions(startingWith: 100_00, equityInCents: [50_00, -10_00, 20_00, -5_00]))
        #expect(isClose(summary.totalReturn, -1.05))
        #expect(summary.returns.cagr == nil)
        #expect(summary.returns.volatility == nil)
        #expect(summary.returns.sharpe == nil)
    }

    /// One session of 0.01 to 10,000: a year of it is beyond floating point.
    @Test func growthBeyondNumbersIsAbsent() {
        let rocket = summary(of: .sessions(startingWith: 1, equityInCents: [1_000_000]))
        #expect(isClose(rocket.totalReturn, 999_999))
        #expect(rocket.returns.cagr == nil)
    }

    /// Rows for every bar do not make more sessions.
    @Test func rowsWithinASessionAreNoSessions() {
        var record = upDownUp
        let between = record.equity.map {
            EquityPoint(
                day: $0.day, at: $0.at, equity: Money(cents: 1_00), cash: .zero,
                grossExposure: Money(cents: 1))
        }
        record.equity = zip(between, record.equity).flatMap { [$0, $1] }
        record.fills = [.sample(.buy, 1, atCents: 317_90)]
        let summary = summary(of: record)
        #expect(summary.sessionCount == 3)
        #expect(summary.returns == self.summary(of: upDownUp).returns)
        #expect(summary.exposure == 0)
        // 317.90 on an average of (110 + 99 + 108.90) / 3, in three sessions.
        #expect(isClose(summary.turnover, 3))
        #expect(isClose(summary.turnoverPerYear, 252))
    }

    @Test func paymentsAreNoReturns() {
        var record = RunRecord.sessions(startingWith: 100_00, equityInCents: [110_00, 220_00])
        record.cashFlows = [.sample(session: 1, cents: 90_00, before: 110_00)]
        // 1.1 · 220 / 200.
        record.growth = ExactMoney(Money(cents: 1_21))
        let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record))
        #expect(isClose(summary.totalReturn, 0.21))
        #expect(isClose(summary.returns.totalReturn, 0.21))
        #expect(summary.netCashFlow == Money(cents: 90_00))
        #expect(isClose(summary.periods.bestDay?.value, 0.1))
    }

    @Test func aBenchmarkIsComparedByDay() {
        let record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: [110_00, 99_00, 108_90])
        var basis = PerformanceSummary.Basis()
        basis.benchmark = Benchmark(
            symbol: "SPY",
            closes: [10_000, 10_500, 9_975, 10_473.75].enumerated().map { index, cents in
                Benchmark.Close(
                    day: day(index - 1), price: Price(units: Int64(cents * 1_000_000)))
            })
        let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record), basis)
        // The benchmark moves by 0.05, -0.05 and 0.05: half as much.
        #expect(summary.benchmarkSymbol == "SPY")
        #expect(summary.comparison?.sessionCount == 3)
        #expect(isClose(summary.comparison?.beta, 2))
        #expect(isClose(summary.comparison?.benchmarkReturn, 0.0473750))
        #expect(self.summary(of: record).comparison == nil)
    }

    /// The first 20 sessions of Twitter, and what empyrical-reloaded 0.7.1 says about them.
    ///
    /// Its conventions: simple returns, 252 a year, risk-free rate 0; volatility and Sharpe with
    /// the sample deviation (n - 1); Sortino with the downside over all n; the drawdown counts the
    /// starting capital as a high. Returns of closes in Pooksoft/PooksoftSP500EquityPriceDataSet
    /// (MIT).
    @Test func statisticsAgreeWithEmpyrical() throws {
        let returns = [
            -0.07238307349665929, 0.03001200480192079, -0.023310023310023298, 0.01670644391408116,
            0.04906103286384966, -0.015887223092414415, -0.06457480673033189, 0.014827418570733997,
            -0.016766467065868373, 0.02460414129110844, -0.025202092249167918, -0.04731707317073164,
            0.028673835125447855, 0.017919362867097943, 0.016381418092909605, -0.01900408948761123,
            0.014467876410004799, 0.05607928450568056, 0.044174868390936206, -0.014686540990793362,
        ]
        var record = RunRecord.uneventful
        // A thousand million, so that rounding to a millionth does not show.
        record.startingCapital = Money(units: 1_000_000_000 * Money.unitsPerOne)
        var level = record.startingCapital.asDouble
        record.equity = returns.enumerated().map { session, change in
            level *= 1 + change
            let equity = Money(units: Int64((level * Double(Money.unitsPerOne)).rounded()))
            return .sample(session: session, equity: equity)
        }
        record.finalEquity = try #require(record.equity.last).equity

        let summary = summary(of: record)
        #expect(isClose(summary.totalReturn, 0.00111358574610243))
        #expect(isClose(summary.returns.volatility, 0.5764826522810581))
        #expect(isClose(summary.returns.sharpe, 0.30110419548498263))
        #expect(isClose(summary.returns.sortino, 0.41422209788385767))
        #expect(isClose(summary.returns.maxDrawdown, 0.13006681514476612))
    }

    private func summary(of record: RunRecord) -> PerformanceSummary {
        PerformanceSummary(of: record, trades: RoundTrips(of: record))
    }
}
