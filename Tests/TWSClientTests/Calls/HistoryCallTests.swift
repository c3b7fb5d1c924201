import ClientTestSupport
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

/// A gateway with one-minute or daily bars of a synthetic instrument, without end in the past.
private struct HistoryScript: Sendable {
    /// Seconds since 1970 at which history begins.
    let first: Int64
    /// A bar's length.
    let step: Int64
    /// Of each day, bars begin from here to there (seconds since midnight UTC).
    var hours: Range<Int64> = 0..<86_400

    func bars(before end: Int64, back length: Int64) -> [HistoricalBar] {
        stride(from: max(first, (end - length + step - 1) / step * step), to: end, by: Int(step))
            .filter { hours.contains($0 % 86_400) }
            .map { time in
                var bar = HistoricalBar()
                bar.date = .epoch(time)
                bar.close = DecimalValue(time)
                bar.volume = 7
                return bar
            }
    }

    func answer(_ question: ReqHistoricalData, now: Timestamp) -> [GatewayMessage] {
        let end = (question.endDateTime.timestamp ?? now).nanoseconds / 1_000_000_000
        var data = HistoricalData()
        data.reqId = question.reqId
        data.bars = bars(before: end, back: question.durationStr.seconds ?? 0)
        guard !data.bars.isEmpty else {
            return [
                .code(
                    162, id: question.reqId.rawValue,
                    "Historical Market Data Service error message:HMDS query returned no data")
            ]
        }
        var last = HistoricalDataEnd()
        last.reqId = question.reqId
        return [.historicalData(data), .historicalDataEnd(last)]
    }
}

extension ScriptedGateway {
    fileprivate func plays(_ cursor: HistoryScript) {
        let clock = clock
        on(.reqHistoricalData) { message in
            guard case .reqHistoricalData(let question) = message else { return [] }
            return cursor.answer(question, now: clock.timeOfDay)
        }
    }

    /// Runs a call to its end while time passes.
    func finishOverTime<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let call = Started(on: clock, body)
        for _ in 0..<2_000 where !call.isDone {
            await clock.settle(rounds: 40)
            if !call.isDone { clock.advance(by: .seconds(1)) }
        }
        return try await call.value()
    }
}

@Suite struct HistoryCallTests {
    private let apple = Contract.numbered("AAPL", 265_598)
    /// 2023-11-14T00:00 UTC, the day of the gateway's clock.
    private let today: Int64 = 1_699_920_000

    /// Eight days of minutes need eight pieces and more; nothing is missing or there twice.
    @Test func aLongRangeIsJoinedFromItsPieces() async throws {
        let gateway = ScriptedGateway()
        gateway.plays(HistoryScript(first: 0, step: 60, hours: 52_200..<75_600))
        let client = try await gateway.connectedClient()
        let question = BarQuestion(apple, .oneMinute)
        let (from, end) = (
            Timestamp(seconds: today - 9 * 86_400), Timestamp(seconds: today - 86_400)
        )
        let bars = try await gateway.finishOverTime {
            try await client.bars(question, from: from, to: end)
        }
        // 390 minutes on each of eight days.
        #expect(bars.count == 8 * 390)
        #expect(zip(bars, bars.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(bars.allSatisfy { $0.volume == 7 })
        #expect(bars.first?.time == .timestamp(Timestamp(seconds: today - 9 * 86_400 + 52_200)))
        for message in gateway.received(.reqHistoricalData) {
            guard case .reqHistoricalData(let asked) = message else { continue }
            #expect(asked.formatDate == .epoch)
            guard case .utc = asked.endDateTime else {
                Issue.record("the end is not in UTC: \(asked.endDateTime)")
                return
            }
        }
    }

    /// Versions below 196 have no end of its own.
    @Test(arguments: [163, 195, 196, 200])
    func anAnswerIsCompleteAtEveryVersion(version: Int) async throws {
        let gateway = ScriptedGateway { $0.versions = 157...version }
        gateway.on(.reqHistoricalData) { message in
            var data = HistoricalData()
            data.reqId = message.requestID ?? 0
            var bar = HistoricalBar()
            bar.date = .epoch(1_699_900_000)
            data.bars = [bar]
            var end = HistoricalDataEnd()
            end.reqId = data.reqId
            return version >= 196
                ? [.historicalData(data), .historicalDataEnd(end)] : [.historicalData(data)]
        }
        let client = try await gateway.connectedClient()
        let question = BarQuestion(apple, .oneMinute)
        let bars = try await gateway.finish { try await client.recentBars(question, .days(1)) }
        #expect(bars.count == 1)
    }

