import Foundation
import Testing

/// Runs the built program as a user would.
@Suite struct CommandLineTests {
    private let program: BuiltProgram
    private var folder: URL { program.folder }

    init() throws { program = try BuiltProgram() }

    @Test func aBacktestLeavesItsArtefactsAndASummary() throws {
        let run = try martlet("backtest", "-c", "config.yaml", "-o", "out")
        #expect(run.status == 0)
        #expect(run.output.contains("Final equity"))
        let names = try FileManager.default
            .contentsOfDirectory(atPath: folder.appendingPathComponent("out").path).sorted()
        #expect(
            names == [
                "config.yaml", "equity.csv", "fills.csv", "lots.csv", "manifest.json", "orders.csv",
                "rolling.csv", "scores.csv", "summary.json", "trades.csv",
            ])
        #expect(try text("out/equity.csv").split(separator: "\n").count == 29)
        #expect(try text("out/manifest.json").contains("\"sha256\""))
    }

    /// Rises from 100 to 111 in twelve days, falls to 70 and 60, and rises again.
    private static let fall: String = {
        let closes = Array(100...111) + [70, 60] + (1...14).map { 60 + 2 * $0 }
        let rows = closes.enumerated().map { index, close in
            let day = index < 9 ? "0\(index + 1)" : "\(index + 1)"
            return "2019-02-\(day),\(close),\(close + 1),\(close - 1),\(close),100000\n"
        }
        return "date,open,high,low,close,volume\n" + rows.joined()
    }()

    private func backtestOverAFall(_ settings: String...) throws -> BuiltProgram.Run {
        try write(Self.fall, to: "data/AAA.csv")
        let sizing = "strategies.0.sizing={method: fixed_shares, shares: 50}"
        let set = (settings + [sizing]).flatMap { ["--set", $0] }
        return try program.run(["backtest", "-c", "config.yaml", "-o", "out"] + set)
    }

    /// 50 shares bought at 105.06 fall from 111 to 70: 2,050 of 10,296 are 19.91 %.
    @Test func aRunThatEndsHaltedByDrawdownExitsWithSeven() throws {
        let run = try backtestOverAFall("risk.max_drawdown_pct=10")
        #expect(run.status == 7, "\(run.errors)")
        #expect(run.output.contains("2019-02-14 drawdown 19.91% of 10%; halted at the end"))
        #expect(run.output.contains("Results in "), "the artefacts are written all the same")
        #expect(try text("out/summary.json").contains("\"reason\": \"halted: drawdown\""))
    }

    /// Entries go on. The mark is then the equity of that moment, 8,246.00: the exit leaves 7,743.45, which is
    /// 6.09 % below it, and 24.79 % below the first mark.
    @Test func aResumedRunGoesOnFromTheEquityOfThatMoment() throws {
        let resume = "backtest.resume=next_session"
        let run = try backtestOverAFall("risk.max_drawdown_pct=10", resume)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("2019-02-14 drawdown 19.91% of 10%\n"))
        #expect(!run.output.contains("halted at the end"))
        #expect(try text("out/orders.csv").split(separator: "\n").count == 4, "entry, exit, entry")
        let twice = try backtestOverAFall("risk.max_drawdown_pct=6", resume)
        #expect(twice.status == 0, "\(twice.errors)")
        #expect(twice.output.contains("drawdown 6.09% of 6%"), "\(twice.output)")
    }

    /// Each strategy has its own symbols.
    @Test func twoStrategiesTradeEachItsOwnSymbols() throws {
        for name in ["BBB", "CCC", "DDD"] {
            try write(try text("data/AAA.csv"), to: "data/\(name).csv")
        }
        let run = try martlet(
            "backtest", "-c", "config.yaml", "-o", "out", "--set",
            "strategies=[{use: ma_crossover, name: one, parameters: {fast: 2, slow: 5}, symbols: [AAA, BBB]}, {use: ma_crossover, name: two, parameters: {fast: 2, slow: 5}, symbols: [CCC, DDD]}]"
        )
        #expect(run.status == 0, "\(run.errors)")
        let rows = try text("out/orders.csv").split(separator: "\n").dropFirst()
        let pairs = Set(rows.map { $0.split(separator: ",")[1...2].joined(separator: " ") })
        #expect(pairs.sorted() == ["AAA one", "BBB one", "CCC two", "DDD two"])
    }

    @Test func aKeyThatNoCommandReadsGivesANotice() throws {
        let run = try martlet(
            "config", "check", "-c", "config.yaml", "--set", "ibkr.cache_historical=false")
        #expect(run.status == 0)
        #expect(
            run.errors.contains(
                "ibkr.cache_historical is set, and no command of this version reads it"))
    }

    /// The benchmark is read beside what is traded.
    @Test func aBenchmarkBesideTheTradedSymbolsIsCompared() throws {
        let rows = try text("data/AAA.csv")
        try write(rows, to: "data/BBB.csv")
        let run = try martlet(
            "backtest", "-c", "config.yaml", "-o", "out", "--json", "--set",
            "trading.symbols=[AAA]", "--set", "benchmarking.symbol=BBB", "--set",
            "performance.risk_free_rate_pct=2")
        #expect(run.status == 0)
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(object?["benchmark"] as? String == "BBB")
        #expect(object?["beta"] is Double)
        #expect(object?["risk_free_rate_pct"] as? Double == 2)
        let missing = try martlet(
            "backtest", "-c", "config.yaml", "-o", "out", "--set", "benchmarking.symbol=ZZZ")
        #expect(missing.status == 6)
        #expect(missing.errors.contains("ZZZ"))
    }

    /// A split that no column names, and data that ends while its symbol is held.
    @Test func doubtsAboutTheDataAreInTheSummaryAndOnTheTerminal() throws {
        var rows = "date,open,high,low,close,volume\n"
        for day in 1...20 {
            let price = day < 10 ? 100 + day : 50 + day / 2
            rows +=
                "2019-02-\(day < 10 ? "0" : "")\(day),\(price),\(price + 1),\(price - 1),\(price),9\(day)\n"
        }
        try write(rows, to: "data/HALF.csv")
        let run = try martlet("backtest", "-c", "config.yaml", "-o", "out")
        #expect(run.status == 0, "\(run.errors)")
        let jump = "HALF jumps: 2019-02-10: like a split 2:1, from 109.00 to 55.00"
        let exited = "HALF: the data ends on 2019-02-20 with "
        for printed in [jump, exited] {
            #expect(try text("out/summary.json").contains(printed))
            #expect(run.output.contains(printed))
        }
    }

    @Test func jsonIsOneDocumentAlone() throws {
        let run = try martlet("backtest", "-c", "config.yaml", "-o", "out", "--json")
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(object?["bars"] as? Int == 28)
        #expect(object?["engine_s"] is Double)
    }

    /// Verified or not, it is the same run, and decisions are written for those who ask for them only.
    @Test func aVerifiedBacktestReportsWhatWasCompared() throws {
        #expect(try martlet("backtest", "-c", "config.yaml", "-o", "plain").status == 0)
        let run = try martlet("backtest", "-c", "config.yaml", "-o", "out", "--verify")
        #expect(run.status == 0, "\(run.errors)")
        let line = try #require(
            run.output.split(separator: "\n").first { $0.hasPrefix("verified: ") })
        #expect(line.hasSuffix(" decisions, answered alike"))
        let names = try FileManager.default
            .contentsOfDirectory(atPath: folder.appendingPathComponent("out").path)
        #expect(!names.contains("decisions.csv"))
        #expect(try text("plain/fills.csv") == text("out/fills.csv"))
        let summary = try #require(
            try JSONSerialization.jsonObject(with: Data(try text("out/summary.json").utf8))
                as? [String: Any])
        let verification = try #require(summary["verification"] as? [String: Any])
        // 28 bars and the ends of their slices at least.
        #expect(verification["events"] as? Int ?? 0 >= 56)
        #expect(verification["commands"] as? Int ?? 0 > 0)
        #expect((verification["output_digest"] as? String)?.count == 16)
        #expect(try !text("plain/summary.json").contains("verification"))
    }

    @Test func resolvedConfigurationGivesTheSameRunAgain() throws {
        _ = try martlet("backtest", "-c", "config.yaml", "-o", "first", "--set", "backtest.seed=5")
        // The configuration alone, from another working directory and under another name: its data's
        // path was a relative one.
        let elsewhere = folder.appendingPathComponent("elsewhere/below")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: folder.appendingPathComponent("first/config.yaml"),
            to: elsewhere.appendingPathComponent("again.yaml"))
        let run = try program.run(
            ["backtest", "--config", "again.yaml", "-o", "../../second"], in: elsewhere)
        #expect(run.status == 0, "\(run.errors)")
        for name in [
            "fills.csv", "orders.csv", "trades.csv", "lots.csv", "equity.csv", "rolling.csv",
            "scores.csv", "summary.json",
        ] {
            #expect(try text("first/\(name)") == text("second/\(name)"))
        }
    }

    @Test func anEarlierRunIsReplacedAndOtherFilesAreNot() throws {
        #expect(try martlet("backtest", "-c", "config.yaml", "-o", "out").status == 0)
        #expect(try martlet("backtest", "-c", "config.yaml", "-o", "out").status == 0)
        let refused = try martlet("backtest", "-c", "config.yaml", "-o", "data")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("AAA.csv"))
        #expect(try text("data/AAA.csv").hasPrefix("date"))
    }

    @Test func strategiesAreListedAndShown() throws {
        #expect(try martlet("strategy", "list").output.hasPrefix("ma_crossover"))
        let shown = try martlet("strategy", "show", "ma_crossover")
        #expect(
            shown.output.contains("fast") && shown.output.contains("1 to 5000 bars, default 10"))
        #expect(shown.output.hasSuffix("state: saved between sessions\n"))
        let object = try martlet("strategy", "show", "ma_crossover", "--json")
        #expect(object.output.contains(#""state_saved":true"#))
    }

    // MARK: Bad input

    @Test func anUnknownKeyIsNamedWithASuggestion() throws {
        let run = try martlet(
            "backtest", "-c", "config.yaml", "--set", "backtest.slipage.model=none")
        expectRefusal(run, status: 3, mentions: "backtest.slipage", "Did you mean 'slippage'?")
    }

    @Test func aPercentOutOfRangeIsNamedWithItsLocationAndRange() throws {
        try write(BuiltProgram.configuration + "\nrisk:\n  max_position_pct: 250\n", to: "bad.yaml")
        let run = try martlet("config", "check", "-c", "bad.yaml")
        expectRefusal(
            run, status: 3, mentions: "bad.yaml:9:21", "risk.max_position_pct", "found 250",
            "0 to 100")
    }

    @Test func allProblemsAreReportedAtOnce() throws {
        try write("account: {type: gold}\nstrategies:\n  - use: nothing\nfoo: 1\n", to: "bad.yaml")
        let run = try martlet("config", "check", "-c", "bad.yaml")
        expectRefusal(
            run, status: 3, mentions: "account.type", "strategies.0.use", "foo")
    }

    @Test func parametersThatContradictEachOtherAreAConfigurationError() throws {
        let run = try martlet(
            "config", "check", "-c", "config.yaml", "--set", "strategies.0.parameters.fast=9")
        expectRefusal(
            run, status: 3, mentions: "strategies.0.parameters", "fast (9) must be below slow (5)")
    }

    @Test func aMissingConfigurationIsNamed() throws {
        let run = try martlet("backtest", "-c", "nowhere.yaml")
        expectRefusal(run, status: 3, mentions: "nowhere.yaml")
    }

    @Test func aMissingFolderIsNamed() throws {
        let run = try martlet("backtest", "-c", "config.yaml", "--data", "nowhere")
        expectRefusal(run, status: 6, mentions: "nowhere")
    }

    @Test func aMalformedRowIsNamedWithLineAndColumn() throws {
        try write(
            "date,open,high,low,close\n2019-02-01,1,2,1,1\n2019-02-02,1,2,x,1\n", to: "data/BAD.csv"
        )
        let run = try martlet("backtest", "-c", "config.yaml")
        expectRefusal(run, status: 6, mentions: "BAD.csv:3:4", "(low)", "'x'")
    }

    @Test func anEmptyFolderIsNamed() throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("empty"), withIntermediateDirectories: true)
        let run = try martlet("backtest", "-c", "config.yaml", "--data", "empty")
        expectRefusal(run, status: 6, mentions: "empty", "SYMBOL.csv")
    }

    @Test func anUnknownStrategyIsNamedWithWhatThereIs() throws {
        expectRefusal(
            try martlet("backtest", "-c", "config.yaml", "-s", "ma_crosover"), status: 3,
            mentions: "ma_crosover", "ma_crossover")
        expectRefusal(
            try martlet("strategy", "show", "nothing"), status: 2, mentions: "nothing",
            "ma_crossover")
    }

    /// Bought at 10 with half the account, 500 shares; 4 for 1 at 2.50 changes nothing, nor what the strategy
    /// sees; then 0.10 a share on 2,000 shares; sold at the end of the rise.
    @Test func splitsAndDividendsReachTheAccount() throws {
        var rows = "date,open,high,low,close,volume,dividend,split\n"
        for (day, price) in [
            (1, "10"), (2, "10"), (3, "10"), (4, "10"), (5, "11"), (6, "12"), (7, "12"),
        ] {
            rows += "2019-02-0\(day),\(price),\(price),\(price),\(price),1000000,0,1\n"
        }
        rows += "2019-02-08,3,3,3,3,1000000,0,4\n"
        rows += "2019-02-09,3,3,3,3,1000000,0.1,1\n"
        rows += "2019-02-10,3,3,3,3,1000000,0,1\n"
        try write(rows, to: "data/BBB.csv")
        let run = try martlet(
            "backtest", "-c", "config.yaml", "-o", "out", "--json", "--set",
            "trading.symbols=[BBB]", "--set",
            "strategies.0.sizing={method: fixed_shares, shares: 500}", "--set",
            "backtest.slippage={model: none}", "--set", "backtest.commission={schedule: none}",
            "--set", "backtest.participation_pct=0")
        #expect(run.status == 0)
        // The averages rise with the close of the 5th: 500 bought at 12 on the 6th. Four for one are 2,000 at
        // 3, worth the same 6,000; 200.00 of dividend is all that is gained.
        #expect(try text("out/fills.csv").contains("BBB,ma_crossover,1,BUY,500,12.00"))
        #expect(run.output.contains("\"quantity\":2000"))
        #expect(run.output.contains("\"final_equity\":10200.00,"))
    }

    @Test func aPeriodWithoutBarsIsRefused() throws {
        let run = try martlet("backtest", "-c", "config.yaml", "--from", "2021-01-01")
        expectRefusal(run, status: 6, mentions: "no bars in the period", "--from")
    }

    @Test func anUnknownOptionIsAMatterOfUsage() throws {
        expectRefusal(try martlet("backtest", "--nonsense"), status: 2, mentions: "nonsense")
    }

    @Test func aRunThatFailsLeavesNothingBehind() throws {
        try write("date,open,high,low,close\n2019-02-02,1,2,x,1\n", to: "data/BAD.csv")
        _ = try martlet("backtest", "-c", "config.yaml", "-o", "out")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["config.yaml", "data"])
    }

    // MARK: Running

    private func expectRefusal(_ run: BuiltProgram.Run, status: Int32, mentions: String...) {
        #expect(run.status == status)
        #expect(run.output.isEmpty)
        for text in mentions {
            #expect(run.errors.contains(text), "'\(text)' in: \(run.errors)")
        }
        #expect(run.errors.split(separator: "\n").count <= 24, "fits a screen")
    }

    private func martlet(_ arguments: String...) throws -> BuiltProgram.Run {
        try program.run(arguments)
    }

    private func write(_ content: String, to name: String) throws {
        try program.write(content, to: name)
    }

    private func text(_ name: String) throws -> String { try program.text(name) }
}
