import Catalog
package import Configuration
import MarketState
import Model
package import Primitives
package import Reporting
import Risk
import Signals
import Simulation
import Strategies
import TradingEngine

/// A backtest from its settings to its artefacts.
package struct BacktestJob: Sendable {
    private let settings: Settings
    private let output: String?
    private let equityRows: EquityRows
    private let keepsDecisions: Bool
    private let isVerified: Bool

    /// How often equity is written down.
    package enum EquityRows: String, CaseIterable, Sendable {
        /// At the end of every session.
        case session
        /// At every timestamp at which a bar ends; over quotes and trades, at every timestamp.
        case every
    }

    /// What a run has come to.
    package struct Outcome: Sendable {
        /// What it left behind.
        package let record: RunRecord
        /// The figures.
        package let summary: PerformanceSummary
        /// The folder with its artefacts.
        package let folder: String
        /// How long its parts took.
        package let timings: Timings
        /// What is doubtful about the data: the last of the record's warnings, in full.
        package let doubts: [String]

        /// `summary.json` with the folder and the timings.
        package var json: JSONObject {
            var object = SummaryJSON.object(of: record, summary: summary)
            object.set("output", .text(folder))
            object.set("load_s", JSONValue.number(timings.load))
            object.set("engine_s", JSONValue.number(timings.engine))
            object.set("engine_cpu_s", JSONValue.number(timings.engineCPU))
            object.set("report_s", JSONValue.number(timings.report))
            return object
        }
    }

    /// Seconds a run's parts took: by the clock, and the main thread's processor time for the parts that
    /// run on it alone.
    package struct Timings: Sendable {
        /// Reading the data.
        package fileprivate(set) var load = 0.0
        /// The run itself.
        package fileprivate(set) var engine = 0.0
        /// The run itself, processor time.
        package fileprivate(set) var engineCPU = 0.0
        /// Figures and artefacts.
        package fileprivate(set) var report = 0.0
    }

    /// How far a run is.
    package enum Progress: Sendable {
        /// Files read, of how many.
        case files(Int, of: Int)
        /// Bars, or quotes and trades, done, of how many.
        case rows(Int, of: Int)
    }

    /// A job.
    ///
    /// - Parameters:
    ///   - output: the folder for artefacts; `nil` for one under `results`.
    ///   - keepsDecisions: true if what the engine concluded is written down, too.
    ///   - isVerified: true if a second engine must answer the same.
    package init(
        _ settings: Settings, output: String?, equityRows: EquityRows = .session,
        keepsDecisions: Bool = false, isVerified: Bool = false
    ) {
        self.isVerified = isVerified
        self.keepsDecisions = keepsDecisions
        self.settings = settings
        self.output = output
        self.equityRows = equityRows
    }

    /// Reads the data, runs, and writes the artefacts.
    package func run(
        progress: (@Sendable (Progress) -> Void)? = nil
    ) throws(RunFailure) -> Outcome {
        ProcessHeap.prepare()
        let folder = try ResultsFolder(
            at: output
                ?? ResultsFolder.defaultPath(verb: "backtest", name: settings.active[0].name))
        do throws(RunFailure) {
            return try run(into: folder, progress)
        } catch {
            folder.discard()
            throw error
        }
    }

    private func run(
        into folder: ResultsFolder, _ progress: (@Sendable (Progress) -> Void)?
    ) throws(RunFailure) -> Outcome {
        var timings = Timings()
        var stopwatch = Stopwatch()
        let data = try settings.loadData { progress?(.files($0, of: $1)) }
        let checksums = Checksums(of: data.files)
        timings.load = stopwatch.lap().wall

        let plan = try BacktestPlan(settings, data)
        var (record, lap) = try record(of: plan, &stopwatch, progress)
        let doubts = plan.doubts + data.endedWhileHeld(record, settings.backtest.calendar)
        record.warnings += doubts
        (timings.engine, timings.engineCPU) = (lap.wall, lap.cpu)
        let summary = try RunArtefacts(record, settings, data, decisions: keepsDecisions).write(
            into: folder, checksums)
        try folder.finish()
        timings.report = stopwatch.lap().wall
        return Outcome(
            record: record, summary: summary, folder: folder.path, timings: timings,
            doubts: doubts)
    }

    /// The run itself, and how long it took. Reports fill about as much memory as the engine, which has
    /// given its own back by then.
    private func record(
        of plan: BacktestPlan, _ stopwatch: inout Stopwatch,
        _ progress: (@Sendable (Progress) -> Void)?
    ) throws(RunFailure) -> (RunRecord, Stopwatch.Lap) {
        let rowCount = plan.rowCount
        let verifier = isVerified ? try makeVerifier(plan) : nil
        var backtest = try plan.run(
            keepsNotes: true, decisions: keepsDecisions ? .all : .counts, equityRows: equityRows,
            verifier: verifier
        ) {
            progress?(.rows($0, of: rowCount))
        }
        let lap = stopwatch.lap()
        let names = settings.active.map(\.name)
        return (backtest.record(names: names, warnings: plan.warnings), lap)
    }

    /// A second engine with strategies of its own: if those of one type share anything, it shows.
    private func makeVerifier(_ plan: BacktestPlan) throws(RunFailure) -> RunVerifier {
        var setup = plan.setup.engine
        setup.strategies = try BacktestPlan.instances(settings.strategies, setup.instruments)
        return RunVerifier(setup, keepsDecisions: keepsDecisions)
    }
}

extension RunFailure {
    /// What a backtest that could not be finished means for its user.
    init(_ error: BacktestError) {
        switch error {
        case .ledgerDisagrees(let day):
            self = .defect("the ledger did not add up at the end of \(day)")
        case .stateNotSaved(let day, let reason):
            self = .defect("the state could not be saved at the end of \(day): \(reason)")
        case .answersDiffer(let difference): self = .verification("\(difference)")
        }
    }
}