    /// C-20: the word that it was too often makes the session rest, and the piece is asked again.
    @Test func aPacingViolationIsWaitedOutAndRetried() async throws {
        let gateway = ScriptedGateway()
        let cursor = HistoryScript(first: 0, step: 60)
        let clock = gateway.clock
        let asked = Lock(0)
        gateway.on(.reqHistoricalData) { message in
            guard case .reqHistoricalData(let question) = message else { return [] }
            let count = asked.with { count in
                count += 1
                return count
            }
            guard count > 2 else {
                return [
                    .code(
                        162, id: question.reqId.rawValue,
                        "Historical Market Data Service error message:Pacing violation")
                ]
            }
            return cursor.answer(question, now: clock.timeOfDay)
        }
        let client = try await gateway.connectedClient()
        let question = BarQuestion(apple, .oneMinute)
        let start = clock.now
        let today = today
        let bars = try await gateway.finishOverTime {
            try await client.bars(
                question, from: Timestamp(seconds: today - 3_600), to: Timestamp(seconds: today))
        }
        #expect(bars.count == 60)
        #expect(asked.with { $0 } == 3)
        // 30 seconds of rest, then twice as long.
        #expect(clock.now - start >= .seconds(90))
    }

    @Test func aLostConnectionIsWaitedForAndThePieceAskedAgain() async throws {
        let gateway = ScriptedGateway()
        let cursor = HistoryScript(first: 0, step: 60)
        let clock = gateway.clock
        gateway.on(.reqHistoricalData) { [weak gateway] message in
            guard case .reqHistoricalData(let question) = message, let gateway else { return [] }
            if gateway.connection < 3 {
                gateway.drop()
                return []
            }
            return cursor.answer(question, now: clock.timeOfDay)
        }
        let client = try await gateway.connectedClient()
        let question = BarQuestion(apple, .oneMinute)
        let today = today
        let bars = try await gateway.finishOverTime {
            try await client.bars(
                question, from: Timestamp(seconds: today - 3_600), to: Timestamp(seconds: today))
        }
        #expect(bars.count == 60)
        #expect(gateway.connection == 3)
    }

    /// What cannot be had is named, and what could is kept.
    @Test func anIncompleteRangeStatesWhatIsMissing() async throws {
        let gateway = ScriptedGateway()
        let cursor = HistoryScript(first: 0, step: 60)
        let clock = gateway.clock
        let limit = Timestamp(seconds: today - 86_400)
        gateway.on(.reqHistoricalData) { message in
            guard case .reqHistoricalData(let question) = message else { return [] }
            if let end = question.endDateTime.timestamp, end <= limit {
                return [.code(162, id: question.reqId.rawValue, "No market data permissions")]
            }
            return cursor.answer(question, now: clock.timeOfDay)
        }
        let client = try await gateway.connectedClient()
        let question = BarQuestion(apple, .oneMinute)
        let (from, end) = (Timestamp(seconds: today - 3 * 86_400), Timestamp(seconds: today))
        let error = try await Started(on: clock) {
            try await client.bars(question, from: from, to: end)
        }.error()
        let incomplete = try #require(error as? IncompleteHistory)
        #expect(incomplete.bars.count == 1_440)
        #expect(incomplete.missing == from..<limit)
        #expect("\(incomplete)".contains("permissions"))
    }

