import ClientTestSupport
import Configuration
import Foundation
import GatewayTestSupport
import MarketState
import Model
import Primitives
import TWSClient
import TWSProtocol
import Testing

@testable import Runtime

/// Sessions by the hours of markets: contracts' own hours, windows of execution, days that follow each other.
@Suite struct SessionHoursTests {
    /// T4: the broker's text of hours says which day is whole, which ends early and which is closed.
    @Test func hoursAreRead() throws {
        // Thanksgiving week of 2024: closed on Thursday 28 November, until 13:00 on Friday.
        let hours = ContractHours(
            day: try #require(Day("2024-11-27")), zone: "US/Eastern",
            text: "20241127:0930-20241127:1600;20241128:CLOSED;20241129:0930-20241129:1300;garbage")
        let calendar = SessionCalendar.newYork
        for text in ["2024-11-27", "2024-11-28", "2024-11-29"] {
            let day = try #require(Day(text))
            #expect(hours.lists(day))
            #expect(hours.agree(with: calendar.session(on: day), on: day))
        }
        let saturday = try #require(Day("2024-11-30"))
        #expect(!hours.lists(saturday))
        // 13:00 in New York is 18:00 UTC in winter.
        let friday = try #require(Day("2024-11-29"))
        let close = Timestamp(day: friday, sinceMidnight: .hours(18))
        #expect(hours.contains(close - .seconds(1)))
        #expect(!hours.contains(close))
        let whole = ContractHours(
            day: friday, zone: "US/Eastern", text: "20241129:0930-20241129:1600")
        #expect(!whole.agree(with: calendar.session(on: friday), on: friday))
    }

