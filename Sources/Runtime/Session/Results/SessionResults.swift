import Configuration
import Dispatch
import MarketState
import Model
import Primitives
import Reporting
import Risk
import Synchronization
import TradingEngine

/// Writes what a session leaves behind, laid out as a backtest's results: behind the close of each session day, and at
/// its end. It reads the journal on a thread of its own, and the session waits for nothing.
final class SessionResults: Sendable {
    /// The folder of the files.
    let folder: String
    /// What the strategies note, which is not in the journal.
    let scores: SessionScores
    private let journal: String
    private let settings: Settings
    private let complain: @Sendable (String) -> Void
    private let queue: DispatchQueue
    /// The day whose close was written last.
    private let written = Mutex<Day?>(nil)

    /// How long behind a close results are written: executions and commissions come late.
    static let delay = Duration.minutes(5)
    /// How long the end of a session waits for its results.
    static let patienceSeconds = 60

    /// The results of a journal's sessions, in its folder.
    init(
        journal: String, _ settings: Settings, complain: @escaping @Sendable (String) -> Void
    ) {
        self.journal = journal
        self.settings = settings
        self.complain = complain
        folder = journal + "/results"
        let queue = DispatchQueue(label: "session results", qos: .utility)
        self.queue = queue
        scores = SessionScores(
            ScoreFiles(beside: journal, settings.backtest.calendar), on: queue, complain: complain)
    }

    /// Writes the results, on a thread of their own, once the day's session is over.
    func review(_ engine: borrowing Engine, at now: Timestamp) {
        let calendar = settings.backtest.calendar
        // Where a day ends at midnight, that is past it.
        let day = calendar.day(of: calendar == .always ? now - .days(1) : now)
        guard calendar.hasSession(on: day), now >= calendar.close(on: day) + Self.delay,
            written.withLock({ $0 != day })
        else { return }
        written.withLock { $0 = day }
        let conclusions = JournalRecord.Conclusions(of: engine)
        queue.async { [self] in write(conclusions) }
    }

    /// Writes the results at the end of the session.
    ///
    /// - Returns: their folder; `nil` where they could not be written, or not in time.
    func finish(_ engine: borrowing Engine) -> String? {
        let conclusions = JournalRecord.Conclusions(of: engine)
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome()
        queue.async { [self] in
            outcome.isWritten.withLock { $0 = write(conclusions) }
            done.signal()
        }
        guard done.wait(timeout: .now() + .seconds(Self.patienceSeconds)) == .success else {
            complain(
                "warning: the results are not written: they took longer than \(Self.patienceSeconds) seconds. The "
                    + "journal has everything.")
            return nil
        }
        return outcome.isWritten.withLock(\.self) ? folder : nil
    }

    /// Waits for what is being written.
    func wait() { queue.sync {} }

    private final class Outcome: Sendable {
        let isWritten = Mutex(false)
    }

    @discardableResult private func write(_ conclusions: JournalRecord.Conclusions) -> Bool {
        // All days were read.
        defer { ProcessHeap.trim() }
        do throws(RunFailure) {
            try Self.write(journal, into: folder, settings, conclusions)
            return true
        } catch {
            complain("warning: the results are not written; the journal has everything. \(error)")
            return false
        }
    }

    /// Writes the results of a journal's sessions.
    static func write(
        _ journal: String, into path: String, _ settings: Settings,
        _ conclusions: JournalRecord.Conclusions
    ) throws(RunFailure) {
        let read = try JournalRecord(of: journal, settings.backtest.calendar, conclusions)
        let folder = try ResultsFolder(at: path, isPrivate: true)
        do throws(RunFailure) {
            try RunArtefacts(read.record, settings, ofJournal: read.files, in: journal)
                .write(into: folder)
            try folder.finish()
        } catch {
            folder.discard()
            throw error
        }
    }
}

extension JournalRecord.Conclusions {
    /// What an engine has concluded.
    init(of engine: borrowing Engine) {
        refusals = RefusalCount.all(in: engine.decisionCounts)
        breaches = engine.monitor.breaches.map(BreachRecord.init)
        haltCauses = engine.gate.haltCauses.map(\.name.description)
        isHalted = engine.gate.haltCauses.contains { !$0.endsWithDay }
    }
}
