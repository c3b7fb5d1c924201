import Primitives
import Reporting
import Testing

@Suite struct GridReportTests {
    /// Final equities of runs that started with 100.00.
    private func report(
        _ cents: [Int64?], rankedBy objective: GridObjective = .totalReturn
    ) -> GridReport {
        let results = cents.enumerated().map { index, cents in
            guard let cents else {
                return GridResult(values: ["\(index)"], outcome: .refused("=no"))
            }
            let record = RunRecord.sessions(startingWith: 100_00, equityInCents: [cents])
            let summary = PerformanceSummary(of: record, trades: RoundTrips(of: record))
            return GridResult(
                values: ["\(index)"],
                outcome: .figures(summary, finalEquity: record.finalEquity))
        }
        return GridReport(axes: ["fast"], results: results, rankedBy: objective)
    }

    @Test func theBestComesFirstAndEqualsInTheOrderTried() {
        #expect(report([90_00, 120_00, nil, 120_00, 100_00]).ranking == [1, 3, 4, 0])
        #expect(report([90_00, nil]).refusedCount == 1)
    }

    /// One session has no deviation, so no Sharpe ratio: nothing to tell runs apart by.
    @Test func undefinedScoresComeLastInTheOrderTried() {
        #expect(report([90_00, 120_00], rankedBy: .sharpe).ranking == [0, 1])
    }

    @Test func everyCombinationHasARowOfTheFile() {
        let rows = CSVReader.rows(of: Array(report([110_00, nil]).csv.utf8))
        #expect(rows.map(\.count) == Array(repeating: 1 + GridReport.columns.count, count: 3))
        #expect(rows[0].first == "fast")
        #expect(rows[1][1...2] == ["110.00", "10.000000"])
        #expect(rows[2][1] == "" && rows[2].last == "'=no")
    }

    @Test func theTableShowsTheBestAndStatesWhatIsNotDefined() {
        let lines = report([90_00, 120_00]).table(best: 1).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[1].contains("20.00") && lines[1].contains("n/a"))
        #expect(lines[0].count == lines[1].count)
    }
}
