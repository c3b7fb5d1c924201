import GatewayTestSupport
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing

@testable import Runtime

/// Clocks that differ, a program that stood still, and the gateway's daily restart.
@Suite struct SessionClockTests {
    private func expectTradingGoesOn(_ rig: SessionRig) throws {
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills", limit: .hours(3)) { rig.driver.fillCount > fills }
        try rig.expectEqualLedgers()
    }

    /// T1: the clock's difference from the gateway's is measured; from two seconds on it is an alarm, from thirty on no
    /// entry leaves. Orders and timers go by the session's own clock, which does not jump.
    @Test func aWrongClockStopsEntries() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        #expect(rig.driver.status(at: rig.now).clockDifference == .zero)

        try rig.gateway.fault(#"{"do":"clock","ahead":5}"#)
        try rig.pass(.minutes(5))
        let difference = try #require(rig.driver.status(at: rig.now).clockDifference)
        #expect(difference >= .seconds(4) && difference <= .seconds(6))
        let drift = rig.decisions.filter { $0.kind == .conditionBegan(.clockDrifting) }
        #expect(drift.map(\.kind.severity) == [.warning])
        try expectTradingGoesOn(rig)

        try rig.gateway.fault(#"{"do":"clock","ahead":-3600}"#)
        try rig.pass(.minutes(5))
        #expect(rig.decisions.contains { $0.kind == .conditionBegan(.clockSkewed) })
        let count = rig.decisions.count
        try rig.pass(.minutes(15))
        #expect(!rig.decisions[count...].contains { $0.kind == .submitted(.entry) })
        #expect(rig.decisions[count...].contains { $0.kind == .refused(.linkNotReady) })

        try rig.gateway.fault(#"{"do":"clock","ahead":0}"#)
        try rig.pass(.minutes(5))
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.clockSkewed) })
        try expectTradingGoesOn(rig)
    }

    /// T6: behind ten minutes of standstill nothing leaves before the broker's lists were read once more, and timers do
    /// not come in a burst before that.
    @Test func aStandstillIsALostLink() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let (sent, kept) = (
            rig.gateway.received(.placeOrder).count, rig.history.batches.count
        )
        rig.stall(.minutes(10))
        rig.driver.stoodStill(for: .minutes(10))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.pass(.minutes(2))

        let batches = rig.history.batches[kept...]
        #expect(
            batches.flatMap { $0.decisions ?? [] }.contains {
                $0.kind == .conditionBegan(.processPaused)
            })
        var isSynchronised = false
        for batch in batches {
            for event in batch.events {
                switch event.kind {
                case .link(let report): isSynchronised = isSynchronised || report.state == .ready
                case .timer: #expect(isSynchronised, "a timer before the lists were read")
                default: break
                }
            }
            for command in batch.commands where !isSynchronised {
                if case .submit = command.command { Issue.record("an order before the lists") }
            }
        }
        #expect(isSynchronised)
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.processPaused) })
        try expectTradingGoesOn(rig)
    }

    /// T6: time passes while the machine sleeps, though the clock of its timers stands: it is found out from two clocks,
    /// and a session's time goes on by it, at its speed.
    @Test func timePassesWhileTheMachineSleeps() {
        var review = SleepReview()
        func reading(_ awake: Int64, _ always: Int64, isOfOneTime: Bool = true) -> Duration {
            review.slept(
                SleepReview.Reading(
                    awake: Timestamp(seconds: awake), always: Timestamp(seconds: always),
                    isOfOneTime: isOfOneTime))
        }
        // The machine had slept 50 seconds before the program was started.
        #expect(reading(100, 150) == .zero)
        #expect(reading(200, 250) == .zero)
        #expect(reading(201, 851) == .minutes(10))
        #expect(reading(202, 852) == .zero)
        // The program was stopped between its two looks: nothing has slept.
        #expect(reading(203, 900, isOfOneTime: false) == .zero)
        #expect(reading(251, 901) == .zero)

        let clock = SessionClock(start: SimulatedGateway.tuesday, speed: 2)
        clock.passSleep(.minutes(5))
        clock.begin(at: Timestamp(seconds: 1_000))
        #expect(
            clock.time(at: Timestamp(seconds: 1_010)) == SimulatedGateway.tuesday + .seconds(20))
        clock.passSleep(.minutes(10))
        let now = SimulatedGateway.tuesday + .seconds(20) + .minutes(20)
        #expect(clock.time(at: Timestamp(seconds: 1_010)) == now)
        #expect(
            clock.machineTime(of: now + .seconds(4), now: Timestamp(seconds: 1_010))
                == Timestamp(seconds: 1_012))
    }

    /// The rotation, with a gateway that restarts at 10:30 in New York.
    private static let restarting =
        SessionRig.rotation + "\nibkr: {restart_time: \"10:30\", restart_zone: America/New_York}"

    /// G1, C-46: from two minutes before the gateway's restart no entry leaves, the day's executions are read before it,
    /// and behind it trading goes on at once.
    @Test func entriesStopBeforeTheRestart() throws {
        let rig = try SessionRig(Self.restarting, keepsHistory: true)
        let restart = SimulatedGateway.tuesday + .minutes(30)
        try rig.pass(to: restart - .seconds(121))
        let before = rig.gateway.received(.reqExecutions).count
        try rig.pass(to: restart - .seconds(119))
        #expect(rig.driver.status(at: rig.now).link == .drain)
        #expect(rig.gateway.received(.reqExecutions).count == before + 1)
        let count = rig.decisions.count
        try rig.pass(to: restart)
        #expect(!rig.decisions[count...].contains { $0.kind == .submitted(.entry) })

        try rig.gateway.fault(#"{"do":"restart","seconds":120}"#)
        try rig.pass(to: restart + .minutes(4))
        #expect(rig.driver.status(at: rig.now).link == .ready)
        #expect(rig.driver.takeAlarms().isEmpty, "what is known beforehand is no alarm")
        try expectTradingGoesOn(rig)
    }

    /// C-46: what reduces leaves while a restart is near; a gateway that does not restart is traded at again.
    @Test func exitsLeaveWhileARestartIsNear() throws {
        let text =
            SessionRig.rotation.replacing("every: 5", with: "every: 1")
            + "\nibkr: {restart_time: \"10:30\", restart_zone: America/New_York}"
        let rig = try SessionRig(text, keepsHistory: true)
        let restart = SimulatedGateway.tuesday + .minutes(30)
        try rig.pass(to: restart - .seconds(115))
        let count = rig.decisions.count
        try rig.pass(to: restart + RestartSchedule.patience - .seconds(5))
        let near = rig.decisions[count...]
        #expect(!near.contains { $0.kind == .submitted(.entry) })
        #expect(near.contains { $0.kind == .submitted(.exit) })
        try rig.pass(.minutes(10))
        #expect(rig.driver.status(at: rig.now).link == .ready)
        #expect(rig.decisions[(count + near.count)...].contains { $0.kind == .submitted(.entry) })
        try rig.expectEqualLedgers()
    }

    /// G4, AIS-6: a broker that is not reached is an alarm a minute later, in the time of a restart when that is over,
    /// and every hour again.
    @Test(arguments: [false, true])
    func aLostBrokerIsAnAlarmInTime(isRestart: Bool) throws {
        let rig = try SessionRig(Self.restarting, keepsHistory: true)
        let restart = SimulatedGateway.tuesday + .minutes(30)
        try rig.pass(to: isRestart ? restart : restart + .minutes(40))
        let lost = rig.now
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        try rig.pass(.hours(2) + .minutes(30))
        let alarms = rig.decisions.filter { $0.kind == .conditionBegan(.linkLost) }
        let first = isRestart ? RestartSchedule.window : LinkMonitor.limit
        #expect(alarms.count == 3)
        for (index, alarm) in alarms.enumerated() {
            let due = lost + first + .hours(Int64(index))
            #expect(alarm.at >= due && alarm.at <= due + .seconds(2))
        }
        try rig.gateway.fault(#"{"do":"restore-link"}"#)
        try expectTradingGoesOn(rig)
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.linkLost) })
    }

    /// T2: the restart follows the clock of its zone on all days on which clocks change, in New York, at the gateway and
    /// at the other end of the world.
    @Test(arguments: [
        // New York changed on 10 March 2024, London on 31 March, Sydney on 7 April; the other way on
        // 3 November, 27 October and 6 October.
        ("America/New_York", 2024_03_09, 4, 2024_03_10, 3),
        ("America/New_York", 2024_11_02, 3, 2024_11_03, 4),
        ("Europe/London", 2024_03_30, 23, 2024_03_31, 22),
        ("Europe/London", 2024_10_26, 22, 2024_10_27, 23),
        ("Australia/Sydney", 2024_04_06, 12, 2024_04_07, 13),
        ("Australia/Sydney", 2024_10_05, 13, 2024_10_06, 12),
    ])
    func theRestartFollowsItsZone(
        zone: String, before: Int, hour: Int64, after: Int, changedHour: Int64
    ) throws {
        let schedule = try #require(RestartSchedule(.minutes(23 * 60 + 45), zone: zone))
        let restarts = try [(before, hour), (after, changedHour)].map { number, hour in
            let (month, date) = (number / 100 % 100, number % 100)
            let day = try #require(
                Day("2024-\(month < 10 ? "0" : "")\(month)-\(date < 10 ? "0" : "")\(date)"))
            // Of New York's evenings the time is that of the next day in UTC.
            let utc = zone == "America/New_York" ? day.advanced(by: 1) : day
            return Timestamp(day: utc, sinceMidnight: .hours(hour) + .minutes(45))
        }
        for restart in restarts {
            let interval = schedule.interval(at: restart + .hours(1))
            #expect(interval.newest == restart)
            #expect(schedule.interval(at: restart - .seconds(120)) == interval)
            #expect(schedule.interval(at: restart - .seconds(121)).newest != restart)
            #expect(
                interval.holds(restart - .seconds(120))
                    && interval.holds(interval.end - .seconds(1)))
            #expect(!interval.holds(restart - .seconds(121)) && !interval.holds(interval.end))
        }
        #expect(schedule.interval(at: restarts[0]).end == restarts[1] - .seconds(120))
    }

    /// A zone that this machine does not know is refused at the start.
    @Test func anUnknownZoneIsRefused() throws {
        let rig = try SessionRig(SessionRig.rotation + "\nibkr: {restart_zone: Nowhere/Atlantis}")
        #expect {
            try rig.pass(.seconds(30))
        } throws: { "\($0)".contains("Nowhere/Atlantis") }
    }
}
