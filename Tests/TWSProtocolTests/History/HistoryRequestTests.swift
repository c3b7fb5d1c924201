import TWSProtocol
import Testing

@Suite struct HistoryRequestTests {
    private func request(
        _ duration: HistoryDuration, _ bar: WireBarSize, of kind: WhatToShow = .trades
    ) -> ReqHistoricalData {
        var request = ReqHistoricalData()
        request.durationStr = duration
        request.barSizeSetting = bar
        request.whatToShow = kind
        return request
    }

    private func refusal(_ request: ReqHistoricalData) -> HistoryRefusal? {
        do throws(HistoryRefusal) {
            try request.check()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("1 secs", 1), ("5 secs", 5), ("10 secs", 10), ("15 secs", 15), ("30 secs", 30),
            ("1 min", 60), ("2 mins", 120), ("3 mins", 180), ("4 mins", 240), ("5 mins", 300),
            ("10 mins", 600), ("15 mins", 900), ("20 mins", 1_200), ("30 mins", 1_800),
            ("1 hour", 3_600), ("2 hours", 7_200), ("3 hours", 10_800), ("4 hours", 14_400),
            ("8 hours", 28_800), ("1 day", 86_400), ("1 week", 604_800), ("1 month", 2_592_000),
        ])
    func barSizesHaveTheTextsAndLengthsOfTheReference(text: String, seconds: Int32) {
        let bar = WireBarSize(word: text)
        #expect(WireBarSize.known.contains(bar))
        #expect(bar.word == text)
        #expect(bar.seconds == seconds)
    }

    @Test func barSizesAreCompleteAndInOrder() {
        #expect(WireBarSize.known.count == 22)
        let lengths = WireBarSize.known.compactMap(\.seconds)
        #expect(lengths.count == 22)
        #expect(lengths == lengths.sorted())
    }

    @Test func shortTextsOfWeekAndMonthAreRead() {
        #expect(WireBarSize(word: "1W") == .oneWeek)
        #expect(WireBarSize(word: "1M") == .oneMonth)
        #expect(WireBarSize(word: "7 mins") == .unknown("7 mins"))
        #expect(WireBarSize(word: "7 mins").seconds == nil)
    }

    @Test(
        arguments: [
            ("2000 S", .seconds(2_000), 2_000), ("3 D", .days(3), 259_200),
            ("2 W", .weeks(2), 1_209_600), ("6 M", .months(6), 15_552_000),
            ("2 Y", .years(2), 63_072_000),
        ] as [(String, HistoryDuration, Int64)])
    func durationsAreReadAndWritten(text: String, duration: HistoryDuration, seconds: Int64) {
        #expect(HistoryDuration(text: text) == duration)
        #expect(duration.text == text)
        #expect(duration.seconds == seconds)
    }

    @Test(arguments: ["", "3D", "3 d", "D", "+3 D", "03 D", "3 D ", "3  D", "3 days", "1e2 D"])
    func otherTextIsKeptAsItCame(text: String) {
        #expect(HistoryDuration(text: text) == .other(text))
        #expect(HistoryDuration(text: text).text == text)
        #expect(refusal(request(.other(text), .oneMinute)) == .unknownDuration(text))
    }

    @Test(
        arguments: [
            (.seconds(86_400), .fiveSeconds, .seconds(86_401), 86_400),
            (.days(365), .oneMinute, .days(366), 365), (.weeks(52), .oneMinute, .weeks(53), 52),
            (.months(12), .oneMinute, .months(13), 12), (.years(68), .oneDay, .years(69), 68),
        ] as [(HistoryDuration, WireBarSize, HistoryDuration, Int32)])
    func durationsHaveAMost(
        longest: HistoryDuration, bar: WireBarSize, beyond: HistoryDuration, most: Int32
    ) {
        #expect(refusal(request(longest, bar)) == nil)
        #expect(refusal(request(beyond, bar)) == .durationOutOfRange(beyond, most: most))
    }

