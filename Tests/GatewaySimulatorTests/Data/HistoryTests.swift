import MarketState
import MarketSimulation
import Primitives
import TWSProtocol
import Testing

@testable import GatewaySimulator

@Suite struct HistoryTests {
    /// 2024-03-05, 10:00 in New York, as gateways write it.
    private let present = "20240305 10:00:00 US/Eastern"

    @Test func barsOfTheDayBeginAtTheOpenAndEndNow() throws {
        let client = GatewayRig().dataClient()
        client.askBars(1, .days(1), .oneMinute)
        let bars = try #require(client.bars(1))
        #expect(bars.count == 30)
        #expect(bars.first?.date.description == "20240305 09:30:00 US/Eastern")
        #expect(bars.last?.date.description == "20240305 09:59:00 US/Eastern")
        for bar in bars {
            #expect(bar.low <= bar.open && bar.open <= bar.high)
            #expect(bar.low <= bar.close && bar.close <= bar.high)
            #expect((bar.volume ?? 0) > 0 && (bar.barCount ?? 0) > 0)
        }
    }

    @Test(arguments: [163, 178, 195, 196, 200])
    func endIsInTheAnswerOrFollowsIt(version: Int) throws {
        let client = GatewayRig().dataClient(version: version)
        client.askBars(1, .days(1), .oneHour)
        guard case .historicalData(let answer)? = client.messages.first else {
            Issue.record("no answer")
            return
        }
        let clock = version < 174 ? "20240305  10:00:00" : present
        if version < 196 {
            #expect(answer.end.description == clock)
            #expect(client.messages.count == 1)
        } else {
            guard case .historicalDataEnd(let end) = client.messages[1] else {
                Issue.record("no end")
                return
            }
            #expect(end.start.description == "20240304 10:00:00 US/Eastern")
            #expect(end.end.description == clock)
        }
    }

    @Test func timesHaveTheFormThatWasAskedFor() {
        let client = GatewayRig().dataClient()
        client.askBars(1, .days(1), .oneHour) { $0.formatDate = .epoch }
        client.askBars(2, .days(1), .oneHour) { $0.formatDate = .dayAndTime }
        client.askBars(3, .days(2), .oneDay) { $0.formatDate = .epoch }
        #expect(client.bars(1)?.first?.date == .epoch(1_709_649_000))
        #expect(client.bars(2)?.first?.date.description == "0305 09:30:00 US/Eastern")
        #expect(client.bars(3)?.map(\.date.description) == ["20240304", "20240305"])
    }

