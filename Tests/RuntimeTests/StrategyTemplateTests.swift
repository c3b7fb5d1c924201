import Foundation
import Signals
import Testing

@testable import Runtime

@Suite struct StrategyTemplateTests {
    private func template(_ name: String) throws -> StrategyTemplate {
        try StrategyTemplate(name: name, repository: "https://example.com/some/martlet.git")
    }

    @Test(arguments: [
        ("BuyTheDip", "BuyTheDip", "buy_the_dip", "buy-the-dip"),
        ("buy_the_dip", "BuyTheDip", "buy_the_dip", "buy-the-dip"),
        ("RSIDip2", "RSIDip2", "rsi_dip2", "rsi-dip2"), ("dip", "Dip", "dip", "dip"),
    ])
    func namesAreSpeltInThreeWays(given: String, type: String, key: String, program: String) throws
    {
        let name = try template(given).name
        #expect(name.type == type)
        #expect(name.key == key)
        #expect(name.program == program)
    }

    @Test(arguments: [
        "", "_", "2Dips", "Buy The Dip", "Buy-Dip", "Bücher", "Dip\"", "Dip/../x", "Momentum",
        "Signals",
        String(repeating: "A", count: 51),
    ])
    func whatCannotBeANameIsRefused(name: String) {
        #expect(throws: RunFailure.self) { try template(name) }
    }

    @Test func repositoryIsNamedByAddressOrFolder() throws {
        let remote = try template("Dip").dependency
        #expect(
            remote.declaration
                == #".package(url: "https://example.com/some/martlet.git", branch: "main")"#)
        #expect(remote.identity == "martlet")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        let local = try StrategyTemplate(name: "Dip", repository: root).dependency
        #expect(local.declaration.contains(#".package(name: "martlet", path: "/"#))
        #expect(throws: RunFailure.self) {
            try StrategyTemplate(name: "Dip", repository: root + "/Sources")
        }
        #expect(throws: RunFailure.self) {
            try StrategyTemplate(name: "Dip", repository: "https://example.com/\"")
        }
    }

    @Test func aPackageIsWrittenOnceAndNothingIsOverwritten() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("martlet-template-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try template("Dip").write(into: folder) == folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        #expect(
            names.filter { $0.contains(".") } == [
                ".gitignore", "Data/SAMPLE.csv", "Package.swift", "README.md",
                "Sources/Dip/Dip.swift", "Sources/Run/main.swift", "Tests/DipTests/DipTests.swift",
                "backtest.yaml",
            ])
        #expect(throws: RunFailure.self) { try template("Dip").write(into: folder) }
    }
}
