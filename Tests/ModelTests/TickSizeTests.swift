import Model
import Primitives
import TestSupport
import Testing

@Suite struct TickSizeTests {
    /// Regulation NMS, rule 612: a cent from a dollar on, a hundredth of a cent below.
    @Test func sharesMoveInCentsFromOneDollarOn() throws {
        let ticks = TickSize.usShares
        #expect(ticks.step(at: Price(cents: 1_00)) == Price(cents: 1))
        #expect(ticks.step(at: try Price("0.9999")) == (try Price("0.0001")))
        #expect(ticks.roundedUp(try Price("0.30015")) == (try Price("0.3002")))
        #expect(ticks.roundedDown(try Price("0.30015")) == (try Price("0.3001")))
        #expect(ticks.roundedUp(try Price("0.99995")) == Price(cents: 1_00))
        #expect(ticks.roundedDown(try Price("1.0099")) == Price(cents: 1_00))
        for (text, isAccepted) in [
            ("0.1234", true), ("0.12345", false), ("1.23", true), ("1.234", false),
        ] {
            #expect(ticks.accepts(try Price(text)) == isAccepted)
        }
    }

    @Test func adjustedPricesAreNotRounded() throws {
        let price = try Price("0.30015001")
        #expect(TickSize.unrounded.roundedUp(price) == price)
        #expect(TickSize.unrounded.roundedDown(price) == price)
        #expect(TickSize.unrounded.accepts(price))
    }

    /// Property: rounding moves a price by less than a step, that way, to one that an exchange accepts.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func roundedPricesAreAccepted(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let price = Price(
            units: chance.number(in: 1...chance.one(of: [2_00_000_000, 900_00_000_000])))
        for ticks in [TickSize.usShares, .fixed(Price(cents: 5)), .unrounded] {
            let (down, up) = (ticks.roundedDown(price), ticks.roundedUp(price))
            #expect(ticks.accepts(down) && ticks.accepts(up))
            #expect(down <= price && price <= up)
            #expect(price - down < ticks.step(at: price) && up - price < ticks.step(at: price))
        }
    }

    // MARK: Splits

    /// 95.00 / 7 = 13.5714…; a limit away from the market, a protective stop towards the entry, another stop away
    /// from being triggered.
    @Test func pricesOfSplitSharesAreOnTicks() throws {
        let seven = try #require(SplitRatio(snapping: Quantity(shares: 7)))
        let price = Price(cents: 95_00)
        func adjusted(
            _ type: OrderType, _ side: Side, _ purpose: OrderPurpose
        ) -> OrderType? { type.adjusted(by: seven, .usShares, for: side, purpose) }
        #expect(adjusted(.limit(price), .buy, .entry) == .limit(Price(cents: 13_57)))
        #expect(adjusted(.limit(price), .sell, .exit) == .limit(Price(cents: 13_58)))
        #expect(adjusted(.stop(price), .sell, .protection) == .stop(Price(cents: 13_58)))
        #expect(adjusted(.stop(price), .sell, .exit) == .stop(Price(cents: 13_57)))
        #expect(adjusted(.stop(price), .buy, .entry) == .stop(Price(cents: 13_58)))
        #expect(adjusted(.market, .buy, .entry) == .market)
        let amount = OrderType.trailingStop(.amount(Price(cents: 1_00)))
        #expect(
            adjusted(amount, .sell, .protection)
                == .trailingStop(.amount(try Price("0.1428"))))
    }

    @Test func aSplitPriceBeyondWhatAnEdgeAcceptsIsNone() throws {
        let reverse = try #require(SplitRatio(snapping: try Quantity("0.0001")))
        let limit = OrderType.limit(Price(cents: 1_000_000_00))
        #expect(limit.adjusted(by: reverse, .usShares, for: .buy, .entry) == nil)
    }
}
