/// A bar's length as gateways know it. Any other text is answered with error 321.
public enum WireBarSize: WireWord {
    /// 1 second.
    case oneSecond
    /// 5 seconds.
    case fiveSeconds
    /// 10 seconds.
    case tenSeconds
    /// 15 seconds.
    case fifteenSeconds
    /// 30 seconds.
    case thirtySeconds
    /// 1 minute.
    case oneMinute
    /// 2 minutes.
    case twoMinutes
    /// 3 minutes.
    case threeMinutes
    /// 4 minutes; gateways of API version 10.44 and later.
    case fourMinutes
    /// 5 minutes.
    case fiveMinutes
    /// 10 minutes.
    case tenMinutes
    /// 15 minutes.
    case fifteenMinutes
    /// 20 minutes.
    case twentyMinutes
    /// 30 minutes.
    case thirtyMinutes
    /// 1 hour.
    case oneHour
    /// 2 hours.
    case twoHours
    /// 3 hours.
    case threeHours
    /// 4 hours.
    case fourHours
    /// 8 hours.
    case eightHours
    /// 1 day.
    case oneDay
    /// 1 week.
    case oneWeek
    /// 1 month.
    case oneMonth
    /// A text that is not known.
    case unknown(String)

    /// Every known length, shortest first.
    public static let known: [WireBarSize] = [
        .oneSecond, .fiveSeconds, .tenSeconds, .fifteenSeconds, .thirtySeconds, .oneMinute,
        .twoMinutes, .threeMinutes, .fourMinutes, .fiveMinutes, .tenMinutes, .fifteenMinutes,
        .twentyMinutes, .thirtyMinutes, .oneHour, .twoHours, .threeHours, .fourHours, .eightHours,
        .oneDay, .oneWeek, .oneMonth,
    ]
    /// Their words. Gateways also know `1W` and `1M`.
    public static let words = WordTable<WireBarSize>(
        known, others: ["1W": .oneWeek, "1M": .oneMonth])

    /// The text as it travels.
    public var word: String {
        switch self {
        case .oneSecond: "1 secs"
        case .fiveSeconds: "5 secs"
        case .tenSeconds: "10 secs"
        case .fifteenSeconds: "15 secs"
        case .thirtySeconds: "30 secs"
        case .oneMinute: "1 min"
        case .twoMinutes: "2 mins"
        case .threeMinutes: "3 mins"
        case .fourMinutes: "4 mins"
        case .fiveMinutes: "5 mins"
        case .tenMinutes: "10 mins"
        case .fifteenMinutes: "15 mins"
        case .twentyMinutes: "20 mins"
        case .thirtyMinutes: "30 mins"
        case .oneHour: "1 hour"
        case .twoHours: "2 hours"
        case .threeHours: "3 hours"
        case .fourHours: "4 hours"
        case .eightHours: "8 hours"
        case .oneDay: "1 day"
        case .oneWeek: "1 week"
        case .oneMonth: "1 month"
        case .unknown(let word): word
        }
    }

    /// The length in seconds, a month taken as 30 days; `nil` for a text that is not known.
    public var seconds: Int32? {
        switch self {
        case .oneSecond: 1
        case .fiveSeconds: 5
        case .tenSeconds: 10
        case .fifteenSeconds: 15
        case .thirtySeconds: 30
        case .oneMinute: 60
        case .twoMinutes: 120
        case .threeMinutes: 180
        case .fourMinutes: 240
        case .fiveMinutes: 300
        case .tenMinutes: 600
        case .fifteenMinutes: 900
        case .twentyMinutes: 1_200
        case .thirtyMinutes: 1_800
        case .oneHour: 3_600
        case .twoHours: 7_200
        case .threeHours: 10_800
        case .fourHours: 14_400
        case .eightHours: 28_800
        case .oneDay: 86_400
        case .oneWeek: 604_800
        case .oneMonth: 2_592_000
        case .unknown: nil
        }
    }
}
