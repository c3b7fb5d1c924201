import Foundation
import Testing

/// `martlet optimize` as a user runs it.
@Suite struct OptimizeCommandTests {
    private let program: BuiltProgram

    init() throws { program = try BuiltProgram() }

    @Test func everyCombinationIsTheBacktestOfItsValues() throws {
        let search = try program.run(
            "optimize", "-c", "config.yaml", "--grid", "fast=2:4:1", "--grid", "slow=3,5", "-o",
            "search", "--json")
        #expect(search.status == 0)
        let rows = try program.text("search/runs.csv").split(separator: "\n")
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(rows.count == 7)
        #expect(rows[0].prefix(3) == ["fast", "slow", "final_equity"])
        for row in rows.dropFirst() {
            guard let fast = Int(row[0]), let slow = Int(row[1]), fast < slow else {
                #expect(row[2].isEmpty)
                #expect(row.last?.contains("must be below slow") == true)
                continue
            }
            let alone = try program.run(
                "backtest", "-c", "config.yaml", "-o", "alone", "--json", "--set",
                "strategies.0.parameters.fast=\(fast)", "--set",
                "strategies.0.parameters.slow=\(slow)")
            #expect(alone.output.contains("\"final_equity\":\(row[2]),"))
        }
        #expect(search.output.contains("\"refused\":2"))
    }

    @Test func theBestAreShown() throws {
        let search = try program.run(
            "optimize", "-c", "config.yaml", "--grid", "fast=2,3", "--rank-by", "total_return",
            "--top", "1", "-o", "search")
        #expect(search.status == 0)
        #expect(search.output.contains("2 combinations, ranked by total_return."))
    }

    @Test func whatNoCombinationCanBeIsRefused() throws {
        let unknown = try program.run(
            "optimize", "-c", "config.yaml", "--grid", "quick=2,3", "-o", "search")
        #expect(unknown.status == 3)
        #expect(unknown.errors.contains("quick"))
        let conflicting = try program.run(
            "optimize", "-c", "config.yaml", "--grid", "fast=7,8", "-o", "search")
        #expect(conflicting.status == 3)
        #expect(conflicting.errors.contains("must be below slow"))
        let nonsense = try program.run(
            "optimize", "-c", "config.yaml", "--grid", "fast=5:1:1", "-o", "search")
        #expect(nonsense.status == 2)
        #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/search"))
    }
}
