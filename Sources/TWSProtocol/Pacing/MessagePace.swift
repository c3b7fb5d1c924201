public import Primitives

/// What goes first where not everything can go at once.
public enum MessagePriority: Int, Hashable, Comparable, CaseIterable, Sendable {
    /// Cancels of orders.
    case cancel
    /// Orders and their changes, and the session's own few messages: the time probe and the questions
    /// that bring the account up to date. Behind a thousand requests for data a probe would make a
    /// healthy gateway look dead.
    case order
    /// Everything else: market data, history, contracts, scanners.
    case data

    /// Orders by what goes first.
    public static func < (left: MessagePriority, right: MessagePriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// How many messages may leave for the gateway, and when.
///
/// The gateway takes half as many messages a second as there are market data lines: 50 with the 100
/// lines of a plain account. Above that it answers code 100, and ends the session at the third.
/// We spend 80 % of it, counted so that no second, wherever it begins, holds more than `perSecond`
/// departures. The rest is for what we cannot see: messages that were held up on their way arrive
/// closer together than they left.
///
/// Of the budget a tenth is kept for cancels, and a tenth more for cancels and orders. Data also
/// leave spread out, at most an eighth of the budget in any tenth of a second, so that a delay of up
/// to a fifth of a second between us and the gateway does not let two bursts of data meet there.
/// Cancels and orders are not spread out: of them the first matters more than the last.
///
/// All times are of a clock that never steps, whatever it counts from. A time before the latest one
/// is taken for the latest one.
public struct MessagePace: Sendable {
    /// The messages that may leave in any second, of all priorities together.
    public private(set) var perSecond: Int
    /// How often the gateway warned in this connection that there were too many.
    public private(set) var warnings = 0
    private let perSecondAtFirst: Int
    private var log: DepartureLog
    private var latest = Timestamp.distantPast

    /// What code 100 leads to.
    public enum OverLimit: Hashable, Sendable {
        /// From now on at most so many messages leave in a second.
        case slowed(perSecond: Int)
        /// The third: the gateway is about to end the session.
        case sessionEnds
    }

    /// A pace under a gateway's limit.
    ///
    /// - Parameter limitPerSecond: messages a second that the gateway takes; what lies outside
    ///   4...10,000 is taken for the nearer end.
    public init(limitPerSecond: Int = 50) {
        perSecond = min(max(4, limitPerSecond), 10_000) * 80 / 100
        perSecondAtFirst = perSecond
        log = DepartureLog(capacity: perSecond)
    }

    /// A pace under the limit that comes with so many market data lines: half of them a second.
    public init(marketDataLines: Int) {
        self.init(limitPerSecond: marketDataLines / 2)
    }

    /// The messages of the last second with which one of `priority` may no longer leave.
    public func share(of priority: MessagePriority) -> Int {
        let reserve = max(1, perSecond / 10)
        return switch priority {
        case .cancel: perSecond
        case .order: max(1, perSecond - reserve)
        case .data: max(1, perSecond - 2 * reserve)
        }
    }

    /// How long a message of `priority` would wait if nothing else left before it. Takes no place.
    public func delay(for priority: MessagePriority, at time: Timestamp) -> Duration {
        let now = max(time, latest)
        let opens = opens(for: priority)
        return opens > now ? opens - now : .zero
    }

    /// Takes a place for a message that leaves now.
    ///
    /// - Returns: whether there was one; otherwise nothing is taken and the message has to wait.
    public mutating func take(_ priority: MessagePriority, at time: Timestamp) -> Bool {
        latest = max(time, latest)
        guard opens(for: priority) <= latest else { return false }
        log.note(latest)
        return true
    }

    /// The gateway answered code 100: halves the budget until the next connection.
    ///
    /// It does not grow back within a connection, because the gateway counts the warnings of all of
    /// it and drops the connection at the third.
    public mutating func overLimitReported() -> OverLimit {
        warnings += 1
        perSecond = max(1, perSecond / 2)
        return warnings < 3 ? .slowed(perSecond: perSecond) : .sessionEnds
    }

    /// A new connection begins: the full budget again, and no warnings. Departures are remembered,
    /// since the gateway may count them still.
    public mutating func reconnected() {
        perSecond = perSecondAtFirst
        warnings = 0
    }

    /// The first time at which a message of `priority` may leave. Never earlier for a lower
    /// priority than for a higher one.
    func opens(for priority: MessagePriority) -> Timestamp {
        let opens = log.opens(to: share(of: priority), in: .seconds(1))
        guard priority == .data else { return opens }
        return max(opens, log.opens(to: perSecond / 8, in: .milliseconds(100)))
    }
}
