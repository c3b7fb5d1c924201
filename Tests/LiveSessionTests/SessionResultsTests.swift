import Accounting
import Configuration
import Foundation
import GatewayTestSupport
import Journal
import MarketState
import Model
import Primitives
import Signals
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
        let noted = try table("scores", rig)["time"].map { String($0.prefix(10)) }
        #expect(Set(noted) == ["\(day)", "\(next)"])
        try expectBooks(rig)
        #expect(rig.files.complaints.all.filter { $0.contains("results") }.isEmpty)
    }

    // MARK: Scores

    /// The file of the day on which a rig begins by itself.
    private func scoresOfTheDay(_ rig: SessionRig) throws -> Table {
        rig.files.results?.wait()
        return try Table(rig.folder + "/scores/2024-03-05.csv")
    }

    private func expectNoneTwice(_ scores: Table) {
        let keys = scores.rows.map { "\($0["time"] ?? "") \($0["symbol"] ?? "")" }
        #expect(Set(keys).count == keys.count)
    }

    /// The scores of the whole day, through a kill in the middle of a row and a start behind it: none is missing, none
    /// is there twice, and the files are their user's alone.
    @Test func scoresHoldTheWholeDay() throws {
        let rig = try SessionRig(
            SessionRig.rotation + "\nlogging: {format: json}\n", writesFiles: true)
        try rig.pass(.minutes(25) + .seconds(30))
        let before = try scoresOfTheDay(rig).rows.count
        #expect(before > 0)
        let path = rig.folder + "/scores/2024-03-05.csv"
        try rig.crash {
            // It might be a whole row of another quantity.
            let torn = "2024-03-05T15:25:00Z,cross_sectional_momentum,AAPL,0.010000,1,10"
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Array(torn.utf8))
            try file.close()
        }
        try rig.pass(.minutes(25))
        try rig.driver.finish()
        #expect(rig.driver.writeResults() != nil)
        let scores = try table("scores", rig)
        #expect(scores.rows.count > before)
        expectNoneTwice(scores)
        #expect(Set(scores["strategy"]) == [rig.settings.active[0].name])
        let log = try String(
            contentsOfFile: rig.folder + "/logs/martlet.log", encoding: .utf8)
        let logged = try log.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
            .filter { $0["category"] == .text("scores") }
        #expect(scores["symbol"].map { JSONValue.text($0) } == logged.compactMap { $0["symbol"] })
        for file in [path, rig.folder + "/results/scores.csv"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
    }

    /// A score waits until the journal has what it follows from: a start behind a kill sees that once more, and notes
    /// it then.
    @Test func scoresWaitForTheJournal() throws {
        let rig = try SessionRig(writesFiles: true)
        try rig.pass(.minutes(25) + .seconds(30))
        let before = try scoresOfTheDay(rig).rows.count
        rig.disk.failure = .diskFull("day")
        try rig.pass(.minutes(6))
        #expect(try scoresOfTheDay(rig).rows.count == before)
        rig.disk.failure = nil
        try rig.pass(.seconds(5))
        let behind = try scoresOfTheDay(rig).rows.count
        #expect(behind > before)

        rig.disk.failure = .diskFull("day")
        try rig.pass(.minutes(6))
        try rig.crash { rig.disk.failure = nil }
        #expect(try scoresOfTheDay(rig).rows.count == behind)
        try rig.pass(.minutes(12))
        let scores = try scoresOfTheDay(rig)
        #expect(scores.rows.count > behind)
        expectNoneTwice(scores)
    }

    /// A folder that cannot be written to stops nothing, and the user is notified once.
    @Test func scoresThatCannotBeWrittenStopNothing() throws {
        let rig = try SessionRig(writesFiles: true)
        try "no folder".write(
            toFile: rig.folder + "/scores", atomically: false, encoding: .utf8)
        try rig.pass(.minutes(25))
        #expect(rig.driver.fillCount > 0)
        try rig.driver.finish()
        #expect(rig.driver.writeResults() != nil)
        let complaints = rig.files.complaints.all.filter { $0.contains("scores.csv") }
        #expect(complaints.count == 1, "\(complaints)")
        #expect(try table("scores", rig).rows.isEmpty)
    }

    /// Days that the journal no longer has are removed with the next day's file.
    @Test func scoresGoWithTheJournalsDays() throws {
        let folder = NSTemporaryDirectory() + "martlet-scores-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var files = ScoreFiles(beside: folder, .newYork)
        let days = ["2024-03-04", "2024-03-05", "2024-03-06"].compactMap { Day($0) }
        for day in days {
            if day == days.last {
                _ = FileManager.default.createFile(
                    atPath: "\(folder)/\(days[1]).1.sqlite", contents: nil)
            }
            let note = ScoreNote(
                at: SessionCalendar.newYork.open(on: day), strategy: StrategyID(index: 0),
                instrument: InstrumentID(index: 0), score: 1, rank: 0, held: .zero)
            try files.write([note], SessionNames())
        }
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/scores")
        #expect(kept.sorted() == ["2024-03-05.csv", "2024-03-06.csv"])
    }

    // MARK: Columns

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
