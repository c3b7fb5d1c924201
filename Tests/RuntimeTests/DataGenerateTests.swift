import Catalog
import Foundation
import MarketState
import Testing

@testable import Runtime

@Suite struct DataGenerateTests {
    private static func request(
        _ change: (inout DataGenerateJob.Request) -> Void = { _ in }
    ) -> DataGenerateJob.Request {
        var request = DataGenerateJob.Request(symbols: "A,B", rows: 2_000, volatility: 0.15)
        request.seed = 7
        change(&request)
        return request
    }

    /// What a request writes for the symbol A, which must pass the check of data files.
    private static func file(_ request: DataGenerateJob.Request) throws -> Data {
        let folder = NSTemporaryDirectory() + "data-generate-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try DataGenerateJob(request).run(into: folder, progress: nil)
        let source = DataSource(path: folder, calendar: .newYork)
        for file in try DataFolder.files(of: source) {
            #expect(DataCheck.check(file, source: source).findings.kept.isEmpty)
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/A.csv"))
        #expect(data.count { $0 == UInt8(ascii: "\n") } == request.rows + 1)
        return data
    }

    @Test(arguments: ["1m", "1h", "1d", "ticks"])
    func filesAreTheSameForTheSameSeedAndPassTheirCheck(size: String) throws {
        let request = Self.request {
            $0.barSize = size == "ticks" ? "1d" : size
            $0.ticksPerSession = size == "ticks" ? 900 : nil
            $0.correlation = size == "ticks" ? 0 : 0.5
        }
        let first = try Self.file(request)
        #expect(try Self.file(request) == first)
        var other = request
        other.seed = 8
        #expect(try Self.file(other) != first)
        // Nor do they depend on what else is made.
        other = request
        other.symbols = "C,a"
        #expect(try Self.file(other) == first)
    }

    @Test func whatCannotBeMadeIsExplained() throws {
        _ = try DataGenerateJob(Self.request())
        let faults: [(inout DataGenerateJob.Request) -> Void] = [
            { $0.symbols = "" }, { $0.symbols = "A,a" }, { $0.symbols = "../A" }, { $0.rows = 0 },
            { $0.barSize = "7h" }, { $0.volatility = -1 }, { $0.volatility = .nan },
            { $0.correlation = 1.1 }, { $0.jumps = 100 }, { $0.price = 0 },
            { $0.from = "1970-01-01" }, { $0.drift = -2 }, { $0.ticksPerSession = 0 },
        ]
        for fault in faults {
            #expect(throws: RunFailure.self) { try DataGenerateJob(Self.request(fault)) }
        }
    }

    @Test func aPriceBeyondAllBoundsEndsTheFile() throws {
        let request = Self.request {
            $0.symbols = "A"
            $0.price = 1_000_000
            $0.drift = 10
        }
        let folder = NSTemporaryDirectory() + "data-generate-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let outcome = try DataGenerateJob(request).run(into: folder, progress: nil)
        #expect(outcome.text.contains("fewer than the 2000 asked for"))
    }
}
