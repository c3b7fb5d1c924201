import Model
package import Primitives

/// What one of a run's strategies came to.
package struct StrategySummary: Hashable, Sendable {
    /// Whose figures they are.
    package let strategy: StrategyID
    /// The figures of its own ledger.
    package let record: StrategyRecord
    /// Executions of its orders.
    package let fillCount: Int
    /// Its round trips that ended.
    package let trades: TradeStatistics
    /// Sessions that ended with a position of its own / all sessions; needs a session.
    package let exposure: Double?

    /// The strategies of a run, in their order; empty when the record does not say what they came to.
    ///
    /// - Parameter trades: the round trips of the same record.
    static func all(
        of record: RunRecord, _ trades: RoundTrips, sessionCount: Int
    ) -> [StrategySummary] {
        guard !record.strategyRecords.isEmpty else { return [] }
        var fillCounts = Array(repeating: 0, count: record.strategyRecords.count)
        for fill in record.fills { fillCounts[Int(fill.strategy.index)] += 1 }
        return record.strategyRecords.enumerated().map { index, figures in
            let strategy = StrategyID(index: index)
            return StrategySummary(
                strategy: strategy, record: figures, fillCount: fillCounts[index],
                trades: TradeStatistics(of: trades.closed.filter { $0.strategy == strategy }),
                exposure: quotient(Double(figures.exposedSessions), Double(sessionCount)))
        }
    }
}
