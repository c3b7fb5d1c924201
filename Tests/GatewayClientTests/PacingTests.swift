import ClientTestSupport
import Primitives
import TWSClient
import TWSProtocol
import Testing

/// The broker's limits, enforced: a client that asks for more than they let through waits, and breaks
/// none.
@Suite struct PacingTests {
    /// A desk at a gateway that ends connections which ask too much.
    private func policed() async throws -> (TradingDesk, Contract) {
        let desk = try await TradingDesk.open()
        let client = desk.client
        let apple = try await desk.gateway.finishInTime { try await client.qualify(.stock("AAPL")) }
        try desk.gateway.play("pacing-police")
        return (desk, apple)
    }

    @Test func questionsLeaveFiftyASecond() async throws {
        let (desk, _) = try await policed()
        let client = desk.client
        let calls = (0..<400).map { _ in
            Started(on: desk.gateway.clock) {
                try await client.contractDetails(.stock("AAPL"), includeExpired: true)
            }
        }
        try await desk.gateway.wait("all answers") { calls.allSatisfy(\.isDone) }
        for call in calls { #expect(try await call.value().count == 1) }
        let times = desk.gateway.heard.map(\.time)
        for (index, time) in times.enumerated() where index >= 50 {
            #expect(time - times[index - 50] >= .seconds(1))
        }
        desk.checkCalm()
    }

    /// Four kinds of bars of sixteen instruments: 64 requests where 60 in ten minutes are let through.
    @Test func smallBarsWaitForTheirTurn() async throws {
        let (desk, _) = try await policed()
        let client = desk.client
        let begin = desk.gateway.clock.now
        let symbols = [
            "AAPL", "MSFT", "AMZN", "GOOGL", "META", "NVDA", "TSLA", "JPM", "JNJ", "PG", "XOM",
            "KO", "PFE", "INTC", "WMT", "DIS",
        ]
        let kinds: [WhatToShow] = [.trades, .midpoint, .bid, .ask]
        let calls = symbols.flatMap { symbol in
            kinds.map { kind in
                var question = BarQuestion(.stock(symbol), .fiveSeconds)
                question.what = kind
                return Started(on: desk.gateway.clock) { [question] in
                    try await client.recentBars(question, .seconds(60))
                }
            }
        }
        try await desk.gateway.wait("all bars", limit: .hours(1)) { calls.allSatisfy(\.isDone) }
        for call in calls { #expect(try await call.value().count >= 11) }
        #expect(desk.gateway.heard(.reqHistoricalData).count == 64)
        let length = desk.gateway.clock.now - begin
        #expect(length >= .minutes(10) && length < .minutes(12))
        desk.checkCalm()
    }

    @Test func sameQuestionWaitsFifteenSeconds() async throws {
        let (desk, apple) = try await policed()
        let client = desk.client
        for _ in 0..<3 {
            let bars = try await desk.gateway.finishInTime("bars") {
                try await client.recentBars(
                    BarQuestion(apple, .fiveSeconds), .seconds(600))
            }
            #expect(!bars.isEmpty)
        }
        let times = desk.gateway.heard.filter { $0.message.kind == .reqHistoricalData }.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .seconds(15) })
        desk.checkCalm()
    }

    /// Somebody else of the same login uses up the limit: the refusal is waited out.
    @Test func refusedHistoryIsAskedForAgain() async throws {
        let (desk, apple) = try await policed()
        let client = desk.client
        try desk.gateway.fault(
            #"{"do":"refuse","kinds":["reqHistoricalData"],"code":162,"text":"pacing violation","times":1}"#
        )
        let bars = try await desk.gateway.finishInTime("bars", limit: .minutes(20)) {
            try await client.recentBars(BarQuestion(apple, .oneMinute), .days(1))
        }
        #expect(bars.count >= 30)
        #expect(desk.gateway.heard(.reqHistoricalData).count == 2)
        #expect(desk.gateway.connection == 1)
    }
}
