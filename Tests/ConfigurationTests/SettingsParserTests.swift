import Primitives
import Testing

@testable import Configuration

/// Files that are broken, hostile or merely odd.
@Suite struct SettingsParserTests {
    private func problems(_ text: String) -> [SettingsProblem] { Sample.problems(text) }

    @Test func syntaxErrorsHaveTheirPlace() {
        let cases: [(String, Int, Int)] = [
            ("account:\n  type: margin\n type: x\n", 3, 2),
            ("account: {type: margin\nrisk: {}\n", 2, 5),
            ("account:\n\ttype: margin\n", 2, 1),
            ("account:\n  type: \"margin\n", 3, 1),
            ("account: }\n", 1, 10),
            ("a: 1\n---\nb: 2\n", 2, 1),
        ]
        for (text, line, column) in cases {
            let found = problems(text)
            #expect(found.count == 1, "\(text)")
            let location = SettingsOrigin.Location(line: line, column: column)
            #expect(
                found.first?.origin == SettingsOrigin(.file("config.yaml"), at: location),
                "\(found)")
        }
    }

    @Test func tabsAreExplained() {
        #expect(
            problems("account:\n\ttype: margin\n").first?.advice
                == "Indent with spaces, not with tabs.")
    }

    @Test func duplicateKeysAreRefused() {
        let found = problems("account:\n  type: margin\n  currency: USD\n  type: margin\n")
        #expect(found.map(\.found) == ["given more than once in one section: type"])
        #expect(found.first?.origin?.location?.line == 2)
        let quoted = problems("account: {type: margin, 'type': margin}")
        #expect(quoted.map(\.found) == ["given more than once in one section: type"])
    }

    @Test func jsonIsReadToo() throws {
        let json = """
            {
            \t"account": {"type": "margin", "starting_capital": "100000.10"},
            \t"strategies": [{"use": "ma_crossover", "parameters": {"fast": 5}}],
            \t"risk": {"allow_short": true, "limits": null},
            \t"backtest": {"data": {"path": "b\\u00e4rs\\/\\"x", "basis": "raw"}, "from": "2020-01-02"}
            }
            """
        let settings = try Sample.settings(json, named: "config.json")
        #expect(settings.account.startingCapital == Money(cents: 10_000_010))
        #expect(settings.backtest.data?.path.given == "bärs/\"x")
        #expect(settings.risk.allowShort)
    }

    @Test func byteOrderMarksCommentsAndWindowsLineEndsAreFine() throws {
        let text =
            "\u{FEFF}# *stars* & 'quotes' in a comment\r\n"
            + Sample.minimal.replacing("\n", with: "\r\n") + "\r\n"
        #expect(try Sample.settings(text).strategies.count == 1)
    }

    @Test func aliasesStandForTheirAnchors() throws {
        let text = """
            trading:
              symbols: &tech [AAPL, MSFT]
            strategies:
              - &first {use: ma_crossover, name: one, symbols: *tech, parameters: {fast: 3}}
              - {use: ma_crossover, name: "*tech", symbols: *tech}
            account: {type: margin, starting_capital: 100000}
            backtest: {data: {path: a*b, basis: raw}}
            """
        #expect(problems(text).map(\.path) == ["strategies.1.name"])
        #expect(problems(text).map(\.found) == ["found '*tech'"])
        let settings = try Sample.settings(text.replacing("\"*tech\"", with: "two"))
        #expect(settings.strategies[1].symbols == ["AAPL", "MSFT"])
        #expect(settings.backtest.data?.path.given == "a*b")
    }

    @Test(
        arguments: [
            ("a: *none\n", "there is no anchor &none above this alias"),
            ("a: &x [*x]\n", "there is no anchor &x above this alias"),
            ("a: &x [1]\nb: &x [*x]\nc: *x\n", "anchor &x is given twice"),
            ("a: &x 1\n*x : 2\n", "a key is a list, a mapping or an alias"),
            ("? [a, b]\n: 2\n", "a key is a list, a mapping or an alias"),
            ("{{a: 1}: 2}\n", "a key is a list, a mapping or an alias"),
        ])
    func strangeAnchorsAndKeysAreRefused(text: String, words: String) {
        #expect(problems(text).map(\.found) == [words])
    }

    /// Nine levels of nine aliases are 400 million nodes; in a key, Yams would compare them all.
    @Test(arguments: ["last: *i8", "? *i8\n: 1", "? [*i8, *i8]\n: 1"])
    func aliasesOfAliasesAreBounded(end: String) {
        var lines = ["i0: &i0 [x, x, x, x, x, x, x, x, x]"]
        for level in 1...8 {
            let aliases = Array(repeating: "*i\(level - 1)", count: 9).joined(separator: ", ")
            lines.append("i\(level): &i\(level) [\(aliases)]")
        }
        #expect(problems((lines + [end]).joined(separator: "\n")).count == 1)
    }

    @Test(arguments: [40, 900, 5_000, 400_000])
    func deepNestingIsRefused(depth: Int) {
        let texts = [
            String(repeating: "[", count: depth), String(repeating: "{", count: depth),
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
            String(repeating: "{a: ", count: depth) + String(repeating: "}", count: depth),
            String(repeating: "- ", count: depth) + "x",
            String(repeating: "? ", count: depth) + "x",
            (0..<min(depth, 1_000)).map { String(repeating: " ", count: $0) + "a:" }
                .joined(separator: "\n"),
        ]
        for text in texts { #expect(problems(text).count == 1, "\(text.prefix(10))") }
        #expect(Sample.problems(Sample.minimal, set: ["risk=" + texts[2]]).count == 1)
    }

    @Test func thirtyTwoLevelsAreNotDeep() {
        let text = "a: " + String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
        #expect(problems(text).contains { $0.found == "unknown key" })
    }

    @Test func largeFilesAreRefused() {
        let comment = Sample.minimal + "\n# " + String(repeating: "x", count: 2 << 20)
        #expect(problems(comment).map(\.found) == ["the document is too large"])
        let wide = "a: [" + String(repeating: "1,", count: 60_000) + "]"
        #expect(problems(wide).count == 1)
        #expect(problems(String(repeating: "\"", count: 1 << 20)).count >= 1)
    }

    @Test func bytesThatAreNotTextAreRefused() {
        func problems(_ bytes: [UInt8]) -> [SettingsProblem] {
            var document = SettingsDocument()
            document.merge(bytes, from: "x")
            return Sample.problems(in: document)
        }
        #expect(
            problems([0x61, 0x3A, 0x20, 0xFF]).map(\.found) == ["the document is not UTF-8 text"])
        #expect(
            problems([0xFF, 0xFE, 0x61, 0x00]).map(\.found) == ["the document is not UTF-8 text"])
        let nul = problems(Array("a: 1\nb: x\0y\n".utf8))
        #expect(nul.map(\.found) == ["control characters are not allowed"])
        #expect(nul.first?.origin?.location == SettingsOrigin.Location(line: 2, column: 5))
        #expect(problems(Array("a: \u{E000}b\n".utf8)).count == 1)
        #expect(problems(Array("a: \"\\ud800\"\n".utf8)).count == 1)
    }

    @Test(arguments: ["", "\n\n", "# nothing\n", "---\n", "null", "---\n...\n", "{}"])
    func anEmptyFileLacksWhatIsRequired(text: String) {
        #expect(
            problems(text).map(\.path) == ["account.type", "strategies"])
    }

    @Test(arguments: ["hello", "5", "[1, 2]", "- a", "\"\"", "'account: x'"])
    func aFileWithoutSectionsIsRefused(text: String) {
        let found = problems(text)
        #expect(found.count == 1)
        #expect(found.first?.allowed == "sections with keys")
    }

    @Test(arguments: ["margin", "[1]", "5"])
    func aSectionThatIsNoSectionIsOneProblem(value: String) {
        let found = Sample.problems(Sample.minimal, set: ["account=\(value)"])
        #expect(found.map(\.path) == ["account"])
        #expect(
            found.first?.allowed
                == """
                a section with type, currency, starting_capital, debit_interest_pct, \
                foreign_positions, cash_buffer_pct, initial_margin_pct, maintenance_margin_pct, \
                short_maintenance_margin_pct
                """)
    }

    /// Whatever is in the file, reading it ends in settings or in problems.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func brokenFilesNeverTrap(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array((seed % 2 == 0 ? Sample.full : Sample.minimal).utf8)
        let alphabet =
            Array("[]{}*&!|>'\"%@`?:-#,\n\t \\~0aE.\0\u{85}\u{2028}".utf8) + [0xC3, 0xFF]
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = byte
            case 2: bytes.insert(byte, at: index)
            default:
                let end = min(bytes.count, index + 30)
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            }
        }
        var document = SettingsDocument()
        document.merge(bytes, from: "x")
        do throws(SettingsProblems) {
            let settings = try Settings.read(from: document, strategies: Sample.strategies)
            #expect(!settings.text.isEmpty)
        } catch {
            #expect(!error.description.isEmpty)
        }
    }
}
