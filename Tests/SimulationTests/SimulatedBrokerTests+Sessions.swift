import MarketState
import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// How long orders live.
@Suite struct SimulatedBrokerSessionTests {
    /// A purchase at a price nobody trades at, for the day.
    private let unreachable = Make.request(.buy, 10, .limit(Price(cents: 1_00)))

    private func goodTillCancelled(_ request: OrderRequest) -> OrderRequest {
        OrderRequest(
            strategy: request.strategy, instrument: request.instrument, side: request.side,
            quantity: request.quantity, type: request.type, timeInForce: .goodTillCancelled,
            purpose: request.purpose)
    }

    /// A bar that begins `sinceMidnight` (UTC) on a day.
    private func bar(
        _ day: String, _ sinceMidnight: Duration, barSize: Duration, open: Int64 = 100_00,
        volume: Int64 = 1_000_000
    ) throws -> Bar {
        Bar(
            instrument: InstrumentID(index: 0),
            start: Timestamp(day: try #require(Day(day)), sinceMidnight: sinceMidnight),
            barSize: barSize, open: Price(cents: open), high: Price(cents: open),
            low: Price(cents: open), close: Price(cents: open), volume: Quantity(shares: volume))
    }

    // MARK: Minute bars in New York

    @Test func dayOrderEndsWithTheLastBarOfItsSession() {
        var venue = VenueRig()
        _ = venue.submit(unreachable, at: Make.open - .minutes(5))
        // 390 minutes from 09:30 to 16:00.
        for minute in 0..<389 {
            #expect(venue.play(Make.bar(minute, open: 100_00, close: 100_00)).isEmpty)
        }
        let last = Make.bar(389, open: 100_00, close: 100_00)
        #expect(venue.open(last).isEmpty)
        #expect(venue.close(last) == [.cancelled(.expired)])
        #expect(venue.cancel(1).isEmpty)
    }

    @Test func orderGoodTillCancelledStays() throws {
        var venue = VenueRig()
        _ = venue.submit(goodTillCancelled(unreachable), at: Make.open)
        #expect(venue.play(Make.bar(0, open: 100_00, close: 100_00)).isEmpty)
        #expect(venue.play(Make.bar(389, open: 100_00, close: 100_00)).isEmpty)
        let next = try bar("2024-01-03", .minutes(14 * 60 + 30), barSize: .minutes(1), open: 99)
        #expect(venue.play(next).fills == [Fill(1, 10, 99, next.start)])
    }

    @Test func orderAfterTheLastBarBelongsToTheNextSession() throws {
        var venue = VenueRig()
        let last = Make.bar(389, open: 100_00, close: 100_00)
        _ = venue.open(last)
        // One sent while the last bar runs ends with it, by the clock; one at its end waits.
        _ = venue.submit(unreachable, at: last.start + .seconds(1))
        #expect(venue.close(last).expired == [1])
        _ = venue.submit(unreachable, at: last.end)
        let first = try bar("2024-01-03", .minutes(14 * 60 + 30), barSize: .minutes(1))
        #expect(venue.play(first).isEmpty)
        let end = try bar("2024-01-03", .minutes(20 * 60 + 59), barSize: .minutes(1))
        #expect(venue.play(end).expired == [2])
    }

    /// 3 July 2024 closed at 13:00: the last bar that day begins at 12:59. Nothing tells the venue so; the
    /// order is gone at the latest before the next session's first trade.
    @Test func dayOrderOfAnEarlyClosingDoesNotLiveOnInTheNextSession() throws {
        var venue = VenueRig()
        _ = venue.submit(
            unreachable, at: try bar("2024-07-03", .minutes(13 * 60 + 30), barSize: .zero).start)
        // 09:30 and 12:59 in New York are 13:30 and 16:59 UTC.
        #expect(
            venue.play(try bar("2024-07-03", .minutes(13 * 60 + 30), barSize: .minutes(1))).isEmpty)
        _ = venue.play(try bar("2024-07-03", .minutes(16 * 60 + 59), barSize: .minutes(1)))
        // On the 5th (the 4th is a holiday) it opens at 0.50, far below the limit of 1.00.
        let next = try bar("2024-07-05", .minutes(13 * 60 + 30), barSize: .minutes(1), open: 50)
        let answers = venue.open(next)
        #expect(answers.fills.isEmpty)
        #expect(venue.cancel(1).isEmpty)
    }

