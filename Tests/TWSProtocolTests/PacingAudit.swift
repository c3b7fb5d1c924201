import Primitives
import TWSProtocol

/// Something that reached the gateway, as the gateway sees it.
struct Arrival {
    let at: Timestamp
    let priority: MessagePriority
    let request: PacedRequest?
}

/// Counts a log of arrivals by the broker's rules, in the plainest way and with nothing of the code
/// that keeps them.
struct PacingAudit {
    let log: [Arrival]

    /// The most that any window which begins with an arrival holds; its end is not in it.
    func most(in window: Duration, _ weight: (Arrival) -> Int = { _ in 1 }) -> Int {
        var (most, sum, first) = (0, 0, 0)
        for arrival in log {
            sum += weight(arrival)
            while log[first].at + window <= arrival.at {
                sum -= weight(log[first])
                first += 1
            }
            most = max(most, sum)
        }
        return most
    }

    /// What the rules of the broker say against the log, besides the number of messages.
    func violations() -> [String] {
        var found: [String] = []
        let small = log.filter { query(of: $0)?.isSmallByTheRules ?? false }
        let pool = PacingAudit(log: small)
        if pool.most(in: .minutes(10), weight) > 60 { found.append("more than 60 in ten minutes") }
        for (index, later) in small.enumerated() {
            let before = small[..<index].reversed().prefix { later.at - $0.at <= .seconds(15) }
            if before.contains(where: {
                $0.request == later.request && later.at - $0.at < .seconds(15)
            }) {
                found.append("the same question within 15 seconds at \(later.at)")
            }
            let same = before.filter {
                query(of: $0)?.contract == query(of: later)?.contract
                    && query(of: $0)?.whatToShow == query(of: later)?.whatToShow
                    && later.at - $0.at <= .seconds(2)
            }
            if same.reduce(weight(later), { $0 + weight($1) }) >= 6 {
                found.append("six of the same within two seconds at \(later.at)")
            }
        }
        found += spacing(.seconds(1)) { $0 == .regulatorySnapshot }
        for name in Set(log.compactMap(tickContract)).map(\.contract).sorted() {
            found += spacing(.seconds(15)) {
                if case .tickByTick(let contract) = $0 { contract.contract == name } else { false }
            }
        }
        return found
    }

    private func spacing(
        _ least: Duration, _ isMeant: (PacedRequest) -> Bool
    ) -> [String] {
        let meant = log.filter { $0.request.map(isMeant) ?? false }
        return zip(meant, meant.dropFirst()).filter { $1.at - $0.at < least }.map {
            "twice within \(least) at \($1.at)"
        }
    }

    private func query(of arrival: Arrival) -> HistoryQuery? {
        if case .history(let query) = arrival.request { query } else { nil }
    }

    private func tickContract(_ arrival: Arrival) -> ContractKey? {
        if case .tickByTick(let contract) = arrival.request { contract } else { nil }
    }

    private func weight(_ arrival: Arrival) -> Int {
        query(of: arrival)?.whatToShow == "BID_ASK" ? 2 : 1
    }
}

extension HistoryQuery {
    fileprivate var isSmallByTheRules: Bool {
        switch kind {
        case .bars(let seconds): seconds < 60
        case .ticks, .realTimeBars: true
        }
    }
}

/// A caller of an outbox with a log of what left.
final class Sender {
    var outbox: Outbox
    var log: [Arrival] = []
    /// The items in the order in which they left, with their times.
    var left: [(item: Int, at: Timestamp)] = []
    var now = Timestamp(seconds: 1_000)

    init(_ outbox: Outbox = Outbox()) { self.outbox = outbox }

    func send(
        _ item: Int, _ priority: MessagePriority = .data,
        about subject: Outgoing.Subject = .session, for request: PacedRequest? = nil
    ) -> Admission {
        outbox.enqueue(
            Outgoing(token: item, priority: priority, subject: subject, request: request))
    }

    /// Lets leave what may until `end`, jumping from one wait to the next. Returns whether the
    /// outbox kept its word: no wait that is over already, no loop without an end.
    func run(until end: Timestamp) -> Bool {
        for _ in 0..<1_000_000 {
            switch outbox.next(at: now) {
            case .leave(let message):
                log.append(
                    Arrival(at: now, priority: message.priority, request: message.request))
                left.append((message.token, now))
            case .wait(let until):
                guard until > now else { return false }
                guard until <= end else {
                    now = end
                    return true
                }
                now = until
            case .idle:
                now = end
                return true
            }
        }
        return false
    }

    func run(for length: Duration) -> Bool { run(until: now + length) }
}
