import Accounting
import Model
import Primitives
package import Reporting
import Risk
import TradingEngine

/// What a run leaves behind for reports.
extension Backtest {
    /// What the recorder and the engine's ledger have come to. To be asked once: the recorder is empty then.
    ///
    /// - Parameters:
    ///   - names: the strategies', in their order.
    ///   - warnings: what the user should know besides.
    package mutating func record(names: [String], warnings: [String]) -> RunRecord {
        let warnings = warnings + ownWarnings
        takeAnswers()
        let recorded = recorder.finish()
        let first = sessions.firstTimestamp ?? now
        var record = RunRecord(
            instruments: instruments, strategies: names, reasons: engine.reasons,
            currency: instruments.first?.currency ?? "USD", startingCapital: capital,
            fills: recorded.fills, orders: recorded.orders, equity: recorded.equity,
            finalEquity: engine.portfolio.equity.rounded(),
            openPositions: openPositions(strategyCount: names.count),
            maxDrawdown: engine.portfolio.drawdown.deepest.map { deepest in
                // Equity that only ever fell did so from the start.
                DrawdownRecord(
                    fraction: deepest.fraction, from: max(deepest.from, first), to: deepest.to)
            },
            barCount: counts.bars, from: first, to: now,
            refusals: Refusal.allCases.compactMap { refusal in
                let count = engine.decisionCounts[refusal]
                return count > 0 ? RefusalCount(reason: refusal.reason, count: count) : nil
            },
            warnings: warnings, stateHash: engine.stateHash)
        record.tickCount = counts.ticks
        record.verification = verifier?.record
        record.revisions = recorded.revisions
        record.cashFlows = recorded.cashFlows
        record.growth = engine.portfolio.timeWeightedReturn.growth(to: engine.portfolio.equity)
        record.actions = engine.portfolio.actions
        record.scores = recorded.scores
        record.decisions = recorded.decisions
        record.strategyRecords = recorded.exposedSessions.enumerated().map { index, count in
            let owner = Attribution.strategy(StrategyID(index: index))
            return StrategyRecord(engine.portfolio.profit(of: owner), exposedSessions: count)
        }
        record.breaches = engine.monitor.breaches.map(BreachRecord.init)
        record.haltCauses = engine.gate.haltCauses.map(\.name.description)
        record.endedHalted = engine.gate.haltCauses.contains { !$0.endsWithDay }
        return record
    }

    private func openPositions(strategyCount: Int) -> [PositionRecord] {
        var positions: [PositionRecord] = []
        for index in 0..<strategyCount {
            for instrument in instruments {
                let strategy = StrategyID(index: index)
                let ledger = engine.portfolio.ledger(of: .strategy(strategy), in: instrument.id)
                guard let price = ledger.averagePrice(multiplier: instrument.multiplier) else {
                    continue
                }
                let mark = engine.portfolio.mark(of: instrument.id) ?? price
                let value = mark * ledger.quantity * instrument.multiplier
                positions.append(
                    PositionRecord(
                        strategy: strategy, instrument: instrument.id, quantity: ledger.quantity,
                        averagePrice: price, marketValue: value.rounded()))
            }
        }
        return positions
    }
}

extension BreachRecord {
    /// A breach as reports show it.
    fileprivate init(_ breach: LimitBreach) {
        let figures: Figures =
            switch breach.figures {
            case .percent(let limit, let value): .percent(limit: limit, value: value)
            case .amount(let limit, let value): .amount(limit: limit, value: value)
            }
        self.init(at: breach.at, cause: breach.cause.name.description, figures: figures)
    }
}
