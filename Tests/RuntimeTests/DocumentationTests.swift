import Configuration
import Model
import Reporting
import TestSupport
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

    private func expect(
        _ lines: some Sequence<String>, between start: String, in page: String
    ) throws {
        let made = Array(lines)
        let found = try PagePart.lines(of: page, from: start, made: made)
        #expect(found == made, "\(page) is \(PagePart.advice) DocumentationTests")
    }
}
