import MarketState
import Model
import Primitives
import TestSupport
import Testing

/// Bars made of trades, and of several instruments at once.
@Suite struct TradeAggregationTests {
    private let first = InstrumentID(index: 0)

    /// A trade so many milliseconds after the opening bell.
    private func trade(_ milliseconds: Int64, _ cents: Int64, _ shares: Int64) -> Trade {
        Trade(
            instrument: first, at: Make.open + .milliseconds(milliseconds),
            price: Price(cents: cents), size: Quantity(shares: shares))
    }

    private func aggregator(_ barSize: Duration) throws -> BarAggregator {
        try #require(BarAggregator(first, barSize: barSize, calendar: .newYork))
    }

    private func bar(
        _ minute: Int64, _ cents: (Int64, Int64, Int64, Int64), _ shares: Int64
    ) -> Bar {
        Bar(
            instrument: first, start: Make.open + .minutes(minute), barSize: .minutes(1),
            open: Price(cents: cents.0), high: Price(cents: cents.1), low: Price(cents: cents.2),
            close: Price(cents: cents.3), volume: Quantity(shares: shares))
    }

    @Test func tradesOfAMinuteAreItsBar() throws {
        var aggregator = try aggregator(.minutes(1))
        var bars: [Bar] = []
        #expect(aggregator.due == nil)
        for trade in [
            trade(0, 10_00, 5), trade(0, 10_05, 7), trade(0, 10_05, 7), trade(30_000, 9_99, 1),
            trade(59_999, 10_01, 0),
        ] { aggregator.add(trade, into: &bars) }
        #expect(bars.isEmpty)
        #expect(aggregator.due == Make.open + .minutes(1))
        // A trade at the end is in the next.
        aggregator.add(trade(60_000, 11_00, 2), into: &bars)
        #expect(bars == [bar(0, (10_00, 10_05, 9_99, 10_01), 20)])
        // Two minutes without a trade have no bar.
        aggregator.add(trade(240_001, 12_00, 3), into: &bars)
        aggregator.advance(to: Make.open + .minutes(5), into: &bars)
        #expect(
            bars.dropFirst() == [
                bar(1, (11_00, 11_00, 11_00, 11_00), 2), bar(4, (12_00, 12_00, 12_00, 12_00), 3),
            ])
        #expect(aggregator.dropped.count == 0)
    }

    @Test func tradesOutsideRTHOrOutOfOrderAreLeftOut() throws {
        var aggregator = try aggregator(.days(1))
        var bars: [Bar] = []
        aggregator.add(trade(-1, 9_00, 1), into: &bars)
        aggregator.add(trade(1_000, 10_00, 1), into: &bars)
        aggregator.add(trade(999, 99_00, 1), into: &bars)
        aggregator.add(trade(23_399_999, 11_00, 1), into: &bars)
        // The close is at 16:00; the auction's trade comes a little later.
        aggregator.add(trade(23_400_100, 12_00, 1), into: &bars)
        #expect(bars.count == 1)
        #expect(bars.first?.close == Price(cents: 11_00))
        #expect(bars.first?.volume == Quantity(shares: 2))
        #expect(bars.first?.barSize == .minutes(390))
        #expect(aggregator.dropped.outside == 2 && aggregator.dropped.late == 1)
    }

    /// Bars of trades are those of bars of a second of the same trades.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func tradesAndTheirShortBarsMakeTheSameLongerBars(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for barSize in [Duration.minutes(1), .minutes(5), .hours(1), .days(1)] {
            var (direct, seconds, stepped) = ([Bar](), [Bar](), [Bar]())
            var ofTrades = try aggregator(barSize)
            var ofSecond = try aggregator(.seconds(1))
            var ofSeconds = try aggregator(barSize)
            var at: Int64 = -60_000
            while at < 23_500_000 {
                at += chance.number(in: 0...chance.number(in: 1...400_000))
                let trade = trade(
                    at, chance.number(in: 90_00...110_00), chance.number(in: 0...50))
                ofTrades.add(trade, into: &direct)
                ofSecond.add(trade, into: &seconds)
            }
            ofTrades.advance(to: .distantFuture, into: &direct)
            ofSecond.advance(to: .distantFuture, into: &seconds)
            for bar in seconds { ofSeconds.add(bar, into: &stepped) }
            ofSeconds.advance(to: .distantFuture, into: &stepped)
            #expect(direct == stepped && !direct.isEmpty)
        }
    }

    @Test func barsOfSeveralInstrumentsComeByTheirEndsAndThenTheirOrder() {
        let ids = (0..<3).map { InstrumentID(index: $0) }
        var bars = LongerBars(
            of: ids, from: [.parts, .asTheyAre, .middles], barSize: .minutes(2), calendar: .newYork)
        #expect(bars.due == .distantFuture)
        bars.add(
            Quote(
                instrument: ids[2], at: Make.open, bid: Price(cents: 1), ask: Price(cents: 3)))
        // Crossed, or with one side: no middle.
        bars.add(
            Quote(
                instrument: ids[2], at: Make.open, bid: Price(cents: 9), ask: Price(cents: 3)))
        bars.add(Quote(instrument: ids[2], at: Make.open, bid: Price(cents: 9), ask: nil))
        // Of an instrument that is traded, quotes make no bar.
        bars.add(
            Quote(
                instrument: ids[0], at: Make.open, bid: Price(cents: 1), ask: Price(cents: 3)))
        #expect(bars.due == Make.open + .minutes(2))
        bars.add(Make.bar(0, open: 5, close: 6))
        bars.add(Make.bar(0, open: 7, close: 8, instrument: 1))
        #expect(bars.areComplete)
        bars.add(Make.bar(1, open: 6, close: 9))
        bars.advance(to: Make.open + .minutes(2))
        var taken: [Bar] = []
        bars.take(into: &taken)
        #expect(taken.map(\.instrument) == [ids[1], ids[0], ids[2]])
        #expect(taken.map(\.close) == [8, 9, 2].map { Price(cents: $0) })
        #expect(taken.map(\.end) == [1, 2, 2].map { Make.open + .minutes($0) })
        #expect(!bars.areComplete && bars.due == .distantFuture)
        bars.take(into: &taken)
        #expect(taken.count == 3)
    }
}
