import Model
import Primitives
import Testing

@testable import MarketSimulation

/// What is done to a market from outside.
@Suite struct MarketFaultsTests {
    private typealias Fixture = MarketFixture
    private let start = Fixture.at("2024-03-05", 10)

    @Test func aHaltEndsQuotesAndTradesUntilItIsLifted() {
        var market = Fixture.market(start)
        market.follow(Fixture.a)
        market.follow(Fixture.b)
        _ = market.events(to: start + .seconds(30))
        market.setHalted(true, Fixture.a)
        let before = market.snapshot(of: Fixture.a)
        #expect(before.isHalted)
        let halted = market.events(to: start + .seconds(150))
        #expect(!halted.contains { $0.instrument == Fixture.a })
        #expect(halted.contains { $0.instrument == Fixture.b })
        let during = market.snapshot(of: Fixture.a)
        #expect(during.bid == before.bid && during.volume == before.volume)
        market.setHalted(false, Fixture.a)
        let after = market.events(to: start + .seconds(240))
        #expect(after.contains { $0.instrument == Fixture.a })
        #expect(!market.snapshot(of: Fixture.a).isHalted)
        // The history has the hole as well.
        let bars = market.bars(
            of: Fixture.a, BarRequest(step: .seconds(60), from: start, to: market.now))
        #expect(bars.map(\.start) == [0, 2, 3].map { start + .minutes($0) })
        let ticks = market.ticks(
            of: Fixture.a, TickRequest(.trades, from: start, to: nil, limit: 10_000))
        let hole = (start + .seconds(31))..<(start + .seconds(150))
        #expect(!ticks.contains { hole.contains($0.at) })
    }

    @Test func barsWithAHaltInThemAreWhatWasReported() {
        var market = Fixture.market(start)
        market.follow(Fixture.a)
        var events = market.events(to: start + .seconds(20))
        market.setHalted(true, Fixture.a)
        events += market.events(to: start + .seconds(40))
        market.setHalted(false, Fixture.a)
        events += market.events(to: start + .seconds(60))
        let bar = market.bars(
            of: Fixture.a, BarRequest(step: .seconds(60), from: start, to: start + .seconds(60))
        ).first
        let published = CountedBars.bars(
            events.filter { $0.at < start + .seconds(60) }, step: 60, \.lastPrice)[start]
        #expect(bar?.open.units == published?.open && bar?.high.units == published?.high)
        #expect(bar?.low.units == published?.low && bar?.close.units == published?.close)
        #expect(bar?.volume.units == published?.volume && bar?.count == published?.count)
    }

    @Test func badTicksAreReportedOnceAndNotRemembered() {
        var (market, right) = (Fixture.market(start), Fixture.market(start))
        market.follow(Fixture.a)
        right.follow(Fixture.a)
        market.distort(Fixture.a, .quote(.price(Price(cents: -100))))
        market.distort(Fixture.a, .quote(.crossed))
        market.distort(Fixture.a, .trade(.price(.zero)))
        market.distort(Fixture.a, .trade(.size(.magnitudeMax)))
        let end = start + .minutes(1)
        let (published, true_) = (market.events(to: end), right.events(to: end))
        let wrong = zip(published, true_).filter { $0 != $1 }.map(\.0)
        #expect(published.count == true_.count)
        #expect(wrong.count == 4)
        #expect(wrong.contains { $0.bid?.0 == -100_000_000 && $0.ask?.0 == -100_000_000 })
        #expect(wrong.contains { ($0.bid?.0 ?? 0) > ($0.ask?.0 ?? 0) })
        #expect(wrong.contains { $0.lastPrice?.0 == 0 })
        #expect(wrong.contains { $0.lastPrice?.1 == Quantity.magnitudeMax.units })
        #expect(market.snapshot(of: Fixture.a) == right.snapshot(of: Fixture.a))
        let request = BarRequest(step: .seconds(60), from: start, to: end)
        #expect(market.bars(of: Fixture.a, request) == right.bars(of: Fixture.a, request))
    }

    @Test func aBadTickIsShownUntilTheNext() {
        var market = Fixture.market(start)
        market.follow(Fixture.a)
        market.distort(Fixture.a, .quote(.price(Price(cents: -100))))
        market.wait(until: start + .milliseconds(10))
        while market.snapshot(of: Fixture.a).bid != Price(cents: -100) {
            market.wait(until: market.now + .milliseconds(10))
            guard market.now < start + .seconds(2) else { break }
        }
        #expect(market.snapshot(of: Fixture.a).bid == Price(cents: -100))
        #expect(market.snapshot(of: Fixture.a).low ?? .zero > .zero)
        market.wait(until: market.now + .seconds(1))
        #expect(market.snapshot(of: Fixture.a).bid ?? .zero > .zero)
    }

    @Test func aSplitDividesWhatComesAfterIt() throws {
        var (market, other) = (Fixture.market(start), Fixture.market(start))
        let (bad, good) = (
            market.split(Fixture.a, 0, for: 1), market.split(Fixture.a, 4, for: 1)
        )
        #expect(!bad && good)
        let end = start + .minutes(2)
        market.follow(Fixture.a)
        other.follow(Fixture.a)
        let (split, whole) = (market.events(to: end), other.events(to: end))
        // The minute that has begun stays whole.
        let minute = start + .minutes(1)
        #expect(split.filter { $0.at < minute } == whole.filter { $0.at < minute })
        let quarters = try #require(split.last { $0.bid != nil }?.bid?.0)
        let full = try #require(whole.last { $0.bid != nil }?.bid?.0)
        // Each price is rounded down to a cent, and a path between two rounded ends is rounded again.
        #expect(abs(quarters - full / 4) <= 3 * 1_000_000)
        func bars(_ market: inout SimulatedMarket) -> [HistoryBar] {
            market.bars(
                of: Fixture.a, BarRequest(step: .day, from: Fixture.at("2024-03-01", 0), to: start))
        }
        // History is in new shares.
        let (before, unsplit) = (bars(&market), bars(&other))
        #expect(!before.isEmpty && before.count == unsplit.count)
        for (bar, old) in zip(before, unsplit) {
            #expect(bar.start == old.start)
            #expect(abs(bar.close.units - old.close.units / 4) <= 1_000_000)
            #expect(abs(bar.high.units - old.high.units / 4) <= 1_000_000)
            #expect(bar.volume == Quantity(units: old.volume.units * 4))
        }
        let volume = { (events: [MarketEvent]) in
            events.filter { $0.at >= minute && $0.at < minute + .minutes(1) }.compactMap(
                \.lastPrice
            )
            .reduce(0) { $0 + $1.1 }
        }
        #expect(volume(split) == 4 * volume(whole))
    }

    @Test func silenceIsKnownAndChangesNothingElse() {
        var market = Fixture.market(start)
        market.setSilent(true, Fixture.a)
        #expect(market.isSilent(Fixture.a) && !market.isSilent(Fixture.b))
        market.setSilent(true, nil)
        #expect(market.isSilent(Fixture.b))
        market.setSilent(false, nil)
        #expect(!market.isSilent(Fixture.a))
        market.setSilent(true, InstrumentID(index: 99))
    }
}
