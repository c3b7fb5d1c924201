package import Configuration
import Dispatch
import Foundation
import GatewaySimulator
package import Primitives
import Synchronization

/// `martlet chaos run`: sessions of a configuration in which things go wrong, each judged from outside.
package struct ChaosJob: Sendable {
    /// What the command line says, besides the configuration.
    package struct Options: Sendable {
        /// A session for each: a scenario by name, or several joined by `+`; `all` for one of every scenario. Empty for
        /// faults that follow from seeds.
        package var scenarios: [String] = []
        /// The first seed.
        package var firstSeed: UInt64 = 1
        /// How many seeds there are.
        package var seedCount = 20
        /// How many of a seed's faults happen; `nil` for all.
        package var faultCount: Int?
        /// How long things go wrong, in session time.
        package var length = Duration.minutes(40)
        /// A new folder in which the journal of the only session stays; `nil` to remove it.
        package var journal: String?

        /// Twenty seeds.
        package init() {}
    }

    /// What came of all sessions.
    package struct Outcome: Sendable {
        /// By seed, or the one of a scenario.
        package let runs: [ChaosRun.Outcome]
        /// For the first session in which something did not hold, with how few of its faults that is so.
        package let shortest: (seed: UInt64, faults: Int)?

        /// The faults that many sessions drew and that took place in none: nothing was tested with them.
        package var unreached: [String] {
            runs.count < ChaosCoverage.runsMin ? [] : coverage.unreached
        }

        /// The status the process ends with.
        package var exitCode: ExitCode {
            runs.allSatisfy(\.isGood) && unreached.isEmpty ? .success : .verification
        }
    }

    private let settings: Settings
    private let options: Options
    /// A session for each; empty for seeds.
    private let scenarios: [String]

    /// How many sessions there will be.
    package var sessionCount: Int { scenarios.isEmpty ? options.seedCount : scenarios.count }

    /// How many sessions one call may be.
    private static let seedsMax = 1_000_000

    /// A job that can be done.
    ///
    /// - Throws: when an option does not hold, as a sentence.
    package init(_ settings: Settings, _ options: Options) throws(RunFailure) {
        self.settings = settings
        self.options = options
        scenarios = try Self.named(options.scenarios)
        guard !settings.trading.symbols.isEmpty else {
            throw .usage(
                "trading.symbols names no symbol: a session needs to know what it trades, such as "
                    + "--set trading.symbols=[AAPL,MSFT].")
        }
        guard settings.trading.mode == .sim else {
            throw .usage(
                "trading.mode is \(settings.trading.mode.rawValue): these sessions are at a simulated gateway of "
                    + "this process, so set trading.mode=sim.")
        }
        guard (1...Self.seedsMax).contains(options.seedCount) else {
            throw .usage("--seeds is \(options.seedCount): 1 to \(Self.seedsMax) are possible.")
        }
        guard options.length >= .minutes(10), options.length <= .minutes(360) else {
            throw .usage("--minutes: 10 to 360 are possible, within one session of the exchange.")
        }
        if let count = options.faultCount, count < 0 {
            throw .usage("--faults is \(count): it cannot be below 0.")
        }
        if let journal = options.journal {
            guard sessionCount == 1 else {
                throw .usage("--journal is for one session: with one scenario, or --seeds 1.")
            }
            guard !FileManager.default.fileExists(atPath: journal) else {
                throw .usage("--journal \(journal) is there already: name a new folder.")
            }
        }
    }

    /// The scenarios of the command line, `all` as what it stands for.
    private static func named(_ names: [String]) throws(RunFailure) -> [String] {
        guard names != ["all"] else {
            return Scenario.all.filter { $0.advice == nil }.map(\.name)
        }
        for name in names {
            do throws(FaultRefusal) { _ = try Scenario.named(name) } catch {
                throw .usage("\(error)")
            }
        }
        return names
    }

    /// Runs all sessions, as many at a time as there are processors.
    ///
    /// - Parameter progress: called behind each with how many are over; from any thread.
    package func run(
        progress: (@Sendable (Int) -> Void)? = nil
    ) throws(RunFailure) -> Outcome {
        let sources = sources
        let results = Mutex<[Int: Result<ChaosRun.Outcome, RunFailure>]>([:])
        DispatchQueue.concurrentPerform(iterations: sources.count) { index in
            let result: Result<ChaosRun.Outcome, RunFailure>
            do throws(RunFailure) {
                result = .success(try outcome(of: sources[index], keeping: options.journal))
            } catch {
                result = .failure(error)
            }
            let count = results.withLock { results in
                results[index] = result
                return results.count
            }
            progress?(count)
        }
        let byIndex = results.withLock(\.self)
        var runs: [ChaosRun.Outcome] = []
        for index in sources.indices {
            guard let result = byIndex[index] else { continue }
            runs.append(try result.get())
        }
        return Outcome(runs: runs, shortest: try shortest(of: runs))
    }

    private var sources: [ChaosRun.Source] {
        guard scenarios.isEmpty else { return scenarios.map { .scenario($0) } }
        return (0..<UInt64(options.seedCount)).map {
            .seed(options.firstSeed &+ $0, first: options.faultCount)
        }
    }

    private func outcome(
        of source: ChaosRun.Source, keeping journal: String? = nil
    ) throws(RunFailure) -> ChaosRun.Outcome {
        try ChaosRun(settings, source, lasting: options.length, keeping: journal).outcome()
    }

    /// With how few of its first faults the first bad session is still bad in the same way: halved as long as it is.
    private func shortest(
        of runs: [ChaosRun.Outcome]
    ) throws(RunFailure) -> (seed: UInt64, faults: Int)? {
        guard let bad = runs.first(where: { !$0.isGood }), case .seed(let seed, _) = bad.source
        else { return nil }
        let broken = Set(bad.findings.keys)
        var most = ChaosPlan(seed: seed, lasting: options.length, first: options.faultCount).faults
            .count
        var least = 0
        while least < most {
            let middle = (least + most) / 2
            let run = try outcome(of: .seed(seed, first: middle))
            if broken.isDisjoint(with: run.findings.keys) {
                least = middle + 1
            } else {
                most = middle
            }
        }
        return (seed, most)
    }
}
