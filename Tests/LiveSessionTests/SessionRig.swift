import Accounting
import ClientTestSupport
import Configuration
import Foundation
import GatewaySimulator
import GatewayTestSupport
import Journal
import Model
import Orders
import Primitives
import Synchronization
import TWSClient
import Testing
import TradingEngine

@testable import Runtime

/// A simulated session as tests use it: with a folder of its own that goes with it, what it has done kept, and checks.
final class SessionRig {
    private let session: SimulatedSession
    /// What the session has taken in and answered, as far as it is kept.
    let history = History()
    /// What calls of strategies take.
    let calls = Calls()
    /// What is written for people beside the journal, if it is wanted.
    let files = Files()
    /// Looks at protection at every step, if it is wanted.
    var audit: ProtectionAudit?
    /// Who takes the orders in mode dry.
    private var dry: DryBroker?

    /// What a session has taken in and answered.
    final class History {
        /// False to keep nothing.
        fileprivate(set) var isKept = false
        fileprivate(set) var batches: [RecordBatch] = []
        /// The batches that people were notified of before they were written.
        fileprivate(set) var earlyBatches: [RecordBatch] = []
        /// True while something was taken that is not written.
        fileprivate(set) var isBehind = false
        /// How often something was written.
        fileprivate(set) var commitCount = 0

        fileprivate func take(_ batch: RecordBatch) {
            guard isKept else { return }
            batches.append(batch)
            if isBehind { earlyBatches.append(batch) }
        }
    }

    /// Notes when the journal is written.
    private final class NotedRecord: SessionRecord {
        private let base: any SessionRecord
        private let history: History

        init(_ base: any SessionRecord, _ history: History) {
            self.base = base
            self.history = history
        }

        var freeSpace: Int64? { base.freeSpace }

        func append(_ batch: RecordBatch, at time: Timestamp) {
            base.append(batch, at: time)
            history.isBehind = true
        }

        func commit() throws(JournalError) {
            try base.commit()
            if history.isBehind { history.commitCount += 1 }
            history.isBehind = false
        }
    }

    /// What calls of strategies take, by a clock that stands otherwise.
    final class Calls: Sendable {
        private let state = Mutex((now: Timestamp(seconds: 0), costs: [StrategyID: Duration]()))

        /// Has each call of a strategy take so long from now on.
        func set(_ cost: Duration, of strategy: StrategyID) {
            state.withLock { $0.costs[strategy] = cost }
        }

        /// The time of the clock, asked before and behind each call.
        fileprivate func now(_ strategy: StrategyID) -> Timestamp {
            state.withLock { state in
                state.now = state.now + (state.costs[strategy] ?? .zero)
                return state.now
            }
        }
    }

    /// What is written for people beside the journal.
    final class Files {
        /// False for nothing.
        fileprivate(set) var areWritten = false
        fileprivate(set) var log: SessionLog?
        fileprivate(set) var results: SessionResults?
        /// What the user was shown.
        let complaints = Complaints()

        fileprivate func begin(_ settings: Settings, in folder: String) {
            guard areWritten else { return }
            let complaints = complaints
            var plan = SessionLog.Plan(
                settings: settings.logging,
                folder: settings.logging.directory?.resolved ?? folder + "/logs",
                mask: LogMask(settings, account: SimulatedSession.account)
            ) { complaints.add($0) }
            plan.isBeside = false
            log = SessionLog(plan)
            results = SessionResults(journal: folder, settings) { complaints.add($0) }
        }
    }

