import Foundation

/// A part of a page in `docs/` that is made from declarations: between a line that begins with a comment of its
/// own, such as `<!-- keys`, and the next one that begins with `<!-- end`.
package enum PagePart {
    /// The page, or the line the part begins with, is not there.
    package struct Missing: Error {
        /// What is not there.
        package let what: String
    }

    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What to do when a part is not what it should be.
    package static let advice = "out of date: run UPDATE_DOCS=1 swift test --filter"

    /// The part's lines as the page has them. With UPDATE_DOCS in the environment they are replaced by `lines`
    /// first.
    ///
    /// - Throws: `Missing`, and what reading and writing throw.
    package static func lines(
        of page: String, from start: String, made lines: [String]
    ) throws -> [String] {
        let file = root.appending(path: page)
        var text = try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = text.firstIndex(where: { $0.hasPrefix(start) }),
            let end = text[first...].firstIndex(where: { $0.hasPrefix("<!-- end") })
        else { throw Missing(what: "\(start) … <!-- end in \(page)") }
        if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
            text.replaceSubrange(first + 1..<end, with: [""] + lines + [""])
            try Data(text.joined(separator: "\n").utf8).write(to: file)
            return lines
        }
        // An empty line stands at either side.
        return Array(text[first + 1..<end].dropFirst().dropLast())
    }
}
