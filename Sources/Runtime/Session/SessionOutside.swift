import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import TWSVenue

/// What a session has to know of companies' doings: the user's corporate actions on their days, and the closes of past
/// days, which show those that nobody named.
struct SessionOutside: Sendable {
    private var actions: SessionActions
    private var closes: DailyCloses
    private let calendar: SessionCalendar
    /// When closes are asked for next.
    private var closesDue: Timestamp?

    /// How long before the open closes are asked for.
    private static let lead = Duration.minutes(30)
    /// How long after a refusal they are asked for once more.
    private static let pause = Duration.minutes(5)

    init(_ actions: SessionActions, _ closes: DailyCloses, _ calendar: SessionCalendar) {
        self.actions = actions
        self.closes = closes
        self.calendar = calendar
    }

    /// When time has to pass next; `nil` while nothing is waited for.
    ///
    /// - Parameter asks: false while nothing can be asked.
    func wake(asks: Bool) -> Timestamp? {
        [asks ? closesDue : nil, actions.next].compactMap(\.self).min()
    }

    /// Takes the corporate actions whose day has come.
    mutating func takeActions(at now: Timestamp) -> [CorporateAction] {
        actions.takeDue(on: calendar.day(of: now), calendar)
    }

    /// What is to be asked: past closes, with each connection and before each session.
    mutating func questions(at now: Timestamp) -> [ClientMessage] {
        guard let due = closesDue, now >= due else { return [] }
        closesDue = nextMorning(behind: now)
        return closes.areAwaited ? [] : closes.questions()
    }

    /// Takes in an event of the gateway's connection.
    ///
    /// - Returns: the closes of complete days that it brings, oldest first, and a request that is over.
    mutating func take(
        _ event: SessionEvent, at now: Timestamp
    ) -> (closes: [DailyClose], finished: RequestID?)? {
        switch event {
        case .resubscribe(.ofNewConnection), .resubscribe(.all):
            closes.forget()
            closesDue = now
            return nil
        case .disconnected:
            closes.forget()
            closesDue = nil
            return nil
        default: break
        }
        guard let answer = closes.take(event) else { return nil }
        if answer.finished != nil, answer.closes.isEmpty {
            closesDue = min(closesDue ?? .distantFuture, now + Self.pause)
        }
        let today = calendar.day(of: now)
        return (answer.closes.filter { $0.day < today }, answer.finished)
    }

    private func nextMorning(behind now: Timestamp) -> Timestamp? {
        var day = calendar.day(of: now)
        for _ in 0..<10 {
            if calendar.hasSession(on: day), calendar.open(on: day) - Self.lead > now {
                return calendar.open(on: day) - Self.lead
            }
            day = day.advanced(by: 1)
        }
        return nil
    }
}
