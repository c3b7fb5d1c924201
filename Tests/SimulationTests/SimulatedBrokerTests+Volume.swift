import MarketState
import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// How much of a bar's volume orders get.
@Suite struct SimulatedBrokerVolumeTests {
    private func bar(
        _ slot: Int, volume: Int64, open: Int64 = 100_00, high: Int64? = nil, low: Int64? = nil
    ) -> Bar {
        Make.bar(slot, open: open, high: high, low: low, close: open, volume: volume)
    }

    private func request(_ side: Side, _ shares: Int64, _ type: OrderType = .market) -> OrderRequest
    {
        Make.request(side, shares, type, timeInForce: .goodTillCancelled)
    }

    @Test func participationIsForAllOrdersTogether() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.buy, 80), at: Make.open)
        _ = venue.submit(request(.sell, 50), at: Make.open)
        // 100 of 1,000: the older gets 80, the newer 20; then its other 30.
        #expect(
            venue.play(bar(0, volume: 1_000)).fills == [
                Fill(1, 80, 100_00, Make.open), Fill(2, 20, 100_00, Make.open),
            ])
        #expect(venue.play(bar(1, volume: 1_000)).fills == [Fill(2, 30, 100_00, Make.time(60))])
        #expect(venue.play(bar(2, volume: 1_000)).isEmpty)
    }

    @Test func participationIsCutToWholeShares() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.buy, 500), at: Make.open)
        // 99.9 of 999.
        #expect(venue.play(bar(0, volume: 999)).fills.map(\.shares) == [99])
        #expect(venue.play(bar(1, volume: 9)).fills.isEmpty)
    }

    @Test func whatTheOpenTookIsGoneWithinTheBar() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.buy, 70), at: Make.open)
        _ = venue.submit(request(.buy, 70, .limit(Price(cents: 99_00))), at: Make.open)
        let bar = bar(0, volume: 1_000, low: 98_00)
        #expect(venue.open(bar).fills == [Fill(1, 70, 100_00, Make.open)])
        #expect(venue.close(bar).fills == [Fill(2, 30, 99_00, Make.time(60))])
    }

    @Test func stopTakesItsVolumeBeforeAnOlderLimit() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.sell, 70, .limit(Price(cents: 101_00))), at: Make.open)
        _ = venue.submit(request(.sell, 70, .stop(Price(cents: 99_00))), at: Make.open)
        let fills = venue.play(bar(0, volume: 1_000, high: 102_00, low: 98_00)).fills
        #expect(
            fills == [Fill(2, 70, 99_00, Make.time(60)), Fill(1, 30, 101_00, Make.time(60))])
    }

    @Test func orderAtTheStartOfARunningBarGetsWhatIsLeft() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.buy, 80), at: Make.open - .seconds(1))
        _ = venue.open(bar(0, volume: 1_000))
        #expect(venue.submit(request(.buy, 80), at: Make.open).fills.map(\.shares) == [20])
    }

    @Test func triggeredStopGoesOnAtTheMarketWhenTheVolumeIsUsedUp() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.sell, 150, .stop(Price(cents: 99_00))), at: Make.open)
        #expect(
            venue.play(bar(0, volume: 1_000, low: 98_00)).fills == [
                Fill(1, 100, 99_00, Make.time(60))
            ])
        // The price is back above the stop: the rest sells at the open all the same.
        #expect(
            venue.play(bar(1, volume: 1_000, open: 103_00)).fills == [
                Fill(1, 50, 103_00, Make.time(60))
            ])
    }

    @Test func stopThatWasGappedOverWithoutVolumeStaysTriggered() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.sell, 50, .stop(Price(cents: 99_00))), at: Make.open)
        #expect(venue.play(bar(0, volume: 0, open: 97_00)).fills.isEmpty)
        #expect(
            venue.play(bar(1, volume: 1_000, open: 103_00)).fills == [
                Fill(1, 50, 103_00, Make.time(60))
            ])
    }

    @Test func barWithoutVolumeFillsOnlyWhereVolumeDoesNotCount() {
        var limited = VenueRig { $0.participation = Percent(10) }
        _ = limited.submit(request(.buy, 10), at: Make.open)
        #expect(limited.play(bar(0, volume: 0)).fills.isEmpty)
        #expect(limited.play(bar(1, volume: 100)).fills == [Fill(1, 10, 100_00, Make.time(60))])
        var unlimited = VenueRig()
        _ = unlimited.submit(request(.buy, 10), at: Make.open)
        #expect(unlimited.play(bar(0, volume: 0)).fills == [Fill(1, 10, 100_00, Make.open)])
    }

    @Test func withoutParticipationAnyQuantityFillsAtOnce() {
        var venue = VenueRig()
        _ = venue.submit(request(.buy, 5_000_000), at: Make.open)
        #expect(venue.play(bar(0, volume: 1)).fills == [Fill(1, 5_000_000, 100_00, Make.open)])
    }

    @Test func cancelOfAPartlyFilledOrderEndsItsRest() {
        var venue = VenueRig { $0.participation = Percent(10) }
        _ = venue.submit(request(.buy, 150), at: Make.open)
        _ = venue.play(bar(0, volume: 1_000))
        #expect(venue.cancel(1) == [.cancelled(.requested)])
        #expect(venue.play(bar(1, volume: 1_000)).isEmpty)
    }

    /// Property: over random orders and bars no bar gives more than its part, no order gets more than it
    /// asked for, and every price lies within the bar and on the order's side of its own.
    @Test(arguments: 0..<60 as Range<UInt64>)
    func fillsStayWithinVolumeOrderAndBar(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        var venue = VenueRig { $0.participation = Percent(10) }
        var requests: [OrderRequest] = []
        var filled: [Int64] = []
        for minute in 0..<120 {
            let open = chance.number(in: 98_00...102_00)
            let close = chance.number(in: 98_00...102_00)
            let bar = Make.bar(
                minute, open: open, high: max(open, close) + chance.number(in: 0...50),
                low: min(open, close) - chance.number(in: 0...50), close: close,
                volume: chance.number(in: 0...1_000))
            for _ in 0..<chance.number(in: 0...2) {
                let price = Price(cents: chance.number(in: 98_00...102_00))
                let type = chance.one(of: [OrderType.market, .limit(price), .stop(price)])
                requests.append(
                    request(chance.one(of: [.buy, .sell]), chance.number(in: 1...90), type))
                filled.append(0)
                #expect(!venue.submit(requests[requests.count - 1], at: bar.start).isEmpty)
            }
            var shares: Int64 = 0
            let answers = venue.play(bar)
            for (fill, execution) in zip(answers.fills, answers.executions) {
                shares += fill.shares
                filled[Int(fill.order) - 1] += fill.shares
                try #require(execution.price >= bar.low && execution.price <= bar.high)
                try #require(Self.isGoodEnough(execution, for: requests[Int(fill.order) - 1]))
            }
            try #require(shares * 10 <= bar.volume.units / Quantity.unitsPerOne)
        }
        for (request, filled) in zip(requests, filled) {
            try #require(Quantity(shares: filled) <= request.quantity)
        }
    }

    private static func isGoodEnough(_ execution: Execution, for request: OrderRequest) -> Bool {
        switch (request.type, request.side) {
        case (.limit(let limit), .buy): execution.price <= limit
        case (.limit(let limit), .sell): execution.price >= limit
        case (.market, _), (.stop, _), (.stopLimit, _), (.trailingStop, _), (.marketOnOpen, _),
            (.limitOnOpen, _), (.marketOnClose, _), (.limitOnClose, _):
            execution.side == request.side
        }
    }
}
