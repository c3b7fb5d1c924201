import Primitives

/// `summary.json`: a run in one JSON object. Keys are stable; one whose figure is not defined for
/// the run is absent. Keys in `_pct` are percent, amounts are in `currency`, times are ISO 8601 in
/// UTC.
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
        object.set("fills", .integer(summary.fillCount))
        object.set("orders", .integer(summary.orderCount))
        object.set("round_trips", .integer(summary.roundTripCount))
        object.set("currency", .text(record.currency))
        object.set("starting_capital", .exact(record.startingCapital))
        object.set("final_equity", .exact(record.finalEquity))
        setReturns(summary, in: &object)
        setTrips(summary, in: &object)
        object.set("commissions", .exact(summary.commissions))
        object.set("turnover", summary.turnover.flatMap(JSONValue.number))
        object.set("exposure_pct", percent(summary.exposure))
        object.set("open_positions", .array(record.openPositions.map { position($0, of: record) }))
        object.set("refusals", .array(record.refusals.map(refusal)))
        object.set("warnings", .texts(record.warnings))
        object.set("state_hash", .text(hexadecimal(record.stateHash)))
        return object
    }

    private static func setReturns(_ summary: PerformanceSummary, in object: inout JSONObject) {
        object.set("total_return_pct", percent(summary.totalReturn))
        object.set("cagr_pct", percent(summary.cagr))
        object.set("volatility_pct", percent(summary.volatility))
        object.set("sharpe", summary.sharpe.flatMap(JSONValue.number))
        object.set("sortino", summary.sortino.flatMap(JSONValue.number))
        object.set("max_drawdown_pct", percent(summary.maxDrawdown?.fraction))
        object.set("max_drawdown_from", (summary.maxDrawdown?.from.description).map(JSONValue.text))
        object.set("max_drawdown_to", (summary.maxDrawdown?.to.description).map(JSONValue.text))
        object.set("calmar", summary.calmar.flatMap(JSONValue.number))
    }

    private static func setTrips(_ summary: PerformanceSummary, in object: inout JSONObject) {
        object.set("win_rate_pct", percent(summary.winRate))
        object.set("profit_factor", summary.profitFactor.flatMap(JSONValue.number))
        object.set("expectancy", summary.expectancy.map(JSONValue.exact))
        object.set("best", summary.best.map(JSONValue.exact))
        object.set("worst", summary.worst.map(JSONValue.exact))
        object.set("average_duration_seconds", summary.averageDuration.map(JSONValue.seconds))
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

    private static func percent(_ fraction: Double?) -> JSONValue? {
        fraction.flatMap { JSONValue.number($0 * 100) }
    }

    /// All 16 digits.
    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
