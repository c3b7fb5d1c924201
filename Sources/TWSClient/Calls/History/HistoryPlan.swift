import Primitives
import TWSProtocol

/// How a range of history is asked for in pieces, newest first.
///
/// Each piece ends where the oldest bar begins that is there already, so that no hole can lie between two
/// of them, whatever a gateway takes a day or a week to be.
struct HistoryPlan: Sendable {
    /// A bar's length.
    let size: WireBarSize
    /// The first time wanted.
    let from: Timestamp
    /// What is still missing ends here.
    private(set) var end: Timestamp

    init(size: WireBarSize, from: Timestamp, to end: Timestamp) {
        self.size = size
        self.from = from
        self.end = end
    }

    /// Nothing is missing any more.
    var isComplete: Bool { end <= from }

    /// The next piece: how far back from `end`.
    var duration: HistoryDuration { Self.duration(covering: end - from, size: size) }

    /// A piece was answered.
    ///
    /// - Parameter first: its oldest bar; `nil` where there was none.
    mutating func answered(first: BarTime?) {
        let asked = Duration.seconds(duration.seconds ?? 86_400)
        if let first, first.order < end {
            end = first.order
        } else {
            // Nothing traded so far back, or only what is there already: go on behind it.
            end = end - asked
        }
    }

    /// The longest duration that gateways of every age give in one answer with bars of a size.
    static func longest(for size: WireBarSize) -> HistoryDuration {
        switch size {
        case .oneSecond: .seconds(1_800)
        case .fiveSeconds: .seconds(3_600)
        case .tenSeconds, .fifteenSeconds: .seconds(14_400)
        case .thirtySeconds: .seconds(28_800)
        case .oneMinute: .days(1)
        case .twoMinutes: .days(2)
        case .threeMinutes, .fourMinutes, .fiveMinutes, .tenMinutes, .fifteenMinutes,
            .twentyMinutes:
            .weeks(1)
        case .thirtyMinutes, .oneHour, .twoHours, .threeHours, .fourHours, .eightHours: .months(1)
        case .oneDay, .oneWeek, .oneMonth: .years(1)
        case .unknown: .days(1)
        }
    }

    /// The shortest duration that covers a length of time, at most the longest.
    static func duration(covering length: Duration, size: WireBarSize) -> HistoryDuration {
        let longest = longest(for: size)
        let step = Int64(size.seconds ?? 60)
        let seconds = max(length.secondsRoundedUp, step)
        guard seconds < longest.seconds ?? 0 else { return longest }
        return duration(seconds: seconds, step: step)
    }

    /// The shortest duration of at least `seconds`, in the unit that goes with bars of `step` seconds.
    static func duration(seconds: Int64, step: Int64) -> HistoryDuration {
        // Seconds go with bars of a minute at most; gateways want at least 30 of them.
        if step <= 60, seconds <= 86_400 { return .seconds(Int32(max(seconds, 30))) }
        let days = (seconds + 86_399) / 86_400
        if days <= 365 { return .days(Int32(days)) }
        return .years(Int32(clamping: min((days + 364) / 365, 68)))
    }
}

extension Duration {
    /// The least number of whole seconds that is no shorter.
    var secondsRoundedUp: Int64 {
        let (seconds, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder > 0 ? seconds + 1 : seconds
    }
}
