import MarketState
import Primitives
import Testing

@testable import Catalog

@Suite struct BarTextTests {
    @Test func timesOnDaysWhenClocksChangeAreWrittenWithTheirOffset() throws {
        var text = BarText(isDated: false, calendar: .newYork)
        // 2024-03-10, 02:00 in New York becomes 03:00; 2024-11-03, 02:00 becomes 01:00.
        for (utc, local) in [
            ("2024-03-10T06:59:00Z", "2024-03-10T01:59:00-05:00"),
            ("2024-03-10T07:00:00Z", "2024-03-10T03:00:00-04:00"),
            ("2024-03-11T13:30:00Z", "2024-03-11T09:30:00-04:00"),
            ("2024-11-03T05:59:00Z", "2024-11-03T01:59:00-04:00"),
            ("2024-11-03T06:00:00Z", "2024-11-03T01:00:00-05:00"),
            ("2024-11-03T15:00:00Z", "2024-11-03T10:00:00-05:00"),
            ("2024-03-10T06:00:00Z", "2024-03-10T01:00:00-05:00"),
        ] { #expect(try text.stamp(timestamp(utc)) == local) }
    }
}
