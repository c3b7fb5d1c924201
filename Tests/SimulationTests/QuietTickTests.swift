import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// Within which bounds quotes and trades change nothing for the orders that work. The session of the rig's
/// day lasts six and a half hours.
@Suite struct QuietTickTests {
    private static let close = Make.time(23_400)

    private func venue(_ change: (inout VenueRules) -> Void = { _ in }) -> VenueRig {
        VenueRig {
            $0.matching = .ticks
            change(&$0)
        }
    }

    private func bounds(low: Int64? = nil, high: Int64? = nil, end: Timestamp) -> TickBounds {
        var bounds = TickBounds()
        bounds.end = end
        if let low { bounds.low = Price(units: low) }
        if let high { bounds.high = Price(units: high) }
        return bounds
    }

    @Test func nothingIsOfConcernWithoutOrders() {
        var venue = venue()
        #expect(venue.quietBounds == TickBounds())
    }

    /// A buy at 100.00 and a sale at 101.00, of which none was filled at once.
    @Test func limitsThatRestBoundWhatIsAskedAndBid() {
        var venue = venue()
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.time(1))
        _ = venue.submit(Make.order(.sell, 10, .limit(cents: 101_00)), at: Make.time(1))
        #expect(
            venue.quietBounds
                == bounds(low: 10_000_000_000, high: 10_100_000_000, end: Self.close))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_20)), at: Make.time(1))
        #expect(
            venue.quietBounds
                == bounds(low: 10_020_000_000, high: 10_100_000_000, end: Self.close))
        _ = venue.cancel(2)
        #expect(venue.quietBounds == bounds(low: 10_020_000_000, end: Self.close))
    }

    /// Where a touch fills, a price unit less is the next that does not.
    @Test func limitsThatFillWhenTouchedLeaveTheirPriceOut() {
        var venue = venue { $0.limitFill = .touch }
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.time(1))
        _ = venue.submit(Make.order(.sell, 10, .limit(cents: 101_00)), at: Make.time(1))
        #expect(
            venue.quietBounds
                == bounds(low: 10_000_000_001, high: 10_099_999_999, end: Self.close))
    }

    /// It gets the first quote it meets, at its price or better: until then each tick may be that.
    @Test func limitThatHasMetNoPriceReceivesEachTick() {
        var venue = venue()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.time(1))
        #expect(venue.quietBounds == nil)
        _ = venue.quote(Make.quote(2, bid: 100_40, ask: 100_60))
        #expect(venue.quietBounds == bounds(low: 10_000_000_000, end: Self.close))
    }

    /// 100 of 150 are bought; the rest goes on resting.
    @Test func limitThatIsFilledInPartRests() {
        var venue = venue()
        _ = venue.submit(Make.order(.buy, 150, .limit(cents: 100_00)), at: Make.time(1))
        _ = venue.quote(Make.quote(2, bid: 99_80, ask: 99_90))
        #expect(venue.quietBounds == bounds(low: 10_000_000_000, end: Self.close))
        #expect(
            venue.quote(Make.quote(3, bid: 99_80, ask: 99_89)).fills
                == [Fill(1, 50, 100_00, Make.time(3))])
        #expect(venue.quietBounds == TickBounds())
    }

    @Test func stopsThatGoByTradesBoundThem() {
        var venue = venue()
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        _ = venue.submit(Make.order(.sell, 10, .stop(cents: 99_00)), at: Make.time(1))
        #expect(venue.quietBounds == bounds(low: 9_900_000_001, end: Self.close))
        let stopLimit = OrderType.stopLimit(stop: 102_00, limit: 102_10)
        _ = venue.submit(Make.order(.buy, 10, stopLimit), at: Make.time(1))
        #expect(
            venue.quietBounds == bounds(low: 9_900_000_001, high: 10_199_999_999, end: Self.close))
    }

    /// Of a stop-limit that was reached it is the limit that counts.
    @Test func stopLimitThatWasReachedRestsAtItsLimit() {
        var venue = venue()
        let stopLimit = OrderType.stopLimit(stop: 102_00, limit: 102_10)
        _ = venue.submit(Make.order(.buy, 10, stopLimit), at: Make.time(1))
        _ = venue.quote(Make.quote(2, bid: 102_20, ask: 102_30))
        _ = venue.trade(Make.trade(3, 102_25))
        #expect(venue.quietBounds == bounds(low: 10_210_000_000, end: Self.close))
    }

    @Test(arguments: [
        OrderType.trailing(cents: 1_00), .marketOnClose, .limitOnClose(Price(cents: 100_00)),
    ])
    func whatFollowsPricesOrWaitsForAnAuctionReceivesEachTick(type: OrderType) {
        var venue = venue()
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        let terms = Terms(timeInForce: type.isAuction ? .day : .goodTillCancelled)
        _ = venue.submit(Make.order(.sell, 10, type, terms), at: Make.time(1))
        #expect(venue.orderCount == 1)
        #expect(venue.quietBounds == nil)
    }

    @Test func stopsThatGoByQuotesReceiveEachTick() {
        var venue = venue { $0.stopTrigger = .bidAsk }
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        _ = venue.submit(Make.order(.sell, 10, .stop(cents: 99_00)), at: Make.time(1))
        #expect(venue.quietBounds == nil)
    }

    @Test func ordersThatEndBoundTheTime() {
        var venue = venue()
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        let terms = Terms(timeInForce: .goodTillDate(Make.time(90)))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00), terms), at: Make.time(1))
        #expect(venue.quietBounds == bounds(low: 10_000_000_000, end: Make.time(90)))
    }

    /// Who works outside regular hours is bound by 20:00 in New York; who does not is told of what begins the day.
    @Test func hoursBoundTheTime() {
        var venue = venue()
        _ = venue.quote(Make.quote(-60, bid: 100_40, ask: 100_60))
        let terms = Terms(outsideRTH: true)
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00), terms), at: Make.time(-60))
        let evening = Self.close + .hours(4)
        #expect(venue.quietBounds == bounds(low: 10_000_000_000, end: evening))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.time(-60))
        #expect(venue.quietBounds == nil)
        _ = venue.quote(Make.quote(0, bid: 100_40, ask: 100_60))
        #expect(venue.quietBounds == bounds(low: 10_000_000_000, end: Self.close))
    }

    /// What waits for its parent meets no price, wherever that is.
    @Test func childrenThatWaitBoundNothing() {
        var venue = venue()
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.time(1))
        let terms = Terms(parent: 1, purpose: .protection)
        _ = venue.submit(Make.order(.sell, 10, .trailing(cents: 1_00), terms), at: Make.time(1))
        #expect(venue.quietBounds == bounds(low: 10_000_000_000, end: Self.close))
        _ = venue.quote(Make.quote(2, bid: 99_80, ask: 99_90))
        #expect(venue.quietBounds == nil)
    }

    /// A price that nobody pays is no bound that could be moved by a unit.
    @Test func limitBeyondAllPricesReceivesEachTick() {
        var venue = venue { $0.limitFill = .touch }
        _ = venue.quote(Make.quote(1, bid: 100_40, ask: 100_60))
        let most = Int64.max / 1_000_000
        _ = venue.submit(Make.order(.sell, 10, .limit(cents: most)), at: Make.time(1))
        #expect(venue.orderCount == 1)
        #expect(venue.quietBounds == nil)
    }

    @Test func boundsHoldWhatIsBetweenThem() {
        let bounds = bounds(low: 10_000_000_000, high: 10_100_000_000, end: Make.time(60))
        #expect(bounds.contains(TickRow(Make.trade(59, 100_00))))
        #expect(bounds.contains(TickRow(Make.trade(59, 101_00))))
        #expect(!bounds.contains(TickRow(Make.trade(59, 99_99))))
        #expect(!bounds.contains(TickRow(Make.trade(59, 101_01))))
        #expect(!bounds.contains(TickRow(Make.trade(60, 100_50))))
        // A bid below and an ask above are far from both.
        #expect(bounds.contains(TickRow(Make.quote(1, bid: 90_00, ask: 110_00))))
        #expect(bounds.contains(TickRow(Make.quote(1, bid: 101_00, ask: 101_01))))
        #expect(!bounds.contains(TickRow(Make.quote(1, bid: 101_01, ask: 101_02))))
        #expect(!bounds.contains(TickRow(Make.quote(1, bid: 99_98, ask: 99_99))))
        #expect(bounds.contains(TickRow(Make.quote(1, bid: nil, ask: 100_00))))
        #expect(!bounds.contains(TickRow(Make.quote(1, bid: 100_50, ask: nil))))
    }
}
