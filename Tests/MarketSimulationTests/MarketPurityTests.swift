import Model
import Primitives
import Testing

@testable import MarketSimulation

/// What a market shows follows from the seed, the instrument and the time alone.
@Suite struct MarketPurityTests {
    private typealias Fixture = MarketFixture

    @Test func theSameStreamComesInStepsOfAnyLength() {
        var (slow, fast) = (Fixture.market(), Fixture.market())
        for id in Fixture.everything {
            slow.follow(id)
            fast.follow(id)
        }
        let end = Fixture.at("2024-03-05", 9, 34)
        let steps = slow.events(to: end, step: .milliseconds(250))
        let leap = fast.events(to: end)
        #expect(steps.count > 5_000)
        #expect(steps == leap)
    }

    @Test func eventsComeInOrderOfTimeAndThenOfInstruments() {
        var market = Fixture.market(Fixture.at("2024-03-05", 8))
        for id in Fixture.everything.reversed() { market.follow(id) }
        let events = market.events(to: Fixture.at("2024-03-05", 10, 1))
        #expect(
            zip(events, events.dropFirst()).allSatisfy {
                ($0.at, $0.instrument) < ($1.at, $1.instrument)
                    || ($0.at == $1.at && $0.instrument == $1.instrument)
            })
        #expect(Set(events.map(\.instrument)) == Set(Fixture.everything))
    }

    /// Nights, weekends and days are passed over by one and played by the other.
    @Test(arguments: [1, 2] as [UInt64])
    func whoFollowsSeesWhatOthersSee(seed: UInt64) {
        let start = Fixture.at("2024-03-08", 15, 30)
        var (played, asked) = (
            Fixture.market(start, seed: seed) { $0.quotesPerSecond = 1 },
            Fixture.market(start, seed: seed) { $0.quotesPerSecond = 1 }
        )
        for id in Fixture.everything { played.follow(id) }
        var generator = SeededGenerator(seed: seed)
        var timestamp = start
        for _ in 0..<34 {
            timestamp = timestamp + .seconds(Int64(6_000 + generator.next() % 4_000))
            _ = played.events(to: timestamp)
            asked.wait(until: timestamp)
            for id in Fixture.everything {
                #expect(played.snapshot(of: id) == asked.snapshot(of: id), "\(id) at \(timestamp)")
            }
        }
        // From Friday to Monday or later.
        #expect(timestamp > Fixture.at("2024-03-11", 4))
    }

    @Test func askingForHistoryChangesNothing() {
        var (asked, other) = (Fixture.market(), Fixture.market())
        asked.follow(Fixture.a)
        other.follow(Fixture.a)
        let first = asked.events(to: Fixture.at("2024-03-05", 9, 40, 7))
        let request = BarRequest(
            step: .seconds(5), from: Fixture.at("2024-03-04", 15, 30), to: .distantFuture,
            regularHoursOnly: false)
        #expect(asked.bars(of: Fixture.b, request).count > 20)
        #expect(asked.bars(of: Fixture.a, request).count > 500)
        _ = asked.snapshot(of: Fixture.put)
        let remainder = asked.events(to: Fixture.at("2024-03-05", 9, 50))
        #expect(first + remainder == other.events(to: Fixture.at("2024-03-05", 9, 50)))
    }

    @Test func anotherStartWithTheSameFirstDayIsTheSameMarket() {
        var early = Fixture.market(Fixture.at("2024-03-05", 9, 30))
        var late = Fixture.market(Fixture.at("2024-03-07", 11))
        early.wait(until: late.now)
        for id in Fixture.everything {
            #expect(early.snapshot(of: id) == late.snapshot(of: id))
            #expect(early.snapshot(of: id).bid != nil || id == Fixture.index)
        }
    }

    @Test func anotherSeedIsAnotherMarket() {
        var (one, two) = (Fixture.market(seed: 1), Fixture.market(seed: 2))
        #expect(one.snapshot(of: Fixture.a) != two.snapshot(of: Fixture.a))
    }

    @Test func instrumentsThatNobodyHasAreQuiet() {
        var market = Fixture.market()
        let unknown = InstrumentID(index: 99)
        market.follow(unknown)
        #expect(market.snapshot(of: unknown) == MarketSnapshot())
        #expect(market.events(to: Fixture.at("2024-03-05", 9, 31)).isEmpty)
        #expect(market.firstTime(of: unknown) == nil)
    }

    @Test func followersAreCounted() {
        var market = Fixture.market()
        market.follow(Fixture.a)
        market.follow(Fixture.a)
        market.unfollow(Fixture.a)
        #expect(!market.events(to: Fixture.at("2024-03-05", 9, 31)).isEmpty)
        market.unfollow(Fixture.a)
        #expect(market.events(to: Fixture.at("2024-03-05", 9, 32)).isEmpty)
    }
}
