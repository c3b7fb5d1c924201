import Foundation
import Testing

/// Names use the field's words, each for one thing.
@Suite struct VocabularyTests {
    @Test func namesUseTheFieldsWords() throws {
        let files = try Self.files()
        #expect(files.count > 400)
        for finding in Vocabulary.findings(files, allowing: Vocabulary.exceptions) {
            Issue.record("\(finding)")
        }
    }

    @Test func keysAndColumnsUseTheFieldsWords() throws {
        let files = try Repository.sources().filter { Vocabulary.namesKeys($0.path) }
        #expect(files.count > 20)
        for finding in files.flatMap(Vocabulary.keyFindings) { Issue.record("\(finding)") }
    }

    @Test func forbiddenWordsOfKeysAreFound() {
        let text = """
            CSVColumn("ended", .time, "When it ended.")
            section.value("cash_cushion_pct", .percent, "what is set aside")
            // "bar_length"
            section.value("bar_size", .duration, "how long it lasts")
            """
        let file = SourceFile(path: "Sources/Configuration/Planted.swift", text: text)
        #expect(Vocabulary.keyFindings(file).map(\.line) == [1, 2])
    }

    /// What is allowed and stands nowhere any more is to be struck off the list.
    @Test func everyExceptionIsNeeded() throws {
        let files = try Self.files()
        for exception in Vocabulary.exceptions {
            let isNeeded = files.contains { file in
                file.path.hasPrefix(exception.path)
                    && file.code.contains { line in
                        line.contains(exception.line)
                            && Vocabulary.names(in: line).contains { name in
                                Vocabulary.forbidden(in: name).contains {
                                    $0.word == exception.word
                                }
                            }
                    }
            }
            #expect(isNeeded, "\(exception.word) in \(exception.path)")
        }
    }

    @Test func noTwoPublicTypesShareAName() throws {
        for finding in Vocabulary.sharedNames(try Repository.sources()) {
            Issue.record("\(finding)")
        }
    }

    @Test(
        arguments: [
            "let orderDesk = 1", "func tellAll() {", "case isUntold", "struct VenueWish {",
            "let a = faults.passes_police", "if isMadeUp { }", "for place in rows {",
            "let place = 1", "rows[place] += 1", "HTTPDesk()", "var wholeOnly = true",
            "let books: [Int]", "carryOut(action)", "let barLength = 1",
        ])
    func forbiddenWordIsFound(line: String) {
        #expect(Self.findings(line).map(\.line) == [2])
    }

    @Test(
        arguments: [
            "try client.place(order)", "func place(_ order: Order) {", "let orderBook = 1",
            "let story = history", "let restored = rest2", "let desktop = 1", "book(fill)",
            "print(\"the desk was told\")  // a wish", "watchdog.health", "let made = up",
        ])
    func otherWordsAreFree(line: String) { #expect(Self.findings(line).isEmpty) }

    @Test func exceptionsAllowTheirWordInTheirPlaceOnly() {
        let exception = Vocabulary.Exception(
            word: "desk", path: "Sources/Risk/", line: "deskOfIBKR", why: "a test")
        let file = SourceFile(path: "Sources/Risk/Planted.swift", text: "deskOfIBKR\ndesk")
        #expect(Vocabulary.findings([file], allowing: [exception]).map(\.line) == [2])
        let other = SourceFile(path: "Sources/Orders/Planted.swift", text: "deskOfIBKR")
        #expect(Vocabulary.findings([other], allowing: [exception]).count == 1)
    }

    @Test func namesAreSplitIntoTheirWords() {
        #expect(Vocabulary.words(of: "deskOf_JSONBook2") == ["desk", "of", "json", "book", "2"])
        #expect(Vocabulary.words(of: "WireIDs") == ["wire", "i", "ds"])
    }

    @Test func sharedNamesAreFound() {
        func file(_ module: String, _ text: String) -> SourceFile {
            SourceFile(path: "Sources/\(module)/Planted.swift", text: text)
        }
        let types = "public struct Bar: Sendable {\n    public struct Kind {}\n}\nstruct Own {}"
        let wire = file("TWSProtocol", types)
        #expect(Vocabulary.sharedNames([wire]).isEmpty)
        #expect(
            Vocabulary.sharedNames([wire, file("TWSClient", "package final class Bar {}")])
                .map(\.message) == Array(repeating: "Bar is declared in two modules", count: 2))
        #expect(Vocabulary.sharedNames([wire, file("Model", "struct Bar {}")]).isEmpty)
    }

    private static func findings(_ line: String) -> [Finding] {
        let file = SourceFile(path: "Sources/TWSProtocol/Planted.swift", text: "\n" + line)
        return Vocabulary.findings([file], allowing: [])
    }

    private static func files() throws -> [SourceFile] {
        try Repository.sources() + Repository.tests()
    }
}
