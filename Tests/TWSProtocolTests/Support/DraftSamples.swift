import Primitives
import TWSProtocol

/// At least one order from every builder, with everything the builder can set.
struct DraftSamples {
    let name: String
    let draft: OrderDraft
    var exchange = "SMART"
    /// The oldest version that carries all of it.
    var needs = 157

    func request() throws -> PlaceOrder {
        try draft.request(7, for: Drafts.buy(), in: Drafts.stock(exchange: exchange))
    }

    static func all() throws -> [DraftSamples] {
        try simple() + (try pegged()) + (try dressed())
    }

    private static func simple() throws -> [DraftSamples] {
        let till = RestingTime.goodTillDate(Drafts.monday)
        return [
            DraftSamples(name: "market", draft: .market(for: .immediateOrCancel)),
            DraftSamples(name: "limit", draft: .limit(187.257, for: .day, in: .extended)),
            DraftSamples(
                name: "limit till", draft: .limit(187, for: .goodTillDate(Drafts.monday))),
            DraftSamples(name: "market on open", draft: .marketOnOpen),
            DraftSamples(name: "limit on open", draft: .limitOnOpen(10)),
            DraftSamples(name: "market on close", draft: .marketOnClose),
            DraftSamples(name: "limit on close", draft: .limitOnClose(10)),
            DraftSamples(
                name: "stop",
                draft: try .stop(195, for: till, in: .extended).triggered(by: .midpoint)),
            DraftSamples(
                name: "stop limit",
                draft: .stopLimit(
                    StopLimit(stop: 195, limit: 196), for: .goodTillCancelled, in: .extended)),
            DraftSamples(
                name: "trailing amount",
                draft: .trailingStop(Trail(by: .amount(1.25), from: 200), for: .day)),
            DraftSamples(
                name: "trailing percent",
                draft: .trailingStop(Trail(by: .percent(2.5)), for: .goodTillCancelled)),
            DraftSamples(
                name: "trailing limit",
                draft: .trailingStopLimit(
                    TrailLimit(by: .amount(1.25), from: 200, limitOffset: 0.5), for: .day,
                    in: .extended)),
            DraftSamples(
                name: "trailing limit by percent",
                draft: .trailingStopLimit(
                    TrailLimit(by: .percent(3), from: 200, limitOffset: 0.5), for: till)),
            DraftSamples(
                name: "market if touched", draft: .marketIfTouched(180, for: .day, in: .extended)),
            DraftSamples(
                name: "limit if touched",
                draft: .limitIfTouched(TouchLimit(touch: 180, limit: 181), for: .day)),
        ]
    }

    private static func pegged() throws -> [DraftSamples] {
        let offsets = MidpointOffsets(atWhole: 0.01, atHalf: 0.005)
        var midpoint = MidpointPeg(offsets, limit: 190)
        midpoint.minTradeQuantity = 10
        var best = BestPeg(by: .amount(0.02), limit: 190)
        best.minTradeQuantity = 10
        best.minCompeteSize = 200
        let upToMidpoint = BestPeg(by: .upToMidpoint(offsets), limit: 190)
        var peg = BenchmarkPeg()
        peg.referenceContractId = 11
        peg.isPeggedChangeAmountDecrease = true
        peg.peggedChangeAmount = 0.5
        peg.referenceChangeAmount = 0.25
        peg.referenceExchangeId = "ISLAND"
        var benchmark = BenchmarkOrder(peg, from: 187.25)
        benchmark.referencePrice = 430
        benchmark.referenceRange = 400...450
        return [
            DraftSamples(
                name: "relative",
                draft: .relative(RelativePeg(by: .amount(0.05), limit: 190), for: .day)),
            DraftSamples(
                name: "relative by fraction",
                draft: .relative(RelativePeg(by: .fraction(0.001)), for: .goodTillCancelled)),
            DraftSamples(
                name: "pegged to market",
                draft: .peggedToMarket(offset: 0.1, limit: 190, for: .day)),
            DraftSamples(
                name: "pegged to midpoint", draft: .peggedToMidpoint(midpoint, for: .day),
                exchange: "IBKRATS", needs: 170),
            DraftSamples(
                name: "pegged to best", draft: .peggedToBest(best, for: .day),
                exchange: "IBKRATS", needs: 170),
            DraftSamples(
                name: "pegged up to midpoint", draft: .peggedToBest(upToMidpoint, for: .day),
                exchange: "IBKRATS", needs: 170),
            DraftSamples(
                name: "pegged to benchmark", draft: .peggedToBenchmark(benchmark, for: .day)),
        ]
    }

    private static func dressed() throws -> [DraftSamples] {
        var price = PriceCondition()
        price.price = 430
        price.conId = 11
        price.exchange = "SMART"
        price.conjunction = .or
        var time = TimeCondition()
        time.time = WireTime(utc: Drafts.monday)
        var execution = ExecutionCondition()
        execution.secType = .stock
        execution.exchange = "SMART"
        execution.symbol = "SPY"
        var volume = VolumeCondition()
        volume.volume = 1_000_000
        volume.conId = 11
        volume.exchange = "SMART"
        var change = PercentChangeCondition()
        change.isMore = false
        change.changePercent = -2.5
        change.conId = 11
        change.exchange = "SMART"
        var conditions = OrderConditions(
            .price(price), .time(time), .margin(MarginCondition()), .execution(execution),
            .volume(volume), .percentChange(change))
        conditions.effect = .cancel
        conditions.hours = .extended
        let group = try OCAGroup("pair-1", onFill: .reduceWithBlock)
        return [
            DraftSamples(
                name: "conditions", draft: try .limit(187, for: .day).when(conditions)),
            DraftSamples(name: "group", draft: .limit(187, for: .day).inGroup(group)),
            DraftSamples(name: "adaptive", draft: .worked(by: .adaptive(.patient))),
            DraftSamples(
                name: "time-weighted",
                draft: .worked(by: try .timeWeighted(TimeWeighted(.marketable)), limit: 187)),
            DraftSamples(
                name: "volume-weighted",
                draft: .worked(
                    by: try .volumeWeighted(VolumeWeighted(volumeShareMax: 0.25)), limit: 187)),
        ]
    }
}
