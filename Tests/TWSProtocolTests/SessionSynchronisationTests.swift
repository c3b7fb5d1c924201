import Primitives
import TWSProtocol
import Testing

/// No order before everything the gateway knows has been read to the end.
@Suite struct SessionSynchronisationTests {
    private static let questions: [ClientMessageKind] = [
        .reqOpenOrders, .reqAllOpenOrders, .reqCompletedOrders, .reqExecutions, .reqPositions,
    ]
    private static let answers: [ClientMessageKind: SyncAnswer] = [
        .reqOpenOrders: .openOrders, .reqAllOpenOrders: .openOrders,
        .reqCompletedOrders: .completedOrders, .reqExecutions: .executions,
        .reqPositions: .positions,
    ]

    @Test func everythingIsAskedOnceAndThenOrdersMayLeave() {
        var rig = SessionRig.begun()
        #expect(rig.messages.map(\.kind) == Self.questions)
        #expect(rig.links == [.handshake, .sync, .ready])
        #expect(rig.send(.order(1)) == nil)
        #expect(rig.count(.placeOrder) == 1)
    }

    @Test func aSessionThatOnlyReadsAsksNothingByItself() {
        var rig = SessionRig.begun(placesOrders: false)
        #expect(rig.messages.isEmpty)
        #expect(rig.session.state == .ready)
        #expect(rig.send(.order(1)) == .readOnly)
        #expect(rig.send(.cancel(1)) == .readOnly)
        #expect(rig.send(.reqGlobalCancel(ReqGlobalCancel())) == .readOnly)
        #expect(rig.send(.exerciseOptions(ExerciseOptions())) == .readOnly)
        #expect(rig.send(.quotes(1)) == nil)
    }

    /// One end after the other is missing: each alone keeps every order back.
    @Test(arguments: questions)
    func eachMissingEndKeepsOrdersBack(missing: ClientMessageKind) throws {
        var rig = SessionRig()
        rig.answered.remove(missing)
        rig.start()
        #expect(rig.session.state == .sync)
        #expect(rig.send(.order(1)) == .link(.sync))
        rig.advance(by: .minutes(5))
        #expect(rig.session.state == .sync)
        #expect(rig.send(.order(1)) == .link(.sync))
        #expect(rig.count(.placeOrder) == 0)
        // Asked at the begin, four times more every ten seconds, and then every minute.
        let asked = rig.received.filter { $0.message.kind == missing }.map(\.time)
        let intervals = zip(asked, asked.dropFirst()).map { $1 - $0 }
        #expect(intervals == [10, 10, 10, 10, 60, 60, 60, 60].map { Duration.seconds($0) })
        let answer = try #require(Self.answers[missing])
        let stalls = rig.events.filter { $0 == .syncStalled(missing: [answer]) }
        // At 40 s, and then again and again: somebody is to look.
        #expect(stalls.count == 5)
        // The answer comes at last.
        rig.answered.insert(missing)
        let last = try #require(rig.messages.last { $0.kind == missing })
        rig.reply(last.answer)
        #expect(rig.session.state == .ready)
        #expect(rig.send(.order(1)) == nil)
    }

    @Test func anEndThatIsLateByTwoRetriesCounts() {
        var rig = SessionRig()
        rig.answered.remove(.reqPositions)
        rig.start()
        rig.advance(by: .seconds(25))
        #expect(rig.count(.reqPositions) == 3)
        rig.reply(.positionEnd(PositionEnd()))
        #expect(rig.session.state == .ready)
    }

    /// The end of an older question for executions proves nothing about the newest.
    @Test func executionsAreAskedUnderANewNumberEachTime() throws {
        var rig = SessionRig()
        rig.answered.remove(.reqExecutions)
        rig.start()
        rig.advance(by: .seconds(10))
        let asked = rig.messages.filter { $0.kind == .reqExecutions }
        #expect(asked.count == 2)
        #expect(Set(asked.map(\.requestID)).count == 2)
        #expect(asked.allSatisfy { ($0.requestID?.rawValue ?? 0) > ClientSession.firstOwnRequest })
        rig.reply(asked[0].answer)
        #expect(rig.session.state == .sync)
        rig.reply(asked[1].answer)
        #expect(rig.session.state == .ready)
    }

    @Test func answersOfAnOlderConnectionCountForNothing() {
        var rig = SessionRig()
        rig.answered = [.reqPositions, .reqExecutions]
        rig.start()
        rig.cut()
        rig.answered = [.reqOpenOrders, .reqAllOpenOrders, .reqCompletedOrders]
        rig.advance(by: .seconds(1))
        #expect(rig.session.epoch == 2)
        #expect(rig.session.state == .sync)
        #expect(rig.send(.order(1)) == .link(.sync))
    }

    /// Cut, lost and back in the middle of it: it begins anew and ends.
    @Test func losingTheBrokerWhileSynchronisingBeginsItAnew() {
        var rig = SessionRig()
        rig.answered = [.reqOpenOrders, .reqAllOpenOrders]
        rig.start()
        rig.reply(code: 1100)
        #expect(rig.session.state == .upstreamLost)
        rig.answered.formUnion([.reqCompletedOrders, .reqExecutions, .reqPositions])
        rig.reply(code: 1102)
        #expect(rig.session.state == .ready)
        #expect(rig.count(.reqOpenOrders) == 2)
    }

    @Test func aSlowGatewayIsSynchronisedInTheEnd() {
        var rig = SessionRig()
        rig.latency = .seconds(30)
        rig.start()
        rig.advance(by: .minutes(3))
        #expect(rig.session.state == .ready)
        #expect(rig.faults.isEmpty)
    }
}
