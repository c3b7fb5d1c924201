import Foundation
import Testing

/// `martlet chaos run`.
@Suite struct ChaosCommandTests {
    private let program: BuiltProgram

    init() throws {
        program = try BuiltProgram()
        try program.write(
            """
            account: {type: margin, starting_capital: 100000}
            trading: {symbols: [AAPL, MSFT], bar_size: 1m}
            strategies:
              - use: cross_sectional_momentum
                parameters: {lookback: 5, top: 1, invested_pct: 20, rebalance: bars, every: 5}
                stop: {method: percent, price_pct: 3}
            """, to: "my.yaml")
    }

    /// Two processes, and one thread or many, give the same journals.
    @Test func seedsAreAuditedAndRepeatable() throws {
        let options = ["chaos", "run", "-c", "my.yaml", "--minutes", "20", "--json"]
        let both = try program.run(options + ["--seeds", "2"])
        let second = try program.run(options + ["--first", "2", "--seeds", "1"])
        #expect(both.status == 0 && second.status == 0, "\(both.errors)\(second.errors)")
        let runs = try Self.runs(both.output)
        #expect(runs.map { $0["name"] as? String } == ["seed 1", "seed 2"])
        #expect(runs.allSatisfy { $0["good"] as? Bool == true })
        let repeated = try Self.runs(second.output)
        #expect(repeated[0]["journal"] as? String == runs[1]["journal"] as? String)
    }

    /// A session of a scenario leaves its journal, which can be verified.
    @Test func aScenarioLeavesItsJournal() throws {
        let run = try program.run(
            "chaos", "run", "link-lost-data-lost", "-c", "my.yaml", "--minutes", "15",
            "--journal", "left")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("link-lost-data-lost"))
        #expect(try program.run("replay", "left", "--verify", "-q").status == 0)
    }

    /// Scenarios have a session each, and a table of what held.
    @Test func scenariosHaveATable() throws {
        let run = try program.run(
            "chaos", "run", "link-lost-data-kept", "half-open", "-c", "my.yaml", "--minutes", "12",
            "-o", "table.md")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("1 positions, 2 cash"))
        let lines = try program.text("table.md").split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[2].hasPrefix("| `link-lost-data-kept` | ok |"))
    }

    @Test(arguments: [
        (["-o", "t.md"], "--output is for scenarios"),
        (["nightly-reboot"], "nightly-reboot"), (["--minutes", "5"], "10 to 360"),
        (["--seeds", "0"], "--seeds is 0"),
        (["nightly-restart", "--seeds", "3"], "without a scenario"),
        (["--seeds", "2", "--journal", "j"], "one session"),
    ])
    func whatDoesNotHoldIsRefused(options: [String], words: String) throws {
        let run = try program.run(["chaos", "run", "-c", "my.yaml"] + options)
        #expect(run.status == 2)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    private static func runs(_ text: String) throws -> [[String: Any]] {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
        return try #require(object["runs"] as? [[String: Any]])
    }
}
