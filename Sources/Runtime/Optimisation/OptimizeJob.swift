import Catalog
package import Configuration
import Dispatch
package import Primitives
package import Reporting
import Synchronization

/// Runs a configuration once for every combination of a grid, over data that is read once.
package struct OptimizeJob: Sendable {
    private let document: SettingsDocument
    private let grid: ParameterGrid
    private let objective: GridObjective
    private let output: String?

    /// What a search has come to.
    package struct Outcome: Sendable {
        /// The combinations and their figures.
        package let report: GridReport
        /// How many combinations were tried.
        package let count: Int
        /// How many fills they had together.
        package let fillCount: Int
        /// The folder with `runs.csv`.
        package let folder: String
        /// Seconds for reading the data.
        package let load: Double
        /// Seconds for all runs, by the clock.
        package let engine: Double
        /// Seconds of all processors for all runs: engine and figures.
        package let engineCPU: Double

        /// One JSON object.
        ///
        /// - Parameter best: how many combinations it lists.
        package func json(best: Int) -> JSONObject {
            var object = JSONObject()
            object.set("runs", .integer(count))
            object.set("refused", .integer(report.refusedCount))
            object.set("fills", .integer(fillCount))
            object.set("best", report.json(best: best))
            object.set("output", .text(folder))
            object.set("load_s", JSONValue.number(load))
            object.set("engine_s", JSONValue.number(engine))
            object.set("engine_cpu_s", JSONValue.number(engineCPU))
            return object
        }
    }

    /// A search.
    ///
    /// - Parameters:
    ///   - document: the configuration that every combination starts from.
    ///   - output: the folder for results; `nil` for one under `results`.
    package init(
        _ document: SettingsDocument, over grid: ParameterGrid, rankedBy objective: GridObjective,
        output: String?
    ) {
        self.document = document
        self.grid = grid
        self.objective = objective
        self.output = output
    }

    /// Tries all combinations, as many at a time as there are processors, and writes `runs.csv`.
    ///
    /// Throws when the configuration is invalid for any combination, values that a strategy refuses
    /// together excepted: those are listed as refused, unless all are.
    package func run(
        progress: (@Sendable (_ done: Int, _ of: Int) -> Void)? = nil
    ) throws(RunFailure) -> Outcome {
        ProcessHeap.prepare()
        let combinations = try GridSettings(document, over: grid)
        let first = try combinations.first()
        let folder = try ResultsFolder(
            at: output
                ?? ResultsFolder.defaultPath(verb: "optimize", name: first.active[0].name))
        do throws(RunFailure) {
            return try run(combinations, from: first, into: folder, progress)
        } catch {
            folder.discard()
            throw error
        }
    }

    private func run(
        _ combinations: GridSettings, from first: Settings, into folder: ResultsFolder,
        _ progress: (@Sendable (Int, Int) -> Void)?
    ) throws(RunFailure) -> Outcome {
        var stopwatch = Stopwatch()
        let data = try first.loadData()
        let checksums = Checksums(of: data.files)
        let load = stopwatch.lap().wall
        let board = Scoreboard(count: grid.count)
        DispatchQueue.concurrentPerform(iterations: grid.count) { number in
            guard !board.hasFailed else { return }
            var stopwatch = Stopwatch()
            let result = Result { () throws(RunFailure) in
                try runOne(number, combinations, data)
            }
            let done = board.enter(result, at: number, cpu: stopwatch.lap().cpu)
            progress?(done, grid.count)
        }
        let engine = stopwatch.lap().wall
        let (results, engineCPU) = try board.results()
        let report = GridReport(
            axes: grid.axes.map(\.name), results: results, rankedBy: objective)
        try folder.write(report.csv, as: "runs.csv")
        try folder.write(first.textAnywhere, as: "config.yaml")
        let manifest = RunArtefacts.manifest(first, data, checksums.wait()).pretty()
        try folder.write(manifest, as: "manifest.json")
        try folder.finish()
        return Outcome(
            report: report, count: grid.count,
            fillCount: results.reduce(0) { $0 + ($1.summary?.fillCount ?? 0) },
            folder: folder.path, load: load, engine: engine, engineCPU: engineCPU)
    }

    private func runOne(
        _ number: Int, _ combinations: GridSettings, _ data: RunData
    ) throws(RunFailure) -> GridResult {
        let values = grid.values(of: number)
        switch try combinations.combination(number) {
        case .refused(let problem):
            return GridResult(values: values, outcome: .refused(problem.found))
        case .run(let settings, let strategies):
            let outcome = try Self.figures(of: BacktestPlan(settings, data, strategies), settings)
            return GridResult(values: values, outcome: outcome)
        }
    }

    private static func figures(
        of plan: BacktestPlan, _ settings: Settings
    ) throws(RunFailure) -> GridResult.Outcome {
        var backtest = try plan.run()
        let record = backtest.record(names: settings.active.map(\.name), warnings: [])
        var basis = PerformanceSummary.Basis()
        basis.riskFreeRate = settings.performance.riskFreeRate
        let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record), basis)
        return .figures(summary, finalEquity: record.finalEquity)
    }
}

/// Where combinations that run at the same time put their results.
private final class Scoreboard: Sendable {
    private let state: Mutex<State>

    private struct State {
        var results: [Result<GridResult, RunFailure>?]
        var done = 0
        var cpu = 0.0
        var hasFailed = false
    }

    init(count: Int) { state = Mutex(State(results: Array(repeating: nil, count: count))) }

    var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// Returns how many are done.
    func enter(_ result: Result<GridResult, RunFailure>, at number: Int, cpu: Double) -> Int {
        state.withLock { state in
            state.results[number] = result
            state.done += 1
            state.cpu += cpu
            if case .failure = result { state.hasFailed = true }
            return state.done
        }
    }

    /// All results, and the processor time they took. Throws the first failure.
    func results() throws(RunFailure) -> ([GridResult], cpu: Double) {
        let state = state.withLock(\.self)
        var results: [GridResult] = []
        for case let result? in state.results { results.append(try result.get()) }
        return (results, state.cpu)
    }
}
