import Journal
import Model
import Primitives
import TradingEngine

/// What an earlier session has left in its journal: the engine as it was at the last event that became durable.
struct RecoveredSession: ~Copyable {
    /// The engine.
    var engine: Engine
    /// What the engine is made of, orphans included.
    let setup: SessionSetup
    /// The texts with their numbers.
    let names: [(name: NameID, text: String)]
    /// The number of the newest connection.
    let epoch: ConnectionEpoch
    /// The digest of the journal.
    let hash: [UInt8]
    /// What strategies have been shown.
    let shown: ShownBars
    /// How many events were taken in.
    let eventCount: Int
    /// The first answer that the replay has given otherwise; `nil` where it gave all.
    let difference: ReplayDifference?
    /// True if the engine has decided again; false if its state was rebuilt without deciding.
    let decidedAgain: Bool

    /// What a journal tells beside the engine's state.
    private struct Beside {
        var names = NameTable()
        var epoch: ConnectionEpoch
        var shown: ShownBars
        var newestBars: [InstrumentID: Timestamp] = [:]
        var isReadable = true

        mutating func note(_ event: Event) {
            switch event.kind {
            case .name(let chunk): isReadable = names.add(chunk) && isReadable
            case .link(let report): epoch = max(epoch, report.epoch)
            case .bar(let bar), .history(let bar): newestBars[bar.instrument] = bar.end
            case .historyComplete: shown.areWarmedUp = true
            case .quote, .trade, .sliceClosed, .order, .brokerOrder, .listing, .accountValue,
                .sessionOpened, .opening, .openingComplete, .corporateAction, .timer,
                .cashMovement, .signal, .shadowResult, .operatorRequest, .condition, .clock:
                break
            }
        }
    }

    /// Reads a journal. Its ids are its own session's, whatever the present configuration names.
    ///
    /// - Parameter opening: the present program's.
    init(_ file: String, opening: SessionOpening) throws(RunFailure) {
        let first = try Self.replay(file, opening, law: nil)
        guard let difference = first.difference else {
            self = first
            return
        }
        self = try Self.replay(file, opening, law: .rebuilds, because: difference)
    }

    private init(
        _ engine: consuming Engine, _ setup: SessionSetup, _ beside: Beside, _ saved: SavedOpening,
        _ head: JournalReader.Head,
        _ eventCount: Int, _ difference: ReplayDifference?, _ law: Replay.Law
    ) {
        self.engine = engine
        self.setup = setup
        var texts: [NameID: String] = [:]
        for entry in saved.textNames + beside.names.all { texts[entry.name] = entry.text }
        names = texts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        epoch = beside.epoch
        hash = head.hash
        var shown = beside.shown
        for instrument in setup.engine.instruments {
            if let end = beside.newestBars[instrument.id] { shown.newest[instrument.symbol] = end }
        }
        self.shown = shown
        self.eventCount = eventCount
        self.difference = difference
        decidedAgain = law == .decides
    }

    private static func replay(
        _ file: String, _ present: SessionOpening, law: Replay.Law?,
        because difference: ReplayDifference? = nil
    ) throws(RunFailure) -> RecoveredSession {
        let journal = try open(file)
        let saved = try SavedOpening(journal.saved, of: file)
        var batches: [RecordBatch] = []
        let head: JournalReader.Head
        do throws(JournalError) {
            head = try journal.reader.forEachBatch { batches.append($0) }
        } catch {
            throw .file("\(error)")
        }
        guard let first = batches.first,
            case .sessionOpened(let recorded)? = first.events.first?.kind
        else {
            throw .file("The journal \(file) does not begin with a session: it was never used.")
        }
        let (configured, problem) = saved.configured(journal.saved, of: file)
        let law =
            problem == nil
            ? law ?? Replay.Law(recorded: recorded, present: present) : Replay.Law.rebuilds
        var beside = Beside(epoch: saved.connection, shown: saved.shown)
        do throws(SavedStateError) {
            let state = saved.state(first.openingRecords, recorded)
            var replay = try Replay(configured, from: state, opening: recorded, under: law)
            for batch in batches.dropFirst() {
                for event in batch.events { beside.note(event) }
                if replay.take(batch) != nil { break }
            }
            let (count, found) = (replay.eventCount, replay.difference ?? difference)
            var ignored = EngineOutput()
            let engine = replay.finish(into: &ignored)
            return RecoveredSession(
                engine, try state.setup(for: configured, opening: recorded), beside, saved, head,
                count, found, law)
        } catch {
            throw .file("The state in the journal \(file) cannot be read: \(error).")
        }
    }

    private static func open(
        _ file: String
    ) throws(RunFailure) -> (reader: JournalReader, saved: [Journal.SavedPiece]) {
        do throws(JournalError) {
            let reader = try JournalReader(file)
            return (reader, try reader.saved())
        } catch {
            throw .file("\(error)")
        }
    }
}
