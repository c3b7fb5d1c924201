import Foundation
import Primitives
import Signals
import Testing

@testable import Configuration

@Suite struct SettingsDocumentTests {
    /// The layer that says what `account.starting_capital` is, and where it was written.
    private func capital(_ document: SettingsDocument) throws -> (Money, SettingsOrigin?) {
        let inspection = Settings.inspect(document, strategies: Sample.strategies)
        let problems = inspection.problems
        try #require(problems.isEmpty, "\(SettingsProblems(problems))")
        let capital = inspection.settings.account.startingCapital
        for case .value(let key, _, let origin) in inspection.listing.leaves
        where key.path == "account.starting_capital" {
            return (capital, origin)
        }
        return (capital, nil)
    }

    @Test func laterLayersWin() throws {
        func file(_ name: String, at line: Int, _ column: Int) -> SettingsOrigin {
            SettingsOrigin(.file(name), at: SettingsOrigin.Location(line: line, column: column))
        }
        var document = Sample.document(Sample.minimal, named: "first.yaml")
        #expect(try capital(document) == (Money(cents: 10_000_000), file("first.yaml", at: 3, 21)))
        document.merge(
            Array(#"{"account": {"starting_capital": 2000}}"#.utf8), from: "second.json")
        #expect(try capital(document) == (Money(cents: 200_000), file("second.json", at: 1, 34)))
        document.merge(environment: [
            "MARTLET__ACCOUNT__STARTING_CAPITAL": "3000", "MARTLET_ACCOUNT": "x", "HOME": "/",
        ])
        let variable = SettingsOrigin(.environment("MARTLET__ACCOUNT__STARTING_CAPITAL"))
        #expect(try capital(document) == (Money(cents: 300_000), variable))
        document.merge(assignment: "account.starting_capital=4000")
        let flag = SettingsOrigin(.flag("--set account.starting_capital"))
        #expect(try capital(document) == (Money(cents: 400_000), flag))
        document.set("account.starting_capital", to: "5000", flag: "--capital")
        #expect(
            try capital(document) == (Money(cents: 500_000), SettingsOrigin(.flag("--capital"))))
    }

    @Test func sectionsUniteListsReplace() throws {
        var document = Sample.document(Sample.full, named: "base.yaml")
        let layer = """
            trading: {symbols: [MSFT]}
            risk: {max_leverage: 2}
            strategies:
              - use: momentum
            """
        document.merge(Array(layer.utf8), from: "over.yaml")
        let settings = try Settings.read(from: document, strategies: Sample.strategies)
        #expect(settings.trading.symbols == ["MSFT"])
        #expect(settings.strategies.map(\.name) == ["momentum"])
        #expect(settings.risk.limits?.maxLeverage == Percent(200))
        #expect(settings.risk.limits?.maxPositionPercent == Percent(25))
    }

    @Test func nullTakesBackWhatAnEarlierLayerSets() throws {
        let settings = try Sample.settings(
            Sample.full, set: ["risk=null", "backtest.seed=", "trading.symbols=~"])
        #expect(settings.risk.limits?.maxLeverage == Percent(100))
        #expect(settings.backtest.seed == 1)
        #expect(settings.trading.symbols.isEmpty)
    }

    @Test func listElementsAreNamedByNumber() throws {
        let settings = try Sample.settings(
            Sample.full,
            set: [
                "strategies.0.parameters.fast=7", "strategies.1.name=slow_one",
                "strategies.2.use=momentum", "trading.symbols.3=MSFT",
            ])
        #expect(settings.strategies.map(\.name) == ["quick", "slow_one", "momentum"])
        #expect(settings.strategies[0].parameters.all.first?.value == .integer(7))
        #expect(settings.strategies[0].parameters.all.last?.value == .choice("ema"))
        #expect(settings.trading.symbols.last == "MSFT")

        var document = SettingsDocument()
        document.merge(environment: ["MARTLET__STRATEGIES__0__USE": "momentum"])
        let problems = Sample.problems(in: document).map(\.path)
        #expect(problems == ["account.type"])
    }

    @Test func valuesOfFlagsNeedNoQuotes() throws {
        let set = [
            #"backtest.data.path=C: [x] # "y" = *"#, "trading.symbols=[AAPL, 'NULL', \"ON\"]",
        ]
        let settings = try Sample.settings(Sample.minimal, set: set)
        #expect(settings.backtest.data?.path.given == #"C: [x] # "y" = *"#)
        #expect(settings.trading.symbols == ["AAPL", "NULL", "ON"])
        var document = Sample.document(Sample.minimal)
        document.set("backtest.data.path", to: "[odd] name", flag: "--data")
        let odd = try Settings.read(from: document, strategies: Sample.strategies)
        #expect(odd.backtest.data?.path.given == "[odd] name")
    }

    @Test(
        arguments: [
            ("risk.max_leverage", "found 'risk.max_leverage', allowed path.to.key=value."),
            ("=5", "not the path of a key"), ("risk..limits=on", "not the path of a key"),
            ("strategies.9.use=x", "there is no element 9: the list has 1"),
            ("strategies.use=x", "names a key inside a list"),
            ("account.0=x", "names an element of something that is not a list"),
            ("strategies.99999999999999999999.use=x", "not the path of a key"),
            ("trading.symbols=[AAPL", "did not find expected"),
            ("trading.symbols=[AAPL]]", "did not find expected"),
            (
                Array(repeating: "a", count: 5_000).joined(separator: ".") + "=1",
                "not the path of a key"
            ),
        ])
    func aFlagThatFitsNowhereIsAProblem(assignment: String, words: String) {
        let problems = Sample.problems(Sample.minimal, set: [assignment])
        #expect(problems.count == 1)
        #expect(problems.first?.description.contains(words) == true, "\(problems)")
        let isFlag = if case .flag = problems.first?.origin?.source { true } else { false }
        #expect(isFlag)
        #expect(problems.first?.origin?.location == nil)
    }

    @Test(arguments: ["MARTLET__", "MARTLET__RISK__", "MARTLET____RISK", "MARTLET__RISK____LIMITS"])
    func aVariableThatNamesNoKeyIsAProblem(name: String) {
        var document = Sample.document(Sample.minimal)
        document.merge(environment: [name: "1"])
        let problems = Sample.problems(in: document)
        #expect(problems.map(\.found) == ["not the path of a key"])
        #expect(problems.first?.origin?.description == "environment \(name)")
    }

    @Test func aStrategyOfTheCommandLineRunsAlone() throws {
        func names(_ yaml: String, _ name: String) throws -> [String] {
            var document = Sample.document(yaml)
            document.keepStrategies(named: name, flag: "-s")
            return try Settings.read(from: document, strategies: Sample.strategies).strategies
                .map { "\($0.name):\($0.use)" }
        }
        #expect(try names(Sample.full, "quick") == ["quick:ma_crossover"])
        #expect(try names(Sample.full, "momentum") == ["trend:momentum"])
        #expect(try names(Sample.minimal, "momentum") == ["momentum:momentum"])
        let none = Sample.minimal.replacing("  - use: ma_crossover\n", with: "")
        #expect(try names(none, "momentum") == ["momentum:momentum"])

        var document = Sample.document(Sample.minimal)
        document.keepStrategies(named: "momentun", flag: "-s momentun")
        #expect(
            SettingsProblems(Sample.problems(in: document)).description == """
                flag -s momentun
                    strategies.0.use: found 'momentun', allowed ma_crossover or momentum. Did you mean \
                'momentum'?
                """)
    }

