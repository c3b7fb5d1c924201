import Model
import Primitives
import Reporting
import Testing

@Suite struct SummaryJSONTests {
    @Test func figuresAreNamedAndOrdered() {
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
        record.warnings = ["2 bars were ambiguous"]
        record.stateHash = 0xAB

        // Returns of 0 and 0.25: mean 1/8, sample deviation √(2/64) = √(1/32); one gain of 25
        // percent, no fall below the start at a session's end. Volatility 100 · √(252 / 32), Sharpe
        // 1/8 · √(32 · 252). Traded 2,250 on an average of 1,125.
        let volatility = 100 * (0.03125.squareRoot() * 252.0.squareRoot())
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
                  "total_return_pct": 25.0,
                  "volatility_pct": \(volatility),
                  "sharpe": \(sharpe),
                  "max_drawdown_pct": 12.5,
                  "max_drawdown_from": "2024-01-02T14:30:00Z",
                  "max_drawdown_to": "2024-01-02T14:35:00Z",
                  "win_rate_pct": 100.0,
                  "expectancy": 250.00,
                  "best": 250.00,
                  "worst": 250.00,
                  "average_duration_seconds": 60,
                  "commissions": 0.00,
                  "turnover": 2.0,
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

    private func summary(of record: RunRecord) -> JSONObject {
        SummaryJSON.object(
            of: record, summary: PerformanceSummary(of: record, trips: RoundTrips(of: record)))
    }
}
