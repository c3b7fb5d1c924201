import TWSProtocol
import Testing

/// Every message: written and read back at every version, and no field named twice.
@Suite struct HistoryRoundTripTests {
    @Test func requestsSurviveTheWire() throws {
        try expectRoundTrips(of: ReqHistoricalData.self, from: .client)
        try expectRoundTrips(of: CancelHistoricalData.self, from: .client)
        try expectRoundTrips(of: ReqHeadTimestamp.self, from: .client)
        try expectRoundTrips(of: ReqHistogramData.self, from: .client)
        try expectRoundTrips(of: CancelHistogramData.self, from: .client)
        try expectRoundTrips(of: CancelHeadTimestamp.self, from: .client)
        try expectRoundTrips(of: ReqHistoricalTicks.self, from: .client)
    }

    @Test func answersSurviveTheWire() throws {
        try expectRoundTrips(of: HistoricalData.self, from: .gateway)
        try expectRoundTrips(of: HeadTimestamp.self, from: .gateway)
        try expectRoundTrips(of: HistogramData.self, from: .gateway)
        try expectRoundTrips(of: HistoricalDataUpdate.self, from: .gateway)
        try expectRoundTrips(of: HistoricalTicks.self, from: .gateway)
        try expectRoundTrips(of: HistoricalTicksBidAsk.self, from: .gateway)
        try expectRoundTrips(of: HistoricalTicksLast.self, from: .gateway)
        try expectRoundTrips(of: HistoricalSchedule.self, from: .gateway)
        try expectRoundTrips(of: HistoricalDataEnd.self, from: .gateway)
    }

    @Test func noFieldIsNamedTwice() {
        expectDistinctNames(of: ReqHistoricalData.self)
        expectDistinctNames(of: CancelHistoricalData.self)
        expectDistinctNames(of: ReqHeadTimestamp.self)
        expectDistinctNames(of: ReqHistogramData.self)
        expectDistinctNames(of: CancelHistogramData.self)
        expectDistinctNames(of: CancelHeadTimestamp.self)
        expectDistinctNames(of: ReqHistoricalTicks.self)
        expectDistinctNames(of: HistoricalData.self)
        expectDistinctNames(of: HeadTimestamp.self)
        expectDistinctNames(of: HistogramData.self)
        expectDistinctNames(of: HistoricalDataUpdate.self)
        expectDistinctNames(of: HistoricalTicks.self)
        expectDistinctNames(of: HistoricalTicksBidAsk.self)
        expectDistinctNames(of: HistoricalTicksLast.self)
        expectDistinctNames(of: HistoricalSchedule.self)
        expectDistinctNames(of: HistoricalDataEnd.self)
    }
}
