package import Model
import Orders
import Primitives
package import Signals

/// What the engine answers events with: commands for venues and timers, decisions for people, and what
/// strategies left to be looked at. Whoever steps the engine takes them out.
@usableFromInline
package struct EngineOutput: Sendable {
    /// What is to be done, in order.
    package var commands: [Command] = []
    /// What was concluded and why, in order; empty at `DecisionLevel.counts`.
    package var decisions: [Decision] = []
    /// What strategies noted, in order; empty unless they were asked to.
    package var notes: [ScoreNote] = []

    /// Nothing yet.
    package init() {}

    /// Forgets everything, and keeps the memory for the next events.
    package mutating func removeAll() {
        commands.removeAll(keepingCapacity: true)
        decisions.removeAll(keepingCapacity: true)
        notes.removeAll(keepingCapacity: true)
    }
}

/// Which decisions leave the engine.
package enum DecisionLevel: Hashable, Sendable {
    /// None; they are counted.
    case counts
    /// All of them.
    case all
}

/// How many decisions of which kind there were: the one source of counts in reports.
package struct DecisionCounts: Hashable, Sendable {
    private var topics = Array(repeating: 0, count: Decision.Topic.allCases.count)
    private var refusals = Array(repeating: 0, count: Refusal.allCases.count)

    /// How many there were of a kind.
    package subscript(topic: Decision.Topic) -> Int { topics[Int(topic.rawValue)] }
    /// How many intents and orders a rule has stopped.
    package subscript(refusal: Refusal) -> Int { refusals[Int(refusal.rawValue)] }

    /// Takes in a decision.
    @inline(__always)
    fileprivate mutating func add(_ kind: Decision.Kind) {
        topics[Int(kind.topic.rawValue)] += 1
        if case .refused(let refusal) = kind { refusals[Int(refusal.rawValue)] += 1 }
    }
}

/// Numbers and counts decisions, and lets them out where that is asked for.
struct DecisionLog: Sendable {
    /// Which decisions leave the engine.
    let level: DecisionLevel
    /// How many there were.
    private(set) var counts = DecisionCounts()
    /// The number of the newest decision.
    private(set) var number: Int64 = 0
    /// The number of the newest intent.
    private(set) var intentNumber: Int64 = 0

    /// A log before the first decision.
    init(level: DecisionLevel) { self.level = level }

    /// Takes in a decision. Subject and figures are worked out only where decisions leave the engine.
    @inline(__always)
    mutating func record(
        _ kind: Decision.Kind, about subject: @autoclosure () -> Decision.Subject,
        at time: Timestamp, because reason: TextID, _ figures: () -> Figures,
        _ output: inout EngineOutput
    ) {
        number += 1
        counts.add(kind)
        guard level == .all else { return }
        output.decisions.append(
            Decision(
                number: number, at: time, kind, about: subject(), because: reason,
                figures()))
    }

    /// A number for an intent that was received.
    mutating func nextIntent() -> Int64 {
        intentNumber += 1
        return intentNumber
    }
}

extension Decision.Subject {
    /// What an intent is about.
    init(_ intent: Intent) {
        self.init(
            strategy: intent.strategy, instrument: intent.instrument,
            intent: intent.number == 0 ? nil : intent.number)
    }

    /// What an order is about.
    init(_ id: OrderID?, _ request: OrderRequest, intent: Int64 = 0) {
        self.init(
            strategy: request.strategy, instrument: request.instrument, order: id,
            intent: intent == 0 ? nil : intent)
    }
}

extension Command {
    /// Takes the command into a digest.
    func hash(into hasher: inout StateHasher) {
        switch self {
        case .submit(let ticket):
            hasher.combine(1)
            hasher.combine(ticket.id.number)
            ticket.request.combine(into: &hasher)
        case .modify(let ticket, let revision):
            hasher.combine(2)
            hasher.combine(ticket.id.number)
            hasher.combine(revision)
            ticket.request.combine(into: &hasher)
        case .cancel(let id):
            hasher.combine(3)
            hasher.combine(id.number)
        case .probe(let id):
            hasher.combine(5)
            hasher.combine(id.number)
        case .query(let kind):
            hasher.combine(6)
            hasher.combine(Int32(kind.rawValue))
        case .setTimer(let id, let time):
            hasher.combine(4)
            hasher.combine(id.strategy?.index ?? -1)
            hasher.combine(id.number)
            hasher.combine(time)
        }
    }
}

// MARK: - Records

extension DecisionLog {
    /// Writes the newest numbers and all counts.
    func write(to writer: inout RecordWriter) {
        writer.write(number)
        writer.write(intentNumber)
        counts.write(to: &writer)
    }

    /// Reads them back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        number = try reader.word()
        intentNumber = try reader.word()
        try counts.read(&reader)
    }
}

extension DecisionCounts {
    fileprivate func write(to writer: inout RecordWriter) {
        writer.write(list: topics) { $0.write($1) }
        writer.write(list: refusals) { $0.write($1) }
    }

    /// A newer program may know more kinds; they come behind those that were known.
    fileprivate mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        let topics = try reader.list { (reader) throws(RecordError) in try reader.count() }
        let refusals = try reader.list { (reader) throws(RecordError) in try reader.count() }
        guard topics.count <= self.topics.count, refusals.count <= self.refusals.count else {
            throw reader.damage
        }
        self.topics.replaceSubrange(0..<topics.count, with: topics)
        self.refusals.replaceSubrange(0..<refusals.count, with: refusals)
    }
}
