import TWSProtocol
import Testing

/// Every message: written and read back at every version, and no field named twice.
@Suite struct MarketDataRoundTripTests {
    @Test func requestsSurviveTheWire() throws {
        try expectRoundTrips(of: ReqMktData.self, from: .client)
        try expectRoundTrips(of: CancelMktData.self, from: .client)
        try expectRoundTrips(of: ReqMktDepth.self, from: .client)
        try expectRoundTrips(of: CancelMktDepth.self, from: .client)
        try expectRoundTrips(of: ReqRealTimeBars.self, from: .client)
        try expectRoundTrips(of: CancelRealTimeBars.self, from: .client)
        try expectRoundTrips(of: CalculateImpliedVolatility.self, from: .client)
        try expectRoundTrips(of: CalculateOptionPrice.self, from: .client)
        try expectRoundTrips(of: CancelCalcImpliedVolat.self, from: .client)
        try expectRoundTrips(of: CancelCalcOptionPrice.self, from: .client)
        try expectRoundTrips(of: ReqMarketDataType.self, from: .client)
        try expectRoundTrips(of: ReqMktDepthExchanges.self, from: .client)
        try expectRoundTrips(of: ReqTickByTickData.self, from: .client)
        try expectRoundTrips(of: CancelTickByTickData.self, from: .client)
    }

    @Test func answersSurviveTheWire() throws {
        try expectRoundTrips(of: TickPrice.self, from: .gateway)
        try expectRoundTrips(of: WireTickSize.self, from: .gateway)
        try expectRoundTrips(of: MarketDepth.self, from: .gateway)
        try expectRoundTrips(of: MarketDepthL2.self, from: .gateway)
        try expectRoundTrips(of: TickOptionComputation.self, from: .gateway)
        try expectRoundTrips(of: TickGeneric.self, from: .gateway)
        try expectRoundTrips(of: TickString.self, from: .gateway)
        try expectRoundTrips(of: TickEFP.self, from: .gateway)
        try expectRoundTrips(of: RealTimeBar.self, from: .gateway)
        try expectRoundTrips(of: TickSnapshotEnd.self, from: .gateway)
        try expectRoundTrips(of: MarketDataType.self, from: .gateway)
        try expectRoundTrips(of: MktDepthExchanges.self, from: .gateway)
        try expectRoundTrips(of: TickReqParams.self, from: .gateway)
        try expectRoundTrips(of: RerouteMktDataReq.self, from: .gateway)
        try expectRoundTrips(of: RerouteMktDepthReq.self, from: .gateway)
        try expectRoundTrips(of: TickByTick.self, from: .gateway)
    }

    @Test func noFieldIsNamedTwice() {
        expectDistinctNames(of: ReqMktData.self)
        expectDistinctNames(of: CancelMktData.self)
        expectDistinctNames(of: ReqMktDepth.self)
        expectDistinctNames(of: CancelMktDepth.self)
        expectDistinctNames(of: ReqRealTimeBars.self)
        expectDistinctNames(of: CancelRealTimeBars.self)
        expectDistinctNames(of: CalculateImpliedVolatility.self)
        expectDistinctNames(of: CalculateOptionPrice.self)
        expectDistinctNames(of: CancelCalcImpliedVolat.self)
        expectDistinctNames(of: CancelCalcOptionPrice.self)
        expectDistinctNames(of: ReqMarketDataType.self)
        expectDistinctNames(of: ReqMktDepthExchanges.self)
        expectDistinctNames(of: ReqTickByTickData.self)
        expectDistinctNames(of: CancelTickByTickData.self)
        expectDistinctNames(of: TickPrice.self)
        expectDistinctNames(of: WireTickSize.self)
        expectDistinctNames(of: MarketDepth.self)
        expectDistinctNames(of: MarketDepthL2.self)
        expectDistinctNames(of: TickOptionComputation.self)
        expectDistinctNames(of: TickGeneric.self)
        expectDistinctNames(of: TickString.self)
        expectDistinctNames(of: TickEFP.self)
        expectDistinctNames(of: RealTimeBar.self)
        expectDistinctNames(of: TickSnapshotEnd.self)
        expectDistinctNames(of: MarketDataType.self)
        expectDistinctNames(of: MktDepthExchanges.self)
        expectDistinctNames(of: TickReqParams.self)
        expectDistinctNames(of: RerouteMktDataReq.self)
        expectDistinctNames(of: RerouteMktDepthReq.self)
        expectDistinctNames(of: TickByTick.self)
    }
}
