import Configuration
import Model
import Primitives
import Reporting
import TradingEngine

@testable import Runtime

/// A backtest of a configuration, and what its engine took in and answered, batch by batch.
struct RecordedRun {
    let setup: EngineSetup
    let batches: [RecordBatch]
    let record: RunRecord

    /// Runs to the end. The run is verified on the way.
    ///
    /// - Parameters:
    ///   - file: a configuration, from the root of the repository.
    ///   - changes: what is set otherwise, as `key=value`.
    init(_ file: String, _ changes: [String] = []) throws {
        let plan = try Self.plan(file, changes)
        let collected = Collected()
        let verifier = RunVerifier(plan.setup.engine, keepsDecisions: false) {
            collected.batches.append($0)
        }
        var backtest = try plan.run(verifier: verifier)
        record = backtest.record(names: plan.setup.engine.strategies.map { _ in "s" }, warnings: [])
        setup = plan.setup.engine
        batches = collected.batches
    }

    /// The plan of a configuration.
    static func plan(_ file: String, _ changes: [String]) throws -> BacktestPlan {
        var document = SettingsDocument()
        document.merge(file: ConfiguredRunTests.root + file)
        for change in changes { document.merge(assignment: change) }
        let settings = try SettingsCheck(document).get()
        return try BacktestPlan(settings, try settings.loadData())
    }

    /// All events, in order.
    var events: [Event] { batches.flatMap(\.events) }

    private final class Collected {
        var batches: [RecordBatch] = []
    }
}
