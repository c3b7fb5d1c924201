import Model
import Orders
import Primitives
import TestSupport
import Testing

@Suite struct OrderFactsTests {
    /// 60 shares that were corrected by price, 40 more, a commission, a cancel and a reject.
    static let samples: [OrderFact] = [
        .acknowledged,
        .executed(Make.execution(1, .buy, 60, cents: 100_00, second: 1)),
        .executed(Make.execution(1, .buy, 60, cents: 100_05, revision: 2, second: 1)),
        .executed(Make.execution(2, .buy, 40, cents: 100_10, second: 2)),
        .commission(Make.commission(1, cents: 1_00)),
        .cancelled(.requested),
        .rejected(.priceNotOnTick),
    ]

    // MARK: Order and repetition

    @Test func anyOrderOfFactsGivesTheSameState() {
        let expected = OrderFacts(recording: Self.samples)
        let others = Self.samples.permutations.filter { OrderFacts(recording: $0) != expected }
        #expect(others.isEmpty)
        // Newest versions only: 60 at 100.05 and 40 at 100.10 are all of 100.
        #expect(expected.filled == Quantity(shares: 100))
        #expect(expected.state(ordered: Quantity(shares: 100)) == .filled)
        #expect(
            expected.allExecutions == [
                Make.execution(1, .buy, 60, cents: 100_05, revision: 2, second: 1),
                Make.execution(2, .buy, 40, cents: 100_10, second: 2),
            ])
    }

    @Test func anyRepetitionOfFactsGivesTheSameState() {
        let expected = OrderFacts(recording: Self.samples)
        let others = Self.samples.permutations.filter { facts in
            OrderFacts(recording: facts + facts.reversed()) != expected
        }
        #expect(others.isEmpty)
    }

    /// Property: also when venue messages contradict each other, what counts is which were sent.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func contradictingFactsGiveTheSameStateInAnyOrder(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let facts = (0..<14).map { _ in Self.fact(&chance) }
        let expected = OrderFacts(recording: facts)
        for _ in 0..<20 {
            let repeated = (facts + (0..<5).map { _ in chance.one(of: facts) }).shuffled(
                using: &chance)
            #expect(OrderFacts(recording: repeated) == expected)
        }
    }

    /// Two executions under one id, alike but for the instrument: one of them is taken, always the same.
    @Test func executionsThatDifferByInstrumentOnlyGiveTheSameStateInAnyOrder() {
        let facts: [OrderFact] = [
            .executed(Make.execution(1, .buy, 10, cents: 100_00, instrument: 0)),
            .executed(Make.execution(1, .buy, 10, cents: 100_00, instrument: 1)),
        ]
        #expect(OrderFacts(recording: facts) == OrderFacts(recording: facts.reversed()))
    }

    /// A bust reported once as a purchase of nothing, once as a sale of nothing.
    @Test func bustsThatDifferBySideOnlyGiveTheSameStateInAnyOrder() {
        let facts: [OrderFact] = [
            .executed(Make.execution(1, .buy, 0, cents: 100_00, revision: 2)),
            .executed(Make.execution(1, .sell, 0, cents: 100_00, revision: 2)),
        ]
        #expect(OrderFacts(recording: facts) == OrderFacts(recording: facts.reversed()))
    }

    /// Property: what `record` returns adds up to the state, so whoever books the changes has the sums.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func changesAddUpToWhatIsKnown(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let facts = (0..<14).map { _ in Self.fact(&chance) }
        var record = OrderFacts()
        var booked = Quantity.zero
        var charged = Money.zero
        for fact in facts {
            let reported: Quantity =
                if case .executed(let execution) = fact { execution.quantity } else { .zero }
            switch record.record(fact) {
            case .state, .answered, .executed(.unchanged): break
            case .charged(let amount): charged += amount
            case .executed(.added): booked += reported
            case .executed(.replaced(let old)): booked += reported - old.quantity
            }
            #expect(booked == record.filled)
        }
        #expect(charged == Self.newestCommissions(facts))
    }

    /// By hand: for each base the highest revision, of equal revisions the larger amount.
    private static func newestCommissions(_ facts: [OrderFact]) -> Money {
        var sum = Money.zero
        for base in 1...3 as ClosedRange<Int64> {
            let reports = facts.compactMap { fact -> CommissionReport? in
                guard case .commission(let report) = fact, report.execution.base == base else {
                    return nil
                }
                return report
            }
            let newest = reports.map(\.execution.revision).max()
            sum += reports.filter { $0.execution.revision == newest }.map(\.amount).max() ?? .zero
        }
        return sum
    }

    /// Any fact, from so few values that ids, revisions, times, prices and sizes collide.
    private static func fact(_ chance: inout SeededGenerator) -> OrderFact {
        switch chance.number(in: 0...9) {
        case 0: return .acknowledged
        case 1: return .cancelled(chance.one(of: [.requested, .expired, .external]))
        case 2: return .rejected(chance.one(of: [.priceNotOnTick, .notTradable]))
        case 3, 4, 5:
            return .commission(
                Make.commission(
                    chance.number(in: 1...3), cents: chance.number(in: -50...200),
                    revision: Int(chance.number(in: 1...2))))
        default:
            return .executed(
                Make.execution(
                    chance.number(in: 1...3), chance.one(of: [.buy, .sell]),
                    chance.number(in: 1...3), cents: chance.number(in: 100_00...100_02),
                    revision: Int(chance.number(in: 1...3)), second: chance.number(in: 0...2)))
        }
    }

    // MARK: Single facts

    @Test func commissionMayOvertakeItsExecution() {
        var facts = OrderFacts()
        #expect(
            facts.record(.commission(Make.commission(7, cents: 35))) == .charged(Money(cents: 35)))
        #expect(facts.filled == .zero)
        let execution = Make.execution(7, .buy, 10, cents: 50_00)
        #expect(facts.record(.executed(execution)) == .executed(.added))
        #expect(facts.record(.commission(Make.commission(7, cents: 35))) == .charged(.zero))
    }

    @Test func correctedCommissionChargesTheDifference() {
        var facts = OrderFacts()
        _ = facts.record(.commission(Make.commission(7, cents: 1_00)))
        // 0.65 instead of 1.00: 0.35 comes back.
        #expect(
            facts.record(.commission(Make.commission(7, cents: 65, revision: 2)))
                == .charged(Money(cents: -35)))
        #expect(facts.record(.commission(Make.commission(7, cents: 1_00))) == .charged(.zero))
    }

    @Test func fillAfterCancelCounts() {
        var facts = OrderFacts(recording: [.acknowledged, .cancelled(.requested)])
        #expect(facts.state(ordered: Quantity(shares: 100)) == .cancelled)
        _ = facts.record(.executed(Make.execution(1, .buy, 30, cents: 100_00)))
        #expect(facts.filled == Quantity(shares: 30))
        #expect(facts.state(ordered: Quantity(shares: 100)) == .cancelled)
        _ = facts.record(.executed(Make.execution(2, .buy, 70, cents: 100_00)))
        #expect(facts.state(ordered: Quantity(shares: 100)) == .filled)
    }

    @Test func fillAfterRejectCounts() {
        var facts = OrderFacts(recording: [.rejected(.notTradable)])
        #expect(facts.state(ordered: Quantity(shares: 100)) == .rejected)
        _ = facts.record(.executed(Make.execution(1, .buy, 30, cents: 100_00)))
        #expect(facts.filled == Quantity(shares: 30))
        #expect(facts.state(ordered: Quantity(shares: 100)) == .rejected)
    }

    @Test func moreThanOrderedIsOverfilled() {
        let facts = OrderFacts(recording: [
            .executed(Make.execution(1, .buy, 60, cents: 100_00)),
            .executed(Make.execution(2, .buy, 60, cents: 100_00)),
            .cancelled(.external),
        ])
        #expect(facts.filled == Quantity(shares: 120))
        #expect(facts.state(ordered: Quantity(shares: 100)) == .overfilled)
    }

    @Test func correctionTakesTheOldVersionsPlace() {
        var facts = OrderFacts()
        let old = Make.execution(1, .buy, 60, cents: 100_00)
        let new = Make.execution(1, .buy, 50, cents: 100_02, revision: 2)
        _ = facts.record(.executed(old))
        #expect(facts.record(.executed(new)) == .executed(.replaced(old)))
        #expect(facts.record(.executed(old)) == .executed(.unchanged))
        #expect(facts.filled == Quantity(shares: 50))
        #expect(facts.allExecutions == [new])
    }

    @Test func bustTakesTheExecutionBack() {
        var facts = OrderFacts()
        let old = Make.execution(1, .buy, 60, cents: 100_00)
        let bust = Make.execution(1, .buy, 0, cents: 100_00, revision: 2)
        _ = facts.record(.executed(old))
        #expect(facts.record(.executed(bust)) == .executed(.replaced(old)))
        #expect(facts.filled == .zero)
    }

    @Test func gravestCauseHolds() {
        let facts = OrderFacts(recording: [
            .cancelled(.external), .cancelled(.requested), .rejected(.notTradable),
            .rejected(.priceNotOnTick),
        ])
        #expect(facts.cancelled == .external)
        #expect(facts.rejected == .notTradable)
    }

    /// What each set of facts says of an order for 100.
    @Test(
        arguments: [
            ([], .unacknowledged),
            ([.acknowledged], .working),
            ([.commission(Make.commission(1, cents: 1))], .working),
            ([.executed(Make.execution(1, .sell, 99, cents: 1_00))], .working),
            ([.executed(Make.execution(1, .sell, 100, cents: 1_00))], .filled),
            ([.executed(Make.execution(1, .sell, 101, cents: 1_00))], .overfilled),
            ([.cancelled(.expired)], .cancelled),
            ([.rejected(.notTradable)], .rejected),
            ([.cancelled(.expired), .rejected(.notTradable)], .rejected),
            ([.acknowledged, .cancelled(.requested)], .cancelled),
        ] as [([OrderFact], OrderState)])
    func factsShowWhereAnOrderStands(facts: [OrderFact], state: OrderState) {
        #expect(OrderFacts(recording: facts).state(ordered: Quantity(shares: 100)) == state)
    }

    @Test func onlyOrdersWithoutAnEndAreLive() {
        let all: [OrderState] = [
            .unacknowledged, .working, .filled, .overfilled, .cancelled, .rejected,
        ]
        #expect(all.filter(\.isLive) == [.unacknowledged, .working])
    }
}
