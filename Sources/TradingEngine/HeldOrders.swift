import Model
import Primitives

/// Orders that the broker has and does not let work, and when each is an alarm.
///
/// They count as working, and nothing is sent in their place.
struct HeldOrders: Sendable {
    private var all: [HeldOrder] = []
    /// When the next one is looked at, as a timer was set for it; `nil` without a timer.
    private(set) var wake: Timestamp?

    /// An order that is held.
    private struct HeldOrder: Sendable {
        let order: OrderID
        /// Since when.
        let since: Timestamp
        /// When it is an alarm next.
        var due: Timestamp
    }

    /// An order that is an alarm, and how long it has been held.
    struct Alarm: Hashable, Sendable {
        /// The order.
        let order: OrderID
        /// For how long.
        let time: Duration
    }

    /// What the engine knows of an order that is held.
    enum Outlook: Hashable, Sendable {
        /// It may still fill, and the market is open.
        case open
        /// It may still fill; the market opens at that time.
        case waiting(until: Timestamp)
        /// It has ended.
        case over
    }

    /// How long an order is held in the market's hours before it is an alarm.
    static let time = Duration.minutes(5)
    /// How long behind an alarm the next follows.
    static let interval = Duration.hours(1)

    /// True while none is held.
    var isEmpty: Bool { all.isEmpty }

    /// Takes in that an order is held.
    ///
    /// - Parameter start: when the market is open from then on.
    /// - Returns: when to look, where no timer is set for that time or an earlier one.
    mutating func began(_ order: OrderID, at now: Timestamp, open start: Timestamp) -> Timestamp? {
        guard !all.contains(where: { $0.order == order }) else { return nil }
        all.append(HeldOrder(order: order, since: now, due: start + Self.time))
        return setWake()
    }

    /// Takes in that an order works or has ended.
    mutating func ended(_ order: OrderID) { all.removeAll { $0.order == order } }

    /// Looks at those that are due.
    ///
    /// - Returns: those that are an alarm, and when to look again.
    mutating func review(
        at now: Timestamp, _ outlook: (OrderID) -> Outlook
    ) -> (alarms: [Alarm], wake: Timestamp?) {
        wake = nil
        var alarms: [Alarm] = []
        all = all.compactMap { held in
            var held = held
            switch outlook(held.order) {
            case .over: return nil
            case .waiting(let open): held.due = max(held.due, open + Self.time)
            case .open:
                guard held.due <= now else { break }
                alarms.append(Alarm(order: held.order, time: now - held.since))
                held.due = now + Self.interval
            }
            return held
        }
        return (alarms, setWake())
    }

    private mutating func setWake() -> Timestamp? {
        guard let due = all.map(\.due).min(), wake.map({ due < $0 }) ?? true else { return nil }
        wake = due
        return due
    }
}
