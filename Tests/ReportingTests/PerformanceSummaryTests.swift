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
        #expect(isClose(summary(of: upDownUp).volatility, 3.36.squareRoot()))
    }

    @Test func sharpeIsMeanOverDeviation() {
        // 1/30 · √(75 · 252) = √(18900 / 900) = √21.
        #expect(isClose(summary(of: upDownUp).sharpe, 21.0.squareRoot()))
    }

    @Test func sortinoCountsLossesOverAllReturns() {
        // Downside √(0.01 / 3); 1/30 · √(300 · 252) = √(75600 / 900) = √84.
        #expect(isClose(summary(of: upDownUp).sortino, 84.0.squareRoot()))
    }

    @Test func totalReturnIsFinalOverStartingCapital() {
        #expect(isClose(summary(of: upDownUp).totalReturn, 0.089))
    }

    /// 1.21 in two years of 365.25 days is ten percent a year; half of it lost between is Calmar
    /// 0.2.
    @Test func growthIsPerCalendarYear() {
        var record = RunRecord.sessions(startingWith: 100_00, equityInCents: [121_00])
        record.to = record.from + .hours(17_532)
        record.maxDrawdown = DrawdownRecord(fraction: 0.5, from: record.from, to: record.to)
        #expect(isClose(summary(of: record).cagr, 0.1))
        #expect(isClose(summary(of: record).calmar, 0.2))
        #expect(summary(of: record).maxDrawdown == record.maxDrawdown)
    }

    @Test func tripsAreCountedByNetProfit() {
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
        #expect(summary.roundTripCount == 4)
        #expect(summary.winRate == 0.5)
        // (299 + 99) / (201 + 1).
        #expect(isClose(summary.profitFactor, 398.0 / 202.0))
        // 196 / 4.
        #expect(summary.expectancy == Money(cents: 49_00))
        #expect(summary.best == Money(cents: 299_00))
        #expect(summary.worst == Money(cents: -201_00))
        // (60 + 3 · 30) / 4 = 37.5 minutes.
        #expect(summary.averageDuration == .seconds(2_250))
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
        #expect(summary.cagr == nil)
        #expect(summary.volatility == nil)
        #expect(summary.sharpe == nil)
        #expect(summary.sortino == nil)
        #expect(summary.maxDrawdown == nil)
        #expect(summary.calmar == nil)
        #expect(summary.winRate == nil)
        #expect(summary.profitFactor == nil)
        #expect(summary.expectancy == nil)
        #expect(summary.best == nil)
        #expect(summary.worst == nil)
        #expect(summary.averageDuration == nil)
        #expect(summary.turnover == nil)
        #expect(summary.exposure == nil)
    }

    /// Equal returns have no deviation, whatever rounding leaves of them.
    @Test func aSteadyCurveHasNoSharpe() {
        let flat = summary(of: .sessions(startingWith: 100_00, equityInCents: [100_00, 100_00]))
        #expect(flat.volatility == 0)
        #expect(flat.sharpe == nil)
        #expect(flat.sortino == nil)
        let steady = summary(
            of: .sessions(startingWith: 100_00, equityInCents: [110_00, 121_00, 133_10]))
        #expect(steady.sharpe == nil)
        #expect(steady.sortino == nil)
    }

    @Test func aRunWithoutLossesHasNoProfitFactor() {
        var record = RunRecord.uneventful
        record.fills = [.sample(.buy, 1, atCents: 1_00), .sample(.sell, 1, atCents: 2_00)]
        #expect(summary(of: record).profitFactor == nil)
        #expect(summary(of: record).winRate == 1)
    }

    @Test func lostCapitalLeavesNoStatistics() {
        let summary = summary(
            of: .sessions(startingWith: 100_00, equityInCents: [50_00, -10_00, 20_00, -5_00]))
        #expect(isClose(summary.totalReturn, -1.05))
        #expect(summary.cagr == nil)
        #expect(summary.volatility == nil)
        #expect(summary.sharpe == nil)
    }

    /// Half a day at five percent would be infinite fun: a year of it is not defined, and neither
    /// is a growth beyond floating point.
    @Test func growthIsNotExtrapolatedFromLessThanADay() {
        var record = RunRecord.sessions(startingWith: 100_00, equityInCents: [105_00])
        record.to = record.from + .hours(12)
        #expect(summary(of: record).cagr == nil)
        var rocket = RunRecord.sessions(startingWith: 1, equityInCents: [1_000_000])
        rocket.to = rocket.from + .days(1)
        #expect(summary(of: rocket).cagr == nil)
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
        #expect(isClose(summary.volatility, 0.5764826522810581))
        #expect(isClose(summary.sharpe, 0.30110419548498263))
        #expect(isClose(summary.sortino, 0.41422209788385767))
        // Maximum drawdown -0.13006681514476612: the lowest point of `drawdown_pct`.
        let table = String(ascii: RunTables.equity(of: record))
        let deepest = table.split(separator: "\n").compactMap { row in
            row.split(separator: ",").last.flatMap { Double($0) }
        }.max()
        #expect(deepest == 13.006682)
    }

    private func summary(of record: RunRecord) -> PerformanceSummary {
        PerformanceSummary(of: record, trips: RoundTrips(of: record))
    }

    /// Within 10^-9, the tolerance of the reference figures.
    private func isClose(_ value: Double?, _ expected: Double) -> Bool {
        guard let value else { return false }
        return abs(value - expected) <= abs(expected) * 1e-9
    }
}
