import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// Matching with quotes and trades.
@Suite struct TickMatchingTests {
    private func venue(_ change: (inout VenueRules) -> Void = { _ in }) -> VenueRig {
        VenueRig {
            $0.matching = .ticks
            change(&$0)
        }
    }

    // MARK: Market orders

    @Test func marketOrderTakesTheOppositeQuoteAndTheRestOfTheNext() {
        var venue = venue()
        _ = venue.submit(Make.order(.buy, 250, .market), at: Make.time(1))
        #expect(
            venue.quote(Make.quote(2, bid: 99_98, ask: 100_02)).fills
                == [Fill(1, 100, 100_02, Make.time(2))])
        #expect(
            venue.quote(Make.quote(3, bid: 99_99, ask: 100_03)).fills
                == [Fill(1, 100, 100_03, Make.time(3))])
        #expect(
            venue.quote(Make.quote(4, bid: 99_99, ask: 100_04)).fills
                == [Fill(1, 50, 100_04, Make.time(4))])
        #expect(venue.orderCount == 0)
    }

    @Test func saleTakesTheBid() {
        var venue = venue()
        _ = venue.submit(Make.order(.sell, 10, .market), at: Make.time(1))
        #expect(venue.quote(Make.quote(2, bid: 99_98, ask: 100_02)).fills.map(\.cents) == [99_98])
    }

    /// The quote of second 1 is older than the order of second 2, but not than that of second 1.
    @Test func orderFillsOnNothingOlderThanItsArrival() {
        var venue = venue()
        _ = venue.quote(Make.quote(1, bid: 99_98, ask: 100_02))
        #expect(
            venue.submit(Make.order(.buy, 10, .market), at: Make.time(1)).fills.map(\.cents)
                == [100_02])
        #expect(venue.submit(Make.order(.buy, 10, .market), at: Make.time(2)) == [.acknowledged])
        #expect(venue.trade(Make.trade(3, 100_02)).isEmpty)
        #expect(venue.quote(Make.quote(4, bid: 99_98, ask: 100_05)).fills.map(\.cents) == [100_05])
    }

    /// The ask of 100.02 shows 100 again and again, of which the first order took 70; 130 of them are
    /// 30 more. A new price is a new offer.
    @Test func sizeThatWasTakenIsNotTakenAgain() {
        var venue = venue()
        _ = venue.submit(Make.order(.buy, 70, .market), at: Make.time(1))
        _ = venue.submit(Make.order(.buy, 100, .market), at: Make.time(1))
        #expect(
            venue.quote(Make.quote(2, bid: 99_98, ask: 100_02)).fills.map(\.shares) == [70, 30])
        #expect(venue.quote(Make.quote(3, bid: 99_99, ask: 100_02)).isEmpty)
        #expect(
            venue.quote(Make.quote(4, bid: 99_99, ask: 100_02, askSize: 130)).fills.map(\.shares)
                == [30])
        #expect(venue.quote(Make.quote(5, bid: 99_99, ask: 100_01)).fills.map(\.shares) == [40])
    }

    @Test func quoteWithoutASideOrASize() {
        var venue = venue()
        _ = venue.submit(Make.order(.buy, 1_000, .market), at: Make.time(1))
        #expect(venue.quote(Make.quote(2, bid: 99_98, ask: nil)).isEmpty)
        #expect(
            venue.quote(Make.quote(3, bid: nil, ask: 100_02, askSize: nil)).fills.map(\.shares)
                == [1_000])
    }

    @Test func tradesStandInWhereNoQuoteCame() {
        var venue = venue { $0.slippage = .fixed(Price(cents: 3)) }
        _ = venue.submit(Make.order(.buy, 150, .market), at: Make.time(1))
        #expect(
            venue.trade(Make.trade(2, 100_00)).fills == [Fill(1, 100, 100_03, Make.time(2))])
        #expect(venue.trade(Make.trade(3, 101_00)).fills == [Fill(1, 50, 101_03, Make.time(3))])
    }

    @Test func participationIsOfATradesSize() {
        var venue = venue { $0.participation = Percent(25) }
        _ = venue.submit(Make.order(.buy, 20, .market), at: Make.time(1))
        _ = venue.submit(Make.order(.buy, 20, .market), at: Make.time(1))
        #expect(venue.trade(Make.trade(2, 100_00, 100)).fills.map(\.shares) == [20, 5])
    }

    // MARK: Limits

    @Test func limitThatIsBetteredAtItsArrivalGetsTheQuote() {
        var venue = venue()
        _ = venue.quote(Make.quote(1, bid: 99_98, ask: 100_02))
        let answers = venue.submit(Make.order(.buy, 10, .limit(cents: 100_10)), at: Make.time(1))
        #expect(answers.fills == [Fill(1, 10, 100_02, Make.time(1))])
    }

    @Test(arguments: VenueRules.LimitFill.allCases)
    func restingLimitFillsAtItsPrice(limitFill: VenueRules.LimitFill) {
        var venue = venue { $0.limitFill = limitFill }
        _ = venue.submit(Make.order(.buy, 150, .limit(cents: 100_00)), at: Make.time(1))
        #expect(venue.quote(Make.quote(2, bid: 99_98, ask: 100_02)).isEmpty)
        // The ask touches it.
        let touched = venue.quote(Make.quote(3, bid: 99_98, ask: 100_00)).fills
        #expect(touched == (limitFill == .touch ? [Fill(1, 100, 100_00, Make.time(3))] : []))
        // The ask goes through it; the rest by a trade.
        let through = venue.quote(Make.quote(4, bid: 99_95, ask: 99_98)).fills
        #expect(through.map(\.cents) == [100_00])
        #expect(through.map(\.shares) == [limitFill == .touch ? 50 : 100])
        #expect(
            venue.trade(Make.trade(5, 99_99)).fills.map(\.shares)
                == (limitFill == .touch ? [] : [50]))
    }

    @Test func tradeThroughALimitGivesNoMoreThanItsSize() {
        var venue = venue()
        _ = venue.submit(Make.order(.sell, 100, .limit(cents: 100_00)), at: Make.time(1))
        _ = venue.submit(Make.order(.sell, 100, .limit(cents: 100_00)), at: Make.time(1))
        _ = venue.quote(Make.quote(2, bid: 99_98, ask: 100_02))
        #expect(venue.trade(Make.trade(3, 100_00, 500)).isEmpty)
        #expect(
            venue.trade(Make.trade(4, 100_01, 130)).fills
                == [Fill(1, 100, 100_00, Make.time(4)), Fill(2, 30, 100_00, Make.time(4))])
    }

    @Test func immediateLimitMeetsOneQuote() {
        var venue = venue()
        let terms = Terms(timeInForce: .immediateOrCancel)
        _ = venue.submit(Make.order(.buy, 150, .limit(cents: 100_05), terms), at: Make.time(1))
        let answers = venue.quote(Make.quote(2, bid: 99_98, ask: 100_02))
        #expect(answers.fills.map(\.shares) == [100])
        #expect(answers.expired == [1])
    }

    // MARK: Stops

    /// A trade at the stop triggers it; it sells at the bid, not at its stop.
    @Test func stopGoesByTheLastTradeAndFillsAtTheQuote() {
        var venue = venue()
        _ = venue.submit(Make.order(.sell, 10, .stop(cents: 99_00)), at: Make.time(1))
        #expect(venue.quote(Make.quote(2, bid: 98_00, ask: 98_50)).isEmpty)
        #expect(venue.trade(Make.trade(3, 99_01)).isEmpty)
        #expect(venue.trade(Make.trade(4, 99_00)).fills == [Fill(1, 10, 98_00, Make.time(4))])
    }

    @Test func stopGoesByBidAndAskIfAsked() {
        var venue = venue { $0.stopTrigger = .bidAsk }
        _ = venue.submit(Make.order(.sell, 10, .stop(cents: 99_00)), at: Make.time(1))
        _ = venue.submit(Make.order(.buy, 10, .stop(cents: 101_00)), at: Make.time(1))
        #expect(venue.trade(Make.trade(2, 90_00)).isEmpty)
        #expect(venue.quote(Make.quote(3, bid: 99_01, ask: 100_99)).isEmpty)
        #expect(
            venue.quote(Make.quote(4, bid: 98_99, ask: 101_00)).fills
                == [Fill(1, 10, 98_99, Make.time(4)), Fill(2, 10, 101_00, Make.time(4))])
    }

    /// From the last trade of 100 before it came, trailing by 1; 102 moves it to 101.
    @Test func trailingStopFollowsTrades() {
        var venue = venue()
        _ = venue.trade(Make.trade(1, 100_00))
        _ = venue.quote(Make.quote(1, bid: 99_98, ask: 100_02))
        _ = venue.submit(Make.order(.sell, 10, .trailing(cents: 1_00)), at: Make.time(1))
        for (second, cents) in [(2, 99_01), (3, 102_00), (4, 101_50), (5, 101_01)]
            as [(Int64, Int64)]
        {
            #expect(venue.trade(Make.trade(second, cents)).isEmpty)
        }
        _ = venue.quote(Make.quote(6, bid: 100_90, ask: 101_10))
        #expect(venue.trade(Make.trade(7, 101_00)).fills == [Fill(1, 10, 100_90, Make.time(7))])
    }

    @Test func triggeredStopLimitRestsAtItsLimit() {
        var venue = venue()
        let type = OrderType.stopLimit(stop: 101_00, limit: 101_10)
        _ = venue.submit(Make.order(.buy, 10, type), at: Make.time(1))
        _ = venue.quote(Make.quote(2, bid: 101_15, ask: 101_20))
        #expect(venue.trade(Make.trade(3, 101_15)).isEmpty)
        #expect(
            venue.quote(Make.quote(4, bid: 101_00, ask: 101_05)).fills
                == [Fill(1, 10, 101_10, Make.time(4))])
    }

    // MARK: Links, auctions, hours

    @Test func bracketOnTicks() {
        var venue = venue()
        _ = venue.submit(Make.order(.buy, 150, .limit(cents: 100_00)), at: Make.time(1))
        let terms = Terms(parent: 1, group: 1, purpose: .protection)
        _ = venue.submit(Make.order(.sell, 150, .stop(cents: 99_00), terms), at: Make.time(1))
        _ = venue.submit(Make.order(.sell, 150, .limit(cents: 101_00), terms), at: Make.time(1))
        #expect(venue.quote(Make.quote(2, bid: 101_50, ask: 101_60)).isEmpty)
        // 100 of 150 are bought, and only those are for sale.
        #expect(venue.quote(Make.quote(3, bid: 99_50, ask: 99_60)).fills.map(\.shares) == [100])
        #expect(
            venue.quote(Make.quote(4, bid: 101_50, ask: 101_60, bidSize: 500)).fills
                == [Fill(3, 100, 101_00, Make.time(4))])
        // The rest of the entry ends, and with it what was left for the pair.
        #expect(venue.cancel(1).linked == [2, 3])
        #expect(venue.orderCount == 0)
    }

    @Test func auctionsAreTheFirstTradesOfTheSessionAndAfterTheClose() {
        var venue = venue()
        let terms = Terms(timeInForce: .day)
        _ = venue.submit(Make.order(.buy, 10, .marketOnOpen, terms), at: Make.time(-600))
        _ = venue.submit(Make.order(.sell, 10, .marketOnClose, terms), at: Make.time(-600))
        #expect(venue.trade(Make.trade(-60, 99_00)).isEmpty)
        #expect(venue.trade(Make.trade(1, 100_00)).fills == [Fill(1, 10, 100_00, Make.time(1))])
        // 16:00 is 23,400 seconds after the bell; the auction's trade comes 2 seconds later.
        #expect(venue.trade(Make.trade(23_399, 104_00)).isEmpty)
        #expect(venue.quote(Make.quote(23_401, bid: 104_00, ask: 104_10)).isEmpty)
        #expect(
            venue.trade(Make.trade(23_402, 105_00)).fills
                == [Fill(2, 10, 105_00, Make.time(23_402))])
    }

    @Test func ordersWaitOutsideRTHAndEndInTime() {
        var venue = venue()
        let day = Terms(timeInForce: .day)
        let dated = Terms(timeInForce: .goodTillDate(Make.time(10)))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00), day), at: Make.time(-60))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 1_00), dated), at: Make.time(-60))
        #expect(venue.quote(Make.quote(-30, bid: 89_00, ask: 90_00)).isEmpty)
        #expect(venue.quote(Make.quote(9, bid: 100_00, ask: 100_10)).isEmpty)
        #expect(venue.quote(Make.quote(10, bid: 100_00, ask: 100_10)).expired == [2])
        #expect(venue.trade(Make.trade(23_400, 90_00)).expired == [1])
        #expect(
            venue.submit(Make.order(.buy, 10, .market, dated), at: Make.time(23_400))
                == [.acknowledged, .cancelled(.expired)])
    }

    @Test func barsAreLeftAlone() {
        var venue = venue()
        _ = venue.submit(Make.order(.buy, 10, .market), at: Make.open)
        #expect(venue.play(Make.bar(0, open: 100_00, close: 100_00)).isEmpty)
    }

    @Test func quotesGiveBarsTheSpreadOnly() {
        var venue = VenueRig { $0.slippage = .halfSpread(otherwise: Percent(1)) }
        _ = venue.submit(Make.order(.buy, 10, .market), at: Make.open)
        #expect(venue.play(Make.bar(0, open: 100_00, close: 100_00)).fills.map(\.cents) == [101_00])
        #expect(venue.quote(Make.quote(60, bid: 99_97, ask: 100_02)).isEmpty)
        // Half of 5 cents is 2.5, rounded up to a tick.
        _ = venue.submit(Make.order(.sell, 10, .market), at: Make.time(60))
        #expect(venue.play(Make.bar(1, open: 100_00, close: 100_00)).fills.map(\.cents) == [99_97])
    }
}
