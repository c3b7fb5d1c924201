import Foundation
import Testing

/// What docs/client.md shows is what compiles. Its parts are no whole files: they have the fence `Swift`, which
/// other pages do not use.
@Suite struct SnippetTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func everySnippetOfTheClientsPageIsCompiled() throws {
        let compiled = lines(try text("Examples/Sources/Snippets/Snippets.swift"))
            .joined(separator: "\n")
        let blocks = try text("docs/client.md").components(separatedBy: "```Swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
        #expect(blocks.count >= 9)
        for block in blocks {
            #expect(compiled.contains(lines(block).joined(separator: "\n")), "\(block)")
        }
    }
}
