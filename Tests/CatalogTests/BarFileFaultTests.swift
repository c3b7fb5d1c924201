import Model
import Primitives
import Testing

@testable import Catalog

/// What is refused, where it is said to be, and what is advised.
@Suite struct BarFileFaultTests {
    private static let good = "2024-01-02T14:30:00Z,10,12,9,11,100"

    /// The second row of a file, at fault, and what is said of it.
    struct Fault: CustomTestStringConvertible, Sendable {
        let row: String
        let message: String
        var testDescription: String { row }
    }

    private static let next = "2024-01-02T14:31:00Z"
    private static let correct = "Correct the row or remove it."
    private static func field(_ row: String, _ index: String, _ finding: String) -> Fault {
        Fault(row: row, message: "T.csv:3:\(index): found \(finding). \(correct)")
    }

    private static func time(_ text: String) -> Fault {
        field(
            "\(text),10,12,9,11,1", "1 (timestamp)",
            "'\(text)', which is no time such as 2019-02-11, 2019-02-11T09:30:00-05:00 "
                + "or 1549895400")
    }

    static let faults: [Fault] = [
        time("1/2/2024"), time("2024-01-02T24:31:00Z"), time("2024-01-02T14:60:00Z"),
        time("2024-01-02T14:31:60Z"), time("2024-01-02t14:31:00Z"), time("2024-01-02T14.31:00Z"),
        time("2024-01-32T14:31:00Z"), time("2024-13-02T14:31:00Z"), time("2024-01-02T14:31:00X"),
        time("2024/01-02T14:31:00Z"), time("2024-01-02T1a:31:00Z"),
        field("\(next),abc,12,9,11,1", "2 (open)", "'abc', which is not a decimal number"),
        field("\(next),10,1e3e,9,11,1", "3 (high)", "'1e3e', which is not a decimal number"),
        field("\(next),10,12,NaN,11,1", "4 (low)", "'NaN', which is not a decimal number"),
        field("\(next),10,12,9,,1", "5 (close)", "nothing where a number should be"),
        field("\(next),10,12,9,11,", "6 (volume)", "nothing where a number should be"),
        field("\(next),0,12,9,11,1", "2 (open)", "'0', which is not a positive price"),
        field("\(next),10,12,-9,11,1", "4 (low)", "'-9', which is not a positive price"),
        field("\(next),10,12,9,11,-1", "6 (volume)", "'-1', which is negative"),
        field(
            "\(next),10,100000000.01,9,11,1", "3 (high)",
            "'100000000.01', which is beyond the largest number accepted, 100000000"),
        field(
            "\(next),10,12,9,11,90000000001", "6 (volume)",
            "'90000000001', which is beyond the largest number accepted, 90000000000"),
        field(
            "\(next),10,12,9,11,99999999999999999999", "6 (volume)",
            "'99999999999999999999', which is beyond the largest number accepted, 90000000000"),
        field("\(next),10,8,9,11,1", "3 (high)", "'8', which is below the low 9.00"),
        field("\(next),10,9.5,9,9.2,1", "3 (high)", "'9.5', which is below the open 10.00"),
        field("\(next),10,10.5,9,11,1", "3 (high)", "'10.5', which is below the close 11.00"),
        field("\(next),10,12,10.5,11,1", "4 (low)", "'10.5', which is above the open 10.00"),
        field("\(next),10,12,9.5,9.2,1", "4 (low)", "'9.5', which is above the close 9.20"),
        field(
            "2024-01-02T14:30:00Z,10,12,9,11,1", "1 (timestamp)",
            "'2024-01-02T14:30:00Z', which is the time of the row before, too"),
        field(
            "2024-01-02T14:29:00Z,10,12,9,11,1", "1 (timestamp)",
            "'2024-01-02T14:29:00Z', which is before the row before (2024-01-02T14:30:00Z): rows "
                + "go from old to new"),
        field(
            "2190-01-02T14:30:00Z,10,12,9,11,1", "1 (timestamp)",
            "'2190-01-02T14:30:00Z', which is not within 1900 to 2189"),
        Fault(
            row: "\(next),10,12.123456789,9,11,1",
            message:
                "T.csv:3:3 (high): found '12.123456789', which has more than 8 decimals. Round "
                + "the column to 8 decimals."),
        Fault(
            row: "\(next),10,12,9,11",
            message: "T.csv:3: found 5 fields where the header has 6. \(correct)"),
        Fault(
            row: "\(next),10,12,9,11,1,1",
            message: "T.csv:3: found 7 fields where the header has 6. \(correct)"),
        Fault(
            row: "\(next),10,\"12,9,11,1",
            message: "T.csv:3: found a quotation mark without its partner before a comma or line "
                + "end. \(correct)"),
        Fault(
            row: "\n\(next),10,12,9,11,1",
            message: "T.csv:3: found an empty line between rows. Remove it."),
        field(
            "\(next),10,12,9,\(String(repeating: "x", count: 50)),1", "5 (close)",
            "'\(String(repeating: "x", count: 40))…', which is not a decimal number"),
        field(
            "\(next),10,12,9,1\u{7}\u{1B}1,1", "5 (close)",
            "'1\\u0007\\u001B1', which is not a decimal number"),
    ]

