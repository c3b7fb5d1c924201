import Testing

@testable import Configuration

@Suite struct SettingsProblemTests {
    @Test func allProblemsAreShownAtOnceWithTheirPlaces() {
        let text = """
            acount:
              type: margin
            account:
              type: margin
              starting_capital: lots
            strategies:
              - use: ma_crossover
                parameters:
                  fast: 0.5
            risk:
              max_position_pct: 250
              limits: maybe
            backtest:
              from: 02/01/2020
              seed: -1
              data:
                path: bars
                basis: Raw
                bar_size: 5
              latency:
                order_ms: 1s
                market_data_seconds: 1
            """
        var document = Sample.document(text)
        document.merge(environment: ["MARTLET__RISK__MAX_LEVERAGE": "11"])
        document.merge(assignment: "backtest.participation_pct=10%")
        #expect(
            SettingsProblems(Sample.problems(in: document)).description == """
                config.yaml:1:1    acount: unknown key. Did you mean 'account'?
                config.yaml:5:21   account.starting_capital: found 'lots', allowed 1 to 100000000000 (USD).
                config.yaml:9:13   strategies.0.parameters.fast: found 0.5, allowed 1 to 5000 (bars).
                config.yaml:11:21  risk.max_position_pct: found 250, allowed 0 to 100 (percent of equity).
                config.yaml:12:11  risk.limits: found 'maybe', allowed on or off.
                config.yaml:14:9
                    backtest.from: found '02/01/2020', allowed a day such as 2019-02-11, of 1900 to 2200.
                config.yaml:15:9   backtest.seed: found -1, allowed 0 to 9223372036854775807.
                config.yaml:18:12
                    backtest.data.basis: found 'Raw', allowed raw, split or total. Did you mean 'raw'?
                config.yaml:19:15
                    backtest.data.bar_size: found 5, allowed 1s to 7d, such as 5s, 1m or 1d. Add the \
                unit: 5s, 5m …
                config.yaml:21:15
                    backtest.latency.order_ms: found '1s', allowed 0 to 3600000 (milliseconds). Write \
                1000.
                config.yaml:22:5   backtest.latency.market_data_seconds: unknown key. Did you mean 'market_data_ms'?
                environment MARTLET__RISK__MAX_LEVERAGE
                    risk.max_leverage: found 11, allowed more than 0 to 10 (times equity).
                flag --set backtest.participation_pct
                    backtest.participation_pct: found '10%', allowed 0 to 100 (percent of a bar's \
                volume). Write 10, without unit or signs.
                """)
    }

    @Test func missingKeysPointAtTheirSection() {
        let problems = Sample.problems(
            "trading: {}\nbacktest:\n  commission: {schedule: per_order}\n  data: {path: x}\n")
        #expect(
            problems.map { "\($0.origin?.description ?? "") \($0)" } == [
                "config.yaml:1:1 account.type: missing, allowed cash or margin.",
                "config.yaml:1:1 strategies: missing, allowed a list of one or more.",
                """
                config.yaml:3:15 backtest.commission.per_order_usd: missing, allowed 0 to 1000000 \
                (USD).
                """,
                "config.yaml:4:9 backtest.data.basis: missing, allowed raw, split or total.",
            ])
        #expect(Sample.problems(in: SettingsDocument()).allSatisfy { $0.origin == nil })
    }

    @Test func moreThanAScreenIsCounted() {
        let text = (1...50).map { "key\($0): 1\n" }.joined()
        let lines = SettingsProblems(Sample.problems(text)).description.split(separator: "\n")
        // 50 unknown keys and 4 that are missing; 20 are shown, each on at most two lines.
        #expect(lines.last == "… and 32 more.")
        #expect(lines.count <= 41)
    }

    @Test func whatIsShownIsShortAndSafe() {
        let long = String(repeating: "x", count: 100_000)
        let text = "\"\\e[2J\(long)\": 1\naccount: {type: \"\\e[31mred\\n\(long)\"}\n"
        let shown = SettingsProblems(Sample.problems(text)).description
        #expect(shown.count < 1_500)
        #expect(!shown.unicodeScalars.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("backtest.participation_pct=10%", "Write 10, without unit or signs."),
            ("account.starting_capital=$5000", "Write 5000, without unit or signs."),
            ("account.starting_capital=5000 USD", "Write 5000, without unit or signs."),
            ("account.starting_capital=5_000", "Write 5000, without unit or signs."),
            ("account.starting_capital=5,000", "Write digits only, with '.' before decimals."),
            ("account.starting_capital=1.12345678", "At most 6 decimals."),
            ("strategies.0.sizing={method: fixed_shares, shares: 1.5}", "Whole numbers only."),
            ("backtest.latency.order_ms=2s", "Write 2000."),
            ("backtest.data.bar_size=5", "Add the unit: 5s, 5m …"),
            ("backtest.latency.order_seconds=2", "Did you mean 'order_ms'?"),
            (
                "risk.max_position=2",
                """
                Did you mean 'max_position_shares', 'max_position_usd', 'max_position_pct' or \
                'max_positions'?
                """
            ),
            ("risk.Max-Leverage=2", "Did you mean 'max_leverage'?"),
            (
                "database=x",
                """
                Known: account, trading, ibkr, strategies, risk, execution, logging, performance, \
                benchmarking, monitoring, alerts, backtest, system.
                """
            ),
        ])
    func adviceNamesWhatWasMeant(assignment: String, advice: String) {
        #expect(Sample.problems(Sample.minimal, set: [assignment]).map(\.advice) == [advice])
    }

    /// A thousand is not written `1k`: nobody shall be told to write 1.
    @Test(arguments: ["100k", "1e5", "ten", "1m"])
    func noAdviceIsBetterThanBadAdvice(value: String) {
        let problems = Sample.problems(Sample.minimal, set: ["account.starting_capital=\(value)"])
        #expect(problems.map(\.advice) == [nil])
    }
}
