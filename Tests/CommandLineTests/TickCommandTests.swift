import Foundation
import Testing

/// Quotes and trades as a user meets them.
@Suite struct TickCommandTests {
    private let program: BuiltProgram

    private static let configuration = """
        account: {type: margin, starting_capital: 100000}
        trading: {bar_size: 1m}
        strategies:
          - use: ma_crossover
            parameters: {fast: 2, slow: 5}
            sizing: {method: fixed_shares, shares: 20}
        backtest:
          data: {path: ticks, basis: raw}
        """

    init() throws {
        program = try BuiltProgram()
        try program.write(Self.configuration, to: "ticks.yaml")
        let made = try program.run(
            "data", "generate", "--symbols", "AAA,BBB", "--ticks", "6000", "--ticks-per-session",
            "3000", "--from", "2019-07-02", "--intraday-shape", "-o", "ticks")
        #expect(made.status == 0)
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func syntheticTicksPassTheirCheckAndAreListed() throws {
        let check = try program.run("data", "check", "ticks", "--strict")
        #expect(check.status == 0)
        #expect(check.output.contains("AAA: 6000 rows of quotes and trades ("))
        let list = try json(try program.run("data", "list", "ticks", "--json").output)
        let files = try #require(list["files"] as? [[String: Any]])
        #expect(files.map { $0["kind"] as? String } == ["ticks", "ticks"])
        #expect(files.map { $0["rows"] as? Int } == [6_000, 6_000])
        #expect(files.allSatisfy { (1_000...1_400).contains($0["trades"] as? Int ?? 0) })
        #expect(try program.run("data", "list", "ticks").output.contains("AAA     ticks  6000"))
    }

    @Test func theSameSeedGivesTheSameBytes() throws {
        let repeated = try program.run(
            "data", "generate", "--symbols", "AAA", "--ticks", "6000", "--ticks-per-session",
            "3000", "--from", "2019-07-02", "--intraday-shape", "-o", "again")
        #expect(repeated.status == 0)
        #expect(try program.text("ticks/AAA.csv") == program.text("again/AAA.csv"))
        #expect(try program.text("ticks/AAA.csv") != program.text("ticks/BBB.csv"))
        for wrong in [
            ["--ticks", "10", "--bars", "10"], [], ["--ticks", "10", "--correlation", "0.5"],
            ["--ticks", "10", "--ticks-per-session", "0"],
        ] {
            let run = try program.run(
                ["data", "generate", "--symbols", "A", "-o", "wrong"] + wrong)
            #expect(run.status == 2, "\(wrong)")
        }
    }

    @Test func aBacktestOverTicksLeavesTheUsualFiles() throws {
        let run = try program.run("backtest", "-c", "ticks.yaml", "-o", "out", "--json")
        #expect(run.status == 0, "\(run.errors)")
        let summary = try json(run.output)
        // 3 July is short: its 3000 · 3.5 / 6.5 ticks and those of a whole day leave some for 5 July.
        #expect(summary["sessions"] as? Int == 3)
        #expect((summary["bars"] as? Int ?? 0) > 500)
        #expect((summary["fills"] as? Int ?? 0) > 20)
        let manifest = try json(try program.text("out/manifest.json"))
        let data = try #require(manifest["data"] as? [[String: Any]])
        #expect(data.map { $0["ticks"] as? Int } == [6_000, 6_000])
        // Again from what it left behind.
        let repeated = try program.run(
            "backtest", "-c", "out/config.yaml", "-o", "again", "--json")
        #expect(
            try json(repeated.output)["state_hash"] as? String == summary["state_hash"] as? String)
        for name in ["fills.csv", "orders.csv", "trades.csv", "equity.csv"] {
            #expect(try program.text("out/" + name) == program.text("again/" + name))
        }
    }

    @Test func barsMadeBeforehandShowTheSameAsThoseMadeOnTheWay() throws {
        let made = try program.run("data", "aggregate", "ticks", "--into", "1m", "-o", "one")
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("one/AAA.csv: "))
        func bars(_ folder: String, _ size: String) throws -> Int? {
            let run = try program.run(
                "backtest", "-c", "ticks.yaml", "--data", folder, "--set",
                "trading.bar_size=\(size)", "-o", "out-\(folder)-\(size)", "--json")
            #expect(run.status == 0, "\(run.errors)")
            return try json(run.output)["bars"] as? Int
        }
        #expect(try bars("ticks", "5m") == bars("one", "5m"))
        #expect(try bars("ticks", "1m") == bars("one", "1m"))
        let refused = try program.run("data", "aggregate", "one", "--into", "1h", "-o", "hour")
        #expect(refused.status == 6 && refused.errors.contains("trading.bar_size"))
    }

    @Test func faultyTicksEndTheRunWithTheirLocation() throws {
        let header = "timestamp,bid,bid_size,ask,ask_size,price,size\n"
        let row = "2019-07-02T14:30:00Z,10,100,10.01,100,,\n"
        for (text, location) in [
            (header + row + "2019-07-02T14:30:01Z,0,100,10.01,100,,\n", "BAD.csv:3:2 (bid)"),
            (header + row + "2019-07-02T14:29:59Z,10,1,10.01,1,,\n", "BAD.csv:3:1 (timestamp)"),
            (header + row + "2019-07-02T14:30:01Z,,,,,,\n", "BAD.csv:3: found neither"),
            ("timestamp,bid\n", "BAD.csv: found no rows"),
        ] {
            try program.write(text, to: "BAD.csv")
            let run = try program.run(
                "backtest", "-c", "ticks.yaml", "--data", "BAD.csv", "-o", "bad")
            #expect(run.status == 6)
            #expect(run.errors.contains(location), "\(run.errors)")
        }
        try program.write(header + row + "2019-07-02T14:30:01Z,10.02,1,10.01,1,,\n", to: "BAD.csv")
        let check = try program.run("data", "check", "BAD.csv")
        #expect(check.status == 0 && check.output.contains("crossed"))
        #expect(try program.run("data", "check", "BAD.csv", "--strict").status == 6)
        let fix = try program.run("data", "check", "BAD.csv", "--fix", "-o", "fixed")
        #expect(fix.status == 6 && fix.errors.contains("not repaired"))
        #expect(try program.run("data", "pack", "BAD.csv", "-o", "packed").status == 6)
    }

    @Test func barsAndTicksAreNotMixed() throws {
        let run = try program.run(
            "backtest", "-c", "ticks.yaml", "--set", "backtest.data.kind=bars", "-o", "bars")
        #expect(run.status == 6 && run.errors.contains("columns of quotes and trades"))
        let sizes = try program.run(
            "backtest", "-c", "config.yaml", "--set", "trading.bar_size=1m", "-o", "size")
        #expect(sizes.status == 6 && sizes.errors.contains("no bars of"))
        let odd = try program.run(
            "backtest", "-c", "config.yaml", "--set", "trading.bar_size=7m", "-o", "size")
        #expect(odd.status == 3 && odd.errors.contains("divides a day"))
    }
}
