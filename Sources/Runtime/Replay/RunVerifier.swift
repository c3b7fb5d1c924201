import Model
import Reporting
import TradingEngine

/// Runs the events of a backtest through a second engine, which must answer the same.
///
/// Bars and ticks that the first engine takes in together are single events here: it is verified, too, that both
/// ways come to the same. Nothing is kept of a batch once it was compared.
///
/// A class, so that a run without one carries a reference only.
final class RunVerifier {
    private var replay: Replay
    private var batch = RecordBatch()
    private var digest = OutputDigest()
    /// How many of the decisions that the output has were compared.
    private var comparedDecisions = 0
    private let keepsDecisions: Bool
    private let receive: (RecordBatch) -> Void

    /// A verifier before the first event.
    ///
    /// - Parameters:
    ///   - setup: what the run's engine is made of; with strategies of its own, in case they share anything.
    ///   - keepsDecisions: false if decisions leave the run's engine for this only: they are dropped.
    ///   - receive: is given each batch once it was compared.
    init(
        _ setup: EngineSetup, keepsDecisions: Bool,
        receive: @escaping (RecordBatch) -> Void = { _ in }
    ) {
        var setup = setup
        setup.keepsNotes = false
        replay = Replay(setup, under: .decides)
        self.keepsDecisions = keepsDecisions
        self.receive = receive
    }

    /// The first difference; `nil` while there is none.
    var difference: ReplayDifference? { replay.difference }

    /// Adds an event that the run's engine has taken in.
    func add(_ event: Event) { batch.events.append(event) }

    /// Compares what the run's engine answered to the events that were added.
    ///
    /// - Parameter first: the first of the commands that are answers to these.
    func compare(_ output: inout EngineOutput, commandsFrom first: Int) {
        let last = max(batch.events.count - 1, 0)
        for command in output.commands[first...] {
            batch.commands.append(RecordedCommand(command, to: last))
            digest.add(command)
        }
        let decisions = output.decisions[comparedDecisions...]
        for decision in decisions { digest.add(decision) }
        batch.decisions = Array(decisions)
        batch.digest = digest.value
        comparedDecisions = output.decisions.count
        if !keepsDecisions {
            output.decisions.removeAll(keepingCapacity: true)
            comparedDecisions = 0
        }
        replay.take(batch)
        receive(batch)
        batch.events.removeAll(keepingCapacity: true)
        batch.commands.removeAll(keepingCapacity: true)
    }

    /// Takes note that decisions were taken out of the run's output.
    func decisionsWereTaken() { comparedDecisions = 0 }

    /// Compares the state at the end of the run. Returns the first difference, if there is any.
    func compareState(with engine: borrowing Engine) -> ReplayDifference? {
        replay.compareState(with: engine)
    }

    /// What was compared.
    var record: VerificationRecord {
        VerificationRecord(
            events: replay.eventCount, commands: replay.digest.commandCount,
            decisions: replay.digest.decisionCount, outputDigest: replay.digest.value)
    }
}
