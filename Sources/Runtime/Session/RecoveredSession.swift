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
    /// The end of the newest bar that strategies were shown, by instrument of the engine.
    let newestBars: [InstrumentID: Timestamp]
    /// True if strategies have had their past bars.
    let isWarmedUp: Bool
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
        var newestBars: [InstrumentID: Timestamp] = [:]
        var isWarmedUp = false
        var isReadable = true

        mutating func note(_ event: Event) {
            switch event.kind {
            case .name(let chunk): isReadable = names.add(chunk) && isReadable
            case .link(let report): epoch = max(epoch, report.epoch)
            case .bar(let bar), .history(let bar): newestBars[bar.instrument] = bar.end
            case .historyComplete: isWarmedUp = true
            case .quote, .trade, .sliceClosed, .order, .brokerOrder, .listing, .accountValue,
                .sessionOpened, .opening, .openingComplete, .corporateAction, .timer,
                .cashMovement, .signal, .shadowResult, .operatorRequest, .condition, .clock:
                break
            }
        }
    }

    /// Reads a journal.
    ///
    /// - Parameters:
    ///   - configured: what the present configuration says.
    ///   - opening: the present program's.
    init(
        _ file: String, _ configured: SessionSetup, opening: SessionOpening
    ) throws(RunFailure) {
        let first = try Self.replay(file, configured, opening, law: nil)
        guard let difference = first.difference else {
            self = first
            return
        }
        self = try Self.replay(file, configured, opening, law: .rebuilds, because: difference)
    }

    private init(
        _ engine: consuming Engine, _ setup: SessionSetup, _ beside: Beside, _ saved: SavedOpening,
        _ head: JournalReader.Head,
        _ eventCount: Int, _ difference: ReplayDifference?, _ law: Replay.Law
    ) {
        self.engine = engine
        self.setup = setup
        var texts: [NameID: String] = [:]
        for entry in saved.names + beside.names.all { texts[entry.name] = entry.text }
        names = texts.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        epoch = beside.epoch
        hash = head.hash
        newestBars = beside.newestBars
        isWarmedUp = beside.isWarmedUp
        self.eventCount = eventCount
        self.difference = difference
        decidedAgain = law == .decides
    }

    private static func replay(
        _ file: String, _ configured: SessionSetup, _ present: SessionOpening, law: Replay.Law?,
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
        let law = law ?? Replay.Law(recorded: recorded, present: present)
        var beside = Beside(epoch: saved.connection)
        do throws(SavedStateError) {
            let state = saved.state(first.openingRecords, recorded)
            let opening = law == .decides ? recorded : present
            var replay = try Replay(configured, from: state, opening: opening, under: law)
            for batch in batches.dropFirst() {
                for event in batch.events { beside.note(event) }
                if replay.take(batch) != nil { break }
            }
            let (count, found) = (replay.eventCount, replay.difference ?? difference)
            var ignored = EngineOutput()
            let engine = replay.finish(into: &ignored)
            return RecoveredSession(
                engine, try state.setup(for: configured, opening: opening), beside, saved, head,
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
