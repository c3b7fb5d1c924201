import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@Suite struct OrderInquiryTests {
    private static let order = OrderID(number: 1)
    private static let instrument = InstrumentID(index: 0)
    private static let queries = Listings.needed.map { Command.query($0) }

    private static let nowhere = OrderInquiry.Evidence(
        state: .unknown, isListed: false, gap: .zero)

    /// An inquiry whose link is ready since `seconds` and that has asked for lists.
    private static func begun(at seconds: Int64 = 0) -> OrderInquiry {
        var inquiry = OrderInquiry(order, in: instrument)
        _ = inquiry.linkChanged(ready: Make.time(seconds), at: Make.time(seconds))
        return inquiry
    }

    // MARK: The way to "dead"

    @Test func twoAnswersAndListsAroundThemProveThatThereIsNoOrder() {
        var inquiry = OrderInquiry(Self.order, in: Self.instrument)
        #expect(inquiry.timerFired(at: Make.time(0)) == .init())
        // The link has been ready for 20 seconds.
        #expect(
            inquiry.linkChanged(ready: Make.time(-20), at: Make.time(0))
                == .init(commands: Self.queries, wake: Make.time(15)))
        #expect(
            inquiry.listed(Self.nowhere, at: Make.time(1))
                == .init(commands: [.probe(Self.order)], wake: Make.time(6)))
        #expect(inquiry.answered(.notFound, at: Make.time(2)) == .init(wake: Make.time(4)))
        #expect(inquiry.timerFired(at: Make.time(3)) == .init(wake: Make.time(4)))
        #expect(
            inquiry.timerFired(at: Make.time(4))
                == .init(commands: [.probe(Self.order)], wake: Make.time(9)))
        #expect(
            inquiry.answered(.notFound, at: Make.time(5))
                == .init(commands: Self.queries, wake: Make.time(20)))
        let cause = OrderClosure.Cause.notFound(first: Make.time(2), second: Make.time(5))
        #expect(
            inquiry.listed(Self.nowhere, at: Make.time(6)) == .init(conclusion: .dead(cause)))
        #expect(OrderClosure(number: 1, cause).isProven)
        #expect(inquiry.isOver)
        #expect(inquiry.timerFired(at: Make.time(99)) == .init())
        #expect(inquiry.linkChanged(ready: nil, at: Make.time(99)) == .init())
    }

    /// What the gateway held may go out late: the last lists wait until the link was ready for 10 seconds.
    @Test func nothingIsDeadBeforeTheLinkWasReadyForTenSeconds() {
        var inquiry = Self.begun()
        _ = inquiry.listed(Self.nowhere, at: Make.time(1))
        _ = inquiry.answered(.notFound, at: Make.time(1))
        _ = inquiry.timerFired(at: Make.time(3))
        #expect(inquiry.answered(.notFound, at: Make.time(3)) == .init(wake: Make.time(10)))
        #expect(inquiry.timerFired(at: Make.time(9)) == .init(wake: Make.time(10)))
        #expect(
            inquiry.timerFired(at: Make.time(10))
                == .init(commands: Self.queries, wake: Make.time(25)))
        // In the meantime it was sent after all.
        let open = OrderInquiry.Evidence(state: .working, isListed: true, gap: .zero)
        #expect(inquiry.listed(open, at: Make.time(11)) == .init(conclusion: .resolved))
    }

    @Test func positionThatIsNotExplainedProvesNothing() {
        var inquiry = Self.begun(at: -20)
        _ = inquiry.listed(Self.nowhere, at: Make.time(1))
        _ = inquiry.answered(.notFound, at: Make.time(1))
        _ = inquiry.timerFired(at: Make.time(3))
        _ = inquiry.answered(.notFound, at: Make.time(3))
        let moved = OrderInquiry.Evidence(
            state: .unknown, isListed: false, gap: Quantity(shares: 100))
        #expect(inquiry.listed(moved, at: Make.time(4)) == .init(wake: Make.time(9)))
        var conclusion: OrderInquiry.Conclusion?
        for second in 9...500 as ClosedRange<Int64> {
            conclusion = conclusion ?? inquiry.timerFired(at: Make.time(second)).conclusion
            conclusion = conclusion ?? inquiry.listed(moved, at: Make.time(second)).conclusion
        }
        #expect(conclusion == .unresolved)
    }

    // MARK: Other answers

    @Test(arguments: [ProbeAnswer.tooLate, .filled, .cancelled, .pendingCancel])
    func orderThatTheBrokerHasHadIsFollowedByItsExecutions(answer: ProbeAnswer) {
        var inquiry = Self.begun()
        _ = inquiry.listed(Self.nowhere, at: Make.time(1))
        #expect(
            inquiry.answered(answer, at: Make.time(2))
                == .init(commands: Self.queries, wake: Make.time(17)))
        // Nothing yet: asked again, as often as it may be.
        let missing = OrderInquiry.Evidence(
            state: .executionsMissing, isListed: false, gap: Quantity(shares: 100))
        #expect(inquiry.listed(missing, at: Make.time(3)) == .init(wake: Make.time(8)))
        #expect(
            inquiry.timerFired(at: Make.time(8))
                == .init(commands: Self.queries, wake: Make.time(23)))
        let filled = OrderInquiry.Evidence(state: .filled, isListed: true, gap: .zero)
        #expect(inquiry.listed(filled, at: Make.time(9)) == .init(conclusion: .resolved))
    }

    @Test func aReportedCancelLooksForExecutionsOnceMore() {
        var inquiry = Self.begun()
        _ = inquiry.listed(Self.nowhere, at: Make.time(1))
        #expect(
            inquiry.resolved(as: .cancelled, at: Make.time(2))
                == .init(commands: Self.queries, wake: Make.time(17)))
        #expect(
            inquiry.resolved(as: .cancelled, at: Make.time(3)) == .init(wake: Make.time(17)))
        let cancelled = OrderInquiry.Evidence(state: .cancelled, isListed: true, gap: .zero)
        #expect(inquiry.listed(cancelled, at: Make.time(4)) == .init(conclusion: .resolved))
    }

    @Test func anAcknowledgementFromTheListsIsTheEnd() {
        var inquiry = Self.begun()
        #expect(inquiry.resolved(as: .unknown, at: Make.time(1)).conclusion == nil)
        #expect(inquiry.resolved(as: .working, at: Make.time(1)).conclusion == .resolved)
    }

    @Test func silenceEndsUnresolved() {
        var inquiry = Self.begun()
        _ = inquiry.listed(Self.nowhere, at: Make.time(1))
        var probes = 1
        var conclusion: OrderInquiry.Conclusion?
        for second in 2...100 as ClosedRange<Int64> {
            let step = inquiry.timerFired(at: Make.time(second))
            probes += step.commands.count
            conclusion = conclusion ?? step.conclusion
        }
        #expect(probes == OrderInquiry.probesMax)
        #expect(conclusion == .unresolved)
        // A person, or another connection, begins anew.
        #expect(inquiry.retry(at: Make.time(200)).commands == Self.queries)
        _ = inquiry.linkChanged(ready: nil, at: Make.time(201))
        #expect(
            inquiry.linkChanged(ready: Make.time(300), at: Make.time(300)).commands
                == Self.queries)
    }

    @Test func lostLinkForgetsWhatWasLearned() {
        var inquiry = Self.begun(at: -20)
        _ = inquiry.listed(Self.nowhere, at: Make.time(1))
        _ = inquiry.answered(.notFound, at: Make.time(1))
        #expect(inquiry.linkChanged(ready: nil, at: Make.time(2)) == .init())
        #expect(inquiry.timerFired(at: Make.time(50)) == .init())
        _ = inquiry.linkChanged(ready: Make.time(60), at: Make.time(60))
        _ = inquiry.listed(Self.nowhere, at: Make.time(61))
        // The answer of the connection before does not count.
        #expect(inquiry.answered(.notFound, at: Make.time(62)) == .init(wake: Make.time(64)))
    }

    // MARK: Whatever comes

    /// Property: it asks for lists and probes only, a bounded number of times while the link stays; it says
    /// "dead" only with its proof; it ends; and behind its end it is silent.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func asksOnlyAndEnds(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var inquiry = OrderInquiry(Self.order, in: Self.instrument)
            var now = Make.time(0)
            var ready: Timestamp?
            var asked = 0
            for _ in 0..<100 {
                now = now + .milliseconds(chance.number(in: 0...4_000))
                let wasOver = inquiry.isOver
                let step: OrderInquiry.Step
                switch chance.number(in: 0...19) {
                case 0:
                    ready = chance.chance(percent: 70) ? now : nil
                    step = inquiry.linkChanged(ready: ready, at: now)
                    if ready != nil { asked = 0 }
                case 1...8:
                    step = inquiry.answered(Self.answer(&chance), at: now)
                    #expect(!wasOver || step == .init())
                case 9...13: step = inquiry.listed(Self.evidence(&chance), at: now)
                default:
                    step = inquiry.timerFired(at: now)
                    #expect(!wasOver || step == .init())
                }
                asked += step.commands.count
                let isQuestion = step.commands.allSatisfy {
                    Self.queries.contains($0) || $0 == .probe(Self.order)
                }
                #expect(isQuestion && (step.commands.isEmpty || ready != nil))
                #expect(asked <= OrderInquiry.commandsMax)
                if case .dead(let cause) = step.conclusion {
                    #expect(OrderClosure(number: 1, cause).isProven)
                    #expect(ready.map { $0 + .seconds(10) <= now } ?? false)
                }
            }
            // Left alone it comes to an end within as many steps as it has questions.
            guard ready != nil else { continue }
            var steps = 0
            while !inquiry.isOver, steps <= OrderInquiry.commandsMax {
                now = now + .seconds(20)
                _ = inquiry.timerFired(at: now)
                steps += 1
            }
            #expect(inquiry.isOver)
        }
    }

    /// The property above sees every end.
    @Test func randomInquiriesReachEveryEnd() {
        var chance = SeededGenerator(seed: 1)
        var ends: Set<String> = []
        for _ in 0..<300 {
            var inquiry = Self.begun(at: -20)
            var now = Make.time(0)
            while !inquiry.isOver {
                now = now + .seconds(1)
                let step =
                    switch chance.number(in: 0...2) {
                    case 0: inquiry.answered(Self.answer(&chance), at: now)
                    case 1: inquiry.listed(Self.evidence(&chance), at: now)
                    default: inquiry.timerFired(at: now)
                    }
                switch step.conclusion {
                case .resolved: ends.insert("resolved")
                case .dead: ends.insert("dead")
                case .unresolved: ends.insert("unresolved")
                case nil: break
                }
            }
        }
        #expect(ends == ["resolved", "dead", "unresolved"])
    }

    private static func answer(_ chance: inout SeededGenerator) -> ProbeAnswer {
        chance.chance(percent: 80) ? .notFound : chance.one(of: ProbeAnswer.allCases)
    }

    private static func evidence(_ chance: inout SeededGenerator) -> OrderInquiry.Evidence {
        guard chance.chance(percent: 30) else { return nowhere }
        return OrderInquiry.Evidence(
            state: chance.one(of: [.unknown, .working, .executionsMissing, .cancelled]),
            isListed: chance.chance(percent: 50),
            gap: Quantity(shares: chance.number(in: -1...1)))
    }

    // MARK: Several together

    /// A whole way: two orders are cut off, one is at the broker, one is nowhere.
    @Test func inquiriesAskOnceForAllAndEndEachInItsWay() throws {
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        ledger.identity = OrderIdentity(
            account: BrokerAccountID(index: 0), client: BrokerClientID(number: 7), journal: 3)
        var ids: [OrderID] = []
        for _ in 0..<2 {
            let id = try ledger.submitForTest(Make.request(.buy, 100))
            _ = ledger.identity.assign(to: id)
            _ = ledger.record(OrderReport(order: id, fact: .sendInterrupted))
            ids.append(id)
        }
        var inquiries = Inquiries()
        var rig = ListingRig()
        for id in ids {
            #expect(inquiries.begin(id, in: Self.instrument, at: rig.now).commands.isEmpty)
        }
        let asked = inquiries.linkChanged(ready: rig.now - .seconds(20), at: rig.now)
        #expect(asked.commands == Self.queries)

        rig.listNothing()
        let key = try #require(ledger.identity.key(of: ids[0]))
        rig.list(
            .openOrders,
            [
                .openOrder(
                    ListedOrder(
                        key: key.with(permanent: PermanentID(number: 9)),
                        instrument: Self.instrument, side: .buy, quantity: Quantity(shares: 100),
                        type: .market, status: .submitted))
            ])
        let review = rig.review(ledger)
        #expect(review.inquiries == [ids[1]])
        for report in review.facts { _ = ledger.record(report) }
        let probed = inquiries.listed(review, rig.lists, in: ledger, at: rig.now)
        #expect(probed.commands == [.probe(ids[1])])
        #expect(probed.conclusions == [.init(order: ids[0], end: .resolved)])
        #expect(ledger.isUnknown(in: Self.instrument) == true)

        _ = inquiries.answered(ids[1], .notFound, at: rig.now)
        rig.now = rig.now + .seconds(2)
        #expect(inquiries.timerFired(at: rig.now).commands == [.probe(ids[1])])
        rig.now = rig.now + .seconds(1)
        #expect(inquiries.answered(ids[1], .notFound, at: rig.now).commands == Self.queries)
        // Lists that began before are of no use.
        let old = inquiries.listed(review, rig.lists, in: ledger, at: rig.now)
        #expect(old.commands.isEmpty && old.conclusions.isEmpty)
        rig.listNothing()
        let last = inquiries.listed(rig.review(ledger), rig.lists, in: ledger, at: rig.now)
        let end = try #require(last.conclusions.first)
        guard case .dead(let cause) = end.end else {
            Issue.record("\(end)")
            return
        }
        let number = try #require(ledger.record(of: ids[1])?.facts.nextClosure)
        _ = ledger.record(
            OrderReport(order: ids[1], fact: .closed(OrderClosure(number: number, cause))))
        #expect(ledger.record(of: ids[1])?.state == .closed)
        #expect(ledger.isUnknown(in: Self.instrument) == false)
        #expect(inquiries.contains(ids[1]) == false)
    }
}