    /// T4: where a contract's hours are narrower than the calendar's they hold: no entry leaves outside of them, in that
    /// symbol alone, and the difference is an alarm.
    @Test func narrowerHoursHold() throws {
        let rig = try SessionRig(
            SessionRig.rotation.replacing("top: 2", with: "top: 3"), keepsHistory: true)
        try rig.pass(.minutes(2))
        let file = rig.folder + "/contracts"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            (line) -> String in
            // Apple's number at the broker.
            line.hasPrefix("terms\t265598\t")
                ? String(line).replacing(
                    "20240305:0930-20240305:1600", with: "20240305:0930-20240305:1030")
                : String(line)
        }
        #expect(lines.contains { $0.contains("20240305:1030") })
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        // What is asked for later in the day says the same.
        try rig.gateway.fault(#"{"do":"early-close","symbol":"AAPL","time":1030}"#)
        try rig.crash()
        try rig.pass(.seconds(30))
        let apple = InstrumentID(index: 0)
        func began(_ condition: SessionCondition) -> [Decision] {
            rig.decisions.filter { $0.kind == .conditionBegan(condition) }
        }
        #expect(began(.hoursDiffer).map(\.subject.instrument) == [apple])
        #expect(began(.hoursDiffer).map(\.kind.severity) == [.warning])
        #expect(began(.marketClosed).isEmpty)

        let closing = SimulatedGateway.tuesday + .minutes(30)
        try rig.pass(to: closing + .hours(2))
        #expect(began(.marketClosed).map(\.subject.instrument) == [apple])
        #expect(
            began(.marketClosed).allSatisfy { abs(($0.at - closing).nanoseconds) < 1_000_000_000 })
        let entries = rig.decisions.filter { $0.kind == .submitted(.entry) && $0.at > closing }
        #expect(!entries.contains { $0.subject.instrument == apple })
        #expect(!entries.isEmpty)
        #expect(
            rig.decisions.contains {
                $0.kind == .refused(.notInTradingHours) && $0.subject.instrument == apple
            })
        try rig.expectEqualLedgers()
    }

    /// T4: a close that is announced in the middle of the day is known within two hours, and holds.
    @Test func aCloseThatIsAnnouncedLaterHolds() throws {
        // 10:00 in New York.
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(30))
        let asked = rig.gateway.received(.reqContractDetails).count
        try rig.gateway.fault(#"{"do":"early-close","time":1145}"#)
        // 11:00 is two hours behind half an hour before the open.
        try rig.pass(.minutes(29) + .seconds(59))
        #expect(rig.gateway.received(.reqContractDetails).count == asked)
        #expect(rig.began(.hoursDiffer).isEmpty)
        try rig.pass(.seconds(10))
        #expect(rig.gateway.received(.reqContractDetails).count == asked + 4)
        #expect(rig.began(.hoursDiffer).count == 4)
        #expect(rig.began(.marketClosed).isEmpty)
        let close = SimulatedGateway.tuesday + .minutes(105)
        try rig.pass(to: close)
        let batch = rig.history.batches.count
        try rig.pass(.minutes(20))
        let closed = rig.began(.marketClosed)
        #expect(closed.count == 4)
        #expect(closed.allSatisfy { $0.at - close <= .seconds(1) && $0.at >= close })
        #expect(rig.entries(since: batch).isEmpty)
        #expect(rig.decisions.contains { $0.kind == .refused(.notInTradingHours) })
        try rig.expectEqualLedgers()
    }

    /// T4: a day beyond the years of which holidays were published is a warning; trading goes on.
    @Test func anOldCalendarIsReported() throws {
        // Tuesday, 9 January 2029, 10:00 in New York: the published years end with 2028.
        let rig = try SessionRig(
            at: Timestamp(day: try #require(Day("2029-01-09")), sinceMidnight: .hours(15)),
            keepsHistory: true)
        try rig.pass(.minutes(13))
        let alarm = try #require(rig.began(.calendarOld).first)
        #expect(alarm.kind.severity == .warning)
        #expect(rig.began(.calendarOld).count == 1)
        #expect(!rig.gateway.received(.placeOrder).isEmpty)
        // A day that is known is none.
        let known = try SessionRig(keepsHistory: true)
        try known.pass(.minutes(2))
        #expect(known.began(.calendarOld).isEmpty)
    }

    /// T4: a calendar that has not agreed with the broker's hours for more than 30 days is a warning, also through starts,
    /// until it agrees again.
    @Test(arguments: [("2024-02-04", false), ("2024-02-03", true)])
    func aCalendarThatIsNotConfirmedIsReported(confirmed: String, isOld: Bool) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(2))
        #expect(rig.began(.calendarOld).isEmpty)
        let file = rig.folder + "/contracts"
        let lines = try String(contentsOfFile: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.contains("calendar\t2024-03-05"))
        // The hours of a later start stay away.
        try rig.gateway.fault(#"{"do":"swallow","kinds":["reqContractDetails"]}"#)
        try rig.crash {
            let former = lines.map { line -> String in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                if fields.first == "calendar" { return "calendar\t\(confirmed)" }
                guard fields.first == "terms", fields.count == 6 else { return String(line) }
                return (fields[..<3] + ["", "", ""]).joined(separator: "\t")
            }
            try former.joined(separator: "\n").write(
                toFile: file, atomically: true, encoding: .utf8)
        }
        try rig.pass(.minutes(2))
        #expect(rig.began(.calendarOld).count == (isOld ? 1 : 0))
        try rig.crash()
        try rig.pass(.minutes(2))
        #expect(rig.began(.calendarOld).count == (isOld ? 2 : 0))
        #expect(rig.began(.calendarOld).allSatisfy { $0.kind.severity == .warning })
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.pass(.minutes(3))
        #expect(
            rig.decisions.count { $0.kind == .conditionEnded(.calendarOld) } == (isOld ? 1 : 0))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("calendar\t2024-03-05\n"))
    }

    private func entries(_ rig: SessionRig) -> [Timestamp] {
        rig.gateway.received.filter { $0.message.kind == .placeOrder }.map {
            rig.now - (rig.gateway.clock.now - $0.time)
        }
    }

    /// ORD-20: what is decided outside its window waits, through a crash, and leaves in its window.
    @Test func anIntentWaitsForItsWindowThroughACrash() throws {
        // 09:30 and 45 minutes: 10:15, a quarter of an hour behind the start.
        let rig = try SessionRig(
            SessionRig.rotation + "\nexecution: {window: open+45 min}", keepsHistory: true)
        let window = SimulatedGateway.tuesday + .minutes(15)
        try rig.pass(.minutes(11))
        #expect(rig.decisions.contains { $0.kind == .held(.window) })
        try rig.crash()
        try rig.pass(to: window - .seconds(1))
        #expect(rig.gateway.received(.placeOrder).isEmpty)
        try rig.pass(.minutes(2))
        let orders = entries(rig)
        #expect(!orders.isEmpty)
        #expect(orders.allSatisfy { $0 >= window && $0 <= window + .minutes(1) })
        #expect(rig.decisions.contains { $0.kind == .released })
        try rig.pass(.minutes(20))
        #expect(entries(rig).count == orders.count, "what is decided later waits for tomorrow")
        try rig.expectEqualLedgers()
    }

    /// C-46: entries wait for the end of the broker's maintenance, through a crash; exits do not.
    @Test func entriesWaitForTheEndOfMaintenanceThroughACrash() throws {
        let rig = try SessionRig(
            SessionRig.rotation.replacing("every: 5", with: "every: 2")
                + "\nexecution: {maintenance: [\"10:20-10:40\"]}", keepsHistory: true)
        let begin = SimulatedGateway.tuesday + .minutes(20)
        try rig.pass(to: begin + .seconds(1))
        let count = rig.decisions.count
        try rig.pass(.minutes(8))
        try rig.crash()
        try rig.pass(to: begin + .minutes(20) - .seconds(1))
        let during = rig.decisions[count...]
        #expect(!during.contains { $0.kind == .submitted(.entry) })
        #expect(during.contains { $0.kind == .held(.maintenance) })
        #expect(during.contains { $0.kind == .submitted(.exit) })
        let held = count + during.count
        try rig.pass(.minutes(1))
        #expect(rig.decisions[held...].contains { $0.kind == .submitted(.entry) })
        try rig.expectEqualLedgers()
    }

    /// T5: a clock that is set back, or forth within the day, begins no day: a halt for the day's loss holds.
    @Test func aClockThatJumpsBeginsNoDay() throws {
        let rig = try SessionRig(
            SessionRig.rotation + "\nrisk: {limits: on, max_daily_loss_usd: 1}",
            keepsHistory: true)
        try rig.pass(until: "a halt", limit: .hours(2)) {
            rig.decisions.contains { $0.kind == .halted(.dailyLoss) }
        }
        let halted = rig.history.batches.count
        for jump in [Duration.hours(-30), .minutes(-5), .hours(-24 * 40), .hours(3)] {
            try rig.driver.take([], at: rig.now + jump)
            rig.driver.commit(at: rig.now)
        }
        // The session goes by the latest time that it has seen.
        try rig.pass(.minutes(5))
        #expect(rig.decisions.count { $0.kind == .halted(.dailyLoss) } == 1)
        #expect(!rig.decisions.contains { $0.kind == .resumed(.dailyLoss) })
        #expect(rig.entries(since: halted).isEmpty)
    }

    /// T5: over three days each has a loss limit of its own: a halt ends with its day, and what counts for the next is its
    /// own start. The contracts' hours are asked for at midnight and before the open.
    @Test func eachDayBeginsAnew() throws {
        // Monday 2024-03-04, 15:30 in New York.
        let start = Timestamp(seconds: 1_709_584_200)
        let rig = try SessionRig(
            SessionRig.rotation + "\nrisk: {limits: on, max_daily_loss_usd: 1}", at: start,
            keepsHistory: true)
        let calendar = rig.settings.backtest.calendar
        var days = [calendar.day(of: start)]
        for number in 1...3 {
            try rig.pass(.minutes(28))
            // The start's; on Tuesday those of midnight and 9:00; those of 11:00, 13:00, 15:00, and again.
            #expect(rig.gateway.received(.reqContractDetails).count == [4, 12, 32][number - 1])
            guard number < 3 else { break }
            let next = days[number - 1].advanced(by: 1)
            days.append(next)
            try rig.pass(
                calendar.open(on: next) + .minutes(1) - rig.now,
                inStepsOf: .seconds(2))
        }
        for (number, day) in days.enumerated() {
            let decisions = rig.decisions.filter { calendar.day(of: $0.at) == day }
            let entries = decisions.filter { $0.kind == .submitted(.entry) }.map(\.at)
            let halts = decisions.filter { $0.kind == .halted(.dailyLoss) }.map(\.at)
            let resumptions = decisions.filter { $0.kind == .resumed(.dailyLoss) }.map(\.at)
            #expect(!entries.isEmpty, "no entry on \(day)")
            #expect(resumptions.count == (number > 0 ? 1 : 0), "\(day)")
            if number < 2 { #expect(halts.count == 1, "\(day)") }
            if let resumption = resumptions.first {
                #expect(entries.allSatisfy { $0 > resumption })
            }
            if let halt = halts.first { #expect(!entries.contains { $0 > halt }) }
        }
        try rig.expectEqualLedgers()
    }
}