    @Test func daysAreDatesAndHaveNoTime() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqHistoricalData) { message in
            var data = HistoricalData()
            data.reqId = message.requestID ?? 0
            data.bars = (10...13).compactMap { day in
                var bar = HistoricalBar()
                bar.date = Day(year: 2023, month: 11, day: day).map { .day($0) } ?? .none
                bar.volume = -1
                return bar
            }
            var end = HistoricalDataEnd()
            end.reqId = data.reqId
            return [.historicalData(data), .historicalDataEnd(end)]
        }
        let client = try await gateway.connectedClient()
        var question = BarQuestion(apple, .oneDay)
        question.what = .midpoint
        let from = try #require(Day(year: 2023, month: 11, day: 11))
        let end = try #require(Day(year: 2023, month: 11, day: 13))
        let bars = try await gateway.finish { [question] in
            try await client.bars(
                question, from: Timestamp(day: from), to: Timestamp(day: end))
        }
        #expect(bars.map(\.time) == [.day(from), .day(from.advanced(by: 1))])
        #expect(bars.allSatisfy { $0.volume == nil })
    }

    /// Adjusted prices come up to now only: one piece, without an end.
    @Test func adjustedPricesAreAskedForInOnePiece() async throws {
        let gateway = ScriptedGateway()
        gateway.plays(HistoryScript(first: 0, step: 86_400))
        let client = try await gateway.connectedClient()
        var question = BarQuestion(apple, .oneDay)
        question.what = .adjustedLast
        let (from, end) = (Timestamp(seconds: today - 20 * 86_400), Timestamp(seconds: today))
        let bars = try await gateway.finish { [question] in
            try await client.bars(question, from: from, to: end)
        }
        #expect(bars.count == 20)
        guard case .reqHistoricalData(let asked)? = gateway.received(.reqHistoricalData).first
        else {
            Issue.record("no reqHistoricalData")
            return
        }
        #expect(asked.endDateTime == .none)
        #expect(gateway.received(.reqHistoricalData).count == 1)
    }

    /// C-21: bars that are kept up to date have no seam, over a lost connection and over 10182.
    @Test func liveBarsHaveNoSeam() async throws {
        let gateway = ScriptedGateway()
        let cursor = HistoryScript(first: 0, step: 60)
        gateway.plays(cursor)
        let client = try await gateway.connectedClient()
        let stream = client.liveBars(BarQuestion(apple, .oneMinute), .seconds(600))
        let read = Reading(stream)
        func closed() -> [WireBar] {
            let updates: [BarUpdate] = read.data()
            return updates.compactMap { if case .closed(let bar) = $0 { bar } else { nil } }
        }
        try await gateway.clock.run(until: "the first bars") { !closed().isEmpty }
        let before = closed().count
        // A bar of a minute ends with this second: the next one closes it.
        let now = gateway.clock.timeOfDay.nanoseconds / 1_000_000_000
        var update = HistoricalDataUpdate()
        update.reqId = try #require(gateway.newest(.reqHistoricalData))
        update.bar.date = .epoch(now)
        gateway.send(.historicalDataUpdate(update))
        try await gateway.clock.run(until: "one more is closed") { closed().count == before + 1 }
        // Half an hour without a connection.
        gateway.change { $0.welcome = .refuses }
        gateway.drop()
        await gateway.clock.advance(by: .minutes(30), inStepsOf: .seconds(5))
        gateway.change { $0.welcome = .accepts }
        await gateway.clock.advance(by: .seconds(60), inStepsOf: .seconds(5))
        try await gateway.clock.run(until: "the hole is filled") { closed().count >= before + 30 }
        // The gateway ends the updates.
        gateway.clock.advance(by: .minutes(5))
        await gateway.clock.settle()
        let finished = try #require(gateway.newest(.reqHistoricalData))
        gateway.send(code: 10_182, id: finished.rawValue, "Failed to request live updates")
        await gateway.clock.advance(by: .seconds(60), inStepsOf: .seconds(1))
        try await gateway.clock.run(until: "asked again") { closed().count >= before + 35 }
        let times = closed().map { $0.time.order.nanoseconds / 1_000_000_000 }
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(steps == Array(repeating: 60, count: times.count - 1))
        let gaps: [Gap] = read.gaps()
        #expect(gaps.contains(.disconnected))
        #expect(gaps.contains { if case .terminated = $0 { true } else { false } })
        stream.cancel()
    }

    /// DAT-17: asked once and kept, and called off behind the answer.
    @Test func theHeadTimestampIsAskedOnce() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqHeadTimestamp) { message in
            var answer = HeadTimestamp()
            answer.reqId = message.requestID ?? 0
            answer.headTimestamp = .epoch(345_479_400)
            return [.headTimestamp(answer)]
        }
        let client = try await gateway.connectedClient()
        let apple = apple
        for _ in 0..<3 {
            let head = try await gateway.finish { try await client.headTimestamp(apple) }
            #expect(head == Timestamp(seconds: 345_479_400))
        }
        #expect(gateway.received(.reqHeadTimestamp).count == 1)
        try await gateway.clock.run(until: "it is called off") {
            gateway.received(.cancelHeadTimestamp).count == 1
        }
    }

    @Test func sessionsOfThePastAreTimes() async throws {
        let gateway = ScriptedGateway()
        let day = try #require(Day(year: 2023, month: 11, day: 10))
        gateway.on(.reqHistoricalData) { message in
            var answer = HistoricalSchedule()
            answer.reqId = message.requestID ?? 0
            answer.timeZone = "US/Eastern"
            var session = HistoricalSession()
            session.startDateTime = WireTime.WallClock(day: day, second: 34_200)
            session.endDateTime = WireTime.WallClock(day: day, second: 57_600)
            session.refDate = day
            answer.sessions = [session]
            return [.historicalSchedule(answer)]
        }
        let client = try await gateway.connectedClient()
        let apple = apple
        let sessions = try await gateway.finish { try await client.schedule(apple, days: 5) }
        // 9:30 and 16:00 in New York's winter.
        #expect(
            sessions == [
                WireTradingSession(
                    day: day, begin: Timestamp(day: day, sinceMidnight: .seconds(52_200)),
                    end: Timestamp(day: day, sinceMidnight: .seconds(75_600)))
            ])
        guard case .reqHistoricalData(let asked)? = gateway.received(.reqHistoricalData).first
        else {
            Issue.record("no reqHistoricalData")
            return
        }
        #expect(asked.whatToShow == .schedule && asked.durationStr == .days(5))
    }

    @Test func aHistogramIsAList() async throws {
        let gateway = ScriptedGateway()
        gateway.on(.reqHistogramData) { message in
            var answer = HistogramData()
            answer.reqId = message.requestID ?? 0
            var entry = HistogramEntry()
            entry.price = 10
            entry.size = 300
            answer.items = [entry]
            return [.histogramData(answer)]
        }
        let client = try await gateway.connectedClient()
        let apple = apple
        let entries = try await gateway.finish {
            try await client.histogram(apple, over: "3 days")
        }
        #expect(entries.map(\.size) == [300])
    }

    /// 2,500 trades in a range: three pages, each trade once.
    @Test func ticksOfThePastAreJoinedFromPages() async throws {
        let gateway = ScriptedGateway()
        let base = today - 86_400
        let all = (0..<2_500).map { number in
            var tick = HistoricalTickLast()
            tick.time = base + Int64(number) / 3
            tick.price = DecimalValue(Int64(number))
            return tick
        }
        gateway.on(.reqHistoricalTicks) { message in
            guard case .reqHistoricalTicks(let question) = message,
                let start = question.startDateTime.timestamp
            else { return [] }
            var answer = HistoricalTicksLast()
            answer.reqId = question.reqId
            answer.ticks = Array(
                all.filter { Timestamp(seconds: $0.time) >= start }
                    .prefix(Int(question.numberOfTicks)))
            answer.done = true
            return [.historicalTicksLast(answer)]
        }
        let client = try await gateway.connectedClient()
        let question = TickQuestion(apple)
        let ticks = try await gateway.finishOverTime {
            try await client.historicalTrades(
                question, from: Timestamp(seconds: base), to: Timestamp(seconds: base + 3_600))
        }
        #expect(ticks.map(\.value) == all)
    }

    @Test func quotesAndMidpointsOfThePastHaveTheirOwnAnswers() async throws {
        let gateway = ScriptedGateway()
        let base = today - 86_400
        gateway.on(.reqHistoricalTicks) { message in
            guard case .reqHistoricalTicks(let question) = message else { return [] }
            if question.whatToShow == .bidAsk {
                var answer = HistoricalTicksBidAsk()
                answer.reqId = question.reqId
                answer.ticks = [HistoricalTickBidAsk()]
                answer.ticks[0].time = base + 5
                answer.done = true
                return [.historicalTicksBidAsk(answer)]
            }
            var answer = HistoricalTicks()
            answer.reqId = question.reqId
            answer.ticks = [HistoricalTick()]
            answer.ticks[0].time = base + 6
            answer.done = true
            return [.historicalTicks(answer)]
        }
        let client = try await gateway.connectedClient()
        let question = TickQuestion(apple)
        let (from, end) = (Timestamp(seconds: base), Timestamp(seconds: base + 7))
        let quotes = try await gateway.finishOverTime {
            try await client.historicalQuotes(question, from: from, to: end)
        }
        #expect(quotes.map(\.time) == [Timestamp(seconds: base + 5)])
        let middles = try await gateway.finishOverTime {
            try await client.historicalMidpoints(question, from: from, to: end)
        }
        #expect(middles.map(\.time) == [Timestamp(seconds: base + 6)])
    }
}
