import MarketState
import Model
import Primitives
import TestSupport
import Testing

@Suite struct MarketStateTests {
    private static let first = InstrumentID(index: 0)
    private static let second = InstrumentID(index: 1)

    @Test func nothingIsKnownAtFirst() {
        let market = MarketState(instruments: Make.instruments("AAA", "BBB"))
        #expect(market.latestPrice(of: Self.first) == nil)
        #expect(market.instruments.map(\.symbol) == ["AAA", "BBB"])
    }

    @Test func newestCloseOfEachInstrumentIsKept() {
        var market = MarketState(instruments: Make.instruments("AAA", "BBB"))
        market.record(Make.bar(0, open: 10_00, close: 10_10))
        market.record(Make.bar(1, open: 10_10, close: 10_20))
        market.record(Make.bar(0, open: 50_00, close: 49_00, instrument: 1))
        #expect(market.latestPrice(of: Self.first) == Price(cents: 10_20))
        #expect(market.latestPrice(of: Self.second) == Price(cents: 49_00))
    }

    @Test func digestDistinguishesStates() {
        func digest(_ bars: Bar...) -> UInt64 {
            var market = MarketState(instruments: Make.instruments("AAA", "BBB"))
            for bar in bars { market.record(bar) }
            var hasher = StateHasher()
            market.hash(into: &hasher)
            return hasher.digest
        }
        let bar = Make.bar(0, open: 10_00, close: 10_10)
        #expect(digest(bar) == digest(bar, bar))
        let different = [
            digest(), digest(bar), digest(Make.bar(0, open: 10_00, close: 10_11)),
            digest(Make.bar(0, open: 10_00, close: 10_10, instrument: 1)),
            digest(Make.bar(0, open: 0, close: 0)),
        ]
        #expect(Set(different).count == different.count)
    }

    // MARK: Quotes and trades

    private func quote(
        _ second: Int64, bid: Int64?, ask: Int64?, sizes: Int64? = 100, instrument: Int = 0
    ) -> Quote {
        Quote(
            instrument: InstrumentID(index: instrument), at: Make.time(second),
            bid: bid.map { Price(cents: $0) }, ask: ask.map { Price(cents: $0) },
            bidSize: bid.flatMap { _ in sizes.map { Quantity(shares: $0) } },
            askSize: ask.flatMap { _ in sizes.map { Quantity(shares: $0) } })
    }

    private func trade(_ second: Int64, _ cents: Int64, instrument: Int = 0) -> Trade {
        Trade(
            instrument: InstrumentID(index: instrument), at: Make.time(second),
            price: Price(cents: cents), size: Quantity(shares: 5))
    }

    @Test func newestQuoteAndTradeOfEachInstrumentAreKept() {
        var market = MarketState(instruments: Make.instruments("AAA", "BBB"))
        #expect(market.latestQuote(of: Self.first) == nil)
        #expect(market.latestTrade(of: Self.first) == nil)
        market.record(quote(1, bid: 10_00, ask: 10_02))
        market.record(quote(2, bid: 10_01, ask: nil))
        market.record(quote(2, bid: 50_00, ask: 50_10, instrument: 1))
        market.record(trade(3, 10_01))
        #expect(market.latestQuote(of: Self.first) == quote(2, bid: 10_01, ask: nil))
        #expect(
            market.latestQuote(of: Self.second) == quote(2, bid: 50_00, ask: 50_10, instrument: 1))
        #expect(market.latestTrade(of: Self.first) == trade(3, 10_01))
        #expect(market.latestTrade(of: Self.second) == nil)
    }

    @Test func tradesArePricesAndQuotesAreNone() {
        var market = MarketState(instruments: Make.instruments("AAA"))
        market.record(quote(1, bid: 10_00, ask: 10_02))
        #expect(market.latestPrice(of: Self.first) == nil)
        market.record(trade(2, 10_02))
        #expect(market.latestPrice(of: Self.first) == Price(cents: 10_02))
        market.record(Make.bar(0, open: 10_02, close: 10_05))
        #expect(market.latestPrice(of: Self.first) == Price(cents: 10_05))
        market.record(trade(61, 10_04))
        #expect(market.latestPrice(of: Self.first) == Price(cents: 10_04))
    }

    @Test func ageIsTheTimeSinceTheNewestQuoteOrTrade() {
        var market = MarketState(instruments: Make.instruments("AAA", "BBB"))
        market.record(Make.bar(0, open: 10_00, close: 10_00))
        #expect(market.age(of: Self.first, at: Make.time(60)) == nil)
        market.record(trade(60, 10_00))
        #expect(market.age(of: Self.first, at: Make.time(62)) == .seconds(2))
        market.record(quote(65, bid: 10_00, ask: 10_01))
        #expect(market.age(of: Self.first, at: Make.time(66)) == .seconds(1))
        market.record(trade(64, 10_00))
        #expect(market.age(of: Self.first, at: Make.time(66)) == .seconds(1))
        market.record(trade(70, 10_00))
        #expect(market.age(of: Self.first, at: Make.time(100)) == .seconds(30))
        // The exchange's clock is ahead of ours.
        #expect(market.age(of: Self.first, at: Make.time(69)) == .zero)
        #expect(market.age(of: Self.second, at: Make.time(100)) == nil)
        market.record(quote(40, bid: nil, ask: nil, instrument: 1))
        #expect(market.age(of: Self.second, at: Make.time(100)) == .seconds(60))
    }

    @Test func digestDistinguishesQuotesAndTrades() {
        func digest(_ change: (inout MarketState) -> Void) -> UInt64 {
            var market = MarketState(instruments: Make.instruments("AAA", "BBB"))
            change(&market)
            var hasher = StateHasher()
            market.hash(into: &hasher)
            return hasher.digest
        }
        let quotes = [
            quote(1, bid: 10_00, ask: 10_01), quote(2, bid: 10_00, ask: 10_01),
            quote(1, bid: 10_01, ask: 10_01), quote(1, bid: 10_00, ask: 10_02),
            quote(1, bid: nil, ask: 10_01), quote(1, bid: 10_00, ask: nil),
            quote(1, bid: 10_00, ask: 10_01, sizes: 200),
            quote(1, bid: 10_00, ask: 10_01, sizes: nil),
            quote(1, bid: 10_00, ask: 10_01, instrument: 1),
            Quote(
                instrument: Self.first, at: Make.time(1), bid: Price(cents: 10_00),
                ask: Price(cents: 10_01), bidSize: Quantity(shares: 100)),
            Quote(
                instrument: Self.first, at: Make.time(1), bid: Price(cents: 10_00),
                ask: Price(cents: 10_01), askSize: Quantity(shares: 100)),
        ]
        let trades = [
            trade(1, 10_00), trade(2, 10_00), trade(1, 10_01), trade(1, 10_00, instrument: 1),
        ]
        let digests =
            [digest { _ in }] + quotes.map { quote in digest { $0.record(quote) } }
            + trades.map { trade in digest { $0.record(trade) } }
        #expect(Set(digests).count == digests.count)
    }

    /// An event has 128 bytes for its time and what it says.
    @Test func quotesAndTradesFitIntoAnEvent() {
        func needsBitwiseCopyable<T: BitwiseCopyable>(_: T.Type) -> Int { MemoryLayout<T>.size }
        #expect(needsBitwiseCopyable(Quote.self) <= 80)
        #expect(needsBitwiseCopyable(Trade.self) <= 32)
    }
}
