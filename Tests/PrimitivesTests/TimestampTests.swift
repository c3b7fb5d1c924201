import Primitives
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1_451_919_600_000_000_000, "2016-01-04T15:00:00Z"),
            (1, "1970-01-01T00:00:00.000000001Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
            (1_500_000_000, "1970-01-01T00:00:01.5Z"),
            (-86_400_000_000_000, "1969-12-31T00:00:00Z"),
            // 2^63 nanoseconds are 106,751 days, 23 hours, 47 minutes, 16.854775808 seconds.
            (Int64.max, "2262-04-11T23:47:16.854775807Z"),
            (Int64.min, "1677-09-21T00:12:43.145224192Z"),
        ] as [(Int64, String)])
    func printsISO8601(nanoseconds: Int64, text: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).description == text)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func isItsDayAndTheTimeSinceMidnight(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for shift in 0..<60 {
            // Kept off the first day there is, whose midnight is before the first timestamp there is.
            let timestamp = Timestamp(
                nanoseconds: (Int64(bitPattern: generator.next()) / 2) >> shift)
            let time = timestamp.sinceMidnight
            #expect(time >= .zero && time < .days(1))
            #expect(Timestamp(day: timestamp.day, sinceMidnight: time) == timestamp)
        }
    }

    @Test func theFirstAndTheLastTimestampHaveADay() {
        #expect(Timestamp.distantPast.day == Day(number: -106_752))
        #expect(Timestamp.distantPast.sinceMidnight == Duration(nanoseconds: 763_145_224_192))
        #expect(Timestamp.distantFuture.day == Day(number: 106_751))
    }

    @Test func addsAndSubtracts() throws {
        let day = try #require(Day("2019-02-11"))
        let timestamp = Timestamp(day: day, sinceMidnight: .hours(14))
        #expect(timestamp + .minutes(30) - timestamp == .seconds(1_800))
        #expect((timestamp - .hours(15)).day == day.advanced(by: -1))
        #expect(Timestamp(seconds: 2) == Timestamp(nanoseconds: 2_000_000_000))
        #expect(Timestamp.distantPast < timestamp && timestamp < .distantFuture)
    }

    /// No time stops the process: what lies beyond the first or last instant is that instant.
    @Test func arithmeticEndsWithTheFirstAndTheLastTimestamp() {
        let (past, future) = (Timestamp.distantPast, Timestamp.distantFuture)
        let (shortest, longest) = (Duration(nanoseconds: .min), Duration(nanoseconds: .max))
        #expect(past - .hours(5) == past && future + .hours(5) == future)
        #expect(past + shortest == past && future - shortest == future)
        #expect(past + longest == Timestamp(nanoseconds: -1))
        #expect(future - past == longest && past - future == shortest)
        #expect(longest + longest == longest && shortest + shortest == shortest)
        #expect(Timestamp(seconds: .max) == future && Timestamp(seconds: .min) == past)
        #expect(Timestamp(day: Day(number: .max)) == future)
        #expect(Timestamp(day: Day(number: .min), sinceMidnight: .hours(24)) == past + .hours(24))
        #expect(Duration.days(.max) == longest && Duration.minutes(.min) == shortest)
        #expect(Duration.milliseconds(.max) == longest && Duration.seconds(.min) == shortest)
    }

    @Test(
        arguments: [
            (Duration.zero, "0s"), (.days(1), "1d"), (.minutes(5), "5m"),
            (.milliseconds(250), "250ms"),
            (.hours(36), "36h"), (.seconds(90), "90s"), (Duration(nanoseconds: 1), "1ns"),
            (Duration(nanoseconds: 1_000_001), "1000001ns"), (.seconds(-90), "-90s"),
            (Duration(nanoseconds: .min), "-9223372036854775808ns"), (.days(2) + .hours(1), "49h"),
        ] as [(Primitives.Duration, String)])
    func durationsPrintInTheLargestUnitThatDivides(length: Primitives.Duration, text: String) {
        #expect(length.description == text)
    }
}
