import Primitives
import TWSProtocol
import Testing

/// A line that is open and silent.
@Suite struct SessionWatchdogTests {
    /// The silences that were told, with what they mean.
    private func observedHealth(_ rig: SessionRig) -> [Watchdog.Health] {
        rig.events.compactMap { if case .silence(let health) = $0 { health } else { nil } }
    }

    @Test func aQuietHealthyLineIsProbedAndNeverStale() {
        var rig = SessionRig.begun()
        rig.forget()
        rig.advance(by: .minutes(10))
        // Every answer is a byte: five seconds behind it comes the next question.
        #expect(rig.count(.reqCurrentTime) == 120)
        #expect(rig.links.isEmpty)
        #expect(observedHealth(rig).isEmpty)
    }

    /// Data say nothing about the other direction.
    @Test func aBusyLineIsProbedAsWell() {
        var rig = SessionRig.begun(placesOrders: false)
        rig.send(.quotes(1))
        for _ in 0..<100 {
            rig.advance(by: .seconds(3))
            rig.reply(.bid(1))
        }
        #expect(rig.count(.reqCurrentTime) == 60)
        #expect(observedHealth(rig).isEmpty)
    }

    /// N4: data come, and what we ask has no answer: silence counts from the first question without one.
    @Test func aLineOnWhichNothingLeavesIsDroppedThoughDataCome() {
        var rig = SessionRig.begun()
        rig.send(.quotes(1))
        rig.forget()
        rig.answered = []
        // The question leaves within five seconds; its answer is waited for twice as long as for a byte.
        for _ in 0..<94 {
            rig.advance(by: .seconds(1))
            rig.reply(.bid(1))
        }
        #expect(observedHealth(rig) == [.stale, .alarm])
        #expect(rig.send(.order(1)) == .link(.ready))
        #expect(rig.faults.isEmpty)
        rig.advance(by: .seconds(1))
        #expect(rig.faults == [.silent(.seconds(90))])
        #expect(rig.closings == 1)
    }

    /// N4: a slow gateway answers one question after the other: it is never suspected while data come.
    @Test func answersThatAreLateAreAnswers() {
        var rig = SessionRig.begun()
        rig.forget()
        rig.latency = .seconds(30)
        rig.advance(by: .minutes(2))
        rig.forget()
        rig.advance(by: .minutes(10))
        #expect(rig.faults.isEmpty)
        #expect(observedHealth(rig).isEmpty)
    }

    @Test func silenceBlocksOrdersThenAlarmsThenDrops() {
        var rig = SessionRig.begun()
        rig.forget()
        rig.speaks = false
        rig.answered = []
        rig.advance(by: .milliseconds(9_999))
        #expect(observedHealth(rig).isEmpty)
        rig.advance(by: .milliseconds(1))
        #expect(observedHealth(rig) == [.stale])
        #expect(rig.session.state == .ready)
        #expect(rig.send(.order(1)) == .link(.ready))
        rig.advance(by: .seconds(5))
        #expect(observedHealth(rig) == [.stale, .alarm])
        rig.advance(by: .milliseconds(29_999))
        #expect(rig.faults.isEmpty)
        rig.advance(by: .milliseconds(1))
        #expect(rig.faults == [.silent(.seconds(45))])
        #expect(rig.closings == 1)
        #expect(observedHealth(rig) == [.stale, .alarm, .tearDown])
        #expect(rig.messages.isEmpty)
    }

    @Test func cancelsAndReducingOrdersMayLeaveWhileTheLineIsStale() {
        var rig = SessionRig.begun()
        rig.answered = []
        rig.advance(by: .seconds(10))
        #expect(rig.send(.cancel(1)) == nil)
        #expect(rig.count(.cancelOrder) == 1)
    }

    /// A byte says that the gateway speaks, an answer that it hears.
    @Test func anAnswerEndsTheSuspicionAtOnce() {
        var rig = SessionRig.begun()
        rig.answered = []
        rig.advance(by: .seconds(16))
        rig.forget()
        rig.reply(.bid(1))
        // The question of five seconds is unanswered for eleven.
        #expect(observedHealth(rig) == [.stale])
        #expect(rig.send(.order(1)) == .link(.ready))
        rig.reply(.currentTime(CurrentTime()))
        #expect(observedHealth(rig) == [.stale, .healthy])
        #expect(rig.send(.order(1)) == nil)
    }

    @Test func aGatewayThatTakesHalfAMinuteIsNotTornDown() {
        var rig = SessionRig.begun()
        rig.forget()
        rig.latency = .seconds(30)
        rig.advance(by: .minutes(30))
        #expect(rig.faults.isEmpty)
        #expect(rig.closings == 0)
        #expect(rig.session.state == .ready)
        // Suspected and alarmed about, as long as nothing came.
        #expect(observedHealth(rig).contains(.alarm))
    }

    @Test func limitsAreThoseOfTheSettings() {
        var rig = SessionRig.begun {
            $0.silence.probe = .seconds(1)
            $0.silence.stale = .seconds(2)
            $0.silence.alarm = .seconds(3)
            $0.silence.tearDown = .seconds(4)
        }
        rig.answered = []
        rig.forget()
        rig.advance(by: .seconds(4))
        #expect(observedHealth(rig) == [.stale, .alarm, .tearDown])
        #expect(rig.count(.reqCurrentTime) == 3)
        #expect(rig.faults == [.silent(.seconds(4))])
    }

    /// Behind a thousand questions a probe leaves first, or a busy program would look dead.
    @Test func probesLeaveBeforeWaitingQuestions() {
        var rig = SessionRig.begun(placesOrders: false) { $0.marketDataLines = 8 }
        for id in 1...200 as ClosedRange<Int32> { rig.send(.details(id)) }
        rig.advance(by: .seconds(6))
        #expect(rig.count(.reqCurrentTime) >= 1)
        #expect(rig.count(.reqContractDetails) < 200)
    }
}
