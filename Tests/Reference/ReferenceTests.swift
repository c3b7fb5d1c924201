import Configuration
import Foundation
import Runtime
import Testing

/// Bundled strategies on bundled real prices against an implementation in pandas (reference.py),
/// trade by trade. The expected files are what that script wrote.
@Suite struct ReferenceTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static let tradeColumns = [
        "symbol", "entry_time", "exit_time", "quantity", "entry_price", "exit_price",
    ]
    private static let fillColumns = ["time", "symbol", "side", "quantity", "price"]

    @Test(arguments: ["ma_crossover", "momentum", "rsi_reversion", "zscore_reversion"])
    func roundTripsAreTheReferences(name: String) throws {
        let expected = try expected(name)
        #expect(expected.count > 50)
        #expect(try found(Self.tradeColumns, in: "trades.csv", of: name) == expected)
    }

    @Test func fillsOfTheRankingAreTheReferences() throws {
        let expected = try expected("cross_sectional_momentum")
        #expect(expected.count > 50)
        let found = try found(Self.fillColumns, in: "fills.csv", of: "cross_sectional_momentum")
        #expect(found == expected)
    }

    /// The rows of a fixture, sorted.
    private func expected(_ name: String) throws -> [[String]] {
        let file = Self.folder.appendingPathComponent("Fixtures/\(name).csv")
        return try table(file).dropFirst().sorted { $0.joined() < $1.joined() }
    }

    /// Runs configs/`name`.yaml and takes these columns out of a table it leaves behind: times cut
    /// to their day, rows sorted.
    private func found(
        _ columns: [String], in file: String, of name: String
    ) throws -> [[String]] {
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("martlet-reference-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        var document = SettingsDocument()
        document.merge(file: Self.folder.appendingPathComponent("configs/\(name).yaml").path)
        _ = try BacktestJob(SettingsCheck(document).get(), output: output.path).run()

        let rows = try table(output.appendingPathComponent(file))
        let columnIndices = try columns.map { column in
            try #require(rows.first?.firstIndex(of: column))
        }
        return rows.dropFirst().map { row in
            zip(columns, columnIndices).map { column, index in
                column.hasSuffix("time") ? String(row[index].prefix(10)) : row[index]
            }
        }
        .sorted { $0.joined() < $1.joined() }
    }

    private func table(_ file: URL) throws -> [[String]] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
