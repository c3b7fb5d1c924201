import Model
import Primitives

/// Cancels that were sent to a broker, and when each is sent once more while nothing answers.
///
/// A cancel changes nothing by coming twice, so it is repeated; an order counts as working until its end is proven.
struct AwaitedCancels: Sendable {
    private var all: [Awaited] = []
    /// When the next one is looked at, as a timer was set for it; `nil` without a timer.
    private(set) var wake: Timestamp?

    /// A cancel that was sent.
    private struct Awaited: Sendable {
        let order: OrderID
        /// When it is looked at next.
        var due: Timestamp
        /// How often it is sent again still.
        var triesLeft = AwaitedCancels.triesMax
    }

    /// What is done about a cancel whose answer is overdue.
    enum Step: Hashable, Sendable {
        /// It is sent once more.
        case sendAgain(OrderID)
        /// It was sent as often as it is: the user looks.
        case giveUp(OrderID)
    }

    /// What the engine knows of an order whose cancel is awaited.
    enum Outlook: Hashable, Sendable {
        /// It may still fill, and its cancel could be answered now.
        case open
        /// It may still fill; the cancel cannot be answered before that time.
        case waiting(until: Timestamp)
        /// Its end is known.
        case over
    }

    /// How long an answer may take.
    static let answerTime = Duration.seconds(10)
    /// How often a cancel is sent again.
    static let triesMax = 3

    /// Takes in that a cancel was sent.
    ///
    /// - Returns: when to look, where no timer is set for that time or an earlier one.
    mutating func sent(_ order: OrderID, at now: Timestamp) -> Timestamp? {
        all.removeAll { $0.order == order }
        all.append(Awaited(order: order, due: now + Self.answerTime))
        return setWake()
    }

    /// Looks at those that are due.
    ///
    /// - Returns: what is done, and when to look again.
    mutating func review(
        at now: Timestamp, _ outlook: (OrderID) -> Outlook
    ) -> (steps: [Step], wake: Timestamp?) {
        wake = nil
        var steps: [Step] = []
        var kept: [Awaited] = []
        for var awaited in all {
            switch outlook(awaited.order) {
            case .over: continue
            case .waiting(let time):
                awaited.due = max(time, now) + Self.answerTime
            case .open:
                guard awaited.due <= now else { break }
                guard awaited.triesLeft > 0 else {
                    steps.append(.giveUp(awaited.order))
                    continue
                }
                awaited.triesLeft -= 1
                awaited.due = now + Self.answerTime
                steps.append(.sendAgain(awaited.order))
            }
            kept.append(awaited)
        }
        all = kept
        return (steps, setWake())
    }

    private mutating func setWake() -> Timestamp? {
        guard let due = all.map(\.due).min(), wake.map({ due < $0 }) ?? true else { return nil }
        wake = due
        return due
    }
}

/// When the broker refused entries of each strategy last.
struct RecentRejections: Sendable {
    private var all: [Rejection] = []

    /// A refusal.
    private struct Rejection: Sendable {
        let strategy: StrategyID
        let at: Timestamp
    }

    /// So many refusals within `time` are too many.
    static let countMax = 3
    /// Within how long refusals count together.
    static let time = Duration.seconds(60)

    /// Takes in a refusal.
    ///
    /// - Returns: true if it is one too many.
    mutating func add(_ strategy: StrategyID, at now: Timestamp) -> Bool {
        all.removeAll { now - $0.at >= Self.time }
        all.append(Rejection(strategy: strategy, at: now))
        let count = all.count { $0.strategy == strategy }
        guard count >= Self.countMax else { return false }
        all.removeAll { $0.strategy == strategy }
        return true
    }
}
