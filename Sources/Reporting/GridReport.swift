package import Primitives

/// What one combination of a search has come to.
package struct GridResult: Sendable {
    /// The value of each axis.
    package let values: [String]
    /// The figures, or why the combination could not be run.
    package let outcome: Outcome

    /// How it went.
    package enum Outcome: Sendable {
        /// It ran to the end.
        case figures(PerformanceSummary, finalEquity: Money)
        /// The strategy refused the values together; why.
        case refused(String)
    }

    /// A combination's result.
    package init(values: [String], outcome: Outcome) {
        self.values = values
        self.outcome = outcome
    }

    /// The figures, if it ran.
    package var summary: PerformanceSummary? {
        switch outcome {
        case .figures(let summary, _): summary
        case .refused: nil
        }
    }
}

/// What the combinations of a search are ranked by, the largest first.
package enum GridObjective: String, CaseIterable, Sendable {
    /// The total return.
    case totalReturn = "total_return"
    /// The growth a year.
    case cagr
    /// The Sharpe ratio.
    case sharpe
    /// The Sortino ratio.
    case sortino
    /// The Calmar ratio.
    case calmar
    /// The profit factor of the round trips.
    case profitFactor = "profit_factor"

    /// Its value; `nil` when it is not defined for the run.
    package func value(of summary: PerformanceSummary) -> Double? {
        switch self {
        case .totalReturn: summary.totalReturn
        case .cagr: summary.returns.cagr
        case .sharpe: summary.returns.sharpe
        case .sortino: summary.returns.sortino
        case .calmar: summary.calmar
        case .profitFactor: summary.trades.profitFactor
        }
    }
}

/// A search over combinations, as tables.
package struct GridReport: Sendable {
    private let axes: [String]
    private let results: [GridResult]
    /// Places of `results` that ran, best first; equals in the order in which they were tried.
    package let ranking: [Int]

    /// A report of results in the order in which they were tried.
    ///
    /// - Parameter axes: the name of each axis.
    package init(axes: [String], results: [GridResult], rankedBy objective: GridObjective) {
        self.axes = axes
        self.results = results
        let scores = results.map { result in
            result.summary.flatMap { objective.value(of: $0) } ?? -.infinity
        }
        ranking = results.indices.filter { results[$0].summary != nil }
            .sorted { (-scores[$0], $0) < (-scores[$1], $1) }
    }

    /// How many combinations could not be run.
    package var refusedCount: Int { results.count - ranking.count }

    /// `runs.csv`: a row a combination, in the order in which they were tried.
    package var csv: String {
        var text = (axes.map(Self.cell) + Self.columns).joined(separator: ",") + "\n"
        for result in results {
            let figures: [String]
            switch result.outcome {
            case .figures(let summary, let finalEquity):
                figures = Self.figures(summary, finalEquity) + [""]
            case .refused(let reason):
                figures = Array(repeating: "", count: Self.columns.count - 1) + [Self.cell(reason)]
            }
            text += (result.values.map(Self.cell) + figures).joined(separator: ",") + "\n"
        }
        return text
    }

    /// The columns of `runs.csv` behind those of the axes.
    package static let columns = [
        "final_equity", "total_return_pct", "cagr_pct", "sharpe", "sortino", "max_drawdown_pct",
        "calmar", "round_trips", "win_rate_pct", "profit_factor", "fills", "commissions",
        "problem",
    ]

    /// The best combinations as lines of a table for a terminal.
    ///
    /// - Parameter count: how many at most.
    package func table(best count: Int) -> String {
        let header =
            axes + [
                "return %", "sharpe", "max drawdown %", "trades", "profit factor", "final equity",
            ]
        let rows = ranking.prefix(count).compactMap { index -> [String]? in
            guard case .figures(let summary, let equity) = results[index].outcome else {
                return nil
            }
            return results[index].values + [
                Self.rounded(summary.totalReturn.map { $0 * 100 }),
                Self.rounded(summary.returns.sharpe),
                Self.rounded(summary.deepestDrawdown * 100),
                "\(summary.trades.count)", Self.rounded(summary.trades.profitFactor), "\(equity)",
            ]
        }
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([header] + rows).map { row in
            zip(row, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }
                .joined(separator: "  ") + "\n"
        }.joined()
    }

    /// The best combinations, each with its values and figures.
    ///
    /// - Parameter count: how many at most.
    package func json(best count: Int) -> JSONValue {
        .array(
            ranking.prefix(count).map { index in
                var object = JSONObject()
                var values = JSONObject()
                for (axis, value) in zip(axes, results[index].values) {
                    values.set(axis, .text(value))
                }
                object.set("values", .object(values))
                if case .figures(let summary, let equity) = results[index].outcome {
                    object.set("final_equity", .exact(equity))
                    object.set("fills", .integer(summary.fillCount))
                    for objective in GridObjective.allCases {
                        object.set(
                            objective.rawValue,
                            objective.value(of: summary).flatMap(JSONValue.number))
                    }
                }
                return .object(object)
            })
    }

    private static func figures(
        _ summary: PerformanceSummary, _ finalEquity: Money
    ) -> [String] {
        [
            "\(finalEquity)", decimals(summary.totalReturn, times: 100),
            decimals(summary.returns.cagr, times: 100), decimals(summary.returns.sharpe),
            decimals(summary.returns.sortino), decimals(summary.deepestDrawdown, times: 100),
            decimals(summary.calmar), "\(summary.trades.count)",
            decimals(summary.trades.winRate, times: 100), decimals(summary.trades.profitFactor),
            "\(summary.fillCount)", "\(summary.commissions)",
        ]
    }

    private static func decimals(_ number: Double?, times factor: Double = 1) -> String {
        guard let number else { return "" }
        var bytes: [UInt8] = []
        bytes.append(number * factor, decimals: 6)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func rounded(_ number: Double?) -> String {
        guard let number else { return "n/a" }
        var bytes: [UInt8] = []
        bytes.append(number, decimals: 2)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func cell(_ text: String) -> String {
        String(decoding: CSV.cell(text), as: UTF8.self)
    }
}
