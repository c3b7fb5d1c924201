import MarketState
package import Model
package import Primitives

/// When intents go to the market, in which hours their orders work, and for how long.
package struct ExecutionRules: Hashable, Sendable {
    /// When what strategies want at the market goes there; without sessions always at once.
    package var window = ExecutionWindow.now
    /// How long before the open an order for the opening auction has to leave. An hour or less.
    package var openingCutoff = Duration.minutes(2)
    /// How long before the close an order for the closing auction has to leave. An hour or less.
    package var closingCutoff = Duration.minutes(10)
    /// Whether orders whose terms do not set it also work outside regular hours.
    package var outsideRTH = false
    /// How long entries may work that should have traded at once; `nil`: as long as their terms say.
    package var timeLimit: WorkingTimeLimit?
    /// When no entries leave, on every day: the broker's maintenance, in which orders get lost.
    package var maintenance: [DailyInterval] = []

    /// At once, in regular hours, as long as the terms say.
    package init() {}
}

/// How long an entry may work that should have traded at once: a limit at or through the market.
package struct WorkingTimeLimit: Hashable, Sendable {
    /// How long, in its session; positive.
    package let length: Duration
    /// What happens then.
    package let action: Action

    /// What happens to an entry whose time is over.
    package enum Action: Hashable, Sendable {
        /// It is cancelled.
        case cancel
        /// It is cancelled, and when it has ended its rest is sent at the market's price of then; so
        /// many times, then it is only cancelled.
        case reprice(timesMax: Int)
        /// It is cancelled, and when it has ended its rest is sent at the market.
        case escalate
    }

    /// A limit.
    package init(_ length: Duration, then action: Action) {
        self.length = length
        self.action = action
    }
}

/// What an execution window means for an intent at a timestamp.
enum WindowPlan: Hashable, Sendable {
    /// It goes now, and trades there.
    case send(MarketPlacement)
    /// It waits; always later than the timestamp.
    case wait(until: Timestamp)
}

extension ExecutionRules {
    /// True if an order of that type goes at whatever the market gives, in this execution window.
    func isLeftToMarket(_ type: OrderType) -> Bool {
        switch type {
        case .market: true
        case .marketOnOpen: window == .open
        case .marketOnClose: window == .close
        case .limit, .stop, .stopLimit, .trailingStop, .limitOnOpen, .limitOnClose: false
        }
    }

    /// What the window means for a decision made at `now`.
    ///
    /// Auctions take orders until their cut-off and again when the session is over. What comes in
    /// between waits for that: orders for the next day's auction are not taken in a session.
    func plan(at now: Timestamp, in calendar: SessionCalendar) -> WindowPlan {
        guard calendar != .always else { return .send(.market) }
        let day = calendar.day(of: now)
        let session = calendar.session(on: day)
        switch window {
        case .now: return .send(.market)
        case .open:
            guard let session, now > session.open - openingCutoff, now < session.close else {
                return .send(.openingAuction)
            }
            return .wait(until: session.close)
        case .close:
            guard let session, now > session.close - closingCutoff, now < session.close else {
                return .send(.closingAuction)
            }
            return .wait(until: session.close)
        case .afterOpen(let delay):
            if let window = session.map({ $0.open + delay }), now <= window {
                return now == window ? .send(.market) : .wait(until: window)
            }
            return .wait(until: calendar.nextSession(after: day).open + delay)
        }
    }

    /// What it means for an intent that has waited for `now`, or for earlier: wake-ups may come late.
    func planAfterWaiting(at now: Timestamp, in calendar: SessionCalendar) -> WindowPlan {
        if case .afterOpen(let delay) = window, let session = calendar.session(containing: now),
            now >= session.open + delay
        {
            return .send(.market)
        }
        return plan(at: now, in: calendar)
    }

    /// When the maintenance ends in which `now` lies; `nil` when it is in none.
    func maintenanceEnd(at now: Timestamp, in calendar: SessionCalendar) -> Timestamp? {
        maintenance.end(at: now, in: calendar)
    }
}
