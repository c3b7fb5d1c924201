import Accounting
import Configuration
import Foundation
import GatewayTestSupport
import MarketState
import Model
import Primitives
import Testing
import TradingEngine

@testable import Runtime

/// What a session leaves behind: the files of a backtest.
@Suite struct SessionResultsTests {
    /// A CSV file, by its columns.
    private struct Table {
        let header: String
        let rows: [[String: String]]

        init(_ path: String) throws {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
            let header = try #require(lines.first)
            let names = header.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            self.header = String(header)
            rows = lines.dropFirst().map { line in
                let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                return Dictionary(uniqueKeysWithValues: zip(names, cells.map(String.init)))
            }
        }

        subscript(_ name: String) -> [String] { rows.compactMap { $0[name] } }
    }

    private func table(_ name: String, _ rig: SessionRig) throws -> Table {
        try Table("\(rig.folder)/results/\(name).csv")
    }

    private func summary(_ rig: SessionRig) throws -> JSONValue {
        let text = try String(
            contentsOfFile: rig.folder + "/results/summary.json", encoding: .utf8)
        return try JSONValue(Array(text.utf8))
    }

    /// Cash and positions of the gateway's own ledger follow from the fills.
    private func expectBooks(_ rig: SessionRig) throws {
        var cash = rig.settings.account.startingCapital
        var positions: [String: Quantity] = [:]
        for fill in try table("fills", rig).rows {
            let shares = try Quantity(try #require(fill["quantity"]))
            let amount = (try Price(try #require(fill["price"])) * shares).rounded()
            let isBuy = fill["side"] == "BUY"
            cash = isBuy ? cash - amount : cash + amount
            cash = cash - (try Money(try #require(fill["commission"])))
            positions[try #require(fill["symbol"]), default: .zero] += isBuy ? shares : -shares
        }
        #expect(rig.driver.withEngine { $0.portfolio.cash.rounded() } == cash)
        for (index, symbol) in rig.settings.trading.symbols.enumerated() {
            let held = rig.driver.withEngine {
                $0.portfolio.quantity(of: InstrumentID(index: index))
            }
            #expect(held == positions[symbol] ?? .zero, "\(symbol)")
        }
    }

    /// The files have the whole day, through a crash and a start in its middle, and their sums are the ledger's.
    @Test func theFilesHoldTheWholeDay() throws {
        let rig = try SessionRig(keepsHistory: true, writesFiles: true)
        try rig.pass(.minutes(25))
        let before = rig.driver.fillCount
        #expect(before > 0)
        try rig.crash()
        try rig.pass(.minutes(25))
        try rig.expectEqualLedgers()
        try rig.driver.finish()
        #expect(rig.driver.writeResults() == rig.folder + "/results")
        #expect(rig.files.complaints.all.filter { $0.contains("results") }.isEmpty)
        try expectBooks(rig)
        let executions = Set(
            rig.history.batches.flatMap(\.events).compactMap { event -> Int64? in
                guard case .brokerOrder(let report) = event.kind,
                    case .executed(let execution) = report.fact
                else { return nil }
                return execution.id.base
            })
        #expect(try table("fills", rig).rows.count == executions.count)
        let orders = try table("orders", rig)
        #expect(orders["order"].count == Set(orders["order"]).count)
        let submitted = rig.history.batches.flatMap(\.commands).count {
            if case .submit = $0.command { true } else { false }
        }
        #expect(orders.rows.count == submitted)
        #expect(try !table("trades", rig).rows.isEmpty)
        let equity = try table("equity", rig)
        #expect(equity.rows.count == 1)
        let value = rig.driver.withEngine { $0.portfolio.equity.rounded() }
        #expect(equity["equity"].last == value.map { "\($0)" })
        let summary = try summary(rig)
        #expect(summary["fills"] == .number("\(executions.count)"))
        #expect(summary["starting_capital"] == .number("100000.00"))
        #expect(summary["final_equity"] == value.map { .number("\($0)") })
    }

    /// Behind each close they are written anew, and the next day is added.
    @Test func theyAreWrittenBehindEachClose() throws {
        // A Monday, 15:00 in New York.
        let rig = try SessionRig(at: Timestamp(seconds: 1_709_582_400), writesFiles: true)
        let calendar = rig.settings.backtest.calendar
        let day = calendar.day(of: rig.now)
        try rig.pass(to: calendar.close(on: day) + .minutes(4))
        rig.files.results?.wait()
        #expect(!FileManager.default.fileExists(atPath: rig.folder + "/results"))
        try rig.pass(.minutes(2))
        rig.files.results?.wait()
        #expect(try table("equity", rig)["day"] == ["\(day)"])
        try expectBooks(rig)
        let next = day.advanced(by: 1)
        try rig.pass(to: calendar.close(on: next) + .minutes(6))
        rig.files.results?.wait()
        #expect(try table("equity", rig)["day"] == ["\(day)", "\(next)"])
        try expectBooks(rig)
        #expect(rig.files.complaints.all.filter { $0.contains("results") }.isEmpty)
    }

    /// The files, and the columns of each, are those of a backtest.
    @Test func theColumnsAreABacktests() throws {
        let rig = try SessionRig(writesFiles: true)
        try rig.pass(.minutes(25))
        try rig.driver.finish()
        #expect(rig.driver.writeResults() != nil)
        let folder = rig.folder + "/backtest"
        try FileManager.default.createDirectory(
            atPath: folder + "/data", withIntermediateDirectories: true)
        let rows = (0..<30).map { minute in
            "2026-01-05T\(15 + minute / 60):\(minute < 10 ? "0" : "")\(minute):00Z,100,101,99,100,1000"
        }
        let csv = "timestamp,open,high,low,close,volume\n" + rows.joined(separator: "\n") + "\n"
        for symbol in rig.settings.trading.symbols {
            try csv.write(
                toFile: "\(folder)/data/\(symbol).csv", atomically: false, encoding: .utf8)
        }
        var document = SettingsDocument()
        document.merge(Array(SessionRig.rotation.utf8), from: "session.yaml")
        document.merge(assignment: "backtest.data.path=\(folder)/data")
        document.merge(assignment: "backtest.data.basis=raw")
        let settings = try SettingsCheck(document).get()
        _ = try BacktestJob(settings, output: folder + "/results").run()
        let files = FileManager.default
        let own = try files.contentsOfDirectory(atPath: rig.folder + "/results").sorted()
        #expect(own == (try files.contentsOfDirectory(atPath: folder + "/results").sorted()))
        for file in own where file.hasSuffix(".csv") {
            #expect(
                try Table("\(rig.folder)/results/\(file)").header
                    == Table("\(folder)/results/\(file)").header, "\(file)")
        }
    }
}
