import Model
import Orders
import Primitives
import TestSupport
import Testing

@testable import TradingEngine

/// What is in the way of an exit, without an engine: two exits together never sell more than is held.
@Suite struct DeferredExitsTests {
    private static let strategy = StrategyID(index: 0)
    private static let instrument = InstrumentID(index: 0)
    private static let limit = OrderTerms.limit(Price(cents: 52_00))

    private func shares(_ number: Int64) -> Quantity { Quantity(shares: number) }

    private func exit(_ terms: OrderTerms = .market, _ goal: Intent.Goal = .exit) -> Intent {
        Intent(
            strategy: Self.strategy, instrument: Self.instrument, goal: goal, terms: terms)
    }

    private func waiting(_ exits: DeferredExits) -> DeferredExit? {
        exits.exit(of: Self.strategy, in: Self.instrument)
    }

    @Test func nothingIsInTheWayOfTheFirstExit() {
        var exits = DeferredExits()
        let facts = ExitFacts(excess: shares(100), kept: .zero)
        #expect(exits.clearWay(for: exit(), facts) == nil)
        #expect(exits.reduce(facts) == .send(shares(100), group: nil))
        #expect(exits.isEmpty)
    }

    @Test func onlyWhatNoOtherExitSellsIsSold() {
        let exits = DeferredExits()
        var facts = ExitFacts(excess: shares(100), kept: .zero, working: shares(30))
        #expect(exits.reduce(facts) == .send(shares(70), group: nil))
        facts.working = shares(100)
        #expect(exits.reduce(facts) == .drop(.alreadyExiting))
    }

    /// All that rests ends before all is sold at the market; an exit at a price has nothing to wait for.
    @Test func anExitAtTheMarketWaitsForWhatRests() {
        var exits = DeferredExits()
        var facts = ExitFacts(excess: shares(100), kept: .zero, isAnyResting: true)
        #expect(exits.clearWay(for: exit(Self.limit), facts) == nil)
        #expect(exits.clearWay(for: exit(), facts) == .hold(cancelsResting: true))
        #expect(waiting(exits)?.kept == .zero)
        #expect(exits.resume(Self.strategy, Self.instrument, besides: shares(1)) == nil)
        #expect(exits.resume(Self.strategy, Self.instrument, besides: .zero) == exit())
        #expect(exits.isEmpty)
        facts.kept = shares(40)
        #expect(exits.clearWay(for: exit(), facts) == nil)
    }

    /// Where there is protection, an auction does not clear the way: the position stays protected until then.
    @Test func anExitInAnAuctionLeavesProtection() {
        var exits = DeferredExits()
        var facts = ExitFacts(excess: shares(100), kept: .zero, isAnyResting: true)
        let auction = exit(OrderTerms.market.placed(.openingAuction))
        facts.isProtected = true
        #expect(exits.clearWay(for: auction, facts) == nil)
        facts.isProtected = false
        #expect(exits.clearWay(for: auction, facts) == .hold(cancelsResting: true))
    }

    @Test func anExitWaitsForTheEndOfOthers() {
        var exits = DeferredExits()
        let facts = ExitFacts(
            excess: shares(60), kept: shares(40), working: shares(10), isAnyEnding: true)
        let part = exit(.market, .target(shares(40)))
        #expect(exits.clearWay(for: part, facts) == .hold(cancelsResting: false))
        // What ends covers nothing: any answer takes it up again.
        #expect(waiting(exits)?.kept == .magnitudeMax)
    }

    /// A part is sold when the pair rests for no more than the others.
    @Test func theBracketShrinksForAPart() {
        var exits = DeferredExits()
        let facts = ExitFacts(excess: shares(60), kept: shares(40), isProtected: true)
        let part = exit(.market, .target(shares(40)))
        var pair = PairFacts(group: OrderGroupID(number: 1), resting: shares(100))
        #expect(exits.reduceProtected(for: part, facts, pair) == .hold(cancelsResting: false))
        #expect(waiting(exits)?.kept == shares(40))
        pair.resting = shares(40)
        #expect(exits.reduceProtected(for: part, facts, pair) == .send(shares(60), group: nil))
        pair.leaving = shares(60)
        #expect(exits.reduceProtected(for: part, facts, pair) == .none)
    }

    @Test func anExitAtAPriceJoinsThePair() {
        var exits = DeferredExits()
        let facts = ExitFacts(excess: shares(60), kept: shares(40), isProtected: true)
        let group = OrderGroupID(number: 1)
        let pair = PairFacts(group: group, groupFilled: shares(25), resting: shares(100))
        #expect(
            exits.reduceProtected(for: exit(Self.limit), facts, pair)
                == .send(shares(85), group: group))
    }

    @Test func theNewestExitHolds() {
        var exits = DeferredExits()
        exits.awaitEntries(exit())
        #expect(waiting(exits)?.kept == .zero)
        exits.awaitEntries(exit(Self.limit))
        #expect(waiting(exits)?.intent == exit(Self.limit) && waiting(exits)?.kept == .magnitudeMax)
        exits.drop(Self.strategy, InstrumentID(index: 1))
        #expect(!exits.isEmpty)
        exits.drop(Self.strategy, Self.instrument)
        #expect(exits.isEmpty)
    }

    @Test func aSplitConvertsWhatIsKept() throws {
        var exits = DeferredExits()
        let facts = ExitFacts(excess: shares(60), kept: shares(40), isProtected: true)
        let part = exit(.market, .target(shares(40)))
        _ = exits.reduceProtected(for: part, facts, PairFacts(resting: shares(100)))
        exits.convert(by: try #require(SplitRatio(snapping: shares(2))), of: Self.instrument)
        #expect(waiting(exits)?.kept == shares(80))
        #expect(waiting(exits)?.intent.goal == .target(shares(80)))
    }
}
