import Model
import Orders
import Primitives
import TestSupport
import Testing

@testable import TradingEngine

/// The rules of protection, without an engine: 100 shares bought at 50.00, a stop at 49.00, a target at 52.00.
@Suite struct ProtectionPlanTests {
    private static let stopType = OrderType.stop(Price(cents: 49_00))
    private static let group = OrderGroupID(number: 1)
    private static let monday = Day(number: 19_724)

    private func shares(_ number: Int64) -> Quantity { Quantity(shares: number) }

    private func prices(stop: Int64 = 49_00) throws -> ProtectionPrices {
        let basis = ProtectionPrices.Basis(
            side: .buy, reference: Price(cents: 50_00), ticks: .usShares, isEntering: true)
        let rule = Protection(
            stop: .price(Price(cents: stop)), target: .price(Price(cents: 52_00)))
        return try #require(ProtectionPrices(rule, basis) { _ in nil })
    }

    private func plan() throws -> ProtectionPlan {
        ProtectionPlan(side: .buy, prices: try prices())
    }

    /// What is known where nothing works for so many shares.
    private func missing(_ held: Int64, _ end: LegEnd? = nil, on day: Day = monday) -> LegFacts {
        LegFacts(
            position: CoverFacts(held: shares(held)),
            order: .missing(MissingLeg(end: end, today: day)))
    }

    private func working(_ position: CoverFacts, _ quantity: Int64) -> LegFacts {
        LegFacts(
            position: position,
            order: .working(
                WorkingLeg(
                    id: OrderID(number: 7),
                    terms: LegTerms(type: Self.stopType, quantity: shares(quantity)),
                    open: shares(quantity))))
    }

    private func ticket(
        _ action: ProtectionAction, _ location: SourceLocation = #_sourceLocation
    ) throws -> LegTicket {
        guard case .place(let ticket) = action else {
            Issue.record("\(action) sends nothing", sourceLocation: location)
            throw PlanError.noTicket
        }
        return ticket
    }

    private enum PlanError: Error { case noTicket }

    // MARK: What is missing

    @Test func aMissingLegIsSentForAllThatIsHeld() throws {
        var plan = try plan()
        let ticket = try ticket(plan.keep(.stop, missing(100)))
        #expect(ticket.terms == LegTerms(type: Self.stopType, quantity: shares(100)))
        #expect(ticket.side == .sell && ticket.group == nil && ticket.parent == nil)
        #expect(plan.record(ticket, as: OrderID(number: 7), in: Self.group) == .none)
        #expect(plan.order(of: .stop) == OrderID(number: 7) && plan.group == Self.group)
    }

    @Test func nothingIsSentForNothing() throws {
        var plan = try plan()
        #expect(plan.keep(.stop, missing(0)) == .none)
    }

    /// Five ends a day are sent again, the sixth calls a person; the next day counts anew.
    @Test func whatTheVenueEndsIsSentAgainFiveTimesADay() throws {
        var plan = try plan()
        for day in [Self.monday, Self.monday.advanced(by: 1)] {
            for number in 1...5 {
                let facts = missing(100, LegEnd(cancelled: .external), on: day)
                // What could not leave is not counted.
                for _ in 1...9 { _ = try ticket(plan.keep(.stop, facts)) }
                let ticket = try ticket(plan.keep(.stop, facts))
                _ = plan.record(ticket, as: OrderID(number: Int64(number)), in: Self.group)
            }
        }
        let next = Self.monday.advanced(by: 1)
        let facts = missing(100, LegEnd(cancelled: .external), on: next)
        #expect(plan.keep(.stop, facts) == .giveUp)
        #expect(plan.isGivenUp)
        #expect(plan.keep(.stop, facts) == .none)
        plan.retry(without: [])
        _ = try ticket(plan.keep(.stop, missing(100)))
    }

    @Test func whatTheVenueRejectsIsNotSentAgain() throws {
        var plan = try plan()
        #expect(plan.keep(.stop, missing(100, LegEnd(rejected: .byBroker))) == .giveUp)
        // Its parent ended: the position is from elsewhere.
        var other = try self.plan()
        _ = try ticket(other.keep(.stop, missing(100, LegEnd(rejected: .noParent))))
    }

    /// The target filled and has not been heard of: a stop sent now would open the other side.
    @Test func anUnexplainedEndIsWaitedFor() throws {
        var plan = try plan()
        let end = LegEnd(cancelled: .linked, isExplained: false)
        #expect(plan.keep(.stop, missing(100, end)) == .none)
    }

    @Test func aLegThatTheGateStopsCallsAPersonUnlessItsParentWorks() throws {
        var plan = try plan()
        let behind = try ticket(plan.bracket(.stop, behind: OrderID(number: 1), shares(100)))
        #expect(plan.record(behind, as: nil, in: Self.group) == .none)
        #expect(!plan.isGivenUp)
        let alone = try ticket(plan.keep(.stop, missing(100)))
        #expect(plan.record(alone, as: nil, in: Self.group) == .giveUp)
        #expect(plan.isGivenUp)
    }

