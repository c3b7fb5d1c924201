import Foundation
import MarketState
import Primitives
import Testing

@testable import Catalog

@Suite struct LongerBarFilesTests {
    private let minutes = """
        time,open,high,low,close,volume,dividend,split
        2024-07-03T13:25:00Z,9,9,9,9,50,0.5,
        2024-07-03T13:30:00Z,10,12,9,11,100,,
        2024-07-03T13:31:00Z,11,15,10,14,200,,
        2024-07-03T13:36:00Z,14,14,13,13,300,,2
        2024-07-03T16:59:00Z,20,21,19,20,400,,
        2024-07-03T17:00:00Z,30,31,29,30,500,,

        """

    /// The session of 3 July ends at 13:00 in New York, 17:00 UTC. What a company did before the open goes
    /// with the first bar.
    @Test func barsEndWithTheSessionAndCarryWhatCompaniesDid() throws {
        let sandbox = try Sandbox()
        try sandbox.makeFolder("five")
        try sandbox.makeFolder("day")
        try sandbox.write(minutes, to: "T.csv")
        let source = sandbox.source { $0.calendar = .newYork }
        let file = try #require(try DataFolder.files(of: source).first)
        let five = try LongerBarFiles.write(
            file, source: source, barSize: .minutes(5), to: sandbox.path + "/five", ending: ".csv")
        #expect(five.barCount == 3 && five.partCount == 6 && five.dropped == 2)
        #expect(
            try String(contentsOfFile: five.path, encoding: .utf8) == """
                timestamp_5m,open,high,low,close,volume,dividend,split
                2024-07-03T09:30:00-04:00,10.00,15.00,9.00,14.00,300,0.50,
                2024-07-03T09:35:00-04:00,14.00,14.00,13.00,13.00,300,,2
                2024-07-03T12:55:00-04:00,20.00,21.00,19.00,20.00,400,,

                """)
        let day = try LongerBarFiles.write(
            file, source: source, barSize: .days(1), to: sandbox.path + "/day", ending: ".csv")
        #expect(
            try String(contentsOfFile: day.path, encoding: .utf8)
                == "date,open,high,low,close,volume,dividend,split\n"
                + "2024-07-03,10.00,21.00,9.00,20.00,1000,0.50,2\n")
    }

    @Test func tradesBecomeBarsAndQuotesWhereNobodyTrades() throws {
        func text(_ rows: String) throws -> String {
            let sandbox = try Sandbox()
            try sandbox.makeFolder("out")
            try sandbox.write("time,bid,ask,price,size\n" + rows, to: "T.csv")
            let source = sandbox.source { $0.calendar = .newYork }
            let file = try LongerBarFiles.write(
                try #require(try DataFolder.files(of: source).first), source: source,
                barSize: .minutes(1), to: sandbox.path + "/out", ending: ".csv")
            return try String(contentsOfFile: file.path, encoding: .utf8)
        }
        let quotes =
            "2024-01-02T14:30:01Z,10.00,10.02,,\n2024-01-02T14:30:30Z,10.03,10.04,,\n"
            + "2024-01-02T14:30:40Z,10.06,10.04,,\n2024-01-02T14:31:00Z,,10.04,,\n"
        #expect(
            try text(quotes)
                == "timestamp_1m,open,high,low,close,volume\n"
                + "2024-01-02T09:30:00-05:00,10.01,10.035,10.01,10.035,0\n")
        #expect(
            try text(
                quotes + "2024-01-02T14:31:59.9Z,,,9,5\n2024-01-02T14:31:59.9Z,,,8,6\n"
                    + "2024-01-02T14:32:00Z,,,7,1\n")
                == "timestamp_1m,open,high,low,close,volume\n"
                + "2024-01-02T09:31:00-05:00,9.00,9.00,8.00,8.00,11\n"
                + "2024-01-02T09:32:00-05:00,7.00,7.00,7.00,7.00,1\n")
    }

    @Test func lengthsAFileCannotStateAreRefused() throws {
        let sandbox = try Sandbox()
        try sandbox.write(minutes, to: "T.csv")
        let source = sandbox.source { $0.calendar = .newYork }
        let file = try #require(try DataFolder.files(of: source).first)
        for (length, word) in [
            (Duration.hours(1), "would be shorter"), (.minutes(1), "already"),
            (.seconds(90), "no bars of"),
        ] {
            let error = #expect(throws: DataError.self) {
                try LongerBarFiles.write(
                    file, source: source, barSize: length, to: sandbox.path, ending: ".csv.gz")
            }
            #expect(error?.finding.contains(word) == true, "\(length): \(error?.finding ?? "")")
        }
    }
}
