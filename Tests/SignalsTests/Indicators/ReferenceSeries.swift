import Foundation
import Model
import Primitives
import Testing

/// A series of bars with the results of TA-Lib beside it (Fixtures/README.md).
struct ReferenceSeries: Sendable, CustomTestStringConvertible {
    /// The file's name without its ending.
    let name: String
    /// The bars, a minute each: the tests need no more of time than its order.
    let bars: [Bar]

    private let columns: [String: [Double?]]

    /// All there are.
    static let names = ["msft_daily_2018_2019", "xom_daily_2019_2020", "qqq_1min_2019-02-11"]

    /// Reads a file of `Fixtures`.
    init(_ name: String) throws {
        self.name = name
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures")
        let text = try String(contentsOf: folder.appending(path: name + ".csv"), encoding: .utf8)
        let rows = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let header = try #require(rows.first)
        bars = try rows.dropFirst().enumerated().map { index, row in
            try Bar(
                instrument: InstrumentID(index: 0), start: Timestamp(seconds: Int64(index) * 60),
                barSize: .minutes(1), open: Price(row[1]), high: Price(row[2]), low: Price(row[3]),
                close: Price(row[4]), volume: Quantity(row[5]))
        }
        var columns: [String: [Double?]] = [:]
        for (index, name) in header.enumerated().dropFirst(6) {
            columns[String(name)] = try rows.dropFirst().map { row in
                guard !row[index].isEmpty else { return nil }
                let number: Double = try #require(Double(row[index]))
                return number
            }
        }
        self.columns = columns
    }

    var testDescription: String { name }

    /// The closes.
    var closes: [Price] { bars.map(\.close) }

    /// TA-Lib's results.
    func column(_ name: String) throws -> [Double?] { try #require(columns[name]) }

    /// Expects `results` to be what TA-Lib gave in `column`, row by row: no result where it has
    /// none, else equal within the relative `tolerance`.
    ///
    /// - Parameter results: in ones, percent or shares, as TA-Lib's.
    func expect(
        _ results: [Double?], equal column: String, within tolerance: Double = 1e-8,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = try #require(columns[column], sourceLocation: sourceLocation)
        try #require(results.count == expected.count, sourceLocation: sourceLocation)
        for (row, (result, expected)) in zip(results, expected).enumerated() {
            guard let expected else {
                try #require(result == nil, "\(column), row \(row)", sourceLocation: sourceLocation)
                continue
            }
            let found = try #require(
                result, "\(column), row \(row)", sourceLocation: sourceLocation)
            // What is a difference of two prices is only as exact as they are: a hundred-millionth.
            let isEqual = abs(found - expected) <= max(abs(expected) * tolerance, 1e-11)
            try #require(
                isEqual, "\(column), row \(row): \(found), not \(expected)",
                sourceLocation: sourceLocation)
        }
    }
}

extension [Double?] {
    /// Prices in units as prices in ones.
    var inOnes: [Double?] { map { $0.map { $0 / Double(Price.unitsPerOne) } } }
}
