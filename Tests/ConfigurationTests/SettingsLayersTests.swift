import Foundation
import Primitives
import TestSupport
import Testing

@testable import Configuration

/// Which of the places where a key is written counts, and what older names mean.
@Suite struct SettingsLayersTests {
    private struct Layers {
        var base = ""
        var over = ""
        var dotEnv: String?
        var environment: [String: String] = [:]
        var flags: [String] = []
    }

    private func inspect(_ layers: Layers, _ name: String) throws -> Settings.Inspection {
        let folder = try TemporaryFolder(name)
        defer { folder.remove() }
        try folder.write(Sample.minimal + "\n" + layers.base, to: "base.yaml")
        try folder.write(layers.over, to: "over.yaml")
        if let dotEnv = layers.dotEnv { try folder.write(dotEnv, to: ".env") }
        let files = [folder.path + "base.yaml", folder.path + "over.yaml"]
        var document = SettingsDocument()
        for file in files { document.merge(file: file) }
        document.mergeEnvironmentFile(beside: files)
        document.merge(environment: layers.environment)
        for flag in layers.flags { document.merge(assignment: flag) }
        return Settings.inspect(document, strategies: Sample.strategies)
    }

    /// Every layer alone over all below it.
    @Test func flagsBeatTheEnvironmentBeatsDotEnvBeatsFilesBeatDefaults() throws {
        var layers = Layers()
        func port(_ name: String) throws -> Int {
            let inspection = try inspect(layers, "precedence-\(name)")
            #expect(inspection.problems.isEmpty, "\(inspection.problems)")
            return inspection.settings.ibkr.port
        }
        #expect(try port("default") == 4_002)
        layers.base = "ibkr: {port: 5001, client_id: 3}"
        #expect(try port("file") == 5_001)
        layers.over = "ibkr: {port: 5002}"
        #expect(try port("second") == 5_002)
        layers.dotEnv = "IB_GATEWAY_PORT=5003\n"
        #expect(try port("older") == 5_003)
        layers.dotEnv = "IB_GATEWAY_PORT=5003\nMARTLET__IBKR__PORT=5004\n"
        #expect(try port("dotenv") == 5_004)
        layers.environment = ["IB_GATEWAY_PORT": "5005"]
        #expect(try port("environment-older") == 5_005)
        layers.environment["MARTLET__IBKR__PORT"] = "5006"
        #expect(try port("environment") == 5_006)
        layers.flags = ["ibkr.port=5007"]
        let last = try inspect(layers, "precedence-flag")
        #expect(last.settings.ibkr.port == 5_007)
        #expect(last.settings.ibkr.clientID == 3)
        #expect(last.notices.isEmpty)
        layers.flags = ["ibkr.port=null"]
        #expect(try port("taken-back") == 4_002)
    }

    @Test func dotEnvOfTheConfigurationComesBeforeThatOfTheWorkingFolder() throws {
        let folder = try TemporaryFolder("dotenv-folders")
        defer { folder.remove() }
        try folder.write("MARTLET__IBKR__CLIENT_ID=11", to: ".env")
        let other = try TemporaryFolder("dotenv-other")
        defer { other.remove() }
        try other.write("MARTLET__IBKR__CLIENT_ID=12", to: ".env")
        func id(beside files: [String]) throws -> Int {
            var document = Sample.document(Sample.minimal)
            document.mergeEnvironmentFile(beside: files, orIn: other.path)
            return try Settings.read(from: document, strategies: Sample.strategies).ibkr.clientID
        }
        let empty = try TemporaryFolder("dotenv-empty")
        defer { empty.remove() }
        #expect(try id(beside: ["/first/a.yaml", folder.path + "b.yaml"]) == 11)
        #expect(try id(beside: [folder.path + "a.yaml", empty.path + "b.yaml"]) == 12)
        #expect(try id(beside: []) == 12)
    }

    @Test func pathsInDotEnvStartAtItsFolder() throws {
        let inspection = try inspect(
            Layers(dotEnv: "MARTLET__BACKTEST__DATA__PATH=prices"), "dotenv-path")
        let path = inspection.settings.backtest.data?.path
        #expect(path?.given == "prices")
        #expect(path?.resolved.hasSuffix("dotenv-path/prices") == true)
    }

