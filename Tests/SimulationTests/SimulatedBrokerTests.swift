import MarketState
import Model
import Primitives
import Simulation
import TestSupport
import Testing

/// Which price an order gets, case by case. Bars are minutes from the opening bell.
@Suite struct SimulatedBrokerTests {
    /// One bar, one order that was there before it, and what becomes of it.
    struct Case: Sendable {
        let side: Side
        let type: OrderType
        /// In cents.
        let open: Int64
        let high: Int64
        let low: Int64
        /// The price in cents of a fill at the open, told at once.
        var atOpen: Int64?
        /// The price in cents of a fill within the bar, told at its end.
        var within: Int64?
    }

    private static func limit(_ cents: Int64) -> OrderType { .limit(Price(cents: cents)) }
    private static func stop(_ cents: Int64) -> OrderType { .stop(Price(cents: cents)) }

    /// What holds whether a limit fills at a touch or not.
    static let cases: [Case] = [
        // At the market: the open, whatever follows.
        Case(side: .buy, type: .market, open: 100_00, high: 101_00, low: 99_00, atOpen: 100_00),
        Case(side: .sell, type: .market, open: 100_00, high: 101_00, low: 99_00, atOpen: 100_00),
        // Limit: a better open is given.
        Case(side: .buy, type: limit(100_00), open: 99_50, high: 101_00, low: 99_00, atOpen: 99_50),
        Case(
            side: .sell, type: limit(100_00), open: 100_50, high: 101_00, low: 99_00, atOpen: 100_50
        ),
        // Traded through within the bar: the limit.
        Case(
            side: .buy, type: limit(100_00), open: 100_50, high: 101_00, low: 99_99, within: 100_00),
        Case(
            side: .sell, type: limit(100_00), open: 99_50, high: 100_01, low: 99_00, within: 100_00),
        // Not reached.
        Case(side: .buy, type: limit(100_00), open: 100_50, high: 101_00, low: 100_01),
        Case(side: .sell, type: limit(100_00), open: 99_50, high: 99_99, low: 99_00),
        // Stop: reached within the bar.
        Case(
            side: .buy, type: stop(101_00), open: 100_00, high: 101_00, low: 99_00, within: 101_00),
        Case(side: .sell, type: stop(99_00), open: 100_00, high: 101_00, low: 99_00, within: 99_00),
        Case(
            side: .buy, type: stop(101_00), open: 100_00, high: 105_00, low: 99_00, within: 101_00),
        Case(side: .sell, type: stop(99_00), open: 100_00, high: 101_00, low: 90_00, within: 99_00),
        // Gapped over: the open, which is worse than the stop.
        Case(
            side: .buy, type: stop(101_00), open: 102_50, high: 103_00, low: 99_00, atOpen: 102_50),
        Case(side: .sell, type: stop(99_00), open: 97_50, high: 101_00, low: 97_00, atOpen: 97_50),
        // Opened at it.
        Case(
            side: .buy, type: stop(101_00), open: 101_00, high: 103_00, low: 99_00, atOpen: 101_00),
        Case(side: .sell, type: stop(99_00), open: 99_00, high: 101_00, low: 97_00, atOpen: 99_00),
        // Not reached.
        Case(side: .buy, type: stop(101_00), open: 100_00, high: 100_99, low: 99_00),
        Case(side: .sell, type: stop(99_00), open: 100_00, high: 101_00, low: 99_01),
    ]

    /// Touched and no more: filled only where a touch is enough.
    static let touches: [Case] = [
        Case(
            side: .buy, type: limit(100_00), open: 100_00, high: 101_00, low: 100_00, atOpen: 100_00
        ),
        Case(
            side: .sell, type: limit(100_00), open: 100_00, high: 100_00, low: 99_00, atOpen: 100_00
        ),
        Case(
            side: .buy, type: limit(100_00), open: 100_50, high: 101_00, low: 100_00, within: 100_00
        ),
        Case(
            side: .sell, type: limit(100_00), open: 99_50, high: 100_00, low: 99_00, within: 100_00),
    ]

    @Test(arguments: VenueRules.LimitFill.allCases)
    func ordersFillAtThePricesOfTheTable(limitFill: VenueRules.LimitFill) {
        for row in Self.cases { check(row, limitFill, isFilled: true) }
    }

    @Test func touchFillsOnlyWhereItIsEnough() {
        for row in Self.touches {
            check(row, .touch, isFilled: true)
            check(row, .through, isFilled: false)
        }
    }

    /// Opened at the limit and traded through it later: the limit, at the end of the bar.
    @Test func openAtTheLimitIsFilledWhenItIsTradedThroughLater() {
        check(
            Case(
                side: .buy, type: Self.limit(100_00), open: 100_00, high: 101_00, low: 99_99,
                within: 100_00),
            .through, isFilled: true)
    }

