import Foundation
import GRDB
import Glibc

/// Tables of a journal's content in an SQLite file of their own, for queries.
///
/// They are made of the journal and can be deleted and made anew at any time: nothing is recovered from them.
package final class JournalProjection {
    /// Where they will be.
    package let file: String
    private let unfinished: String
    private let database: DatabaseQueue

    /// A table.
    package enum Table: String, CaseIterable, Sendable {
        /// A row for each file of the journal.
        case files
        /// A row for each order of ours, as it stands at the end.
        case orders
        /// A row for each execution of these orders, in its newest version.
        case executions
        /// A row for each position that is held when a file ends.
        case positions
        /// A row for each time slice.
        case equity
        /// A row for each decision.
        case decisions
        /// A row for each instruction of the user.
        case instructions
    }

    /// A value of a row. Numbers are written exactly, as far as SQLite keeps them so.
    package enum Value: Hashable, Sendable {
        /// A whole number.
        case integer(Int64)
        /// A decimal number, as text.
        case number(String)
        /// A text.
        case text(String)
        /// Nothing.
        case absent
    }

    /// The rows of a table.
    package struct Rows: Sendable {
        let table: Table
        /// Each with a value for every column.
        package var values: [[Value]] = []

        /// No rows.
        package init(_ table: Table) { self.table = table }
    }

    /// Empty tables that are to lie in a file.
    package init(creating file: String) throws(JournalError) {
        self.file = file
        unfinished = file + JournalFolder.unfinishedSuffix
        unlink(unfinished)
        let path = unfinished
        database = try Journal.perform(file) {
            let database = try DatabaseQueue(path: path)
            try database.write { db in
                for table in Table.allCases { try db.execute(sql: table.definition) }
            }
            return database
        }
    }

    deinit { unlink(unfinished) }

    /// Writes rows, in the place of those with the same key.
    package func add(_ tables: [Rows]) throws(JournalError) {
        try Journal.perform(file) {
            try database.write { db in
                for rows in tables {
                    let marks = Array(repeating: "?", count: rows.table.columns.count)
                    let statement = try db.cachedStatement(
                        sql: "INSERT OR REPLACE INTO \(rows.table.rawValue) VALUES "
                            + "(\(marks.joined(separator: ", ")))")
                    for row in rows.values {
                        try statement.execute(arguments: StatementArguments(row.map(\.sql)))
                    }
                }
            }
        }
    }

    /// Gives the file its name, in the place of one that is there.
    package func finish() throws(JournalError) {
        let database = database
        try Journal.perform(file) { try database.close() }
        guard rename(unfinished, file) == 0 else {
            throw .file(file, String(cString: strerror(errno)))
        }
    }
}

extension JournalProjection.Value {
    fileprivate var sql: (any DatabaseValueConvertible)? {
        switch self {
        case .integer(let number): number
        case .number(let text), .text(let text): text
        case .absent: nil
        }
    }
}

extension JournalProjection.Table {
    /// A column.
    package struct Column: Sendable {
        /// Its name.
        package let name: String
        /// SQLite's type.
        package let type: String
        /// What is in it.
        package let meaning: String

        fileprivate init(_ name: String, _ type: String, _ meaning: String) {
            self.name = name
            self.type = type
            self.meaning = meaning
        }
    }

    /// What its rows are, as a sentence.
    package var rows: String {
        switch self {
        case .files: "A row for each file of the journal."
        case .orders: "A row for each order of ours, as it stands at the end."
        case .executions: "A row for each execution of these orders, in its newest version."
        case .positions: "A row for each position that is held when a file ends."
        case .equity: "A row for each time slice."
        case .decisions: "A row for each decision."
        case .instructions:
            "A row for each instruction of the user, and of a session's exit policy."
        }
    }

