import Accounting
import Model
import Primitives
import Reporting
import Risk
import TradingEngine

/// What a record of a run needs besides its engine and what was recorded.
struct RunFrame {
    /// The run's instruments, by number.
    let instruments: [Instrument]
    /// The strategies' names, by number.
    let names: [String]
    /// Equity before the first event.
    let capital: Money
    /// When the first bar began.
    let from: Timestamp
    /// When the last one ended.
    let to: Timestamp
    /// Bars seen.
    var barCount = 0
    /// Quotes and trades seen.
    var tickCount = 0
    /// What the user should know about the run, a sentence each.
    var warnings: [String] = []
}

extension RunRecord {
    /// What was recorded and the engine's ledger have come to.
    init(
        _ recorded: RunRecorder.Recorded, of run: RunFrame, behind engine: borrowing Engine
    ) {
        self.init(
            instruments: run.instruments, strategies: run.names, reasons: engine.reasons,
            currency: run.instruments.first?.currency ?? "USD", startingCapital: run.capital,
            fills: recorded.fills, orders: recorded.orders, equity: recorded.equity,
            finalEquity: engine.portfolio.equity.rounded(),
            openPositions: Self.openPositions(of: engine, run),
            maxDrawdown: engine.portfolio.drawdown.deepest.map { deepest in
                // Equity that only ever fell did so from the start.
                DrawdownRecord(
                    fraction: deepest.fraction, from: max(deepest.from, run.from), to: deepest.to)
            },
            barCount: run.barCount, from: run.from, to: run.to,
            refusals: RefusalCount.all(in: engine.decisionCounts),
            warnings: run.warnings, stateHash: engine.stateHash)
        tickCount = run.tickCount
        revisions = recorded.revisions
        cashFlows = recorded.cashFlows
        growth = engine.portfolio.timeWeightedReturn.growth(to: engine.portfolio.equity)
        actions = engine.portfolio.actions
        scores = recorded.scores
        decisions = recorded.decisions
        for (index, count) in recorded.exposedSessions.enumerated() {
            let owner = Attribution.strategy(StrategyID(index: index))
            strategyRecords.append(
                StrategyRecord(engine.portfolio.profit(of: owner), exposedSessions: count))
        }
        breaches = engine.monitor.breaches.map(BreachRecord.init)
        haltCauses = engine.gate.haltCauses.map(\.name.description)
        endedHalted = engine.gate.haltCauses.contains { !$0.endsWithDay }
    }

    private static func openPositions(
        of engine: borrowing Engine, _ run: RunFrame
    ) -> [PositionRecord] {
        var positions: [PositionRecord] = []
        for index in run.names.indices {
            for instrument in run.instruments {
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

extension RefusalCount {
    /// Those of a run.
    static func all(in counts: DecisionCounts) -> [RefusalCount] {
        Refusal.allCases.compactMap { refusal in
            let count = counts[refusal]
            return count > 0 ? RefusalCount(reason: refusal.reason, count: count) : nil
        }
    }
}

extension BreachRecord {
    /// A breach as reports show it.
    init(_ breach: LimitBreach) {
        let figures: Figures =
            switch breach.figures {
            case .percent(let limit, let value): .percent(limit: limit, value: value)
            case .amount(let limit, let value): .amount(limit: limit, value: value)
            }
        self.init(at: breach.at, cause: breach.cause.name.description, figures: figures)
    }
}
