import Foundation
import Model
import Reporting
import Testing

/// `docs/runbook.md` has a row for whatever can keep a session from trading.
@Suite struct RunbookTests {
    /// The words in the first column of a section's table.
    private static func words(of section: String, in page: String) -> [String] {
        let parts = page.components(separatedBy: "\n## ")
        guard let part = parts.first(where: { $0.hasPrefix(section + "\n") }) else { return [] }
        return part.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            row.split(separator: "|").first?.split(separator: "`").map { String($0) }.filter {
                $0.contains(where: \.isLetter)
            } ?? []
        }
    }

    private static func page() throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/runbook.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    private static func words(_ cases: [some Any]) -> [String] {
        cases.map { DecisionWords.word(String(describing: $0)) }.sorted()
    }

    @Test func everyHaltIsThereOnce() throws {
        let found = Self.words(of: "What halts all entries", in: try Self.page())
        #expect(found.sorted() == Self.words(HaltCause.allCases))
    }

    @Test func everyLatchIsThereOnce() throws {
        let found = Self.words(of: "What latches one symbol", in: try Self.page())
        #expect(found.sorted() == Self.words(LatchCause.allCases))
    }

    @Test func everyConditionIsThereOnce() throws {
        let section = "What is wrong with machine, gateway or data"
        let found = Self.words(of: section, in: try Self.page())
        #expect(found.sorted() == Self.words(SessionCondition.allCases))
    }

    @Test func everyFindingIsThereOnce() throws {
        let section = "What a comparison with the broker has found"
        let found = Self.words(of: section, in: try Self.page())
        #expect(found.sorted() == Self.words(Finding.Kind.allCases))
    }

    @Test func wordsAreReadFromATable() {
        let page =
            "# A\n\n## B\n\n| x | y |\n|---|---|\n| `ONE`, `TWO` | `no` |\n\n## C\n\n| `D` | e |\n"
        #expect(Self.words(of: "B", in: page) == ["ONE", "TWO"])
        #expect(Self.words(of: "C", in: page) == ["D"])
        #expect(Self.words(of: "E", in: page).isEmpty)
    }
}
