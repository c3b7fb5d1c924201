/// A key of `summary.json`: its name, the form of its value, and what it means.
package struct SummaryKey: Hashable, Sendable {
    /// The name; stable.
    package let name: String
    /// The value's form in words.
    package let type: String
    /// What it says, and its formula.
    package let meaning: String

    init(_ name: String, _ type: String, _ meaning: String) {
        self.name = name
        self.type = type
        self.meaning = meaning
    }
}

extension SummaryKey {
    /// Every key, in the order of the file.
    package static let all =
        run + returns + distribution + days + drawdowns + trades + costs + benchmark + ends

    private static let run = [
        SummaryKey("strategies", "texts", "The strategies' names."),
        SummaryKey("symbols", "integer", "How many instruments the run had."),
        SummaryKey("period_from", "time", "When the first bar began, or the first tick came."),
        SummaryKey("period_to", "time", "When the last bar ended, or the last tick came."),
        SummaryKey("sessions", "integer", "Sessions with an equity point."),
        SummaryKey("bars", "integer", "Bars seen, warm-up excepted."),
        SummaryKey("ticks", "integer", "Quotes and trades seen; absent where there are none."),
        SummaryKey("fills", "integer", "Executions."),
        SummaryKey("orders", "integer", "Orders sent."),
        SummaryKey("round_trips", "integer", "Round trips that ended."),
        SummaryKey("currency", "text", "ISO 4217 code of all amounts."),
        SummaryKey("starting_capital", "amount", "Equity before the first event."),
        SummaryKey("final_equity", "amount", "Equity behind the last event."),
        SummaryKey(
            "net_cash_flow", "amount",
            "What was paid in less what was paid out; absent without payments."),
        SummaryKey("risk_free_rate_pct", "percent", "The risk-free rate f a year."),
    ]

    private static let returns = [
        SummaryKey(
            "total_return_pct", "percent",
            "Final equity / starting capital - 1; time-weighted if money was paid in or out."),
        SummaryKey(
            "cagr_pct", "percent",
            "Growth a year: (product of 1 + r)^(252 / n) - 1, as empyrical and quantstats."),
        SummaryKey("volatility_pct", "percent", "Sample standard deviation · √252."),
        SummaryKey("sharpe", "ratio", "Mean of (r - f) / sample standard deviation · √252."),
        SummaryKey("sortino", "ratio", "Mean of (r - f) · 252 / downside risk."),
        SummaryKey(
            "downside_risk_pct", "percent",
            "√(sum of (r - f)² of the sessions in which r is below f / n) · √252."),
        SummaryKey(
            "max_drawdown_pct", "percent",
            "The deepest fall of equity, watched at every slice, in percent of the high; 0 without a fall."
        ),
        SummaryKey("max_drawdown_from", "time", "When that high was reached."),
        SummaryKey("max_drawdown_to", "time", "When its lowest point was reached."),
        SummaryKey("calmar", "ratio", "`cagr_pct` / `max_drawdown_pct`."),
        SummaryKey(
            "ulcer_index_pct", "percent",
            "√(sum of squared drawdowns at sessions' ends / (n - 1)), as quantstats."),
        SummaryKey(
            "recovery_factor", "ratio",
            "Sum of r without sign / deepest fall at sessions' ends, as quantstats."),
    ]

    private static let distribution = [
        SummaryKey(
            "omega", "ratio",
            "Sum of (r - f) where it is positive / sum where it is negative, without sign."),
        SummaryKey("gain_to_pain", "ratio", "Sum of r / sum of negative r without sign."),
        SummaryKey(
            "tail_ratio", "ratio", "95th percentile of r / 5th percentile, both without sign."),
        SummaryKey(
            "stability", "ratio",
            "R² of a straight line through the logarithms of compounded returns."),
        SummaryKey(
            "var_95_pct", "percent",
            "Historical value at risk of a session: 5th percentile of r, linear between order "
                + "statistics, as empyrical; negative for a loss."),
        SummaryKey(
            "cvar_95_pct", "percent",
            "Historical expected shortfall: mean of the floor(0.05 (n - 1)) + 1 smallest r, as "
                + "empyrical; negative for a loss."),
        SummaryKey(
            "skew", "ratio", "Skewness of r, corrected for bias (G1), as pandas and quantstats."),
        SummaryKey(
            "kurtosis", "ratio",
            "Excess kurtosis of r, corrected for bias (G2), as pandas and quantstats."),
    ]