    @Test func contradictingParametersHaveAPlace() {
        let document = Sample.document(Sample.full)
        let origins = (0...2).map { document.origin(ofStrategy: $0)?.description }
        #expect(origins == ["config.yaml:43:7", "config.yaml:61:7", nil])
        #expect(
            Sample.document(Sample.minimal).origin(ofStrategy: 0)?.description == "config.yaml:5:5")
    }

    @Test func filesAreReadFromDisk() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "martlet-settings-tests")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "read.yaml")
        try Data(Sample.minimal.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var document = SettingsDocument()
        document.merge(file: file.path())
        let settings = try Settings.read(from: document, strategies: Sample.strategies)
        #expect(settings.backtest.data?.path.resolved == folder.path() + "/bars")
    }

    @Test(
        arguments: [
            ("/no/such/file.yaml", "there is no such file"), ("", "there is no such file"),
            ("/tmp", "it is a folder"),
        ])
    func aFileThatCannotBeReadIsTheOnlyProblem(path: String, reason: String) {
        var document = SettingsDocument()
        document.merge(file: path)
        let problems = Sample.problems(in: document)
        #expect(problems.map(\.found) == ["cannot be read: \(reason)"])
        #expect(problems.first?.origin == SettingsOrigin(.file(path)))
    }

    @Test func anEndlessFileIsRefused() {
        var document = SettingsDocument()
        document.merge(file: "/dev/zero")
        #expect(Sample.problems(in: document).map(\.found) == ["the document is too large"])
    }
}
