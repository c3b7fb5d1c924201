import Catalog
import MarketState
import Model
import Primitives
import Reporting
import Testing

@testable import Runtime

@Suite struct RunPricesTests {
    private static let instrument = InstrumentID(index: 0)

    /// Minutes that begin at `minutes`; the bar of minute m has lows 100 - m and highs 100 + m dollars.
    private func prices(_ minutes: [Int64]) -> RunPrices {
        let rows = minutes.map { minute in
            BarRow(
                start: Timestamp(seconds: minute * 60), open: Price(cents: 100_00 + minute),
                high: Price(cents: 100_00 + minute * 100), low: Price(cents: 100_00 - minute * 100),
                close: Price(cents: 100_00), volume: .zero)
        }
        let file = SourceFile(path: "A.csv", bytes: 0, modified: 0, inode: 0)
        let series = BarSeries(symbol: "A", barSize: .minutes(1), rows: rows, file: file)
        return RunPrices(
            DataSet(series: [series], basis: .raw, stamp: .start, calendar: .always))
    }

    @Test func onlyWholeBarsCount() {
        var prices = prices([1, 2, 3, 5])
        let all = prices.range(
            of: Self.instrument, from: Timestamp(seconds: 90), to: Timestamp(seconds: 239))
        #expect(all == PriceRange(low: Price(cents: 98_00), high: Price(cents: 102_00)))
        #expect(
            prices.open(of: Self.instrument, at: Timestamp(seconds: 300)) == Price(cents: 100_05))
        #expect(prices.open(of: Self.instrument, at: Timestamp(seconds: 240)) == nil)
    }

    /// Property: questions in any order get the answers of a plain search.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func orderOfQuestionsDoesNotMatter(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let minutes = (1..<300 as Range<Int64>).filter { _ in chance.nextUniform() < 0.7 }
        var prices = prices(minutes)
        for _ in 0..<200 {
            let from = Int64(chance.nextUniform() * 310)
            let to = from + Int64(chance.nextUniform() * 40)
            let meant = minutes.filter { $0 >= from && $0 + 1 <= to }
            let found = prices.range(
                of: Self.instrument, from: Timestamp(seconds: from * 60),
                to: Timestamp(seconds: to * 60))
            try #require(
                found
                    == meant.last.map {
                        PriceRange(
                            low: Price(cents: 100_00 - $0 * 100),
                            high: Price(cents: 100_00 + $0 * 100))
                    })
            let open = prices.open(of: Self.instrument, at: Timestamp(seconds: from * 60))
            try #require((open != nil) == minutes.contains(from))
        }
    }
}
