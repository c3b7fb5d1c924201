import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import MarketSimulation

/// The synthetic VIX begins at 17, stays above 8 and comes back.
@Suite struct ReversionTests {
    private static let (start, floor) = (17.0, 8.0)
    private static let (first, last) = ("2016-01-04", "2025-12-31")

    /// The index as the gateway lists it.
    private static let listing: MarketListing = {
        var listing = MarketListing(
            instrument: Instrument(id: MarketFixture.a, symbol: "VIX", assetClass: .index),
            startPrice: Price(cents: 17_00), volatility: 0.9, dailyVolume: 0)
        listing.reversion = Reversion(floor: floor / start, halfLife: 30)
        return listing
    }()

    /// The closes of ten years.
    private static func closes(seed: UInt64) -> [Double] {
        var chain = PriceChain(
            listing, SyntheticTraits(), calendar: .newYork, seed: seed,
            firstDay: MarketFixture.day(first))
        chain.reach(MarketFixture.at(last, 16))
        return chain.links.compactMap { $0.ends.last?.to }
    }

    /// The index has closed between 9.14 and 82.69 since 1990.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func levelStaysPlausibleForTenYears(seed: UInt64) {
        let closes = Self.closes(seed: seed).sorted()
        #expect(closes.count > 2_500)
        #expect(closes[0] > 9 && closes[closes.count - 1] < 80)
        // Neither does it stand still: its logarithm above the floor has a deviation of 0.5.
        #expect(closes[0] < 13 && closes[closes.count - 1] > 25)
        // As a median of some 60 half-lives: within three deviations of its error, 0.12 in the logarithm.
        #expect((14.0...21).contains(closes[closes.count / 2]))
    }

    @Test func halfOfADeviationIsGoneInThirtySessionsWhateverTheDraws() {
        var (product, square, surprises, count) = (0.0, 0.0, 0.0, 0)
        for seed in 0..<20 as Range<UInt64> {
            let deviations = Self.closes(seed: seed).map {
                log(($0 - Self.floor) / (Self.start - Self.floor))
            }
            for (now, later) in zip(deviations, deviations.dropFirst(30)) {
                product += now * later
                square += now * now
            }
            for (now, next) in zip(deviations, deviations.dropFirst()) {
                let surprise = (next - now * exp2(-1 / 30)) * (1 - Self.floor / Self.start)
                surprises += surprise * surprise
                count += 1
            }
        }
        #expect(abs(product / square - 0.5) < 0.08, "\(product / square)")
        // What is drawn is the listing's 90 % a year, at the level it began with.
        let volatility = sqrt(surprises / Double(count) * 252)
        #expect(abs(volatility / 0.9 - 1) < 0.03, "\(volatility)")
    }

    @Test func minutesStayWithinWhatDaysCanReach() {
        var traits = SyntheticTraits()
        traits.firstDay = MarketFixture.day("2024-01-02")
        var market = SimulatedMarket(
            listings: [Self.listing], source: .synthetic(traits),
            calendar: .newYork, seed: 1, start: MarketFixture.at(Self.last, 16))
        let bars = market.bars(
            of: MarketFixture.a,
            BarRequest(
                step: .seconds(60), from: MarketFixture.at("2024-01-02", 0), to: .distantFuture))
        #expect(bars.count > 190_000)
        #expect(bars.allSatisfy { $0.low > Price(cents: 8_00) && $0.high < Price(cents: 90_00) })
    }

    /// A jump is as large as the level is lively.
    @Test func drawsCountForLessNearTheFloor() {
        let reversion = Reversion(floor: 0.5, halfLife: 10)
        #expect(reversion.scale(at: 20, start: 20) == 1)
        // A tenth of 11 is above the floor of 10, half of 20 is: 1 / 11 to 1 / 2.
        #expect(abs(reversion.scale(at: 11, start: 20) - 2.0 / 11) < 1e-12)
        // Ten sessions without a draw halve the logarithm: 40 above the floor of 10 become 20.
        #expect(abs(reversion.moved(50, start: 20, by: 0, over: 10) - 30) < 1e-9)
    }
}
