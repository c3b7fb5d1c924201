public import Primitives

/// Notices a connection that is open and silent in either direction: state of sockets lies.
///
/// The owner asks for the gateway's clock again and again (`isProbeDue`), so that a healthy gateway is never silent, and
/// so that a line on which data come and nothing leaves is found out, too: a question without an answer is silence from
/// when it left. The clock passed in must not go backwards.
public struct Watchdog: Sendable {
    /// How long silence may last.
    public struct Limits: Hashable, Sendable {
        /// How often the gateway is asked for its clock.
        public var probe = Duration.seconds(5)
        /// Silence after which nothing may be opened.
        public var stale = Duration.seconds(10)
        /// Silence after which the user is notified.
        public var alarm = Duration.seconds(15)
        /// Silence after which the connection is dropped and made anew: later than slow gateways answer. While data
        /// come, a question is waited for twice as long: a slow gateway may delay both it and its answer.
        public var tearDown = Duration.seconds(45)

        /// 5, 10, 15 and 45 seconds.
        public init() {}
    }

    /// The line's condition, by its silence.
    public enum Health: Int, Comparable, Hashable, Sendable, CustomStringConvertible {
        /// Bytes came lately.
        case healthy
        /// Nothing may be opened.
        case stale
        /// The user must be notified.
        case alarm
        /// The connection is to be dropped.
        case tearDown

        /// The word in logs and in what a replay prints.
        public var description: String {
            switch self {
            case .healthy: "healthy"
            case .stale: "suspect"
            case .alarm: "alarm"
            case .tearDown: "tearDown"
            }
        }

        /// Orders by gravity.
        public static func < (left: Health, right: Health) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The limits in force.
    public let limits: Limits
    private var lastByte: Timestamp
    private var lastProbe: Timestamp
    /// When the first question left behind the newest answer; `nil` while none is open.
    private var unanswered: Timestamp?

    /// Watches a connection opened at `now`.
    public init(limits: Limits, at now: Timestamp) {
        self.limits = limits
        lastByte = now
        lastProbe = now
    }

    /// Bytes came.
    public mutating func received(at now: Timestamp) { lastByte = max(lastByte, now) }

    /// A question for the gateway's clock left.
    public mutating func asked(at now: Timestamp) { unanswered = unanswered ?? now }

    /// The gateway's clock came: what we send arrives. Of a slow gateway further answers are under way; what counts is
    /// how far they are apart.
    public mutating func answered() { unanswered = nil }

    /// Silence so far, in the direction in which it lasts longer.
    public func silence(at now: Timestamp) -> Duration { max(.zero, now - silentSince) }

    /// Since when nothing has come, or a question has had no answer.
    private var silentSince: Timestamp { min(lastByte, unanswered ?? lastByte) }

    /// When the connection is to be dropped unless something changes.
    private var dropTime: Timestamp {
        let quiet = lastByte + limits.tearDown
        return unanswered.map { min(quiet, $0 + limits.tearDown + limits.tearDown) } ?? quiet
    }

    /// The line's condition at `now`.
    public func health(at now: Timestamp) -> Health {
        if dropTime <= now { return .tearDown }
        let silence = silence(at: now)
        if silence >= limits.alarm { return .alarm }
        return silence >= limits.stale ? .stale : .healthy
    }

    /// True when the gateway should be asked for its clock; counts as asked.
    public mutating func isProbeDue(at now: Timestamp) -> Bool {
        guard now - lastProbe >= limits.probe else { return false }
        lastProbe = now
        return true
    }

    /// When to look again at the latest.
    public func nextLook(after now: Timestamp) -> Timestamp {
        let marks = [silentSince + limits.stale, silentSince + limits.alarm, dropTime]
        // A question that is due already is not put off by what comes meanwhile.
        let probe = max(lastProbe + limits.probe, now)
        return marks.filter { $0 > now }.reduce(probe) { min($0, $1) }
    }
}
