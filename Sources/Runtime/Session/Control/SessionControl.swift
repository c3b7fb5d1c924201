import Accounting
import Configuration
import Model
import Orders
import Primitives
import Risk
import TradingEngine

/// The session's end of its control socket: puts requests into the session's own terms, has them performed, and answers
/// from how the session stands at the end of the step.
///
/// It decides nothing: what follows from an instruction is the engine's.
final class SessionControl {
    /// The file that kills.
    let killFile: KillFile
    /// The account that is traded; `nil` before it is known.
    var account: String?
    private var calls: [ControlCall] = []
    private var answers:
        [(call: ControlCall, consequences: LiveSession.Consequences, notes: [String])] =
            []
    private(set) var decisions = NewestDecisions()
    /// Why instruments were latched last.
    private(set) var latches: [InstrumentID: LatchCause] = [:]
    private var payments: [ControlInstruction.Payment] = []
    /// True once the session is to end: nothing is opened any more.
    private var isEnding = false
    /// True if the user has halted entries since.
    private(set) var hasHaltedAtTheEnd = false
    /// When the file that kills was looked for.
    private var looked = Timestamp.distantPast

    /// How often the file that kills is looked for.
    static let lookInterval = Duration.milliseconds(50)

    /// The control of a session.
    ///
    /// - Parameter folder: the journal's.
    init(folder: String) { killFile = KillFile(folder: folder) }

    // MARK: Taking in

    /// The session is to end: what would let entries go on is refused from now on.
    func sessionEnds() { isEnding = true }

    /// Takes requests out of what came in.
    func sort(_ inputs: [LiveSession.Input]) -> [LiveSession.Input] {
        inputs.filter { input in
            guard case .control(let call) = input else { return true }
            calls.append(call)
            return false
        }
    }

    /// Takes in what the session has decided.
    func note(_ batch: RecordBatch, _ live: LiveSession?) {
        guard let batch = batch.decisions, !batch.isEmpty, let live else { return }
        live.withEngine { engine in
            for decision in batch {
                decisions.add(
                    DecisionNote(decision, live.names, reason: engine.reason(of: decision)))
                guard let instrument = decision.subject.instrument else { continue }
                if case .latched(let cause) = decision.kind { latches[instrument] = cause }
                if decision.kind == .latchCleared { latches[instrument] = nil }
            }
        }
    }

    /// Performs the instructions that came in, before anything else that came with them. A kill comes first.
    func perform(on live: LiveSession, at now: Timestamp) {
        let isKilling = calls.contains(where: \.isKill)
        if !live.isKilled, !isKilling, isLookDue(at: now), killFile.isPresent {
            let words = "file \(killFile.path): \(killFile.words ?? "it is gone")"
            _ = live.instruct(.kill, because: words, at: now)
        }
        var queries: [ControlCall] = []
        for call in calls.filter(\.isKill) + calls.filter({ !$0.isKill }) {
            guard case .instruction(let instruction, let reason) = call.request else {
                queries.append(call)
                continue
            }
            do throws(ControlRefusal) {
                if isKilling, case .resume(.killed, _) = instruction {
                    throw ControlRefusal("A kill came at the same time: it holds.", .notPermitted)
                }
                let performed = try perform(
                    instruction, because: "\(call.peer): \(reason)", on: live, at: now)
                answers.append((call, performed.consequences, performed.notes))
            } catch {
                call.answer(error.answer)
            }
        }
        calls = queries
    }

    /// True if it is time to look for the file that kills: not with every quote.
    private func isLookDue(at now: Timestamp) -> Bool {
        guard now >= looked + Self.lookInterval else { return false }
        looked = now
        return true
    }

    private func perform(
        _ instruction: ControlInstruction, because words: String, on live: LiveSession,
        at now: Timestamp
    ) throws(ControlRefusal) -> (consequences: LiveSession.Consequences, notes: [String]) {
        if isEnding, instruction.letsEntriesGoOn {
            throw ControlRefusal(
                "The session ends: nothing is opened any more. The next one takes this.",
                .notPermitted)
        }
        var notes: [String] = []
        let actions = try self.actions(of: instruction, live, at: now, &notes)
        try prepare(instruction, words, &notes)
        var all = LiveSession.Consequences()
        for action in actions {
            let consequences = live.instruct(action, because: words, at: now)
            all.decisions += consequences.decisions
            all.commands += consequences.commands
        }
        return (all, notes)
    }

