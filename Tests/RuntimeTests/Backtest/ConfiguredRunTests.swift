import Configuration
import Foundation
import Model
import Primitives
import Reporting
import TestSupport
import Testing
import TradingEngine

@testable import Runtime

/// Every configuration that comes with the program and its benchmarks comes to the same in batches as when each
/// row is stepped.
@Suite struct ConfiguredRunTests {
    static let root =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .path() + "/"

    private static func configurations(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    static let shipped = configurations(in: "config") + configurations(in: "Samples")
    private static let measured = configurations(in: "Benchmarks/Peers/configs")

    @Test func thereAreConfigurations() {
        #expect(Self.shipped.count >= 4)
        #expect(Self.measured.count >= 5)
    }

    @Test(arguments: shipped)
    func shippedConfigurationsDoTheSameInBatches(file: String) throws {
        var document = SettingsDocument()
        document.merge(file: Self.root + file)
        try compare(document)
    }

    /// Over data of the workload's kind, much shorter.
    @Test(arguments: measured)
    func measuredConfigurationsDoTheSameInBatches(file: String) throws {
        let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let folder = try TemporaryFolder("configured-\(name)")
        defer { folder.remove() }
        let files = Self.files(for: name)
        #expect(!files.isEmpty, "a benchmark needs data of its own here")
        for file in files { try folder.write(file.text, to: file.symbol + ".csv") }
        var document = SettingsDocument()
        document.merge(file: Self.root + file)
        document.set("backtest.data.path", to: folder.path, flag: "")
        try compare(document)
    }

    // MARK: Comparing

    /// A run's record, and the engine's state at the end of each session.
    private struct Run {
        let record: RunRecord
        let hashes: [UInt64]
    }

    private func compare(_ document: SettingsDocument) throws {
        let settings = try SettingsCheck(document).get()
        let data = try settings.loadData()
        let run = try run(settings, data, usesBatches: true)
        let stepped = try self.run(settings, data, usesBatches: false)
        try expectSame(run, stepped)
        // Cut at the end of every session, with each strategy's state as bytes, and beside an engine that is not.
        let cut = try self.run(settings, data, usesBatches: true, reopensSessions: true)
        try expectSame(cut, stepped)
        let verification = try #require(cut.record.verification)
        #expect(verification.decisions == stepped.record.decisions.count)
        #expect(verification.events > verification.decisions)
    }

    private func expectSame(_ run: Run, _ stepped: Run) throws {
        #expect(!stepped.record.fills.isEmpty)
        #expect(!stepped.record.decisions.isEmpty)
        // The first difference says more than both lists, and comparing lists in a condition prints them.
        let decision = zip(run.record.decisions, stepped.record.decisions).first { $0 != $1 }
        #expect(decision == nil)
        #expect(run.record.decisions.count == stepped.record.decisions.count)
        let fill = zip(run.record.fills, stepped.record.fills).first { $0 != $1 }
        #expect(fill == nil)
        #expect(run.record.fills.count == stepped.record.fills.count)
        let isSameOrders = run.record.orders == stepped.record.orders
        #expect(isSameOrders)
        let equity = zip(run.record.equity, stepped.record.equity).first { $0 != $1 }
        #expect(equity == nil)
        #expect(run.record.equity.count == stepped.record.equity.count)
        #expect(run.record.maxDrawdown == stepped.record.maxDrawdown)
        #expect(run.hashes.count == stepped.record.equity.count)
        let session = zip(run.hashes, stepped.hashes).map { $0 == $1 }.firstIndex(of: false)
        #expect(session == nil)
        #expect(run.record.stateHash == stepped.record.stateHash)
    }

    private func run(
        _ settings: Settings, _ data: RunData, usesBatches: Bool, reopensSessions: Bool = false
    ) throws -> Run {
        var plan = try BacktestPlan(settings, data)
        plan.setup.engine.usesBatches = usesBatches
        plan.setup.hashesSessions = true
        plan.setup.reopensSessions = reopensSessions
        let verifier =
            reopensSessions ? RunVerifier(plan.setup.engine, keepsDecisions: true) : nil
        var backtest = try plan.run(keepsNotes: true, decisions: .all, verifier: verifier)
        let hashes = backtest.sessionHashes
        return Run(
            record: backtest.record(names: settings.active.map(\.name), warnings: []),
            hashes: hashes)
    }

    // MARK: Data

    /// The files of a benchmark's configuration; none for one that is not known here.
    private static func files(for name: String) -> [(symbol: String, text: String)] {
        switch name {
        case "w1": [("A", minutes(1, 9_000))]
        case "w3": (0..<12).map { ("S\($0)", days(UInt64($0), 260)) }
        case "w3c": (0..<6).map { ("S\($0)", minutes(UInt64($0), 780)) }
        case "w4": [("T", ticks(4, 12_000))]
        case "w7": [("A", minutes(7, 9_000))]
        default: []
        }
    }

    /// One-minute bars, 390 a day.
    private static func minutes(_ seed: UInt64, _ count: Int) -> String {
        bars(seed, count) { row in
            let (day, minute) = (row / 390, 14 * 60 + 30 + row % 390)
            return "\(date(day))T\(two(minute / 60)):\(two(minute % 60)):00Z"
        }
    }

    /// Daily bars.
    private static func days(_ seed: UInt64, _ count: Int) -> String {
        bars(seed, count) { "\(date($0))T00:00:00Z" }
    }

    private static func bars(_ seed: UInt64, _ count: Int, _ stamp: (Int) -> String) -> String {
        var chance = SeededGenerator(seed: seed)
        var close = 100_00
        var text = "timestamp,open,high,low,close,volume\n"
        for row in 0..<count {
            let open = close + Int(chance.next() % 3) - 1
            close = max(50_00, close + Int(chance.next() % 31) - 15)
            let high = max(open, close) + Int(chance.next() % 6)
            let low = min(open, close) - Int(chance.next() % 6)
            let prices = [open, high, low, close].map(dollars).joined(separator: ",")
            text += "\(stamp(row)),\(prices),\(500 + chance.next() % 20_000)\n"
        }
        return text
    }

    /// Quotes and trades, half a minute apart at most.
    private static func ticks(_ seed: UInt64, _ count: Int) -> String {
        var chance = SeededGenerator(seed: seed)
        var (second, bid) = (0, 100_00)
        var text = "timestamp,type,p1,s1,p2,s2\n"
        for row in 0..<count {
            second += Int(chance.next() % 30)
            bid = max(50_00, bid + Int(chance.next() % 3) - 1)
            let (day, remaining) = (second / 86_400, second % 86_400)
            let time =
                "\(two(remaining / 3_600)):\(two(remaining / 60 % 60)):\(two(remaining % 60))"
            text += "\(date(day))T\(time)Z,"
            text +=
                row > 0 && chance.next() % 5 == 0
                ? "T,\(dollars(bid)),\(1 + chance.next() % 5),,\n"
                : "Q,\(dollars(bid)),\(1 + chance.next() % 20),\(dollars(bid + 1)),"
                    + "\(1 + chance.next() % 20)\n"
        }
        return text
    }

    private static func date(_ number: Int) -> String {
        Day(year: 2024, month: 1, day: 1)?.advanced(by: number).description ?? ""
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func dollars(_ cents: Int) -> String { "\(cents / 100).\(two(cents % 100))" }
}
