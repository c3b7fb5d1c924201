import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

/// C-22: every form of time that gateways write, and days on which clocks change.
@Suite struct GatewayClockTests {
    private func wall(_ year: Int, _ month: Int, _ day: Int, _ second: Int32) throws
        -> WireTime.WallClock
    {
        WireTime.WallClock(
            day: try #require(Day(year: year, month: month, day: day)), second: second)
    }

    private func timestamp(_ year: Int, _ month: Int, _ day: Int, _ second: Int64) throws
        -> Timestamp
    {
        Timestamp(
            day: try #require(Day(year: year, month: month, day: day)),
            sinceMidnight: .seconds(second))
    }

    /// 16:31:22 in New York's summer is 20:31:22 in UTC, whatever the zone is called.
    @Test(arguments: [
        "America/New_York", "US/Eastern", "EST", "EDT", "EST5EDT", "Eastern Daylight Time",
        "Eastern Standard Time",
    ])
    func zonesAreKnownByAllTheirNames(name: String) throws {
        let time = WireTime.wall(try wall(2023, 4, 13, 59_482), zone: name)
        #expect(
            GatewayClock(zone: nil).timestamp(of: time) == (try timestamp(2023, 4, 13, 73_882)))
    }

    @Test func timesWithoutAZoneAreThoseOfTheLogin() throws {
        let time = WireTime.wall(try wall(2025, 4, 15, 70_710), zone: "")
        let clock = GatewayClock(connectionTime: "20250415 19:38:30 British Summer Time")
        // 19:38:30 in London's summer.
        #expect(clock.timestamp(of: time) == (try timestamp(2025, 4, 15, 67_110)))
        #expect(GatewayClock(zone: nil).timestamp(of: time) == nil)
        #expect(GatewayClock(connectionTime: "20180817 13:31:03").zone == nil)
    }

    @Test func epochAndUTCNeedNoZone() throws {
        let clock = GatewayClock(zone: nil)
        #expect(clock.timestamp(of: .epoch(1_697_729_508)) == Timestamp(seconds: 1_697_729_508))
        #expect(
            clock.timestamp(of: .utc(try wall(2023, 4, 13, 59_482)))
                == (try timestamp(2023, 4, 13, 59_482)))
        #expect(clock.timestamp(of: .none) == nil)
        #expect(clock.timestamp(of: .day(try wall(2023, 4, 13, 0).day)) == nil)
    }

    /// Headlines: `2023-04-13 16:31:22.0`.
    @Test func headlinesTimesAreUTC() throws {
        let clock = GatewayClock(zone: "US/Eastern")
        #expect(
            clock.timestamp(of: .other("2023-04-13 16:31:22.0"))
                == (try timestamp(2023, 4, 13, 59_482)))
        for text in ["", "0714 09:30:00 US/Eastern", "2023-04-13 25:00:00.0", "2023-04-13", "x y"] {
            #expect(clock.timestamp(of: .other(text)) == nil)
        }
    }

    /// On 12 March 2023 New York's clocks went from 2:00 to 3:00: 1:59 is 6:59 UTC, 3:00 is 7:00 UTC, and
    /// 2:30, which there was not, is read by the clock before the change as 7:30 UTC.
    @Test func springLeavesAnHourOut() throws {
        let clock = GatewayClock(zone: "America/New_York")
        for (wallSecond, utcSecond) in [(7_140, 25_140), (10_800, 25_200), (9_000, 27_000)] {
            let time = WireTime.wall(try wall(2023, 3, 12, Int32(wallSecond)), zone: "")
            #expect(clock.timestamp(of: time) == (try timestamp(2023, 3, 12, Int64(utcSecond))))
        }
    }

    /// On 5 November 2023 they went from 2:00 back to 1:00: 1:30 came twice, first at 5:30 UTC; 0:59:59 is
    /// 4:59:59 UTC and 2:00 is 7:00 UTC.
    @Test func autumnGivesAnHourTwiceAndTheFirstCounts() throws {
        let clock = GatewayClock(zone: "America/New_York")
        for (wallSecond, utcSecond) in [(5_400, 19_800), (3_599, 17_999), (7_200, 25_200)] {
            let time = WireTime.wall(try wall(2023, 11, 5, Int32(wallSecond)), zone: "")
            #expect(clock.timestamp(of: time) == (try timestamp(2023, 11, 5, Int64(utcSecond))))
        }
    }

    @Test func anUnknownZoneIsNoTime() throws {
        let time = WireTime.wall(try wall(2023, 4, 13, 0), zone: "Middle Earth Time")
        #expect(GatewayClock(zone: "UTC").timestamp(of: time) == nil)
    }

    @Test func requestsNameTimesInUTC() throws {
        let time = WireTime(utc: try timestamp(2023, 4, 13, 59_482) + .milliseconds(900))
        #expect(time == .utc(try wall(2023, 4, 13, 59_482)))
        #expect("\(time)" == "20230413-16:31:22")
    }
}
