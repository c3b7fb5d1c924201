import Model
import Primitives
import Testing

@testable import Runtime

@Suite struct SequencerTests {
    /// Whatever is pushed comes out by time, then class, then arrival.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func entriesComeOutInTheirTotalOrder(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var sequencer = Sequencer()
        for number in 0..<200 {
            let at = Timestamp(nanoseconds: Int64(chance.next() % 20))
            let timer = TimerID(strategy: StrategyID(index: 0), number: number)
            switch chance.next() % 3 {
            case 0: sequencer.push(.event(.sliceClosed), at: at)
            case 1: sequencer.push(.event(.timer(timer)), at: at)
            default: sequencer.push(.arrival(.cancel(OrderID(number: 1))), at: at)
            }
        }
        var orders: [EventOrder] = []
        while let entry = sequencer.pop(through: .timer, at: .distantFuture) {
            orders.append(entry.order)
        }
        #expect(orders.count == 200)
        #expect(zip(orders, orders.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func nothingComesOutBeforeItIsDue() {
        var sequencer = Sequencer()
        sequencer.push(.event(.sliceClosed), at: Timestamp(seconds: 10))
        #expect(sequencer.pop(through: .timer, at: Timestamp(seconds: 9)) == nil)
        #expect(sequencer.pop(through: .venueAndRisk, at: Timestamp(seconds: 10)) == nil)
        #expect(sequencer.pop(through: .sliceClosed, at: Timestamp(seconds: 10)) != nil)
        #expect(sequencer.isEmpty)
    }

    @Test func aTimerThatIsSetAgainIsMoved() {
        var sequencer = Sequencer()
        let timer = TimerID(strategy: StrategyID(index: 0), number: 7)
        sequencer.push(.event(.timer(timer)), at: Timestamp(seconds: 1))
        sequencer.push(.event(.sliceClosed), at: Timestamp(seconds: 2))
        sequencer.removeTimer(timer)
        #expect(
            sequencer.pop(through: .timer, at: .distantFuture)?.order.at == Timestamp(seconds: 2))
        #expect(sequencer.isEmpty)
    }
}
