import Primitives
import TWSProtocol

/// Times of news: `2024-01-02 14:30:00.0` in UTC, a form of its own.
enum NewsTime {
    /// The text of a timestamp.
    static func text(_ timestamp: Timestamp) -> WireTime {
        let second = timestamp.sinceMidnight.nanoseconds / 1_000_000_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return .other(
            "\(timestamp.day) \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)).0"
        )
    }

    /// The timestamp of a text; `nil` for none and for what cannot be read.
    static func timestamp(_ time: WireTime) -> Timestamp? {
        switch time {
        case .none: nil
        case .epoch, .utc: time.timestamp
        case .wall(let clock, let zone):
            isNewYork(zone)
                ? NewYork.timestamp(on: clock.day, at: .seconds(Int64(clock.second)))
                : Timestamp(day: clock.day, sinceMidnight: .seconds(Int64(clock.second)))
        case .day(let day): Timestamp(day: day)
        case .other(let text): timestamp(of: text)
        }
    }

    private static func isNewYork(_ zone: String) -> Bool {
        zone == "US/Eastern" || zone == "America/New_York"
    }

    /// Reads `2024-01-02 14:30:00`, with or without a fraction and a zone behind it, which is UTC.
    private static func timestamp(of text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard let first = parts.first, let day = Day(first) else { return nil }
        guard parts.count > 1 else { return Timestamp(day: day) }
        let clock = parts[1].prefix { $0 != "." }.split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0..<60).contains(clock[2])
        else { return nil }
        return Timestamp(
            day: day, sinceMidnight: .seconds(clock[0] * 3_600 + clock[1] * 60 + clock[2]))
    }
}
