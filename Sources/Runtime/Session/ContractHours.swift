import MarketState
import Primitives
import TWSClient
import TWSProtocol

/// The regular hours of a contract over some days, as the broker has listed them:
/// `20240102:0930-20240102:1600;20240106:CLOSED`.
struct ContractHours: Hashable, Sendable {
    /// The day on which they were asked for: the first that they list.
    let day: Day
    /// The zone of their times.
    let zone: String
    /// The text.
    let text: String
    private let intervals: [Interval]
    private let days: [Day]

    private struct Interval: Hashable, Sendable {
        let day: Day
        let begin: Timestamp
        let end: Timestamp
    }

    /// Hours in the broker's words; parts that cannot be read are left out.
    init(day: Day, zone: String, text: String) {
        self.day = day
        self.zone = zone
        self.text = text
        let clock = GatewayClock(zone: zone)
        var intervals: [Interval] = []
        var days: [Day] = []
        for part in text.split(separator: ";") {
            guard let first = Self.day(part.prefix(8)) else { continue }
            if part.dropFirst(8) == ":CLOSED" {
                days.append(first)
                continue
            }
            let ends = part.split(separator: "-")
            guard ends.count == 2, let last = Self.day(ends[1].prefix(8)),
                let begin = Self.time(ends[0], clock), let end = Self.time(ends[1], clock),
                begin < end
            else { continue }
            days.append(last)
            intervals.append(Interval(day: last, begin: begin, end: end))
        }
        self.intervals = intervals
        self.days = days
    }

    /// True if they say anything of a day.
    func lists(_ day: Day) -> Bool { days.contains(day) }

    /// True if the contract is traded in regular hours at a time.
    func contains(_ time: Timestamp) -> Bool {
        intervals.contains { $0.begin <= time && time < $0.end }
    }

    /// True if a day's hours are those of its session: all of it, and nothing else.
    func agree(with session: TradingSession?, on day: Day) -> Bool {
        let known = intervals.filter { $0.day == day }
        guard let session else { return known.isEmpty }
        guard let first = known.map(\.begin).min(), let last = known.map(\.end).max() else {
            return false
        }
        return known.count == 1 && first == session.open && last == session.close
    }

    private static func day(_ text: Substring) -> Day? {
        guard text.count == 8 else { return nil }
        return Day("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
    }

    /// `20240102:0930` by the clock of the zone.
    private static func time(_ text: Substring, _ clock: GatewayClock) -> Timestamp? {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let day = day(parts[0]), parts[1].count == 4,
            let number = Int32(parts[1]), number / 100 <= 24, number % 100 < 60
        else { return nil }
        let second = (number / 100 * 60 + number % 100) * 60
        let zone = clock.zone ?? ""
        return clock.timestamp(
            of: WireTime.WallClock(day: day, second: second), in: zone)
    }
}
