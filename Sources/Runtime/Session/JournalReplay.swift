import Accounting
import Configuration
import Journal
import Model
import Primitives
import TradingEngine

/// A file of the journal, read once from end to end and answered by an engine on the way.
struct JournalReplay: ~Copyable {
    /// Where the file ends.
    let head: JournalReader.Head
    /// What answered it; `nil` for a file in which no session has begun.
    let answered: Answered?

    /// A session's beginning, as its journal has it.
    struct Begun {
        /// Where the journal is.
        let file: String
        /// What it begins with besides the records of the engine's state.
        let saved: SavedOpening
        /// All that it keeps.
        let pieces: [Journal.SavedPiece]
        /// The records of the engine's state.
        let records: [OpeningRecord]
        /// By what its decisions were made.
        let recorded: SessionOpening

        /// - Parameter first: the file's first batch.
        fileprivate init(
            _ file: String, _ pieces: [Journal.SavedPiece], _ first: RecordBatch
        ) throws(Failure) {
            guard case .sessionOpened(let opening)? = first.events.first?.kind else {
                throw .run(
                    .file("The journal \(file) does not begin with a session: it was never used."))
            }
            do throws(RunFailure) { saved = try SavedOpening(pieces, of: file) } catch {
                throw .run(error)
            }
            self.file = file
            self.pieces = pieces
            records = first.openingRecords
            recorded = opening
        }

        /// What the engine was made of, by the configuration that the journal keeps.
        func configuredThen() throws(RunFailure) -> SessionSetup {
            let kind = SessionJournal.configurationKind
            guard let text = pieces.first(where: { $0.kind == kind }) else {
                throw .file(
                    "The journal \(file) has no configuration: it cannot be answered again.")
            }
            var document = SettingsDocument()
            document.merge(text.bytes, from: file)
            let settings = try SettingsCheck(document).get()
            let setup = try SessionStart.setup(settings, saved.configured)
            // A text that means something else in this program says nothing of that session.
            let names = saved.configuredOrphaned.strategies.map(\.name)
            guard setup.strategies.map(\.name) == names else {
                throw .file(
                    "The configuration in the journal \(file) names other strategies than its session had."
                )
            }
            return setup
        }
    }

    /// How a file is answered.
    struct Way {
        let law: Replay.Law
        let configured: SessionSetup
        let opening: SessionOpening

        /// - Parameters:
        ///   - configured: what the configuration of the answering engine names.
        ///   - opening: by what that engine decides.
        init(_ law: Replay.Law, _ configured: SessionSetup, opening: SessionOpening) {
            self.law = law
            self.configured = configured
            self.opening = opening
        }
    }

    /// An engine that has taken in a file.
    struct Answered: ~Copyable {
        /// The replay, the file being over.
        let replay: Replay
        /// What the engine is made of, orphans included.
        let setup: SessionSetup
        /// By what it decides.
        let opening: SessionOpening
        /// The session's beginning.
        let begun: Begun
    }

    /// Reads and answers a file.
    ///
    /// - Parameters:
    ///   - begin: says how a session is answered, when its beginning was read.
    ///   - follow: receives each batch, once it was answered; the first is the opening.
    init(
        _ file: String, begin: (Begun) throws(Failure) -> Way,
        follow: (RecordBatch, borrowing Replay) -> Void
    ) throws(Failure) {
        var reader = try Reader(file)
        guard let first = try reader.next() else {
            head = reader.head
            answered = nil
            return
        }
        let begun = try reader.begun(with: first)
        let way = try begin(begun)
        let state = begun.saved.state(begun.records, begun.recorded)
        let setup: SessionSetup
        var replay: Replay
        do throws(SavedStateError) {
            setup = try state.setup(for: way.configured, opening: way.opening)
            replay = try Replay(way.configured, from: state, opening: way.opening, under: way.law)
        } catch {
            throw .run(.file("The state in the journal \(file) cannot be read: \(error)."))
        }
        follow(first, replay)
        while let batch = try reader.next() {
            replay.take(batch)
            follow(batch, replay)
        }
        head = reader.head
        answered = Answered(replay: replay, setup: setup, opening: way.opening, begun: begun)
    }

    /// The profit, less costs, with which a file begins, and the time of the newest event by then; `nil` for a file in
    /// which no session has begun. What is behind its opening is not read.
    static func openingProfit(
        of file: String
    ) throws(Failure) -> (profit: ExactMoney, at: Timestamp)? {
        let pieces: [Journal.SavedPiece]
        let first: RecordBatch?
        do throws(JournalError) {
            let reader = try JournalReader(file)
            pieces = try reader.saved()
            var cursor = try reader.cursor()
            first = try cursor.next().first
        } catch {
            throw .journal(error)
        }
        guard let first else { return nil }
        let begun = try Begun(file, pieces, first)
        let configured: SessionSetup
        do throws(RunFailure) { configured = try begun.configuredThen() } catch {
            throw .run(error)
        }
        let state = begun.saved.state(begun.records, begun.recorded)
        do throws(SavedStateError) {
            let setup = try state.setup(for: configured, opening: begun.recorded)
            var ignored = EngineOutput()
            let engine = state.engine(setup, opening: begun.recorded, into: &ignored)
            return (engine.portfolio.profit.net, state.at)
        } catch {
            throw .run(.file("The state in the journal \(file) cannot be read: \(error)."))
        }
    }

    /// Why a file cannot be answered.
    enum Failure: Error {
        /// It is not as it was written, or cannot be read.
        case journal(JournalError)
        /// Anything else.
        case run(RunFailure)

        /// The failure of a run.
        var runFailure: RunFailure {
            switch self {
            case .journal(let error): .file("\(error)")
            case .run(let failure): failure
            }
        }
    }

    /// One batch after the other.
    private struct Reader {
        private let file: String
        private let pieces: [Journal.SavedPiece]
        private var cursor: JournalReader.Cursor
        private var batches: [RecordBatch] = []
        private var index = 0

        init(_ file: String) throws(Failure) {
            self.file = file
            do throws(JournalError) {
                let reader = try JournalReader(file)
                try reader.checkStructure()
                pieces = try reader.saved()
                cursor = try reader.cursor()
            } catch {
                throw .journal(error)
            }
        }

        var head: JournalReader.Head { cursor.head }

        mutating func next() throws(Failure) -> RecordBatch? {
            if index == batches.count {
                index = 0
                do throws(JournalError) { batches = try cursor.next() } catch {
                    throw .journal(error)
                }
            }
            guard index < batches.count else { return nil }
            index += 1
            return batches[index - 1]
        }

        func begun(with first: RecordBatch) throws(Failure) -> Begun {
            try Begun(file, pieces, first)
        }
    }
}
