import MarketState
import Primitives
import Testing

@testable import Strategies

@Suite struct RebalanceScheduleTests {
    /// On which of these days something is due, when bars begin at their sessions' opens.
    private func due(_ rule: RebalanceSchedule.Rule, _ days: [String]) throws -> [String] {
        let calendar = SessionCalendar.newYork
        var schedule = RebalanceSchedule(rule, interval: 1)
        var previous = Timestamp.distantPast
        var result: [String] = []
        for text in days {
            let start = calendar.open(on: try #require(Day(text)))
            if schedule.isDue(at: start, after: previous, in: calendar) { result.append(text) }
            previous = start
        }
        return result
    }

    /// Monday 2024-01-15 is Martin Luther King's day.
    @Test func aWeekThatBeginsWithAHolidayIsDueOnItsTuesday() throws {
        let days = [
            "2024-01-04", "2024-01-05", "2024-01-08", "2024-01-09", "2024-01-12", "2024-01-16",
            "2024-01-17", "2024-01-22",
        ]
        #expect(try due(.weekly, days) == ["2024-01-08", "2024-01-16", "2024-01-22"])
    }

    /// 2024-09-01 is a Sunday and the Monday after it Labor Day; 2024-06-01 is a Saturday.
    @Test func aMonthIsDueWithItsFirstSession() throws {
        let days = [
            "2024-05-30", "2024-05-31", "2024-06-03", "2024-06-04", "2024-06-28", "2024-07-01",
            "2024-07-31", "2024-08-01", "2024-08-30", "2024-09-03", "2024-09-04",
        ]
        #expect(
            try due(.monthly, days) == ["2024-06-03", "2024-07-01", "2024-08-01", "2024-09-03"])
    }

    @Test func missingBarsAreReplacedByTheNext() throws {
        // Nothing from Monday to Wednesday, then a whole week without bars.
        let days = ["2024-03-01", "2024-03-07", "2024-03-08", "2024-03-18"]
        #expect(try due(.weekly, days) == ["2024-03-07", "2024-03-18"])
    }

    @Test func aRunThatBeginsOnAMondayWaitsForTheNext() throws {
        #expect(try due(.weekly, ["2024-03-04", "2024-03-05", "2024-03-11"]) == ["2024-03-11"])
    }

    @Test func onlyTheFirstBarsOfASessionAreDue() throws {
        let calendar = SessionCalendar.newYork
        var schedule = RebalanceSchedule(.weekly, interval: 1)
        let friday = calendar.open(on: try #require(Day("2024-03-01")))
        let monday = calendar.open(on: try #require(Day("2024-03-04")))
        var due: [Bool] = []
        var previous = friday
        for minute in 0..<5 as Range<Int64> {
            let start = monday + .minutes(minute)
            due.append(schedule.isDue(at: start, after: previous, in: calendar))
            previous = start
        }
        #expect(due == [true, false, false, false, false])
    }

    @Test func timeSlicesAreCountedFromTheFirst() {
        var schedule = RebalanceSchedule(.bars, interval: 3)
        let due = (0..<8).map {
            schedule.isDue(
                at: Timestamp(seconds: $0), after: Timestamp(seconds: $0 - 1), in: .always)
        }
        #expect(due == [true, false, false, true, false, false, true, false])
    }
}
