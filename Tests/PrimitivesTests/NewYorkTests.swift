import Foundation
import Primitives
import Testing

@Suite struct NewYorkTests {
    private let zone: TimeZone

    init() throws { zone = try #require(TimeZone(identifier: "America/New_York")) }

    private func secondsBehindUTC(at timestamp: Timestamp) -> Int {
        let seconds = Double(timestamp.nanoseconds / 1_000_000_000)
        return -zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    }

    /// Every hour, and the second before it, of two days around every change Foundation knows.
    @Test func agreesWithFoundationAroundEveryChange() throws {
        var date = Date(timeIntervalSince1970: 0)
        var changes = 0
        while let change = zone.nextDaylightSavingTimeTransition(after: date) {
            guard change.timeIntervalSince1970 < 2_145_916_800 else { break }  // 2038-01-01
            date = change
            changes += 1
            let start = Int64(change.timeIntervalSince1970)
            for hour in -24...24 as ClosedRange<Int64> {
                for second in [-1, 0] as [Int64] {
                    let timestamp = Timestamp(seconds: start + hour * 3_600 + second)
                    let expected = Duration.seconds(Int64(secondsBehindUTC(at: timestamp)))
                    #expect(NewYork.behindUTC(at: timestamp) == expected, "\(timestamp)")
                }
            }
        }
        #expect(changes == 2 * 68)
    }

    /// Foundation's list of changes could itself be short: the rules' months, hour by hour.
    @Test(arguments: 1970...2037)
    func agreesWithFoundationOnARandomTimeOfEveryDay(year: Int) throws {
        var generator = SeededGenerator(seed: UInt64(year))
        var day = try #require(Day(year: year, month: 1, day: 1))
        while day.date.year == year {
            let second = Int64.random(in: 0..<86_400, using: &generator)
            let timestamp = Timestamp(day: day, sinceMidnight: .seconds(second))
            let behind = secondsBehindUTC(at: timestamp)
            #expect(NewYork.behindUTC(at: timestamp) == .seconds(Int64(behind)), "\(timestamp)")
            let local = Timestamp(seconds: timestamp.nanoseconds / 1_000_000_000 - Int64(behind))
            #expect(NewYork.day(at: timestamp) == local.day)
            day = day.advanced(by: 1)
        }
    }

    @Test(
        arguments: [
            // The open in winter and summer; the hour that is skipped, taken as standard time; the
            // hour that comes twice, taken as the first; the emergency years.
            ("2019-02-11", 570, "2019-02-11T14:30:00Z"),
            ("2019-07-01", 570, "2019-07-01T13:30:00Z"),
            ("2019-03-10", 150, "2019-03-10T07:30:00Z"),
            ("2019-03-10", 119, "2019-03-10T06:59:00Z"),
            ("2019-03-10", 180, "2019-03-10T07:00:00Z"),
            ("2019-11-03", 90, "2019-11-03T05:30:00Z"),
            ("2019-11-03", 120, "2019-11-03T07:00:00Z"),
            ("1974-01-07", 720, "1974-01-07T16:00:00Z"),
            ("1975-02-22", 720, "1975-02-22T17:00:00Z"),
            ("1975-02-24", 720, "1975-02-24T16:00:00Z"),
        ] as [(String, Int64, String)])
    func readsTheWallClock(day: String, minutes: Int64, timestamp: String) throws {
        let day = try #require(Day(day))
        let read = NewYork.timestamp(on: day, at: .minutes(minutes))
        #expect(read.description == timestamp)
    }

    @Test func wallClockReadingsComeBack() throws {
        let first = try #require(Day(year: 1970, month: 1, day: 1))
        for offset in 0..<24_000 {
            let day = first.advanced(by: offset)
            let noon = NewYork.timestamp(on: day, at: .hours(12))
            #expect(NewYork.day(at: noon) == day)
            let midnight = NewYork.timestamp(on: day, at: .zero)
            #expect(NewYork.day(at: midnight) == day)
            #expect(NewYork.day(at: midnight - .seconds(1)) == day.advanced(by: -1))
        }
    }

    /// Instants that follow one another, and leaps.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func aClockGivesTheDaysOfEveryTimestamp(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var clock = NewYorkClock()
        let first = try #require(Day(year: 1970, month: 1, day: 1))
        var timestamp = Timestamp(day: first)
        for _ in 0..<2_000 {
            #expect(clock.day(at: timestamp) == NewYork.day(at: timestamp), "\(timestamp)")
            timestamp = timestamp + .seconds(Int64.random(in: 0..<4_000_000, using: &generator))
            guard Int.random(in: 0..<10, using: &generator) == 0 else { continue }
            let leap = Int.random(in: 0..<25_000, using: &generator)
            timestamp = Timestamp(day: first.advanced(by: leap))
        }
    }

    /// Every hour, and the second before it: changes of clocks and new years among them.
    @Test(arguments: [1974, 1975, 1986, 1987, 2006, 2007, 2024])
    func aClockGivesTheDaysOfEveryHour(year: Int) throws {
        var clock = NewYorkClock()
        let start = Timestamp(day: try #require(Day(year: year, month: 1, day: 1)))
        for hour in -24..<8_808 as Range<Int64> {
            for second in [-1, 0] as [Int64] {
                let timestamp = start + .hours(hour) + .seconds(second)
                #expect(clock.day(at: timestamp) == NewYork.day(at: timestamp), "\(timestamp)")
            }
        }
    }

    /// The years whose changes of clocks a timestamp cannot say, and those around them.
    @Test func theCalendarHasAnAnswerForEveryTimeAndDay() {
        var generator = SeededGenerator(seed: 1)
        var timestamps: [Timestamp] = []
        for offset in 0..<800 {
            let length = Duration.days(Int64(offset))
            timestamps += [.distantPast + length, .distantFuture - length]
            timestamps.append(Timestamp(nanoseconds: Int64(bitPattern: generator.next())))
        }
        var clock = NewYorkClock()
        for timestamp in timestamps {
            #expect([.hours(4), .hours(5)].contains(NewYork.behindUTC(at: timestamp)))
            #expect(clock.day(at: timestamp) == NewYork.day(at: timestamp))
        }
        for number in [Int32.min, -106_753, -106_752, -106_751, 106_750, 106_751, 106_752, .max] {
            let day = Day(number: number)
            let timestamp = NewYork.timestamp(on: day, at: .hours(23))
            #expect(
                number < 0 ? timestamp < Timestamp(seconds: 0) : timestamp > Timestamp(seconds: 0))
        }
    }
}
