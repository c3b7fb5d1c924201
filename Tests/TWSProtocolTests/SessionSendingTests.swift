import Primitives
import TWSProtocol
import Testing

/// What leaves, when, in which order, and what never does.
@Suite struct SessionSendingTests {
    @Test func cancelsWaitOutALostBrokerAndLeaveInTheirOrder() {
        var rig = SessionRig.begun()
        rig.reply(code: 1100)
        for id in 1...3 as ClosedRange<Int32> { #expect(rig.send(.cancel(id)) == nil) }
        #expect(rig.send(.reqGlobalCancel(ReqGlobalCancel())) == nil)
        rig.answered.remove(.reqPositions)
        rig.reply(code: 1102)
        #expect(rig.send(.cancel(4)) == nil)
        #expect(rig.session.state == .sync)
        #expect(rig.count(.cancelOrder) == 0)
        rig.reply(.positionEnd(PositionEnd()))
        #expect(rig.session.state == .ready)
        let left = rig.messages.filter { $0.kind == .cancelOrder || $0.kind == .reqGlobalCancel }
        #expect(left.map(\.orderNumber) == [1, 2, 3, nil, 4])
    }

    /// A cancel that is kept does not stop the session's clock.
    @Test func keepingACancelKeepsTheClockRunning() {
        var rig = SessionRig.begun()
        rig.reply(code: 1100)
        rig.send(.cancel(1))
        #expect(rig.wake != nil)
        rig.answered = []
        rig.advance(by: .seconds(45))
        #expect(rig.faults == [.silent(.seconds(45))])
    }

    /// More cancels than the queue holds: none is refused.
    @Test func noCancelIsRefusedForLackOfCapacity() {
        var rig = SessionRig.begun()
        for id in 1...2_000 as ClosedRange<Int32> { #expect(rig.send(.cancel(id)) == nil) }
        rig.advance(by: .minutes(2))
        let left = rig.messages.compactMap(\.orderNumber)
        #expect(left.count == 2_000)
        #expect(zip(left, left.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func cancelsThatCouldNotLeaveAreReportedWhenTheConnectionEnds() {
        var rig = SessionRig.begun()
        rig.reply(code: 1100)
        rig.send(.cancel(8))
        rig.forget()
        rig.cut()
        #expect(unsent(rig).map(\.subject) == [.order(8)])
        #expect(unsent(rig).map(\.priority) == [.cancel])
        rig.advance(by: .minutes(1))
        #expect(rig.count(.cancelOrder) == 0)
    }

    /// Orders that wait for their turn must not leave by themselves behind a loss.
    @Test(arguments: [1100, 2110] as [Int32])
    func queuedOrdersAreWithdrawnAndReportedAtTheLossOfTheBroker(code: Int32) {
        var rig = SessionRig.begun()
        rig.advance(by: .seconds(2))
        rig.forget()
        for id in 1...60 as ClosedRange<Int32> { #expect(rig.send(.order(id)) == nil) }
        let left = rig.messages.compactMap(\.orderNumber)
        #expect(left == Array(1...36))
        rig.reply(code: code)
        #expect(unsent(rig).map(\.subject) == (37...60).map { .order($0) })
        rig.reply(code: 1102)
        rig.advance(by: .minutes(5))
        #expect(rig.messages.compactMap(\.orderNumber) == left)
    }

    @Test func queuedOrdersAreReportedWhenTheConnectionEnds() {
        var rig = SessionRig.begun()
        rig.advance(by: .seconds(2))
        rig.forget()
        for id in 1...60 as ClosedRange<Int32> { rig.send(.order(id)) }
        rig.cut(.connection("reset"))
        #expect(unsent(rig).map(\.subject) == (37...60).map { .order($0) })
        rig.advance(by: .minutes(5))
        #expect(rig.count(.placeOrder) == 36)
    }

    /// An order must not leave behind the cancel that was to catch it.
    @Test func aCancelOfEverythingTakesBackOrdersThatStillWait() {
        var rig = SessionRig.begun()
        rig.advance(by: .seconds(2))
        rig.forget()
        for id in 1...60 as ClosedRange<Int32> { rig.send(.order(id)) }
        #expect(rig.send(.reqGlobalCancel(ReqGlobalCancel())) == nil)
        #expect(unsent(rig).map(\.subject) == (37...60).map { .order($0) })
        rig.advance(by: .minutes(5))
        #expect(rig.count(.placeOrder) == 36)
        #expect(rig.count(.reqGlobalCancel) == 1)
    }

    /// What the session asks for itself is nobody's loss.
    @Test func theSessionsOwnQuestionsAreNotReportedAsUnsent() {
        var rig = SessionRig.begun { $0.marketDataLines = 8 }
        for id in 1...3 as ClosedRange<Int32> { rig.send(.details(id)) }
        rig.reply(.code(1100), .code(1102), .code(1100), .code(1102))
        rig.forget()
        rig.cut()
        #expect(unsent(rig).allSatisfy { $0.priority == .data })
    }

    /// Half of 100 lines: the gateway takes 50 messages a second.
    @Test func aBurstOf500QuestionsStaysWithinTheBudgetAndAllArrive() {
        var rig = SessionRig.begun()
        rig.advance(by: .seconds(2))
        rig.forget()
        for id in 1...500 as ClosedRange<Int32> { #expect(rig.send(.details(id)) == nil) }
        rig.advance(by: .seconds(30))
        #expect(rig.count(.reqContractDetails) == 500)
        #expect(busiestSecond(rig) <= 40)
    }

    @Test func aBurstOfEverythingStaysWithinTheBudget() {
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var rig = SessionRig.begun()
            rig.forget()
            for id in 1...400 as ClosedRange<Int32> {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: rig.send(.order(id))
                case 1: rig.send(.cancel(id))
                default: rig.send(.details(id))
                }
                if id % 50 == 0 {
                    rig.advance(
                        by: .milliseconds(Int64.random(in: 0...900, using: &generator)))
                }
            }
            rig.advance(by: .seconds(60))
            #expect(busiestSecond(rig) <= 40, "seed \(seed)")
        }
    }

    @Test func code100HalvesTheBudget() {
        var rig = SessionRig.begun()
        rig.advance(by: .seconds(2))
        rig.reply(code: 100, "Max rate of messages per second has been exceeded")
        rig.forget()
        for id in 1...200 as ClosedRange<Int32> { rig.send(.details(id)) }
        rig.advance(by: .seconds(30))
        #expect(rig.count(.reqContractDetails) == 200)
        #expect(busiestSecond(rig) <= 20)
    }

    @Test func ordersAndCancelsDoNotWaitBehindQuestions() {
        var rig = SessionRig.begun()
        rig.advance(by: .seconds(2))
        for id in 1...500 as ClosedRange<Int32> { rig.send(.details(id)) }
        rig.forget()
        rig.send(.order(1))
        rig.send(.cancel(2))
        #expect(rig.messages.compactMap(\.orderNumber) == [1, 2])
    }

    /// Ending a thousand subscriptions must not stand in the way of one order's cancel.
    @Test func endingSubscriptionsLeavesCapacityForCancels() {
        var rig = SessionRig.begun()
        for id in 1...900 as ClosedRange<Int32> {
            var ending = CancelMktData()
            ending.reqId = RequestID(rawValue: id)
            rig.send(.cancelMktData(ending))
        }
        rig.advance(by: .seconds(1))
        rig.forget()
        #expect(rig.send(.cancel(1)) == nil)
        #expect(rig.count(.cancelOrder) == 1)
    }

    @Test func linesOfTheSettingsAreTheLimit() {
        var rig = SessionRig.begun(placesOrders: false) { $0.marketDataLines = 150 }
        for id in 1...150 as ClosedRange<Int32> { #expect(rig.send(.quotes(id)) == nil) }
        #expect(
            rig.send(.quotes(151)) == .pacing(.full(.marketDataLines, allowed: 150)))
        rig.input { $0.finished(1, at: $1, into: &$2) }
        #expect(rig.send(.quotes(151)) == nil)
    }

    /// Whoever waits for a place leaves when one is free, not when the next byte comes.
    @Test func aFreeSlotLetsTheNextLeaveAtOnce() {
        var rig = SessionRig.begun(placesOrders: false)
        for id in 1...51 as ClosedRange<Int32> {
            #expect(rig.send(Self.history(id)) == nil)
            rig.advance(by: .milliseconds(500))
        }
        #expect(rig.count(.reqHistoricalData) == 50)
        rig.input { $0.finished(1, at: $1, into: &$2) }
        #expect(rig.count(.reqHistoricalData) == 51)
    }

    @Test func aRequestTakenBackNeverLeaves() {
        var rig = SessionRig.begun(placesOrders: false)
        rig.advance(by: .seconds(2))
        rig.forget()
        for id in 1...100 as ClosedRange<Int32> { rig.send(.details(id)) }
        var isBack: [Bool] = []
        rig.input { session, now, outcome in
            isBack = [1, 100].map { session.withdraw($0, at: now, into: &outcome) }
        }
        #expect(isBack == [false, true])
        rig.advance(by: .seconds(30))
        #expect(rig.count(.reqContractDetails) == 99)
    }

    /// Daily bars of one instrument: any number may be asked, 50 be open.
    private static func history(_ id: Int32) -> ClientMessage {
        var message = ReqHistoricalData()
        message.reqId = RequestID(rawValue: id)
        message.contract.symbol = "S\(id)"
        message.barSizeSetting = .oneDay
        return .reqHistoricalData(message)
    }

    private func unsent(_ rig: SessionRig) -> [Outgoing] {
        rig.events.flatMap { event -> [Outgoing] in
            if case .unsent(let messages) = event { messages } else { [] }
        }
    }

    /// The most messages that arrived within any second.
    private func busiestSecond(_ rig: SessionRig) -> Int {
        let times = rig.received.map(\.time)
        var most = 0
        for (index, begin) in times.enumerated() {
            most = max(most, times[index...].filter { $0 - begin < .seconds(1) }.count)
        }
        return most
    }
}
