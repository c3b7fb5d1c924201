import Foundation
import GatewayTestSupport
import Model
import Primitives
import Risk
import Testing
import TradingEngine

@testable import Runtime

/// Strategies that take longer than they may.
@Suite struct StrategyTimeTests {
    /// Two strategies, each with its own stocks.
    private static let two = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, AMZN, MSFT, SPY], bar_size: 1m}
        strategies:
          - use: momentum
            name: first
            symbols: [AAPL, AMZN]
            parameters: {lookback: 3, threshold: 0.0002, exit_threshold: -0.0002}
          - use: momentum
            name: second
            symbols: [MSFT, SPY]
            parameters: {lookback: 3, threshold: 0.0002, exit_threshold: -0.0002}
        """
    private static let first = StrategyID(index: 0)
    private static let second = StrategyID(index: 1)

    private func entries(_ rig: SessionRig, since batch: Int, of strategy: StrategyID) -> Int {
        rig.entries(since: batch).count { $0.request.strategy == strategy }
    }

    /// EVT-08: calls of 50 milliseconds and more are counted, by strategy, and nothing follows from them.
    @Test func slowCallsAreCounted() throws {
        let rig = try SessionRig(Self.two, keepsHistory: true)
        try rig.pass(.minutes(12))
        #expect(rig.driver.slowCalls.isEmpty)
        rig.calls.set(.milliseconds(60), of: Self.first)
        try rig.pass(.minutes(2))
        rig.calls.set(.zero, of: Self.first)
        let slow = rig.driver.slowCalls
        #expect(slow.map(\.name) == ["first"])
        // Two bars and the end of the slice, twice; and what became of orders.
        #expect((slow.first?.calls.count ?? 0) >= 6)
        #expect(slow.first?.calls.longest == .milliseconds(60))
        #expect(!rig.decisions.contains { $0.kind == .strategyStopped(.overBudget) })
        let snapshot = SessionSnapshot(of: rig.driver, symbols: rig.symbols, at: rig.now)
        #expect(snapshot.slowStrategies.map(\.longest) == [.milliseconds(60)])
        try rig.expectEqualLedgers()
    }

    /// A2, EVT-08: a strategy that takes longer than two seconds gets no entries when its call has returned, through
    /// restarts, until the user lets them go on; its exits and the other strategy go on. A replay decides the same.
    @Test func aStrategyOverBudgetLosesItsEntriesOnly() throws {
        let rig = try SessionRig(Self.two, keepsHistory: true)
        try rig.pass(until: "entries of both") {
            entries(rig, since: 0, of: Self.first) > 0
                && entries(rig, since: 0, of: Self.second) > 0
        }
        rig.calls.set(.milliseconds(2_500), of: Self.first)
        try rig.pass(.minutes(1))
        rig.calls.set(.zero, of: Self.first)
        let stops = rig.decisions.filter { $0.kind == .strategyStopped(.overBudget) }
        #expect(stops.count == 1)
        let stop = try #require(stops.first)
        #expect(stop.subject.strategy == Self.first)
        #expect(stop.kind.severity == .critical)
        #expect(stop.figures[.value]?.amount == 2_500_000_000)
        let alarm = rig.driver.takeAlarms().last { $0.text.contains("OVER_BUDGET") }
        #expect(alarm?.text.contains("first") == true)
        #expect(alarm?.text.contains("2500ms") == true)

        let batch = rig.history.batches.count
        try rig.pass(.minutes(20))
        #expect(entries(rig, since: batch, of: Self.first) == 0)
        #expect(entries(rig, since: batch, of: Self.second) > 0)
        let sold = rig.history.batches[batch...].flatMap(\.commands).contains { recorded in
            guard case .submit(let ticket) = recorded.command else { return false }
            return ticket.request.strategy == Self.first && ticket.request.purpose == .exit
        }
        #expect(sold, "exits go on")
        try rig.expectEqualLedgers()

        try rig.crash()
        let restart = rig.history.batches.count
        try rig.pass(.minutes(10))
        #expect(rig.driver.recovery?.contains("answered as before") == true)
        #expect(entries(rig, since: restart, of: Self.first) == 0)

        try rig.instruct(.startEntries(Self.first))
        let allowed = rig.history.batches.count
        try rig.pass(until: "an entry of the first") {
            entries(rig, since: allowed, of: Self.first) > 0
        }
        try rig.expectEqualLedgers()
        try rig.expectVerifiedJournal("over-budget")
    }

    /// What is rebuilt under another program keeps the strategy stopped.
    @Test func anotherProgramKeepsTheStrategyStopped() throws {
        let rig = try SessionRig(Self.two, keepsHistory: true)
        try rig.pass(.minutes(12))
        rig.calls.set(.seconds(3), of: Self.second)
        try rig.pass(.minutes(1))
        rig.calls.set(.zero, of: Self.second)
        try rig.crash(program: 2)
        try rig.pass(.minutes(2))
        #expect(rig.driver.recovery?.contains("was rebuilt") == true)
        try rig.instruct(.resumeAll)
        let batch = rig.history.batches.count
        try rig.pass(.minutes(20))
        #expect(entries(rig, since: batch, of: Self.second) == 0)
        #expect(entries(rig, since: batch, of: Self.first) > 0)
        try rig.expectEqualLedgers()
    }

    /// A2, P3: behind a program that hung and was ended entries are halted, through further restarts, until the user
    /// lifts that; exits go on.
    @Test func behindAHangEntriesAreHalted() throws {
        let rig = try SessionRig(Self.two, keepsHistory: true)
        try rig.pass(.minutes(12))
        let mark = HangMark(folder: rig.folder)
        try rig.crash {
            try "60\n".write(toFile: mark.path, atomically: true, encoding: .utf8)
        }
        let batch = rig.history.batches.count
        try rig.pass(.minutes(1))
        let halt = try #require(rig.decisions.last { $0.kind == .halted(.programHung) })
        #expect(halt.figures[.value]?.amount == 60_000_000_000)
        #expect(rig.driver.takeAlarms().contains { $0.text.contains("PROGRAM_HUNG") })
        #expect(mark.read() == nil, "it is in the journal")
        try rig.crash()
        try rig.pass(.minutes(20))
        #expect(rig.entries(since: batch).isEmpty)
        #expect(rig.driver.withEngine { $0.gate.isHalted(for: .programHung) } == true)
        let sold = rig.history.batches[batch...].flatMap(\.commands).contains { recorded in
            if case .submit(let ticket) = recorded.command {
                ticket.request.purpose == .exit
            } else {
                false
            }
        }
        #expect(sold, "exits go on")

        try rig.instruct(.resume(.programHung))
        let lifted = rig.history.batches.count
        try rig.pass(until: "an entry") { !rig.entries(since: lifted).isEmpty }
        try rig.expectEqualLedgers()
        try rig.expectVerifiedJournal("hung")
    }
}
