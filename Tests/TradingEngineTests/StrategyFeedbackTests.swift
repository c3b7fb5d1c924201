import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals
import TestSupport
import Testing
import TradingEngine

/// What a strategy hears back: refusals with their rule and figures, orders that end unfilled, and intents that
/// go together.
@Suite struct StrategyFeedbackTests {
    // MARK: Refusals

    @Test func strategyIsNotifiedOfARefusalWithRuleAndFigures() throws {
        let journal = FeedbackJournal()
        var limits = RiskLimits(overLimit: .reject)
        limits.positionValueMax = Money(cents: 1_000_00)
        var rig = Rig(limits: limits) { $0.strategies = [.single(Listener(journal))] }
        rig.request(.enter(.buy))
        // 100 shares at 50.00 are worth 5,000; 1,000 are allowed.
        let refusal = try #require(journal.refusals.first)
        #expect(journal.refusals.count == 1)
        #expect(refusal.rule == .positionLimit && refusal.intent == .enter)
        #expect(refusal.instrument == Rig.first)
        #expect(refusal.figures[.asked] == .shares(.asked, Quantity(shares: 100)))
        #expect(refusal.figures[.value] == .money(.value, Money(cents: 5_000_00)))
        #expect(refusal.figures[.limit] == .money(.limit, Money(cents: 1_000_00)))
    }

    /// What is asked for in answer to a refusal is performed; that this is refused in turn is recorded only.
    @Test func answersToRefusalsEnd() {
        let journal = FeedbackJournal()
        var limits = RiskLimits(overLimit: .reject)
        limits.positionValueMax = Money(cents: 1_000_00)
        var rig = Rig(limits: limits) {
            $0.strategies = [.single(Listener(journal, insists: true))]
        }
        #expect(rig.request(.enter(.buy)).isEmpty)
        #expect(journal.refusals.count == 1)
        #expect(rig.count(of: .positionLimit) == 2)
    }

    // MARK: Orders that end

    @Test(arguments: [
        (OrderFact.rejected(.notTradable), OrderEnd.Outcome.rejected(.notTradable)),
        (.cancelled(.expired), .cancelled(.expired)),
        (.cancelled(.external), .cancelled(.external)),
    ])
    func strategyIsNotifiedOfAnOrderThatEndsUnfilled(
        fact: OrderFact, outcome: OrderEnd.Outcome
    ) throws {
        let journal = FeedbackJournal()
        var rig = Rig { $0.strategies = [.single(Listener(journal))] }
        rig.request(.enter(.buy))
        rig.fill(1, 30)
        rig.report(1, fact)
        rig.report(1, fact)
        let end = try #require(journal.ends.first)
        #expect(journal.ends.count == 1, "once, however often it is reported")
        #expect(end.outcome == outcome)
        #expect(end.filled == Quantity(shares: 30) && end.remaining == Quantity(shares: 70))
        #expect(end.purpose == .entry && end.side == .buy && end.instrument == Rig.first)
    }

    @Test func ordersThatFillWholeEndInSilence() {
        let journal = FeedbackJournal()
        var rig = Rig { $0.strategies = [.single(Listener(journal))] }
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        #expect(journal.ends.isEmpty && journal.refusals.isEmpty)
    }

    // MARK: A second entry

    @Test func secondEntryIsDroppedWithADecision() throws {
        var rig = Rig()
        rig.request(.enter(.buy))
        #expect(rig.request(.enter(.buy)).isEmpty)
        let dropped = try #require(rig.decisions.last)
        #expect(dropped.kind == .dropped(.alreadyEntering))
        #expect(dropped.figures[.working] == .shares(.working, Quantity(shares: 100)))
        rig.fill(1, 100)
        rig.request(.enter(.buy))
        #expect(rig.decisions.last?.kind == .dropped(.alreadyHeld))
        #expect(rig.engine.decisionCounts[.dropped] == 2)
    }

    // MARK: Intents that go together

    /// A limit lets only one of two legs pass: none is ordered, and each refusal has its reason.
    @Test func aGroupPassesTogetherOrNotAtAll() {
        var limits = RiskLimits(allowsShort: true)
        limits.positionsMax = 1
        var rig = Rig(limits: limits) { $0.strategies = [.single(PairTrader())] }
        #expect(rig.publish(.timer(PairTrader.enter)).isEmpty)
        #expect(rig.count(of: .positionCount) == 1)
        #expect(rig.count(of: .groupRefused) == 1)
    }

    /// A leg that a limit would make smaller refuses the group: half a pair is another bet.
    @Test func aGroupIsNeverCut() {
        var limits = RiskLimits(allowsShort: true)
        limits.grossExposureMax = Money(cents: 6_000_00)
        // 100 at 50.00 and 100 at 20.00: 7,000 together.
        var rig = Rig(limits: limits) { $0.strategies = [.single(PairTrader())] }
        #expect(rig.publish(.timer(PairTrader.enter)).isEmpty)
        #expect(rig.count(of: .exposureLimit) == 1)
        #expect(rig.count(of: .groupRefused) == 1)
    }

