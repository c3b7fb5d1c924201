import Model
import Orders
import Primitives
import TestSupport
import Testing

@Suite struct BrokerFactsTests {
    private static let ordered = Quantity(shares: 100)
    private static let early = Timestamp(seconds: 100)

    private static func closed(_ number: UInt8, secondsApart: Int64 = 2) -> OrderFact {
        .closed(
            OrderClosure(
                number: number,
                .notFound(first: early, second: early + .seconds(secondsApart))))
    }

    private static func state(_ facts: [OrderFact]) -> OrderState {
        OrderFacts(recording: facts).state(ordered: ordered)
    }

    // MARK: Order and repetition

    /// Sets of eight, each with executions, commissions or ends among what a broker says.
    static let sets: [[OrderFact]] = [
        [
            .sendInterrupted, .status(.submitted), .listedOpen(.preSubmitted),
            .executed(Make.execution(1, .buy, 60, cents: 100_00, second: 1)),
            .executed(Make.execution(1, .buy, 50, cents: 100_05, revision: 2, second: 1)),
            .cancelledByBroker(BrokerMessage(code: 202)), closed(1), .reopened(2),
        ],
        [
            .notSent(.noConnection), .acknowledgementOverdue, .probeAnswer(.notFound),
            .probeAnswer(.tooLate), .rejectedByBroker(BrokerMessage(code: 201)),
            .rejected(.priceNotOnTick), .commission(Make.commission(1, cents: 1_00)),
            .message(BrokerMessage(code: 399)),
        ],
        [
            .status(.inactive), .heldByBroker(.locate), .listedCompleted(.filled),
            .status(.filled), .executed(Make.execution(2, .buy, 100, cents: 100_00)),
            .executed(Make.execution(2, .buy, 0, cents: 100_00, revision: 2)),
            .cancelled(.expired), .closed(OrderClosure(number: 3, .operatorDecision)),
        ],
    ]

    /// All 40,320 orders of eight facts, each fact told again in the opposite order.
    @Test(arguments: 0..<3)
    func anyOrderAndRepetitionOfEightFactsGivesTheSameState(index: Int) {
        let facts = Self.sets[index]
        #expect(facts.count == 8)
        let expected = OrderFacts(recording: facts)
        let others = facts.permutations.filter { order in
            OrderFacts(recording: order) != expected
                || OrderFacts(recording: order + order.reversed()) != expected
        }
        #expect(others.isEmpty)
    }

