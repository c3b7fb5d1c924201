package import Reporting
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
        var run = RunFrame(
            instruments: instruments, names: names, capital: capital,
            from: sessions.firstTimestamp ?? now, to: now)
        run.barCount = counts.bars
        run.tickCount = counts.ticks
        run.warnings = warnings
        var record = RunRecord(recorder.finish(), of: run, behind: engine)
        record.verification = verifier?.record
        return record
    }
}