    @Test func problemsOfDotEnvHaveTheirPlace() throws {
        let broken = try inspect(Layers(dotEnv: "A=1\nMARTLET__RISK\n"), "dotenv-broken")
        #expect(broken.problems.map(\.found) == ["not a variable"])
        let wrong = try inspect(
            Layers(dotEnv: "\nexport MARTLET__RISK__MAX_LEVERAGE=[1\n MAX_POSITIONS=0\n"),
            "dotenv-wrong")
        #expect(wrong.problems.count == 2)
        let locations = wrong.problems.compactMap { $0.origin?.location }
        #expect(
            locations == [
                SettingsOrigin.Location(line: 2, column: 1),
                SettingsOrigin.Location(line: 3, column: 2),
            ])
    }

    /// Other tools keep a folder of that name.
    @Test func aFolderIsNoDotEnv() throws {
        let folder = try TemporaryFolder("dotenv-folder")
        defer { folder.remove() }
        try FileManager.default.createDirectory(
            atPath: folder.path + ".env", withIntermediateDirectories: false)
        var document = Sample.document(Sample.minimal)
        document.mergeEnvironmentFile(beside: [folder.path + "a.yaml"], orIn: folder.path)
        #expect(Sample.problems(in: document).isEmpty)
    }

    // MARK: - Older names

    private func inspect(_ environment: [String: String], set: [String] = []) -> Settings.Inspection
    {
        var document = Sample.document(Sample.minimal)
        document.merge(environment: environment)
        for assignment in set { document.merge(assignment: assignment) }
        return Settings.inspect(document, strategies: Sample.strategies)
    }

    @Test func olderNamesAreReadWithANotice() {
        let inspection = inspect([
            "IB_GATEWAY_PORT": "7497", "IB_GATEWAY_PORT_LIVE": "7496", "TRADING_MODE": "LIVE",
            "ACCOUNT_ID": " U1234567 ", "MAX_POSITIONS": "5",
        ])
        #expect(inspection.problems.isEmpty)
        #expect(inspection.settings.trading.mode == .live)
        #expect(inspection.settings.ibkr.port == 7_496)
        #expect(inspection.settings.ibkr.accountID == "U1234567")
        #expect(inspection.settings.risk.maxPositions == 5)
        #expect(
            inspection.notices.sorted() == [
                """
                ACCOUNT_ID is an older name, read as ibkr.account_id: 'U1234567'. Today's name is \
                MARTLET__IBKR__ACCOUNT_ID.
                """,
                """
                IB_GATEWAY_PORT is an older name, read as ibkr.port: 7497. Today's name is \
                MARTLET__IBKR__PORT.
                """,
                """
                IB_GATEWAY_PORT_LIVE is an older name, read as ibkr.live_port: 7496. Today's name is \
                MARTLET__IBKR__LIVE_PORT.
                """,
                """
                MAX_POSITIONS is an older name, read as risk.max_positions: 5. Today's name is \
                MARTLET__RISK__MAX_POSITIONS.
                """,
                """
                TRADING_MODE is an older name, read as trading.mode: 'live'. Today's name is \
                MARTLET__TRADING__MODE.
                """,
            ])
    }

    @Test func olderNamesAreCheckedAtTheirPlace() {
        let problems = inspect(["MAX_POSITIONS": "1001", "ACCOUNT_ID": "U1234567"]).problems
        #expect(
            problems.map { "\($0.origin?.description ?? "") \($0)" }.sorted() == [
                """
                environment ACCOUNT_ID ibkr.account_id: found U1234567, allowed an account that begins \
                with D, with trading.mode: paper.
                """,
                """
                environment MAX_POSITIONS risk.max_positions: found 1001, allowed 1 to 1000 \
                (positions).
                """,
            ])
    }

    @Test func anOlderNameThatDoesNotBelongIsIgnoredAloud() {
        let inspection = inspect(["MAX_POSITIONS": "5"], set: ["risk.limits=off"])
        #expect(inspection.problems.isEmpty)
        #expect(
            inspection.notices == [
                """
                MAX_POSITIONS is an older name, ignored, because risk.max_positions belongs only with \
                limits: on. Today's name is MARTLET__RISK__MAX_POSITIONS.
                """
            ])
    }

    /// A fraction of 0.01 is 1 percent.
    @Test func theOlderNameOfTheRiskPerTradeIsConverted() throws {
        let inspection = inspect(
            ["RISK_PER_TRADE_PCT": "0.015"],
            set: ["strategies=[{use: ma_crossover, sizing: {method: risk_per_trade}}]"])
        #expect(inspection.problems.isEmpty)
        guard case .riskPerTrade(let risk, _, _) = inspection.settings.strategies[0].sizing else {
            Issue.record("another method")
            return
        }
        #expect(risk == Percent(units: Percent(1).units * 3 / 2))
        #expect(inspection.notices.count == 1)
    }

    @Test func anOlderNameOfAnotherMethodsKeyIsIgnoredAloudAndOnce() {
        let strategies = "strategies=[{use: ma_crossover}, {use: momentum}]"
        let inspection = inspect(["RISK_PER_TRADE_PCT": "0.01"], set: [strategies])
        #expect(inspection.problems.isEmpty)
        #expect(
            inspection.notices == [
                """
                RISK_PER_TRADE_PCT is an older name, ignored, because strategies.0.sizing.risk_pct belongs only \
                with method: risk_per_trade. Today's name is MARTLET__STRATEGIES__0__SIZING__RISK_PCT.
                """
            ])
        #expect(inspect(["RISK_PER_TRADE_PCT": ""]).notices.isEmpty)
    }

    @Test func aStrategyThatIsOffTakesNoPart() {
        let one = inspect(
            [:], set: ["strategies=[{use: ma_crossover, enabled: off}, {use: momentum}]"])
        #expect(one.problems.isEmpty)
        #expect(one.settings.active.map(\.use) == ["momentum"])
        let none = inspect([:], set: ["strategies=[{use: ma_crossover, enabled: off}]"])
        #expect(none.problems.map(\.found) == ["none is enabled"])
    }

    @Test func keysThatNothingReadsAreNamed() {
        #expect(inspect([:]).unread.isEmpty)
        let unread = inspect([:], set: ["ibkr.cache_historical=false"]).unread
        #expect(unread.count == 1)
        #expect(unread.first?.hasPrefix("ibkr.cache_historical is set, and no command") == true)
    }

    /// LOG-03: the level is a key of the file, and the environment's lies above it; single categories have their own.
    /// LOG-04: a relative folder starts at the file that names it.
    @Test func theEnvironmentsLevelOfTheLogWins() throws {
        var layers = Layers()
        layers.base = "logging: {level: warning, directory: notes}"
        func logging(_ name: String) throws -> LoggingSettings {
            let inspection = try inspect(layers, "log-level-\(name)")
            #expect(inspection.problems.isEmpty, "\(inspection.problems)")
            return inspection.settings.logging
        }
        let ofFile = try logging("file")
        #expect(ofFile.level == .warning)
        #expect(ofFile.directory?.resolved.hasSuffix("log-level-file/notes") == true)
        layers.environment = ["MARTLET__LOGGING__LEVEL": "debug"]
        #expect(try logging("environment").level == .debug)
        layers.environment = ["MARTLET__LOGGING__CATEGORIES__DATA": "error"]
        let ofData = try logging("category")
        #expect(!ofData.writes(.data, .warning) && ofData.writes(.data, .error))
        #expect(!ofData.writes(.orders, .notice) && ofData.writes(.orders, .warning))
    }

    @Test func emptyAndOtherVariablesSetNothing() {
        let inspection = inspect(["MAX_POSITIONS": "", "PORT": "1", "MARTLET_PORT": "2"])
        #expect(inspection.problems.isEmpty)
        #expect(inspection.notices.isEmpty)
        #expect(inspection.settings.risk.maxPositions == nil)
    }
}
