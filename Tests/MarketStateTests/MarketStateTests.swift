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

    @Test func digestTellsStatesApart() {
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
}
