import Model
import Orders
import Primitives
import TestSupport
import Testing

@testable import TradingEngine

/// Exits that stand and intents that follow, without an engine. A position of 100 shares.
@Suite struct UnfinishedIntentsTests {
    private static let strategy = StrategyID(index: 0)
    private static let instrument = InstrumentID(index: 0)
    private static let market = MarketFacts(
        today: Day(number: 19_724), price: Price(cents: 50_00))

    private func shares(_ number: Int64) -> Quantity { Quantity(shares: number) }

    private func intent(_ goal: Intent.Goal) -> Intent {
        Intent(strategy: Self.strategy, instrument: Self.instrument, goal: goal)
    }

    private var position: PositionFacts { PositionFacts(held: shares(100)) }

    private func end(_ quantity: Int64, filled: Int64 = 0) -> EndedExit {
        EndedExit(
            request: Make.request(.sell, quantity, purpose: .exit), filled: shares(filled),
            isLeftToMarket: true)
    }

    private func resumed(_ goal: Intent.Goal) -> UnfinishedAction { .resume(intent(goal)) }

    // MARK: What the venue ends

    /// Exits at the market stand, entries and what has expired by its own terms do not.
    @Test func onlySomeEndsAreOvercome() {
        let isRestored = { (purpose: OrderPurpose, cause: CancelCause, isLeftToMarket: Bool) in
            EndedExit.isRestored(purpose, endedBy: cause, isLeftToMarket: isLeftToMarket)
        }
        for purpose in [OrderPurpose.entry, .exit, .protection] {
            #expect(!isRestored(purpose, .requested, true) && !isRestored(purpose, .linked, true))
        }
        #expect(isRestored(.exit, .expired, true) && !isRestored(.exit, .expired, false))
        #expect(!isRestored(.entry, .expired, true) && isRestored(.entry, .external, false))
        #expect(isRestored(.exit, .external, false) && !isRestored(.protection, .external, true))
    }

