import MarketState
import Model
import Primitives
import Testing

@testable import Catalog

/// What a check doubts beside faulty rows, and what it names.
@Suite struct DoubtTests {
    private static let days = [
        "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-08", "2024-01-09", "2024-01-10",
        "2024-01-11", "2024-01-12", "2024-01-16", "2024-01-17",
    ]

    /// Ten sessions around 100, with some rows replaced, by index; volumes differ.
    private static func daily(
        _ replaced: [Int: String] = [:], columns: String = "",
        remainder: (Int) -> String = { _ in "" }
    ) -> String {
        "date,open,high,low,close,volume\(columns)\n"
            + days.enumerated().map { index, day in
                let prices =
                    replaced[index]
                    ?? "100,101.\(index),99,100.\(index),\(1_000_000 + index)"
                return "\(day),\(prices)\(remainder(index))\n"
            }.joined()
    }

    private static func kinds(_ text: String) throws -> [DataFinding.Kind] {
        try checked(text).findings.kept.map(\.kind)
    }

    @Test func theOrdinaryFileHasNone() throws {
        #expect(try Self.kinds(Self.daily()) == [])
    }

    /// Cents in place of dollars from the sixth row on: a hundred times as high, and back is a hundredth.
    @Test(arguments: [
        ("10000,10100,9900,10000", "100 times as high"), ("1,1.01,0.99,1", "a 100th"),
    ])
    func aChangeOfUnitIsFound(prices: String, name: String) throws {
        let report = try checked(
            Self.daily(
                Dictionary(
                    uniqueKeysWithValues: (5..<10).map { ($0, "\(prices),\(2_000_000 + $0)") }))
        )
        #expect(report.findings.kept.map(\.kind) == [.scale])
        #expect(report.findings.first(.scale)?.line == 7)
        #expect(report.findings.first(.scale)?.text.contains(name) == true)
    }

    @Test func aReverseSplitThatIsNamedIsNoChangeOfUnit() throws {
        let text = Self.daily(
            Dictionary(
                uniqueKeysWithValues: (5..<10).map { ($0, "10000,10100,9900,10000,200\($0)") }),
            columns: ",split", remainder: { $0 == 5 ? ",0.01" : ",1" })
        #expect(try Self.kinds(text) == [])
    }

    @Test func rowsRepeatedToTheLastShareAreFound() throws {
        let report = try checked(
            Self.daily([4: "100,101.3,99,100.3,1000003", 5: "100,101.3,99,100.3,1000003"]))
        #expect(report.findings.kept.map(\.kind) == [.stale])
        #expect(report.findings.first(.stale)?.line == 6)
        #expect(report.findings.itemCount(.stale) == 2)
    }

    @Test(
        arguments: [
            ("100,150,99,100.4", "found high 150.00"), ("100,101,60,100.4", "found low 60.00"),
            ("140,140,99,100.4", "found open 140.00"),
        ])
    func aPriceThatStandsAloneIsASpike(prices: String, text: String) throws {
        let report = try checked(Self.daily([4: prices + ",1000004"]))
        #expect(report.findings.kept.map(\.kind).first == .spike)
        #expect(report.findings.first(.spike)?.line == 6)
        #expect(report.findings.first(.spike)?.text.contains(text) == true)
    }

