import Configuration
import Foundation
import Journal
import Model
import Primitives
import Signals
import TradingEngine

/// What a journal begins with besides the records of the engine's state: the names that ids in them stand for, and the
/// strategies' own states.
struct SavedOpening: Codable, Sendable {
    /// What ids in the records stand for.
    private let names: Names
    /// What ids in the events behind the records stand for.
    private let ownNames: Names
    private let usedInstruments: [Bool]
    private let usedStrategies: [Bool]
    private let reasons: [String]
    private let states: [[UInt8]?]
    private let restartsStrategies: Bool
    private let at: Timestamp
    private let texts: [Text]
    private let epoch: Int32
    /// What strategies had been shown.
    let shown: ShownBars

    /// The instruments and strategies of an engine, in the order of their ids.
    private struct Names: Codable, Sendable {
        let instruments: [Instrument]
        let quotedOnly: [InstrumentID]
        let strategies: [Strategy]
        let configuredInstruments: Int
        let configuredStrategies: Int

        init(_ names: EngineState.Names) {
            instruments = names.instruments
            quotedOnly = names.quotedOnly
            strategies = names.strategies.map { Strategy(name: $0.name, digest: $0.digest) }
            configuredInstruments = names.configuredInstruments
            configuredStrategies = names.configuredStrategies
        }

        /// The instruments that the configuration named.
        var configured: [Instrument] { Array(instruments.prefix(configuredInstruments)) }

        /// An engine of all of them, without what the strategies are made of.
        var orphaned: SessionSetup {
            setup(instruments, strategies) { engine in
                engine.configuredInstruments = configuredInstruments
                engine.configuredStrategies = configuredStrategies
            }
        }

        /// The same of those that the configuration named.
        var configuredOrphaned: SessionSetup {
            setup(configured, Array(strategies.prefix(configuredStrategies))) { _ in }
        }

        private func setup(
            _ instruments: [Instrument], _ strategies: [Strategy],
            _ set: (inout EngineSetup) -> Void
        ) -> SessionSetup {
            var engine = EngineSetup(
                instruments: instruments,
                strategies: strategies.map { _ in .orphan(shown: []) }, capital: .zero,
                limits: nil)
            engine.quotedOnly = quotedOnly.filter { Int($0.index) < instruments.count }
            set(&engine)
            return SessionSetup(
                engine,
                strategies: strategies.map {
                    ConfiguredStrategy(name: $0.name, digest: $0.digest)
                })
        }
    }

    private struct Strategy: Codable, Sendable {
        let name: String
        let digest: UInt64
    }

    /// A text of the day's name table that is used on.
    private struct Text: Codable, Sendable {
        let number: Int32
        let text: String
    }

    private static let kind = "opening"

    /// The parts of a state that are no records.
    ///
    /// - Parameters:
    ///   - setup: the engine that goes on from the state.
    ///   - past: the texts that ids in the state stand for, and what else goes on.
    init(_ state: EngineState, for setup: SessionSetup, _ past: SessionStart.Past) {
        names = Names(state.names)
        ownNames = Names(EngineState.Names(setup))
        usedInstruments = state.usedInstruments
        usedStrategies = state.usedStrategies
        reasons = state.reasons
        states = state.strategies
        restartsStrategies = state.restartsStrategies
        at = state.at
        texts = past.names.map { Text(number: $0.name.index, text: $0.text) }
        epoch = past.epoch.number
        shown = past.shown
    }

    /// What a journal has saved.
    init(_ pieces: [Journal.SavedPiece], of file: String) throws(RunFailure) {
        guard let piece = pieces.first(where: { $0.kind == Self.kind }) else {
            throw .file("The journal \(file) has no opening state: start with a new folder.")
        }
        do {
            self = try JSONDecoder().decode(SavedOpening.self, from: Data(piece.bytes))
        } catch {
            throw .file("The opening state of the journal \(file) cannot be read: \(error).")
        }
    }

    /// The pieces that a journal keeps.
    func pieces() throws(RunFailure) -> [Journal.SavedPiece] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            return [Journal.SavedPiece(Self.kind, 0, [UInt8](try encoder.encode(self)))]
        } catch {
            throw .defect("an opening state cannot be written: \(error)")
        }
    }

    /// The texts with their numbers.
    var textNames: [(name: NameID, text: String)] {
        texts.map { (NameID(index: Int($0.number)), $0.text) }
    }

    /// The session's instruments, in the order of their ids, also those that were no longer configured.
    var instruments: [Instrument] { ownNames.instruments }

    /// The number of the newest connection.
    var connection: ConnectionEpoch { ConnectionEpoch(number: epoch) }

    /// The state that a journal begins with.
    ///
    /// - Parameters:
    ///   - records: those of its first batch.
    ///   - opening: what its session was opened with.
    func state(_ records: [OpeningRecord], _ opening: SessionOpening) -> EngineState {
        EngineState(
            records: records, used: (usedInstruments, usedStrategies), reasons: reasons,
            strategies: states, at: at, names.orphaned, opening: opening,
            restartsStrategies: restartsStrategies)
    }

    /// What the session's configuration named: as its journal has it, or, where this program cannot read that, with
    /// strategies that ask for nothing, and why.
    func configured(
        _ pieces: [Journal.SavedPiece], of file: String
    ) -> (setup: SessionSetup, problem: RunFailure?) {
        let text = pieces.first { $0.kind == SessionJournal.configurationKind }?.bytes ?? []
        do throws(RunFailure) {
            var document = SettingsDocument()
            document.merge(text, from: file)
            let settings = try SettingsCheck(document).get()
            let setup = try SessionStart.setup(settings, ownNames.configured)
            // A text that means something else in this program says nothing of that session.
            let orphaned = ownNames.configuredOrphaned
            guard setup.strategies.map(\.name) == orphaned.strategies.map(\.name) else {
                let problem = RunFailure.file(
                    "The configuration in the journal \(file) names other strategies than its session had."
                )
                return (orphaned, problem)
            }
            return (setup, nil)
        } catch {
            return (ownNames.configuredOrphaned, error)
        }
    }
}

/// How far strategies have been shown bars.
struct ShownBars: Codable, Hashable, Sendable {
    /// True if strategies have had their past bars.
    var areWarmedUp = false
    /// The end of the newest bar, by symbol.
    var newest: [String: Timestamp] = [:]
}
