import GatewaySimulator
import Primitives
import TestSupport
import Testing

@testable import Runtime

/// The tables of docs/chaos.md that are made by running sessions.
@Suite struct ChaosPageTests {
    /// Every scenario that a gateway plays, in a session with stops.
    @Test func thePageHasEveryScenarioWithEachInvariant() throws {
        var options = ChaosJob.Options()
        options.scenarios = ["all"]
        let job = try ChaosJob(try SessionRig.settings(SessionRig.guarded), options)
        let outcome = try job.run()
        #expect(job.sessionCount == Scenario.all.count { $0.advice == nil })
        #expect(outcome.runs.count == job.sessionCount)
        let table = ChaosTable(outcome.runs).markdown
        let found = try PagePart.lines(
            of: "docs/chaos.md", from: "<!-- scenarios", made: table)
        #expect(
            found == table,
            "docs/chaos.md is \(PagePart.advice) ChaosPageTests\n\(outcome.text)")
    }

    /// Each invariant is explained on the page.
    @Test func thePageHasEveryInvariant() throws {
        let table = ChaosTable([]).markdown
        #expect(table.count == 2)
        for invariant in ChaosInvariant.allCases {
            #expect(table[0].contains("| \(invariant.rawValue) |"))
        }
    }

    /// For terminals columns have numbers, and the names stand below.
    @Test func columnsAreNumbered() {
        let run = ChaosRun.Outcome(
            source: .scenario("half-open"), findings: [.cash: ["one", "two"], .recovery: ["late"]])
        let lines = ChaosTable([run]).lines
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("           1  2  3"))
        #expect(lines[1].hasPrefix("half-open ok  2 ok"))
        #expect(lines[1].hasSuffix("ok  1"))
        #expect(lines[2].hasPrefix("1 positions, 2 cash, 3 fills"))
        #expect(Set(lines.dropLast().map(\.count)).count == 1)
    }
}
