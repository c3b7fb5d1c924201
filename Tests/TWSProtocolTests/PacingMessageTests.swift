import Primitives
import TWSProtocol
import Testing

@Suite struct PacingMessageTests {
    /// 100 lines give 50 a second, of which 80 % are 40; a tenth of them is 4.
    @Test func budgetFollowsTheLines() {
        let plain = MessagePace(marketDataLines: 100)
        #expect(plain.perSecond == 40)
        #expect(MessagePriority.allCases.map(plain.share) == [40, 36, 32])
        #expect(MessagePace(limitPerSecond: 50).perSecond == 40)
        #expect(MessagePace(marketDataLines: 250).perSecond == 100)
        #expect(MessagePace(marketDataLines: 0).perSecond == 3)
        #expect(MessagePace(limitPerSecond: .max).perSecond == 8_000)
    }

    /// At 32 a second, 500 messages take 500 / 32 = 15.6 seconds, so the last leaves in the 16th.
    @Test func aBurstLeavesAtThePaceAndWhole() throws {
        let sender = Sender()
        for item in 0..<500 { #expect(sender.send(item) == .queued) }
        #expect(sender.run(for: .seconds(60)))
        #expect(sender.left.map(\.item) == Array(0..<500))
        let pacingAudit = PacingAudit(log: sender.log)
        #expect(pacingAudit.most(in: .seconds(1)) == 32)
        let took = try #require(sender.left.last).at - Timestamp(seconds: 1_000)
        #expect(took > .seconds(15) && took < .seconds(16))
    }

    /// The gateway sees what left at different times at once when something held it up: up to a fifth
    /// of a second of that stays below its 50.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func delaysOnTheWayStayBelowTheLimit(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sender = Sender()
        for item in 0..<900 { _ = sender.send(item) }
        #expect(sender.run(for: .minutes(1)))
        var reached = Timestamp.distantPast
        let late = sender.log.map { arrival in
            let delay = Int64.random(in: 0...200_000_000, using: &generator)
            reached = max(reached, arrival.at + Duration(nanoseconds: delay))
            return Arrival(at: reached, priority: arrival.priority, request: nil)
        }
        #expect(PacingAudit(log: late).most(in: .seconds(1)) <= 50)
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func noSecondHoldsMoreThanTheBudget(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var pace = MessagePace()
        var log: [Arrival] = []
        var now = Timestamp(seconds: 5)
        var contradictions = 0
        for _ in 0..<10_000 {
            let gap = generator.nextExponential(mean: seed % 2 == 0 ? 5e6 : 3e7)
            now = now + Duration(nanoseconds: Int64(gap))
            let priority = MessagePriority.allCases[Int.random(in: 0..<3, using: &generator)]
            let delay = pace.delay(for: priority, at: now)
            let left = pace.take(priority, at: now)
            if left != (delay == .zero) { contradictions += 1 }
            if left { log.append(Arrival(at: now, priority: priority, request: nil)) }
        }
        #expect(contradictions == 0)
        #expect(PacingAudit(log: log).most(in: .seconds(1)) <= 40)
    }

    @Test func aDelayIsExactlyAsLongAsNeeded() {
        var pace = MessagePace()
        let start = Timestamp(seconds: 1)
        for _ in 0..<40 { #expect(pace.take(.cancel, at: start) == true) }
        #expect(pace.take(.cancel, at: start + .milliseconds(400)) == false)
        #expect(pace.delay(for: .cancel, at: start + .milliseconds(400)) == .milliseconds(600))
        #expect(pace.take(.cancel, at: start + Duration(nanoseconds: 999_999_999)) == false)
        #expect(pace.take(.cancel, at: start + .seconds(1)) == true)
    }

    @Test func cancelsAndOrdersHaveTheirReserve() {
        var pace = MessagePace()
        var now = Timestamp(seconds: 1)
        for _ in 0..<32 {
            now = now + pace.delay(for: .data, at: now)
            #expect(pace.take(.data, at: now) == true)
        }
        #expect(pace.take(.data, at: now) == false)
        for _ in 0..<4 { #expect(pace.take(.order, at: now) == true) }
        #expect(pace.take(.order, at: now) == false)
        for _ in 0..<4 { #expect(pace.take(.cancel, at: now) == true) }
        #expect(pace.take(.cancel, at: now) == false)
    }

    @Test func aClockThatStepsBackFreesNothing() {
        var pace = MessagePace()
        let now = Timestamp(seconds: 100)
        for _ in 0..<40 { #expect(pace.take(.cancel, at: now) == true) }
        #expect(pace.take(.cancel, at: Timestamp(seconds: 50)) == false)
        #expect(pace.delay(for: .cancel, at: Timestamp(seconds: 50)) == .seconds(1))
    }

    @Test func code100HalvesUntilTheNextConnection() {
        var pace = MessagePace()
        let now = Timestamp(seconds: 1)
        for _ in 0..<20 { #expect(pace.take(.cancel, at: now) == true) }
        #expect(pace.overLimitReported() == .slowed(perSecond: 20))
        #expect(pace.take(.cancel, at: now + .milliseconds(999)) == false)
        #expect(pace.overLimitReported() == .slowed(perSecond: 10))
        #expect(pace.overLimitReported() == .sessionEnds)
        for _ in 0..<1_000 { _ = pace.overLimitReported() }
        #expect(pace.perSecond == 1)
        #expect(pace.take(.data, at: now + .seconds(2)) == true)
        pace.reconnected()
        #expect(pace.perSecond == 40 && pace.warnings == 0)
    }
}
