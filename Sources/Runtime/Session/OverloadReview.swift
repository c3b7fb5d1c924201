import Model
import Primitives

/// The conditions that follow when more comes than is taken in.
struct OverloadReview: Sendable {
    private var isBehind = false
    /// When the newest loss of data ends being one.
    private var shedUntil: Timestamp?

    /// From which age on what comes is too old for entries.
    static let ageMax = Duration.seconds(2)
    /// Below which age the session has caught up.
    static let ageEnd = Duration.seconds(1)
    /// How long data are said to be left out behind the last time.
    static let shedTime = Duration.seconds(60)

    /// Takes in how long what is taken in next has waited, and how many messages were left out.
    mutating func note(age: Duration, shed: Int, at now: Timestamp) -> [ConditionReport] {
        var reports: [ConditionReport] = []
        if !isBehind, age > Self.ageMax {
            isBehind = true
            reports.append(
                ConditionReport(.fallingBehind, isPresent: true, value: age.nanoseconds))
        } else if isBehind, age < Self.ageEnd {
            isBehind = false
            reports.append(ConditionReport(.fallingBehind, isPresent: false))
        }
        if shed > 0 {
            if shedUntil == nil {
                reports.append(ConditionReport(.dataShed, isPresent: true, value: Int64(shed)))
            }
            shedUntil = now + Self.shedTime
        }
        return reports
    }

    /// Takes in that time has passed.
    mutating func review(at now: Timestamp) -> [ConditionReport] {
        guard let until = shedUntil, now >= until else { return [] }
        shedUntil = nil
        return [ConditionReport(.dataShed, isPresent: false)]
    }
}
