import Primitives
import Testing

@testable import Runtime

@Suite struct SettingsTextTests {
    @Test func readingItBackGivesTheSameSettings() throws {
        for base in [Sample.minimal, Sample.full] {
            for set in [[]] + Sample.alternatives {
                let settings = try Sample.settings(base, named: "conf/a.yaml", set: set)
                // `--set` paths start elsewhere; none of these sets one.
                let again = try Sample.settings(settings.text, named: "conf/config.yaml")
                #expect(again == settings)
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
                trading:
                  symbols: []
                strategies:
                  - use: ma_crossover
                    name: "ma_crossover"
                    symbols: []
                    parameters:
                      fast: 10
                      slow: 30
                      average: sma
                    sizing:
                      method: percent_of_equity
                      equity_pct: 10
                risk:
                  limits: on
                  allow_short: false
                  max_position_shares: null
                  max_position_usd: null
                  max_position_pct: 100
                  max_exposure_usd: null
                  max_leverage: 1
                  over_limit: reduce
                backtest:
                  from: null
                  to: null
                  calendar: nyse
                  seed: 1
                  data:
                    path: "bars"
                    basis: raw
                    stamp: start
                    zone: null
                    bar_length: null
                  commission:
                    schedule: ibkr_fixed
                  slippage:
                    model: bps
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
                  warmup: on

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
        #expect(settings.backtest.data.path.given == path)
    }
}
