import Model
import Primitives
import Testing

@testable import Reporting

@Suite struct SummaryKeyTests {
    /// A run in which every figure is defined: gains and losses on both sides of everything.
    @Test func everyKeyIsDescribedInTheOrderOfTheFile() throws {
        var record = RunRecord.sessions(
            startingWith: 100_00, equityInCents: [110_00, 99_00, 104_00, 98_00, 120_00])
        record.maxDrawdown = DrawdownRecord(fraction: 0.1, from: opening, to: opening)
        record.fills = [
            .sample(.buy, 1, atCents: 10_00), .sample(.sell, 1, atCents: 12_00, minute: 1),
            .sample(.buy, 1, atCents: 10_00, minute: 2),
            .sample(.sell, 1, atCents: 9_00, minute: 3),
        ]
        record.orders = [.numbered(1)]
        record.tickCount = 1
        record.cashFlows = [.sample(session: 1, cents: 1, before: 110_00)]
        record.growth = ExactMoney(Money(cents: 1_20))
        record.strategyRecords = [.sample, .sample]
        record.verification = VerificationRecord(
            events: 3, commands: 2, decisions: 1, outputDigest: 7)
        let trades = RoundTrips(of: record)
        var basis = PerformanceSummary.Basis()
        basis.benchmark = Benchmark(
            symbol: "SPY",
            closes: [100, 101, 99, 103, 100, 104].enumerated().map { index, price in
                Benchmark.Close(day: day(index - 1), price: Price(cents: price * 100))
            })
        basis.paths = TradePaths(of: record, in: FlatPrices())
        basis.fees = record.fills.map { FillFees(broker: $0.commission) }
        let summary = PerformanceSummary(of: record, trades: trades, basis)
        let file = SummaryJSON.object(of: record, summary: summary).pretty()
        let keys = file.split(separator: "\n").compactMap { line -> Substring? in
            // Inner keys are indented deeper.
            guard line.hasPrefix("  \"") else { return nil }
            return line.dropFirst(3).prefix { $0 != "\"" }
        }
        #expect(keys.map(String.init) == SummaryKey.all.map(\.name))
    }

    @Test func descriptionsFitATable() {
        for key in SummaryKey.all {
            #expect(!key.type.isEmpty && key.meaning.hasSuffix("."))
            #expect(!(key.type + key.meaning).contains("|"))
            #expect(key.name.hasSuffix("_pct") == key.type.hasPrefix("percent"))
        }
    }
}

/// A market that never moves.
private struct FlatPrices: PriceHistory {
    mutating func range(
        of instrument: InstrumentID, from start: Timestamp, to end: Timestamp
    ) -> PriceRange? { nil }

    mutating func open(of instrument: InstrumentID, at start: Timestamp) -> Price? {
        Price(cents: 10_00)
    }
}
