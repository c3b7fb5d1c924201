import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// Groups whose orders take each other's place, and children that work for what their parent filled.
@Suite struct LinkedOrderTests {
    private func bar(
        _ slot: Int, _ open: Int64, _ high: Int64, _ low: Int64, _ close: Int64,
        volume: Int64 = 1_000_000
    ) -> Bar {
        Make.bar(slot, open: open, high: high, low: low, close: close, volume: volume)
    }

    /// A stop at 99 and a target at 101 in one group, for what `parent` fills if there is one.
    private func protect(_ venue: inout VenueRig, _ shares: Int64, parent: Int64? = nil) {
        let terms = Terms(parent: parent, group: 1, purpose: .protection)
        _ = venue.submit(Make.order(.sell, shares, .stop(cents: 99_00), terms), at: Make.open)
        _ = venue.submit(Make.order(.sell, shares, .limit(cents: 101_00), terms), at: Make.open)
    }

    // MARK: Groups

    @Test func fillOfOneCancelsTheOther() {
        var venue = VenueRig()
        protect(&venue, 10)
        let answers = venue.play(bar(0, 100_00, 101_50, 99_50, 101_00))
        #expect(answers.fills == [Fill(2, 10, 101_00, Make.time(60))])
        #expect(answers.linked == [1])
        #expect(venue.orderCount == 0)
    }

    @Test func sameBarStopAndTargetIsTakenAsTheStop() {
        var venue = VenueRig()
        protect(&venue, 10)
        let answers = venue.play(bar(0, 100_00, 102_00, 98_00, 100_00))
        #expect(answers.fills == [Fill(1, 10, 99_00, Make.time(60))])
        #expect(answers.linked == [2])
        #expect(venue.ambiguousBarCount == 1)
    }

    /// The nearer extreme comes first: the high from 100.50, the low from 99.50, and the low when
    /// both are as near.
    @Test(arguments: [(100_50, 101_00), (99_50, 99_00), (100_00, 99_00)] as [(Int64, Int64)])
    func sameBarStopAndTargetGoByThePath(open: Int64, price: Int64) {
        var venue = VenueRig { $0.barPath = .ohlcPath }
        protect(&venue, 10)
        let answers = venue.play(bar(0, open, 102_00, 98_00, 100_00))
        #expect(answers.fills.map(\.cents) == [price])
        #expect(answers.linked.count == 1)
        #expect(venue.ambiguousBarCount == 1)
    }

    @Test func barThatReachesOneOfTheGroupIsNotAmbiguous() {
        var venue = VenueRig()
        protect(&venue, 10)
        _ = venue.play(bar(0, 100_00, 101_00, 99_50, 100_00))
        _ = venue.play(bar(1, 100_00, 101_50, 99_50, 100_00))
        #expect(venue.ambiguousBarCount == 0)
    }

    /// A tenth of 600 shares: the target gets 60 of 100, the stop keeps 40 and sells them in the next
    /// bar; then both are over, each with what the other filled taken away.
    @Test func partialFillReducesTheOther() {
        var venue = VenueRig { $0.participation = Percent(10) }
        protect(&venue, 100)
        let first = venue.play(bar(0, 100_00, 101_50, 99_50, 100_00, volume: 600))
        #expect(first.fills == [Fill(2, 60, 101_00, Make.time(60))])
        #expect(first.linked.isEmpty)
        let second = venue.play(bar(1, 100_00, 100_50, 98_00, 98_00))
        #expect(second.fills == [Fill(1, 40, 99_00, Make.time(120))])
        #expect(second.linked == [2, 1])
        #expect(venue.orderCount == 0)
    }

    /// What the group has filled is taken from who comes later, be the others still there or not.
    @Test func lateMemberLosesWhatTheGroupHasFilled() {
        var venue = VenueRig { $0.participation = Percent(10) }
        protect(&venue, 100)
        _ = venue.play(bar(0, 100_00, 101_50, 99_50, 100_00, volume: 600))
        let late = Make.order(.sell, 100, .limit(cents: 100_50), Terms(group: 1))
        _ = venue.submit(late, at: Make.time(60))
        let answers = venue.play(bar(1, 100_00, 101_00, 99_50, 100_00))
        #expect(answers.fills == [Fill(3, 40, 100_50, Make.time(120))])
        #expect(answers.linked.sorted() == [1, 2, 3])
        #expect(venue.submit(late, at: Make.time(120)) == [.acknowledged, .cancelled(.linked)])
        #expect(venue.orderCount == 0)
    }

    @Test func cancelOfOneLeavesTheOther() {
        var venue = VenueRig()
        protect(&venue, 10)
        #expect(venue.cancel(1) == [.cancelled(.requested)])
        #expect(venue.play(bar(0, 100_00, 101_50, 99_50, 101_00)).fills.map(\.order) == [2])
    }

    // MARK: Parents