    private func check(_ row: Case, _ limitFill: VenueRules.LimitFill, isFilled: Bool) {
        var venue = VenueRig { $0.limitFill = limitFill }
        _ = venue.submit(Make.request(row.side, 10, row.type), at: Make.open - .minutes(1))
        let bar = Make.bar(0, open: row.open, high: row.high, low: row.low, close: row.open)
        let opened = venue.open(bar)
        let closed = venue.close(bar)
        let atOpen = isFilled ? row.atOpen : nil
        let within = isFilled ? row.within : nil
        #expect(opened.fills == atOpen.map { [Fill(1, 10, $0, Make.open)] } ?? [], "\(row)")
        #expect(closed.fills == within.map { [Fill(1, 10, $0, Make.time(60))] } ?? [], "\(row)")
    }

    // MARK: Several orders in one bar

    @Test func stopComesBeforeLimitWhenOneBarReachesBoth() {
        var venue = VenueRig()
        _ = venue.submit(Make.request(.sell, 10, Self.limit(101_00)), at: Make.open)
        _ = venue.submit(Make.request(.sell, 10, Self.stop(99_00)), at: Make.open)
        let bar = Make.bar(0, open: 100_00, high: 102_00, low: 98_00, close: 100_00)
        #expect(venue.open(bar).fills.isEmpty)
        #expect(
            venue.close(bar).fills == [
                Fill(2, 10, 99_00, Make.time(60)), Fill(1, 10, 101_00, Make.time(60)),
            ])
    }

    @Test func olderOrdersComeBeforeNewerOnes() {
        var venue = VenueRig()
        for cents in [100_00, 100_50, 99_90] as [Int64] {
            _ = venue.submit(Make.request(.buy, 10, Self.limit(cents)), at: Make.open)
        }
        let bar = Make.bar(0, open: 101_00, high: 101_00, low: 99_00, close: 99_00)
        _ = venue.open(bar)
        #expect(venue.close(bar).fills.map(\.order) == [1, 2, 3])
    }

    @Test func orderFillsOnce() {
        var venue = VenueRig()
        _ = venue.submit(
            Make.request(.buy, 10, Self.limit(100_00), timeInForce: .goodTillCancelled),
            at: Make.open)
        let bars = (0..<3).map {
            Make.bar($0, open: 99_00, high: 101_00, low: 98_00, close: 100_00)
        }
        #expect(bars.flatMap { venue.play($0).fills }.count == 1)
    }

    @Test func instrumentsDoNotTouchEachOther() {
        var venue = VenueRig()
        _ = venue.submit(Make.request(.buy, 10, instrument: 1), at: Make.open)
        #expect(venue.play(Make.bar(0, open: 100_00, close: 100_00)).fills.isEmpty)
        let other = Make.bar(0, open: 50_00, close: 50_00, instrument: 1)
        #expect(venue.play(other).fills == [Fill(1, 10, 50_00, Make.open)])
    }

    // MARK: Arrival

    @Test func orderAtTheStartOfABarTakesPartFromItsOpen() {
        var venue = VenueRig()
        let bar = Make.bar(0, open: 100_00, high: 101_00, low: 99_00, close: 100_50)
        _ = venue.open(bar)
        // The bar has begun already; the order comes at the same instant.
        let answers = venue.submit(Make.request(.buy, 10), at: Make.open)
        #expect(answers.fills == [Fill(1, 10, 100_00, Make.open)])
        #expect(answers.first == .acknowledged)
    }

    @Test(arguments: [OrderType.market, limit(100_00), stop(99_50)])
    func orderOneNanosecondLaterWaitsForTheNextBar(type: OrderType) {
        var venue = VenueRig()
        let bar = Make.bar(0, open: 99_00, high: 101_00, low: 98_00, close: 100_50)
        _ = venue.open(bar)
        let answers = venue.submit(
            Make.request(.buy, 10, type), at: Make.open + Duration(nanoseconds: 1))
        #expect(answers == [.acknowledged])
        #expect(venue.close(bar).fills.isEmpty)
        // All three are due at the open of 99.75: the market, better than 100.00, above 99.50.
        let next = Make.bar(1, open: 99_75, close: 99_75)
        #expect(venue.open(next).fills == [Fill(1, 10, 99_75, Make.time(60))])
    }

    @Test func restingOrderOfThisBarTakesPartInItsRange() {
        var venue = VenueRig()
        let bar = Make.bar(0, open: 100_00, high: 101_00, low: 98_00, close: 100_50)
        _ = venue.open(bar)
        let answers = venue.submit(Make.request(.buy, 10, Self.limit(99_00)), at: Make.open)
        #expect(answers == [.acknowledged])
        #expect(venue.close(bar).fills == [Fill(1, 10, 99_00, Make.time(60))])
    }

    // MARK: Slippage and costs

    @Test func slippageWorsensWhatTradesAtTheMarket() {
        var rows: [(Case, Int64)] = []
        for row in Self.cases {
            guard case .limit = row.type else {
                guard let price = row.atOpen ?? row.within else { continue }
                rows.append((row, row.side == .buy ? price + 5 : price - 5))
                continue
            }
        }
        #expect(rows.count == 10)
        for (row, price) in rows {
            var venue = VenueRig { $0.slippage = .fixed(Price(cents: 5)) }
            _ = venue.submit(Make.request(row.side, 10, row.type), at: Make.open)
            let bar = Make.bar(0, open: row.open, high: row.high, low: row.low, close: row.open)
            #expect(venue.play(bar).fills.map(\.cents) == [price], "\(row)")
        }
    }

    @Test func slippageNeverWorsensALimit() {
        for row in Self.cases {
            guard case .limit = row.type else { continue }
            var venue = VenueRig { $0.slippage = .fixed(Price(cents: 5)) }
            _ = venue.submit(Make.request(row.side, 10, row.type), at: Make.open)
            let bar = Make.bar(0, open: row.open, high: row.high, low: row.low, close: row.open)
            let price = row.atOpen ?? row.within
            #expect(venue.play(bar).fills.map(\.cents) == (price.map { [$0] } ?? []), "\(row)")
        }
    }

    @Test func everyExecutionIsFollowedByItsCommission() {
        var venue = VenueRig {
            $0.commission = .perOrder(Money(cents: 1_00))
            $0.participation = Percent(10)
        }
        _ = venue.submit(
            Make.request(.buy, 150, timeInForce: .goodTillCancelled), at: Make.open)
        let first = venue.open(Make.bar(0, open: 100_00, close: 100_00, volume: 1_000))
        let second = venue.open(Make.bar(1, open: 101_00, close: 101_00, volume: 1_000))
        // An order costs 1.00, with the first of its executions.
        #expect(first.commissions == [Make.commission(1, cents: 1_00)])
        #expect(second.commissions == [Make.commission(2, cents: 0)])
        #expect(first.fills == [Fill(1, 100, 100_00, Make.open)])
        #expect(second.fills == [Fill(1, 50, 101_00, Make.time(60))])
    }

    // MARK: Refusals and cancellations

    @Test func priceOffTheTickIsRejected() throws {
        let price = try Price("100.005")
        for type in [OrderType.limit(price), .stop(price)] {
            var venue = VenueRig()
            let answers = venue.submit(Make.request(.buy, 10, type), at: Make.open)
            #expect(answers == [.rejected(.priceNotOnTick)])
            // It is not there.
            #expect(
                venue.play(Make.bar(0, open: 90_00, high: 110_00, low: 80_00, close: 100_00))
                    .isEmpty)
            #expect(venue.cancel(1).isEmpty)
        }
    }

    @Test func instrumentThatCannotBeTradedIsRejected() {
        var venue = VenueRig()
        // The third instrument is an index.
        #expect(
            venue.submit(Make.request(.buy, 10, instrument: 2), at: Make.open)
                == [.rejected(.notTradable)])
    }

    @Test func workingOrderIsCancelledOnce() {
        var venue = VenueRig()
        _ = venue.submit(Make.request(.buy, 10, Self.limit(90_00)), at: Make.open)
        #expect(venue.cancel(1) == [.cancelled(.requested)])
        #expect(venue.cancel(1).isEmpty)
        #expect(venue.play(Make.bar(0, open: 80_00, close: 80_00)).isEmpty)
    }

    @Test func cancelOfAFilledOrUnknownOrderGetsNoAnswer() {
        var venue = VenueRig()
        _ = venue.submit(Make.request(.buy, 10), at: Make.open)
        _ = venue.play(Make.bar(0, open: 100_00, close: 100_00))
        #expect(venue.cancel(1).isEmpty)
        #expect(venue.cancel(99).isEmpty)
    }

    @Test func executionsAreNumberedFromOneInTheirOrder() {
        var venue = VenueRig()
        for _ in 0..<3 { _ = venue.submit(Make.request(.buy, 10), at: Make.open) }
        let answers = venue.play(Make.bar(0, open: 100_00, close: 100_00))
        #expect(answers.executions.map(\.id) == (1...3).map { ExecutionID(base: $0) })
    }
}
