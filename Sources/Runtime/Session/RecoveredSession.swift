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
    /// By what the state's decisions were made.
    let opening: SessionOpening
    /// Where the journal ends.
    let head: JournalReader.Head
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
        var names: [NameID: String] = [:]
        var newNames = NameTable()
        var epoch = ConnectionEpoch(number: 0)
        var shown = ShownBars()
        var newestBars: [InstrumentID: Timestamp] = [:]
        var barsHad: [InstrumentID: Int] = [:]
        var isReadable = true

        init() {}

        init(_ saved: SavedOpening) {
            for entry in saved.names { names[entry.name] = entry.text }
            epoch = saved.connection
            shown = saved.shown
        }

        /// All texts, by number.
        var texts: [(name: NameID, text: String)] {
            var all = names
            for entry in newNames.all { all[entry.name] = entry.text }
            return all.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        }

        /// What strategies have been shown, by the symbols of instruments.
        func shown(_ instruments: [Instrument]) -> ShownBars {
            var shown = shown
            for instrument in instruments {
                let symbol = instrument.symbol
                if let end = newestBars[instrument.id] { shown.newest[symbol] = end }
                if let count = barsHad[instrument.id] { shown.had[symbol] = count }
            }
            return shown
        }

        mutating func note(_ event: Event) {
            switch event.kind {
            case .name(let chunk): isReadable = newNames.add(chunk) && isReadable
            case .link(let report): epoch = max(epoch, report.epoch)
            case .bar(let bar), .history(let bar):
                newestBars[bar.instrument] = bar.end
                if let count = barsHad[bar.instrument] { barsHad[bar.instrument] = count + 1 }
            case .historyComplete(let coverage):
                guard let instrument = coverage.instrument else {
                    return shown.areWarmedUp = true
                }
                if !coverage.isWhole { barsHad[instrument] = Int(coverage.have) }
            case .quote, .trade, .sliceClosed, .order, .brokerOrder, .listing, .accountValue,
                .sessionOpened, .opening, .openingComplete, .corporateAction, .timer,
                .cashMovement, .signal, .shadowResult, .operatorRequest, .condition, .dailyClose,
                .clock:
                break
            }
        }
    }

    /// Reads a journal. Its ids are those of the configuration that it keeps, whatever is configured now.
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

    private static func replay(
        _ file: String, _ present: SessionOpening, law: Replay.Law?,
        because difference: ReplayDifference? = nil
    ) throws(RunFailure) -> RecoveredSession {
        var beside = Beside()
        let journal: JournalReplay
        do throws(JournalReplay.Failure) {
            journal = try answer(file, present, law, &beside)
        } catch {
            throw error.runFailure
        }
        guard let answered = journal.answered else {
            throw .file("The journal \(file) does not begin with a session: it was never used.")
        }
        let (count, found) = (answered.replay.eventCount, answered.replay.difference ?? difference)
        let law = answered.replay.law
        var ignored = EngineOutput()
        return RecoveredSession(
            engine: answered.replay.finish(into: &ignored), setup: answered.setup,
            names: beside.texts, epoch: beside.epoch, opening: answered.opening,
            head: journal.head, shown: beside.shown(answered.setup.engine.instruments),
            eventCount: count, difference: found,
            decidedAgain: law == .decides)
    }

    private static func answer(
        _ file: String, _ present: SessionOpening, _ law: Replay.Law?, _ beside: inout Beside
    ) throws(JournalReplay.Failure) -> JournalReplay {
        try JournalReplay(file) { begun throws(JournalReplay.Failure) in
            beside = Beside(begun.saved)
            guard let own = try? begun.configuredThen() else {
                // A program that cannot read the configuration takes over what was done under it.
                return JournalReplay.Way(
                    .rebuilds, begun.saved.configuredOrphaned, opening: begun.recorded)
            }
            return JournalReplay.Way(
                law ?? Replay.Law(recorded: begun.recorded, present: present), own,
                opening: begun.recorded)
        } follow: { batch, _ in
            for event in batch.events { beside.note(event) }
        }
    }

    private init(
        engine: consuming Engine, setup: SessionSetup, names: [(name: NameID, text: String)],
        epoch: ConnectionEpoch, opening: SessionOpening, head: JournalReader.Head,
        shown: ShownBars, eventCount: Int, difference: ReplayDifference?, decidedAgain: Bool
    ) {
        self.engine = engine
        self.setup = setup
        self.names = names
        self.epoch = epoch
        self.opening = opening
        self.head = head
        self.shown = shown
        self.eventCount = eventCount
        self.difference = difference
        self.decidedAgain = decidedAgain
    }
}