    @Test func dayOrderOfAnEarlyCloseIsReportedAsExpired() throws {
        var venue = VenueRig()
        let start = try bar("2024-07-03", .minutes(13 * 60 + 30), barSize: .minutes(1))
        _ = venue.submit(unreachable, at: start.start)
        var answers = venue.play(start).expired
        answers +=
            venue.play(try bar("2024-07-03", .minutes(16 * 60 + 59), barSize: .minutes(1))).expired
        answers +=
            venue.play(try bar("2024-07-05", .minutes(13 * 60 + 30), barSize: .minutes(1))).expired
        #expect(answers == [1])
    }

    /// Clocks go forward in the night to 11 March 2024: sessions of both days end at 16:00 there.
    @Test func sessionsEndAtTheSameWallClockTimeInSummer() throws {
        for (day, minute) in [("2024-03-08", 20 * 60 + 59), ("2024-03-11", 19 * 60 + 59)]
            as [(String, Int64)]
        {
            var venue = VenueRig()
            let early = try bar(day, .minutes(minute - 1), barSize: .minutes(1))
            let last = try bar(day, .minutes(minute), barSize: .minutes(1))
            _ = venue.submit(unreachable, at: early.start)
            #expect(venue.play(early).isEmpty)
            #expect(venue.play(last).expired == [1])
        }
    }

    @Test func restOfAPartlyFilledDayOrderExpires() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(Make.request(.buy, 150), at: Make.open)
        let last = Make.bar(389, open: 100_00, close: 100_00, volume: 1_000)
        #expect(venue.open(last).fills == [Fill(1, 100, 100_00, last.start)])
        #expect(venue.close(last) == [.cancelled(.expired)])
    }

    // MARK: Longer bars

    @Test func dayOrderLivesForOneDailyBarInNewYork() throws {
        var venue = VenueRig()
        _ = venue.submit(unreachable, at: Make.open)
        _ = venue.submit(goodTillCancelled(unreachable), at: Make.open)
        let barSize = Duration.minutes(390)
        let first = try bar("2024-01-02", .minutes(14 * 60 + 30), barSize: barSize)
        #expect(venue.play(first).expired == [1])
        let second = try bar("2024-01-03", .minutes(14 * 60 + 30), barSize: barSize, open: 50)
        #expect(venue.play(second).fills == [Fill(2, 10, 50, second.start)])
    }

    /// The bar of 2 January from midnight to midnight UTC begins on New Year's Day in New York.
    @Test func dayOfUTCHoldsTheSessionThatLiesInIt() throws {
        var venue = VenueRig()
        let day = try bar("2024-01-02", .zero, barSize: .days(1))
        _ = venue.submit(Make.request(.buy, 10), at: day.start)
        _ = venue.submit(unreachable, at: day.start)
        #expect(venue.open(day).fills == [Fill(1, 10, 100_00, day.start)])
        #expect(venue.close(day).expired == [2])
    }

    @Test func dayOrderLivesForOneDailyBarAlways() throws {
        var venue = VenueRig(calendar: .always)
        let first = try bar("2024-01-06", .zero, barSize: .days(1))
        _ = venue.submit(unreachable, at: first.start)
        #expect(venue.play(first).expired == [1])
        // Sent at the end of that bar: lives for the next, a Sunday.
        _ = venue.submit(unreachable, at: first.end)
        let second = try bar("2024-01-07", .zero, barSize: .days(1))
        #expect(venue.play(second).expired == [2])
    }

    @Test func dayOrderEndsAtMidnightAlways() throws {
        var venue = VenueRig(calendar: .always)
        let early = try bar("2024-01-06", .hours(22), barSize: .hours(1))
        let last = try bar("2024-01-06", .hours(23), barSize: .hours(1))
        _ = venue.submit(unreachable, at: early.start)
        #expect(venue.play(early).isEmpty)
        #expect(venue.play(last).expired == [1])
    }

    /// No bar ends at midnight: the first of the next day ends the order before it can fill.
    @Test func dayOrderEndsBeforeTheNextDaysFirstBarWhenTheLastOneIsMissing() throws {
        var venue = VenueRig(calendar: .always)
        let early = try bar("2024-01-06", .hours(22), barSize: .hours(1))
        _ = venue.submit(unreachable, at: early.start)
        #expect(venue.play(early).isEmpty)
        let next = venue.play(try bar("2024-01-07", .zero, barSize: .hours(1), open: 50))
        #expect(next.fills.isEmpty)
        #expect(next.expired == [1])
    }
}
