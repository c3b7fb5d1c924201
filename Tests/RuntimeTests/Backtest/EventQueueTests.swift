import Model
import Primitives
import Testing

@testable import Runtime

@Suite struct EventQueueTests {
    /// Whatever is pushed comes out by time, then class, then arrival.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func entriesComeOutInTheirTotalOrder(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var queue = EventQueue()
        for number in 0..<200 {
            let at = Timestamp(nanoseconds: Int64(chance.next() % 20))
            let timer = TimerID(strategy: StrategyID(index: 0), number: number)
            switch chance.next() % 3 {
            case 0: queue.push(.event(.sliceClosed), at: at)
            case 1: queue.push(.event(.timer(timer)), at: at)
            default: queue.push(.arrival(.cancel(OrderID(number: 1))), at: at)
            }
        }
        var orders: [EventOrder] = []
        while let entry = queue.pop(through: .timer, at: .distantFuture) {
            orders.append(entry.order)
        }
        #expect(orders.count == 200)
        #expect(zip(orders, orders.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func nothingComesOutBeforeItIsDue() {
        var queue = EventQueue()
        queue.push(.event(.sliceClosed), at: Timestamp(seconds: 10))
        #expect(queue.pop(through: .timer, at: Timestamp(seconds: 9)) == nil)
        #expect(queue.pop(through: .venueAndRisk, at: Timestamp(seconds: 10)) == nil)
        #expect(queue.pop(through: .sliceClosed, at: Timestamp(seconds: 10)) != nil)
        #expect(queue.isEmpty)
    }

    @Test func aTimerThatIsSetAgainIsMoved() {
        var queue = EventQueue()
        let timer = TimerID(strategy: StrategyID(index: 0), number: 7)
        queue.push(.event(.timer(timer)), at: Timestamp(seconds: 1))
        queue.push(.event(.sliceClosed), at: Timestamp(seconds: 2))
        queue.removeTimer(timer)
        #expect(queue.pop(through: .timer, at: .distantFuture)?.order.at == Timestamp(seconds: 2))
        #expect(queue.isEmpty)
    }
}
