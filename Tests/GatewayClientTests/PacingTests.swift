import GatewayTestSupport
import ClientTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// The broker's limits, enforced: a client that asks for more than they let through waits, and breaks
/// none.
@Suite struct PacingTests {
    /// A rig at a gateway that ends connections which ask too much.
    private func audited() async throws -> (TradingRig, Contract) {
        let rig = try await TradingRig.open()
        let client = rig.client
        let apple = try await rig.gateway.finishInTime { try await client.qualify(.stock("AAPL")) }
        try rig.gateway.play("pacing-police")
        return (rig, apple)
    }

    @Test func questionsLeaveFiftyASecond() async throws {
        let (rig, _) = try await audited()
        let client = rig.client
        let calls = (0..<400).map { _ in
            Started(on: rig.gateway.clock) {
                try await client.contractDetails(.stock("AAPL"), includeExpired: true)
            }
        }
        try await rig.gateway.wait("all answers") { calls.allSatisfy(\.isDone) }
        for call in calls { #expect(try await call.value().count == 1) }
        let times = rig.gateway.received.map(\.time)
        for (index, time) in times.enumerated() where index >= 50 {
            #expect(time - times[index - 50] >= .seconds(1))
        }
        rig.checkCalm()
    }

    /// Four kinds of bars of sixteen instruments: 64 requests where 60 in ten minutes are let through.
    @Test func smallBarsWaitForTheirTurn() async throws {
        let (rig, _) = try await audited()
        let client = rig.client
        let begin = rig.gateway.clock.now
        let symbols = [
            "AAPL", "MSFT", "AMZN", "GOOGL", "META", "NVDA", "TSLA", "JPM", "JNJ", "PG", "XOM",
            "KO", "PFE", "INTC", "WMT", "DIS",
        ]
        let kinds: [WhatToShow] = [.trades, .midpoint, .bid, .ask]
        let calls = symbols.flatMap { symbol in
            kinds.map { kind in
                var question = BarQuestion(.stock(symbol), .fiveSeconds)
                question.what = kind
                return Started(on: rig.gateway.clock) { [question] in
                    try await client.recentBars(question, .seconds(60))
                }
            }
        }
        try await rig.gateway.wait("all bars", limit: .hours(1)) { calls.allSatisfy(\.isDone) }
        for call in calls { #expect(try await call.value().count >= 9) }
        #expect(rig.gateway.received(.reqHistoricalData).count == 64)
        let length = rig.gateway.clock.now - begin
        #expect(length >= .minutes(10) && length < .minutes(12))
        rig.checkCalm()
    }

    @Test func sameQuestionWaitsFifteenSeconds() async throws {
        let (rig, apple) = try await audited()
        let client = rig.client
        for _ in 0..<3 {
            let bars = try await rig.gateway.finishInTime("bars") {
                try await client.recentBars(
                    BarQuestion(apple, .fiveSeconds), .seconds(600))
            }
            #expect(!bars.isEmpty)
        }
        let times = rig.gateway.received.filter { $0.message.kind == .reqHistoricalData }.map(
            \.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(15) })
        rig.checkCalm()
    }

    /// Somebody else of the same login uses up the limit: the refusal is waited out.
    @Test func refusedHistoryIsAskedForAgain() async throws {
        let (rig, apple) = try await audited()
        let client = rig.client
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["reqHistoricalData"],"code":162,"text":"pacing violation","times":1}"#
        )
        let bars = try await rig.gateway.finishInTime("bars", limit: .minutes(20)) {
            try await client.recentBars(BarQuestion(apple, .oneMinute), .days(1))
        }
        #expect(bars.count >= 30)
        #expect(rig.gateway.received(.reqHistoricalData).count == 2)
        #expect(rig.gateway.connection == 1)
    }
}
