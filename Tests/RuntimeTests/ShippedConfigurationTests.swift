import Configuration
import Foundation
import Primitives
import Signals
import TestSupport
import Testing

@testable import Runtime

/// The configurations that come with the program are read as a user's would be.
@Suite struct ShippedConfigurationTests {
    private static let root =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .path() + "/"

    private static func files(in folder: String, ending endings: [String]) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + folder)
            .filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
            .map { "\(root)\(folder)/\($0)" }
    }

    private static let configurations: [String] =
        (try? ["config", "Samples"].flatMap { try files(in: $0, ending: [".yaml", ".json"]) }) ?? []

    @Test func thereAreConfigurationsInBothForms() {
        #expect(Self.configurations.contains { $0.hasSuffix("config/martlet.yaml") })
        #expect(Self.configurations.contains { $0.hasSuffix("config/martlet.json") })
        #expect(Self.configurations.count >= 4)
    }

    @Test(arguments: configurations)
    func everyConfigurationIsValid(file: String) throws {
        var document = SettingsDocument()
        document.merge(file: file)
        let settings = try SettingsCheck(document).get()
        #expect(
            FileManager.default.fileExists(
                atPath: try #require(settings.backtest.data).path.resolved))
    }

    @Test func everyStrategyHasItsFile() throws {
        let files = try Self.files(in: "config/strategies", ending: [".yaml"])
        let names = files.map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
        #expect(names == StrategyCatalog.declarations.map(\.name).sorted())
        for (file, name) in zip(files, names) {
            var document = MinimalSettings.document()
            document.set("strategies.0.use", to: name, flag: "")
            document.set("strategies.0.parameters_file", to: file, flag: "")
            let check = SettingsCheck(document)
            #expect(check.problems.isEmpty, "\(file): \(check.problems)")
        }
    }

    /// The figures that documents and other programs call usual.
    @Test func theSampleHasTheUsualFigures() throws {
        var document = SettingsDocument()
        document.merge(file: Self.root + "config/martlet.yaml")
        let settings = try SettingsCheck(document).get()
        #expect("\(settings.account.startingCapital)" == "100000.00")
        #expect(settings.ibkr.port == 4_002)
        #expect(settings.ibkr.tickBuffer == 1_000)
        #expect(settings.ibkr.cachesHistory)
        #expect(settings.ibkr.delayedFallback)
        #expect(settings.execution.orderTimeout == .seconds(30))
        #expect(settings.execution.usesAdaptive)
        #expect(!settings.execution.outsideRegularHours)
        let limits = try #require(settings.risk.limits)
        #expect(limits.maxPositionValue?.description == "10000.00")
        #expect(settings.risk.maxPositions == 5)
        #expect(limits.maxExposure?.description == "50000.00")
        #expect(settings.benchmarking.symbol == "SPY")
    }

    /// What stands there as a comment is right too, and there is something.
    @Test func theCommentsOfTheSampleConfigurationAreKeys() throws {
        let sample = try String(contentsOfFile: Self.root + "config/martlet.yaml", encoding: .utf8)
        let expression = try Regex(
            #"^( *)# ([a-z_]+: .*)$"#, as: (Substring, Substring, Substring).self)
        var count = 0
        let lines =
            sample
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line -> String in
                guard let match = line.wholeMatch(of: expression) else { return String(line) }
                count += 1
                return String(match.output.1 + match.output.2)
            }
        #expect(count >= 8)
        var document = SettingsDocument()
        document.merge(Array(lines.joined(separator: "\n").utf8), from: Self.root + "config/x.yaml")
        let check = SettingsCheck(document)
        #expect(check.problems.isEmpty, "\(check.problems)")
        #expect(check.settings?.backtest.cashFlows.count == 2)
    }

    @Test func theSampleOfVariablesIsRead() throws {
        let example = try String(
            contentsOfFile: Self.root + "config/.env.example", encoding: .utf8)
        let folder = try TemporaryFolder("example")
        defer { folder.remove() }
        try folder.write(example, to: ".env")
        var document = MinimalSettings.document()
        document.mergeEnvironmentFile(beside: [folder.path + "config.yaml"])
        let check = SettingsCheck(document)
        #expect(check.problems.isEmpty, "\(check.problems)")
        #expect(check.notices.count == 3)
        #expect(check.settings?.risk.maxPositions == 5)
    }

    /// What stands there as a comment is right too.
    @Test func theCommentsOfTheSampleAreVariables() throws {
        let example = try String(
            contentsOfFile: Self.root + "config/.env.example", encoding: .utf8)
        let lines = example.split(separator: "\n")
            .map { $0.hasPrefix("# MARTLET__") ? $0.dropFirst(2) : $0 }
        let folder = try TemporaryFolder("example-comments")
        defer { folder.remove() }
        try folder.write(lines.joined(separator: "\n"), to: ".env", mode: 0o600)
        var document = MinimalSettings.document()
        document.mergeEnvironmentFile(beside: [], orIn: folder.path)
        let check = SettingsCheck(document)
        #expect(check.problems.isEmpty, "\(check.problems)")
        #expect(check.settings?.alerts.smtpPassword != nil)
        #expect(check.settings?.system.vendorKey != nil)
    }
}
