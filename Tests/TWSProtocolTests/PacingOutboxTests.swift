import Primitives
import TWSProtocol
import Testing

@Suite struct PacingOutboxTests {
    private func history(
        _ kind: HistoryQuery.Kind = .bars(seconds: 5), of id: Int, _ show: String = "TRADES",
        span: String = "1800 S"
    ) -> PacedRequest {
        .history(
            HistoryQuery(
                kind, of: ContractKey(id: id, exchange: "SMART"), showing: show, span: span))
    }

    @Test func cancelsLeaveBeforeOrdersAndOrdersBeforeData() {
        let sender = Sender()
        _ = sender.send(1, .data)
        _ = sender.send(2, .order, about: .order(7))
        _ = sender.send(3, .cancel, about: .order(8))
        _ = sender.send(4, .data)
        #expect(sender.run(for: .seconds(1)))
        #expect(sender.left.map(\.item) == [3, 2, 1, 4])
    }

    /// A cancel in front of its order would find nothing to cancel, and the order would stand.
    @Test func aCancelNeverOvertakesItsOrder() {
        let sender = Sender()
        _ = sender.send(1, .order, about: .order(6))
        _ = sender.send(2, .order, about: .order(7))
        _ = sender.send(3, .order, about: .order(7))
        _ = sender.send(4, .cancel, about: .order(7))
        #expect(sender.run(for: .seconds(1)))
        #expect(sender.left.map(\.item) == [2, 3, 4, 1])
    }

    /// Also where a part of what is about the order has left: 36 orders leave at once.
    @Test func aCancelTakesAlongWhatIsLeftOfItsOrder() {
        let sender = Sender()
        for item in 1...35 { _ = sender.send(item, .order, about: .order(100 + item)) }
        _ = sender.send(36, .order, about: .order(7))
        _ = sender.send(37, .order, about: .order(7))
        #expect(sender.run(for: .milliseconds(10)))
        #expect(sender.left.map(\.item) == Array(1...36))
        _ = sender.send(38, .cancel, about: .order(7))
        #expect(sender.run(for: .milliseconds(10)))
        #expect(sender.left.map(\.item) == Array(1...38))
    }

    /// Order 7 and request 7 are not the same thing.
    @Test func aRequestIsNotAnOrder() {
        let sender = Sender()
        _ = sender.send(1, .order, about: .order(7))
        _ = sender.send(2, .cancel, about: .request(7))
        #expect(sender.run(for: .seconds(1)))
        #expect(sender.left.map(\.item) == [2, 1])
    }

    @Test func aRequestThatWaitsHoldsItsOwnCancelAndNobodyElse() {
        let sender = Sender()
        _ = sender.send(1, about: .request(1), for: history(of: 1))
        _ = sender.send(2, about: .request(2), for: history(of: 1))
        _ = sender.send(3, about: .request(2))
        _ = sender.send(4, about: .request(3), for: history(of: 3))
        _ = sender.send(5)
        #expect(sender.run(for: .seconds(1)))
        #expect(sender.left.map(\.item) == [1, 4, 5])
        #expect(sender.run(for: .seconds(20)))
        #expect(sender.left.map(\.item) == [1, 4, 5, 2, 3])
    }

    /// Otherwise what counts twice would wait as long as others come.
    @Test func whatCountsTwiceIsNotPassedForEver() throws {
        let sender = Sender()
        for id in 0..<60 {
            _ = sender.send(id, about: .request(id), for: history(of: id))
            sender.outbox.finished(id)
            #expect(sender.run(for: .seconds(10)))
            sender.outbox.finished(id)
        }
        _ = sender.send(60, about: .request(60), for: history(of: 60, "BID_ASK"))
        for id in 61..<200 {
            _ = sender.send(id, about: .request(id), for: history(of: id))
            #expect(sender.run(for: .seconds(5)))
            for begun in 0...id { sender.outbox.finished(begun) }
        }
        let behind = try #require(sender.left.firstIndex { $0.item == 60 })
        #expect(behind == 60)
    }

    @Test func aFullQueueRefusesAndOthersGoOn() {
        var capacity = OutboxCapacity()
        capacity.data = 2
        let sender = Sender(Outbox(capacity: capacity))
        #expect(sender.send(1) == .queued)
        #expect(sender.send(2) == .queued)
        #expect(sender.send(3) == .refused(.queueFull(.data, capacity: 2)))
        #expect(sender.send(4, .cancel, about: .order(1)) == .queued)
        #expect(sender.outbox.count == 3 && sender.outbox.count(of: .data) == 2)
        #expect(sender.run(for: .seconds(1)))
        #expect(sender.left.map(\.item) == [4, 1, 2])
        #expect(sender.send(3) == .queued)
    }

