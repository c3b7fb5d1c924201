import Configuration
import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol

/// Reports what is wrong with the way to the broker and lasts: a silent line, a link that stays lost, a gateway that
/// waits for its login, a client id in use.
///
/// It goes by its own clock and by what came, never by what failed last. Within the broker's maintenance and around the
/// gateway's restart a lost link is expected: it is reported when that is over.
struct LinkMonitor: Sendable {
    private let calendar: SessionCalendar
    private let maintenance: [DailyInterval]
    /// Since when orders cannot leave; `nil` while they can.
    private var lostSince: Timestamp?
    /// Since when the gateway says that the client id is in use.
    private var heldSince: Timestamp?
    /// Since when the gateway accepts no connection.
    private var refusedSince: Timestamp?
    /// Until when a message that too many came counts.
    private var rateUntil = Timestamp.distantPast
    /// When each condition that holds is reported next; `nil` for one that is reported once.
    private var present: [Present] = []
    private var reports: [ConditionReport] = []
    /// The condition of the line, by its silence.
    private(set) var line = Watchdog.Health.healthy

    /// A condition that holds.
    private struct Present: Sendable {
        let condition: SessionCondition
        let since: Timestamp
        var next: Timestamp?
    }

    /// How long a link may be lost, and a client id in use, before the user is notified.
    static let limit = Duration.seconds(60)
    /// How long a gateway may accept no connection before it is taken to need its login.
    static let refusalLimit = Duration.minutes(10)
    /// How often what lasts is reported.
    static let interval = Duration.hours(1)
    /// How long after the newest message about too many messages the condition lasts.
    static let rateTime = Duration.minutes(1)

    /// A monitor before the first connection.
    ///
    /// - Parameter maintenance: when the broker is expected to be away, by the market's clock.
    init(_ calendar: SessionCalendar, maintenance: [DailyInterval]) {
        self.calendar = calendar
        self.maintenance = maintenance
    }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent, at now: Timestamp) {
        switch event {
        case .link(let state, _): linkChanged(to: state, at: now)
        case .silence(let health):
            line = health
            if health >= .alarm {
                begin(.lineSilent, since: now, at: now)
            } else {
                end(.lineSilent)
            }
        case .disconnected(let fault, _): disconnected(by: fault, at: now)
        case .message(.error(let message), _):
            // 100: the maximum rate of messages has been exceeded.
            guard message.errorCode == 100 else { break }
            begin(.rateExceeded, since: now, at: now)
            rateUntil = now + Self.rateTime
        case .agreed, .message, .rejected, .asked, .answered, .resubscribe, .syncStalled, .unsent:
            break
        }
    }

    private mutating func linkChanged(to state: LinkState, at now: Timestamp) {
        switch state {
        case .ready, .dataDegraded, .drain, .locked:
            lostSince = nil
            heldSince = nil
            refusedSince = nil
            for condition in [SessionCondition.linkLost, .loginNeeded, .clientIDInUse] {
                end(condition)
            }
        case .down, .handshake, .sync, .upstreamLost:
            lostSince = lostSince ?? now
            if state == .sync {
                // The gateway answers under this id.
                heldSince = nil
                refusedSince = nil
                end(.loginNeeded)
                end(.clientIDInUse)
            }
        }
    }

    private mutating func disconnected(by fault: SessionFault, at now: Timestamp) {
        end(.lineSilent)
        line = .healthy
        lostSince = lostSince ?? now
        switch fault {
        case .noAnswer: begin(.loginNeeded, since: now, at: now)
        case .clientIDInUse:
            heldSince = heldSince ?? now
            refusedSince = nil
        case .connection: refusedSince = refusedSince ?? now
        case .closedByGateway, .handshake, .code, .stream, .silent, .implausibleData, .settings,
            .closedByOwner:
            break
        }
    }

    // MARK: Time

    /// Takes in that time has passed.
    ///
    /// - Parameter isRestart: true around the gateway's restart.
    mutating func review(at now: Timestamp, isRestart: Bool) {
        let isExpected = isRestart || maintenance.end(at: now, in: calendar) != nil
        if let since = lostSince, now - since >= Self.limit, !isExpected {
            begin(.linkLost, since: since, at: now)
        }
        if let since = heldSince, now - since >= Self.limit {
            begin(.clientIDInUse, since: since, at: now)
        }
        if let since = refusedSince, now - since >= Self.refusalLimit, !isExpected {
            begin(.loginNeeded, since: since, at: now)
        }
        if now >= rateUntil { end(.rateExceeded) }
        for index in present.indices {
            guard let next = present[index].next, now >= next else { continue }
            present[index].next = now + Self.interval
            report(present[index], at: now)
        }
    }

    /// Takes what began, lasts and ended.
    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports
    }

    private mutating func begin(_ condition: SessionCondition, since: Timestamp, at now: Timestamp)
    {
        guard !present.contains(where: { $0.condition == condition }) else { return }
        let new = Present(
            condition: condition, since: since,
            next: condition.isRepeated ? now + Self.interval : nil)
        present.append(new)
        report(new, at: now)
    }

    private mutating func end(_ condition: SessionCondition) {
        guard let index = present.firstIndex(where: { $0.condition == condition }) else { return }
        present.remove(at: index)
        reports.append(ConditionReport(condition, isPresent: false))
    }

    /// Reports a condition with how many seconds it has lasted.
    private mutating func report(_ one: Present, at now: Timestamp) {
        let seconds = (now - one.since).nanoseconds / 1_000_000_000
        reports.append(ConditionReport(one.condition, isPresent: true, value: seconds))
    }
}
