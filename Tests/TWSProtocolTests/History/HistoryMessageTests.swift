import Primitives
import TWSProtocol
import Testing

@Suite struct HistoryMessageTests {
    private func clock(_ second: Int32) throws -> WireTime.WallClock {
        WireTime.WallClock(
            day: try #require(Day(year: 2024, month: 6, day: 3)), second: second)
    }

    @Test func requestHasTheBarSizeBeforeTheDuration() throws {
        var request = ReqHistoricalData()
        request.reqId = 9_001
        request.contract = .stock("AAPL")
        request.endDateTime = .utc(try clock(57_600))
        request.barSizeSetting = .tenSeconds
        request.durationStr = .seconds(3_600)
        let text =
            "9001|0|AAPL|STK|||||SMART||USD|||0|20240603-16:00:00|10 secs|3600 S|1|TRADES|1|0|"
        #expect(try layout(request, at: 157, from: .client) == text)
        #expect(try layout(request, at: 200, from: .client) == text)
        #expect(try read(ReqHistoricalData.self, text, at: 178) == request)
    }

    @Test func legsTravelWithCombinationsOnly() throws {
        var request = ReqHistoricalData()
        request.reqId = 1
        request.contract = .stock("AB")
        request.keepUpToDate = true
        var leg = ComboLeg()
        leg.conId = 11
        leg.action = "SELL"
        leg.exchange = "ARCA"
        request.comboLegs = [leg]
        let head = "1|0|AB|%|||||SMART||USD|||0||1 min|1 D|1|TRADES|1|"
        #expect(
            try layout(request, at: 178, from: .client)
                == head.replacingOccurrences(of: "%", with: "STK") + "1|")
        request.contract.secType = .combo
        #expect(
            try layout(request, at: 178, from: .client)
                == head.replacingOccurrences(of: "%", with: "BAG") + "1|11|1|SELL|ARCA|1|")
    }

    @Test func otherRequestsHaveTheFieldsOfTheReference() throws {
        let contract = "0|AB|STK|||||SMART||USD||"
        var head = ReqHeadTimestamp()
        head.reqId = 1
        head.contract = .stock("AB")
        head.whatToShow = .bidAsk
        head.formatDate = .epoch
        #expect(try layout(head, at: 178, from: .client) == "1|\(contract)|0|1|BID_ASK|2")
        var histogram = ReqHistogramData()
        histogram.reqId = 1
        histogram.contract = .stock("AB")
        histogram.timePeriod = "3 days"
        #expect(try layout(histogram, at: 178, from: .client) == "1|\(contract)|0|1|3 days")
        var ticks = ReqHistoricalTicks()
        ticks.reqId = 1
        ticks.contract = .stock("AB")
        ticks.startDateTime = .utc(try clock(34_200))
        ticks.numberOfTicks = 1_000
        ticks.ignoreSize = true
        #expect(
            try layout(ticks, at: 178, from: .client)
                == "1|\(contract)|0|20240603-09:30:00||1000|TRADES|1|1|")
        var cancel = CancelHistoricalData()
        cancel.reqId = 3
        #expect(try layout(cancel, at: 178, from: .client) == "1|3")
        var cancelHead = CancelHeadTimestamp()
        cancelHead.reqId = 3
        #expect(try layout(cancelHead, at: 178, from: .client) == "3")
        var cancelHistogram = CancelHistogramData()
        cancelHistogram.reqId = 3
        #expect(try layout(cancelHistogram, at: 178, from: .client) == "3")
    }

    private let bar = "20240603 09:00:00 US/Eastern|180.0|180.09|179.93|180.03|1000|180.005|100"

    /// Start and end leave the answer at server version 196.
    @Test func answerLosesItsRangeAtVersion196() throws {
        let range = "20240603 09:30:00 US/Eastern|20240603 16:00:00 US/Eastern"
        let old = try read(HistoricalData.self, "9001|\(range)|1|\(bar)", at: 195)
        let new = try read(HistoricalData.self, "9001|1|\(bar)", at: 196)
        #expect(old.start == .wall(try clock(34_200), zone: "US/Eastern"))
        #expect(old.end == .wall(try clock(57_600), zone: "US/Eastern"))
        #expect(new.start == .none)
        #expect(old.bars == new.bars)
        #expect(try layout(old, at: 195, from: .gateway) == "9001|\(range)|1|\(bar)")
        #expect(try layout(old, at: 196, from: .gateway) == "9001|1|\(bar)")
        let end = try read(HistoricalDataEnd.self, "9001|\(range)", at: 196)
        #expect(end.start == old.start)
        #expect(end.end == old.end)
    }

    @Test func barIsReadFieldByField() throws {
        let bars = try read(HistoricalData.self, "9001|1|\(bar)", at: 200).bars
        #expect(bars.count == 1)
        let bar = try #require(bars.first)
        #expect(bar.date == .wall(try clock(32_400), zone: "US/Eastern"))
        #expect([bar.open, bar.high, bar.low, bar.close] == [180, 180.09, 179.93, 180.03])
        #expect(bar.volume == 1_000)
        #expect(bar.wap == 180.005)
        #expect(bar.barCount == 100)
    }

    /// Dates alone, seconds since 1970, times without a zone; volumes of -1 where nothing was traded.
    @Test func olderFormsOfBarsAreRead() throws {
        let text =
            "9|3|20240603|1|1|1|1|-1|-1|-1|1717405200|1|1|1|1|-1.0|-1.0|-1"
            + "|20240603  09:00:00|1|1|1|1|||"
        let bars = try read(HistoricalData.self, text, at: 200).bars
        let clock = try clock(32_400)
        #expect(
            bars.map(\.date) == [.day(clock.day), .epoch(1_717_405_200), .wall(clock, zone: "")])
        #expect(bars.map(\.volume) == [-1, -1, nil])
        #expect(bars.map(\.barCount) == [-1, -1, nil])
    }

    @Test func barsThatAreNotThereAreRefused() {
        #expect(failure(of: HistoricalData.self, "9|2|\(bar)", at: 200) != nil)
        #expect(failure(of: HistoricalData.self, "9|-1", at: 200) != nil)
        #expect(failure(of: HistoricalData.self, "9|2147483646|\(bar)", at: 200) != nil)
        #expect(failure(of: HistoricalData.self, "9|1|20240603||1|1|1|1|1|1", at: 200) != nil)
    }

    @Test func updateHasAnOrderOfItsOwn() throws {
        let text = "9001|100|20240603 09:00:00 US/Eastern|180.0|180.03|180.09|179.93|180.005|1000"
        let update = try read(HistoricalDataUpdate.self, text, at: 178)
        let bars = try read(HistoricalData.self, "9001|1|\(bar)", at: 200).bars
        #expect([update.bar] == bars)
        #expect(try layout(update, at: 178, from: .gateway) == text)
    }

    @Test func headTimestampIsReadInEveryForm() throws {
        #expect(
            try read(HeadTimestamp.self, "1|20240603-09:00:00", at: 178).headTimestamp
                == .utc(try clock(32_400)))
        #expect(
            try read(HeadTimestamp.self, "1|1717405200", at: 178).headTimestamp
                == .epoch(1_717_405_200))
    }

    @Test func histogramHasTheFieldsOfTheReference() throws {
        let text = "1|2|180.0|500|180.01|1200"
        let histogram = try read(HistogramData.self, text, at: 178)
        #expect(histogram.items.map(\.price) == [180, 180.01])
        #expect(histogram.items.map(\.size) == [500, 1_200])
        #expect(try layout(histogram, at: 178, from: .gateway) == text)
    }

    @Test func ticksOfThePastHaveTheFieldsOfTheReference() throws {
        let midpoints = "1|2|1717405200|0|180.0|0|1717405201|0|180.5|0|1"
        let middle = try read(HistoricalTicks.self, midpoints, at: 178)
        #expect(middle.ticks.map(\.price) == [180, 180.5])
        #expect(middle.done)
        #expect(try layout(middle, at: 178, from: .gateway) == midpoints)

        let quotes = "1|1|1717405200|3|179.99|180.01|100|200|0"
        let quote = try read(HistoricalTicksBidAsk.self, quotes, at: 178)
        #expect(quote.ticks.first?.priceBid == 179.99)
        #expect(quote.ticks.first?.priceAsk == 180.01)
        #expect(quote.ticks.first?.sizeBid == 100)
        #expect(quote.ticks.first?.sizeAsk == 200)
        #expect(!quote.done)
        #expect(try layout(quote, at: 178, from: .gateway) == quotes)

        let trades = "1|1|1717405200|1|180.0|50|ISLAND|F I|1"
        let trade = try read(HistoricalTicksLast.self, trades, at: 178)
        #expect(trade.ticks.first?.pastLimit == true)
        #expect(trade.ticks.first?.unreported == false)
        #expect(trade.ticks.first?.exchange == "ISLAND")
        #expect(trade.ticks.first?.specialConditions == "F I")
        #expect(try layout(trade, at: 178, from: .gateway) == trades)
        #expect(try read(HistoricalTicksLast.self, "1|0|1", at: 178).ticks.isEmpty)
    }

    /// The hyphen of a schedule's clocks does not mean UTC.
    @Test func scheduleHasClocksOfItsZone() throws {
        let text =
            "1|20240603-09:30:00|20240603-16:00:00|US/Eastern|1"
            + "|20240603-09:30:00|20240603-16:00:00|20240603"
        let schedule = try read(HistoricalSchedule.self, text, at: 178)
        #expect(schedule.startDateTime == (try clock(34_200)))
        #expect(schedule.timeZone == "US/Eastern")
        #expect(schedule.sessions.map(\.endDateTime) == [try clock(57_600)])
        #expect(schedule.sessions.map(\.refDate) == [Day(year: 2024, month: 6, day: 3)])
        #expect(try layout(schedule, at: 178, from: .gateway) == text)
    }
}
