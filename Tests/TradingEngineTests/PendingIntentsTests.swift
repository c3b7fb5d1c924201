import MarketState
import Model
import Orders
import Primitives
import TestSupport
import Testing

@testable import TradingEngine

/// What waits for its window and what becomes of it, without an engine. 2024-07-03, a Wednesday, closes at
/// 13:00; 2024-07-05, a Friday, opens at 9:30.
@Suite struct PendingIntentsTests {
    private static let strategy = StrategyID(index: 0)
    private static let instrument = InstrumentID(index: 0)
    private static let noon = NewYorkClock.at("2024-07-03 12:00")
    private static let close = NewYorkClock.at("2024-07-03 13:00")

    private func shares(_ number: Int64) -> Quantity { Quantity(shares: number) }

    private func intent(_ goal: Intent.Goal) -> Intent {
        Intent(strategy: Self.strategy, instrument: Self.instrument, goal: goal)
    }

    /// Intents go in the next opening auction.
    private func pending(_ change: (inout ExecutionRules) -> Void = { _ in }) -> PendingIntents {
        var rules = ExecutionRules()
        rules.window = .open
        change(&rules)
        return PendingIntents(rules, in: .newYork)
    }

    private func new(_ goal: Intent.Goal) -> PendingIntent {
        PendingIntent(intent: intent(goal), release: Self.noon)
    }

    private func hold(
        _ intent: Intent, cancelsEntries: Bool = false
    ) -> PendingAction {
        .hold(intent, until: Self.close, .window, cancelsEntries: cancelsEntries)
    }

