import Configuration
import Digests
import Foundation
import Journal
import MarketState
import Model
import Orders
import Primitives
import Signals
import TWSVenue
import TradingEngine

/// The state that a live session begins with: a new one, or what the journal of an earlier one has left.
struct SessionStart: ~Copyable {
    /// The engine, its opening over.
    let engine: Engine
    /// The timers that it waits for.
    let timers: TimerQueue
    /// All instruments of the engine, those that are no longer configured behind the others.
    let instruments: [Instrument]
    /// What the engine is made of.
    let setup: SessionSetup
    /// What the engine has concluded from its opening.
    let decisions: [Decision]
    /// What the journal says beside the engine's state.
    let past: Past

    /// What an earlier session has left, or what a first one begins with.
    struct Past: Sendable {
        /// The engine's state.
        var state: EngineState
        /// The texts with their numbers.
        var names: [(name: NameID, text: String)] = []
        /// The number of the newest connection.
        var epoch = ConnectionEpoch(number: 0)
        /// What strategies have been shown.
        var shown = ShownBars()
        /// The digest of the journal before; empty without one.
        var hash: [UInt8] = []
        /// What was recovered, in a sentence; `nil` for a new journal.
        var recovery: String?
    }

    /// Recovers what the journal has, and begins the file of this start.
    init(
        _ configured: SessionSetup, _ settings: Settings, _ journal: SessionJournal,
        _ opening: SessionOpening, client: BrokerClientID, at now: Timestamp
    ) throws(RunFailure) {
        let past: Past
        let recovered = try journal.recover(opening: opening)
        do throws(SavedStateError) {
            if let known = try recovered.past() {
                past = known
            } else {
                past = try Self.beginning(configured, journal, opening, client)
            }
        } catch {
            throw .defect("the state cannot be saved: \(error)")
        }
        try self.init(behind: past, configured, settings, journal, opening, at: now)
    }

    /// Begins a file of the journal.
    ///
    /// - Parameter past: what it begins with.
    init(
        behind past: Past, _ configured: SessionSetup, _ settings: Settings,
        _ journal: SessionJournal, _ opening: SessionOpening, at now: Timestamp
    ) throws(RunFailure) {
        var past = past
        let setup: SessionSetup
        var decisions: [Decision] = []
        do throws(SavedStateError) {
            let isRestarted: Bool
            (past.state, setup, isRestarted) = try Self.settle(
                past.state, configured, opening, &decisions)
            // Strategies that begin anew want their past bars.
            if isRestarted { past.shown.areWarmedUp = false }
        } catch {
            throw .defect("the state cannot be saved: \(error)")
        }
        try journal.begin(
            on: opening.day,
            SavedOpening(past.state, texts: past.names, epoch: past.epoch, shown: past.shown),
            configuration: settings.textAnywhere, Self.firstBatch(past.state, opening), at: now,
            previousHash: PlantedBug.chainBroken.isPlanted ? [] : past.hash)
        var output = EngineOutput()
        engine = past.state.engine(setup, opening: opening, into: &output)
        var timers = TimerQueue()
        for command in output.commands {
            if case .setTimer(let id, let time) = command { timers.set(id, at: time) }
        }
        self.timers = timers
        self.decisions = decisions + output.decisions
        self.past = past
        self.setup = setup
        instruments = setup.engine.instruments
    }

    /// The state in terms of the present configuration: what a journal's events name is what its opening names.
    ///
    /// - Parameter decisions: gains what follows from a change of the configuration.
    private static func settle(
        _ state: EngineState, _ configured: SessionSetup, _ opening: SessionOpening,
        _ decisions: inout [Decision]
    ) throws(SavedStateError) -> (EngineState, SessionSetup, isRestarted: Bool) {
        var state = state
        var isRestarted = false
        // With every round there are fewer orphans, or the state is settled.
        for _ in 0...state.names.instruments.count + state.names.strategies.count {
            let setup = try state.setup(for: configured, opening: opening)
            guard let takeover = setup.engine.takeover else { break }
            if takeover.restarts.contains(true) { isRestarted = true }
            var output = EngineOutput()
            let engine = state.engine(setup, opening: opening, into: &output)
            // Orphans are reported at every opening.
            decisions += output.decisions.filter { $0.kind != .orphaned }
            state = try EngineState(of: engine, setup, opening: opening)
        }
        return (state, try state.setup(for: configured, opening: opening), isRestarted)
    }

