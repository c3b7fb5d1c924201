import Catalog
import Model
import Primitives
import Reporting
import Signals
import Testing
import TradingEngine

@testable import Runtime

/// Buys now and then, by a counter that all its copies share.
private struct Sharer: Strategy {
    static let declaration = StrategyDeclaration(name: "sharer", summary: "shares memory")
    private let counter: Counter

    /// On one thread: both engines of a run are.
    final class Counter: @unchecked Sendable {
        var value = 0
    }

    init(_ setup: StrategySetup) { self.init() }
    init() { counter = Counter() }

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        counter.value += 1
        let count = counter.value
        if count % 11 == 0 {
            context.setTarget(Quantity(shares: 10), of: bar.instrument, because: "eleven")
        }
        if count % 13 == 0 { context.exit(bar.instrument, because: "thirteen") }
    }
}

/// What `--verify` finds, and what it leaves alone.
@Suite struct RunVerifierTests {
    private func trial(_ strategy: any Strategy) -> Trial {
        var trial = Trial([.walk(3, 400)], strategy)
        trial.isVerified = true
        return trial
    }

    @Test func aStrategyWhoseCopiesShareMemoryIsFound() throws {
        let thrown = #expect(throws: BacktestError.self) { try trial(Sharer()).run() }
        let error = try #require(thrown)
        guard case .answersDiffer(let difference) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(difference.batch > 0 && difference.event != nil)
        let failure = RunFailure(error)
        #expect(failure.exitCode.rawValue == 8)
        #expect("\(failure)".contains("\(difference)"))
        #expect("\(failure)".contains("memory that its copies share"))
    }

    /// What is compared changes nothing of the run, and is not kept unless the user asked for it.
    @Test func aVerifiedRunIsTheSameRun() throws {
        var trial = trial(try crossover(fast: 3, slow: 9))
        let verified = try trial.run()
        trial.account = { $0.decisions = .all }
        let withDecisions = try trial.run()
        trial.isVerified = false
        let plain = try trial.run()
        #expect(verified.stateHash == plain.stateHash && withDecisions.stateHash == plain.stateHash)
        #expect(verified.fills == plain.fills)
        #expect(verified.decisions.isEmpty)
        #expect(withDecisions.decisions == plain.decisions)
        let verification = try #require(verified.verification)
        #expect(verification == withDecisions.verification)
        #expect(verification.decisions == plain.decisions.count)
        #expect(verification.commands >= plain.orders.count)
        #expect(verification.events >= 800, "400 bars and the ends of their slices")
        #expect(plain.verification == nil)
    }

    @Test func theSummaryNamesWhatWasCompared() {
        let record = VerificationRecord(
            events: 1_234_567, commands: 2_345, decisions: 9_876, outputDigest: 1)
        #expect(
            record.text
                == "verified: 1,234,567 events, 2,345 commands and 9,876 decisions, answered alike")
    }
}
