import Primitives
import Testing

@testable import Configuration

@Suite struct SettingsTextTests {
    @Test func readingItBackGivesTheSameSettings() throws {
        for base in [Sample.minimal, Sample.full] {
            for set in [[]] + Sample.alternatives {
                let settings = try Sample.settings(base, named: "conf/a.yaml", set: set)
                // `--set` paths start elsewhere; none of these sets one.
                let repeated = try Sample.settings(settings.text, named: "conf/config.yaml")
                #expect(repeated == settings)
            }
        }
    }

    @Test func everyKeyIsThereWithItsValue() throws {
        let text = try Sample.settings(Sample.minimal).text
        #expect(
            text == """
                account:
                  type: margin
                  currency: USD
                  starting_capital: 100000.00
                  debit_interest_pct: 0
                  foreign_positions: ignore
                  initial_margin_pct: 50
                  maintenance_margin_pct: 25
                  short_maintenance_margin_pct: 30
                trading:
                  mode: paper
                  symbols: []
                  allow_unqualified: false
                  allow_partial_hist_data: false
                  quotes: auto
                  trades: auto
                  corporate_actions: null
                  bar_size: null
                ibkr:
                  host: "127.0.0.1"
                  app: gateway
                  port: 4002
                  live_port: null
                  allow_port_mismatch: false
                  client_id: 1
                  account_id: null
                  connect_timeout_seconds: 5
                  market_data_type: live
                  delayed_fallback: true
                  tick_buffer: 1000
                  market_data_lines: 100
                  probe_seconds: 5
                  stale_seconds: 10
                  alarm_seconds: 15
                  tear_down_seconds: 45
                  restart_time: "23:45"
                  restart_zone: null
                  contract_cache_days: 7
                  cache_historical: true
                strategies:
                  - use: ma_crossover
                    name: "ma_crossover"
                    enabled: on
                    symbols: []
                    parameters_file: null
                    parameters:
                      fast: 10
                      slow: 30
                      average: sma
                    sizing:
                      method: percent_of_equity
                      equity_pct: 10
                    stop:
                      method: none
                      trailing: off
                    target:
                      method: none
                risk:
                  limits: on
                  allow_short: false
                  max_position_shares: null
                  max_position_usd: null
                  max_position_pct: 100
                  max_exposure_usd: null
                  max_leverage: 1
                  over_limit: reduce
                  max_orders_per_minute: 500
                  max_orders_per_day: 10000
                  max_order_efficiency_ratio: 18
                  max_positions: null
                  max_daily_loss_pct: null
                  max_daily_loss_usd: null
                  max_drawdown_pct: null
                  on_breach: halt
                execution:
                  window: auto
                  open_cutoff_seconds: 120
                  close_cutoff_seconds: 600
                  outside_rth: false
                  order_timeout_seconds: 30
                  on_timeout: cancel
                  maintenance: []
                  use_adaptive: true
                logging:
                  level: info
                  categories:
                    connection: null
                    data: null
                    scores: null
                    signals: null
                    orders: null
                    executions: null
                    risk: null
                    portfolio: null
                    session: null
                  directory: null
                  format: text
                  max_file_mb: 64
                  keep_files: 60
                  keep_days: 60
                  market_data_seconds: 60
                performance:
                  risk_free_rate_pct: 0
                  lot_method: fifo
                  rolling_short: 63
                  rolling_long: 252
                benchmarking:
                  symbol: null
                monitoring:
                  portfolio_log_seconds: 60
                  dashboard_token: null
                alerts:
                  smtp_password: null
                  webhook_secret: null
                backtest:
                  from: null
                  to: null
                  calendar: nyse
                  seed: 1
                  data:
                    path: "bars"
                    kind: null
                    basis: raw
                    stamp: start
                    zone: null
                    bar_size: null
                  commission:
                    schedule: ibkr_fixed
                  slippage:
                    model: half_spread
                    bps: 5
                  latency:
                    market_data_ms: 0
                    market_data_extra_ms: 0
                    order_ms: 0
                    order_extra_ms: 0
                    acknowledgement_ms: 0
                    acknowledgement_extra_ms: 0
                  participation_pct: 10
                  limit_fill: through
                  stop_trigger: last
                  bar_path: pessimistic
                  impact_pct: 0
                  warmup: on
                  resume: never
                  cash_flows: []
                system:
                  secrets_file: null
                  vendor_api_key: null
                  journal_keep_days: 400
                  memory_limit_mb: 2048
                  hang_limit_seconds: 60
                  exit_policy: cancel_open
                  exit_limit_seconds: 10
                  flatten_limit_seconds: 60
                  journal_durability: full

                """)
    }

    @Test func theSameSettingsGiveTheSameText() throws {
        let text = try Sample.settings(Sample.minimal).text
        let spelt = try Sample.settings(
            Sample.minimal,
            set: [
                "account.starting_capital=+100000.000000", "risk.limits=yes",
                "risk.max_leverage=1.0",
                "backtest.seed=1", "strategies.0.parameters={average: sma}",
            ])
        #expect(spelt.text == text)
    }

    @Test(arguments: [
        "a b", "it's", #"back\slash "quoted""#, "null", "ünï", "# x", "*", "- a", "on",
    ])
    func textsSurvive(path: String) throws {
        var document = Sample.document(Sample.minimal)
        document.set("backtest.data.path", to: path, flag: "--data")
        let settings = try Settings.read(from: document, strategies: Sample.strategies)
        #expect(try Sample.settings(settings.text) == settings)
        #expect(settings.backtest.data?.path.given == path)
    }
}
