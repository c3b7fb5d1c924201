import Accounting
import Catalog
import Model
import Primitives
import Reporting
import Risk
import Signals
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// A replay answers as its record says, or says where it does not.
@Suite struct ReplayTests {
    private static let recorded = Result { try RecordedRun("Samples/crossover-minute.yaml") }

    private let run: RecordedRun
    private let opening = SessionOpening(
        day: Day(number: 0), program: 1, configuration: 2, strategies: 3)

    init() throws { run = try Self.recorded.get() }

    /// The index of the first batch behind the middle of the run with a command.
    private func batchWithCommand() throws -> Int {
        let middle = run.batches.count / 2
        return try #require(
            run.batches[middle...].firstIndex { !$0.commands.isEmpty && !$0.events.isEmpty })
    }

    private func replay(_ batches: [RecordBatch]) -> ReplayDifference? {
        var replay = Replay(run.setup, under: .decides)
        for batch in batches { replay.take(batch) }
        return replay.difference
    }

    private func numberOfEvents(before batch: Int) -> Int {
        run.batches[..<batch].reduce(0) { $0 + $1.events.count }
    }

    @Test func anUnalteredRecordIsAnsweredAlike() throws {
        var replay = Replay(run.setup, under: .decides)
        for batch in run.batches {
            let difference = replay.take(batch)
            try #require(difference == nil)
        }
        let verification = try #require(run.record.verification)
        let counts = (replay.eventCount, replay.digest.commandCount, replay.digest.decisionCount)
        #expect(
            counts == (verification.events, verification.commands, verification.decisions))
        #expect(counts.0 > 5_000 && counts.1 > 50 && counts.2 > counts.1)
        let digest = replay.digest.value
        #expect(digest == verification.outputDigest)
        var output = EngineOutput()
        let engine = replay.finish(into: &output)
        let (hash, isHalted) = (engine.stateHash, engine.gate.isHalted)
        #expect(hash == run.record.stateHash)
        #expect(!isHalted && output.commands.isEmpty)
    }

    /// How a record is divided into batches makes no difference.
    @Test func oneBatchOfAllIsAnsweredAlike() {
        var whole = RecordBatch()
        for batch in run.batches {
            let first = whole.events.count
            whole.commands += batch.commands.map {
                RecordedCommand($0.command, to: first + $0.event)
            }
            whole.events += batch.events
            whole.digest = batch.digest
        }
        #expect(replay([whole]) == nil)
    }

    // MARK: Differences

    /// The end of a slice becomes a mere tick of the clock: what the record says followed from it does not.
    @Test func anAlteredEventIsFound() throws {
        let index = try batchWithCommand()
        var batches = run.batches
        let event = try #require(batches[index].events.last)
        batches[index].events[batches[index].events.count - 1] = Event(at: event.at, kind: .clock)
        let found = try #require(replay(batches))
        #expect(found.batch == index + 1)
        #expect(
            found.eventNumber == numberOfEvents(before: index) + batches[index].events.count)
        guard case .command(let recorded, nil) = found.what else {
            Issue.record("\(found)")
            return
        }
        #expect(recorded == batches[index].commands[0].command)
        #expect(found.description.contains("then with no further command"))
    }

    /// A bar at another price says so at the latest when it changes an average enough.
    @Test func anAlteredPriceIsFound() throws {
        var batches = run.batches
        for index in 0..<batches.count / 2 {
            batches[index].events = batches[index].events.map { event in
                guard case .bar(let bar) = event.kind, bar.instrument.index == 0 else {
                    return event
                }
                let row = BarRow(
                    start: bar.start, open: bar.open, high: bar.high, low: bar.low, close: bar.low,
                    volume: bar.volume)
                return Event(
                    at: event.at, kind: .bar(Bar(row, of: bar.instrument, barSize: bar.barSize)))
            }
        }
        let found = try #require(replay(batches))
        #expect(found.batch <= batches.count)
    }

    @Test func anAlteredCommandIsFound() throws {
        let index = try batchWithCommand()
        var batches = run.batches
        let genuine = batches[index].commands[0]
        let altered = Command.cancel(OrderID(number: 999_999))
        batches[index].commands[0] = RecordedCommand(altered, to: genuine.event)
        let found = try #require(replay(batches))
        #expect(found.batch == index + 1)
        #expect(found.event == batches[index].events[genuine.event])
        #expect(found.what == .command(recorded: altered, replayed: genuine.command))
        #expect(found.description.contains("the cancellation of order 999999"))
    }

    @Test func aMissingAndASuperfluousCommandAreFound() throws {
        let index = try batchWithCommand()
        var batches = run.batches
        let genuine = batches[index].commands.removeFirst()
        let missing = try #require(replay(batches))
        #expect(missing.batch == index + 1)
        guard case .command(_, genuine.command) = missing.what else {
            Issue.record("\(missing)")
            return
        }
        batches[index].commands = run.batches[index].commands + [genuine]
        let superfluous = try #require(replay(batches))
        #expect(superfluous.batch == index + 1)
        #expect(superfluous.what == .command(recorded: genuine.command, replayed: nil))
    }

    /// With the decisions at hand, the first that differs; with their digest alone, its batch.
    @Test func anAlteredDecisionIsFound() throws {
        let index = try #require(run.batches.lastIndex { $0.decisions?.isEmpty == false })
        var batches = run.batches
        let genuine = try #require(batches[index].decisions?.first)
        let altered = Decision(
            number: genuine.number, at: genuine.at, .historyShort, about: genuine.subject,
            because: genuine.reason, genuine.figures)
        batches[index].decisions?[0] = altered
        batches[index].digest ^= 1
        let found = try #require(replay(batches))
        #expect(found.batch == index + 1)
        #expect(found.what == .decision(recorded: altered, replayed: genuine))
        batches[index].decisions = nil
        let digest = try #require(replay(batches))
        #expect(digest.batch == index + 1)
        let genuineDigest = run.batches[index].digest
        #expect(digest.what == .digest(recorded: genuineDigest ^ 1, replayed: genuineDigest))
    }

    @Test func timeThatRunsBackIsADifferenceAndNoTrap() throws {
        let index = run.batches.count / 2
        var batches = run.batches
        batches[index].events.insert(Event(at: .distantPast, kind: .clock), at: 0)
        let found = try #require(replay(batches))
        #expect(found.batch == index + 1 && found.what == .timeRunsBack)
        var rebuilding = Replay(run.setup, under: .rebuilds)
        for batch in batches { rebuilding.take(batch) }
        let difference = rebuilding.difference
        #expect(difference?.what == .timeRunsBack)
    }

    /// The engine goes no further, and lets nobody enter until the user has looked.
    @Test func aDifferenceEndsTheReplayAndHaltsEntries() throws {
        let index = try batchWithCommand()
        var batches = run.batches
        batches[index].digest ^= 1
        var replay = Replay(run.setup, under: .decides)
        for batch in batches { replay.take(batch) }
        let counts = (replay.batchCount, replay.eventCount)
        #expect(counts == (index + 1, numberOfEvents(before: index + 1)))
        var output = EngineOutput()
        let engine = replay.finish(into: &output)
        let causes = engine.gate.haltCauses
        #expect(causes == [.replayDiffers])
        #expect(output.decisions.contains { $0.kind == .halted(.replayDiffers) })
    }

    // MARK: The law

    @Test func whatDecidedBeforeDecidesAgain() {
        func law(_ program: UInt64, _ configuration: UInt64, _ strategies: UInt64) -> Replay.Law {
            let present = SessionOpening(
                day: Day(number: 5), program: program, configuration: configuration,
                strategies: strategies)
            return Replay.Law(recorded: opening, present: present)
        }
        #expect(law(1, 2, 3) == .decides)
        #expect(law(9, 2, 3) == .rebuilds)
        #expect(law(1, 9, 3) == .rebuilds)
        #expect(law(1, 2, 9) == .rebuilds)
        let other = SessionOpening(
            day: opening.day, version: opening.version - 1, program: 1, configuration: 2,
            strategies: 3)
        #expect(Replay.Law(recorded: opening, present: other) == .rebuilds)
    }

    /// Orders and ledgers are those of the record though nothing that decided is there any more.
    @Test func anotherProgramRebuildsWhatIsRecorded() {
        var edited = run.setup
        edited.strategies = edited.strategies.map { _ in
            .orphan(shown: edited.instruments.map(\.id))
        }
        var replay = Replay(edited, under: .rebuilds)
        for var batch in run.batches {
            // Nobody compares them.
            batch.digest = 0
            batch.decisions = nil
            replay.take(batch)
        }
        let difference = replay.difference
        #expect(difference == nil)
        var output = EngineOutput()
        let engine = replay.finish(into: &output)
        let (equity, causes) = (engine.portfolio.equity.rounded(), engine.gate.haltCauses)
        #expect(equity == run.record.finalEquity)
        #expect(causes == [.changedSetup])
        #expect(output.commands.allSatisfy { if case .setTimer = $0 { true } else { false } })
    }

    // MARK: From a state

    /// From the state of the middle of the run to its end; the answers are counted from there.
    @Test func aReplayFromASavedStateIsAnsweredAlike() throws {
        let events = run.events
        let cut = events.count / 3
        var engine = Engine(run.setup)
        var output = EngineOutput()
        for event in events[..<cut] { engine.step(event, into: &output) }
        let configured = SessionSetup(numbering: run.setup)
        let state = try EngineState(of: engine, configured, opening: opening)
        var later = RecordBatch()
        later.events = Array(events[cut...])
        var digest = OutputDigest()
        var setup = try state.setup(for: configured, opening: opening)
        setup.engine.decisions = .all
        var first = state.engine(setup, opening: opening, into: &output)
        for (index, event) in later.events.enumerated() {
            output.removeAll()
            first.step(event, into: &output)
            digest.add(output)
            later.commands += output.commands.map { RecordedCommand($0, to: index) }
        }
        later.digest = digest.value
        var replay = try Replay(configured, from: state, opening: opening, under: .decides)
        let difference = replay.take(later)
        #expect(difference == nil)
        let engineHash = replay.finish(into: &output).stateHash
        #expect(engineHash == run.record.stateHash)
        // Rebuilt, strategies warm up, and the state is one to look at.
        let upgraded = SessionOpening(
            day: opening.day, program: opening.program &+ 1, configuration: opening.configuration,
            strategies: opening.strategies)
        var rebuilding = try Replay(configured, from: state, opening: upgraded, under: .rebuilds)
        let other = rebuilding.take(later)
        #expect(other == nil)
        let rebuilt = rebuilding.finish(into: &output)
        let (equity, isHalted) = (rebuilt.portfolio.equity.rounded(), rebuilt.gate.isHalted)
        #expect(equity == run.record.finalEquity && isHalted)
    }

    /// The strategies' own state counts: two engines whose strategies have seen other bars are not the same.
    @Test func stateHashIncludesTheStrategies() throws {
        let events = run.events
        var engine = Engine(run.setup)
        var output = EngineOutput()
        for event in events[..<1_000] { engine.step(event, into: &output) }
        let configured = SessionSetup(numbering: run.setup)
        let earlier = try EngineState(of: engine, configured, opening: opening)
        for event in events[1_000..<1_500] { engine.step(event, into: &output) }
        let state = try EngineState(of: engine, configured, opening: opening)
        let mixed = EngineState(
            records: state.records, used: (state.usedInstruments, state.usedStrategies),
            reasons: state.reasons, strategies: earlier.strategies, at: state.at, configured,
            opening: opening)
        let first = state.engine(
            try state.setup(for: configured, opening: opening), opening: opening, into: &output)
        let second = mixed.engine(
            try mixed.setup(for: configured, opening: opening), opening: opening, into: &output)
        let engines = (first.stateHash, second.stateHash)
        let states = (try EngineState.hash(of: first), try EngineState.hash(of: second))
        let original = try EngineState.hash(of: engine)
        #expect(engines.0 == engines.1)
        #expect(states.0 == original)
        #expect(states.0 != states.1)
    }
}
