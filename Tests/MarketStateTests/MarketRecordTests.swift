import MarketState
import Model
import Primitives
import TestSupport
import Testing

@Suite struct MarketRecordTests {
    private static let bounds = RecordReader.Bounds(instruments: 3, strategies: 1)

    private func market() -> MarketState {
        MarketState(instruments: Make.instruments("AAA", "BBB", "CCC"))
    }

    private func market(_ items: RecordItems) throws -> MarketState {
        var market = market()
        try items.read(Self.bounds) { try market.read(&$0) }
        return market
    }

    private func digest(_ market: borrowing MarketState) -> UInt64 {
        var hasher = StateHasher()
        market.hash(into: &hasher)
        return hasher.digest
    }

    /// Property: what is known of markets comes back, and damaged records are refused or give what can be written
    /// again.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func marketsComeBack(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var market = market()
        for _ in 0..<30 {
            let instrument = InstrumentID(index: Int(chance.number(in: 0...2)))
            let price = Price(cents: chance.number(in: -10...100_00))
            switch chance.number(in: 0...2) {
            case 0: market.record(price: price, of: instrument)
            case 1:
                market.record(
                    Quote(
                        instrument: instrument, at: Make.open,
                        bid: chance.chance(percent: 70) ? price : nil,
                        ask: chance.chance(percent: 70) ? price : nil,
                        askSize: chance.chance(percent: 50) ? Quantity(shares: 1) : nil))
            case _:
                market.record(
                    Trade(
                        instrument: instrument, at: Make.open, price: price,
                        size: Quantity(shares: 3)))
            }
            let items = RecordItems { market.write(to: &$0) }
            let copy = try self.market(items)
            #expect(digest(copy) == digest(market))
            for _ in 0..<10 {
                guard let damaged = try? self.market(items.damaged(&chance)) else { continue }
                let repeated = try self.market(RecordItems { damaged.write(to: &$0) })
                #expect(digest(repeated) == digest(damaged))
            }
        }
    }

    /// A quote of another instrument than its record's is refused.
    @Test func quoteOfAnotherInstrumentIsRefused() {
        var market = market()
        market.record(
            Quote(instrument: InstrumentID(index: 1), at: Make.open, bid: nil, ask: nil))
        var items = RecordItems { market.write(to: &$0) }
        items.all[0].words[0] = 2
        #expect(throws: RecordError.self) { _ = try self.market(items) }
    }
}
