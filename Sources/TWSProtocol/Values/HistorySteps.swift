/// Which lengths of bars go with which durations.
///
/// The broker has published two tables: by the duration's unit, and an older one by its length. Each
/// names pairs the other leaves out and that gateways serve (bars of a day over a month, bars of five
/// seconds over a day), so a pair is impossible only where both leave it out.
enum HistorySteps {
    /// The shortest and the longest bar.
    typealias Bars = (shortest: WireBarSize, longest: WireBarSize)

    /// The bars that go with `duration`; `nil` for text of another form.
    static func bars(for duration: HistoryDuration) -> Bars? {
        guard let seconds = duration.seconds, let byUnit = bars(forUnitOf: duration) else {
            return nil
        }
        let byLength = bars(forLength: seconds)
        return (
            lesser(byUnit.shortest, byLength.shortest), greater(byUnit.longest, byLength.longest)
        )
    }

    /// The table by unit.
    static func bars(forUnitOf duration: HistoryDuration) -> Bars? {
        switch duration {
        case .seconds: (.oneSecond, .oneMinute)
        case .days: (.fiveSeconds, .oneHour)
        case .weeks: (.tenSeconds, .fourHours)
        case .months: (.thirtySeconds, .eightHours)
        case .years: (.oneMinute, .oneDay)
        case .other: nil
        }
    }

    /// The older table. A length between two rows counts as the longer one, and one beyond the last
    /// row as that.
    static func bars(forLength seconds: Int64) -> Bars {
        let row = byLength.first { seconds <= $0.seconds } ?? byLength[byLength.count - 1]
        return (row.shortest, row.longest)
    }

    private typealias Row = (seconds: Int64, shortest: WireBarSize, longest: WireBarSize)

    private static let byLength: [Row] = [
        (60, .oneSecond, .oneMinute),
        (120, .oneSecond, .twoMinutes),
        (1_800, .oneSecond, .thirtyMinutes),
        (3_600, .fiveSeconds, .oneHour),
        (14_400, .tenSeconds, .threeHours),
        (28_800, .thirtySeconds, .eightHours),
        (86_400, .oneMinute, .oneDay),
        (172_800, .twoMinutes, .oneDay),
        (604_800, .threeMinutes, .oneWeek),
        (2_592_000, .thirtyMinutes, .oneMonth),
        (31_536_000, .oneDay, .oneMonth),
    ]

    private static func lesser(_ left: WireBarSize, _ right: WireBarSize) -> WireBarSize {
        (left.seconds ?? 0) <= (right.seconds ?? 0) ? left : right
    }

    private static func greater(_ left: WireBarSize, _ right: WireBarSize) -> WireBarSize {
        (left.seconds ?? 0) >= (right.seconds ?? 0) ? left : right
    }
}
