import Model
import Orders
import Primitives
import TradingEngine

/// What sessions with faults have reached: how often each fault took place, and in how many sessions each state of the
/// link, each state of an order and each reason for which something was not ordered occurred.
package struct ChaosCoverage: Sendable {
    /// How often a fault was to happen, and did.
    package struct Count: Hashable, Sendable {
        /// In how many sessions it was drawn.
        package fileprivate(set) var sessions = 0
        /// How often it was to happen.
        package fileprivate(set) var drawn = 0
        /// How often there was something that it could happen to.
        package fileprivate(set) var happened = 0
    }

    /// By the faults' names.
    package private(set) var faults: [String: Count] = [:]
    /// By the states of the link, in how many sessions.
    package private(set) var links: [String: Int] = [:]
    /// By the states of orders.
    package private(set) var orders: [String: Int] = [:]
    /// By the reasons for which intents and orders were refused, made smaller or dropped.
    package private(set) var reasons: [String: Int] = [:]

    /// In how many sessions a fault has to be drawn before it counts as never reached.
    static let sessionsMin = 20
    /// In how many sessions that is looked at.
    static let runsMin = 200

    /// Nothing yet.
    init() {}

    /// What one session has reached.
    init(of session: ChaosReached) {
        faults = session.faults
        links = session.links.reduce(into: [:]) { $0[$1.name] = 1 }
        orders = session.states.reduce(into: [:]) { $0["\($1)"] = 1 }
        reasons = session.reasons.reduce(into: [:]) { $0[$1] = 1 }
    }

    /// Adds what other sessions have reached.
    mutating func add(_ other: ChaosCoverage) {
        faults.merge(other.faults) { left, right in
            Count(
                sessions: left.sessions + right.sessions, drawn: left.drawn + right.drawn,
                happened: left.happened + right.happened)
        }
        links.merge(other.links, uniquingKeysWith: +)
        orders.merge(other.orders, uniquingKeysWith: +)
        reasons.merge(other.reasons, uniquingKeysWith: +)
    }

    /// The faults that were drawn often enough and never had anything to happen to.
    var unreached: [String] {
        faults.keys.sorted().filter { name in
            let count = faults[name] ?? Count()
            return count.sessions >= Self.sessionsMin && count.happened == 0
        }
    }

    /// A short table, for people.
    var lines: [String] {
        [
            line("Link", links, all: BrokerLinkState.allCases.map(\.name)),
            line("Orders", orders, all: Self.states.map { "\($0)" }),
            line("Reasons", reasons, all: []),
        ]
    }

    private func line(_ title: String, _ counts: [String: Int], all: [String]) -> String {
        let reached = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let missing = all.filter { counts[$0] == nil }
        let words = missing.isEmpty ? "" : "; not \(missing.joined(separator: ", "))"
        return title + String(repeating: " ", count: 10 - title.count) + reached + words
    }

    /// The same for programs.
    var json: JSONValue {
        .members([
            "faults": .object(
                faults.sorted { $0.key < $1.key }.map { name, count in
                    JSONValue.Member(
                        name,
                        .members([
                            "sessions": .integer(count.sessions), "drawn": .integer(count.drawn),
                            "happened": .integer(count.happened),
                        ]))
                }),
            "links": Self.json(links), "orders": Self.json(orders), "reasons": Self.json(reasons),
        ])
    }

    private static func json(_ counts: [String: Int]) -> JSONValue {
        .object(
            counts.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer($0.value)) })
    }

    /// Where an order can stand.
    static let states: [OrderState] = [
        .unacknowledged, .working, .filled, .overfilled, .cancelled, .rejected, .unknown,
        .executionsMissing, .notSent, .closed,
    ]
}

/// What one session has reached so far.
final class ChaosReached {
    fileprivate private(set) var faults: [String: ChaosCoverage.Count] = [:]
    fileprivate private(set) var links: Set<BrokerLinkState> = []
    fileprivate private(set) var states: Set<OrderState> = []
    fileprivate private(set) var reasons: Set<String> = []
    /// The orders that were live when they were looked at last.
    private var live: Set<OrderID> = []

    /// Takes in what the session was notified of and has decided.
    func take(_ batch: RecordBatch) {
        for event in batch.events {
            if case .link(let report) = event.kind { links.insert(report.state) }
        }
        for recorded in batch.commands {
            if case .submit(let ticket) = recorded.command { live.insert(ticket.id) }
        }
        for decision in batch.decisions ?? [] {
            switch decision.kind {
            case .refused(let rule): reasons.insert("refused \(rule)")
            case .reduced(let rule): reasons.insert("reduced \(rule)")
            case .dropped(let cause): reasons.insert("dropped \(cause)")
            default: break
            }
        }
    }

    /// Takes in that a fault was to happen.
    ///
    /// - Parameter hasHappened: false where there was nothing that it could happen to.
    func note(_ fault: String, hasHappened: Bool) {
        var count = faults[fault] ?? ChaosCoverage.Count()
        count.sessions = 1
        count.drawn += 1
        if hasHappened { count.happened += 1 }
        faults[fault] = count
    }

    /// Looks at where orders stand: those that work, and those that did when they were looked at last.
    func look(at driver: SessionDriver) {
        guard !live.isEmpty else { return }
        for order in live {
            let state = driver.withEngine { $0.orders.record(of: order)?.state } ?? nil
            if let state { states.insert(state) }
            if state?.isLive != true { live.remove(order) }
        }
    }
}
