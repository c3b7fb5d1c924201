import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// How types of orders find their prices, and when they begin and end.
@Suite struct OrderTypeTests {
    private func isFilled(_ rig: OrderManagerRig, at price: Int64) -> Bool {
        rig.account.fills.last?.price == Price(cents: price)
    }

    @Test func trailingStopFollowsAndIsReportedWhereItIs() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.trade(100_00)
        rig.place(1, .test(.sell, 100, .trailingStop, aux: 1_00))
        rig.trade(102_00)
        rig.trade(101_50)
        _ = rig.received()
        rig.orderManager.listOpenOrders(for: rig.client(1))
        _ = rig.received()
        let stops = rig.notes.suffix(3).compactMap { note -> DecimalValue? in
            guard case .openOrder(let open) = note.message else { return nil }
            return open.order.trailStopPrice
        }
        #expect(stops == [101])
        rig.quote(100_98, 101_00)
        #expect(rig.account.fills.isEmpty)
        rig.trade(101_00)
        #expect(isFilled(rig, at: 100_98))
    }

    @Test func trailingStopStartsWhereItIsReportedTo() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(
            1,
            .test(.buy, 100, .trailingStop) {
                $0.trailingPercent = 2
                $0.trailStopPrice = 101
            })
        // 2 % above 98 is 99.96.
        rig.trade(98_00)
        rig.trade(99_95)
        #expect(rig.account.fills.isEmpty)
        rig.trade(99_96)
        #expect(isFilled(rig, at: 100_02))
    }

    @Test func trailingStopLimitKeepsItsLimitBehindIt() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.trade(100_00)
        rig.place(
            1,
            .test(.sell, 100, .trailingStopLimit, aux: 1_00) { $0.adjusted.lmtPriceOffset = 0.1 })
        rig.trade(101_00)
        rig.quote(99_80, 99_82)
        rig.trade(100_01)
        #expect(rig.account.fills.isEmpty)
        // The trade that releases it is also one that its limit could have been.
        rig.trade(100_00)
        #expect(isFilled(rig, at: 99_90))
    }

    @Test func touchedOrdersWaitForABetterPrice() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .marketIfTouched, aux: 99_00))
        rig.place(2, .test(.buy, 100, .limitIfTouched, limit: 98_50, aux: 99_00))
        rig.quote(98_98, 99_01)
        #expect(rig.account.fills.isEmpty)
        rig.trade(99_00)
        #expect(isFilled(rig, at: 99_01))
        #expect(rig.account.fills.count == 1)
        rig.quote(98_48, 98_50)
        #expect(isFilled(rig, at: 98_50))
    }

    @Test func marketToLimitLeavesTheRestAtThePriceOfItsFill() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02, size: 40)
        rig.place(1, .test(.buy, 100, .marketToLimit))
        #expect(isFilled(rig, at: 100_02))
        rig.quote(100_01, 100_03)
        #expect(rig.account.fills.count == 1)
        rig.quote(100_00, 100_01)
        #expect(rig.account.fills.last?.quantity == Quantity(shares: 60))
        #expect(isFilled(rig, at: 100_02))
    }

    @Test func peggedPriceFollowsTheQuoteUpToItsCap() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_10)
        rig.place(1, .test(.buy, 100, .relative, limit: 100_20, aux: 2))
        // 100.02, then capped to 100.20.
        rig.quote(100_30, 100_40)
        rig.trade(100_19)
        #expect(isFilled(rig, at: 100_20))
    }

    @Test func midpointFillsBetweenBidAndAsk() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_03)
        rig.place(1, .test(.buy, 100, .midPrice))
        rig.trade(100_01)
        #expect(rig.account.fills.last?.price == Price(units: 10_001_500_000))
    }

    @Test func snappedPriceStays() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_04)
        rig.place(1, .test(.buy, 100, .snapToPrimary))
        rig.quote(100_50, 100_54)
        rig.trade(100_01)
        #expect(rig.account.fills.isEmpty)
        rig.quote(99_98, 100_00)
        #expect(isFilled(rig, at: 100_00))
    }

    @Test func stopMayGoByBidAndAsk() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(
            1, .test(.sell, 100, .stop, aux: 99_00) { $0.triggerMethod = .doubleBidAsk })
        rig.trade(98_00)
        rig.quote(99_00, 99_02)
        #expect(rig.account.fills.isEmpty)
        rig.quote(98_99, 99_01)
        #expect(isFilled(rig, at: 98_99))
    }

    // MARK: Times

    @Test func orderBeginsAndEndsAtItsTimes() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(
            1,
            .test(.buy, 100, .limit, limit: 101_00) {
                $0.goodAfterTime = WireTime(text: "20240305 10:05:00 US/Eastern")
            })
        rig.place(
            2,
            .test(.buy, 100, .limit, limit: 90_00) {
                $0.tif = .goodTillDate
                $0.goodTillDate = WireTime(text: "20240305-15:10:00")
            })
        #expect(rig.account.fills.isEmpty)
        _ = rig.received()
        rig.pass(.minutes(5))
        #expect(rig.received().contains("1: exec 1 BOT 100 @100.02 cum 100"))
        rig.pass(.minutes(5))
        #expect(rig.received().contains("1: status 2 Cancelled 0+100 @0"))
    }

    @Test func auctionOrdersTradeInTheirAuctions() {
        // 2024-03-05 09:00 in New York.
        let rig = OrderManagerRig(at: Timestamp(seconds: 1_709_647_200))
        rig.quote(100_00, 100_02)
        rig.place(1, .test(.buy, 100, .market) { $0.tif = .atTheOpening })
        rig.place(2, .test(.buy, 100, .marketOnClose))
        rig.place(3, .test(.buy, 100, .limitOnClose, limit: 99_00))
        rig.pass(.minutes(30))
        rig.quote(100_00, 100_02)
        #expect(rig.account.fills.isEmpty)
        rig.trade(100_10)
        #expect(isFilled(rig, at: 100_10))
        rig.pass(.minutes(390))
        rig.trade(101_00)
        #expect(rig.account.fills.count == 2)
        #expect(isFilled(rig, at: 101_00))
        #expect(rig.received().contains("1: status 3 Cancelled 0+100 @0"))
    }

    @Test func slicesComeEvenlyOverTheirSpan() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(
            1,
            .test(.buy, 100, .market) {
                $0.algoStrategy = "Twap"
                $0.algoParams = [
                    TagValue("strategyType", "Marketable"),
                    TagValue("startTime", "20240305 10:01:00 US/Eastern"),
                    TagValue("endTime", "20240305 10:06:00 US/Eastern"),
                ]
            })
        #expect(rig.account.fills.isEmpty)
        rig.pass(.minutes(1))
        // Ten slices of half a minute.
        #expect(rig.account.fills.map(\.quantity) == [Quantity(shares: 10)])
        rig.pass(.minutes(5))
        let tenth = Quantity(shares: 10)
        #expect(rig.account.fills.map(\.quantity) == Array(repeating: tenth, count: 10))
    }

    @Test func allOrNoneWaitsForItsWholeSize() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02, size: 50)
        rig.place(1, .test(.buy, 100, .limit, limit: 100_02) { $0.allOrNone = true })
        #expect(rig.account.fills.isEmpty)
        rig.quote(99_99, 100_01, size: 100)
        #expect(rig.account.fills.map(\.quantity) == [Quantity(shares: 100)])
    }

    // MARK: Conditions

    private func price(
        _ rig: OrderManagerRig, _ symbol: String, atLeast price: DecimalValue,
        joined: OrderCondition.Conjunction = .and
    ) -> OrderCondition {
        var condition = PriceCondition()
        condition.conId = rig.contracts[rig.id(symbol)].contract.conId
        condition.exchange = "SMART"
        condition.price = price
        condition.conjunction = joined
        return .price(condition)
    }

    private func time(_ text: String) -> OrderCondition {
        var condition = TimeCondition()
        condition.time = WireTime(text: text)
        return .time(condition)
    }

    @Test func conditionsReleaseTogetherOrEach() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.trade(400_00, of: "MSFT")
        let late = time("20240305 10:01:00 US/Eastern")
        rig.place(
            1,
            .test(.buy, 100, .market) { $0.conditions = [price(rig, "MSFT", atLeast: 401), late] })
        rig.place(
            2,
            .test(.buy, 100, .market) {
                $0.conditions = [price(rig, "MSFT", atLeast: 401, joined: .or), late]
            })
        rig.trade(401_00, of: "MSFT")
        #expect(rig.received().contains("1: exec 2 BOT 100 @100.02 cum 100"))
        #expect(rig.account.fills.count == 1)
        rig.pass(.minutes(1))
        #expect(rig.account.fills.count == 2)
    }

    @Test func conditionMayCancel() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.place(
            1,
            .test(.buy, 100, .limit, limit: 90_00) {
                $0.conditions = [price(rig, "AAPL", atLeast: 101)]
                $0.conditionsCancelOrder = true
            })
        #expect(rig.received().contains("1: status 1 Submitted 0+100 @0"))
        rig.trade(101_00)
        #expect(rig.received().contains("1: status 1 Cancelled 0+100 @0"))
    }

    @Test func executionElsewhereReleases() {
        let rig = OrderManagerRig()
        rig.quote(100_00, 100_02)
        rig.quote(400_00, 400_02, of: "MSFT")
        var condition = ExecutionCondition()
        condition.symbol = "MSFT"
        condition.secType = .stock
        condition.exchange = "SMART"
        rig.place(1, .test(.buy, 100, .market) { $0.conditions = [.execution(condition)] })
        #expect(rig.account.fills.isEmpty)
        rig.place(2, .test(.buy, 10, .market), "MSFT")
        #expect(rig.account.fills.map(\.instrument) == [rig.id("MSFT"), rig.id("AAPL")])
    }
}