    // MARK: What works

    @Test func aLegThatIsAsItShallBeIsLeftAlone() throws {
        var plan = try plan()
        #expect(plan.keep(.stop, working(CoverFacts(held: shares(100)), 100)) == .none)
    }

    /// 30 of 100 are sold by another exit; the leg covers the others. Nothing is left to cover: it ends.
    @Test func aLegCoversWhatNoOtherExitSells() throws {
        var plan = try plan()
        var position = CoverFacts(held: shares(100), otherExits: shares(30))
        #expect(
            plan.keep(.stop, working(position, 100))
                == .change(
                    OrderID(number: 7), LegTerms(type: Self.stopType, quantity: shares(70))))
        position.otherExits = shares(100)
        #expect(plan.keep(.stop, working(position, 100)) == .cancel(OrderID(number: 7)))
        position = CoverFacts(
            held: shares(100), waiting: CoverFacts.WaitingExit(kept: shares(40), beside: shares(10))
        )
        #expect(position.cover == shares(30))
    }

    /// What the group has filled and the parent has not counts on top of the cover.
    @Test func theQuantityOfALegCountsFillsOfItsGroup() throws {
        var plan = try plan()
        var leg = WorkingLeg(
            id: OrderID(number: 7), terms: LegTerms(type: Self.stopType, quantity: shares(100)))
        leg.groupFilled = shares(60)
        let facts = LegFacts(position: CoverFacts(held: shares(40)), order: .working(leg))
        #expect(plan.keep(.stop, facts) == .none)
    }

    @Test func aLegWaitsForItsParentUnlessThePositionLeaves() throws {
        var plan = try plan()
        var leg = WorkingLeg(
            id: OrderID(number: 7), terms: LegTerms(type: Self.stopType, quantity: shares(100)),
            open: shares(1), parentOpen: shares(100), parentUnfilled: shares(100))
        var facts = LegFacts(position: CoverFacts(held: .zero), order: .working(leg))
        #expect(plan.keep(.stop, facts) == .none)
        facts.position.waiting = CoverFacts.WaitingExit(kept: .zero, beside: .zero)
        #expect(plan.keep(.stop, facts) == .cancel(leg.id))
        leg.open = .zero
        facts.order = .working(leg)
        #expect(plan.keep(.stop, facts) == .none)
        #expect(plan.keep(.stop, LegFacts(position: facts.position, order: .unsettled)) == .none)
    }

    @Test func theOtherSideCallsAPersonOnce() throws {
        let plan = try plan()
        #expect(
            plan.audit(held: shares(-5), isLatched: false) == .latchWrongSide(held: shares(-5)))
        #expect(plan.audit(held: shares(-5), isLatched: true) == .none)
        #expect(plan.audit(held: shares(5), isLatched: false) == .none)
    }

    /// A change that the venue has refused is not asked for again: the order ends and is sent anew.
    @Test func aRefusedChangeEndsTheOrder() {
        let current = Make.request(.sell, 100, Self.stopType, purpose: .protection)
        let target = current.with(quantity: shares(70))
        #expect(LegChange(to: current, from: current, refused: nil) == .none)
        #expect(LegChange(to: target, from: current, refused: nil) == .modify)
        #expect(LegChange(to: target, from: current, refused: target) == .cancel)
        #expect(
            LegChange(to: target, from: current, refused: current.with(quantity: shares(1)))
                == .modify)
    }

    // MARK: All plans

    @Test func aPlanEndsWithItsPosition() throws {
        var plans = ProtectionPlans(strategyCount: 2, instrumentCount: 3)
        let index = plans.place(StrategyID(index: 1), InstrumentID(index: 2))
        let owner = plans.owner(of: index)
        #expect(owner.strategy.index == 1 && owner.instrument.index == 2)
        let none = plans.begin(try plan(), at: index)
        let (adds, opens) = (
            plans.isAddition(on: .buy, isEntered: true, at: index),
            plans.isAddition(on: .sell, isEntered: true, at: index)
        )
        #expect(none.isEmpty && adds && !opens)
        let ticket = try ticket(plans.keep(.stop, missing(100), at: index))
        _ = plans.record(ticket, as: OrderID(number: 7), in: Self.group, at: index)
        plans.endIfOver(at: index, held: .zero, isEntering: false, isWorking: true)
        plans.endIfOver(at: index, held: .zero, isEntering: true, isWorking: false)
        plans.endIfOver(at: index, held: shares(1), isEntering: false, isWorking: false)
        let former = plans.begin(try plan(), at: index)
        var count = plans.count
        #expect(former == [OrderID(number: 7)] && count == 1)
        plans.endIfOver(at: index, held: .zero, isEntering: false, isWorking: false)
        count = plans.count
        let isGone = plans[index] == nil
        #expect(isGone && count == 0)
    }
}
