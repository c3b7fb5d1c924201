import Model
import Orders
import Primitives
import Reporting
import TestSupport
import Testing

@testable import Runtime

/// The recorder writes down as it happens what the order ledger knows at the end.
@Suite struct RunRecorderTests {
    private static let orderCount: Int64 = 4

    private static func ticket(_ number: Int64, shares: Int64 = 300) -> OrderTicket {
        OrderTicket(id: OrderID(number: number), request: Make.request(.buy, shares))
    }

    /// Reports in any order and repeated, as a venue or a broker may give them: the ledger is the measure.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func reportsComeToWhatTheLedgerKnows(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var ledger = OrderLedger(instrumentCount: 1, strategyCount: 1)
        var recorder = RunRecorder(strategyCount: 1)
        for number in 1...Self.orderCount {
            let ticket = Self.ticket(number)
            ledger.restore(ticket, submitted: Make.time(number))
            recorder.record(.submit(ticket), at: Make.time(number))
        }
        let hasBroker = seed % 2 == 0
        for second in 0..<Int64(4 + seed % 30) {
            let order = OrderID(number: 1 + Int64(chance.next() % UInt64(Self.orderCount)))
            let report = OrderReport(
                order: order, fact: Self.fact(of: order, &chance, hasBroker: hasBroker))
            let time = Make.time(100 + second)
            // As the engine does.
            if case .commission(let costs) = report.fact {
                _ = ledger.charge(costs, of: order)
            } else {
                _ = ledger.record(report, at: time)
            }
            recorder.record(report, at: time)
        }
        let recorded = recorder.finish()
        for (index, order) in recorded.orders.enumerated() {
            let known = ledger.records[index]
            #expect(order.finishedAt == known.endedAt)
            #expect(order.filled == known.facts.filled)
            #expect(order.state == Self.outcome(known.facts))
            var commission = Money.zero
            var fills: [Execution] = []
            known.facts.forEachExecution { execution, charge in
                guard execution.quantity > .zero else { return }
                commission += charge
                fills.append(execution)
            }
            #expect(order.commission == commission)
            let recordedFills = recorded.fills.filter { $0.order == order.ticket.id }
            #expect(recordedFills.map(\.execution) == fills)
        }
    }

    private static func outcome(_ facts: OrderFacts) -> OrderOutcome {
        switch facts.state(ordered: Quantity(shares: 300)) {
        case .unacknowledged, .working, .unknown, .executionsMissing: .working
        case .filled, .overfilled: .filled
        case .cancelled, .notSent, .closed: .cancelled(facts.cancelled ?? .external)
        case .rejected: .rejected(facts.rejected ?? .notTradable)
        }
    }

    /// A fact as a simulated venue tells it, or also one that only a broker does.
    private static func fact(
        of order: OrderID, _ chance: inout SeededGenerator, hasBroker: Bool
    ) -> OrderFact {
        let base = order.number * 10 + Int64(chance.next() % 3)
        let revision = 1 + Int(chance.next() % 2)
        switch chance.next() % (hasBroker ? 12 : 7) {
        case 0: return .acknowledged
        case 1, 2, 3:
            let shares = Int64(chance.next() % 4) * 50
            return .executed(
                Make.execution(
                    base, .buy, shares, cents: 100_00 + Int64(chance.next() % 3),
                    revision: revision, second: Int64(chance.next() % 3)))
        case 4:
            return .commission(
                Make.commission(base, cents: 50 + Int64(chance.next() % 100), revision: revision))
        case 5: return .cancelled(chance.next() % 2 == 0 ? .requested : .expired)
        case 6: return .rejected(.notTradable)
        case 7: return .status(.submitted)
        case 8: return .status(.cancelled)
        case 9: return .notSent(.noConnection)
        case 10: return .closed(OrderClosure(number: 1, .operatorDecision))
        default: return .reopened(2)
        }
    }

    /// An execution of 100 at 10.00 and one of 200 at 10.03 come to 300 at 10.02.
    @Test func theAveragePriceIsThatOfAllExecutions() throws {
        var recorder = RunRecorder(strategyCount: 1)
        recorder.record(.submit(Self.ticket(1)), at: Make.time(0))
        for execution in [
            Make.execution(1, .buy, 100, cents: 10_00), Make.execution(2, .buy, 200, cents: 10_03),
        ] {
            recorder.record(Self.report(.executed(execution)), at: Make.time(2))
        }
        let order = try #require(recorder.finish().orders.first)
        #expect(order.averagePrice == Price(cents: 10_02))
        #expect(order.state == .filled)
    }

    // MARK: Changes

    private static func report(_ fact: OrderFact) -> OrderReport {
        OrderReport(order: OrderID(number: 1), fact: fact)
    }

    /// While a change to 500 is under way, 300 do not end the order; once it is refused, they have.
    @Test func aChangeUnderWayKeepsAnOrderAlive() throws {
        var recorder = RunRecorder(strategyCount: 1)
        recorder.record(.submit(Self.ticket(1)), at: Make.time(0))
        recorder.record(.modify(Self.ticket(1, shares: 500), revision: 1), at: Make.time(1))
        let execution = Make.execution(1, .buy, 300, cents: 10_00)
        recorder.record(Self.report(.executed(execution)), at: Make.time(2))
        recorder.record(Self.report(.modificationRefused(1)), at: Make.time(3))
        let recorded = recorder.finish()
        let order = try #require(recorded.orders.first)
        #expect(order.finishedAt == Make.time(3))
        #expect(order.ticket == Self.ticket(1))
        #expect(order.revisionCount == 1)
        #expect(recorded.revisions == [RevisionRecord(order: order.ticket.id, at: Make.time(1))])
    }

    /// Of two changes that were made the newer holds, whichever answer comes first.
    @Test(arguments: [[1, 2], [2, 1]] as [[Int32]])
    func theNewestChangeThatWasMadeHolds(answers: [Int32]) throws {
        var recorder = RunRecorder(strategyCount: 1)
        recorder.record(.submit(Self.ticket(1)), at: Make.time(0))
        recorder.record(.modify(Self.ticket(1, shares: 400), revision: 1), at: Make.time(1))
        recorder.record(.modify(Self.ticket(1, shares: 500), revision: 2), at: Make.time(1))
        for revision in answers {
            recorder.record(Self.report(.modified(revision)), at: Make.time(2))
        }
        #expect(recorder.finish().orders.map(\.ticket) == [Self.ticket(1, shares: 500)])
    }

    /// A split brings orders that work and changes under way to new shares; one that has ended stays.
    @Test func aSplitReplacesTheTermsOfWhatWorks() throws {
        var recorder = RunRecorder(strategyCount: 1)
        for number in 1...2 as ClosedRange<Int64> {
            recorder.record(.submit(Self.ticket(number)), at: Make.time(0))
        }
        recorder.record(Self.report(.cancelled(.requested)), at: Make.time(1))
        recorder.record(.modify(Self.ticket(2, shares: 400), revision: 1), at: Make.time(1))
        recorder.replaceTerms {
            Self.ticket($0.number, shares: 600).request
        } changes: {
            Self.ticket($0.number, shares: 800).request
        }
        recorder.record(
            OrderReport(order: OrderID(number: 2), fact: .modified(1)), at: Make.time(2))
        #expect(
            recorder.finish().orders.map(\.ticket) == [Self.ticket(1), Self.ticket(2, shares: 800)])
    }
}
