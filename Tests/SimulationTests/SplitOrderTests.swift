import MarketState
import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// Orders that work at the venue when their shares are split, and orders whose symbols have no more bars.
@Suite struct SplitOrderTests {
    private static let share = InstrumentID(index: 0)

    private func venue(_ change: (inout VenueRules) -> Void = { _ in }) -> SimulatedBroker {
        var rules = VenueRules(calendar: .newYork)
        change(&rules)
        return SimulatedBroker(instruments: Make.instruments("AAA", "BBB"), rules: rules)
    }

    private func ticket(_ number: Int64, _ request: OrderRequest) -> OrderTicket {
        OrderTicket(id: OrderID(number: number), request: request)
    }

    /// A minute of a session of 2024, by the day of January and minutes since the open.
    private func bar(
        _ day: Int, _ minute: Int64, _ cents: Int64, volume: Int64 = 1_000_000, instrument: Int = 0
    ) -> Bar {
        let first = Make.open + .hours(24 * Int64(day - 2)) + .minutes(minute)
        return Bar(
            instrument: InstrumentID(index: instrument), start: first, barSize: .minutes(1),
            open: Price(cents: cents), high: Price(cents: cents), low: Price(cents: cents),
            close: Price(cents: cents), volume: Quantity(shares: volume))
    }

    private func executions(_ answers: [OrderReport]) -> [Execution] {
        answers.compactMap {
            guard case .executed(let execution) = $0.fact else { return nil }
            return execution
        }
    }

    /// 40 of 100 were bought before: 60 old shares are 180 new ones, and the limit of 30.00 one of 10.00.
    @Test func whatMayStillFillIsConvertedAndWhatHasFilledIsNot() throws {
        var venue = venue { $0.participation = Percent(10) }
        var answers: [OrderReport] = []
        let limit = Make.request(
            .buy, 100, .limit(Price(cents: 30_00)), timeInForce: .goodTillCancelled)
        venue.submit(ticket(1, limit), at: Make.open, answers: &answers)
        let first = bar(2, 0, 29_00, volume: 400)
        venue.barOpened(first, answers: &answers)
        venue.barClosed(first, answers: &answers)
        #expect(executions(answers).map(\.quantity) == [Quantity(shares: 40)])
        venue.split(
            Self.share, by: try #require(SplitRatio(snapping: Quantity(shares: 3))),
            answers: &answers)
        let count = answers.count
        let dear = bar(3, 0, 10_01)
        venue.barOpened(dear, answers: &answers)
        venue.barClosed(dear, answers: &answers)
        #expect(answers.count == count)
        venue.barOpened(bar(3, 1, 9_90), answers: &answers)
        #expect(executions(answers).last?.quantity == Quantity(shares: 180))
        #expect(venue.orderCount == 0)
    }

    /// One new share for 100 old ones: nothing is left of 60.
    @Test func anOrderOfLessThanANewShareEnds() throws {
        var venue = venue()
        var answers: [OrderReport] = []
        let limit = Make.request(
            .buy, 60, .limit(Price(cents: 30_00)), timeInForce: .goodTillCancelled)
        venue.submit(ticket(1, limit), at: Make.open, answers: &answers)
        venue.split(
            Self.share, by: try #require(SplitRatio(snapping: try Quantity("0.01"))),
            answers: &answers)
        #expect(answers.last?.fact == .cancelled(.external))
        #expect(venue.orderCount == 0)
    }

    /// Property: for n:1 and 1:n, every n to 10,000: a limit and an order at the market to sell 3,000 shares are for
    /// as many new shares, the limit at the price divided; or they end when nothing is left.
    @Test func ordersFollowEveryWholeRatio() throws {
        for n in 2...10_000 as ClosedRange<Int64> {
            for isForward in [true, false] {
                let decimal =
                    isForward
                    ? Quantity(shares: n) : Quantity(units: (2 * Quantity.unitsPerOne / n + 1) / 2)
                let ratio = try #require(SplitRatio(snapping: decimal))
                var venue = venue()
                var answers: [OrderReport] = []
                venue.submit(
                    ticket(
                        1,
                        Make.request(
                            .sell, 3_000, .limit(Price(cents: 300_00)), purpose: .exit,
                            timeInForce: .goodTillCancelled)), at: Make.open, answers: &answers)
                venue.submit(
                    ticket(
                        2,
                        Make.request(
                            .sell, 3_000, purpose: .exit, timeInForce: .goodTillCancelled)),
                    at: Make.open, answers: &answers)
                venue.split(Self.share, by: ratio, answers: &answers)
                let whole = isForward ? 3_000 * n : 3_000 / n
                let units = Int128(Price(cents: 300_00).units) * Int128(ratio.old)
                let price = Price(units: Int64(units / Int128(ratio.new)))
                // Well above the limit.
                let cents = 2 * (price.units / 1_000_000) + 2
                venue.barOpened(
                    bar(3, 0, cents, volume: 1_000_000_000), answers: &answers)
                let sold = executions(answers).map(\.quantity)
                let expected =
                    whole > 0 ? [Quantity(shares: whole), Quantity(shares: whole)] : []
                if sold != expected || venue.orderCount != 0 {
                    Issue.record("\(ratio.new):\(ratio.old): \(sold)")
                }
            }
        }
    }

    // MARK: The end of a day order

    /// The other share trades on; the order's own has no bar any more. It ends at 16:00 all the same.
    @Test func aDayOrderEndsWithItsSessionByTheClock() {
        var venue = venue()
        var answers: [OrderReport] = []
        venue.submit(
            ticket(1, Make.request(.buy, 100, .limit(Price(cents: 1_00)))),
            at: bar(2, 10, 30_00).start, answers: &answers)
        let other = bar(2, 389, 20_00, instrument: 1)
        venue.barOpened(other, answers: &answers)
        venue.barClosed(other, answers: &answers)
        venue.passTime(to: other.end - .seconds(1), answers: &answers)
        #expect(answers.last?.fact == .acknowledged)
        venue.passTime(to: other.end, answers: &answers)
        #expect(answers.last?.fact == .cancelled(.expired))
        #expect(venue.orderCount == 0)
    }

    /// Sent at the close of the 2nd, it is for the 3rd; its share has no bar on that day.
    @Test func aDayOrderForASessionWithoutABarEndsWithThatSession() {
        var venue = venue()
        var answers: [OrderReport] = []
        venue.submit(
            ticket(1, Make.request(.buy, 100)), at: bar(2, 389, 30_00).end, answers: &answers)
        venue.passTime(to: bar(3, 389, 30_00).start, answers: &answers)
        #expect(venue.orderCount == 1)
        venue.barOpened(bar(4, 0, 30_00), answers: &answers)
        #expect(executions(answers).isEmpty)
        #expect(answers.last?.fact == .cancelled(.expired))
    }

    /// Good till cancelled means that.
    @Test func whatIsGoodTillCancelledHasNoEnd() {
        var venue = venue()
        var answers: [OrderReport] = []
        let stop = Make.request(
            .sell, 100, .stop(Price(cents: 1_00)), timeInForce: .goodTillCancelled)
        venue.submit(ticket(1, stop), at: Make.open, answers: &answers)
        venue.passTime(to: Make.open + .hours(24 * 365), answers: &answers)
        #expect(venue.orderCount == 1)
    }
}