    /// 60 of 100 were to go, of which 20 have; 40 stay.
    @Test func theRestOfAnExitIsSentAgain() {
        var unfinished = UnfinishedIntents()
        let position = PositionFacts(held: shares(80))
        let action = unfinished.restore(end(60, filled: 20), position, Self.market)
        #expect(action == resumed(.target(shares(40))))
        #expect(unfinished.isExitUnfinished(Self.strategy, Self.instrument, position))
        #expect(
            !unfinished.isExitUnfinished(
                Self.strategy, Self.instrument, PositionFacts(held: shares(40))))
    }

    @Test func nothingIsSentAgainWhereNothingIsLeft() {
        var unfinished = UnfinishedIntents()
        #expect(
            unfinished.restore(end(100), PositionFacts(held: .zero), Self.market) == .none)
        #expect(
            unfinished.restore(end(100), PositionFacts(held: shares(-5)), Self.market) == .none)
        #expect(unfinished.restore(end(100, filled: 100), position, Self.market) == .none)
        var waiting = position
        waiting.isExitDeferred = true
        #expect(unfinished.restore(end(100), waiting, Self.market) == .none)
        #expect(unfinished.isEmpty)
    }

    /// Five ends a day are overcome, the sixth is told; the next day goes on.
    @Test func aDayHasABudget() {
        var unfinished = UnfinishedIntents()
        for _ in 1...5 {
            #expect(unfinished.restore(end(100), position, Self.market) == resumed(.exit))
        }
        let figures = Figures(.shares(.held, shares(100)))
        #expect(
            unfinished.restore(end(100), position, Self.market)
                == .refuse(.exitUnfinished, intent(.exit), figures))
        #expect(unfinished.review(0, position, Self.market) == .wait)
        #expect(
            unfinished.supersede(by: intent(.exit), Self.market)
                == .drop(.alreadyExiting, intent(.exit)))
        var tomorrow = Self.market
        tomorrow.today = Day(number: 19_725)
        #expect(unfinished.review(0, position, tomorrow) == .resume(intent(.exit)))
    }

    /// What expires five times at one price does not trade; another price shows that it does.
    @Test func whatDoesNotTradeIsLeftAloneUntilItsPriceMoves() {
        var unfinished = UnfinishedIntents()
        var expired = end(100)
        expired.isExpired = true
        var market = Self.market
        for day in 0..<5 as Range<Int32> {
            market.today = Day(number: 19_724 + day)
            _ = unfinished.restore(expired, position, market)
        }
        market.today = Day(number: 19_800)
        #expect(unfinished.review(0, position, market) == .wait)
        market.price = Price(cents: 50_01)
        #expect(unfinished.review(0, position, market) == .resume(intent(.exit)))
    }

    @Test func anExitThatWorksOrWaitsIsNotSentTwice() {
        var unfinished = UnfinishedIntents()
        _ = unfinished.restore(end(100), position, Self.market)
        var working = position
        working.exiting = shares(100)
        #expect(unfinished.review(0, working, Self.market) == .wait)
        working = position
        working.isExitDeferred = true
        #expect(unfinished.review(0, working, Self.market) == .wait)
        #expect(unfinished.review(0, PositionFacts(held: .zero), Self.market) == .done)
        #expect(unfinished.isEmpty)
    }

    // MARK: What halts want

    @Test func exitOfAHaltYieldsToNothing() {
        var unfinished = UnfinishedIntents()
        unfinished.awaitEnd(for: intent(.target(shares(-50))))
        unfinished.force(intent(.exit), because: .drawdown)
        #expect(unfinished.isForced(Self.strategy, Self.instrument))
        #expect(!unfinished.isFollowUpPending(Self.strategy, Self.instrument))
        let enter = intent(.enter(.buy))
        #expect(
            unfinished.supersede(by: enter, Self.market)
                == .refuse(HaltCause.drawdown.refusal, enter, Figures()))
        #expect(
            unfinished.supersede(by: intent(.exit), Self.market)
                == .drop(.alreadyExiting, intent(.exit)))
        // Entries that work meanwhile end too.
        let entering = PositionFacts(held: .zero, buying: shares(1))
        #expect(unfinished.review(0, entering, Self.market) == .resume(intent(.exit)))
        #expect(unfinished.review(0, PositionFacts(held: .zero), Self.market) == .done)
    }

    @Test func aNewerIntentEndsAnExit() {
        var unfinished = UnfinishedIntents()
        _ = unfinished.restore(end(100), position, Self.market)
        #expect(unfinished.supersede(by: intent(.protect), Self.market) == .none)
        #expect(!unfinished.isEmpty)
        #expect(unfinished.supersede(by: intent(.withdraw), Self.market) == .none)
        #expect(unfinished.isEmpty)
    }

    // MARK: What follows

    @Test func anIntentFollowsWhenNothingWorksAnyMore() {
        var unfinished = UnfinishedIntents()
        let short = intent(.target(shares(-50)))
        unfinished.awaitEnd(for: short)
        let next = { (position: PositionFacts, isExitInVain: Bool) in
            unfinished.followUp(
                Self.strategy, Self.instrument, position, isExitInVain: isExitInVain)
        }
        #expect(next(PositionFacts(held: .zero, selling: shares(1)), false) == .none)
        #expect(next(PositionFacts(held: .zero, isExitDeferred: true), false) == .none)
        #expect(next(PositionFacts(held: .zero), false) == .resume(short))
        #expect(next(PositionFacts(held: .zero), false) == .none)
    }

    @Test func anIntentIsOverWithAnExitInVain() {
        var unfinished = UnfinishedIntents()
        let short = intent(.target(shares(-50)))
        unfinished.awaitEnd(for: short)
        #expect(
            unfinished.followUp(Self.strategy, Self.instrument, position, isExitInVain: true)
                == .drop(.precedingOrderEnded, short))
        unfinished.awaitEnd(for: short)
        #expect(unfinished.dropFollowUps() == [short])
        #expect(unfinished.isEmpty)
    }

    @Test func exitsForMoreThanIsHeldAreGivenAnother() {
        var unfinished = UnfinishedIntents()
        _ = unfinished.restore(end(100), position, Self.market)
        let surplus = { (exiting: Int64) in
            unfinished.surplusExit(
                Self.strategy, Self.instrument, held: shares(100), exiting: shares(exiting))
        }
        #expect(surplus(100) == nil && surplus(101) == intent(.exit))
    }

    @Test func anEntryEndedByASplitGoesOnceItsAuctionIsOver() {
        let request = Make.request(.buy, 100, .marketOnOpen)
        #expect(
            request.restored(filled: shares(30), isInSession: true)
                == Make.request(.buy, 70))
        #expect(
            request.restored(filled: shares(30), isInSession: false)
                == Make.request(.buy, 70, .marketOnOpen))
        #expect(request.restored(filled: shares(100), isInSession: true) == nil)
    }
}
