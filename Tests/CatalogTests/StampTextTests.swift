import Primitives
import Testing

@testable import Catalog

@Suite struct StampTextTests {
    private static let day = Day("2019-02-11")

    @Test(arguments: [
        ("2019-02-11T09:30:00-05:00", Duration.minutes(570), Duration.hours(-5)),
        ("2019-02-11 09:30:00-0500", .minutes(570), .hours(-5)),
        ("2019-02-11T09:30-05", .minutes(570), .hours(-5)),
        ("2019-02-11T09:30:00Z", .minutes(570), .zero),
        ("2019-02-11T09:30:01.5+05:30", Duration(nanoseconds: 34_201_500_000_000), .minutes(330)),
        ("2019-02-11T23:59:59.999999999Z", Duration(nanoseconds: 86_399_999_999_999), .zero),
        ("2019-02-11T00:00:00.000000001Z", Duration(nanoseconds: 1), .zero),
    ])
    func dateTimesAreRead(text: String, sinceMidnight: Duration, offset: Duration) throws {
        let day = try #require(Self.day)
        #expect(
            StampText(text) == .reading(day: day, sinceMidnight: sinceMidnight, offset: offset))
    }

    @Test func offsetMayBeMissing() throws {
        let day = try #require(Self.day)
        #expect(
            StampText("2019-02-11 09:30")
                == .reading(day: day, sinceMidnight: .minutes(570), offset: nil))
        #expect(StampText("2019-02-11") == .date(day))
    }

    @Test(arguments: [
        ("915148800", 915_148_800_000_000_000), ("1549895400", 1_549_895_400_000_000_000),
        ("1549895400123", 1_549_895_400_123_000_000),
        ("1549895400123456", 1_549_895_400_123_456_000),
        ("1549895400123456789", 1_549_895_400_123_456_789),
    ])
    func digitsAreSecondsToNanosecondsByTheirNumber(text: String, nanoseconds: Int64) {
        #expect(StampText(text) == .epoch(Timestamp(nanoseconds: nanoseconds)))
    }

    @Test(arguments: [
        "", "2019", "20190211", "2019-2-11", "2019-02-30", "2019-13-01", "2019/02/11", "11-02-2019",
        "2019-02-11T", "2019-02-11T9:30", "2019-02-11T24:00:00Z", "2019-02-11T09:60:00Z",
        "2019-02-11T09:30:60Z", "2019-02-11T09:30:00.Z", "2019-02-11T09:30:00.1234567890Z",
        "2019-02-11T09:30:00z", "2019-02-11T09:30:00+5", "2019-02-11T09:30:00-05:00:00",
        "2019-02-11T09:30:00-24:00", "2019-02-11T09:30:00 America/New_York", "-1549895400",
        "9999999999999999999", "15498954001", "1549895400.5", "2019-02-11x",
    ])
    func everythingElseIsRefused(text: String) {
        #expect(StampText(text) == nil)
    }
}
