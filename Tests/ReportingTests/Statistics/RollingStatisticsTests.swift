import Foundation
import Primitives
import Testing

@testable import Reporting

@Suite struct RollingStatisticsTests {
    /// One row of NumPy's figures; see the fixtures' README.
    private struct Row {
        let day: Day
        /// Volatility and Sharpe ratio of the shorter window, then of the longer one.
        let figures: [Double?]
    }

    private func rows() throws -> [Row] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/aapl_rolling.csv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map
        {
            let cells = $0.split(separator: ",", omittingEmptySubsequences: false)
            return Row(
                day: try #require(Day(cells[0])), figures: cells.dropFirst().map { Double($0) })
        }
    }

    @Test func figuresAgreeWithNumPy() throws {
        let series = try ReferenceSeries("aapl_2015_2020")
        let rolling = RollingStatistics(of: series.daily, .usual, riskFreeRate: 0.02)
        #expect(rolling.points.map(\.day) == series.daily.map(\.day))
        let rows = try rows()
        #expect(rows.count > 100 && rows.contains { $0.figures.allSatisfy { $0 != nil } })
        for row in rows {
            let point = try #require(rolling.points.first { $0.day == row.day })
            let figures = [
                point.short.volatility, point.short.sharpe, point.long.volatility,
                point.long.sharpe,
            ]
            for (figure, expected) in zip(figures, row.figures) {
                if expected == nil {
                    #expect(figure == nil, "\(row.day)")
                } else {
                    #expect(isClose(figure, expected), "\(row.day)")
                }
            }
        }
    }

    @Test func theLastPointOfAWholeWindowIsTheStatisticsOfAllReturns() throws {
        let daily = try ReferenceSeries("ko_2010_2019").daily.suffix(80)
        let windows = RollingStatistics.Windows(short: 80, long: 81)
        let point = try #require(
            RollingStatistics(of: Array(daily), windows, riskFreeRate: 0.01).points.last)
        let all = ReturnStatistics(of: daily.map(\.value), riskFreeRate: 0.01)
        #expect(isClose(point.short.volatility, all.volatility))
        #expect(isClose(point.short.sharpe, all.sharpe))
        #expect(point.long.volatility == nil && point.long.sharpe == nil)
    }
}