    @Test func aSubscriptionBeyondTheLinesIsRefusedWhenItIsQueued() {
        let sender = Sender()
        for id in 0..<100 {
            #expect(sender.send(id, about: .request(id), for: .marketData) == .queued)
        }
        let full = Admission.refused(.full(.marketDataLines, allowed: 100))
        #expect(sender.send(100, about: .request(100), for: .marketData) == full)
        #expect(sender.outbox.withdraw(.request(40)).map(\.token) == [40])
        #expect(sender.send(100, about: .request(100), for: .marketData) == .queued)
        #expect(
            sender.send(101, about: .request(100), for: .marketDepth) == .refused(.idInUse(100)))
        #expect(sender.run(for: .seconds(10)))
        #expect(sender.left.count == 100)
    }

    @Test func questionsForHistoryWaitForAnAnswer() {
        let sender = Sender()
        for id in 0..<60 {
            _ = sender.send(id, about: .request(id), for: history(.bars(seconds: 60), of: id))
        }
        #expect(sender.run(for: .minutes(5)))
        #expect(sender.left.map(\.item) == Array(0..<50))
        #expect(sender.outbox.next(at: sender.now) == .idle)
        sender.outbox.finished(3)
        #expect(sender.run(for: .minutes(5)))
        #expect(sender.left.map(\.item) == Array(0..<51))
    }

    @Test func withdrawnOrdersNeverLeave() {
        let sender = Sender()
        _ = sender.send(1, .order, about: .order(1))
        _ = sender.send(2, .order, about: .order(2))
        _ = sender.send(3, .data)
        #expect(sender.outbox.withdraw(.order(1)).map(\.token) == [1])
        #expect(sender.outbox.withdraw(.order).map(\.token) == [2])
        #expect(sender.run(for: .seconds(1)))
        #expect(sender.left.map(\.item) == [3])
    }

    @Test func aLostConnectionGivesBackWhatNeverLeft() {
        let sender = Sender()
        for id in 0..<100 { _ = sender.send(id, about: .request(id), for: .marketData) }
        _ = sender.send(100, .order, about: .order(1))
        #expect(sender.run(for: .zero))
        let remainder = sender.outbox.disconnected()
        #expect(sender.left.map(\.item) + remainder.map(\.token) == [100] + Array(0..<100))
        #expect(sender.outbox.count == 0)
        #expect(sender.outbox.requests.taken(of: .marketDataLines) == 0)
    }

    /// A hundred streams of 5-second bars come back in the second ten minutes: 60, then 40.
    @Test func aDelayIsReported() {
        let sender = Sender()
        for id in 0..<99 {
            _ = sender.send(id, about: .request(id), for: history(.realTimeBars, of: id))
        }
        let last = Outgoing(
            token: 99, priority: .data, subject: .request(99),
            request: history(.realTimeBars, of: 99))
        guard case .after(let published, _) = sender.outbox.delay(for: last, at: sender.now) else {
            Issue.record("no wait")
            return
        }
        #expect(published > .minutes(10) && published < .minutes(10) + .seconds(3))
        #expect(sender.outbox.count == 99)
        let start = sender.now
        #expect(sender.outbox.enqueue(last) == .queued)
        #expect(sender.run(for: .hours(1)))
        #expect(sender.left.last?.item == 99 && sender.left.last?.at == start + published)
    }

    /// Data are always queued, and a cancel or order now and then leaves at the same time.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func cancelsAndOrdersNeverWaitForData(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sender = Sender()
        for item in 1...300 {
            while sender.outbox.count(of: .data) < 1_000 { _ = sender.send(0) }
            // At least a quarter of a second between them: four in a second, which is the reserve.
            let gap = Int64.random(in: 250...900, using: &generator)
            #expect(sender.run(for: .milliseconds(gap)))
            let priority = Bool.random(using: &generator) ? MessagePriority.cancel : .order
            _ = sender.send(item, priority, about: .order(item))
            let asked = sender.now
            #expect(sender.run(until: asked))
            #expect(sender.left.last { $0.item == item }?.at == asked)
        }
    }

    /// 256 cancels at 40 a second take less than seven seconds, however full the rest is.
    @Test func aFloodOfCancelsTakesTheWholeBudget() {
        let sender = Sender()
        for item in 0..<1_000 { _ = sender.send(item) }
        #expect(sender.run(for: .seconds(3)))
        let start = sender.now
        for item in 1_000..<1_256 { _ = sender.send(item, .cancel, about: .order(item)) }
        #expect(sender.run(for: .seconds(8)))
        let cancels = sender.left.filter { $0.item >= 1_000 }
        #expect(cancels.count == 256)
        #expect(cancels.allSatisfy { $0.at - start < .seconds(7) })
    }
}
