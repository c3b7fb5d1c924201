import Primitives
import Reporting
import Testing

/// Agreement with empyrical-reloaded and quantstats on real returns: 10^-9 for sums and moments,
/// 10^-6 for quantiles and regressions.
@Suite struct ReferenceTests {
    @Test(arguments: ReferenceSeries.names)
    func returnStatisticsAgree(name: String) throws {
        let series = try ReferenceSeries(name)
        let statistics = ReturnStatistics(of: series.returns)
        let empyrical = series.figures.empyrical
        let quantstats = series.figures.quantstats
        #expect(statistics.count == series.daily.count)
        #expect(isClose(statistics.totalReturn, empyrical["total_return"]))
        #expect(isClose(statistics.cagr, empyrical["annual_return"]))
        #expect(isClose(statistics.cagr, quantstats["cagr"]))
        #expect(isClose(statistics.volatility, empyrical["annual_volatility"]))
        #expect(isClose(statistics.sharpe, empyrical["sharpe"]))
        #expect(isClose(statistics.sortino, empyrical["sortino"]))
        #expect(isClose(statistics.downsideRisk, empyrical["downside_risk"]))
        #expect(isClose(statistics.maxDrawdown.map { -$0 }, empyrical["max_drawdown"]))
        #expect(isClose(statistics.calmar, empyrical["calmar"]))
        #expect(isClose(statistics.omega, empyrical["omega"]))
        #expect(isClose(statistics.tailRatio, empyrical["tail_ratio"], within: 1e-6))
        #expect(isClose(statistics.stability, empyrical["stability"], within: 1e-6))
        #expect(isClose(statistics.valueAtRisk95, empyrical["var_95"], within: 1e-6))
        #expect(isClose(statistics.conditionalValueAtRisk95, empyrical["cvar_95"], within: 1e-6))
        #expect(isClose(statistics.skew, quantstats["skew"]))
        #expect(isClose(statistics.kurtosis, quantstats["kurtosis"]))
        #expect(isClose(statistics.ulcerIndex, quantstats["ulcer_index"]))
        #expect(isClose(statistics.recoveryFactor, quantstats["recovery_factor"]))
        #expect(isClose(statistics.gainToPain, quantstats["gain_to_pain"]))
        #expect(isClose(statistics.wins.winRate, quantstats["win_rate"]))
        #expect(isClose(statistics.wins.profitFactor, quantstats["profit_factor"]))
        #expect(isClose(statistics.wins.payoffRatio, quantstats["payoff_ratio"]))
        #expect(isClose(statistics.wins.kelly, quantstats["kelly"]))
    }

    @Test(arguments: ReferenceSeries.names)
    func riskFreeRateIsCompoundedAsInQuantstats(name: String) throws {
        let series = try ReferenceSeries(name)
        let statistics = ReturnStatistics(of: series.returns, riskFreeRate: 0.02)
        #expect(isClose(statistics.sharpe, series.figures.quantstats["sharpe_rf2pct"]))
    }

    @Test(arguments: ReferenceSeries.names)
    func comparisonAgrees(name: String) throws {
        let series = try ReferenceSeries(name)
        try #require(series.benchmark.count == series.daily.count)
        let comparison = BenchmarkComparison(
            SharedReturns(own: series.returns, benchmark: series.benchmark))
        let empyrical = series.figures.empyrical
        let quantstats = series.figures.quantstats
        #expect(isClose(comparison.beta, empyrical["beta"], within: 1e-6))
        #expect(isClose(comparison.alpha, empyrical["alpha"], within: 1e-6))
        #expect(isClose(comparison.upCapture, empyrical["up_capture"], within: 1e-6))
        #expect(isClose(comparison.downCapture, empyrical["down_capture"], within: 1e-6))
        #expect(isClose(comparison.rSquared, quantstats["r_squared"], within: 1e-6))
        #expect(
            isClose(comparison.informationRatio, quantstats["information_ratio"], within: 1e-6))
    }

    @Test(arguments: ReferenceSeries.names)
    func deepestDrawdownsAgree(name: String) throws {
        let series = try ReferenceSeries(name)
        let episodes = Drawdowns(of: series.daily).deepest
        try #require(episodes.count == series.figures.drawdowns.count)
        for (episode, expected) in zip(episodes, series.figures.drawdowns) {
            #expect(isClose(-episode.depth, expected.depth))
            #expect(episode.peak?.description == expected.peak_date)
            #expect(episode.start.description == expected.first_day_below)
            #expect(episode.valley.description == expected.valley_date)
            #expect(episode.recovery?.description == expected.recovery_date)
        }
    }

    @Test(arguments: ReferenceSeries.names)
    func periodsAgree(name: String) throws {
        let series = try ReferenceSeries(name)
        let periods = PeriodReturns(of: series.daily)
        #expect(periods.years.count == series.figures.yearly_returns.count)
        for year in periods.years {
            #expect(isClose(year.value, series.figures.yearly_returns[year.name]))
        }
        #expect(periods.months.count == series.figures.monthly_returns.count)
        for month in periods.months {
            let expected = try #require(series.figures.monthly_returns[month.name])
            // A month near zero is what rounding to 15 digits of 1 + r leaves of it.
            #expect(abs(month.value - expected) <= max(abs(expected) * 1e-9, 1e-14))
        }
        #expect(isClose(periods.bestDay?.value, series.figures.best_day))
        #expect(isClose(periods.worstDay?.value, series.figures.worst_day))
    }
}