    @Test(arguments: [0, -1] as [Int32])
    func durationsAreMoreThanNothing(number: Int32) {
        let duration = HistoryDuration.days(number)
        #expect(
            refusal(request(duration, .oneMinute)) == .durationOutOfRange(duration, most: 365))
    }

    /// The table by unit: its shortest bar is served, the one below it is not.
    @Test(
        arguments: [
            (.days(1), .fiveSeconds, .oneSecond), (.weeks(1), .tenSeconds, .fiveSeconds),
            (.months(1), .thirtySeconds, .fifteenSeconds),
            (.years(1), .oneMinute, .thirtySeconds),
        ] as [(HistoryDuration, WireBarSize, WireBarSize)])
    func barsAreNotTooShort(duration: HistoryDuration, shortest: WireBarSize, below: WireBarSize) {
        #expect(refusal(request(duration, shortest)) == nil)
        #expect(
            refusal(request(duration, below))
                == .barTooShort(below, duration, shortest: shortest))
    }

    /// The greater of both tables: seconds and short durations by length, the others up to a month.
    @Test(
        arguments: [
            (.seconds(30), .oneMinute, .twoMinutes), (.seconds(60), .oneMinute, .twoMinutes),
            (.seconds(120), .twoMinutes, .threeMinutes),
            (.seconds(1_800), .thirtyMinutes, .oneHour), (.seconds(3_600), .oneHour, .twoHours),
            (.seconds(14_400), .threeHours, .fourHours),
            (.seconds(28_800), .eightHours, .oneDay), (.seconds(86_400), .oneDay, .oneWeek),
            (.days(1), .oneDay, .oneWeek), (.days(2), .oneDay, .oneWeek),
            (.days(7), .oneWeek, .oneMonth), (.weeks(1), .oneWeek, .oneMonth),
        ] as [(HistoryDuration, WireBarSize, WireBarSize)])
    func barsAreNotTooLong(duration: HistoryDuration, longest: WireBarSize, above: WireBarSize) {
        #expect(refusal(request(duration, longest)) == nil)
        #expect(
            refusal(request(duration, above)) == .barTooLong(above, duration, longest: longest))
    }

    @Test(arguments: [.months(1), .years(1), .years(10)] as [HistoryDuration])
    func longDurationsHaveBarsUpToAMonth(duration: HistoryDuration) {
        for bar: WireBarSize in [.oneHour, .oneDay, .oneWeek, .oneMonth] {
            #expect(refusal(request(duration, bar)) == nil)
        }
    }

    @Test func barsOfOneSecondReachBack2000Seconds() {
        #expect(refusal(request(.seconds(2_000), .oneSecond)) == nil)
        #expect(
            refusal(request(.seconds(2_001), .oneSecond))
                == .tooLongForOneSecondBars(.seconds(2_001)))
        #expect(refusal(request(.seconds(2_001), .fiveSeconds)) == nil)
    }

    @Test func unknownBarSizeIsRefused() {
        #expect(refusal(request(.days(1), .unknown("7 mins"))) == .unknownBarSize("7 mins"))
    }

    @Test func adjustedHistoryEndsNow() {
        var request = request(.years(1), .oneDay, of: .adjustedLast)
        #expect(refusal(request) == nil)
        request.endDateTime = .epoch(1_700_000_000)
        #expect(refusal(request) == .endNotAllowed(.adjustedLast))
        request.whatToShow = .trades
        #expect(refusal(request) == nil)
    }

    @Test func sessionsNeedDailyBars() {
        #expect(refusal(request(.months(1), .oneDay, of: .schedule)) == nil)
        #expect(
            refusal(request(.months(1), .oneHour, of: .schedule))
                == .sessionsNeedDailyBars(.oneHour))
    }

    @Test func updatesAreOfferedForFourKindsOfBarsThatEndNow() {
        for kind in WhatToShow.known where kind != .schedule {
            var kept = request(.seconds(600), .fiveSeconds, of: kind)
            #expect(refusal(kept) == nil)
            kept.keepUpToDate = true
            let isOffered = [.trades, .midpoint, .bid, .ask].contains(kind)
            #expect(refusal(kept) == (isOffered ? nil : .updatesNotOffered(kind)))
        }
        var kept = request(.seconds(600), .oneSecond)
        kept.keepUpToDate = true
        #expect(refusal(kept) == .updatesNeedLongerBars(.oneSecond))
        kept.barSizeSetting = .fiveSeconds
        kept.endDateTime = .epoch(1_700_000_000)
        #expect(refusal(kept) == .updatesNeedNoEnd)
    }

    @Test func refusalsStateWhatToDo() {
        #expect(
            "\(HistoryRefusal.barTooShort(.oneSecond, .days(1), shortest: .fiveSeconds))"
                == "over '1 D' bars have '5 secs' at least, not '1 secs'")
        #expect(
            "\(HistoryRefusal.durationOutOfRange(.days(366), most: 365))"
                == "the duration '366 D' lies outside 1 to 365: split the range or change the unit")
    }
}
