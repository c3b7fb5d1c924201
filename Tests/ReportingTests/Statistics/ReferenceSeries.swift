import Foundation
import Primitives
import Reporting
import Testing

/// A series of real returns with the figures that libraries give for it; see the fixtures' README.
struct ReferenceSeries: CustomTestStringConvertible {
    let name: String
    let daily: [DailyReturn]
    let benchmark: [Double]
    let figures: Figures

    var returns: [Double] { daily.map(\.value) }
    var testDescription: String { name }

    struct Figures: Decodable {
        let name: String
        let empyrical: [String: Double]
        let quantstats: [String: Double]
        let drawdowns: [Drawdown]
        let best_day: Double
        let worst_day: Double
        let yearly_returns: [String: Double]
        let monthly_returns: [String: Double]
    }

    struct Drawdown: Decodable {
        let depth: Double
        let peak_date: String?
        let first_day_below: String
        let valley_date: String
        let recovery_date: String?
    }

    static let names = ["aapl_2015_2020", "ko_2010_2019", "twtr_2013_2020"]

    init(_ name: String) throws {
        struct File: Decodable { let series: [Figures] }
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures")
        let data = try Data(contentsOf: folder.appending(path: "performance_metrics.json"))
        let series = try JSONDecoder().decode(File.self, from: data).series
        guard let figures = series.first(where: { $0.name == name }) else { throw Missing() }
        let table = try String(
            contentsOf: folder.appending(path: name + ".csv"), encoding: .utf8)
        let rows = try table.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: ",")
            guard cells.count >= 2, let day = Day(cells[0]), let own = Double(cells[1]) else {
                throw Missing()
            }
            return (DailyReturn(day: day, value: own), cells.count > 2 ? Double(cells[2]) : nil)
        }
        self.name = name
        self.figures = figures
        daily = rows.map(\.0)
        benchmark = rows.compactMap(\.1)
    }

    private struct Missing: Error {}
}

/// Within that part of the expected value.
func isClose(_ value: Double?, _ expected: Double?, within tolerance: Double = 1e-9) -> Bool {
    guard let value, let expected else { return false }
    return abs(value - expected) <= abs(expected) * tolerance
}
