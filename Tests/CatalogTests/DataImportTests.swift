import Foundation
import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// What becomes of files of other programs.
@Suite struct DataImportTests {
    /// The files an import writes, by name, and its report.
    private func imported(
        _ text: String, name: String = "AAPL.csv",
        _ configure: (inout DataImport) -> Void = { _ in }
    ) throws -> (files: [String: String], report: DataImport.Report) {
        let sandbox = try Sandbox()
        try sandbox.write(text, to: name)
        try sandbox.makeFolder("out")
        var source = DataSource(path: sandbox.path, calendar: .newYork)
        let file = try #require(try DataFolder.files(of: source).first)
        source.path = file.path
        var settings = DataImport(source)
        configure(&settings)
        let folder = sandbox.path + "/out"
        let report = try settings.run(file, into: folder)
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            files[name] = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        }
        // Whatever is written loads.
        _ = try DataLoader.load(DataSource(path: folder, calendar: .newYork))
        return (files, report)
    }

    @Test func yahoosTableIsRead() throws {
        let result = try imported(
            """
            Date,Open,High,Low,Close,Adj Close,Volume
            2020-08-28,126.012497,126.442497,124.577499,124.807503,121.946365,187630000
            2020-08-31,127.580002,131.000000,126.000000,129.039993,126.081825,225702700

            """)
        #expect(
            result.files == [
                "AAPL.csv": """
                date,open,high,low,close,volume,adj_close
                2020-08-28,126.012497,126.442497,124.577499,124.807503,187630000,121.946365
                2020-08-31,127.580002,131.00,126.00,129.039993,225702700,126.081825

                """
            ])
        #expect(result.report.shape == "bars")
        #expect(result.report.findings.kept.isEmpty)
    }

    @Test func alphaVantagesTableIsTurnedAround() throws {
        let result = try imported(
            """
            timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient
            2020-08-31,127.58,131,126,129.04,126.08,225702700,0.0000,4.0
            2020-08-28,504.05,505.77,498.31,499.23,121.95,46907479,0.0000,1.0

            """)
        #expect(
            result.files["AAPL.csv"] == """
                date,open,high,low,close,volume,adj_close,dividend,split
                2020-08-28,504.05,505.77,498.31,499.23,46907479,121.95,0,1
                2020-08-31,127.58,131.00,126.00,129.04,225702700,126.08,0,4

                """)
    }

    @Test func ibsExportIsRead() throws {
        let result = try imported(
            """
            date,open,high,low,close,volume,average,barCount
            20190211  09:30:00,170.1,170.2,170.0,170.15,1000,170.1,12
            20190211-09:31:00,170.15,170.3,170.1,170.2,900,170.2,10

            """
        ) { $0.source.zone = .newYork }
        #expect(
            result.files["AAPL.csv"] == """
                timestamp_1m,open,high,low,close,volume
                2019-02-11T09:30:00-05:00,170.10,170.20,170.00,170.15,1000
                2019-02-11T09:31:00-05:00,170.15,170.30,170.10,170.20,900

                """)
    }

    @Test func midnightsAreDates() throws {
        // As pandas writes them.
        let result = try imported(
            """
            Date,Open,High,Low,Close,Volume,Dividends,Stock Splits
            2020-08-28 00:00:00-04:00,126.01249694824219,126.5,124.5,124.75,187630000,0.0,0.0
            2020-08-31 00:00:00-04:00,127.5,131.0,126.0,129.0,225702800,0.0,4.0

            """)
        #expect(
            result.files["AAPL.csv"] == """
                date,open,high,low,close,volume,dividend,split
                2020-08-28,126.01249695,126.50,124.50,124.75,187630000,0,1
                2020-08-31,127.50,131.00,126.00,129.00,225702800,0,4

                """)
    }

    @Test func longTableBecomesAFileASymbol() throws {
        let result = try imported(
            """
            date,symbol,open,high,low,close,volume
            2018-01-02,A,67.42,67.89,67.34,67.6,1047772
            2018-01-02,BRK B,52.33,53.1,51.9,52.99,4060789
            2018-01-03,A,67.62,69.49,67.6,69.32,1698930

            """, name: "SP500.csv")
        #expect(result.report.shape == "long")
        #expect(result.report.written.map(\.symbol) == ["A", "BRK.B"])
        #expect(result.report.written.map(\.rowCount) == [2, 1])
        #expect(
            result.files["A.csv"] == """
                date,open,high,low,close,volume
                2018-01-02,67.42,67.89,67.34,67.60,1047772
                2018-01-03,67.62,69.49,67.60,69.32,1698930

                """)
    }

    @Test func wideTableBecomesFilesOfCloses() throws {
        let result = try imported(
            """
            date,AAPL,BABA
            1990-01-02,0.262129,
            1990-01-03,0.263889,1.5

            """, name: "CLOSES.csv")
        #expect(result.report.shape == "wide")
        #expect(result.report.emptyCount == 1)
        #expect(
            result.files["AAPL.csv"] == """
                date,open,high,low,close
                1990-01-02,0.262129,0.262129,0.262129,0.262129
                1990-01-03,0.263889,0.263889,0.263889,0.263889

                """)
        #expect(result.files["BABA.csv"]?.contains("1990-01-03,1.50") == true)
    }

    @Test func otherNamesSeparatorsAndFormsAreRead() throws {
        let result = try imported(
            "Day;Time;Last;Vol.\n02/11/2019;9:30 AM;$1,170.5;1e3\n02/11/2019;1:05 PM;\"1171\";2000\n"
        ) { $0.source.zone = .newYork }
        #expect(result.report.shape == "closes")
        #expect(
            result.files["AAPL.csv"] == """
                timestamp_215m,open,high,low,close,volume
                2019-02-11T09:30:00-05:00,1170.50,1170.50,1170.50,1170.50,1000
                2019-02-11T13:05:00-05:00,1171.00,1171.00,1171.00,1171.00,2000

                """)
    }

    @Test func columnsCanBeNamed() throws {
        let result = try imported("When,X,Y\n2019-02-11,5,6\n") {
            $0.columns = ["time": "when", "close": "Y"]
            $0.symbol = "msft"
        }
        #expect(result.files["MSFT.csv"]?.contains("2019-02-11,6.00,6.00,6.00,6.00") == true)
    }

    @Test func endsOfBarsBecomeStarts() throws {
        let text = """
            timestamp,open,high,low,close
            2019-02-11 09:31:00,1,1,1,1
            2019-02-11 09:32:00,2,2,2,2

            """
        let result = try imported(text) {
            $0.source.zone = .newYork
            $0.source.stamp = .end
        }
        #expect(result.files["AAPL.csv"]?.contains("2019-02-11T09:30:00-05:00,1.00") == true)
        #expect(result.files["AAPL.csv"]?.contains("2019-02-11T09:31:00-05:00,2.00") == true)
    }

    @Test func pricesAreAdjustedOnRequest() throws {
        let result = try imported(
            "date,open,high,low,close,adj_close,split\n2019-02-11,10,12,8,10,5,1\n2019-02-12,1,3,1,3,1,1\n"
        ) { $0.isAdjusting = true }
        #expect(
            result.files["AAPL.csv"] == """
                date,open,high,low,close
                2019-02-11,5.00,6.00,4.00,5.00
                2019-02-12,0.33333333,1.00,0.33333333,1.00

                """)
    }

    @Test func pricesThatCannotBeAdjustedAreNotPassedOffAsAdjusted() throws {
        let error = #expect(throws: DataError.self) {
            try imported("date,open,high,low,close\n2019-02-11,1,1,1,1\n") { $0.isAdjusting = true }
        }
        #expect(error?.finding.contains("no column of adjusted closes") == true)
        let result = try imported(
            "date,open,high,low,close,adj_close\n2019-02-11,2,2,2,2,1\n2019-02-12,2,2,2,2,\n"
        ) { $0.isAdjusting = true }
        #expect(result.report.findings.kept.map(\.line) == [3])
    }

    @Test func rowsThatCannotBeReadAreReportedAndOthersTaken() throws {
        let result = try imported(
            "date,open,high,low,close\n2019-02-11,1,1,1,1\nnever,1,1,1,1\n2019-02-13,1,x,1,1\n"
                + "2019-02-14,1,1\n2019-02-15,1,1,1,\n2019-02-19,1,1,1,1\n")
        #expect(result.report.findings.kept.map(\.line) == [3, 4, 5, 6])
        #expect(result.report.written.map(\.rowCount) == [2])
    }

    @Test func timesWithoutAZoneAreRefusedUnlessItIsGiven() throws {
        let result = try imported(
            "date,open,high,low,close\n2019-02-11,1,1,1,1\n2019-02-11 09:30:00,1,1,1,1\n")
        #expect(result.report.findings.kept.map(\.kind) == [.zoneUnstated])
    }

    @Test func headerThatReportsTooLittleIsRefused() throws {
        let error = #expect(throws: DataError.self) {
            try imported("open,high,low,close\n1,1,1,1\n")
        }
        #expect(error?.finding.hasPrefix("found no column for time") == true)
        let unknown = #expect(throws: DataError.self) {
            try imported("date,close\n2019-02-11,1\n") { $0.columns = ["close": "Last"] }
        }
        #expect(unknown?.finding.contains("'Last'") == true)
    }

    @Test(arguments: [
        ("20190211", "2019-02-11", Int64?.none), ("2019/02/11", "2019-02-11", nil),
        ("02/11/2019", "2019-02-11", nil), ("11.02.2019", "2019-02-11", nil),
        ("Feb 11, 2019", "2019-02-11", nil), ("2019-02-11 9:30", "2019-02-11", 570),
        ("02/11/2019 12:05 AM", "2019-02-11", 5), ("02/11/2019 12:05 PM", "2019-02-11", 725),
        ("20190211 093000", "2019-02-11", 570), ("20190211-09:30:00", "2019-02-11", 570),
    ])
    func timesOfOtherProgramsAreRead(text: String, day: String, minute: Int64?) throws {
        let date = try #require(Day(day))
        let expected: StampText =
            minute.map { .reading(day: date, sinceMidnight: .minutes($0), offset: nil) }
            ?? .date(date)
        #expect(ForeignStamp.read(text, isDayFirst: false) == expected)
    }

    @Test func zonesByNameAreRead() throws {
        let day = try #require(Day("2019-07-11"))
        #expect(
            ForeignStamp.read("20190711 09:30:00 US/Eastern", isDayFirst: false)
                == .reading(day: day, sinceMidnight: .minutes(570), offset: .hours(-4)))
        #expect(
            ForeignStamp.read("2019-07-11 13:30:00 UTC", isDayFirst: false)
                == .reading(day: day, sinceMidnight: .minutes(810), offset: .zero))
        #expect(
            ForeignStamp.read("07/11/2019", isDayFirst: true) == Day("2019-11-07").map { .date($0) }
        )
    }

    @Test(arguments: [
        "", "yesterday", "2019-13-01", "31/31/2019", "20191301", "2019-02-11 25:00", "2/11/19",
        "2019-02-11 9:30 XM", "Foo 11, 2019", "2019-02-11 13:00 PM", "UTC", "20190211-",
    ])
    func whatIsNoTimeIsNotRead(text: String) {
        #expect(ForeignStamp.read(text, isDayFirst: false) == nil)
    }
}
