import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

/// What a request for the past is refused with.
@Suite struct HistoryRefusalTests {
    private let service = "Historical Market Data Service error message:"

    @Test func unknownBarSizeNamesTheKnownOnes() {
        let client = GatewayRig().dataClient()
        client.askBars(1, .days(1), .unknown("7 mins"))
        #expect(client.codes(about: 1) == [321])
        #expect(client.lastText?.contains("Legal ones are: 1 secs, 5 secs") == true)
    }

    @Test(arguments: [
        (HistoryDuration.seconds(90_000), Int32(321)), (.days(366), 321), (.other("1 X"), 321),
        (.days(0), 321), (.years(69), 162),
    ])
    func durationOutOfRange(duration: HistoryDuration, code: Int32) {
        let client = GatewayRig().dataClient()
        client.askBars(1, duration, .oneDay)
        #expect(client.codes(about: 1) == [code])
        #expect(client.bars(1) == nil)
    }

    @Test func smallBarsOverLongIntervalsAreTooLong() {
        let client = GatewayRig().dataClient()
        client.askBars(1, .years(1), .oneSecond)
        #expect(client.codes(about: 1) == [162])
        #expect(client.lastText == service + "Time length exceed max.")
        client.askBars(2, .days(365), .fiveSeconds)
        #expect(client.codes(about: 2) == [162])
    }

    @Test func nothingThereIsStatedSo() {
        let client = GatewayRig().dataClient()
        client.askBars(1, .days(1), .oneMinute) {
            $0.endDateTime = WireTime(text: "19900105-20:00:00")
        }
        #expect(client.codes(about: 1) == [162])
        #expect(client.lastText == service + "HMDS query returned no data: AAPL@SMART Trades")
        client.askBars(4, .days(365), .oneDay) {
            $0.endDateTime = WireTime(text: "19000101-00:00:00")
        }
        #expect(client.codes(about: 4) == [162])
        client.askBars(2, .days(1), .oneMinute, of: .of(.forex, "EUR", "IDEALPRO"))
        #expect(client.codes(about: 2) == [162])
        #expect(client.lastText?.contains("No data of type EODChart") == true)
        client.askBars(3, .days(1), .oneMinute, .bid, of: .of(.index, "VIX", "CBOE"))
        #expect(client.codes(about: 3) == [162])
    }

    /// The first and last days that a timestamp can say, and years no calendar of ours has.
    @Test(arguments: [
        "00010101 00:00:00 US/Eastern", "16770921-00:12:43", "16770922-00:00:00",
        "16780101-00:00:00", "18991231 23:59:59 US/Eastern", "22010101-00:00:00",
        "22620411-23:47:16", "22620412-00:00:00", "99991231 23:59:59 UTC",
    ])
    func daysBeyond1900To2200AreRefusedWhereTheyEnter(text: String) {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.askBars(1, .years(68), .oneDay) { $0.endDateTime = WireTime(text: text) }
        #expect(client.codes(about: 1) == [10_314])
        var ticks = ReqHistoricalTicks()
        ticks.reqId = 2
        ticks.contract = .stock("AAPL")
        ticks.startDateTime = WireTime(text: text)
        ticks.numberOfTicks = 1_000
        ticks.whatToShow = .trades
        client.send(.reqHistoricalTicks(ticks))
        rig.pass(.hours(1))
        #expect(client.codes(about: 2) == [10_314])
    }

    @Test func endsThatCannotBeReadOrNameNoZone() {
        let client = GatewayRig().dataClient()
        client.askBars(1, .days(1), .oneHour) { $0.endDateTime = .other("yesterday") }
        #expect(client.codes(about: 1) == [10_314])
        client.askBars(2, .days(1), .oneHour) {
            $0.endDateTime = WireTime(text: "20240304 12:00:00 Mars/Olympus")
        }
        #expect(client.codes(about: 2) == [10_314])
        client.askBars(3, .days(1), .oneHour) {
            $0.endDateTime = WireTime(text: "20240304 12:00:00")
        }
        #expect(client.codes(about: 3) == [2174])
        #expect(client.bars(3)?.last?.date.description == "20240304 11:00:00 US/Eastern")
        client.askBars(4, .days(1), .oneHour) {
            $0.endDateTime = WireTime(text: "20240304 11:00:00 US/Central")
        }
        #expect(client.bars(4)?.last?.date == client.bars(3)?.last?.date)
    }

    @Test func fieldsThatDoNotGoTogether() {
        let client = GatewayRig().dataClient()
        let end = WireTime(text: "20240304-20:00:00")
        client.askBars(1, .days(1), .oneHour, .adjustedLast) { $0.endDateTime = end }
        client.askBars(2, .days(1), .oneHour, .schedule)
        client.askBars(3, .days(1), .oneHour) {
            $0.endDateTime = end
            $0.keepUpToDate = true
        }
        client.askBars(4, .days(1), .oneHour, .aggregatedTrades)
        client.askBars(5, .days(1), .oneHour, .bidAsk) { $0.keepUpToDate = true }
        #expect(client.codes == [321, 10_295, 321, 10_299, 321])
        #expect(client.messages.count == 5)
    }

    @Test func numbersInUseAndCancels() {
        let rig = GatewayRig()
        rig.gateway.data.settings.historyLatency = .seconds(1)
        let client = rig.dataClient()
        client.askBars(1, .days(1), .oneHour)
        client.askBars(1, .days(1), .oneHour)
        #expect(client.codes(about: 1) == [386])
        var cancel = CancelHistoricalData()
        cancel.reqId = 1
        client.send(.cancelHistoricalData(cancel))
        #expect(client.lastText == service + "API historical data query cancelled: 1")
        client.send(.cancelHistoricalData(cancel))
        #expect(client.codes(about: 1) == [386, 162, 366])
        rig.pass(.seconds(3))
        #expect(client.bars(1) == nil)
    }

    @Test func fiftyMayBeOpen() {
        let rig = GatewayRig { $0.pacesMessages = false }
        rig.gateway.data.settings.historyLatency = .seconds(1)
        let client = rig.dataClient()
        for id in 1...51 { client.askBars(RequestID(rawValue: Int32(id)), .days(1), .oneHour) }
        #expect(client.codes == [162])
        #expect(client.codes(about: 51) == [162])
        #expect(rig.gateway.pacingAudit.violations(of: .openHistory) == 1)
        rig.pass(.seconds(1))
        #expect(client.bars(50) != nil)
        #expect(rig.gateway.history.openCount == 0)
    }

    @Test func brokenFarmAnswersNothing() {
        let rig = GatewayRig()
        let client = rig.dataClient()
        rig.setFarm(.history, isUp: false)
        client.askBars(1, .days(1), .oneHour)
        #expect(client.codes == [2105, 162])
        rig.setFarm(.history, isUp: true)
        client.askBars(2, .days(1), .oneHour)
        #expect(client.codes == [2105, 162, 2106])
        #expect(client.bars(1) == nil && client.bars(2) != nil)
    }
}
