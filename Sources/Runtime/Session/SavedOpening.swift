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
    // Journals of the first format do not have this.
    private let shownBars: ShownBars?

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
    ///   - shown: the bars that strategies were shown.
    init(
        _ state: EngineState, texts: [(name: NameID, text: String)], epoch: ConnectionEpoch,
        shown: ShownBars
    ) {
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
        shownBars = shown
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
    var names: [(name: NameID, text: String)] {
        texts.map { (NameID(index: Int($0.number)), $0.text) }
    }

    /// The instruments that the configuration named.
    var configured: [Instrument] { Array(instruments.prefix(configuredInstruments)) }

    /// The symbols of all instruments, also of those that were no longer configured.
    var symbols: [String] { instruments.map(\.symbol) }

    /// The number of the newest connection.
    var connection: ConnectionEpoch { ConnectionEpoch(number: epoch) }

    /// What strategies had been shown before.
    var shown: ShownBars { shownBars ?? ShownBars() }

    /// The state that a journal begins with.
    ///
    /// - Parameters:
    ///   - records: those of its first batch.
    ///   - opening: what its session was opened with.
    func state(_ records: [OpeningRecord], _ opening: SessionOpening) -> EngineState {
        var setup = orphaned(instruments, strategies)
        setup.engine.configuredInstruments = configuredInstruments
        setup.engine.configuredStrategies = configuredStrategies
        return EngineState(
            records: records, used: (usedInstruments, usedStrategies), reasons: reasons,
            strategies: states, at: at, setup, opening: opening)
    }

    /// What the configuration named, with strategies that ask for nothing.
    var configuredOrphaned: SessionSetup {
        orphaned(configured, Array(strategies.prefix(configuredStrategies)))
    }

    private func orphaned(_ instruments: [Instrument], _ strategies: [Strategy]) -> SessionSetup {
        var engine = EngineSetup(
            instruments: instruments,
            strategies: strategies.map { _ in .orphan(shown: []) }, capital: .zero, limits: nil)
        engine.quotedOnly = quotedOnly.filter { Int($0.index) < instruments.count }
        return SessionSetup(
            engine,
            strategies: strategies.map { ConfiguredStrategy(name: $0.name, digest: $0.digest) })
    }
}

/// How far strategies have been shown bars.
struct ShownBars: Codable, Hashable, Sendable {
    /// True if strategies have had their past bars.
    var areWarmedUp = false
    /// The end of the newest bar, by symbol.
    var newest: [String: Timestamp] = [:]
    /// How many bars there were of each symbol of which strategies had too few.
    var had: [String: Int] = [:]

    /// Those counts, by instrument.
    func counts(of instruments: [Instrument]) -> [InstrumentID: Int] {
        var counts: [InstrumentID: Int] = [:]
        for instrument in instruments { counts[instrument.id] = had[instrument.symbol] }
        return counts
    }
}

extension ShownBars {
    /// What strategies were shown, by symbol.
    ///
    /// - Parameters:
    ///   - symbols: by instrument.
    ///   - ends: the end of the newest bar, by instrument; the distant past without one.
    init(_ symbols: [String], areWarmedUp: Bool, ends: [Timestamp], _ warmup: WarmupReview) {
        self.areWarmedUp = areWarmedUp
        for (symbol, end) in zip(symbols, ends) where end > .distantPast { newest[symbol] = end }
        for (instrument, count) in warmup.counts where Int(instrument.index) < symbols.count {
            had[symbols[Int(instrument.index)]] = count
        }
    }
}
