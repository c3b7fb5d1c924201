import MarketState
import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// Trailing stops, stop-limits, auctions and times in force over several bars.
@Suite struct BarOrderTests {
    private func bar(
        _ slot: Int, _ open: Int64, _ high: Int64, _ low: Int64, _ close: Int64,
        volume: Int64 = 1_000_000
    ) -> Bar {
        Make.bar(slot, open: open, high: high, low: low, close: close, volume: volume)
    }

    // MARK: Trailing stops

    /// Starts at 100 - 2 = 98; the highs of 101, 103 and 102.50 move it to 99, 101 and no further.
    @Test func trailingStopRatchetsOverBarsAndNeverBack() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.sell, 10, .trailing(cents: 2_00)), at: Make.open)
        #expect(venue.play(bar(0, 100_00, 101_00, 98_01, 100_00)).isEmpty)
        #expect(venue.play(bar(1, 101_00, 103_00, 99_01, 102_00)).isEmpty)
        #expect(venue.play(bar(2, 102_00, 102_50, 101_01, 102_00)).isEmpty)
        #expect(
            venue.play(bar(3, 102_00, 102_00, 100_00, 100_00)).fills
                == [Fill(1, 10, 101_00, Make.time(240))])
    }

    /// Starts at 100 + 2 = 102; the lows of 97 and 98 move it to 99.
    @Test func trailingStopThatBuysFollowsDownwards() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .trailing(cents: 2_00)), at: Make.open)
        #expect(venue.play(bar(0, 100_00, 101_99, 97_00, 98_00)).isEmpty)
        #expect(venue.play(bar(1, 98_50, 98_99, 98_00, 98_50)).isEmpty)
        #expect(
            venue.play(bar(2, 98_50, 99_00, 98_40, 99_00)).fills
                == [Fill(1, 10, 99_00, Make.time(180))])
    }

    /// 3 percent behind 100.50 is 97.485, on a tick away from triggering 97.48; the high of 103 moves
    /// it to 99.91.
    @Test func trailingStopByPercentIsKeptOnATick() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.sell, 10, .trailingStop(.percent(Percent(3)))), at: Make.open)
        #expect(venue.play(bar(0, 100_50, 103_00, 97_49, 102_00)).isEmpty)
        #expect(
            venue.play(bar(1, 102_00, 102_00, 99_00, 99_00)).fills
                == [Fill(1, 10, 99_91, Make.time(120))])
    }

    @Test func trailingStopThatIsGappedOverFillsAtTheOpen() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.sell, 10, .trailing(cents: 2_00)), at: Make.open)
        _ = venue.play(bar(0, 100_00, 101_00, 99_50, 101_00))
        let gap = bar(1, 95_00, 96_00, 94_00, 95_00)
        #expect(venue.open(gap).fills == [Fill(1, 10, 95_00, Make.time(60))])
    }

    /// The high of 103 comes before or after the low of 100.50: only a path tells. From 100.60 the
    /// low is nearer, so it comes first, and then the fall from 103 to 100.90 meets 101.
    @Test func ownExtremeMovesATrailingStopWithinTheBarOnlyOnAPath() {
        let shape = bar(0, 100_60, 103_00, 100_50, 100_90)
        var worst = VenueRig()
        _ = worst.submit(Make.order(.sell, 10, .trailing(cents: 2_00)), at: Make.open)
        #expect(worst.play(shape).isEmpty)
        #expect(worst.ambiguousBarCount == 1)
        var path = VenueRig { $0.barPath = .ohlcPath }
        _ = path.submit(Make.order(.sell, 10, .trailing(cents: 2_00)), at: Make.open)
        #expect(path.play(shape).fills == [Fill(1, 10, 101_00, Make.time(60))])
        #expect(path.ambiguousBarCount == 1)
    }

    // MARK: Stop-limits

    /// Triggered by the gap to 95, far below its limit of 98; it rests and fills when prices return.
    @Test func stopLimitThatGapsPastItsLimitRests() {
        var venue = VenueRig()
        _ = venue.submit(
            Make.order(.sell, 10, .stopLimit(stop: 99_00, limit: 98_00)), at: Make.open)
        #expect(venue.play(bar(0, 100_00, 101_00, 99_50, 100_00)).isEmpty)
        #expect(venue.play(bar(1, 95_00, 97_00, 94_00, 96_00)).isEmpty)
        #expect(venue.play(bar(2, 96_00, 98_00, 96_00, 97_00)).isEmpty)
        #expect(
            venue.play(bar(3, 97_00, 98_50, 97_00, 98_00)).fills
                == [Fill(1, 10, 98_00, Make.time(240))])
    }

    /// A purchase triggered at 101 wants 100.50 or less. That the low of 99 came afterwards is not
    /// assumed; the next bar's open of 100.20 is better.
    @Test func limitBehindItsStopWaitsForTheNextBar() {
        var venue = VenueRig()
        _ = venue.submit(
            Make.order(.buy, 10, .stopLimit(stop: 101_00, limit: 100_50)), at: Make.open)
        #expect(venue.play(bar(0, 100_00, 102_00, 99_00, 101_50)).isEmpty)
        #expect(venue.ambiguousBarCount == 1)
        #expect(
            venue.open(bar(1, 100_20, 101_00, 100_00, 101_00)).fills
                == [Fill(1, 10, 100_20, Make.time(60))])
    }

    /// Slippage belongs to stops, not to what works at a limit.
    @Test func gapThroughAStopFillsAtTheOpenPlusSlippage() {
        var venue = VenueRig { $0.slippage = .fixed(Price(cents: 5)) }
        _ = venue.submit(Make.order(.sell, 10, .stop(cents: 99_00)), at: Make.open)
        _ = venue.submit(
            Make.order(.sell, 10, .stopLimit(stop: 99_00, limit: 90_00)), at: Make.open)
        #expect(
            venue.open(bar(0, 95_00, 96_00, 94_00, 95_00)).fills == [
                Fill(1, 10, 94_95, Make.open), Fill(2, 10, 95_00, Make.open),
            ])
    }

    // MARK: Auctions

    private func auction(_ type: OrderType, _ side: Side = .buy) -> OrderRequest {
        Make.order(side, 10, type, Terms(timeInForce: .day))
    }

    /// Of the day after, 3 January: the minute that begins so many minutes after midnight UTC.
    private func minute(_ minutes: Int64, _ cents: Int64, day: String = "2024-01-03") throws -> Bar
    {
        let price = Price(cents: cents)
        return Bar(
            instrument: InstrumentID(index: 0),
            start: Timestamp(day: try #require(Day(day)), sinceMidnight: .minutes(minutes)),
            barSize: .minutes(1), open: price, high: price + Price(cents: 50),
            low: price - Price(cents: 50), close: price + Price(cents: 10),
            volume: Quantity(shares: 1_000_000))
    }

    @Test func openingAuctionIsTheOpenOfTheFirstBar() {
        var venue = VenueRig()
        _ = venue.submit(auction(.marketOnOpen), at: Make.open - .minutes(2))
        _ = venue.submit(auction(.limitOnOpen(Price(cents: 101_00))), at: Make.open - .minutes(2))
        // Not better than the limit: over.
        _ = venue.submit(auction(.limitOnOpen(Price(cents: 100_00))), at: Make.open - .minutes(2))
        let answers = venue.open(bar(0, 100_00, 101_00, 99_00, 100_00))
        #expect(
            answers.fills == [Fill(1, 10, 100_00, Make.open), Fill(2, 10, 100_00, Make.open)])
        #expect(answers.expired == [3])
    }

    @Test func orderAfterTheCutOffIsForTheNextOpen() throws {
        var venue = VenueRig()
        _ = venue.submit(auction(.marketOnOpen), at: Make.open - .seconds(119))
        #expect(venue.play(bar(0, 100_00, 101_00, 99_00, 100_00)).isEmpty)
        #expect(venue.play(bar(389, 100_00, 101_00, 99_00, 100_00)).isEmpty)
        let next = try minute(14 * 60 + 30, 105_00)
        #expect(venue.open(next).fills == [Fill(1, 10, 105_00, next.start)])
    }

    /// The minute before the bell is no session; the auction is held where it begins.
    @Test func barBeforeTheBellHoldsNoAuction() {
        var venue = VenueRig()
        _ = venue.submit(auction(.marketOnOpen), at: Make.open - .minutes(5))
        #expect(venue.play(bar(-1, 98_00, 98_00, 98_00, 98_00)).isEmpty)
        #expect(venue.open(bar(0, 100_00, 101_00, 99_00, 100_00)).fills.map(\.cents) == [100_00])
    }

    @Test func closingAuctionIsTheCloseOfTheLastBar() {
        var venue = VenueRig()
        _ = venue.submit(auction(.marketOnClose, .sell), at: Make.time(379 * 60) + .minutes(1))
        _ = venue.submit(auction(.limitOnClose(Price(cents: 99_50)), .sell), at: Make.open)
        _ = venue.submit(auction(.limitOnClose(Price(cents: 100_00)), .sell), at: Make.open)
        #expect(venue.play(bar(388, 100_00, 101_00, 99_00, 100_50)).isEmpty)
        let last = bar(389, 100_00, 101_00, 99_00, 99_80)
        #expect(venue.open(last).isEmpty)
        let answers = venue.close(last)
        #expect(answers.fills.map(\.cents) == [99_80, 99_80])
        #expect(answers.expired == [3])
    }

    @Test func orderAfterTheClosingCutOffIsForTheNextClose() throws {
        var venue = VenueRig()
        _ = venue.submit(auction(.marketOnClose), at: Make.time(380 * 60) + .seconds(1))
        #expect(venue.play(bar(389, 100_00, 101_00, 99_00, 100_00)).isEmpty)
        let last = try minute(20 * 60 + 59, 105_00)
        #expect(venue.play(last).fills == [Fill(1, 10, 105_10, last.end)])
    }

    /// 3 July 2024 closes at 13:00 in New York, 17:00 UTC.
    @Test func earlyCloseHoldsItsAuctionEarly() throws {
        var venue = VenueRig()
        let morning = try minute(13 * 60 + 30, 100_00, day: "2024-07-03")
        _ = venue.submit(auction(.marketOnClose), at: morning.start)
        _ = venue.submit(
            Make.order(.buy, 10, .limit(cents: 1_00), Terms(timeInForce: .day)), at: morning.start)
        #expect(venue.play(morning).isEmpty)
        let last = try minute(16 * 60 + 59, 101_00, day: "2024-07-03")
        let answers = venue.play(last)
        #expect(answers.fills == [Fill(1, 10, 101_10, last.end)])
        #expect(answers.expired == [2])
    }

    @Test func dailyBarHoldsBothAuctions() {
        var venue = VenueRig()
        _ = venue.submit(auction(.marketOnOpen), at: Make.open - .hours(1))
        _ = venue.submit(auction(.marketOnClose), at: Make.open - .hours(1))
        let day = Make.bar(
            0, open: 100_00, high: 105_00, low: 99_00, close: 104_00, barSize: .minutes(390))
        #expect(venue.play(day).fills.map(\.cents) == [100_00, 104_00])
    }

    // MARK: Times in force

    @Test func immediateOrderMeetsOneOpenAndIsGone() {
        var venue = VenueRig { $0.participation = Percent(10) }
        let terms = Terms(timeInForce: .immediateOrCancel)
        _ = venue.submit(Make.order(.buy, 150, .market, terms), at: Make.open)
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 99_50), terms), at: Make.open)
        let answers = venue.open(bar(0, 100_00, 101_00, 99_00, 100_00, volume: 1_000))
        #expect(answers.fills == [Fill(1, 100, 100_00, Make.open)])
        #expect(answers.expired == [1, 2])
        #expect(venue.orderCount == 0)
    }

    @Test func orderGoodTillADateEndsBeforeIt() {
        let terms = Terms(timeInForce: .goodTillDate(Make.time(120)))
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 99_00), terms), at: Make.open)
        #expect(venue.play(bar(0, 100_00, 101_00, 99_50, 100_00)).isEmpty)
        #expect(venue.play(bar(1, 100_00, 101_00, 99_50, 100_00)) == [.cancelled(.expired)])
        #expect(venue.play(bar(2, 90_00, 91_00, 89_00, 90_00)).isEmpty)
    }

    /// Nobody knows whether the low of the hour came within its first half.
    @Test func orderGoodTillADateWithinABarMeetsItsOpenOnly() {
        let terms = Terms(timeInForce: .goodTillDate(Make.time(1_800)))
        let hour = Make.bar(
            0, open: 100_00, high: 101_00, low: 98_00, close: 100_00, barSize: .hours(1))
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 99_00), terms), at: Make.open)
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_50), terms), at: Make.open)
        let answers = venue.play(hour)
        #expect(answers.fills == [Fill(2, 10, 100_00, Make.open)])
        #expect(answers.expired == [1])
    }

    // MARK: Hours

    /// The minute before the bell reaches everything; only what works outside hours takes part.
    @Test func onlyOrdersThatAskForItWorkOutsideRTH() {
        var venue = VenueRig()
        for isOutside in [false, true] {
            let terms = Terms(outsideRTH: isOutside)
            for type in [
                OrderType.market, .limit(cents: 99_50), .stop(cents: 101_00),
                .stopLimit(stop: 101_00, limit: 102_00), .trailing(cents: 50),
            ] {
                _ = venue.submit(Make.order(.buy, 10, type, terms), at: Make.open - .minutes(1))
            }
        }
        let early = bar(-1, 100_00, 102_00, 99_00, 101_00)
        #expect(venue.play(early).fills.map(\.order).sorted() == [6, 7, 8, 9, 10])
        // At the bell the others begin; the trailing stop starts from there.
        #expect(venue.open(bar(0, 101_50, 101_60, 101_40, 101_50)).fills.map(\.order) == [1, 3, 4])
    }

    /// 2 January 2024, 17:00 in New York is 22:00 UTC: after the session, before midnight.
    @Test func dayOrderOutsideRTHEndsWithTheDay() throws {
        var venue = VenueRig()
        let terms = Terms(timeInForce: .day, outsideRTH: true)
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 1_00), terms), at: Make.open)
        #expect(venue.play(bar(389, 100_00, 101_00, 99_00, 100_00)).isEmpty)
        #expect(venue.play(try minute(22 * 60, 100_00, day: "2024-01-02")).isEmpty)
        #expect(venue.play(try minute(14 * 60 + 30, 1_00)).expired == [1])
    }

    /// New Year's Day is a Monday without a session; bars of it are outside all hours.
    @Test func dayWithoutASessionIsOutsideRTH() throws {
        var venue = VenueRig()
        let holiday = try minute(15 * 60, 100_00, day: "2024-01-01")
        _ = venue.submit(Make.order(.buy, 10, .market), at: holiday.start)
        #expect(venue.play(holiday).isEmpty)
        #expect(venue.open(bar(0, 100_00, 101_00, 99_00, 100_00)).fills.count == 1)
    }

    // MARK: Refusals

    @Test(arguments: [
        (OrderType.marketOnOpen, TimeInForce.goodTillCancelled, false),
        (.marketOnClose, .immediateOrCancel, false),
        (.limitOnOpen(Price(cents: 1_00)), .day, true),
        (.limitOnClose(Price(cents: 1_00)), .goodTillDate(Make.open), false),
        (.stop(Price(cents: 1_00)), .immediateOrCancel, false),
        (.trailing(cents: 1_00), .immediateOrCancel, false),
        (.trailing(cents: 0), .day, false), (.trailing(cents: -1), .day, false),
        (.trailingStop(.percent(.hundred)), .day, false),
        (.trailingStop(.percent(.zero)), .day, false),
    ])
    func termsThatDoNotGoTogetherAreRejected(
        type: OrderType, timeInForce: TimeInForce, isOutside: Bool
    ) {
        var venue = VenueRig()
        let terms = Terms(timeInForce: timeInForce, outsideRTH: isOutside)
        #expect(
            venue.submit(Make.order(.buy, 10, type, terms), at: Make.open)
                == [.rejected(.invalidTerms)])
        #expect(venue.orderCount == 0)
    }

    @Test func everyPriceMustBeOnATick() throws {
        let odd = try Price("100.005")
        let even = Price(cents: 100_00)
        for type in [
            OrderType.stopLimit(stop: odd, limit: even), .stopLimit(stop: even, limit: odd),
            .limitOnOpen(odd), .limitOnClose(odd), .trailingStop(.amount(odd)),
        ] {
            var venue = VenueRig()
            #expect(
                venue.submit(auction(type), at: Make.open) == [.rejected(.priceNotOnTick)])
        }
    }
}
