import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

@Suite struct TickFeedTests {
    /// Trades at these seconds, with the number of each as its size.
    private func series(_ symbol: String, _ seconds: [Int64]) -> TickSeries {
        TickSeries(
            symbol: symbol,
            rows: seconds.enumerated().map { number, second in
                TickRow(
                    Trade(
                        instrument: InstrumentID(index: 0), at: Timestamp(seconds: second),
                        price: Price(cents: 1), size: Quantity(shares: Int64(number))))
            }, file: SourceFile(path: symbol, bytes: 0, modified: 0, inode: 0))
    }

    private struct Seen: Equatable {
        let second: Int64
        let instrument: Int32
        let number: Int64
    }

    private func all(
        _ series: [TickSeries], from: Int64 = 0, to: Int64 = 1_000_000
    ) -> (seen: [Seen], count: Int) {
        var feed = TickFeed(
            TickSet(series: series, basis: .raw, calendar: .always),
            instruments: series.indices.map { InstrumentID(index: $0) },
            from: Timestamp(seconds: from), to: Timestamp(seconds: to))
        let count = feed.count
        var seen: [Seen] = []
        while feed.next() {
            let trade = feed.row.trade(of: feed.instrument)
            seen.append(
                Seen(
                    second: trade.at.nanoseconds / 1_000_000_000,
                    instrument: feed.instrument.index,
                    number: trade.size.units / Quantity.unitsPerOne))
        }
        return (seen, count)
    }

    @Test func rowsComeByTimeThenInstrumentThenFile() {
        let (seen, count) = all([series("A", [1, 3, 3, 9]), series("B", [1, 2, 3, 3])])
        #expect(count == 8)
        #expect(seen.map(\.second) == [1, 1, 2, 3, 3, 3, 3, 9])
        #expect(seen.map(\.instrument) == [0, 1, 1, 0, 0, 1, 1, 0])
        #expect(seen.map(\.number) == [0, 0, 1, 1, 2, 2, 3, 3])
    }

    @Test func aPeriodHoldsItsFirstTimeAndNotItsEnd() {
        let (seen, count) = all([series("A", [1, 2, 3, 4]), series("B", [5])], from: 2, to: 4)
        #expect(seen.map(\.second) == [2, 3])
        #expect(count == 2)
        #expect(all([series("A", [1])], from: 2).seen.isEmpty)
        #expect(all([]).seen.isEmpty)
    }

    /// Against sorting everything.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func mergingIsStableSorting(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let many = (0..<Int.random(in: 1...12, using: &chance)).map { number in
            series(
                "S\(number)",
                (0..<Int.random(in: 1...60, using: &chance)).map { _ in
                    Int64.random(in: 0...40, using: &chance)
                }.sorted())
        }
        var expected: [Seen] = []
        for (index, series) in many.enumerated() {
            for (number, row) in series.rows.enumerated() {
                expected.append(
                    Seen(
                        second: row.at.nanoseconds / 1_000_000_000, instrument: Int32(index),
                        number: Int64(number)))
            }
        }
        expected.sort {
            ($0.second, $0.instrument, $0.number) < ($1.second, $1.instrument, $1.number)
        }
        #expect(all(many).seen == expected)
        let part = expected.filter { (10..<30).contains($0.second) }
        #expect(all(many, from: 10, to: 30).seen == part)
    }
}