    /// Lines that a user was shown.
    final class Complaints: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock(\.self) }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    /// A momentum strategy that rotates among four stocks every five minutes.
    static let rotation = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, MSFT, AMZN, SPY], bar_size: 1m}
        strategies:
          - use: cross_sectional_momentum
            parameters:
              {lookback: 10, top: 2, invested_pct: 90, rebalance: bars, every: 5}
        """

    /// A session that has not connected.
    init(
        _ configuration: String = SessionRig.rotation,
        at start: Timestamp = SimulatedGateway.tuesday, seed: UInt64 = 1,
        keepsHistory: Bool = false, rotates: Bool = true, writesFiles: Bool = false,
        gateway set: (inout SimulatedGatewaySettings) -> Void = { _ in }
    ) throws {
        session = SimulatedSession(
            SimulatedSession.Plan(
                settings: try Self.settings(configuration),
                folder: NSTemporaryDirectory() + "martlet-session-\(UUID().uuidString)",
                start: start, seed: seed, rotates: rotates),
            gateway: set)
        session.plan.callClock = { [calls] in calls.now($0) }
        session.plan.record = { [history] in NotedRecord($0, history) }
        session.plan.observer = { [history] in history.take($0) }
        history.isKept = keepsHistory
        files.areWritten = writesFiles
        try begin()
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The settings of a configuration, as the program reads it.
    static func settings(_ configuration: String) throws -> Settings {
        var document = SettingsDocument()
        document.merge(Array(configuration.utf8), from: "session.yaml")
        return try SettingsCheck(document).get()
    }

    var gateway: SimulatedGateway { session.gateway }
    var settings: Settings { session.plan.settings }
    var folder: String { session.folder }
    /// What goes wrong with writing.
    var disk: SimulatedSession.Disk { session.disk }

    var driver: SessionDriver {
        guard let driver = session.driver else {
            preconditionFailure("a session runs between two calls")
        }
        return driver
    }

    /// Starts the program with what this configuration has beside it.
    private func begin() throws {
        let dry =
            settings.trading.mode == .dry
            ? try DryBroker(
                DryBroker.Plan(settings, folder: folder) { Issue.record("\($0)") }) : nil
        self.dry = dry
        session.plan.connector = dry.map { DryConnector(base: gateway, broker: $0) }
        files.begin(settings, in: folder)
        session.plan.log = files.log
        session.plan.results = files.results
        try session.begin()
    }

    // MARK: Time

    var now: Timestamp { session.now }

    /// Lets time pass in steps, with everything done that follows at each.
    ///
    /// - Parameter step: the gateway's where nothing else is said; what comes between two is taken in at the second.
    func pass(_ time: Duration, inStepsOf step: Duration = Gateway.step) throws {
        try session.pass(time, inStepsOf: step) { audit?.look(at: self) }
    }

    /// Lets time pass up to a time.
    func pass(to time: Timestamp, inStepsOf step: Duration = Gateway.step) throws {
        try pass(time - now, inStepsOf: step)
    }

    /// Lets time pass until `condition` holds.
    func pass(
        until what: String, limit: Duration = .minutes(30), _ condition: () throws -> Bool
    ) throws {
        let end = gateway.clock.now + limit
        while try !condition() {
            guard gateway.clock.now < end else { throw Missing(what: what) }
            try pass(Gateway.step)
        }
    }

    struct Missing: Error, CustomStringConvertible {
        let what: String
        var description: String { "this did not happen: \(what)" }
    }

    /// Lets time pass in which the session takes nothing in: what comes waits.
    func stall(_ time: Duration) { session.stall(time) }

    /// Ends the session as a crash does, and starts another on its journal.
    ///
    /// - Parameters:
    ///   - configuration: the one that it is started with; `nil` for the same.
    ///   - program: the digest of the program that is started.
    ///   - meanwhile: what happens while none runs.
    func crash(
        _ configuration: String? = nil, program: UInt64 = 1, meanwhile: () throws -> Void = {}
    ) throws {
        kill()
        try meanwhile()
        try start(configuration, program: program)
    }

    /// Ends the session as a crash does.
    func kill() { session.kill() }

    /// Starts a session on the journal that is there, with no other running.
    func start(_ configuration: String? = nil, program: UInt64 = 1) throws {
        if let configuration { session.plan.settings = try Self.settings(configuration) }
        session.plan.program = program
        try begin()
    }

    // MARK: Ledgers

    /// The ledger of whoever takes the orders, as it says it.
    private var brokersLedger: String {
        dry.flatMap(\.ledger) ?? gateway.control("{\"do\":\"ledger\"}")
    }

    /// The ledger of whoever takes the orders.
    func ledger() throws -> JSONValue { try JSONValue(Array(brokersLedger.utf8)) }

    /// Where the session's ledger and the gateway's differ.
    func differences() throws -> [String] {
        let symbols = settings.trading.symbols
        let here = driver.withEngine { engine in
            var positions: [(symbol: String, quantity: Quantity)] = []
            for (index, symbol) in symbols.enumerated() {
                let quantity = engine.portfolio.quantity(of: InstrumentID(index: index))
                if quantity != .zero { positions.append((symbol, quantity)) }
            }
            return (positions: positions, cash: engine.portfolio.cash.rounded())
        }
        let known = try #require(here)
        return try LedgerComparison.differences(
            of: known.positions, cash: known.cash, from: brokersLedger)
    }

    /// No order was placed twice, and no two carry one reference. A change goes out as another placement of its order.
    func expectNothingDoubled() throws {
        let ledger = try ledger()
        let violations = try #require(ledger["violations"])
        #expect(violations["repeatedReferences"] == .object([]))
        guard case .array(let asked)? = ledger["asked"] else { return }
        var sent: [String: Int] = [:]
        for recorded in history.batches.flatMap(\.commands) {
            guard case .modify(let ticket, _) = recorded.command else { continue }
            let key = driver.withEngine { $0.brokerKey(of: ticket.id) } ?? nil
            if let reference = key?.reference { sent["\(reference)", default: 0] += 1 }
        }
        for order in asked {
            guard case .text(let reference)? = order["orderRef"],
                case .number(let placements)? = order["placements"]
            else { throw Missing(what: "an order's placements: \(order.text)") }
            let most = 1 + sent[reference, default: 0]
            #expect((1...most).contains(try #require(Int(placements))), "\(order.text)")
        }
    }

    /// The orders of which it is not known what became of them.
    var unknownCount: Int {
        driver.withEngine { engine in
            engine.orders.allLive.count { engine.orders.record(of: $0)?.state == .unknown }
        } ?? 0
    }

    /// Its journals are answered again as they were; with `KEEP_JOURNALS` they are copied into that folder, for other
    /// processes and builds.
    func expectVerifiedJournal(_ name: String) throws {
        let verification = try JournalVerification(of: folder)
        #expect(verification.isVerified, "\(verification.text)")
        #expect(verification.files.contains { $0.events > 0 })
        guard let kept = ProcessInfo.processInfo.environment["KEEP_JOURNALS"] else { return }
        try FileManager.default.createDirectory(
            atPath: kept, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder, toPath: "\(kept)/\(name)")
    }

    /// The decisions so far, as far as they are kept.
    var decisions: [Decision] { history.batches.flatMap { $0.decisions ?? [] } }

    /// Lets what is under way come to its end: no entry is added, and everything is answered.
    func expectEqualLedgers() throws {
        try pass(until: "ledgers that are equal and nothing unknown", limit: .minutes(10)) {
            unknownCount == 0 && (try? differences().isEmpty) == true
        }
        try expectNothingDoubled()
    }
}