    @Test func aGroupWithinTheLimitsIsOrdered() {
        var limits = RiskLimits(allowsShort: true)
        limits.positionsMax = 2
        limits.grossExposureMax = Money(cents: 7_000_00)
        var rig = Rig(limits: limits) { $0.strategies = [.single(PairTrader())] }
        #expect(
            rig.publish(.timer(PairTrader.enter)).orders == ["buy 100 entry", "sell 100 entry"])
    }

    /// One leg fails at the venue: the other is closed, as the group says.
    @Test func aFailedLegFlattensItsGroup() {
        var rig = Rig { $0.strategies = [.single(PairTrader(response: .flatten))] }
        rig.publish(.timer(PairTrader.enter))
        rig.fill(1, 100)
        #expect(rig.report(2, .rejected(.notTradable)).orders == ["sell 100 exit"])
    }

    @Test func aFailedLegIsLeftToTheStrategyIfItAsksForThat() {
        var rig = Rig { $0.strategies = [.single(PairTrader(response: .keep))] }
        rig.publish(.timer(PairTrader.enter))
        rig.fill(1, 100)
        #expect(rig.report(2, .rejected(.notTradable)).isEmpty)
        #expect(rig.held() == 100)
    }

    /// The gate's look ahead at a group comes to what it says of the orders one after the other.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func aGroupIsReviewedAsItsOrdersWouldBe(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var limits = RiskLimits(allowsShort: chance.chance(percent: 70))
        limits.positionsMax = chance.one(of: [nil, 1, 2])
        limits.grossExposureMax = chance.one(of: [
            nil, Money(cents: 6_000_00), Money(cents: 9_000_00),
        ])
        limits.positionValueMax = chance.one(of: [
            nil, Money(cents: 3_000_00), Money(cents: 8_000_00),
        ])
        let sides: [Side] = [chance.one(of: [.buy, .sell]), chance.one(of: [.buy, .sell])]
        let isCash = chance.chance(percent: 30)
        func rig(_ together: Bool) -> Rig {
            Rig(limits: limits) {
                $0.strategies = [.single(PairTrader(sides: sides, together: together))]
                if isCash {
                    $0.settlement = SettlementCalendar()
                    $0.capital = Money(cents: 6_500_00)
                }
            }
        }
        var alone = rig(false)
        var grouped = rig(true)
        let apart = alone.publish(.timer(PairTrader.enter)).orders
        let group = grouped.publish(.timer(PairTrader.enter)).orders
        let isWhole = apart == sides.map { "\($0) 100 entry" }
        #expect(group == (isWhole ? apart : []))
    }
}

/// What strategies were notified of; a class, so that a test can look at it.
private final class FeedbackJournal: @unchecked Sendable {
    // Written by the one strategy of one test, on its thread.
    var refusals: [IntentRefusal] = []
    var ends: [OrderEnd] = []
}

/// A puppet that writes down what it is notified of.
private struct Listener: Strategy {
    static let declaration = StrategyDeclaration(name: "listener", summary: "writes down notices")

    private let journal: FeedbackJournal
    private let insists: Bool

    init(_ setup: StrategySetup) { self.init(FeedbackJournal()) }
    init(_ journal: FeedbackJournal, insists: Bool = false) {
        self.journal = journal
        self.insists = insists
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        Instruction.perform(&context, timer: number)
    }

    mutating func intentRefused(_ refusal: IntentRefusal, _ context: inout StrategyContext) {
        journal.refusals.append(refusal)
        if insists { context.enter(.buy, refusal.instrument, because: "again") }
    }

    mutating func orderEnded(_ end: OrderEnd, _ context: inout StrategyContext) {
        journal.ends.append(end)
    }
}

/// Enters two instruments at once, 100 shares each.
private struct PairTrader: Strategy {
    static let declaration = StrategyDeclaration(name: "pair", summary: "trades two together")
    static let enter = TimerID(strategy: StrategyID(index: 0), number: 1)

    private let response: GroupResponse
    private let sides: [Side]
    private let together: Bool

    init(_ setup: StrategySetup) { self.init() }
    init(response: GroupResponse = .keep, sides: [Side] = [.buy, .sell], together: Bool = true) {
        self.response = response
        self.sides = sides
        self.together = together
    }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        let sides = sides
        guard together else {
            for (index, side) in sides.enumerated() {
                context.enter(side, InstrumentID(index: index), because: "a leg")
            }
            return
        }
        context.together(onFailure: response) { context in
            for (index, side) in sides.enumerated() {
                context.enter(side, InstrumentID(index: index), because: "a leg")
            }
        }
    }
}
