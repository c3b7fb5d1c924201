package import Primitives

/// `summary.json`: a run in one JSON object. Keys are stable and described in `SummaryKey`; one
/// whose figure is not defined for the run is absent. Keys in `_pct` are percent, amounts are in
/// `currency`, times are ISO 8601 in UTC.
package enum SummaryJSON {
    /// The object. `pretty()` is the file; Runtime adds what only it knows and prints `compact()`.
    ///
    /// - Parameter summary: the figures of the same record.
    package static func object(of record: RunRecord, summary: PerformanceSummary) -> JSONObject {
        var object = JSONObject()
        object.set("strategies", .texts(record.strategies))
        object.set("symbols", .integer(record.instruments.count))
        object.set("period_from", .text(record.from.description))
        object.set("period_to", .text(record.to.description))
        object.set("sessions", .integer(summary.sessionCount))
        object.set("bars", .integer(record.barCount))
        object.set("ticks", record.tickCount > 0 ? .integer(record.tickCount) : nil)
        object.set("fills", .integer(summary.fillCount))
        object.set("orders", .integer(summary.orderCount))
        object.set("round_trips", .integer(summary.trades.count))
        object.set("currency", .text(record.currency))
        object.set("starting_capital", .exact(record.startingCapital))
        object.set("final_equity", .exact(record.finalEquity))
        object.set("net_cash_flow", summary.netCashFlow.map(JSONValue.exact))
        object.set("risk_free_rate_pct", percent(summary.riskFreeRate))
        setReturns(summary, in: &object)
        setDistribution(summary.returns, in: &object)
        setDays(summary, in: &object)
        setDrawdowns(summary.drawdowns, in: &object)
        setTrades(summary.trades, in: &object)
        setCosts(summary, in: &object)
        setBenchmark(summary, in: &object)
        object.set("by_strategy", strategies(summary.strategies, of: record))
        object.set("open_positions", .array(record.openPositions.map { position($0, of: record) }))
        object.set("refusals", .array(record.refusals.map(refusal)))
        object.set("breaches", .array(record.breaches.map(breach)))
        object.set("halted_by", .texts(record.haltCauses))
        object.set("warnings", .texts(record.warnings))
        object.set("state_hash", .text(hexadecimal(record.stateHash)))
        object.set("verification", record.verification.map(verification))
        return object
    }

    private static func setReturns(_ summary: PerformanceSummary, in object: inout JSONObject) {
        let returns = summary.returns
        object.set("total_return_pct", percent(summary.totalReturn))
        object.set("cagr_pct", percent(returns.cagr))
        object.set("volatility_pct", percent(returns.volatility))
        object.set("sharpe", number(returns.sharpe))
        object.set("sortino", number(returns.sortino))
        object.set("downside_risk_pct", percent(returns.downsideRisk))
        object.set("max_drawdown_pct", percent(summary.deepestDrawdown))
        object.set("max_drawdown_from", (summary.maxDrawdown?.from.description).map(JSONValue.text))
        object.set("max_drawdown_to", (summary.maxDrawdown?.to.description).map(JSONValue.text))
        object.set("calmar", number(summary.calmar))
        object.set("ulcer_index_pct", percent(returns.ulcerIndex))
        object.set("recovery_factor", number(returns.recoveryFactor))
    }

    private static func setDistribution(
        _ returns: ReturnStatistics, in object: inout JSONObject
    ) {
        object.set("omega", number(returns.omega))
        object.set("gain_to_pain", number(returns.gainToPain))
        object.set("tail_ratio", number(returns.tailRatio))
        object.set("stability", number(returns.stability))
        object.set("var_95_pct", percent(returns.valueAtRisk95))
        object.set("cvar_95_pct", percent(returns.conditionalValueAtRisk95))
        object.set("skew", number(returns.skew))
        object.set("kurtosis", number(returns.kurtosis))
    }

    private static func setDays(_ summary: PerformanceSummary, in object: inout JSONObject) {
        let wins = summary.returns.wins
        object.set("day_win_rate_pct", percent(wins.winRate))
        object.set("day_profit_factor", number(wins.profitFactor))
        object.set("day_payoff_ratio", number(wins.payoffRatio))
        object.set("day_kelly_pct", percent(wins.kelly))
        let periods = summary.periods
        let days = [("best_day", periods.bestDay), ("worst_day", periods.worstDay)]
        for (key, day) in days {
            object.set(key, (day?.day.description).map(JSONValue.text))
            object.set(key + "_pct", percent(day?.value))
        }
        let months = [("best_month", periods.bestMonth), ("worst_month", periods.worstMonth)]
        for (key, month) in months {
            object.set(key, (month?.name).map(JSONValue.text))
            object.set(key + "_pct", percent(month?.value))
        }
        let years = [("best_year", periods.bestYear), ("worst_year", periods.worstYear)]
        for (key, year) in years {
            object.set(key, (year?.year).map { JSONValue.integer($0) })
            object.set(key + "_pct", percent(year?.value))
        }
        object.set("yearly_returns_pct", table(periods.years))
        object.set("monthly_returns_pct", table(periods.months))
    }

    private static func setDrawdowns(_ drawdowns: Drawdowns, in object: inout JSONObject) {
        object.set("drawdowns", .array(drawdowns.deepest.map(episode)))
        object.set("longest_drawdown_days", drawdowns.longestDays.map { JSONValue.integer($0) })
        object.set("under_water_pct", percent(drawdowns.underWater))
    }

    private static func setTrades(_ trades: TradeStatistics, in object: inout JSONObject) {
        object.set("win_rate_pct", percent(trades.winRate))
        object.set("profit_factor", number(trades.profitFactor))
        object.set("payoff_ratio", number(trades.payoffRatio))
        object.set("expectancy", trades.expectancy.map(JSONValue.exact))
        object.set("best", trades.best.map(JSONValue.exact))
        object.set("worst", trades.worst.map(JSONValue.exact))
        object.set("average_duration_seconds", trades.averageDuration.map(JSONValue.seconds))
        object.set("shortest_duration_seconds", trades.shortestDuration.map(JSONValue.seconds))
        object.set("longest_duration_seconds", trades.longestDuration.map(JSONValue.seconds))
        object.set("average_mae_pct", percent(trades.averageAdverse))
        object.set("average_mfe_pct", percent(trades.averageFavourable))
        object.set("slippage", trades.slippage.map(JSONValue.exact))
    }

    private static func setCosts(_ summary: PerformanceSummary, in object: inout JSONObject) {
        object.set("commissions", .exact(summary.commissions))
        object.set("fees", summary.fees.map { .object(fees($0.all)) })
        object.set("yearly_fees", summary.fees.map(yearlyFees))
        object.set("turnover", number(summary.turnover))
        object.set("turnover_per_year", number(summary.turnoverPerYear))
        object.set("exposure_pct", percent(summary.exposure))
        object.set("order_efficiency_ratio", number(summary.orderEfficiency?.ratio))
        object.set(
            "order_efficiency_day", (summary.orderEfficiency?.day.description).map(JSONValue.text))
    }

    private static func fees(_ fees: FillFees) -> JSONObject {
        var object = JSONObject()
        object.set("broker", .exact(fees.broker))
        object.set("clearing", .exact(fees.clearing))
        object.set("sec", .exact(fees.sec))
        object.set("taf", .exact(fees.taf))
        return object
    }

    private static func yearlyFees(_ totals: FeeTotals) -> JSONValue {
        var object = JSONObject()
        for year in totals.years { object.set(String(year.year), .object(fees(year.fees))) }
        return .object(object)
    }

    private static func strategies(
        _ summaries: [StrategySummary], of record: RunRecord
    ) -> JSONValue? {
        guard !summaries.isEmpty else { return nil }
        return .array(
            summaries.map { summary in
                var object = JSONObject()
                object.set("strategy", .text(record.name(of: summary.strategy)))
                object.set("net_profit", .exact(summary.record.netProfit))
                object.set("realized", .exact(summary.record.realized))
                object.set("unrealized", .exact(summary.record.unrealized))
                object.set("dividends", .exact(summary.record.income))
                object.set("commissions", .exact(summary.record.charges))
                object.set("fills", .integer(summary.fillCount))
                object.set("round_trips", .integer(summary.trades.count))
                object.set("win_rate_pct", percent(summary.trades.winRate))
                object.set("profit_factor", number(summary.trades.profitFactor))
                object.set("exposure_pct", percent(summary.exposure))
                return .object(object)
            })
    }

    private static func setBenchmark(_ summary: PerformanceSummary, in object: inout JSONObject) {
        guard let comparison = summary.comparison else { return }
        object.set("benchmark", summary.benchmarkSymbol.map(JSONValue.text))
        object.set("benchmark_sessions", .integer(comparison.sessionCount))
        object.set("benchmark_return_pct", percent(comparison.benchmarkReturn))
        object.set("benchmark_cagr_pct", percent(comparison.benchmarkCAGR))
        object.set("alpha_pct", percent(comparison.alpha))
        object.set("beta", number(comparison.beta))
        object.set("r_squared", number(comparison.rSquared))
        object.set("information_ratio", number(comparison.informationRatio))
        object.set("up_capture", number(comparison.upCapture))
        object.set("down_capture", number(comparison.downCapture))
    }

    private static func episode(_ episode: DrawdownEpisode) -> JSONValue {
        var object = JSONObject()
        object.set("depth_pct", percent(episode.depth))
        object.set("peak", (episode.peak?.description).map(JSONValue.text))
        object.set("start", .text(episode.start.description))
        object.set("valley", .text(episode.valley.description))
        object.set("recovery", (episode.recovery?.description).map(JSONValue.text))
        object.set("days", .integer(episode.days))
        return .object(object)
    }

    private static func table(_ periods: [PeriodReturn]) -> JSONValue {
        var object = JSONObject()
        for period in periods { object.set(period.name, percent(period.value)) }
        return .object(object)
    }

    private static func position(_ position: PositionRecord, of record: RunRecord) -> JSONValue {
        var object = JSONObject()
        object.set("strategy", .text(record.name(of: position.strategy)))
        object.set("symbol", .text(record.symbol(of: position.instrument)))
        object.set("quantity", .exact(position.quantity))
        object.set("average_price", .exact(position.averagePrice))
        object.set("market_value", .exact(position.marketValue))
        return .object(object)
    }

    private static func refusal(_ refusal: RefusalCount) -> JSONValue {
        var object = JSONObject()
        object.set("reason", .text(refusal.reason))
        object.set("count", .integer(refusal.count))
        return .object(object)
    }

    private static func breach(_ breach: BreachRecord) -> JSONValue {
        var object = JSONObject()
        object.set("time", .text(breach.at.description))
        object.set("cause", .text(breach.cause))
        switch breach.figures {
        case .percent(let limit, let value):
            object.set("limit_pct", .exact(limit))
            object.set("value_pct", .exact(value))
        case .amount(let limit, let value):
            object.set("limit", .exact(limit))
            object.set("value", .exact(value))
        }
        return .object(object)
    }

    private static func percent(_ fraction: Double?) -> JSONValue? {
        number(fraction.map { $0 * 100 })
    }

    private static func number(_ number: Double?) -> JSONValue? {
        number.flatMap(JSONValue.number)
    }

    private static func verification(_ record: VerificationRecord) -> JSONValue {
        var object = JSONObject()
        object.set("events", .integer(record.events))
        object.set("commands", .integer(record.commands))
        object.set("decisions", .integer(record.decisions))
        object.set("output_digest", .text(hexadecimal(record.outputDigest)))
        return .object(object)
    }

    /// All 16 digits.
    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension JSONValue {
    /// A length of time in seconds, exactly.
    fileprivate static func seconds(_ duration: Duration) -> JSONValue {
        var digits: [UInt8] = []
        digits.append(seconds: duration)
        return .number(String(decoding: digits, as: UTF8.self))
    }
}
