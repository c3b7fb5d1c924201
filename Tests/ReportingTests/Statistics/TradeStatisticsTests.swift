import Model
import Primitives
import Testing

@testable import Reporting

/// Sums, rates and averages of trades are tested with `PerformanceSummary`.
@Suite struct TradeStatisticsTests {
    /// +300 and +100 over a loss of 200 and a trade that broke even: 200 / 200.
    @Test func payoffIsAverageProfitOverAverageLoss() {
        let statistics = TradeStatistics(of: trades(exits: [13_00, 11_00, 8_00, 10_00]))
        #expect(statistics.payoffRatio == 1)
        #expect(statistics.winRate == 0.5)
    }

    @Test func profitsAloneHaveNoPayoff() {
        #expect(TradeStatistics(of: trades(exits: [13_00])).payoffRatio == nil)
        #expect(TradeStatistics(of: trades(exits: [8_00])).payoffRatio == nil)
    }

    @Test func durationsAreShortestLongestAndAverage() {
        let fills: [FillRecord] = [
            .sample(.buy, 1, atCents: 100, minute: 0), .sample(.sell, 1, atCents: 100, minute: 10),
            .sample(.buy, 1, atCents: 100, minute: 20), .sample(.sell, 1, atCents: 100, minute: 60),
        ]
        let trades = RoundTrips(of: fills, in: RunRecord.uneventful.instruments).closed
        let statistics = TradeStatistics(of: trades)
        #expect(statistics.shortestDuration == .minutes(10))
        #expect(statistics.longestDuration == .minutes(40))
        #expect(statistics.averageDuration == .minutes(25))
    }

    /// Entries of 1,000 each: -10 and -5 percent, and 20 and 0.
    @Test func excursionsAreAveragedInPartsOfTheEntries() {
        let paths = [
            TradePath.of(lowest: -100_00, highest: 200_00, slippage: 1_25),
            .of(lowest: -50_00, highest: 0, slippage: -25),
        ]
        let statistics = TradeStatistics(of: trades(exits: [11_00, 9_50]), paths: paths)
        #expect(isClose(statistics.averageAdverse, -0.075))
        #expect(isClose(statistics.averageFavourable, 0.1))
        #expect(statistics.slippage == Money(cents: 1_00))
    }

    @Test func unknownSlippageOfOneTradeLeavesNoSum() {
        let paths = [
            TradePath.of(lowest: 0, highest: 0, slippage: 1),
            .of(lowest: 0, highest: 0, slippage: nil),
        ]
        #expect(TradeStatistics(of: trades(exits: [11_00, 9_50]), paths: paths).slippage == nil)
    }

    @Test func withoutPathsOrTradesThereAreNone() {
        let statistics = TradeStatistics(of: trades(exits: [11_00]))
        #expect(statistics.averageAdverse == nil)
        #expect(statistics.averageFavourable == nil)
        #expect(statistics.slippage == nil)
        let none = TradeStatistics(of: [], paths: [])
        #expect(none.count == 0)
        #expect(none.winRate == nil)
        #expect(none.averageAdverse == nil)
        #expect(none.slippage == nil)
        #expect(none.shortestDuration == nil)
    }

    /// Trades of 100 shares bought at 10.00 and sold at those cents.
    private func trades(exits: [Int64]) -> [RoundTrip] {
        let fills = exits.flatMap { cents -> [FillRecord] in
            [.sample(.buy, 100, atCents: 10_00), .sample(.sell, 100, atCents: cents)]
        }
        return RoundTrips(of: fills, in: RunRecord.uneventful.instruments).closed
    }
}

extension TradePath {
    /// Amounts in cents.
    static func of(lowest: Int64, highest: Int64, slippage: Int64?) -> TradePath {
        TradePath(
            lowest: Money(cents: lowest), highest: Money(cents: highest),
            slippage: slippage.map(Money.init(cents:)))
    }
}
