import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import MarketSimulation

/// What synthetic prices are like.
@Suite struct SyntheticPricesTests {
    private typealias Fixture = MarketFixture
    /// Nanoseconds of an hour.
    private static let hour: Int64 = 3_600_000_000_000

    private static func closes(
        _ market: inout SimulatedMarket, _ step: BarStep, from: Timestamp
    ) -> [Double] {
        market.bars(of: Fixture.a, BarRequest(step: step, from: from, to: .distantFuture))
            .map { Double($0.close.units) }
    }

    /// The deviation of a year, from the returns between bars; prices stand still where a bar is missing.
    private static func volatility(_ closes: [Double], days: Int) -> Double {
        let returns = zip(closes, closes.dropFirst()).map { log($1 / $0) }
        return sqrt(returns.reduce(0) { $0 + $1 * $1 } / Double(days) * 252)
    }

    /// 257 days of 390 minutes are a hundred thousand.
    @Test(arguments: [(3, 0.15), (11, 0.4)] as [(UInt64, Double)])
    func realisedVolatilityIsTheRequestedOne(seed: UInt64, requested: Double) {
        var market = Fixture.market(Fixture.at("2021-01-08", 16), seed: seed) {
            $0.volatility = requested
            $0.firstDay = Fixture.day("2020-01-02")
        }
        let closes = Self.closes(&market, .seconds(60), from: Fixture.at("2020-01-02", 0))
        #expect(closes.count > 99_000)
        let realised = Self.volatility(closes, days: 258)
        #expect(abs(realised / requested - 1) < 0.05, "\(realised)")
    }

    @Test func jumpsAreRareAndLarge() {
        func largest(_ jumps: Double) -> Double {
            var market = Fixture.market(Fixture.at("2024-12-31", 16)) {
                $0.volatility = 0.3
                $0.jumps = jumps
                $0.jumpSize = 0.08
                $0.firstDay = Fixture.day("2023-01-02")
            }
            let closes = Self.closes(&market, .day, from: Fixture.at("2023-01-02", 0))
            return zip(closes, closes.dropFirst()).map { abs(log($1 / $0)) }.max() ?? 0
        }
        // A deviation of a day is 0.3 / √252 = 1.9 %.
        #expect(largest(0) < 0.09)
        #expect(largest(8) > 0.11)
    }

    @Test func volatilityComesInIntervalsWithRegimes() {
        func kurtosis(_ hasRegimes: Bool) -> Double {
            var market = Fixture.market(Fixture.at("2024-12-31", 16)) {
                $0.hasRegimes = hasRegimes
                $0.volatility = 0.15
                $0.hasExtendedHours = false
                $0.firstDay = Fixture.day("2018-01-02")
            }
            let closes = Self.closes(&market, .day, from: Fixture.at("2018-01-02", 0))
            let returns = zip(closes, closes.dropFirst()).map { log($1 / $0) }
            let second = returns.reduce(0) { $0 + pow($1, 2) } / Double(returns.count)
            let fourth = returns.reduce(0) { $0 + pow($1, 4) } / Double(returns.count)
            return fourth / second / second
        }
        // 3 for a normal distribution; for this mixture 3 * (0.8 * 0.625^2 + 0.2 * 2.5^2) = 4.7.
        #expect(abs(kurtosis(false) - 3) < 0.35)
        #expect(abs(kurtosis(true) - 4.7) < 0.9)
    }

    @Test func theDayHasItsShape() {
        var market = Fixture.market(Fixture.at("2024-06-28", 16))
        let bars = market.bars(
            of: Fixture.a,
            BarRequest(
                step: .seconds(1_800), from: Fixture.at("2024-01-02", 0), to: .distantFuture))
        func volume(_ index: Int) -> Double {
            stride(from: index, to: bars.count, by: 13).reduce(0) {
                $0 + Double(bars[$1].volume.units) / 1e8
            }
        }
        // (1 + 3 s²) / 2 on average over the first and the seventh of thirteen parts: 1.78 and 0.503.
        #expect(abs(volume(0) / volume(6) / (1.78 / 0.503) - 1) < 0.1)
        // A usual day's volume, 95 % of it in regular hours.
        let sum = bars.reduce(0) { $0 + Double($1.volume.units) / 1e8 }
        #expect(abs(sum / (4_750_000 * Double(bars.count / 13)) - 1) < 0.1)
    }

