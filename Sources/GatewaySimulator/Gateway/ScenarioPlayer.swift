import Primitives

/// A script being played: which steps wait for what, and which are due when.
struct ScenarioPlayer: Sendable {
    /// The script's name.
    let name: String
    private let steps: [ScenarioStep]
    private var counts: [Int]
    private var due: [Due] = []
    private var order = 0
    /// Whether it waits for a client's session to begin.
    private var awaitsClient: Bool

    private struct Due: Sendable {
        let at: Timestamp
        let order: Int
        let step: Int
        let remaining: Int
    }

    /// Begins a script at `now`, or where it awaits a client, when the next one's session begins.
    init(
        _ name: String, _ steps: [ScenarioStep], at now: Timestamp, awaitsClient: Bool = false
    ) {
        self.name = name
        self.steps = steps
        self.awaitsClient = awaitsClient
        counts = steps.map { _ in 0 }
        if !awaitsClient { note(.start, at: now) }
    }

    /// When the next step is due; the last time when all wait for something.
    private(set) var nextDue = Timestamp.distantFuture

    /// Something happened.
    mutating func note(_ moment: ScenarioMoment, at now: Timestamp) {
        if awaitsClient {
            guard moment == .began else { return }
            awaitsClient = false
            note(.start, at: now)
        }
        for index in steps.indices where steps[index].moment == moment {
            counts[index] += 1
            let step = steps[index]
            guard step.ordinal == 0 || counts[index] == step.ordinal else { continue }
            add(index, at: now.advanced(by: step.after), remaining: step.times)
        }
    }

    /// Takes the earliest action that is due.
    mutating func take(at now: Timestamp) -> (any GatewayAction)? {
        guard nextDue <= now else { return nil }
        let next = due.indices.filter { due[$0].at <= now }
            .min { (due[$0].at, due[$0].order) < (due[$1].at, due[$1].order) }
        guard let next else { return nil }
        let taken = due.remove(at: next)
        let step = steps[taken.step]
        if taken.remaining > 1 {
            add(
                taken.step, at: taken.at.advanced(by: step.interval), remaining: taken.remaining - 1
            )
        }
        nextDue = due.map(\.at).min() ?? .distantFuture
        return step.action
    }

    private mutating func add(_ step: Int, at time: Timestamp, remaining: Int) {
        due.append(Due(at: time, order: order, step: step, remaining: remaining))
        order += 1
        nextDue = min(nextDue, time)
    }
}

/// The scripts being played to a gateway, and what came of them.
struct ScenarioPlayers: Sendable {
    /// Those being played, oldest first.
    var list: [ScenarioPlayer] = []
    /// Actions performed.
    var actionCount = 0
    /// Why actions could not be performed.
    var refusals: [String] = []

    /// Whether nothing is played.
    var isEmpty: Bool { list.isEmpty }

    /// Notifies the scripts that something happened.
    mutating func note(_ moment: ScenarioMoment, at now: Timestamp) {
        for index in list.indices { list[index].note(moment, at: now) }
    }

    /// Takes the next action that is due, of the oldest script first.
    mutating func takeAction(at now: Timestamp) -> (any GatewayAction)? {
        for index in list.indices {
            if let action = list[index].take(at: now) { return action }
        }
        return nil
    }
}
