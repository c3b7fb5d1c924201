import Foundation
import Model
import Primitives
import Reporting
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// A session that is cut at any event goes on in another process as if it were not: from the saved state alone, the
/// events that follow are answered the same and lead to the same state.
@Suite struct SecondProcessTests {
    /// A configuration and what is set otherwise.
    struct Session: Codable, Sendable, CustomTestStringConvertible {
        let file: String
        let changes: [String]
        let seed: UInt64

        var testDescription: String { "\(file) \(changes.joined(separator: " "))" }
    }

    private static let cutsPerSession = 20
    private static let opening = SessionOpening(
        day: Day(number: 0), program: 1, configuration: 2, strategies: 3)

    private static let shipped = ConfiguredRunTests.shipped.map {
        Session(file: $0, changes: [], seed: UInt64($0.utf8.count))
    }

    /// Bundled strategies under settings at random.
    private static let random: [Session] = (0..<6 as Range<UInt64>).map { seed in
        var chance = SeededGenerator(seed: seed &+ 40_000)
        let strategies = [
            "ma_crossover", "momentum", "rsi_reversion", "zscore_reversion",
            "cross_sectional_momentum",
        ]
        let isDaily = seed % 2 == 0
        let stop = chance.one(of: [
            "", ", stop: {method: percent, price_pct: 2}",
            ", stop: {method: percent, price_pct: 3, trailing: on}",
        ])
        let windows = isDaily ? ["open", "close", "now"] : ["now", "open+30 min"]
        return Session(
            file: isDaily ? "Samples/crossover-daily.yaml" : "Samples/crossover-minute.yaml",
            changes: [
                "strategies=[{use: \(strategies[Int(seed) % strategies.count])\(stop)}]",
                "account.type=\(chance.one(of: ["cash", "margin"]))",
                "execution.window=\(chance.one(of: windows))",
                "backtest.seed=\(seed)",
            ], seed: seed)
    }

    @Test(arguments: shipped + random)
    func aSessionGoesOnInAnotherProcess(session: Session) async throws {
        let file = session.file.replacing("/", with: "-")
        let folder = try TemporaryFolder("second-process-\(file)-\(session.seed)")
        defer { folder.remove() }
        try Self.write(session, to: folder.path)
        await Self.continueElsewhere(folder.path)
    }

    private static func continueElsewhere(_ folder: String) async {
        await #expect(processExitsWith: .success) { [folder] in
            try SecondProcessTests.read(folder)
        }
    }

    // MARK: The first process

    /// A saved state, the events behind it, and what became of them.
    private struct Cut: Codable {
        /// The events that follow, by their numbers.
        let first: Int
        let end: Int
        let at: Int64
        let reasons: [String]
        let usedInstruments: [Bool]
        let usedStrategies: [Bool]
        let strategies: [[UInt8]?]
        let digest: UInt64
        let state: UInt64
    }

    private struct Saved: Codable {
        let session: Session
        var cuts: [Cut]
    }

    /// What the uncut engine answers between two points.
    private struct Passage {
        let first: Int
        let state: EngineState
        var digest = OutputDigest()
        var commands: [RecordedCommand] = []

        mutating func add(_ output: EngineOutput, to event: Int) {
            digest.add(output)
            commands += output.commands.map { RecordedCommand($0, to: event - first) }
        }
    }

    /// Runs the session without a cut, and saves at random events what another process goes on from. The first cut is
    /// followed by all later events, the others by those up to the next cut.
    private static func write(_ session: Session, to folder: String) throws {
        let run = try RecordedRun(session.file, session.changes)
        let events = run.events
        try #require(events.count > cutsPerSession)
        try bytes(of: events).write(to: URL(fileURLWithPath: folder + "events"))
        var chance = SeededGenerator(seed: session.seed)
        let points = Set(
            (0..<cutsPerSession).map { _ in Int(chance.number(in: 1...Int64(events.count - 1))) })
        var setup = run.setup
        setup.decisions = .all
        var engine = Engine(setup)
        var output = EngineOutput()
        var (whole, passage) = (Passage?.none, Passage?.none)
        var saved = Saved(session: session, cuts: [])
        for (index, event) in events.enumerated() {
            if points.contains(index) {
                if let passage { try save(passage, index, engine, &saved, folder) }
                passage = Passage(
                    first: index,
                    state: try EngineState(
                        of: engine, SessionSetup(numbering: run.setup), opening: opening))
                whole = whole ?? passage
            }
            output.removeAll()
            engine.step(event, into: &output)
            whole?.add(output, to: index)
            passage?.add(output, to: index)
        }
        for case let passage? in [passage, whole] {
            try save(passage, events.count, engine, &saved, folder)
        }
        let hash = engine.stateHash
        #expect(hash == run.record.stateHash)
        try JSONEncoder().encode(saved).write(to: URL(fileURLWithPath: folder + "cuts"))
    }

    private static func save(
        _ passage: Passage, _ end: Int, _ engine: borrowing Engine, _ saved: inout Saved,
        _ folder: String
    ) throws {
        let state = passage.state
        let number = saved.cuts.count
        try bytes(of: state.records).write(to: URL(fileURLWithPath: "\(folder)records-\(number)"))
        try bytes(of: passage.commands)
            .write(to: URL(fileURLWithPath: "\(folder)commands-\(number)"))
        saved.cuts.append(
            Cut(
                first: passage.first, end: end, at: state.at.nanoseconds, reasons: state.reasons,
                usedInstruments: state.usedInstruments, usedStrategies: state.usedStrategies,
                strategies: state.strategies, digest: passage.digest.value,
                state: try EngineState.hash(of: engine)))
    }

    // MARK: The second process

    private static func read(_ folder: String) throws {
        func file(_ name: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: folder + name))
        }
        let saved = try JSONDecoder().decode(Saved.self, from: try file("cuts"))
        let events: [Event] = values(in: try file("events"))
        let session = saved.session
        let setup = SessionSetup(
            numbering: try RecordedRun.plan(session.file, session.changes).setup.engine)
        #expect(saved.cuts.count > cutsPerSession / 2)
        for (number, cut) in saved.cuts.enumerated() {
            let state = EngineState(
                records: values(in: try file("records-\(number)")),
                used: (cut.usedInstruments, cut.usedStrategies), reasons: cut.reasons,
                strategies: cut.strategies, at: Timestamp(nanoseconds: cut.at), setup,
                opening: opening)
            var batch = RecordBatch()
            batch.events = Array(events[cut.first..<cut.end])
            batch.commands = values(in: try file("commands-\(number)"))
            batch.digest = cut.digest
            var replay = try Replay(setup, from: state, opening: opening, under: .decides)
            let difference = replay.take(batch)
            #expect(difference == nil, "cut at event \(cut.first) of \(events.count)")
            let hash = try replay.stateHash()
            #expect(hash == cut.state, "cut at event \(cut.first) of \(events.count)")
        }
    }

    // MARK: Bytes

    /// The values as they lie in memory: both processes are of one program.
    private static func bytes<Value: BitwiseCopyable>(of values: [Value]) -> Data {
        values.withUnsafeBytes { Data($0) }
    }

    private static func values<Value: BitwiseCopyable>(in data: Data) -> [Value] {
        let count = data.count / MemoryLayout<Value>.stride
        return [Value](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
            initializedCount = count
        }
    }
}
