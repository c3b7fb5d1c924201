import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// Changes of orders that work.
@Suite struct ChangedOrderTests {
    private func bar(
        _ slot: Int, _ open: Int64, _ high: Int64, _ low: Int64, _ close: Int64,
        volume: Int64 = 1_000_000
    ) -> Bar {
        Make.bar(slot, open: open, high: high, low: low, close: close, volume: volume)
    }

    private let made = [OrderFact.modified(1)]
    private let refused = [OrderFact.modificationRefused(1)]

    @Test func newPriceHoldsFromTheNextBarOn() {
        var venue = VenueRig()
        let stop = Make.order(.sell, 10, .stop(cents: 95_00))
        _ = venue.submit(stop, at: Make.open)
        _ = venue.play(bar(0, 100_00, 100_00, 98_00, 100_00))
        let moved = Make.order(.sell, 10, .stop(cents: 97_00))
        #expect(venue.modify(1, to: moved, at: Make.time(60)) == made)
        #expect(
            venue.play(bar(1, 100_00, 100_00, 96_00, 96_00)).fills
                == [Fill(1, 10, 97_00, Make.time(120))])
    }

    /// Half a minute into the bar, whose low of 96.00 may have come before: the old stop of 95.00 was there
    /// all the time and is not met, the new one of 97.00 is met by the next bar.
    @Test func withinABarTheOldPriceHolds() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.sell, 10, .stop(cents: 95_00)), at: Make.open)
        _ = venue.open(bar(0, 100_00, 100_00, 96_00, 100_00))
        let moved = Make.order(.sell, 10, .stop(cents: 97_00))
        #expect(venue.modify(1, to: moved, at: Make.time(30)) == made)
        #expect(venue.close(bar(0, 100_00, 100_00, 96_00, 100_00)).isEmpty)
        #expect(
            venue.play(bar(1, 100_00, 100_00, 96_50, 96_50)).fills
                == [Fill(1, 10, 97_00, Make.time(120))])
        // The old one is met as ever.
        var other = VenueRig()
        _ = other.submit(Make.order(.sell, 10, .stop(cents: 95_00)), at: Make.open)
        _ = other.open(bar(0, 100_00, 100_00, 94_00, 94_00))
        _ = other.modify(1, to: moved, at: Make.time(30))
        #expect(
            other.close(bar(0, 100_00, 100_00, 94_00, 94_00)).fills
                == [Fill(1, 10, 95_00, Make.time(60))])
    }

    /// At the start of the bar the new stop is gapped over: sold at its open.
    @Test func newPriceMeetsTheOpenItComesFor() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.sell, 10, .stop(cents: 90_00)), at: Make.open)
        _ = venue.open(bar(0, 95_00, 95_00, 95_00, 95_00))
        let moved = Make.order(.sell, 10, .stop(cents: 97_00))
        #expect(
            venue.modify(1, to: moved, at: Make.open).fills == [Fill(1, 10, 95_00, Make.open)])
    }

    @Test func onTicksNothingOlderFillsTheNewPrice() {
        var venue = VenueRig { $0.matching = .ticks }
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 90_00)), at: Make.time(1))
        _ = venue.quote(Make.quote(2, bid: 99_00, ask: 100_00))
        let moved = Make.order(.buy, 10, .limit(cents: 101_00))
        #expect(venue.modify(1, to: moved, at: Make.time(3)) == made)
        #expect(
            venue.quote(Make.quote(4, bid: 99_00, ask: 100_50)).fills
                == [Fill(1, 10, 100_50, Make.time(4))])
    }

    /// A tenth of 600 shares: 60 of 100 are sold. 90 in all are 30 more; 60 are done.
    @Test func newQuantityCountsWhatWasFilled() {
        for (shares, more) in [(90, 30), (60, 0)] as [(Int64, Int64)] {
            var venue = VenueRig { $0.participation = Percent(10) }
            _ = venue.submit(Make.order(.sell, 100, .limit(cents: 101_00)), at: Make.open)
            _ = venue.play(bar(0, 100_00, 101_50, 100_00, 100_00, volume: 600))
            let changed = Make.order(.sell, shares, .limit(cents: 101_00))
            #expect(venue.modify(1, to: changed, at: Make.time(60)) == made)
            let fills = venue.play(bar(1, 100_00, 101_50, 100_00, 100_00)).fills
            #expect(fills.map(\.shares) == (more == 0 ? [] : [more]))
            #expect(venue.orderCount == 0)
        }
    }

    @Test func lessThanWasFilledIsRefused() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(Make.order(.sell, 100, .limit(cents: 101_00)), at: Make.open)
        _ = venue.play(bar(0, 100_00, 101_50, 100_00, 100_00, volume: 600))
        let changed = Make.order(.sell, 59, .limit(cents: 101_00))
        #expect(venue.modify(1, to: changed, at: Make.time(60)) == refused)
        #expect(
            venue.play(bar(1, 100_00, 101_50, 100_00, 100_00)).fills.map(\.shares) == [40])
    }

    /// The target has sold 60 of the group's 100: a stop for 80 has 20 left, one for 60 or less none.
    @Test func groupsFillsCountInANewQuantity() {
        for (shares, left) in [(80, 20), (60, 0), (30, 0)] as [(Int64, Int64)] {
            var venue = VenueRig { $0.participation = Percent(10) }
            let terms = Terms(group: 1, purpose: .protection)
            _ = venue.submit(Make.order(.sell, 100, .stop(cents: 99_00), terms), at: Make.open)
            _ = venue.submit(Make.order(.sell, 100, .limit(cents: 101_00), terms), at: Make.open)
            _ = venue.play(bar(0, 100_00, 101_50, 99_50, 100_00, volume: 600))
            let changed = Make.order(.sell, shares, .stop(cents: 99_00), terms)
            let answers = venue.modify(1, to: changed, at: Make.time(60))
            #expect(answers.first == .modified(1))
            #expect(answers.linked == (left == 0 ? [1] : []))
            // Its own limit first, then the stop, of what is left of both.
            let fills = venue.play(bar(1, 100_00, 100_50, 98_00, 98_00)).fills
            #expect(fills.map(\.shares) == (left == 0 ? [] : [left]))
        }
    }

    /// 60 of 100 bought, 78 of the child's 130 may be sold; the other 52 never come.
    @Test func parentsRestIsMissingFromANewQuantity() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(Make.order(.buy, 100, .limit(cents: 100_00)), at: Make.open)
        let child = Make.order(.sell, 100, .stop(cents: 99_00), Terms(parent: 1))
        _ = venue.submit(child, at: Make.open)
        _ = venue.play(bar(0, 99_50, 99_50, 99_50, 99_50, volume: 600))
        let changed = Make.order(.sell, 130, .stop(cents: 99_00), Terms(parent: 1))
        #expect(venue.modify(2, to: changed, at: Make.time(60)) == made)
        #expect(venue.cancel(1) == [.cancelled(.requested)])
        // The 52 are missing for good: of 140 they leave 88.
        let more = Make.order(.sell, 140, .stop(cents: 99_00), Terms(parent: 1))
        #expect(venue.modify(2, to: more, at: Make.time(60)) == made)
        #expect(
            venue.play(bar(1, 99_50, 99_50, 98_00, 98_00)).fills
                == [Fill(2, 88, 99_00, Make.time(120))])
    }

    @Test func trailingStopKeepsWhatItFollowed() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.sell, 10, .trailing(cents: 2_00)), at: Make.open)
        _ = venue.play(bar(0, 100_00, 105_00, 100_00, 104_00))
        let nearer = Make.order(.sell, 10, .trailing(cents: 1_00))
        #expect(venue.modify(1, to: nearer, at: Make.time(60)) == made)
        #expect(
            venue.play(bar(1, 104_50, 104_50, 103_00, 103_00)).fills
                == [Fill(1, 10, 104_00, Make.time(120))])
    }

    @Test func whatCannotBeChangedIsRefused() {
        var venue = VenueRig { $0.participation = Percent(10) }
        let stop = Make.order(.sell, 10, .stop(cents: 95_00))
        #expect(venue.modify(1, to: stop, at: Make.open) == refused)
        _ = venue.submit(stop, at: Make.open)
        for other in [
            Make.order(.buy, 10, .stop(cents: 95_00)), Make.order(.sell, 10, .market),
            Make.order(.sell, 10, .stop(Price(units: 1))),
            Make.order(.sell, 10, .trailing(cents: 0)),
            Make.order(.sell, 10, .stop(cents: 95_00), Terms(timeInForce: .day)),
            Make.order(.sell, 10, .stop(cents: 95_00), Terms(group: 1)),
            Make.order(.sell, 0, .stop(cents: 95_00)),
        ] {
            #expect(venue.modify(1, to: other, at: Make.open) == refused)
        }
        _ = venue.cancel(1)
        #expect(venue.modify(1, to: stop, at: Make.open) == refused)
    }

    /// Reached, and only 60 of 100 sold for want of volume: another stop price changes nothing.
    @Test func stopThatWasReachedStaysReached() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(Make.order(.sell, 100, .stop(cents: 99_00)), at: Make.open)
        _ = venue.play(bar(0, 100_00, 100_00, 98_00, 98_00, volume: 600))
        let lower = Make.order(.sell, 100, .stop(cents: 90_00))
        #expect(venue.modify(1, to: lower, at: Make.time(60)) == made)
        #expect(
            venue.open(bar(1, 98_00, 98_00, 98_00, 98_00)).fills
                == [Fill(1, 40, 98_00, Make.time(60))])
    }
}
