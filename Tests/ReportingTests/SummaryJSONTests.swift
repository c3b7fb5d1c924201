import Model
import Primitives
import Reporting
import Testing

@Suite struct SummaryJSONTests {
    @Test func figuresAreNamedAndOrdered() throws {
        var record = RunRecord.sessions(
            startingWith: 1_000_00, equityInCents: [1_000_00, 1_250_00])
        record.strategies = ["crossover"]
        record.instruments = [Instrument(id: InstrumentID(index: 0), symbol: "AAPL")]
        record.fills = [
            .sample(.buy, 10, atCents: 100_00), .sample(.sell, 10, atCents: 125_00, minute: 1),
        ]
        record.barCount = 780
        record.to = record.from + .hours(12)
        record.maxDrawdown = DrawdownRecord(
            fraction: 0.125, from: opening, to: opening + .minutes(5))
        record.openPositions = [
            PositionRecord(
                strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0),
                quantity: Quantity(shares: -5), averagePrice: Price(cents: 99_50),
                marketValue: Money(cents: -500_00))
        ]
        record.refusals = [RefusalCount(reason: "position too large", count: 3)]
        record.breaches = [
            BreachRecord(
                at: opening, cause: "daily loss",
                figures: .percent(limit: Percent(2), value: Percent(units: 2_345678))),
            BreachRecord(
                at: opening + .minutes(5), cause: "maintenance margin",
                figures: .amount(limit: Money(cents: 500_00), value: Money(cents: 499_99))),
        ]
        record.haltCauses = ["maintenance margin"]
        record.warnings = ["2 bars were ambiguous"]
        record.stateHash = 0xAB

        // The percentiles of 0 and 0.25 lie a
        // twentieth of the way between them: 0.0125 and 0.2375.
        //
        // Returns of 0 and 0.25: mean 1/8, sample deviation √(2/64) = √(1/32); one gain of 25
        // percent, no fall below the start at a session's end. Volatility 100 · √(252 / 32), Sharpe
        // 1/8 · √(32 · 252). Traded 2,250 on an average of 1,125.
        let volatility = 100 * (0.03125.squareRoot() * 252.0.squareRoot())
        let figures = PerformanceSummary(of: record, trades: RoundTrips(of: record))
        let growth = try #require(figures.returns.cagr) * 100
        let calmar = try #require(figures.calmar)
        let sharpe = 0.125 / 0.03125.squareRoot() * 252.0.squareRoot()
        #expect(
            summary(of: record).pretty() == """
                {
                  "strategies": [
                    "crossover"
                  ],
                  "symbols": 1,
                  "period_from": "2024-01-02T14:30:00Z",
                  "period_to": "2024-01-03T02:30:00Z",
                  "sessions": 2,
                  "bars": 780,
                  "fills": 2,
                  "orders": 0,
                  "round_trips": 1,
                  "currency": "USD",
                  "starting_capital": 1000.00,
                  "final_equity": 1250.00,
                  "risk_free_rate_pct": 0.0,
                  "total_return_pct": 25.0,
                  "cagr_pct": \(growth),
                  "volatility_pct": \(volatility),
                  "sharpe": \(sharpe),
                  "downside_risk_pct": 0.0,
                  "max_drawdown_pct": 12.5,
                  "max_drawdown_from": "2024-01-02T14:30:00Z",
                  "max_drawdown_to": "2024-01-02T14:35:00Z",
                  "calmar": \(calmar),
                  "ulcer_index_pct": 0.0,
                  "tail_ratio": \(0.2375 / 0.0125),
                  "stability": 1.0,
                  "var_95_pct": 1.25,
                  "cvar_95_pct": 0.0,
                  "day_win_rate_pct": 100.0,
                  "best_day": "2024-01-03",
                  "best_day_pct": 25.0,
                  "worst_day": "2024-01-02",
                  "worst_day_pct": 0.0,
                  "best_month": "2024-01",
                  "best_month_pct": 25.0,
                  "worst_month": "2024-01",
                  "worst_month_pct": 25.0,
                  "best_year": 2024,
                  "best_year_pct": 25.0,
                  "worst_year": 2024,
                  "worst_year_pct": 25.0,
                  "yearly_returns_pct": {
                    "2024": 25.0
                  },
                  "monthly_returns_pct": {
                    "2024-01": 25.0
                  },
                  "drawdowns": [],
                  "under_water_pct": 0.0,
                  "win_rate_pct": 100.0,
                  "expectancy": 250.00,
                  "best": 250.00,
                  "worst": 250.00,
                  "average_duration_seconds": 60,
                  "shortest_duration_seconds": 60,
                  "longest_duration_seconds": 60,
                  "commissions": 0.00,
                  "turnover": 2.0,
                  "turnover_per_year": 252.0,
                  "exposure_pct": 0.0,
                  "open_positions": [
                    {
                      "strategy": "crossover",
                      "symbol": "AAPL",
                      "quantity": -5,
                      "average_price": 99.50,
                      "market_value": -500.00
                    }
                  ],
                  "refusals": [
                    {
                      "reason": "position too large",
                      "count": 3
                    }
                  ],
                  "breaches": [
                    {
                      "time": "2024-01-02T14:30:00Z",
                      "cause": "daily loss",
                      "limit_pct": 2,
                      "value_pct": 2.345678
                    },
                    {
                      "time": "2024-01-02T14:35:00Z",
                      "cause": "maintenance margin",
                      "limit": 500.00,
                      "value": 499.99
                    }
                  ],
                  "halted_by": [
                    "maintenance margin"
                  ],
                  "warnings": [
                    "2 bars were ambiguous"
                  ],
                  "state_hash": "00000000000000ab"
                }

                """)
    }

    @Test func furtherKeysFollowOnTheSameLine() {
        var object = summary(of: .uneventful)
        object.set("output", .text("results/backtest/1"))
        let line = object.compact()
        #expect(line.hasPrefix(#"{"strategies":["crossover","momentum"],"symbols":2,"#))
        #expect(line.hasSuffix(#""state_hash":"0000000000000000","output":"results/backtest/1"}"#))
        #expect(!line.contains("\n"))
        #expect(!line.contains("null"))
    }

    @Test func ticksAreCountedWhereThereAreSome() {
        var record = RunRecord.uneventful
        #expect(!summary(of: record).compact().contains("ticks"))
        record.tickCount = 2_345
        #expect(summary(of: record).compact().contains(#""bars":0,"ticks":2345,"#))
    }

    private func summary(of record: RunRecord) -> JSONObject {
        SummaryJSON.object(
            of: record, summary: PerformanceSummary(of: record, trades: RoundTrips(of: record)))
    }
}
