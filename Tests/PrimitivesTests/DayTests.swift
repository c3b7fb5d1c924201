import Foundation
import Primitives
import Testing

@Suite struct DayTests {
    @Test func agreesWithFoundationOnEveryDayOfTwoCenturies() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let first = try #require(Day(year: 1900, month: 1, day: 1))
        let last = try #require(Day(year: 2100, month: 12, day: 31))
        for number in first.number...last.number {
            let day = Day(number: number)
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let (year, month, dayOfMonth) = day.date
            #expect(parts.year == year && parts.month == month && parts.day == dayOfMonth)
            // Foundation counts weekdays from Sunday as 1.
            #expect(parts.weekday == day.weekday.rawValue % 7 + 1)
            #expect(Day(year: year, month: month, day: dayOfMonth) == day)
            #expect(Day(day.description) == day)
        }
    }

    @Test func knowsItsOrigin() {
        #expect(Day(number: 0).description == "1970-01-01")
        #expect(Day(number: 0).weekday == .thursday)
        #expect(Day(number: -1).weekday == .wednesday)
        #expect(Day("2019-02-11")?.weekday == .monday)
        #expect(Day("2000-02-28")?.advanced(by: 1) == Day("2000-02-29"))
        #expect(Day("2000-03-01")?.advanced(by: -1) == Day("2000-02-29"))
        #expect(Day(number: -1) < Day(number: 0))
    }

    @Test(arguments: [
        "", "2019-2-11", "2019/02/11", "20190211", "2019-02-1x", "2019-13-01", "2019-00-01",
        "2019-01-00", "2019-01-32", "2019-04-31", "2019-02-29", "1900-02-29", "2100-02-29",
        "1677-12-31", "2262-01-01", "0000-01-01", "-019-01-01", " 2019-02-11", "2019-02-11 ",
        "２０１９-02-11",
    ])
    func refusesTextThatIsNoDate(text: String) {
        #expect(Day(text) == nil)
    }

    @Test func refusesDatesThatDoNotExist() {
        #expect(Day(year: 2019, month: 2, day: 29) == nil)
        #expect(Day(year: 2020, month: 2, day: 29) != nil)
        #expect(Day(year: 2019, month: 0, day: 1) == nil)
        #expect(Day(year: 2019, month: 1, day: -1) == nil)
        #expect(Day(year: .min, month: .max, day: .max) == nil)
    }

    /// 1900-01-01 is 25,567 days before 1970-01-01, 2200-12-31 84,370 days after it: 231 years with 56
    /// leap days (1972 to 2196 without 2100).
    @Test func takesDatesOf1900To2200() {
        #expect(Day(year: 1900, month: 1, day: 1)?.number == -25_567)
        #expect(Day(year: 2200, month: 12, day: 31)?.number == 84_370)
        #expect(Day.supported == Day(number: -25_567)...Day(number: 84_370))
        for text in [
            "0001-01-01", "1677-09-21", "1899-12-31", "2201-01-01", "2262-04-11", "9999-12-31",
        ] {
            #expect(Day(text) == nil)
        }
    }

    @Test func arithmeticEndsWithTheLastDayThereIs() {
        let (first, last) = (Day(number: .min), Day(number: .max))
        for days in [Int.min, -1, Int(Int32.min)] { #expect(first.advanced(by: days) == first) }
        for days in [Int.max, 1, Int(Int32.max)] { #expect(last.advanced(by: days) == last) }
        for day in [first, last] {
            #expect(Day.first(ofMonth: 1, year: day.date.year).date.month <= 12)
            #expect((1...31).contains(day.date.day))
            #expect((1...7).contains(day.weekday.rawValue))
        }
    }
}