    /// What has to be done beside the journal before an instruction is performed.
    private func prepare(
        _ instruction: ControlInstruction, _ words: String, _ notes: inout [String]
    ) throws(ControlRefusal) {
        switch instruction {
        case .kill:
            do throws(RunFailure) { try killFile.set(words) } catch {
                notes.append("\(error) The kill is in the journal alone.")
            }
        case .resume(.killed, _):
            // As long as it is there the session is killed once more.
            do throws(RunFailure) { try killFile.remove() } catch {
                throw ControlRefusal("\(error)", .unexpected)
            }
        case .cash(let payment): payments.append(payment)
        case .halt: if isEnding { hasHaltedAtTheEnd = true }
        case .resumeAll, .resume, .stop, .start, .cancel, .flatten, .resolve, .bookExecution,
            .adopt, .disown, .clear, .split:
            break
        }
    }

    // MARK: Before the session has begun

    /// Answers while there is no engine yet: contracts are looked up. A kill holds from the beginning on.
    func answerEarly(_ status: SessionDriver.Status) {
        for call in calls {
            switch call.request {
            case .status: call.answer(Self.early(status, killFile).compact())
            case .instruction(.kill, let reason): killEarly(call, reason)
            case .positions, .orders, .decisions, .instruction:
                call.answer(
                    ControlRefusal(
                        "The session has not begun: it is \(status.step.words). 'status' and 'kill' are possible.",
                        .gateway
                    ).answer)
            }
        }
        calls.removeAll()
    }

    private func killEarly(_ call: ControlCall, _ reason: String) {
        do throws(RunFailure) {
            try killFile.set("\(call.peer): \(reason)")
            call.answer(
                JSONValue.members([
                    "done": .text("kill"),
                    "notes": .texts(["the session has not begun: it begins killed"]),
                ]).text)
        } catch {
            call.answer(ControlRefusal("\(error)", .unexpected).answer)
        }
    }

    // MARK: Answering

    /// Answers all that was asked, by how the session stands now.
    func answer(_ live: LiveSession, _ status: SessionDriver.Status) {
        for entry in answers {
            entry.call.answer(
                answer(entry.call.request, entry.consequences, entry.notes, live).text)
        }
        answers.removeAll()
        for call in calls {
            switch call.request {
            case .status: call.answer(self.status(live, status).text)
            case .positions: call.answer(positions(live).text)
            case .orders(let includesFinished):
                call.answer(orders(live, includesFinished: includesFinished).text)
            case .decisions(let count):
                call.answer(
                    JSONValue.members(["decisions": .array(decisions.newest(count))]).text)
            case .instruction: break
            }
        }
        calls.removeAll()
    }

    /// True if nothing waits for an answer.
    var isIdle: Bool { calls.isEmpty && answers.isEmpty }

    /// True if the same payment was booked before.
    func isRepeated(_ payment: ControlInstruction.Payment) -> Bool {
        !payment.isRepeated
            && payments.contains {
                $0.cause == payment.cause && $0.amount == payment.amount
                    && $0.symbol == payment.symbol
            }
    }
}

/// The newest decisions of a session, at most as many as an answer has.
struct NewestDecisions: Sendable {
    private var notes: [DecisionNote] = []
    private var next = 0

    /// Takes in one, in the place of the oldest where there are enough.
    mutating func add(_ note: DecisionNote) {
        guard notes.count >= ControlRequest.rowsMax else { return notes.append(note) }
        notes[next] = note
        next = (next + 1) % notes.count
    }

    /// The newest, oldest first.
    func newest(_ count: Int) -> [JSONValue] {
        (notes[next...] + notes[..<next]).suffix(count).map(\.json)
    }
}

extension LiveSession {
    /// True while the session is killed.
    var isKilled: Bool { withEngine { $0.gate.isHalted(for: .killed) } }
}

extension Engine {
    /// The words that a decision's reason stands for; empty without any.
    func reason(of decision: Decision) -> String {
        let index = Int(decision.reason.index)
        return reasons.indices.contains(index) ? reasons[index] : ""
    }
}