    @Test func childrenWaitForTheirParent() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 98_00)), at: Make.open)
        protect(&venue, 10, parent: 1)
        #expect(venue.play(bar(0, 100_00, 102_00, 98_50, 100_00)).isEmpty)
        #expect(venue.orderCount == 3)
        #expect(venue.ambiguousBarCount == 0)
    }

    @Test func parentThatFillsAtTheOpenSetsItsChildrenFreeForTheBar() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .market), at: Make.open)
        protect(&venue, 10, parent: 1)
        let answers = venue.play(bar(0, 100_00, 101_50, 99_50, 101_00))
        #expect(
            answers.fills == [Fill(1, 10, 100_00, Make.open), Fill(3, 10, 101_00, Make.time(60))])
        #expect(answers.linked == [2])
    }

    /// Bought at 100 on the way down to 98: the stop at 99 is met after that. That the high of 102 is
    /// too is not assumed.
    @Test func stopOfAParentThatFillsWithinTheBarMeetsTheWorst() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.open)
        protect(&venue, 10, parent: 1)
        let answers = venue.play(bar(0, 100_50, 102_00, 98_00, 101_00))
        #expect(answers.fills.map(\.order) == [1, 2])
        #expect(answers.fills.map(\.cents) == [100_00, 99_00])
        #expect(answers.linked == [3])
        #expect(venue.ambiguousBarCount == 1)
    }

    /// Bought at 98 on the way down, with a stop at 99: it sells at 98, not at the 99 of before.
    @Test(arguments: VenueRules.BarPath.allCases)
    func stopBeyondItsParentsPriceSellsThere(path: VenueRules.BarPath) {
        var venue = VenueRig { $0.barPath = path }
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 98_00)), at: Make.open)
        let child = Make.order(.sell, 10, .stop(cents: 99_00), Terms(parent: 1))
        _ = venue.submit(child, at: Make.open)
        let answers = venue.play(bar(0, 100_00, 100_00, 97_00, 97_50))
        #expect(answers.fills.map(\.cents) == [98_00, 98_00])
    }

    @Test func targetOfAParentThatFillsWithinTheBarWaitsForTheNext() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.open)
        protect(&venue, 10, parent: 1)
        #expect(venue.play(bar(0, 100_50, 102_00, 99_50, 101_00)).fills.map(\.order) == [1])
        #expect(
            venue.open(bar(1, 101_20, 102_00, 101_00, 102_00)).fills
                == [Fill(3, 10, 101_20, Make.time(60))])
    }

    /// From 100.50 the high of 102 comes first, before the purchase at 100; then the low of 98.
    @Test func childrenBeginWhereThePathFillsTheirParent() {
        var venue = VenueRig { $0.barPath = .ohlcPath }
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.open)
        protect(&venue, 10, parent: 1)
        let answers = venue.play(bar(0, 100_50, 102_00, 98_00, 101_00))
        #expect(answers.fills.map(\.cents) == [100_00, 99_00])
        // The low comes first: bought at 100, above the stop; then up to the target.
        var other = VenueRig { $0.barPath = .ohlcPath }
        _ = other.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.open)
        protect(&other, 10, parent: 1)
        #expect(
            other.play(bar(0, 100_50, 102_00, 99_50, 101_00)).fills.map(\.cents) == [
                100_00, 101_00,
            ])
    }

    /// Trails by 1 from the purchase at 100, not from the open of 100.50 nor from the high.
    @Test func trailingChildStartsFromItsParentsPrice() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 100_00)), at: Make.open)
        _ = venue.submit(
            Make.order(.sell, 10, .trailing(cents: 1_00), Terms(parent: 1)), at: Make.open)
        #expect(venue.play(bar(0, 100_50, 102_00, 99_01, 99_50)).fills.map(\.order) == [1])
        #expect(
            venue.play(bar(1, 99_50, 99_60, 98_50, 98_50)).fills
                == [Fill(2, 10, 99_00, Make.time(120))])
    }

    /// A tenth of 600: 60 of 100 are bought, so 60 are protected; the other 40 follow.
    @Test func childrenWorkForWhatAParentHasPartlyFilled() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(Make.order(.buy, 100, .market), at: Make.open)
        protect(&venue, 100, parent: 1)
        #expect(
            venue.play(bar(0, 100_00, 100_50, 99_50, 100_00, volume: 600)).fills.map(\.shares) == [
                60
            ])
        // 40 more bought at the open, then all 100 sold at the stop.
        let answers = venue.play(bar(1, 100_00, 100_50, 98_00, 98_00))
        #expect(
            answers.fills == [
                Fill(1, 40, 100_00, Make.time(60)), Fill(2, 100, 99_00, Make.time(120)),
            ])
    }

    /// The stop-limit was triggered before; when its parent fills more within a bar, the part set free
    /// waits for the next open of 100.30, and is not sold at its limit of 97, which nobody paid.
    @Test func partSetFreeWithinABarWaitsThoughItsStopWasTriggered() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(Make.order(.buy, 100, .limit(cents: 100_00)), at: Make.open)
        let child = OrderType.stopLimit(stop: 99_50, limit: 97_00)
        _ = venue.submit(Make.order(.sell, 100, child, Terms(parent: 1)), at: Make.open)
        // 60 bought and the volume is used up: 60 wait for a price, triggered.
        #expect(
            venue.play(bar(0, 100_50, 100_50, 99_00, 99_00, volume: 600)).fills
                == [Fill(1, 60, 100_00, Make.time(60))])
        #expect(
            venue.play(bar(1, 100_50, 101_00, 99_80, 100_00)).fills == [
                Fill(2, 60, 100_50, Make.time(60)), Fill(1, 40, 100_00, Make.time(120)),
            ])
        #expect(
            venue.open(bar(2, 100_30, 100_30, 100_30, 100_30)).fills
                == [Fill(2, 40, 100_30, Make.time(120))])
    }

    @Test func stopSellsNoMoreThanItsParentBought() {
        var venue = VenueRig { $0.participation = Percent(10) }
        let day = Make.order(
            .buy, 100, .limit(cents: 100_50), Terms(timeInForce: .immediateOrCancel))
        _ = venue.submit(day, at: Make.open)
        protect(&venue, 100, parent: 1)
        // 60 bought, the rest cancelled: the children lose 40 each.
        #expect(venue.play(bar(0, 100_00, 100_50, 99_50, 100_00, volume: 600)).expired == [1])
        let answers = venue.play(bar(1, 100_00, 100_50, 98_00, 98_00))
        #expect(answers.fills == [Fill(2, 60, 99_00, Make.time(120))])
        #expect(answers.linked.sorted() == [2, 3])
    }

    @Test func cancelOfAnUnfilledParentCancelsItsChildren() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 98_00)), at: Make.open)
        protect(&venue, 10, parent: 1)
        // And a child of a child.
        _ = venue.submit(Make.order(.buy, 10, .market, Terms(parent: 2)), at: Make.open)
        let answers = venue.cancel(1)
        #expect(
            answers == [
                .cancelled(.requested), .cancelled(.linked), .cancelled(.linked),
                .cancelled(.linked),
            ])
        #expect(answers.linked == [2, 3, 4])
        #expect(venue.orderCount == 0)
    }

    @Test func expiryOfAnUnfilledParentCancelsItsChildren() {
        var venue = VenueRig()
        let day = Make.order(.buy, 10, .limit(cents: 98_00), Terms(timeInForce: .day))
        _ = venue.submit(day, at: Make.open)
        protect(&venue, 10, parent: 1)
        let answers = venue.play(bar(389, 100_00, 101_50, 98_50, 100_00))
        #expect(answers.expired == [1])
        #expect(answers.linked == [2, 3])
    }

    @Test func childOfAParentThatHasFilledAndGoneWorksAtOnce() {
        var venue = VenueRig()
        _ = venue.submit(Make.order(.buy, 10, .market), at: Make.open)
        _ = venue.play(bar(0, 100_00, 100_50, 99_50, 100_00))
        _ = venue.submit(
            Make.order(.sell, 15, .stop(cents: 99_00), Terms(parent: 1)), at: Make.time(60))
        // The parent filled all of its 10, so that nothing is missing from the child's 15.
        let answers = venue.play(bar(1, 100_00, 100_50, 98_00, 98_00))
        #expect(answers.fills == [Fill(2, 15, 99_00, Make.time(120))])
        #expect(answers.linked.isEmpty)
    }

    @Test func childWithoutAParentThatCouldFillIsRejected() {
        var venue = VenueRig()
        let child = Make.order(.sell, 10, .stop(cents: 99_00), Terms(parent: 1))
        #expect(venue.submit(child, at: Make.open) == [.rejected(.noParent)])
        _ = venue.submit(Make.order(.buy, 10, .limit(cents: 98_00)), at: Make.open)
        _ = venue.cancel(2)
        let late = Make.order(.sell, 10, .stop(cents: 99_00), Terms(parent: 2))
        #expect(venue.submit(late, at: Make.open) == [.rejected(.noParent)])
    }

    @Test func parentMayBeInAnotherInstrument() {
        var venue = VenueRig()
        _ = venue.submit(
            Make.request(.buy, 10, .limit(cents: 50_00), instrument: 1), at: Make.open)
        let child = Make.order(.sell, 10, .market, Terms(parent: 1))
        #expect(venue.submit(child, at: Make.open) == [.acknowledged])
        #expect(venue.play(bar(0, 100_00, 100_50, 99_00, 99_00)).isEmpty)
        #expect(venue.cancel(1) == [.cancelled(.requested), .cancelled(.linked)])
        #expect(venue.orderCount == 0)
    }
}
