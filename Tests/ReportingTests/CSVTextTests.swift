import Primitives
import Testing

@testable import Reporting

@Suite struct CSVTextTests {
    @Test(arguments: [
        ("AAPL", "AAPL"), ("", ""), ("fast above slow", "fast above slow"),
        ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("two\nlines", "\"two\nlines\""),
        ("=1+2", "'=1+2"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"), ("\rx", "\"'\rx\""), ("\0x", "'\0x"), ("=A1,\"B\"", "\"'=A1,\"\"B\"\"\""),
        ("a=1", "a=1"), ("é", "é"),
    ])
    func textCellsAreQuotedAndDefused(text: String, cell: String) {
        #expect(String(ascii: CSV.cell(text)) == cell)
    }

    /// Property: no cell starts like a formula, and a reader gets the text back, behind a `'` where
    /// one was needed.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func anyTextSurvivesAndNoneIsAFormula(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("=+-@\t\r\n\0,\"' aé")
        let text = String(
            (0..<random.next() % 6).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))]
            })
        let rows = CSVReader.rows(of: CSV.cell(text) + [UInt8(ascii: "\n")])
        #expect(rows.count == 1 && rows[0].count == 1)
        let cell = Array(rows[0][0].utf8)
        #expect(!CSVReader.isFormula(cell))
        let needsApostrophe = CSVReader.isFormula(Array(text.utf8))
        #expect(cell == (needsApostrophe ? [UInt8(ascii: "'")] : []) + Array(text.utf8))
    }

    @Test func typesExplainThemselves() {
        #expect(CSVType.word(["BUY", "SELL"]).description == "BUY or SELL")
        #expect(CSVType.decimal.description == "exact decimal")
    }
}

/// Reads CSV as RFC 4180 defines it, with LF as line end.
enum CSVReader {
    static func rows(of bytes: [UInt8]) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let isNextQuote = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\"")
            switch (byte, isQuoted) {
            case (UInt8(ascii: "\""), true) where isNextQuote:
                cell.append(byte)
                index += 1
            case (UInt8(ascii: "\""), _): isQuoted.toggle()
            case (UInt8(ascii: ","), false), (UInt8(ascii: "\n"), false):
                row.append(String(decoding: cell, as: UTF8.self))
                cell = []
                if byte == UInt8(ascii: "\n") {
                    rows.append(row)
                    row = []
                }
            default: cell.append(byte)
            }
            index += 1
        }
        return rows
    }

    static func isFormula(_ text: [UInt8]) -> Bool {
        text.first.map { "=+-@\t\r\0".utf8.contains($0) } ?? false
    }
}
