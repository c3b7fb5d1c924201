import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Testing

@testable import Runtime

@Suite struct BenchmarkDataTests {
    private func closes(basis: PriceBasis) throws -> [Price] {
        let rows = [100_00, 102_00, 51_00, 50_00].enumerated().map { day, cents in
            BarRow(
                start: Timestamp(day: Day(number: 18_000).advanced(by: day)),
                open: Price(cents: cents), high: Price(cents: cents), low: Price(cents: cents),
                close: Price(cents: cents), volume: .zero)
        }
        let series = BarSeries(
            symbol: "SPY", barSize: .days(1), rows: rows,
            file: SourceFile(path: "SPY.csv", bytes: 0, modified: 0, inode: 0),
            actions: [
                RowAction(row: 2, line: 4, kind: .split(ratio: Quantity(shares: 2))),
                RowAction(row: 3, line: 5, kind: .dividend(Price(cents: 1_00))),
            ])
        let data = DataSet(series: [series], basis: basis, stamp: .start, calendar: .always)
        return try Benchmark(of: series, in: data).closes.map(\.price)
    }

    /// 51.00 behind 2 for 1 is 102.00; 50.00 with a dividend of 1.00 behind 51.00 is as much again.
    @Test func splitsAndDividendsArePutBack() throws {
        #expect(
            try closes(basis: .raw) == [
                Price(cents: 100_00), Price(cents: 102_00), Price(cents: 102_00),
                Price(cents: 102_00),
            ])
    }

    @Test func adjustedPricesStayAsTheyAre() throws {
        #expect(try closes(basis: .total).last == Price(cents: 50_00))
    }
}
