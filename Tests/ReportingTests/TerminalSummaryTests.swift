import Model
import Primitives
import Testing

@testable import Reporting

@Suite struct TerminalSummaryTests {
    @Test func figuresStandInTwoColumns() {
        var record = RunRecord.sessions(startingWith: 100_000_00, equityInCents: [112_345_67])
        record.equity = [80_000_00, 112_345_67].enumerated().map { session, cents in
            .sample(session: session, equity: Money(cents: cents))
        }
        record.barCount = 1_234_567
        record.maxDrawdown = DrawdownRecord(fraction: 0.2, from: opening, to: opening + .days(1))
        record.to = record.from + .hours(1)
        record.fills = [
            .sample(.buy, 10, atCents: 100_00), .sample(.sell, 10, atCents: 90_00, minute: 1),
        ]
        // Returns -0.2 and 0.404321: mean 0.1021604, sample deviation 0.4273195, downside
        // 0.1414214; √252 = 15.8745. Growth a year is 1.1234567^126.
        #expect(
            screen(record) == """
                crossover, momentum
                2024-01-02 to 2024-01-02, 2 sessions, 2 symbols, 1,234,567 bars

                Starting capital            100,000.00  Orders                               0
                Final equity                112,345.67  Fills                                2
                Total return                    12.35%  Round trips                          1
                CAGR                     234476044.32%  Win rate                         0.00%
                Volatility                     678.35%  Profit factor                     0.00
                Sharpe                            3.80  Expectancy                     -100.00
                Sortino                          11.47  Best trip                      -100.00
                Calmar                     11723802.22  Worst trip                     -100.00
                Max drawdown                    20.00%  Commissions                       0.00
                High to low   2024-01-02 to 2024-01-03  Best day             2024-01-03 40.43%
                Under water          50.00%, 1 day max  Worst day           2024-01-02 -20.00%
                Exposure                         0.00%  Worst month             2024-01 12.35%

                Equity USD       ▁█

                """)
    }

    /// Bars are told beside them where some were made of them.
    @Test func ticksAreReportedWhereThereAreSome() {
        var record = RunRecord.sessions(startingWith: 100_00, equityInCents: [100_00])
        record.tickCount = 2_345
        #expect(screen(record).contains("1 sessions, 2 symbols, 2,345 ticks\n"))
        record.barCount = 390
        #expect(screen(record).contains("2 symbols, 2,345 ticks, 390 bars\n"))
    }

    @Test func aFullScreenHas24LinesOf80Columns() {
        var record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: (0..<500).map { 100_00 + $0 * 3 })
        record.strategies = [String(repeating: "長い名前", count: 40), "momentum"]
        record.openPositions = (0..<12).map { value in
            PositionRecord(
                strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0),
                quantity: Quantity(shares: 1), averagePrice: Price(cents: 10_00),
                marketValue: Money(cents: value * 1_00))
        }
        record.refusals = (0..<9).map { RefusalCount(reason: "reason \($0)", count: $0 * 1_000) }
        record.warnings = (0..<4).map { "warning \($0) " + String(repeating: "x", count: 200) }

        record.breaches = (0..<7).map { session in
            BreachRecord(
                at: opening + .days(Int64(session)), cause: "maintenance margin",
                figures: .amount(
                    limit: Money(cents: 1_234_567_89), value: Money(cents: 1_234_000_00)))
        }
        record.haltCauses = ["maintenance margin"]

        let benchmark = Benchmark(symbol: String(repeating: "S", count: 50), closes: [])
        var shared = record
        shared.strategyRecords = [.sample, .sample, .sample, .sample]
        shared.strategies += ["third", "fourth"]
        let sharedLines = screen(shared, benchmark: benchmark).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(sharedLines.count == 25)
        for unicode in [true, false] {
            let lines = screen(record, unicode: unicode, benchmark: benchmark).split(
                separator: "\n", omittingEmptySubsequences: false)
            // The last one is empty: every line is ended.
            #expect(lines.count == 25 && lines.last == "")
            #expect(lines.allSatisfy { width(of: $0) <= 80 })
            #expect(
                lines.contains { $0.hasPrefix("Open 3/12        AAPL 1 at 10.00, worth 11.00, ") })
            #expect(lines.contains { $0 == "Refused 2/9      8,000 x reason 8" })
            #expect(
                lines.contains { $0.hasPrefix("Halts 1/7        2024-01-08 maintenance margin") })
            #expect(
                lines.contains {
                    $0.hasPrefix("Warnings 2/4     warning 0 x") && $0.hasSuffix("...")
                })
        }
        #expect(screen(record, unicode: false).utf8.allSatisfy { $0 < 128 })
    }

    /// Of five sessions two had a position; one of the crossover's two trades won.
    @Test func severalStrategiesHaveALineEach() {
        var record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: [100_00, 100_00, 100_00, 100_00, 100_00])
        record.strategyRecords = [.sample, .sample]
        record.fills = [
            .sample(.buy, 1, atCents: 10_00), .sample(.sell, 1, atCents: 12_00, minute: 1),
            .sample(.buy, 1, atCents: 10_00, minute: 2),
            .sample(.sell, 1, atCents: 9_00, minute: 3),
        ]
        let lines = screen(record).split(separator: "\n")
        #expect(
            lines.contains("Strategies       crossover 11.25, 2 trips, won 50.00%, exposed 40.00%"))
        #expect(
            lines.contains("                 momentum 11.25, 0 trips, won n/a, exposed 40.00%"))
        record.strategyRecords = [.sample]
        #expect(!screen(record).contains("Strategies"))
    }

    /// The benchmark rises by 10 and falls by 10 percent, the run by twice as much: beta 2, no alpha.
    /// 0.99^126 is 0.2818.
    @Test func aBenchmarkHasALineOfItsOwn() {
        let record = RunRecord.sessions(startingWith: 100_00, equityInCents: [120_00, 96_00])
        let closes = [100_00, 110_00, 99_00].enumerated().map { index, cents in
            Benchmark.Close(day: day(index - 1), price: Price(cents: cents))
        }
        let lines = screen(record, benchmark: Benchmark(symbol: "SPY", closes: closes))
            .split(separator: "\n")
        #expect(
            lines.contains(
                "SPY                       CAGR -71.81%  Alpha, beta                0.00%, 2.00"))
        #expect(!screen(record).contains("Alpha"))
    }

    @Test func aHaltHasALineOfItsOwn() {
        var record = RunRecord.uneventful
        #expect(!screen(record).contains("Halts"))
        record.breaches = [
            BreachRecord(
                at: opening, cause: "daily loss",
                figures: .percent(limit: Percent(2), value: Percent(units: 2_349_999)))
        ]
        #expect(
            screen(record).split(separator: "\n").last
                == "Halts            2024-01-02 daily loss 2.34% of 2%")
        record.haltCauses = ["drawdown"]
        record.breaches.append(
            BreachRecord(
                at: opening + .days(1), cause: "drawdown",
                figures: .amount(limit: Money(cents: 500_00), value: Money(cents: 612_50))))
        #expect(
            screen(record).split(separator: "\n").last
                == "Halts 1/2        2024-01-03 drawdown 612.50 of 500.00; halted at the end")
    }

    @Test func namesCannotSteerTheTerminal() {
        var record = RunRecord.uneventful
        // Escape, bell, one-byte control sequence introducer, right-to-left override, line
        // separator.
        record.strategies = ["a\u{1B}[31mb\u{7}\u{9B}c\u{202E}d\u{2028}e\r\nf"]
        record.warnings = ["tab\there"]
        let lines = screen(record).split(separator: "\n")
        #expect(lines.first == "a[31mbcdef")
        #expect(lines.last == "Warnings         tabhere")
    }

    @Test func aRunWithoutSessionsHasNoCurve() {
        #expect(!screen(.uneventful).contains("Equity"))
    }

    @Test func curvesRunFromTheLowestToTheHighestBlock() {
        // Eight equal steps between 0 and 7: block = value · 8 / 7, at most the highest.
        #expect(curve([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█")
        #expect(curve([7, 0, 3], unicode: false) == "#_-")
        #expect(curve([-100, 100]) == "▁█")
    }

    @Test func aFlatCurveRunsInTheMiddle() {
        #expect(curve([5, 5, 5]) == "▄▄▄")
        #expect(curve([5], unicode: false) == "-")
    }

    /// 120 values in 60 buckets of two: the second of each counts, so the first, odd one out, is
    /// unseen.
    @Test func eachOfSixtyBucketsShowsItsLastValue() {
        let values = (0..<120).map { $0 % 2 == 0 ? Int64(1_000) : Int64($0 / 2) }
        let drawn = curve(values)
        #expect(drawn.count == 60)
        #expect(drawn.first == "▁" && drawn.last == "█")
        #expect(Array(drawn) == drawn.sorted())
    }

    private func curve(_ cents: [Int64], unicode: Bool = true) -> String {
        Sparkline.text(cents.map { Money(cents: $0) }, unicode: unicode)
    }

    private func screen(
        _ record: RunRecord, unicode: Bool = true, benchmark: Benchmark? = nil
    ) -> String {
        var basis = PerformanceSummary.Basis()
        basis.benchmark = benchmark
        let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record), basis)
        return TerminalSummary.text(of: record, summary: summary, unicode: unicode)
    }

    /// Ideographs take two columns, block elements one.
    private func width(of line: Substring) -> Int {
        line.unicodeScalars.reduce(0) { $0 + ($1.properties.isIdeographic ? 2 : 1) }
    }
}