    @Test func aDividendByWhichThePriceDidNotFallIsDoubted() throws {
        // 45 in place of 0.45.
        let report = try checked(
            Self.daily(columns: ",dividend", remainder: { $0 == 5 ? ",45" : ",0" }))
        #expect(report.findings.kept.map(\.kind) == [.dividend])
        #expect(report.findings.first(.dividend)?.line == 7)
        // A special dividend of 45 by which it fell.
        let paid = Dictionary(
            uniqueKeysWithValues: (5..<10).map { ($0, "55,56,54,55,20\($0)") })
        #expect(
            try Self.kinds(
                Self.daily(paid, columns: ",dividend", remainder: { $0 == 5 ? ",45" : ",0" })) == []
        )
    }

    /// 100 falls to 50 by a dividend of 50: without it that is a split 2:1.
    @Test func aSplitThatADividendExplainsIsNotDoubted() throws {
        let halved = Dictionary(
            uniqueKeysWithValues: (5..<10).map { ($0, "50,51,49,50,20\($0)") })
        #expect(
            try Self.kinds(
                Self.daily(halved, columns: ",dividend", remainder: { $0 == 5 ? ",50" : ",0" }))
                == [])
        #expect(try Self.kinds(Self.daily(halved)) == [.split])
    }

    @Test func rowsOfSeveralSymbolsAreFoundAndRefused() throws {
        func text(_ name: (Int) -> String) -> String {
            Self.daily(columns: ",symbol", remainder: { "," + name($0) })
        }
        let mixed = text { $0 < 6 ? "AAPL" : "MSFT" }
        let report = try checked(mixed)
        #expect(report.findings.kept.map(\.kind) == [.symbols])
        #expect(report.findings.first(.symbols)?.line == 8)
        #expect(report.findings.itemCount(.symbols) == 4)
        #expect(
            try fault(mixed)?.hasPrefix("T.csv:8:7 (symbol): found 'MSFT' behind rows of 'AAPL'")
                == true)
        #expect(try Self.kinds(text { _ in "AAPL" }) == [])
        #expect(try series(text { _ in "AAPL" }).rows.count == 10)
        // A longer name that begins alike.
        #expect(try fault(text { $0 < 6 ? "BRK" : "BRK.B" }) != nil)
    }

    @Test func aHeaderAloneIsAnError() throws {
        let report = try checked("date,open,high,low,close,volume\n")
        #expect(report.findings.kept.map(\.kind) == [.noRows])
        #expect(report.isFaulty)
        #expect(try checked("timestamp,bid,ask\n").findings.kept.map(\.kind) == [.noRows])
    }

    @Test func encodingsAreNamed() throws {
        let sandbox = try Sandbox()
        let text = Array(Self.daily().utf8)
        try sandbox.write([0xFF, 0xFE] + text.flatMap { [$0, 0] }, to: "T.csv")
        let wide = try sandbox.check()
        #expect(wide.findings.kept.map(\.kind) == [.header])
        #expect(wide.findings.first(.header)?.text == "found text in UTF-16")
        #expect(
            try #require(throws: DataError.self) { try DataLoader.load(sandbox.source()) }.remedy
                == "Save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8.")
        try sandbox.write(TextEncoding.mark + text, to: "T.csv")
        #expect(try sandbox.check().findings.first(.encoding)?.line == 1)
        // "é" of Latin-1 in the third row.
        let named = Self.daily(columns: ",name", remainder: { $0 == 2 ? ",?" : ",n" })
        try sandbox.write(named.utf8.map { $0 == UInt8(ascii: "?") ? 0xE9 : $0 }, to: "T.csv")
        let latin = try sandbox.check()
        #expect(latin.findings.kept.map(\.kind) == [.encoding])
        #expect(latin.findings.first(.encoding)?.line == 4)
        #expect(latin.findings.first(.encoding)?.text.contains("Latin-1") == true)
    }

    /// Python and others write large and small numbers with an exponent.
    @Test func exponentsAreReadAlikeEverywhere() throws {
        let plain = Self.daily(
            [3: "100,101,99,100.25,10000000"], columns: ",dividend,split",
            remainder: { $0 == 3 ? ",0.5,4" : ",0,1" })
        let odd = Self.daily(
            [3: "1e2,1.01E2,9.9e+1,1002500e-4,1e7"], columns: ",dividend,split",
            remainder: { $0 == 3 ? ",5e-1,4e0" : ",0,1" })
        let (left, right) = (try series(plain), try series(odd))
        #expect(left.rows == right.rows)
        #expect(left.actions == right.actions)
        #expect(try checked(odd).findings.count(.error) == 0)
        #expect(OddNumber.read("1e7") == .number(1_000_000_000_000_000, isPlain: true))
        #expect(try fault(Self.daily([3: "1e-9,101,99,100,1"])) != nil)
        #expect(try fault(Self.daily([3: "1e,101,99,100,1"])) != nil)
    }

    /// A ratio with more digits than the eight that are kept, and one that is none.
    @Test func splitsAreReadByTheirRatio() throws {
        func text(_ split: String) -> String {
            Self.daily(columns: ",split", remainder: { $0 == 5 ? "," + split : ",1" })
        }
        #expect(
            try series(text("0.0033333333")).actions.map(\.kind) == [
                .split(ratio: try Quantity("0.00333333"))
            ])
        #expect(
            try fault(text("0.7431"))
                == "T.csv:7:7 (split): found '0.7431', which is no ratio of new to old shares. "
                + "Correct it, or write more digits: 0.00333333 is 1 for 300.")
        #expect(try checked(text("0.7431")).findings.first(.format)?.line == 7)
        // A spin-off.
        #expect(try series(text("1.068833")).actions.count == 1)
    }

    @Test func nothingFromAFileReachesATerminalRaw() throws {
        let escape = "\u{1B}[31m"
        let header = try fault("date,open,high,low,\(escape)\n2024-01-03,1,1,1,1\n")
        #expect(header?.contains("\u{1B}") == false)
        #expect(header?.contains("'\\u001B[31m'") == true)
        let column = try fault(
            "date,open,high,low,close,\"split\u{7}\"\n2024-01-03,1,1,1,1,x\n2024-01-03,1,1,1,1,x\n")
        #expect(column?.contains("\u{7}") == false)
        let error = DataError(
            file: "a\u{1B}b\n.csv", line: 3, finding: "found \u{202E}x", remedy: "Correct it.")
        #expect(error.description == "a\\u001Bb\\u000A.csv:3: found \\u202Ex. Correct it.")
        let report = try checked("date,open,high,low,close\n2024-01-03,1,1,1,\u{9B}31m\n")
        #expect(report.findings.kept.allSatisfy { $0.text == ShownText.escaped($0.text) })
        #expect(report.findings.first(.format)?.text.contains("\\u009B31m") == true)
    }

    @Test func fileNamesAreHeldToTheRuleOfSymbols() throws {
        let sandbox = try Sandbox()
        try sandbox.write(Self.daily(), to: "GOOD.csv")
        for name in ["MY FILE.csv", "A\u{1B}[31m.csv", String(repeating: "A", count: 33) + ".csv"] {
            try sandbox.write(Self.daily(), to: name)
            let error = #expect(throws: DataError.self) {
                try DataFolder.files(of: sandbox.source())
            }
            #expect(error?.finding == "has a name that is no symbol")
            #expect(error?.description.contains("\u{1B}") == false)
            // Those that are asked for are not held up by others.
            #expect(
                try DataFolder.files(of: sandbox.source { $0.symbols = ["good"] }).count == 1)
            try sandbox.remove(name)
        }
        #expect(SymbolName.isAllowed("BRK.B"))
        #expect(!SymbolName.isAllowed("A\u{202E}B"))
    }
}