    @Test func quotesAreOnTheGridAndTradesWithin() {
        var market = Fixture.market(Fixture.at("2024-03-05", 9, 30))
        for id in Fixture.everything { market.follow(id) }
        var quotes: [InstrumentID: Quote] = [:]
        let grids = market.listings.map { $0.instrument.tickSize.smallest.units }
        var trades = 0
        for event in market.events(to: Fixture.at("2024-03-05", 10)) {
            let grid = grids[Int(event.instrument.index)]
            switch event {
            case .quote(let quote):
                quotes[quote.instrument] = quote
                #expect((quote.bid?.units ?? 1) % grid == 0 && (quote.ask?.units ?? 1) % grid == 0)
                #expect((quote.bid ?? .zero) < (quote.ask ?? .zero) && (quote.bid ?? .zero) > .zero)
                #expect((quote.bidSize ?? .zero) > .zero && (quote.askSize ?? .zero) > .zero)
            case .trade(let trade):
                trades += 1
                #expect(trade.price.units % grid == 0)
                guard let quote = quotes[trade.instrument] else { continue }
                #expect(trade.price >= quote.bid ?? .zero)
                #expect(trade.price <= quote.ask ?? .zero)
            }
        }
        #expect(trades > 3_000)
        #expect(quotes[Fixture.index] == nil)
    }

    @Test func eachKindOfInstrumentKeepsItsHours() {
        // From a Friday to the Monday after.
        var market = Fixture.market(Fixture.at("2024-03-08", 0)) { $0.quotesPerSecond = 1 }
        for id in Fixture.everything { market.follow(id) }
        let end = Fixture.at("2024-03-12", 0)
        let events = market.events(to: end).filter { $0.at < end }
        func hours(_ id: InstrumentID) -> Set<String> {
            Set(
                events.filter { $0.instrument == id }.map {
                    let shown = $0.at - NewYork.behindUTC(at: $0.at)
                    return "\(shown.day.date.day) \(shown.sinceMidnight.nanoseconds / Self.hour)"
                })
        }
        func all(_ day: Int, _ hours: Range<Int>) -> [String] { hours.map { "\(day) \($0)" } }
        #expect(hours(Fixture.a) == Set(all(8, 4..<20) + all(11, 4..<20)))
        #expect(hours(Fixture.index) == Set(all(8, 9..<16) + all(11, 9..<16)))
        #expect(hours(Fixture.call) == Set(all(8, 9..<16) + all(11, 9..<16)))
        #expect(
            hours(Fixture.pair)
                == Set(all(8, 0..<17) + all(10, 17..<24) + all(11, 0..<24)))
        #expect(
            hours(Fixture.future)
                == Set(all(8, 0..<17) + all(10, 18..<24) + all(11, 0..<17) + all(11, 18..<24)))
        #expect(!events.contains { $0.instrument == Fixture.pair && $0.isTrade })
        // At 17 the pair pauses for a quarter of an hour.
        let pause = Fixture.at("2024-03-11", 17)..<Fixture.at("2024-03-11", 17, 15)
        #expect(!events.contains { $0.instrument == Fixture.pair && pause.contains($0.at) })
    }

    @Test func anEarlyCloseEndsTheDayEarly() {
        var market = Fixture.market(Fixture.at("2024-07-03", 0))
        market.follow(Fixture.a)
        let events = market.events(to: Fixture.at("2024-07-05", 0))
        let last = events.last.map { ($0.at - Fixture.at("2024-07-03", 0)).nanoseconds / Self.hour }
        #expect(last == 16)
        let shown = market.snapshot(of: Fixture.a)
        #expect(!shown.isOpen && shown.bid != nil)
    }

    @Test func wildTraitsAndListingsTrapNowhere() {
        for (price, volatility, volume) in [
            (Price(units: 1), 10.0, Int64.max), (.magnitudeMax, 10, 0), (Price(cents: 1), 0, -5),
            (Price(cents: -1), .nan, 1),
        ] {
            var listing = MarketListing(
                instrument: Instrument(id: Fixture.a, symbol: "X"), startPrice: price,
                volatility: volatility, dailyVolume: volume)
            if volume <= 0 { listing.reversion = Reversion(floor: volatility, halfLife: .nan) }
            var traits = SyntheticTraits()
            traits.drift = .infinity
            traits.jumps = .nan
            traits.quotesPerSecond = -1
            var market = SimulatedMarket(
                listings: [listing], source: .synthetic(traits), calendar: .newYork, seed: 1,
                start: Fixture.at("2024-03-05", 9, 30))
            market.follow(Fixture.a)
            #expect(!market.events(to: Fixture.at("2024-03-05", 9, 35)).isEmpty)
            let bars = market.bars(
                of: Fixture.a, BarRequest(step: .month, from: .distantPast, to: .distantFuture))
            #expect(bars.allSatisfy { $0.low > .zero && $0.high <= .magnitudeMax })
        }
    }

    @Test func withoutSessionsEverythingTradesAroundTheClock() {
        var market = SimulatedMarket(
            listings: Fixture.listings(), source: .synthetic(SyntheticTraits()), calendar: .always,
            seed: 1, start: Timestamp(day: Fixture.day("2024-03-09")))
        market.follow(Fixture.a)
        let events = market.events(to: Timestamp(day: Fixture.day("2024-03-10")))
        #expect(Set(events.map { $0.at.sinceMidnight.nanoseconds / Self.hour }).count == 24)
    }
}
