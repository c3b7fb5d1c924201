import Model
import Primitives
import Testing

@Suite struct OrderTermsTests {
    private static let price = Price(cents: 100_00)
    private static let auctions: [OrderType] = [
        .marketOnOpen, .limitOnOpen(price), .marketOnClose, .limitOnClose(price),
    ]
    private static let stops: [OrderType] = [
        .stop(price), .stopLimit(stop: price, limit: price), .trailingStop(.amount(price)),
        .trailingStop(.percent(Percent(1))),
    ]
    private static let times: [TimeInForce] = [
        .day, .goodTillCancelled, .goodTillDate(Timestamp(seconds: 0)), .immediateOrCancel,
    ]

    @Test func auctionOrdersAreForTheDayInRegularHours() {
        for type in Self.auctions {
            #expect(type.isAuction)
            for time in Self.times {
                #expect(type.goes(with: time, outsideRTH: false) == (time == .day))
                #expect(!type.goes(with: time, outsideRTH: true))
            }
        }
    }

    @Test func stopsAreNotImmediate() {
        for type in Self.stops {
            #expect(!type.isAuction)
            for time in Self.times {
                for outside in [false, true] {
                    #expect(
                        type.goes(with: time, outsideRTH: outside) == (time != .immediateOrCancel)
                    )
                }
            }
        }
    }

    @Test func marketAndLimitOrdersGoWithEverything() {
        for type in [OrderType.market, .limit(Self.price)] {
            for time in Self.times {
                for outside in [false, true] {
                    #expect(type.goes(with: time, outsideRTH: outside))
                }
            }
        }
    }

    /// Property: whatever a builder makes goes together, outside regular hours too where it may.
    @Test func whatBuildersMakeGoesTogether() {
        let end = Timestamp(seconds: 0)
        var terms: [OrderTerms] = [
            .market, .marketNow, .marketOnOpen, .marketOnClose, .limitOnOpen(Self.price),
            .limitOnClose(Self.price),
        ]
        for hours in [nil, OrderTerms.Hours.regular, .extended] {
            terms += Self.times.map { .limit(Self.price, for: $0, in: hours) }
            for time in [OrderTerms.RestingTime.day, .goodTillCancelled, .goodTillDate(end)] {
                terms += [
                    .stop(Self.price, for: time, in: hours),
                    .stopLimit(stop: Self.price, limit: Self.price, for: time, in: hours),
                    .trailingStop(by: .percent(Percent(1)), for: time, in: hours),
                ]
            }
        }
        #expect(Set(terms).count == 45)
        for terms in terms {
            let mayBeOutside = terms.hours != .regular
            #expect(terms.type.goes(with: terms.timeInForce, outsideRTH: mayBeOutside))
            #expect(terms.isLeftToWindow == (terms == .market))
        }
    }

    @Test func defaultsAreTheStatedOnes() {
        #expect(OrderTerms.market.timeInForce == .day)
        #expect(OrderTerms.limit(Self.price).timeInForce == .day)
        #expect(OrderTerms.stop(Self.price).timeInForce == .goodTillCancelled)
        #expect(OrderTerms.marketOnClose.timeInForce == .day)
        #expect(OrderTerms.limit(Self.price).hours == nil)
        #expect(OrderTerms.marketNow.hours == .regular)
    }

    @Test func termsKeepAllButTheirPrices() {
        let end = Timestamp(seconds: 9)
        let doubled = OrderTerms.limit(Self.price, for: .goodTillDate(end), in: .extended)
            .mapPrices { $0 + $0 }
        #expect(
            doubled == .limit(Price(cents: 200_00), for: .goodTillDate(end), in: .extended))
        #expect(OrderTerms.market.mapPrices { $0 + $0 } == .market)
    }

    @Test func pricesAreReported() {
        let (stop, limit) = (Price(cents: 1_00), Price(cents: 2_00))
        #expect(OrderType.limit(limit).limitPrice == limit)
        #expect(OrderType.stop(stop).stopPrice == stop)
        #expect(OrderType.stopLimit(stop: stop, limit: limit).limitPrice == limit)
        #expect(OrderType.stopLimit(stop: stop, limit: limit).stopPrice == stop)
        #expect(OrderType.limitOnOpen(limit).limitPrice == limit)
        #expect(OrderType.limitOnClose(limit).limitPrice == limit)
        for type in [OrderType.market, .marketOnOpen, .marketOnClose, .trailingStop(.amount(stop))]
        {
            #expect(type.limitPrice == nil && type.stopPrice == nil)
        }
    }

    /// 1.5 % of 33.33 is 0.49995; of 10^-8 it is less than a unit, which is rounded up.
    @Test func trailingDistanceIsExactAndRoundedUp() {
        let percent = TrailingOffset.percent(Percent(units: 1_500_000))
        #expect(percent.distance(from: Price(cents: 33_33)) == Price(units: 49_995_000))
        #expect(percent.distance(from: Price(units: 1)) == Price(units: 1))
        #expect(percent.distance(from: Price(cents: -33_33)) == Price(units: 49_995_000))
        #expect(TrailingOffset.amount(Price(cents: 50)).distance(from: .zero) == Price(cents: 50))
    }

    @Test func requestKeepsItsLinksForAnotherQuantity() {
        let request = OrderRequest(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: .sell,
            quantity: Quantity(shares: 10), type: .market, timeInForce: .day, purpose: .protection,
            parent: OrderID(number: 7), group: OrderGroupID(number: 3), outsideRTH: true)
        let other = request.with(quantity: Quantity(shares: 4))
        #expect(other.quantity == Quantity(shares: 4))
        #expect(other.parent == OrderID(number: 7) && other.group == OrderGroupID(number: 3))
        #expect(other.outsideRTH && other.isLinked && other != request)
        #expect(other.with(quantity: request.quantity) == request)
    }

    @Test func requestWithoutLinksHasNone() {
        let request = OrderRequest(
            strategy: StrategyID(index: 0), instrument: InstrumentID(index: 0), side: .sell,
            quantity: Quantity(shares: 10), type: .marketOnOpen, timeInForce: .goodTillCancelled,
            purpose: .entry)
        #expect(request.parent == nil && request.group == nil && !request.isLinked)
        #expect(!request.isValid)
    }
}
