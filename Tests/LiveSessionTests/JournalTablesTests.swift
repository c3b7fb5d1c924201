import Accounting
import Configuration
import Foundation
import GRDB
import Journal
import Model
import Primitives
import Testing
import TradingEngine

@testable import Runtime

/// The content of a journal as tables.
@Suite struct JournalTablesTests {
    private func rows(_ sql: String, in file: String) throws -> [[String]] {
        try DatabaseQueue(path: file).read { db in
            try Row.fetchAll(db, sql: sql).map { row in
                row.databaseValues.map { value in
                    value.isNull ? "" : String.fromDatabaseValue(value) ?? value.description
                }
            }
        }
    }

    private func everything(in file: String) throws -> [[[String]]] {
        try JournalProjection.Table.allCases.map {
            try rows("SELECT * FROM \($0.rawValue) ORDER BY 1, 2", in: file)
        }
    }

    /// EVT-02, C-39: the tables are what the session was, beside it, across its files; deleted and made anew they are
    /// the same, row by row.
    @Test func tablesAreMadeAnewFromTheJournal() throws {
        let rig = try SessionRig(SessionRig.protected, keepsHistory: true)
        try rig.pass(.minutes(20))
        try rig.crash()
        try rig.pass(.minutes(20))
        try rig.expectEqualLedgers()
        try rig.pass(.seconds(2))
        let file = rig.folder + "/tables.sqlite"
        let made = try JournalTables(of: rig.folder, into: file)
        let first = try everything(in: file)
        #expect(made.counts.map(\.rows) == first.map(\.count))

        let tickets = rig.history.batches.flatMap(\.commands).compactMap { command in
            if case .submit(let ticket) = command.command { ticket } else { nil }
        }
        #expect(tickets.count > 5)
        let orders = try rows("SELECT order_id, symbol, purpose FROM orders ORDER BY 1", in: file)
        let symbols = rig.settings.trading.symbols
        #expect(
            orders
                == tickets.map { ticket in
                    [
                        "\(ticket.id.number)", symbols[Int(ticket.request.instrument.index)],
                        "\(ticket.request.purpose)".uppercased(),
                    ]
                })
        let executions = try rows("SELECT order_id FROM executions", in: file)
        #expect(executions.count == rig.history.executionIDs.count)
        let decisions = try rows("SELECT number, at, kind FROM decisions ORDER BY 1", in: file)
        #expect(decisions.map(\.first) == rig.decisions.map { "\($0.number)" })
        #expect(decisions.map { $0[1] } == rig.decisions.map { "\($0.at)" })
        let slices = rig.history.batches.count { batch in
            batch.events.contains { if case .sliceClosed = $0.kind { true } else { false } }
        }
        let equity = try rows("SELECT at, equity, cash FROM equity ORDER BY at", in: file)
        #expect(equity.count == slices)
        let positions = try rows(
            "SELECT symbol, quantity FROM positions WHERE file = (SELECT max(file) FROM files) "
                + "ORDER BY symbol", in: file)
        let held = rig.driver.withEngine { engine in
            symbols.indices.compactMap { index -> [String]? in
                let quantity = engine.portfolio.quantity(of: InstrumentID(index: index))
                return quantity == .zero ? nil : [symbols[index], "\(quantity)"]
            }.sorted { $0[0] < $1[0] }
        }
        #expect(positions == held)
        #expect(!positions.isEmpty)
        #expect(try rows("SELECT decided FROM files", in: file) == [["1"], ["1"]])

        // In place of one that is there, and where it was deleted.
        _ = try JournalTables(of: rig.folder, into: file)
        #expect(try everything(in: file) == first)
        try FileManager.default.removeItem(atPath: file)
        _ = try JournalTables(of: rig.folder, into: file)
        #expect(try everything(in: file) == first)
        // The session goes on as if nothing was read.
        try rig.pass(.minutes(5))
        try rig.expectEqualLedgers()
    }

    /// What the user said is there with who, why and what was sent for it, each time that it was said.
    @Test func instructionsAreARowEach() throws {
        let rig = try SessionRig.withRestingEntry()
        let entries = rig.working(.entry).map(\.number)
        try rig.order("halt", reason: "news")
        try rig.order("halt", reason: "again")
        let symbol = rig.symbols[1]
        try rig.order("flatten", #""symbol":"\#(symbol)""#)
        try rig.order("resume", #""cause":"halt""#)
        let file = rig.folder + "/tables.sqlite"
        _ = try JournalTables(of: rig.folder, into: file)
        let found = try rows(
            "SELECT number, kind, about, words, effect FROM instructions ORDER BY file, number",
            in: file)
        let cancels = entries.map { "CANCEL \($0)" }.joined(separator: ", ")
        #expect(
            found == [
                ["1", "HALT", "", "ana (uid 1000): news", cancels],
                ["2", "HALT", "", "ana (uid 1000): again", ""],
                ["3", "FLATTEN", symbol, "ana (uid 1000): drill", ""],
                ["4", "RESUME", "operator_request", "ana (uid 1000): drill", ""],
            ])
        #expect(
            try rows("SELECT at FROM instructions", in: file).allSatisfy { $0 == ["\(rig.now)"] })
    }

    /// The journal is no place for its tables.
    @Test func theJournalIsNotReplaced() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(2))
        let part = try #require(JournalFolder.parts(in: rig.folder).first)
        let file = JournalFolder.file(of: part, in: rig.folder)
        #expect(throws: RunFailure.self) { try JournalTables(of: rig.folder, into: file) }
        #expect(throws: RunFailure.self) { try JournalTables(of: file, into: file) }
        let verification = try JournalVerification(of: rig.folder)
        #expect(verification.isVerified)
    }
}

extension SessionRig.History {
    /// The executions of ours that were reported, whatever their versions.
    fileprivate var executionIDs: Set<Int64> {
        var ids: Set<Int64> = []
        for event in batches.flatMap(\.events) {
            guard case .brokerOrder(let report) = event.kind,
                case .executed(let execution) = report.fact
            else { continue }
            ids.insert(execution.id.base)
        }
        return ids
    }
}
