import Catalog
import Configuration
import Model
import Primitives
import Reporting
import Risk
import Signals
import Testing
import TradingEngine

@testable import Runtime

/// Buys whenever it holds nothing.
private struct Buyer: Strategy {
    static let declaration = StrategyDeclaration(name: "buyer", summary: "buys again and again")

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        if context.holding(of: bar.instrument).quantity == .zero {
            context.enter(.buy, bar.instrument, because: "flat")
        }
    }
}

/// What lets entries go on after a drawdown.
@Suite struct ResumeTests {
    /// Daily bars: 100 shares bought at 100.00 lose 7,000 of 100,000 by the third, then prices rise.
    private func trial(_ resume: ResumeSettings) -> Trial {
        var trial = Trial(
            [
                .closes(
                    [100_00, 100_00, 30_00, 30_00, 33_00, 36_00, 39_00], barSize: .days(1))
            ], Buyer())
        trial.capital = Money(cents: 100_000_00)
        trial.account = { setup in
            setup.losses.drawdownPercent = Percent(5)
            setup.losses.response = .flatten
        }
        trial.resume = resume
        return trial
    }

    @Test func withoutARuleTheRunEndsHalted() throws {
        let record = try trial(.never).run()
        #expect(record.endedHalted)
        #expect(record.orders.filter { $0.ticket.request.purpose == .entry }.count == 1)
        #expect(record.warnings.contains { $0.hasPrefix("entries were halted from 2024-01-") })
    }

    @Test func theNextSessionLiftsTheHalt() throws {
        let record = try trial(.nextSession).run()
        #expect(!record.endedHalted)
        #expect(record.orders.filter { $0.ticket.request.purpose == .entry }.count > 1)
        #expect(record.breaches.count == 1, "measured anew from the equity of that moment")
    }

    @Test func soManyDaysLiftTheHalt() throws {
        let early = try trial(.afterDays(2)).run()
        let late = try trial(.afterDays(1_000)).run()
        #expect(!early.endedHalted && late.endedHalted)
    }
}