    @Test func anIntentWaitsAndGoesInTheAuction() {
        var pending = pending()
        let enter = intent(.enter(.buy))
        #expect(pending.place(new(enter.goal), PendingFacts(now: Self.noon)) == hold(enter))
        #expect(pending.newWakeUp() == Self.close)
        #expect(pending.newWakeUp() == nil)
        let early = pending.takeDue(at: Self.noon)
        #expect(early.isEmpty)
        let due = pending.takeDue(at: Self.close)
        #expect(due.map(\.intent) == [enter] && pending.isEmpty)
        let facts = PendingFacts(now: Self.close, isReleased: true)
        #expect(
            pending.place(due[0], facts)
                == .send(enter.with(terms: enter.terms.placed(.openingAuction))))
    }

    @Test func anIntentThatWouldDoNothingIsNotKept() {
        var pending = pending()
        var facts = PendingFacts(now: Self.noon)
        #expect(
            pending.place(new(.exit), facts) == .drop(.nothingHeld, intent(.exit)))
        facts.isWorking = true
        #expect(
            pending.place(new(.enter(.buy)), facts)
                == .drop(.alreadyEntering, intent(.enter(.buy))))
        facts.isHeld = true
        #expect(
            pending.place(new(.enter(.buy)), facts) == .drop(.alreadyHeld, intent(.enter(.buy))))
        #expect(pending.isEmpty)
        // An entry that works is of no use any more.
        #expect(
            pending.place(new(.exit), facts) == hold(intent(.exit), cancelsEntries: true))
    }

    @Test func theNewestIntentWaits() {
        var pending = pending()
        let facts = PendingFacts(now: Self.noon, isHeld: true)
        let (first, second) = (intent(.target(shares(10))), intent(.target(shares(20))))
        _ = pending.place(new(first.goal), facts)
        #expect(pending.supersede(by: intent(.protect)) == nil)
        let former = pending.supersede(by: second)
        #expect(former?.intent == first && former?.cause == .superseded)
        _ = pending.place(new(second.goal), facts)
        #expect(pending.supersede(by: intent(.withdraw))?.cause == .withdrawn)
        #expect(pending.isEmpty)
    }

    /// In a halt only what reduces is kept, and does no more than that when the halt is over.
    @Test func aHaltLeavesWhatReduces() {
        var pending = pending()
        var facts = PendingFacts(now: Self.noon, haltRefusal: .halted, isHeld: true)
        let part = intent(.target(shares(40)))
        #expect(pending.place(new(part.goal), facts) == .refuse(.halted, part))
        facts.reducing = part
        #expect(pending.place(new(part.goal), facts) == hold(part))
        let due = pending.takeDue(at: Self.close)
        #expect(due[0].onlyReduces)
        #expect(pending.asksWhatReduces(due[0], at: Self.close, isHalted: false))
        // The position is smaller meanwhile: the rest of it would be an entry.
        #expect(
            pending.place(due[0], PendingFacts(now: Self.close, isReleased: true))
                == .refuse(.halted, part))
    }

    @Test func aHaltDropsWhatWaitsToEnter() {
        var pending = pending()
        let facts = PendingFacts(now: Self.noon)
        _ = pending.place(new(.target(shares(40))), facts)
        let other = Intent(
            strategy: Self.strategy, instrument: InstrumentID(index: 1), goal: .enter(.buy))
        _ = pending.place(PendingIntent(intent: other, release: Self.noon), facts)
        let untouched = pending.restrict(to: [nil, nil]) { _ in false }
        #expect(untouched.isEmpty && pending.intents.count == 2)
        let forgotten = pending.restrict(to: [intent(.exit), nil]) { _ in true }
        #expect(forgotten == [other])
        #expect(pending.intents.map(\.intent) == [intent(.exit)])
        #expect(pending.intents[0].onlyReduces && pending.intents[0].release == Self.close)
    }

    @Test func entriesWaitForTheEndOfMaintenance() {
        var pending = pending {
            $0.window = .now
            $0.maintenance = [DailyInterval(from: .minutes(11 * 60), to: .minutes(12 * 60 + 30))]
        }
        let enter = intent(.enter(.buy))
        let end = NewYorkClock.at("2024-07-03 12:30")
        #expect(
            pending.place(new(enter.goal), PendingFacts(now: Self.noon))
                == .hold(enter, until: end, .maintenance, cancelsEntries: false))
        let exit = intent(.exit)
        let facts = PendingFacts(now: Self.noon, reducing: exit, isHeld: true)
        #expect(
            pending.place(new(.exit), facts) == .send(exit.with(terms: exit.terms.placed(.market))))
    }

    /// What follows a fill is the rest of a decision that had its window.
    @Test func whatFollowsAFillGoesAtOnce() {
        var pending = pending()
        let exit = intent(.exit)
        let atOnce = PendingAction.send(exit.with(terms: exit.terms.placed(.market)))
        let facts = PendingFacts(now: Self.noon, isHeld: true)
        #expect(!pending.goesNow(exit, at: Self.noon))
        pending.setFollowsFill(true)
        #expect(pending.goesNow(exit, at: Self.noon))
        #expect(pending.place(new(.exit), facts) == atOnce)
        pending.setFollowsFill(false)
        #expect(pending.place(new(.exit), facts) == hold(exit, cancelsEntries: true))
        #expect(
            pending.resumed(exit, at: Self.noon) == exit.with(terms: exit.terms.placed(.market)))
    }

    @Test func whatReducesIsTowardsTheTarget() {
        let held = shares(100)
        #expect(intent(.enter(.buy)).reducing(held, towards: nil) == nil)
        #expect(
            intent(.target(shares(40))).reducing(held, towards: nil) == intent(.target(shares(40))))
        #expect(intent(.target(shares(101))).reducing(held, towards: nil) == nil)
        #expect(intent(.target(shares(-1))).reducing(held, towards: nil) == intent(.exit))
        #expect(intent(.target(shares(-40))).reducing(shares(-100), towards: nil) != nil)
        #expect(intent(.target(shares(40))).reducing(.zero, towards: nil) == nil)
        #expect(intent(.weight(0.1)).reducing(held, towards: nil) == nil)
        #expect(intent(.weight(0.1)).reducing(held, towards: shares(50)) == intent(.weight(0.1)))
    }
}
