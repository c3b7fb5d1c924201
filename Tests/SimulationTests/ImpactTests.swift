import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// The square-root law: price · coefficient · √(quantity / bar volume).
@Suite struct ImpactTests {
    private func price(
        _ shares: Int64, of volume: Int64, _ side: Side = .buy, slippage: SlippageModel = .none
    ) -> [Int64] {
        var venue = VenueRig {
            $0.impact = .squareRoot(coefficient: Percent(2))
            $0.slippage = slippage
        }
        _ = venue.submit(Make.order(side, shares, .market), at: Make.open)
        return venue.play(Make.bar(0, open: 100_00, close: 100_00, volume: volume)).fills.map(
            \.cents)
    }

    /// 2 % of 100 is 2.00, times √(100/10,000) = 1/10, √(2,500/10,000) = 1/2, √1, √4.
    @Test func impactGrowsWithTheRootOfTheShare() {
        #expect(price(100, of: 10_000) == [100_20])
        #expect(price(2_500, of: 10_000) == [101_00])
        #expect(price(10_000, of: 10_000) == [102_00])
        #expect(price(40_000, of: 10_000) == [104_00])
        #expect(price(2_500, of: 10_000, .sell) == [99_00])
    }

    /// √2 · 0.20 is 0.28284…, on to the next tick.
    @Test func impactIsRoundedAgainstTheOrder() {
        #expect(price(200, of: 10_000) == [100_29])
        #expect(price(200, of: 10_000, .sell) == [99_71])
    }

    @Test func barWithoutVolumeAndSmallestOrderMoveNextToNothing() {
        #expect(price(100, of: 0) == [100_00])
        // √(1 / 10^10) = 10^-5 of 2.00 is 0.00002: one tick.
        #expect(price(1, of: 10_000_000_000) == [100_01])
    }

    /// 0.05 and 0.20 are added before they are rounded.
    @Test func slippageAndImpactAddUp() {
        #expect(price(100, of: 10_000, slippage: .fixed(Price(units: 5_000_000))) == [100_25])
        #expect(price(200, of: 10_000, slippage: .fixed(Price(units: 200_000))) == [100_29])
    }

    @Test func limitsAreNotMoved() {
        var venue = VenueRig { $0.impact = .squareRoot(coefficient: .hundred) }
        _ = venue.submit(Make.order(.buy, 1_000, .limit(cents: 100_10)), at: Make.open)
        let bar = Make.bar(0, open: 100_00, close: 100_00, volume: 10)
        #expect(venue.play(bar).fills.map(\.cents) == [100_00])
    }

    @Test func largestNumbersDoNotTrap() {
        var venue = VenueRig {
            $0.impact = .squareRoot(coefficient: .hundred)
            $0.slippage = .fixed(.magnitudeMax)
        }
        let request = Make.order(.buy, 1, .market).with(quantity: .magnitudeMax)
        _ = venue.submit(request, at: Make.open)
        let bar = Bar(
            instrument: InstrumentID(index: 0), start: Make.open, barSize: .minutes(1),
            open: .magnitudeMax, high: .magnitudeMax, low: .magnitudeMax, close: .magnitudeMax,
            volume: Quantity(units: 1))
        // Twice the largest price an edge accepts, as slippage at its largest already gives.
        #expect(
            venue.open(bar).executions.map(\.price) == [Price(units: 2 * Price.magnitudeMax.units)])
    }
}