    /// The columns, those of the key first.
    package var columns: [Column] {
        switch self {
        case .files:
            [
                Column("file", "TEXT", "the file's name while it is not compressed"),
                Column("day", "TEXT", "the session day"),
                Column("batches", "INTEGER", "batches in it"),
                Column("events", "INTEGER", "events behind its opening"),
                Column(
                    "decided", "INTEGER",
                    "1 where a second engine gave the recorded answers; 0 where it did not, and decisions and "
                        + "equity are left out"),
            ]
        case .orders:
            [
                Column("order_id", "INTEGER", "our number"),
                Column("submitted_at", "TEXT", "when it was sent, in UTC"),
                Column("symbol", "TEXT", "what is bought or sold"),
                Column("strategy", "TEXT", "whose intent it was"),
                Column("purpose", "TEXT", "ENTRY, EXIT or PROTECTION"),
                Column("side", "TEXT", "BUY or SELL"),
                Column("type", "TEXT", "LIMIT, STOP …"),
                Column("quantity", "NUMERIC", "shares, by the terms in force"),
                Column("limit_price", "NUMERIC", "by the terms in force"),
                Column("stop_price", "NUMERIC", "by the terms in force"),
                Column("time_in_force", "TEXT", "DAY, GOOD_TILL_CANCELLED …"),
                Column("parent_id", "INTEGER", "the order that has to fill first"),
                Column("oca_group", "INTEGER", "the group in which orders take each other's place"),
                Column("state", "TEXT", "WORKING, FILLED, CANCELLED, REJECTED, UNKNOWN …"),
                Column("filled", "NUMERIC", "shares that were executed"),
                Column("reason", "TEXT", "why, in the strategy's words"),
                Column(
                    "code", "INTEGER", "the broker's newest code about it, that of its end first"),
                Column("words", "TEXT", "the broker's words with it, details as JSON behind them"),
            ]
        case .executions:
            [
                Column("execution_id", "INTEGER", "our number"),
                Column("revision", "INTEGER", "how often the broker has corrected it"),
                Column("order_id", "INTEGER", "the order's number"),
                Column("at", "TEXT", "when it happened, in UTC"),
                Column("symbol", "TEXT", "what was bought or sold"),
                Column("strategy", "TEXT", "whose order it was"),
                Column("side", "TEXT", "BUY or SELL"),
                Column("quantity", "NUMERIC", "shares; 0 for one that was taken back"),
                Column("price", "NUMERIC", "for each share"),
                Column(
                    "commission", "NUMERIC", "what the broker charged; empty while it has not said"),
            ]
        case .positions:
            [
                Column("file", "TEXT", "the file that ends with it"),
                Column("symbol", "TEXT", "what is held"),
                Column("at", "TEXT", "the time of the file's newest event, in UTC"),
                Column("quantity", "NUMERIC", "shares; negative is short"),
                Column("price", "NUMERIC", "the newest price"),
                Column("value", "NUMERIC", "at that price"),
            ]
        case .equity:
            [
                Column("at", "TEXT", "the end of the slice, in UTC"),
                Column("equity", "NUMERIC", "cash and positions at their newest prices"),
                Column("cash", "NUMERIC", "cash"),
            ]
        case .decisions:
            [
                Column("number", "INTEGER", "the decision's number"),
                Column("at", "TEXT", "when, in UTC"),
                Column("severity", "TEXT", "INFORMATION, WARNING or CRITICAL"),
                Column("kind", "TEXT", "SUBMITTED, REFUSED, HALTED …"),
                Column("detail", "TEXT", "of what, by which rule"),
                Column("symbol", "TEXT", "the instrument that it is about"),
                Column("strategy", "TEXT", "the strategy that it is about"),
                Column("intent", "INTEGER", "the intent's number"),
                Column("order_id", "INTEGER", "the order's number"),
                Column("figures", "TEXT", "name=value for each figure"),
                Column("reason", "TEXT", "why, in the strategy's or the engine's words"),
            ]
        case .instructions:
            [
                Column("file", "TEXT", "the file that has it"),
                Column("number", "INTEGER", "its place in the file"),
                Column("at", "TEXT", "when, in UTC"),
                Column("kind", "TEXT", "HALT, CANCEL, FLATTEN, RESUME …"),
                Column("about", "TEXT", "the symbol, strategy, order or cause; empty for all"),
                Column("words", "TEXT", "who, and why"),
                Column(
                    "effect", "TEXT",
                    "what was sent for it at once: CANCEL, SUBMIT or MODIFY and the order's number"),
            ]
        }
    }

    private var keyCount: Int {
        switch self {
        case .positions, .instructions: 2
        case .files, .orders, .executions, .equity, .decisions: 1
        }
    }

    fileprivate var definition: String {
        let names = columns.map { "\($0.name) \($0.type)" }
        let key = columns.prefix(keyCount).map(\.name)
        return "CREATE TABLE \(rawValue) (\(names.joined(separator: ", ")), "
            + "PRIMARY KEY (\(key.joined(separator: ", "))))"
    }
}
