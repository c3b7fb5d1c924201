import Signals

@testable import Configuration

/// Configurations that tests start from.
enum Sample {
    private enum Average: String, CaseIterable, Sendable {
        case sma
        case ema
    }

    static let strategies = [
        StrategyDeclaration(
            name: "ma_crossover", summary: "a sample with whole numbers and words",
            parameters: [
                Parameter.integer("fast", in: 1...5_000, default: 10, unit: "bars", "short window")
                    .declaration,
                Parameter.integer("slow", in: 2...5_000, default: 30, unit: "bars", "long window")
                    .declaration,
                Parameter.choice("average", default: Average.sma, "kind of average").declaration,
            ]),
        StrategyDeclaration(
            name: "momentum", summary: "a sample with a number",
            parameters: [
                Parameter.number("threshold", in: 0...1, default: 0.02, "return that is enough")
                    .declaration
            ]),
    ]

    /// What must be given, and nothing else.
    static let minimal = """
        account:
          type: margin
          starting_capital: 100000
        strategies:
          - use: ma_crossover
        backtest:
          data:
            path: bars
            basis: raw
        """

    /// Every key that can stand beside the others, none at its default; no secrets, and no keys that name
    /// files.
    static let full = """
        account:
          type: margin
          currency: USD
          starting_capital: 250000.50
          debit_interest_pct: 6.5
          initial_margin_pct: 55
          maintenance_margin_pct: 35
          short_maintenance_margin_pct: 40
        trading:
          mode: dry
          symbols: [AAPL, BRK.B, ON]
          allow_unqualified: true
          allow_partial_hist_data: true
          quotes: on
          trades: off
          bar_size: 15m
        ibkr:
          host: gateway.example
          app: tws
          port: 5000
          live_port: 5001
          allow_port_mismatch: true
          client_id: 12
          account_id: DU1234567
          connect_timeout_seconds: 15
          market_data_type: delayed
          delayed_fallback: false
          tick_buffer: 50
          market_data_lines: 300
          probe_seconds: 3
          stale_seconds: 7
          alarm_seconds: 20
          tear_down_seconds: 90
          restart_time: "22:05"
          restart_zone: Europe/London
          contract_cache_days: 3
          cache_historical: false
        strategies:
          - name: quick
            use: ma_crossover
            symbols: [AAPL, ON]
            parameters:
              fast: 5
              slow: 20
              average: ema
            sizing:
              method: fixed_shares
              shares: 150
            stop:
              method: percent
              price_pct: 4
              trailing: on
            target:
              method: atr
              atr_length: 10
              atr_multiple: 3.5
          - name: trend
            use: momentum
            symbols: [BRK.B]
            parameters:
              threshold: 0.05
            sizing:
              method: percent_of_equity
              equity_pct: 12.5
        risk:
          limits: on
          max_position_shares: 1000
          max_position_usd: 50000
          max_position_pct: 25
          max_exposure_usd: 200000
          max_leverage: 1.75
          allow_short: true
          over_limit: reject
          max_positions: 7
          max_daily_loss_pct: 2
          max_daily_loss_usd: 1500
          max_drawdown_pct: 12.5
          on_breach: flatten
        execution:
          window: now
          open_cutoff_seconds: 180
          close_cutoff_seconds: 900
          outside_rth: true
          order_timeout_seconds: 45
          on_timeout: reprice
          reprice_max: 2
          maintenance: ["23:45-00:45"]
          use_adaptive: false
        logging:
          level: warning
          categories: {data: error, scores: trace}
          directory: notes
          format: json
          max_file_mb: 8
          keep_files: 9
          keep_days: 10
          market_data_seconds: 11
        performance:
          risk_free_rate_pct: 2.5
          lot_method: lifo
          rolling_short: 20
          rolling_long: 100
        benchmarking:
          symbol: SPY
        backtest:
          from: 2019-01-02
          to: 2020-12-31
          calendar: always
          seed: 42
          data:
            path: data/sample
            kind: ticks
            basis: split
            stamp: end
            zone: new_york
            bar_size: 5m
          commission:
            schedule: per_share
            per_share_usd: 0.0035
            minimum_usd: 0.35
            maximum_pct: 1
          slippage:
            model: bps
            bps: 2.5
          latency:
            market_data_ms: 10
            market_data_extra_ms: 5
            order_ms: 20
            order_extra_ms: 6
            acknowledgement_ms: 30
            acknowledgement_extra_ms: 7
          participation_pct: 20
          limit_fill: touch
          stop_trigger: quote
          warmup: off
          resume: after_days
          resume_days: 30
          cash_flows:
            - day: 2019-06-03
              amount_usd: 5000
            - day: 2020-01-02
              amount_usd: -2500.50
        """

    /// The keys that `full` has no room for, as layers over it.
    static let alternatives =
        replacements.map { ["\($0.prefix { $0 != "=" })=null", $0] } + [cashAccount]

    private static let cashAccount = [
        "account.type=cash", "account.cash_buffer_pct=2", "account.initial_margin_pct=null",
        "account.maintenance_margin_pct=null", "account.short_maintenance_margin_pct=null",
        "risk.allow_short=false",
    ]

    private static let replacements = [
        "backtest.commission={schedule: percent, percent_pct: 0.1, minimum_usd: 1}",
        "backtest.commission={schedule: per_order, per_order_usd: 4.95}",
        "backtest.commission={schedule: ibkr_tiered}",
        "backtest.commission={schedule: none}",
        "backtest.slippage={model: fixed, amount_usd: 0.01}",
        "backtest.slippage={model: volume_share, coefficient: 0.1}",
        "backtest.slippage={model: none}",
        "backtest.slippage={model: half_spread, bps: 3}",
        "strategies.0.sizing={method: fixed_money, money_usd: 5000}",
        "strategies.0.sizing={method: risk_per_trade, risk_pct: 0.5, atr_multiple: 3}",
        "strategies.0.stop={method: atr, atr_length: 20, atr_multiple: 2.5}",
        "strategies.0.stop={method: amount, amount_usd: 1.5}",
        "strategies.0.target={method: percent, price_pct: 8}",
        "strategies.0.target={method: amount, amount_usd: 2.25}",
        "risk={limits: off, allow_short: true}",
    ]

    /// A document with one file and flags over it.
    static func document(
        _ yaml: String, named file: String = "config.yaml", set assignments: [String] = []
    ) -> SettingsDocument {
        var document = SettingsDocument()
        document.merge(Array(yaml.utf8), from: file)
        for assignment in assignments { document.merge(assignment: assignment) }
        return document
    }

    static func settings(
        _ yaml: String, named file: String = "config.yaml", set assignments: [String] = []
    ) throws -> Settings {
        try Settings.read(
            from: document(yaml, named: file, set: assignments), strategies: strategies)
    }

    static func problems(_ yaml: String, set assignments: [String] = []) -> [SettingsProblem] {
        problems(in: document(yaml, set: assignments))
    }

    static func problems(in document: SettingsDocument) -> [SettingsProblem] {
        SettingsProblems(Settings.inspect(document, strategies: strategies).problems).all
    }
}
