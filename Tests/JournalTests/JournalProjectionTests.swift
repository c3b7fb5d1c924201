import Foundation
import GRDB
import TestSupport
import Testing

@testable import Journal

/// The tables of a journal's content.
@Suite struct JournalProjectionTests {
    @Test func sessionsPageHasEveryColumn() throws {
        var lines: [String] = []
        for table in JournalProjection.Table.allCases {
            lines += ["### `\(table.rawValue)`", "", table.rows, ""]
            lines += ["| column | type | meaning |", "|---|---|---|"]
            for column in table.columns {
                lines.append("| `\(column.name)` | \(column.type) | \(column.meaning) |")
            }
            lines.append("")
        }
        let made = Array(lines.dropLast())
        let found = try PagePart.lines(of: "docs/sessions.md", from: "<!-- tables", made: made)
        #expect(found == made, "docs/sessions.md is \(PagePart.advice) JournalProjectionTests")
    }

    /// A row replaces the one with its key; numbers are numbers to SQLite; a file appears when it is finished.
    @Test func rowsReplaceThoseOfTheirKey() throws {
        let temporary = try TemporaryFolder()
        let file = temporary.path + "/tables.sqlite"
        let projection = try JournalProjection(creating: file)
        var rows = JournalProjection.Rows(.equity)
        rows.values = [[.text("2024-03-04T15:00:00Z"), .number("100.25"), .absent]]
        try projection.add([rows])
        rows.values[0][1] = .number("100.5")
        try projection.add([rows])
        #expect(!FileManager.default.fileExists(atPath: file))
        try projection.finish()
        try DatabaseQueue(path: file).read { db in
            let found = try Row.fetchAll(db, sql: "SELECT equity * 2, cash FROM equity")
            #expect(found.count == 1)
            #expect(found.first?[0] as Double? == 201)
            #expect(found.first?[1] as Double? == nil)
        }
        #expect(!FileManager.default.fileExists(atPath: file + ".unfinished"))
    }
}
