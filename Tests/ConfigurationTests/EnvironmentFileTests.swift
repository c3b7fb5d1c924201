import Testing

@testable import Configuration

@Suite struct EnvironmentFileTests {
    private func variables(_ text: String) -> [String: String] {
        let file = EnvironmentFile(Array(text.utf8), path: ".env")
        #expect(file.problems.isEmpty, "\(file.problems)")
        return Dictionary(uniqueKeysWithValues: file.variables.map { ($0.name, $0.text) })
    }

    private func problems(_ text: String) -> [String] {
        EnvironmentFile(Array(text.utf8), path: ".env").problems.map {
            "\($0.origin?.description ?? "") \($0)"
        }
    }

    @Test func linesAreNamesWithValues() {
        let text = """
            # a comment

              \t# another
            PLAIN=value
            export EXPORTED=yes
              export\tTABBED = spaced \t
            _x9=1
            EMPTY=
            BLANK=   \u{20}
            """
        #expect(
            variables(text) == [
                "PLAIN": "value", "EXPORTED": "yes", "TABBED": "spaced", "_x9": "1", "EMPTY": "",
                "BLANK": "",
            ])
    }

    @Test func aCommentNeedsASpaceBeforeIt() {
        #expect(
            variables(
                "A=1 # one\nB=1\t#one\nC=a#b\nD=#ff0000\nE= # nothing\nF='x' # y\nG=\"x\"\t#y")
                == ["A": "1", "B": "1", "C": "a#b", "D": "#ff0000", "E": "", "F": "x", "G": "x"])
    }

    @Test func quotesKeepWhatIsBetweenThem() {
        let text = #"""
            SINGLE=' a # "b" \n $HOME '
            DOUBLE=" a # 'b' \n\t\"\\\$ "
            EMPTY=''
            LATE=it's
            LIST='[AAPL, MSFT]'
            """#
        #expect(
            variables(text) == [
                "SINGLE": #" a # "b" \n $HOME "#, "DOUBLE": " a # 'b' \n\t\"\\$ ", "EMPTY": "",
                "LATE": "it's", "LIST": "[AAPL, MSFT]",
            ])
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func everyLineEndIsFine(end: String) {
        let text = ["\u{FEFF}A=1", "# x", "B='2'", "C=\"3\"", "D=4 # x", ""].joined(separator: end)
        #expect(variables(text) == ["A": "1", "B": "2", "C": "3", "D": "4"])
    }

    /// A secret may stand in a broken line.
    @Test func problemsHaveAPlaceAndNoValue() {
        let text = #"""
            A=1
              canary
            =canary
            2 B=canary
            ü=canary
            C='canary
            D="canary
            E="canary\"
            F='canary'canary
            G="canary"# canary
            H="canary\q"
            A=canary
            """#
        let found = problems(text)
        #expect(found.allSatisfy { !$0.contains("canary") })
        let noName = "not a variable, allowed NAME=value, or # before a comment."
        let open = "the quote is not closed on its line."
        let behind = "there is text behind the closing quote."
        let expected = [
            ".env:2:3 \(noName)", ".env:3:1 \(noName)", ".env:4:1 \(noName)", ".env:5:1 \(noName)",
            ".env:6:1 \(open)", ".env:7:1 \(open)", ".env:8:1 \(open)", ".env:9:1 \(behind)",
            ".env:10:1 \(behind)", ".env:11:1 an unknown escape between double quotes",
            ".env:12:1 A is given twice.",
        ]
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
    }

    @Test func whatIsNoTextIsRefused() {
        let broken = EnvironmentFile([0x41, 0x3D, 0xFF], path: ".env")
        #expect(broken.problems.map(\.found) == ["the file is too large or not UTF-8 text"])
        let large = EnvironmentFile(
            Array(repeating: 0x41, count: SettingsParser.byteCountMax + 1), path: ".env")
        #expect(large.problems.map(\.found) == ["the file is too large or not UTF-8 text"])
    }
}
