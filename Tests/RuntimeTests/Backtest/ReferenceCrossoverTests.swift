import Digests
import Catalog
import Foundation
import MarketState
import Model
import Primitives
import Reporting
import Signals
import Simulation
import Testing

@testable import Runtime

/// The first 100,000 bars of the comparison with other backtesters, whose answer six of them share with an
/// independent program in C (Benchmarks/Peers/reference/RESULTS.json, `a_100k/open`).
@Suite struct ReferenceCrossoverTests {
    @Test func crossoverOf100_000BarsGivesTheReferenceFills() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("martlet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let csv = Data(ReferenceBars(count: 100_000).csv.utf8)
        #expect(
            SHA256.hexadecimal(csv)
                == "29ba8a8874e41e8b796e13077f6dbb8a63f331af61c09e717fd58216491d4f66")
        let file = folder.appendingPathComponent("A.csv")
        try csv.write(to: file)

        let data = try DataLoader.load(
            DataSource(path: file.path, calendar: .always), progress: nil)
        var trial = Trial(data.series, try crossover(fast: 10, slow: 30))
        trial.venue.commission = .perOrder(Money(cents: 100))
        let record = try trial.run()

        #expect(record.barCount == 100_000)
        #expect(record.finalEquity == Money(cents: 99_727_500))
        let fills = record.fills.map { fill in
            let execution = fill.execution
            return "\(execution.time),\(execution.side == .buy ? "B" : "S"),\(execution.quantity),"
                + "\(execution.price)\n"
        }
        #expect(fills.count == 3_844)
        #expect(
            SHA256.hexadecimal(fills.joined().utf8)
                == "76486eac024baa933e9bbece0ec18c56888d99c6801372feae195ccbeb0a619d")
        let drawdown = try #require(record.maxDrawdown)
        #expect(abs(drawdown.fraction - 0.00277198) < 0.000000005)
    }
}
