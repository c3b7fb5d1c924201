import ClientTestSupport
import GatewayTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Bars from a simulated gateway, of the present and of the past, at every ceiling.
@Suite struct BarTests {
    private func apple(_ rig: TradingRig) async throws -> Contract {
        let client = rig.client
        return try await rig.gateway.finishInTime { try await client.qualify(.stock("AAPL")) }
    }

    @Test(arguments: ceilings)
    func fiveSecondBarsComeWithoutAHole(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let stream = rig.client.fiveSecondBars(try await apple(rig), regularHours: true)
        let read = Reading(stream)
        try await rig.gateway.wait("a minute of bars", limit: .minutes(2)) {
            read.data().count >= 12
        }
        let bars: [FiveSecondBar] = read.data()
        #expect(
            bars.allSatisfy { ($0.start.nanoseconds / 1_000_000_000).isMultiple(of: 5) })
        #expect(bars.allSatisfy { $0.low <= min($0.open, $0.close) })
        #expect(bars.allSatisfy { $0.high >= max($0.open, $0.close) })
        #expect(stream.counts.delivered == bars.count)
        #expect(stream.counts.missing == 0 && stream.counts.late == 0)
        stream.cancel()
        try await rig.gateway.wait("the reader ends") { read.isOver }
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func historyOfDaysAndMinutesIsWhole(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let apple = try await apple(rig)
        let days = try await rig.gateway.finishInTime("days") {
            try await client.recentBars(BarQuestion(apple, .oneDay), .months(1))
        }
        // From 2024-02-05 to 2024-03-05, without Presidents' Day: 21 sessions.
        #expect((20...22).contains(days.count))
        #expect(days.last?.time == .day(SimulatedGateway.tuesday.day))
        let minutes = try await rig.gateway.finishInTime("minutes") {
            try await client.recentBars(BarQuestion(apple, .oneMinute), .days(1))
        }
        // Half past nine to ten.
        #expect((30...31).contains(minutes.count))
        for bar in days + minutes {
            #expect(bar.low <= min(bar.open, bar.close) && bar.high >= max(bar.open, bar.close))
            #expect(try #require(bar.volume) >= .zero)
        }
        rig.checkCalm()
    }

    /// More than one piece: the bars of three sessions by the minute, each once.
    @Test(arguments: ceilings)
    func rangeOfHistoryIsJoined(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let apple = try await apple(rig)
        // Thursday 2024-02-29, 00:00 UTC, to Tuesday 2024-03-05, 00:00 UTC.
        let from = Timestamp(seconds: 1_709_164_800)
        let end = Timestamp(seconds: 1_709_596_800)
        let bars = try await rig.gateway.finishInTime("range", limit: .minutes(15)) {
            try await client.bars(BarQuestion(apple, .fiveMinutes), from: from, to: end)
        }
        // Thursday, Friday and Monday: 78 bars of five minutes each.
        #expect(bars.count == 3 * 78)
        #expect(bars.map(\.time) == bars.map(\.time).sorted())
        #expect(Set(bars.map(\.time)).count == bars.count)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func barsAreKeptUpToDate(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let stream = rig.client.liveBars(
            BarQuestion(try await apple(rig), .fiveSeconds), .seconds(60))
        let read = Reading(stream)
        func closed() -> [WireBar] {
            read.data().compactMap { if case .closed(let bar) = $0 { bar } else { nil } }
        }
        try await rig.gateway.wait("new bars", limit: .minutes(2)) { closed().count >= 20 }
        let starts = closed().map(\.time.order)
        // Five seconds from each to the next, across the seam of past and present.
        #expect(
            zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == .seconds(5) }, "\(starts)")
        #expect(starts.contains { $0 < SimulatedGateway.tuesday })
        #expect(starts.contains { $0 > SimulatedGateway.tuesday })
        stream.cancel()
        try await rig.gateway.wait("the reader ends") { read.isOver }
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func historyHasABeginningAndSessions(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let apple = try await apple(rig)
        let head = try await rig.gateway.finishInTime { try await client.headTimestamp(apple) }
        #expect(head < SimulatedGateway.tuesday)
        #expect(rig.gateway.received(.cancelHeadTimestamp).count == 1)
        guard version >= 165 else {
            // Gateways know no schedules yet: the client says so instead of waiting in vain.
            await #expect(throws: ClientError.self) {
                try await rig.gateway.finishInTime { try await client.schedule(apple, days: 5) }
            }
            #expect(rig.gateway.received(.reqHistoricalData).isEmpty)
            return
        }
        let sessions = try await rig.gateway.finishInTime {
            try await client.schedule(apple, days: 5)
        }
        let last = try #require(sessions.last)
        #expect(last.day == SimulatedGateway.tuesday.day)
        // 9:30 and 16:00 in New York, five hours behind UTC.
        #expect(last.begin == SimulatedGateway.tuesday + .minutes(-30))
        #expect(last.end == SimulatedGateway.tuesday + .hours(6))
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func ticksOfThePastAreFound(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        let question = TickQuestion(try await apple(rig))
        let from = SimulatedGateway.tuesday + .minutes(-1)
        let trades = try await rig.gateway.finishInTime("ticks", limit: .minutes(15)) {
            try await client.historicalTrades(question, from: from, to: SimulatedGateway.tuesday)
        }
        #expect(trades.count >= 10)
        #expect(trades.allSatisfy { $0.time >= from && $0.time < SimulatedGateway.tuesday })
        #expect(trades.map(\.time) == trades.map(\.time).sorted())
        rig.checkCalm()
    }
}
