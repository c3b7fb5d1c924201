import Model
import Primitives
import TWSClient
import TWSProtocol

/// What is looked at besides orders and bars in a session: lists that stay away, the clock, the gateway's restart, the
/// contracts' hours, and how the loop keeps up. It reports conditions and asks; what follows is the engine's.
struct SessionReviews: Sendable {
    /// What is looked at.
    struct Parts: Sendable {
        /// The account that is traded.
        var account: AccountID
        /// How many times as long answers are waited for as at a session's usual speed.
        var patience: Int64
        /// When the gateway restarts; `nil` if that is not known.
        var restart: RestartSchedule?
        /// The contracts' own hours; `nil` to go by the calendar alone.
        var hours: HoursReview?
        /// The instruments that the broker knows no contract for.
        var unknown: [InstrumentID] = []
        /// What the program may use of the machine.
        var limits = ResourceReview.Limits(memory: .max, files: .max)
        /// For how long the program before this one had hung when it was ended; `nil` if it was not.
        var hung: Duration?
    }

    /// What follows from a look.
    struct Answer: Sendable {
        /// What has begun and ended.
        var reports: [ConditionReport] = []
        /// What is to be asked.
        var questions: [ClientMessage] = []
        /// Requests that are over.
        var finished: [RequestID] = []
        /// Whether a restart is near from now on; `nil` where that has not changed.
        var drains: Bool?
    }

    private var lists: ListReview
    private(set) var clock: ClockReview
    private var restart: RestartReview
    private var hours: HoursReview?
    private var pause = PauseReview()
    private var overload = OverloadReview()
    private var resources: ResourceReview
    private var pending: [ConditionReport]

    /// Nothing seen yet.
    init(_ parts: Parts) {
        lists = ListReview(account: parts.account, patience: parts.patience)
        clock = ClockReview(patience: parts.patience)
        restart = RestartReview(parts.restart)
        hours = parts.hours
        pending = parts.unknown.map {
            ConditionReport(.contractUnknown, isPresent: true, of: $0)
        }
        resources = ResourceReview(parts.limits)
        if let hung = parts.hung {
            // Of whose call that was nothing is known: it has never returned.
            pending.append(
                ConditionReport(.strategyOverBudget, isPresent: true, value: hung.nanoseconds))
        }
    }

    /// The lists that have stayed away, in words.
    var missingLists: [String] { lists.words }

    /// True while timers wait: the program stood still, and what happened meanwhile is not known yet.
    var isBehind: Bool { pause.isPresent }

    /// True in the time of the gateway's daily restart.
    func isRestartTime(_ time: Timestamp) -> Bool { restart.isWindow(time) }

    /// Hours that were learned since the last call, by contract.
    mutating func takeHours() -> [(ContractID, ContractHours)] { hours?.takeLearned() ?? [] }

    /// The newest day on which the calendar agreed with the broker's hours, where it has changed since the last call.
    mutating func takeConfirmedDay() -> Day? { hours?.takeConfirmed() }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent, at now: Timestamp) {
        pending += lists.take(event)
        pause.take(event)
        clock.take(event, at: now)
        restart.take(event, at: now)
        hours?.take(event, at: now)
    }

    /// Takes in that the account's values came to their end.
    mutating func accountIsComplete() { pending += lists.accountEnded() }

    /// Takes in that the program stood still for a while, before what came meanwhile is taken in.
    mutating func stoodStill(for time: Duration, _ link: BrokerLinkState) {
        pending += pause.began(time, link)
    }

    /// Takes in how long what is taken in next has waited, by this machine's clock, and how much of it was left out.
    mutating func note(age: Duration, shed: Int, at now: Timestamp) {
        pending += overload.note(age: age, shed: shed, at: now)
    }

    /// Takes in what the program uses of the machine.
    mutating func note(_ usage: ResourceReview.Usage) { pending += resources.note(usage) }

    /// Why the session has to end, in a sentence; `nil` while it does not.
    var end: String? { resources.end }

    /// Takes what has begun and ended since the last call.
    mutating func takeReports() -> [ConditionReport] {
        defer { pending.removeAll() }
        return pending
    }

    /// Looks at everything.
    mutating func review(_ link: BrokerLinkState, at now: Timestamp) -> Answer {
        var answer = Answer()
        let account = lists.review(link, at: now)
        answer.questions = account.questions
        pending += account.reports + pause.review(link) + overload.review(at: now)
        answer.drains = restart.takeDrain(at: now)
        if link.isSynchronised {
            answer.questions += clock.questions(at: now)
            answer.questions += hours?.questions(at: now) ?? []
        }
        pending += clock.takeReports()
        if let reports = hours?.review(at: now) { pending += reports }
        answer.finished = hours?.takeFinished() ?? []
        answer.reports = takeReports()
        return answer
    }
}

extension BrokerLinkState {
    /// True where all lists were read, and the gateway answers.
    var isSynchronised: Bool {
        switch self {
        case .ready, .dataDegraded, .drain: true
        case .down, .handshake, .sync, .upstreamLost, .locked: false
        }
    }
}

extension Duration {
    /// So many times as long.
    func times(_ factor: Int64) -> Duration { Duration(nanoseconds: nanoseconds * factor) }
}
