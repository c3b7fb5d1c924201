import Model
import Primitives
import TWSClient
import TWSProtocol

/// Measures how far this machine's clock is from the gateway's: asks for the gateway's time now and then, and takes the
/// middle of the newest answers.
///
/// The gateway tells whole seconds, and an answer takes its time: what lies within that is no difference.
struct ClockReview: Sendable {
    private let patience: Int64
    private var askedAt: Timestamp?
    private var due = Timestamp.distantPast
    private var samples: [Duration] = []
    private var holding: [SessionCondition] = []
    private var reports: [ConditionReport] = []

    /// From which difference on it is an alarm.
    static let drift = Duration.seconds(2)
    /// From which difference on no entry leaves.
    static let skew = Duration.seconds(30)
    /// How many answers are kept.
    static let samplesMax = 5
    /// How many are needed.
    static let samplesMin = 3
    /// How often the gateway is asked, once enough is known.
    static let interval = Duration.seconds(60)
    /// How often before.
    static let firstInterval = Duration.seconds(5)

    /// - Parameter patience: how many times as large differences are allowed.
    init(patience: Int64) { self.patience = patience }

    /// The gateway's clock less this machine's; `nil` before enough was measured.
    var difference: Duration? {
        guard samples.count >= Self.samplesMin else { return nil }
        return samples.sorted()[samples.count / 2]
    }

    /// The question that is due, if one is.
    mutating func questions(at now: Timestamp) -> [ClientMessage] {
        guard now >= due else { return [] }
        askedAt = now
        due = now + (samples.count < Self.samplesMin ? Self.firstInterval : Self.interval)
        return [.reqCurrentTime(ReqCurrentTime())]
    }

    /// Takes in an event of the session.
    mutating func take(_ event: SessionEvent, at now: Timestamp) {
        switch event {
        case .disconnected:
            askedAt = nil
            samples.removeAll()
            due = .distantPast
        case .message(.currentTime(let message), _):
            guard let asked = askedAt, let named = WireTime.epoch(message.time).timestamp else {
                return
            }
            askedAt = nil
            // The gateway's clock showed this second at some time between question and answer.
            let (least, most) = (named - now, named + .seconds(1) - asked)
            samples.append(least > .zero ? least : most < .zero ? most : .zero)
            if samples.count > Self.samplesMax { samples.removeFirst() }
            review()
        default: break
        }
    }

    private mutating func review() {
        guard let difference else { return }
        let size = Duration(nanoseconds: Int64(clamping: difference.nanoseconds.magnitude))
        let (drift, skew) = (Self.drift.times(patience), Self.skew.times(patience))
        set(.clockDrifting, size > drift && size <= skew, difference)
        set(.clockSkewed, size > skew, difference)
    }

    private mutating func set(
        _ condition: SessionCondition, _ isPresent: Bool, _ difference: Duration
    ) {
        guard holding.contains(condition) != isPresent else { return }
        if isPresent { holding.append(condition) } else { holding.removeAll { $0 == condition } }
        reports.append(
            ConditionReport(condition, isPresent: isPresent, value: difference.nanoseconds))
    }

    /// Takes what has begun and ended since the last call.
    mutating func takeReports() -> [ConditionReport] {
        defer { reports.removeAll() }
        return reports
    }
}
