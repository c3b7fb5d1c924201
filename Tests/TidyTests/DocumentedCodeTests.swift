import Foundation
import Testing

/// Swift on our pages must compile as its readers would compile it: in a package of their own.
@Suite struct DocumentedCodeTests {
    @Test func everySwiftBlockOfThePagesCompiles() throws {
        var count = 0
        for page in try Self.pages() {
            for block in Self.swiftBlocks(of: try String(contentsOf: page, encoding: .utf8)) {
                count += 1
                let result = try Compiler.check(block, by: .somebodyElse)
                #expect(result.isAccepted, "\(page.lastPathComponent): \(result.messages)")
            }
        }
        #expect(count > 0, "there is a strategy to copy on some page")
    }

    @Test func aReaderCannotUseWhatIsOurs() throws {
        let result = try Compiler.check(
            "import Risk\nlet gate = RiskGate(limits: nil, instrumentCount: 1)\n", by: .somebodyElse
        )
        #expect(!result.isAccepted)
    }

    @Test func blocksAreFoundByTheirFence() {
        let page = "a\n```swift\nlet x = 1\n```\n```\nnot swift\n```\n```swift\nlet y = 2\n```\n"
        #expect(Self.swiftBlocks(of: page) == ["let x = 1\n", "let y = 2\n"])
    }

    private static func pages() throws -> [URL] {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let docs = root.appending(path: "docs")
        let names = try FileManager.default.contentsOfDirectory(atPath: docs.path).sorted()
        return [root.appending(path: "README.md")]
            + names.filter { $0.hasSuffix(".md") }.map { docs.appending(path: $0) }
    }

    private static func swiftBlocks(of page: String) -> [String] {
        var blocks: [String] = []
        var block: String?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            switch (block, line) {
            case (nil, "```swift"): block = ""
            case (let text?, "```"):
                blocks.append(text)
                block = nil
            case (let text?, _): block = text + line + "\n"
            case (nil, _): break
            }
        }
        return blocks
    }
}