    @Test(arguments: faults)
    func faultyRowIsRefusedWithPlaceFindingAndRemedy(of expected: Fault) throws {
        let header = "timestamp,open,high,low,close,volume\n"
        #expect(try fault(header + Self.good + "\n" + expected.row + "\n") == expected.message)
        // The first row is read by another path than those behind it, and must say the same.
        let shifted = expected.message.replacing("T.csv:3", with: "T.csv:2")
        guard !expected.message.contains("row before"), !expected.row.hasPrefix("\n") else {
            return
        }
        #expect(try fault(header + expected.row + "\n" + Self.good + "\n") == shifted)
    }

    @Test func lineNumbersAreRightFarIntoAFile() throws {
        var text = "date,open,high,low,close\n"
        for day in 0..<5_000 { text += "\(Day(number: Int32(day))),1,1,1,1\n" }
        text += "2100-01-01,1,1,1,x\n"
        #expect(try fault(text)?.hasPrefix("T.csv:5002:5 (close): found 'x'") == true)
    }

    @Test func negativeDividendsAndSplitsAreRefused() throws {
        let header = "date,open,high,low,close,dividend,split\n2024-01-02,1,1,1,1,0,0\n"
        #expect(
            try fault(header + "2024-01-03,1,1,1,1,-0.1,0\n")
                == "T.csv:3:6 (dividend): found '-0.1', which is negative. \(Self.correct)")
        #expect(
            try fault(header + "2024-01-03,1,1,1,1,0,-2\n")
                == "T.csv:3:7 (split): found '-2', which is negative. \(Self.correct)")
    }

    @Test(arguments: [
        (
            "day,open,high,low,last",
            "found no column for a time (date, datetime, timestamp or time), close among 'day', "
                + "'open', 'high', 'low', 'last'. The first line must name the columns: "
                + "date,open,high,low,close,volume."
        ),
        (
            "date;open;high;low;close",
            "found a header separated by semicolons. Write the file with commas as separators."
        ),
        (
            "date\topen\thigh\tlow\tclose",
            "found a header separated by tabs. Write the file with commas as separators."
        ),
        (
            "date,time,open,high,low,close",
            "found columns 1 (date) and 2 (time) for the same value. Keep one of them."
        ),
        (
            "date,\"open,high,low,close",
            "found a quotation mark that is not closed. Correct the header."
        ),
    ])
    func faultyHeaderIsRefused(header: String, message: String) throws {
        #expect(try fault(header + "\n2024-01-02,1,1,1,1\n") == "T.csv:1: " + message)
    }

    @Test func fileWithoutRowsIsRefused() throws {
        #expect(
            try fault("") == "T.csv: found an empty file. Write a header and rows, or remove it.")
        #expect(
            try fault("date,open,high,low,close\n\n")
                == "T.csv: found no rows under the header. Add rows, or remove the file.")
    }

    @Test func largestNumbersAreAccepted() throws {
        let bars = try series(
            "date,open,high,low,close,volume\n"
                + "2024-01-02,100000000,100000000.00,0.00000001,99999999.99999999,90000000000\n"
                + "2024-01-03,100000000,100000000.00,0.00000001,99999999.99999999,90000000000.0\n"
                + "2024-01-04,0.5,1,00.50000000000,1,9999999999.99999999\n")
        #expect(
            try bars.rows == [
                row(
                    "2024-01-02T00:00:00Z", "100000000", "100000000", "0.00000001",
                    "99999999.99999999", "90000000000"),
                row(
                    "2024-01-03T00:00:00Z", "100000000", "100000000", "0.00000001",
                    "99999999.99999999", "90000000000"),
                row("2024-01-04T00:00:00Z", "0.5", "1", "0.5", "1", "9999999999.99999999"),
            ])
    }

    @Test func lineLongerThanTheBufferIsRefused() throws {
        let text =
            "date,open,high,low,close\n2024-01-02,1,1,1,1" + String(repeating: " ", count: 300)
        let error = #expect(throws: DataError.self) {
            try series(Array(text.utf8), bufferBytesMax: 128)
        }
        #expect(error?.finding == "found a line longer than 128 bytes")
    }
}
