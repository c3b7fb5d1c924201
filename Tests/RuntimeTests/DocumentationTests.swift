import Foundation
import Model
import Reporting
import Testing

@testable import Runtime

/// Pages with tables that are made from declarations.
@Suite struct DocumentationTests {
    @Test func configurationPageHasEveryKey() throws {
        var document = SettingsDocument()
        document.merge(assignment: "strategies=[{use: ma_crossover}]")
        let keys = Settings.inspect(document, strategies: StrategyCatalog.declarations).listing.keys
        var table = ["| key | value | default | what |", "|---|---|---|---|"]
        for key in keys {
            let value: String
            switch key.fallback {
            case .required: value = "required"
            case .none: value = ""
            case .value(let text): value = "`\(text)`"
            }
            let condition = key.condition.map { " (with `\($0)`)" } ?? ""
            table.append(
                "| `\(key.path)` | \(key.allowed) | \(value) | \(key.summary)\(condition) |")
        }
        try expect(table, between: "<!-- keys", in: "docs/configuration.md")
    }

    @Test func backtestPageHasEveryColumn() throws {
        var lines: [String] = []
        for description in CSVDescription.all {
            lines += ["### `\(description.file)`", "", description.rows, ""]
            lines += ["| column | type | meaning |", "|---|---|---|"]
            for column in description.columns {
                lines.append("| `\(column.name)` | \(column.type) | \(column.meaning) |")
            }
            lines.append("")
        }
        try expect(lines.dropLast(), between: "<!-- tables", in: "docs/backtest.md")
    }

    @Test func backtestPageHasEveryKeyOfTheSummary() throws {
        var table = ["| key | value | meaning |", "|---|---|---|"]
        for key in SummaryKey.all {
            table.append("| `\(key.name)` | \(key.type) | \(key.meaning) |")
        }
        try expect(table, between: "<!-- keys", in: "docs/backtest.md")
    }

    /// Compares; with UPDATE_DOCS in the environment, writes.
    private func expect(
        _ lines: some Sequence<String>, between start: String, in page: String
    ) throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent(page)
        var text = try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let first = try #require(text.firstIndex { $0.hasPrefix(start) })
        let end = try #require(text[first...].firstIndex { $0.hasPrefix("<!-- end") })
        let expected = [""] + Array(lines) + [""]
        if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
            text.replaceSubrange(first + 1..<end, with: expected)
            try Data(text.joined(separator: "\n").utf8).write(to: file)
        } else {
            #expect(
                Array(text[first + 1..<end]) == expected,
                "\(page) is out of date: run UPDATE_DOCS=1 swift test --filter DocumentationTests")
        }
    }
}