    @Test func yearOfDailyBarsIsItsMinutesTogether() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.askBars(1, .years(1), .oneDay)
        let days = try #require(client.bars(1))
        // 2023-03-06 to 2024-03-05 has 252 sessions.
        #expect(days.count == 252)
        for (index, day) in [days[0], days[100], days[250]].enumerated() {
            guard case .day(let date) = day.date else {
                Issue.record("daily bars have dates")
                continue
            }
            let id = RequestID(rawValue: Int32(10 + index))
            client.askBars(id, .days(1), .oneMinute) {
                $0.endDateTime = .wall(
                    WireTime.WallClock(day: date, second: 16 * 3_600), zone: "US/Eastern")
            }
            let minutes = try #require(client.bars(id))
            #expect(minutes.count == 390)
            #expect(minutes.first?.open == day.open)
            #expect(minutes.last?.close == day.close)
            #expect(minutes.map(\.high).max() == day.high)
            #expect(minutes.map(\.low).min() == day.low)
            let volume = minutes.compactMap(\.volume?.quantity?.units).reduce(0, +)
            #expect(day.volume?.quantity?.units == volume)
        }
    }

    @Test func historyIsWhatWasStreamed() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.subscribeEveryTick(1, .stock("AAPL"), .last)
        client.take()
        rig.pass(.minutes(1))
        client.askBars(2, .seconds(60), .oneMinute)
        let bar = try #require(client.bars(2)?.last)
        let trades = client.messages.compactMap { message -> TradeTick? in
            guard case .tickByTick(let tick) = message, case .last(let trade) = tick.tick,
                tick.time < GatewayRig.start.wholeSeconds + 60
            else { return nil }
            return trade
        }
        #expect(trades.map(\.price).max() == bar.high)
        #expect(trades.map(\.price).min() == bar.low)
        #expect(trades.first?.price == bar.open)
        #expect(trades.last?.price == bar.close)
        #expect(trades.count == Int(bar.barCount ?? 0))
    }

    @Test func secondsAndDaysAreTradingTime() {
        // 2024-03-04, a Monday, 09:40 in New York.
        let rig = GatewayRig(at: Timestamp(seconds: 1_709_563_200))
        let client = rig.dataClient()
        client.askBars(1, .seconds(1_800), .oneMinute)
        #expect(client.bars(1)?.count == 30)
        #expect(client.bars(1)?.first?.date.description == "20240301 15:40:00 US/Eastern")
        client.askBars(2, .days(2), .thirtyMinutes)
        #expect(client.bars(2)?.first?.date.description == "20240301 09:30:00 US/Eastern")
        client.askBars(3, .weeks(1), .oneDay)
        #expect(client.bars(3)?.map(\.date.description).first == "20240227")
        client.askBars(4, .months(1), .oneDay)
        #expect(client.bars(4)?.map(\.date.description).first == "20240205")
    }

    @Test func earlyCloseAndClockChangeKeepTheirBars() {
        // 2023-11-24 closes at 13:00.
        let rig = GatewayRig()
        let client = rig.dataClient()
        client.askBars(1, .days(1), .oneMinute) {
            $0.endDateTime = WireTime(text: "20231124 23:00:00 US/Eastern")
        }
        #expect(client.bars(1)?.count == 210)
        // Clocks changed on 2023-11-05: Friday is four hours behind UTC, Monday five.
        client.askBars(2, .days(2), .oneHour) {
            $0.endDateTime = WireTime(text: "20231106-21:00:00")
            $0.formatDate = .epoch
        }
        #expect(client.bars(2)?.first?.date == .epoch(1_699_018_200))
        #expect(client.bars(2)?.last?.date == .epoch(1_699_300_800))
    }

    @Test func quotesHaveNoVolume() throws {
        let client = GatewayRig().dataClient()
        for (index, kind) in [WhatToShow.midpoint, .bid, .ask, .bidAsk].enumerated() {
            let id = RequestID(rawValue: Int32(index + 1))
            client.askBars(id, .days(1), .fiveMinutes, kind)
            let bar = try #require(client.bars(id)?.first)
            #expect(bar.volume == -1 && bar.wap == -1 && bar.barCount == -1)
        }
        let bids = try #require(client.bars(2))
        let asks = try #require(client.bars(3))
        #expect(zip(bids, asks).allSatisfy { $0.close < $1.close })
    }

    @Test(arguments: WireBarSize.known)
    func everyBarSizeIsServed(size: WireBarSize) {
        let client = GatewayRig().dataClient()
        let duration: HistoryDuration =
            switch size.seconds ?? 0 {
            case ...1: .seconds(1_800)
            case ...30: .seconds(3_600)
            case ...3_600: .days(2)
            case ...28_800: .months(1)
            default: .years(1)
            }
        client.askBars(1, duration, size)
        #expect(client.codes(about: 1).isEmpty)
        #expect((client.bars(1)?.count ?? 0) >= 2)
    }

    @Test(arguments: [
        (SecurityType.index, "VIX", "CBOE", WhatToShow.trades),
        (.forex, "EUR", "IDEALPRO", .midpoint),
        (.forex, "EUR", "IDEALPRO", .bidAsk), (.stock, "SPY", "SMART", .bidAsk),
    ])
    func otherKindsHaveHistory(
        kind: SecurityType, symbol: String, exchange: String, what: WhatToShow
    ) throws {
        let client = GatewayRig().dataClient()
        let contract = Contract.of(kind, symbol, exchange)
        client.askBars(1, .months(1), .oneDay, what, of: contract)
        client.askBars(2, .days(2), .fiveMinutes, what, of: contract) { $0.useRTH = false }
        #expect(client.codes.isEmpty)
        let days = try #require(client.bars(1))
        #expect((18...22).contains(days.count))
        #expect(days.allSatisfy { $0.low <= $0.high && $0.low > 0 })
        #expect((client.bars(2)?.count ?? 0) > 40)
    }

    @Test func volatilityIsReckonedFromThirtyCloses() throws {
        let client = GatewayRig().dataClient()
        client.askBars(1, .months(1), .oneDay, .historicalVolatility)
        client.askBars(2, .months(6), .oneDay)
        client.subscribe(3, .stock("AAPL"), generics: "mdoff,104")
        let volatilities = try #require(client.bars(1))
        let closes = try #require(client.bars(2)).map { Double($0.close) }
        func yearly(_ closes: some Collection<Double>) -> Double {
            let returns = zip(closes, closes.dropFirst()).map { Natural.log($1 / $0) }
            let mean = returns.reduce(0, +) / Double(returns.count)
            let sum = returns.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
            return (sum / Double(returns.count - 1) * 252).squareRoot()
        }
        let last = try #require(volatilities.last)
        #expect(abs(Double(last.close) - yearly(closes.suffix(31))) < 1e-6)
        // The tick is of the days before today.
        for case .tickGeneric(let tick) in client.messages {
            let value = try #require(tick.value)
            #expect(abs(Double(value) - yearly(closes.dropLast().suffix(31))) < 1e-6)
        }
    }

    @Test func sessionsAreReported() {
        let client = GatewayRig().dataClient()
        client.askBars(1, .days(3), .oneDay, .schedule)
        guard case .historicalSchedule(let schedule)? = client.messages.first else {
            Issue.record("no schedule")
            return
        }
        #expect(schedule.timeZone == "US/Eastern")
        #expect(
            schedule.sessions.map(\.refDate?.description) == [
                "2024-03-01", "2024-03-04", "2024-03-05",
            ])
        #expect(schedule.sessions.first?.startDateTime?.second == Int32(34_200))
        #expect(schedule.endDateTime?.second == Int32(57_600))
    }

    @Test func firstTimeAndHistogramAreReported() throws {
        let rig = GatewayRig()
        let client = rig.dataClient()
        var head = ReqHeadTimestamp()
        head.reqId = 1
        head.contract = .stock("AAPL")
        client.send(.reqHeadTimestamp(head))
        head.reqId = 2
        head.formatDate = .epoch
        client.send(.reqHeadTimestamp(head))
        let id = try #require(rig.gateway.contracts.id(ofSymbol: "AAPL"))
        let found = rig.gateway.market.firstTime(of: id)
        let first = try #require(found)
        let heads = client.messages.compactMap { message -> WireTime? in
            guard case .headTimestamp(let head) = message else { return nil }
            return head.headTimestamp
        }
        #expect(heads.count == 2)
        #expect(heads.first?.timestamp == first)
        #expect(heads.last == .epoch(first.wholeSeconds))

        var histogram = ReqHistogramData()
        histogram.reqId = 3
        histogram.contract = .stock("AAPL")
        histogram.timePeriod = "1 day"
        client.send(.reqHistogramData(histogram))
        guard case .histogramData(let answer)? = client.messages.last else {
            Issue.record("no histogram")
            return
        }
        #expect(answer.items.count > 10)
        client.askBars(4, .days(1), .oneDay)
        let sum = answer.items.compactMap(\.size.quantity?.units).reduce(0, +)
        #expect(client.bars(4)?.last?.volume?.quantity?.units == sum)
    }
}