    private static func beginning(
        _ configured: SessionSetup, _ journal: SessionJournal, _ opening: SessionOpening,
        _ client: BrokerClientID
    ) throws(SavedStateError) -> Past {
        var engine = Engine(configured.engine)
        engine.identify(
            as: OrderIdentity(
                account: BrokerAccountID(index: 0), client: client, journal: journal.instance))
        return Past(state: try EngineState(of: engine, configured, opening: opening))
    }

    private static func firstBatch(_ state: EngineState, _ opening: SessionOpening) -> RecordBatch {
        var batch = RecordBatch()
        batch.events = [Event(at: state.at, kind: .sessionOpened(opening))]
        batch.events += state.records.map { Event(at: state.at, kind: .opening($0)) }
        batch.events.append(Event(at: state.at, kind: .openingComplete))
        return batch
    }

    /// What an engine is made of, for the instruments of a session.
    static func setup(
        _ settings: Settings, _ instruments: [Instrument]
    ) throws(RunFailure) -> SessionSetup {
        let instances = try BacktestPlan.instances(settings.strategies, instruments)
        let rules = settings.execution.rules(settings.backtest.calendar, isDaily: isDaily(settings))
        var engine = BacktestPlan.engineSetup(settings, instruments, instances, rules)
        engine.decisions = .all
        engine.foreignPolicy = settings.account.foreignPositions
        engine.valuesAreCurrent = !isDaily(settings)
        return SessionSetup(
            engine,
            strategies: settings.active.map {
                ConfiguredStrategy(name: $0.name, digest: $0.digest)
            })
    }

    /// True if a session's strategies see a bar a day.
    static func isDaily(_ settings: Settings) -> Bool {
        settings.trading.barSize.map { $0 >= settings.backtest.calendar.sessionLength } ?? false
    }

    /// A digest of the sections of a configuration that decisions are made by: where a gateway is, and what is written
    /// down, changes none.
    static func digest(of settings: Settings) -> UInt64 { digest(of: decidingText(of: settings)) }

    /// The same without the mode: a session on paper and one with money decide alike.
    static func digestWithoutMode(of settings: Settings) -> UInt64 {
        let lines = decidingText(of: settings).split(separator: "\n")
        return digest(of: lines.filter { !$0.hasPrefix("  mode: ") }.joined(separator: "\n"))
    }

    private static func decidingText(of settings: Settings) -> String {
        let others = [
            "ibkr", "logging", "monitoring", "alerts", "system", "performance", "benchmarking",
        ]
        var isOther = false
        var text = ""
        for line in settings.text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, first.isLetter {
                isOther = others.contains(String(line.prefix { $0 != ":" }))
            }
            if !isOther { text += line + "\n" }
        }
        return text
    }

    /// A digest of a text in one word.
    static func digest(of text: String) -> UInt64 {
        var hash = SHA256()
        hash.update(text.utf8)
        return word(of: hash)
    }

    /// A digest of this program's file in one word.
    static func programDigest() throws(RunFailure) -> UInt64 {
        let path = "/proc/self/exe"
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .file("The program's own file cannot be read.")
        }
        var hash = SHA256()
        do {
            while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
                hash.update(chunk)
            }
        } catch {
            throw .file("The program's own file cannot be read: \(error).")
        }
        return word(of: hash)
    }

    private static func word(of hash: consuming SHA256) -> UInt64 {
        hash.digest().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == RecoveredSession {
    /// What it has left; `nil` without one.
    fileprivate borrowing func past() throws(SavedStateError) -> SessionStart.Past? {
        switch self {
        case .some(let recovered): try recovered.past()
        case .none: nil
        }
    }
}

extension RecoveredSession {
    /// What a session goes on from.
    fileprivate borrowing func past() throws(SavedStateError) -> SessionStart.Past {
        SessionStart.Past(
            state: try EngineState(
                of: engine, setup, opening: opening, restartsStrategies: !decidedAgain),
            names: GatewayVenue.keptTexts(names, for: engine.namesInUse), epoch: epoch,
            shown: shown, hash: head.hash, recovery: sentence)
    }

    /// What was recovered.
    fileprivate var sentence: String {
        let count = "\(eventCount) events of the journal"
        if let difference {
            return
                "\(count) were not answered as before: entries are halted until you have looked. "
                + "\(difference)"
        }
        return decidedAgain
            ? "\(count) were answered as before"
            : "\(count) are of another program or configuration: the state was rebuilt, and entries "
                + "are halted until you have looked"
    }
}

extension StrategySettings {
    /// A digest of all that the strategy is made of.
    var digest: UInt64 {
        let values = parameters.all.map { "\($0.declaration.name)=\($0.value)" }
        return SessionStart.digest(
            of: "\(use) \(symbols) \(values) \(sizing) \(stop) \(target)")
    }
}