    private static let days = [
        SummaryKey(
            "day_win_rate_pct", "percent", "Sessions with a gain / sessions with a gain or a loss."),
        SummaryKey(
            "day_profit_factor", "ratio", "Sum of positive r / sum of negative r without sign."),
        SummaryKey(
            "day_payoff_ratio", "ratio", "Mean of positive r / mean of negative r without sign."),
        SummaryKey(
            "day_kelly_pct", "percent",
            "Kelly's share of capital: p - (1 - p) / q, for the win rate p of sessions and their "
                + "payoff ratio q."),
        SummaryKey("best_day", "day", "The session with the highest return."),
        SummaryKey("best_day_pct", "percent", "Its return."),
        SummaryKey("worst_day", "day", "The session with the lowest return."),
        SummaryKey("worst_day_pct", "percent", "Its return."),
        SummaryKey("best_month", "month", "The month with the highest return."),
        SummaryKey("best_month_pct", "percent", "Its return."),
        SummaryKey("worst_month", "month", "The month with the lowest return."),
        SummaryKey("worst_month_pct", "percent", "Its return."),
        SummaryKey("best_year", "integer", "The year with the highest return."),
        SummaryKey("best_year_pct", "percent", "Its return."),
        SummaryKey("worst_year", "integer", "The year with the lowest return."),
        SummaryKey("worst_year_pct", "percent", "Its return."),
        SummaryKey(
            "yearly_returns_pct", "percents by year", "The sessions' returns of each, compounded."),
        SummaryKey(
            "monthly_returns_pct", "percents by month",
            "The sessions' returns of each, compounded."),
    ]

    private static let drawdowns = [
        SummaryKey(
            "drawdowns", "objects",
            "The five deepest falls at sessions' ends, deepest first: `depth_pct` in percent of the "
                + "high, positive; `peak` the last session at the high, absent if that is the "
                + "start; `start` the first session below; `valley` the lowest; `recovery` the "
                + "first session back, absent if there is none; `days` of the calendar from `peak` "
                + "(else `start`) to `recovery` (else the end)."),
        SummaryKey("longest_drawdown_days", "integer", "The most `days` of any fall."),
        SummaryKey(
            "under_water_pct", "percent", "Sessions that ended below the high / all sessions."),
    ]

    private static let trades = [
        SummaryKey("win_rate_pct", "percent", "Round trips with a net profit / all round trips."),
        SummaryKey("profit_factor", "ratio", "Sum of net profits / sum of net losses."),
        SummaryKey("payoff_ratio", "ratio", "Average net profit / average net loss."),
        SummaryKey("expectancy", "amount", "Average net result of a round trip."),
        SummaryKey("best", "amount", "The best net result of a round trip."),
        SummaryKey("worst", "amount", "The worst net result of a round trip."),
        SummaryKey("average_duration_seconds", "seconds", "From first to last fill, on average."),
        SummaryKey("shortest_duration_seconds", "seconds", "The shortest of them."),
        SummaryKey("longest_duration_seconds", "seconds", "The longest of them."),
        SummaryKey(
            "average_mae_pct", "percent",
            "Maximum adverse excursion: the lowest gross result that a round trip showed, in "
                + "percent of its entries' value, on average; at most 0."),
        SummaryKey(
            "average_mfe_pct", "percent",
            "Maximum favourable excursion: the highest gross result, likewise; at least 0."),
        SummaryKey(
            "slippage", "amount",
            "What fills of ended round trips cost against the limit, the stop or, for market "
                + "orders, the open of the bar they filled in, or over quotes the middle of bid "
                + "and ask; negative if they gained."),
    ]

