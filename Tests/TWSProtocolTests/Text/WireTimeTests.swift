import Primitives
import TWSProtocol
import Testing

@Suite struct WireTimeTests {
    /// Reads times one after the other, as those of bars stand in one message.
    private func read(_ texts: [String]) throws -> [WireTime] {
        let bars = texts.map { "\($0)|1|1|1|1|1|1|1" }
        let text = "7|\(texts.count)|" + bars.map { "\($0)|" }.joined()
        let bytes = text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
        return try bytes.withUnsafeBufferPointer {
            try HistoricalData.read($0, at: .newest).record.bars.map(\.date)
        }
    }

    private let day = Day(year: 2023, month: 4, day: 13)

    @Test func formsAreDistinguished() throws {
        let clock = WireTime.WallClock(day: try #require(day), second: 59_482)
        let times = try read([
            "20230413  16:31:22", "20230413 16:31:22 US/Eastern", "20230413 16:31:22",
            "20230413-16:31:22", "20230413-16:31:22Z", "20230413", "1681403482", "",
            "20230413 16:31:22 British Summer Time", "0714 09:30:00 US/Eastern",
            "20230431 16:31:22", "20230413 24:00:00", "20230413 16:31:22 ", "2023-04-13 16:31:22.0",
        ])
        #expect(
            times == [
                .wall(clock, zone: ""), .wall(clock, zone: "US/Eastern"), .wall(clock, zone: ""),
                .utc(clock), .utc(clock), .day(clock.day), .epoch(1_681_403_482), .none,
                .wall(clock, zone: "British Summer Time"), .other("0714 09:30:00 US/Eastern"),
                .other("20230431 16:31:22"), .other("20230413 24:00:00"),
                .other("20230413 16:31:22 "), .other("2023-04-13 16:31:22.0"),
            ])
    }

    /// A day and zone read before are taken again only when they are the same.
    @Test func neighboursDoNotChangeEachOther() throws {
        let texts = [
            "20230413 16:31:22 US/Eastern", "20230414 16:31:22 US/Eastern",
            "20230414 16:31:22 US/Central", "20230414 16:31:22 UTC", "20230431 16:31:22 UTC",
            "20230431 16:31:22 UTC", "20230413 00:00:00 US/Eastern", "20230413  23:59:59",
        ]
        #expect(try read(texts) == texts.flatMap { try read([$0]) })
        #expect(try read(texts).map(\.description) == texts)
    }

    @Test(
        arguments: [
            "20230413  16:31:22", "20230413 06:01:02 US/Eastern", "20230413-16:31:22", "20230413",
            "16781231 00:00:00 UTC", "22610101", "19000101", "22001231 23:59:59 UTC", "1681403482",
            "0714 09:30:00 US/Eastern",
        ])
    func textIsWrittenAsItWasRead(text: String) throws {
        #expect(try read([text]).map(\.description) == [text])
    }

    /// Days beyond 1900 to 2200 are texts, so that nobody reckons with them.
    @Test(arguments: [
        "00010101", "16770921-00:12:43", "18991231 23:59:59 US/Eastern", "22010101",
        "22620412-00:00:00",
        "99991231  00:00:00",
    ])
    func daysBeyond1900To2200AreKeptAsText(text: String) throws {
        #expect(try read([text]) == [.other(text)])
    }

    /// 1900-01-01 and 2201-01-01 (`date -u -d 1900-01-01 +%s`).
    @Test func epochsBeyond1900To2200NameNoTime() {
        #expect(WireTime.epoch(-2_208_988_800).timestamp == Timestamp(seconds: -2_208_988_800))
        #expect(WireTime.epoch(7_289_654_399).timestamp == Timestamp(seconds: 7_289_654_399))
        for seconds in [-2_208_988_801, 7_289_654_400, Int64.min, .max] {
            #expect(WireTime.epoch(seconds).timestamp == nil)
        }
    }

    /// 2023-04-13 16:31:22 UTC is 1,681,403,482 s (`date -u -d @1681403482`).
    @Test func onlySomeFormsNameAnTime() throws {
        let timestamps = try read([
            "20230413-16:31:22", "1681403482", "20230413 16:31:22 US/Eastern", "20230413", "",
        ]).map(\.timestamp)
        let timestamp = Timestamp(seconds: 1_681_403_482)
        #expect(timestamps == [timestamp, timestamp, nil, nil, nil])
    }
}
