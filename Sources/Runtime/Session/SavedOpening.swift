import Foundation
import Journal
import Model
import Primitives
import Signals
import TradingEngine

/// What a journal begins with besides the records of the engine's state: the names that ids in them stand for, and the
/// strategies' own states.
struct SavedOpening: Codable, Sendable {
    private let instruments: [Instrument]
    private let quotedOnly: [InstrumentID]
    private let strategies: [Strategy]
    private let configuredInstruments: Int
    private let configuredStrategies: Int
    private let usedInstruments: [Bool]
    private let usedStrategies: [Bool]
    private let reasons: [String]
    private let states: [[UInt8]?]
    private let at: Timestamp
    private let texts: [Text]
    private let epoch: Int32

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
    ///   - texts: the texts that ids in the state, and of executions to come, stand for.
    ///   - epoch: the number of the newest connection.
    init(_ state: EngineState, texts: [(name: NameID, text: String)], epoch: ConnectionEpoch) {
        instruments = state.names.instruments
        quotedOnly = state.names.quotedOnly
        strategies = state.names.strategies.map { Strategy(name: $0.name, digest: $0.digest) }
        configuredInstruments = state.names.configuredInstruments
        configuredStrategies = state.names.configuredStrategies
        usedInstruments = state.usedInstruments
        usedStrategies = state.usedStrategies
        reasons = state.reasons
        states = state.strategies
        at = state.at
        self.texts = texts.map { Text(number: $0.name.index, text: $0.text) }
        self.epoch = epoch.number
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
        do {
            return [Journal.SavedPiece(Self.kind, 0, [UInt8](try JSONEncoder().encode(self)))]
        } catch {
            throw .defect("an opening state cannot be written: \(error)")
        }
    }

    /// The texts with their numbers.
    var names: [(name: NameID, text: String)] {
        texts.map { (NameID(index: Int($0.number)), $0.text) }
    }

    /// The instruments that the configuration named.
    var configured: [Instrument] { Array(instruments.prefix(configuredInstruments)) }

    /// The symbols of all instruments, also of those that were no longer configured.
    var symbols: [String] { instruments.map(\.symbol) }

    /// The number of the newest connection.
    var connection: ConnectionEpoch { ConnectionEpoch(number: epoch) }

    /// The state that a journal begins with.
    ///
    /// - Parameters:
    ///   - records: those of its first batch.
    ///   - opening: what its session was opened with.
    func state(_ records: [OpeningRecord], _ opening: SessionOpening) -> EngineState {
        var engine = EngineSetup(
            instruments: instruments,
            strategies: strategies.map { _ in .orphan(shown: []) }, capital: .zero, limits: nil)
        engine.quotedOnly = quotedOnly
        engine.configuredInstruments = configuredInstruments
        engine.configuredStrategies = configuredStrategies
        let setup = SessionSetup(
            engine,
            strategies: strategies.map { ConfiguredStrategy(name: $0.name, digest: $0.digest) })
        return EngineState(
            records: records, used: (usedInstruments, usedStrategies), reasons: reasons,
            strategies: states, at: at, setup, opening: opening)
    }
}