    private static let costs = [
        SummaryKey("commissions", "amount", "Commissions and fees of all fills."),
        SummaryKey(
            "fees", "amounts by part",
            "The same in parts: `broker`, `clearing` (tiered pricing), `sec` (section 31), `taf`."),
        SummaryKey(
            "yearly_fees", "objects by year", "The same parts of each year's fills."),
        SummaryKey(
            "turnover", "ratio", "Value of all fills / average equity at sessions' ends."),
        SummaryKey("turnover_per_year", "ratio", "`turnover` · 252 / sessions."),
        SummaryKey(
            "exposure_pct", "percent", "Sessions that ended with a position / all sessions."),
        SummaryKey(
            "order_efficiency_ratio", "ratio",
            "(Submissions + revisions + cancellations asked for) / (orders with an execution + 1), as "
                + "Interactive Brokers counts; the highest of a session."),
        SummaryKey("order_efficiency_day", "day", "The session that had it."),
    ]

    private static let benchmark = [
        SummaryKey("benchmark", "text", "The benchmark's ticker."),
        SummaryKey(
            "benchmark_sessions", "integer",
            "Sessions that both have; a day that one side lacks is dropped, and the next returns "
                + "of both span it."),
        SummaryKey("benchmark_return_pct", "percent", "Its total return over them."),
        SummaryKey("benchmark_cagr_pct", "percent", "Its growth a year, as `cagr_pct`."),
        SummaryKey(
            "alpha_pct", "percent",
            "(1 + mean of ((r - f) - beta (b - f)))^252 - 1, compounded as empyrical."),
        SummaryKey("beta", "ratio", "Covariance of r and b / variance of b."),
        SummaryKey("r_squared", "ratio", "Squared correlation of r and b."),
        SummaryKey(
            "information_ratio", "ratio",
            "Mean of (r - b) / its sample standard deviation, not annualised, as quantstats."),
        SummaryKey(
            "up_capture", "ratio",
            "Growth a year in the sessions in which b is positive / the benchmark's in them."),
        SummaryKey(
            "down_capture", "ratio",
            "Growth a year in the sessions in which b is negative / the benchmark's in them."),
    ]

    private static let ends = [
        SummaryKey(
            "by_strategy", "objects",
            "With more than one strategy, each by its own ledger: `strategy`, `net_profit` (of "
                + "`realized`, `unrealized`, `dividends`, less `commissions`), `fills`, "
                + "`round_trips`, `win_rate_pct`, `profit_factor`, `exposure_pct`."),
        SummaryKey(
            "open_positions", "objects",
            "What was held at the end: `strategy`, `symbol`, `quantity` (negative is short), "
                + "`average_price`, `market_value`."),
        SummaryKey(
            "refusals", "objects", "How often the risk gate refused: `reason`, `count`."),
        SummaryKey(
            "breaches", "objects",
            "Limits on the whole account that were reached: `time`, `cause` (`daily loss`, "
                + "`drawdown`, `maintenance margin`), and the limit and what there was, as `limit_pct` "
                + "and `value_pct` or as the amounts `limit` and `value`."),
        SummaryKey(
            "halted_by", "texts", "Why entries were halted at the end; empty if they were not."),
        SummaryKey("warnings", "texts", "What to know about the run, a sentence each."),
        SummaryKey(
            "state_hash", "text", "Digest of the engine's final state: equal for equal runs."),
        SummaryKey(
            "verification", "object",
            "With `--verify`: how many `events` a second engine answered alike, with how many "
                + "`commands` and `decisions`, and `output_digest`, the digest of all of them."),
    ]
}