    /// Property: what counts is which facts were told, also when they contradict each other.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func contradictingFactsGiveTheSameStateInAnyOrder(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let facts = (0..<12).map { _ in Self.fact(&chance) }
        let expected = OrderFacts(recording: facts)
        for _ in 0..<20 {
            let repeated = (facts + (0..<6).map { _ in chance.one(of: facts) }).shuffled(
                using: &chance)
            #expect(OrderFacts(recording: repeated) == expected)
        }
    }

    /// Property: an information changes nothing, wherever it comes.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func messagesChangeNothing(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var plain = OrderFacts()
        var disturbed = OrderFacts()
        for _ in 0..<12 {
            let fact = Self.fact(&chance)
            _ = plain.record(fact)
            let code = Int32(chance.number(in: 0...12_000))
            #expect(disturbed.record(.message(BrokerMessage(code: code))) == .state)
            _ = disturbed.record(fact)
            #expect(plain == disturbed)
        }
    }

    /// Property: from an end only a reopening or an execution leads away.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func endsAreSticky(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var facts = OrderFacts()
        for _ in 0..<12 {
            let before = facts.state(ordered: Self.ordered)
            let fact = Self.fact(&chance)
            _ = facts.record(fact)
            let after = facts.state(ordered: Self.ordered)
            switch (before, fact) {
            case (.cancelled, _), (.rejected, _), (.closed, _):
                if after.isLive { #expect(fact.isReopening) }
            case (.notSent, _):
                if after.isLive { #expect(facts.wasAtBroker || fact.isDoubt || fact.isReopening) }
            default: break
            }
        }
    }

    /// Property: an outcome that is unknown stays unknown until something says what it is: never by a
    /// reason to doubt, however often it comes.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func doubtDoesNotEndDoubt(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let doubts: [OrderFact] = [
            .sendInterrupted, .acknowledgementOverdue, .probeAnswer(.notFound),
            .message(BrokerMessage(code: 2109)), Self.closed(1, secondsApart: 1),
        ]
        var facts = OrderFacts(recording: [.sendInterrupted])
        for _ in 0..<20 {
            _ = facts.record(chance.one(of: doubts))
            #expect(facts.state(ordered: Self.ordered) == .unknown)
        }
    }

    // MARK: Single facts

    /// What each set of facts says of an order for 100.
    @Test(
        arguments: [
            ([.sendInterrupted], .unknown),
            ([.acknowledgementOverdue], .unknown),
            ([.probeAnswer(.notFound)], .unknown),
            ([.notSent(.noConnection)], .notSent),
            ([.acknowledgementOverdue, .notSent(.linkNotReady)], .notSent),
            // Some bytes may have left, so nothing proves that none did.
            ([.sendInterrupted, .notSent(.noConnection)], .unknown),
            // It was held and sent later.
            ([.notSent(.noConnection), .listedOpen(.submitted)], .working),
            ([.notSent(.noConnection), .status(.preSubmitted)], .working),
            ([.sendInterrupted, .acknowledged], .working),
            ([.sendInterrupted, .status(.pendingSubmit)], .working),
            ([.acknowledgementOverdue, .listedOpen(.submitted)], .working),
            ([.sendInterrupted, .executed(Make.execution(1, .buy, 1, cents: 1))], .working),
            ([.sendInterrupted, .executed(Make.execution(1, .buy, 100, cents: 1))], .filled),
            ([.sendInterrupted, .cancelledByBroker(BrokerMessage(code: 202))], .cancelled),
            ([.sendInterrupted, .rejectedByBroker(BrokerMessage(code: 201))], .rejected),
            ([.sendInterrupted, .listedCompleted(.cancelled)], .cancelled),
            ([.sendInterrupted, .probeAnswer(.cancelled)], .cancelled),
            // It cannot be cancelled any more: it has ended, and nothing says how.
            ([.acknowledged, .probeAnswer(.tooLate)], .unknown),
            ([.acknowledged, .probeAnswer(.pendingCancel)], .working),
            ([.probeAnswer(.filled)], .executionsMissing),
            ([.status(.filled)], .executionsMissing),
            ([.listedCompleted(.filled)], .executionsMissing),
            (
                [.status(.filled), .executed(Make.execution(1, .buy, 40, cents: 1))],
                .executionsMissing
            ),
            ([.status(.filled), .executed(Make.execution(1, .buy, 100, cents: 1))], .filled),
            ([.status(.cancelled)], .cancelled),
            ([.status(.apiCancelled)], .cancelled),
            ([.status(.cancelled), .status(.submitted)], .cancelled),
            ([.status(.cancelled), .status(.filled)], .cancelled),
            ([.status(.pendingCancel)], .working),
            // Held, not rejected: it can become active again.
            ([.status(.inactive)], .working),
            ([.heldByBroker(.locate)], .working),
            ([.status(.inactive), .rejectedByBroker(BrokerMessage(code: 201))], .rejected),
            ([.listedCompleted(.inactive)], .cancelled),
            ([.sendInterrupted, closed(1)], .closed),
            ([.acknowledged, closed(1)], .closed),
            // One second is too short to prove anything.
            ([.sendInterrupted, closed(1, secondsApart: 1)], .unknown),
            ([closed(1), .executed(Make.execution(1, .buy, 100, cents: 1))], .filled),
            ([.acknowledged, closed(1), .reopened(2)], .working),
            ([.status(.cancelled), .reopened(2)], .working),
            ([.status(.cancelled), .reopened(2), closed(3)], .closed),
            ([.sendInterrupted, closed(2), .reopened(1)], .unknown),
        ] as [([OrderFact], OrderState)])
    func factsShowWhereAnOrderStands(facts: [OrderFact], state: OrderState) {
        #expect(Self.state(facts) == state)
        #expect(Self.state(facts.reversed()) == state)
    }

    @Test func unknownAndMissingCountAsWorking() {
        let all: [OrderState] = [.unknown, .executionsMissing, .notSent, .closed]
        #expect(all.filter(\.isLive) == [.unknown, .executionsMissing])
    }

    @Test func closuresAndReopeningsCountOn() {
        var facts = OrderFacts(recording: [.sendInterrupted])
        #expect(facts.nextClosure == 1 && facts.nextReopening == 4)
        for number in stride(from: UInt8(1), through: 249, by: 4) {
            #expect(facts.nextClosure == number)
            _ = facts.record(Self.closed(number))
            #expect(facts.isClosed && facts.nextClosure == nil)
            #expect(facts.nextReopening == number + 3)
            _ = facts.record(.reopened(number + 3))
            #expect(facts.isReopened && facts.nextReopening == nil)
        }
        _ = facts.record(Self.closed(253))
        // Numbers have run out: it stays closed, and a person has to look.
        #expect(facts.nextClosure == nil && facts.nextReopening == nil)
    }

    /// An end that was reported before an order came back is none; one that is reported afterwards is.
    @Test func whatCameBackMayEndAgain() {
        var lost = OrderFacts(recording: [.sendInterrupted, Self.closed(1)])
        _ = lost.record(.reopened(lost.nextReopening ?? 0))
        #expect(lost.state(ordered: Quantity(shares: 1)) == .working)
        _ = lost.record(.status(.cancelled))
        #expect(lost.state(ordered: Quantity(shares: 1)) == .cancelled)
        var cancelled = OrderFacts(recording: [.status(.cancelled)])
        #expect(cancelled.nextReopening == 2)
        _ = cancelled.record(.reopened(2))
        _ = cancelled.record(.status(.cancelled))
        #expect(cancelled.state(ordered: Quantity(shares: 1)) == .working)
    }

    @Test func heldIsRemembered() {
        #expect(OrderFacts(recording: [.status(.inactive)]).wasHeld)
        #expect(OrderFacts(recording: [.heldByBroker(.confirmation)]).wasHeld)
        #expect(!OrderFacts(recording: [.status(.submitted)]).wasHeld)
    }

    // MARK: Sizes

    /// Every order of a run is kept: what a broker adds is in bytes that were spare.
    @Test func factsAndRecordsAreNotLargerThanBefore() {
        #expect(MemoryLayout<OrderFacts>.size == 72)
        #expect(MemoryLayout<OrderFacts>.stride == 72)
        #expect(MemoryLayout<OrderLedger.Record>.size == 176)
    }

    /// Any fact, from so few values that ids, revisions and contradictions collide.
    static func fact(_ chance: inout SeededGenerator) -> OrderFact {
        let status = chance.one(of: BrokerStatus.allCases)
        switch chance.number(in: 0...17) {
        case 0: return .acknowledged
        case 1: return .cancelled(chance.one(of: [.requested, .expired, .external]))
        case 2: return .rejected(chance.one(of: [.priceNotOnTick, .notTradable]))
        case 3: return .commission(Make.commission(chance.number(in: 1...3), cents: 35))
        case 4: return .notSent(chance.one(of: NotSentCause.allCases))
        case 5: return .sendInterrupted
        case 6: return .status(status)
        case 7: return .listedOpen(status)
        case 8: return .listedCompleted(status)
        case 9: return .rejectedByBroker(BrokerMessage(code: 201))
        case 10: return .cancelledByBroker(BrokerMessage(code: 202))
        case 11: return .heldByBroker(chance.one(of: HoldCause.allCases))
        case 12: return .message(BrokerMessage(code: 399))
        case 13: return .probeAnswer(chance.one(of: ProbeAnswer.allCases))
        case 14: return .acknowledgementOverdue
        case 15: return closed(chance.one(of: [1, 2, 3]), secondsApart: chance.number(in: 1...2))
        case 16: return .reopened(chance.one(of: [1, 2, 4]))
        default:
            return .executed(
                Make.execution(
                    chance.number(in: 1...3), .buy, chance.number(in: 0...50), cents: 100_00,
                    revision: Int(chance.number(in: 1...2)), second: chance.number(in: 0...2)))
        }
    }
}

extension OrderFact {
    fileprivate var isReopening: Bool { if case .reopened = self { true } else { false } }
    fileprivate var isDoubt: Bool { if case .sendInterrupted = self { true } else { false } }
}
