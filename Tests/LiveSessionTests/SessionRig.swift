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
import Simulation
import Synchronization
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// A live session and a simulated gateway in one process, on one clock that the test sets: the session's own code from
/// the wire's bytes to the journal's file.
final class SessionRig {
    let gateway: SimulatedGateway
    /// What the session has taken in and answered, as far as it is kept.
    let history = History()
    /// What goes wrong with writing.
    let disk = Disk()
    /// What calls of strategies take.
    let calls = Calls()
    /// What is written for people beside the journal, if it is wanted.
    let files = Files()
    /// Looks at protection at every step, if it is wanted.
    var audit: ProtectionAudit?
    private var running: Running?
    let folder: String
    private(set) var settings: Settings

    /// A process, as far as there is one.
    private struct Running {
        let driver: SessionDriver
        let session: Session
        let inbox: SessionInbox
        /// Who takes the orders in mode dry.
        let dry: DryBroker?
    }

    /// What a session has taken in and answered.
    final class History {
        /// False to keep nothing.
        var isKept = false
        /// False for one file of the journal in each process.
        var rotates = true
        /// What measures the calls of the session's strategies.
        fileprivate var meter = CallMeter()
        fileprivate(set) var batches: [RecordBatch] = []
        /// How many batches people were notified of before they were written.
        fileprivate(set) var earlyBatches: [RecordBatch] = []
    }

    /// What calls of strategies take, by a clock that stands otherwise.
    final class Calls: Sendable {
        private let state = Mutex((now: Timestamp(seconds: 0), costs: [StrategyID: Duration]()))

        /// Has each call of a strategy take so long from now on.
        func set(_ cost: Duration, of strategy: StrategyID) {
            state.withLock { $0.costs[strategy] = cost }
        }

        /// A meter that asks the clock before and behind each call.
        fileprivate var meter: CallMeter {
            CallMeter { [self] strategy in
                state.withLock { state in
                    state.now = state.now + (state.costs[strategy] ?? .zero)
                    return state.now
                }
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
                mask: LogMask(settings, account: "DU1234567")
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

    /// What is wrong with the disk.
    final class Disk {
        /// Why nothing can be written; `nil` while it can.
        var failure: JournalError?
        /// How much room there is.
        var freeSpace = Int64(1) << 40
        /// True while something was taken that is not written.
        fileprivate(set) var isBehind = false
        /// How often something was written.
        fileprivate(set) var commitCount = 0
    }

    /// A journal on a disk with faults.
    private final class DiskRecord: SessionRecord {
        private let journal: SessionJournal
        private let disk: Disk

        init(_ journal: SessionJournal, _ disk: Disk) {
            self.journal = journal
            self.disk = disk
        }

        var freeSpace: Int64? { disk.freeSpace }

        func append(_ batch: RecordBatch, at time: Timestamp) {
            journal.append(batch, at: time)
            disk.isBehind = true
        }

        func commit() throws(JournalError) {
            if let failure = disk.failure { throw failure }
            if disk.isBehind { disk.commitCount += 1 }
            try journal.commit()
            disk.isBehind = false
        }
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
        let settings = try Self.settings(configuration)
        self.settings = settings
        folder = NSTemporaryDirectory() + "martlet-session-\(UUID().uuidString)"
        gateway = SimulatedGateway(at: start) {
            $0.seed = seed
            $0.rules = VenueRules(settings)
            $0.data.marketDataLines = settings.ibkr.marketDataLines
            $0.account.startingCash = settings.account.startingCapital
            $0.account.kind = settings.account.type == .cash ? .cash : .margin
            set(&$0)
        }
        history.isKept = keepsHistory
        history.rotates = rotates
        history.meter = calls.meter
        files.areWritten = writesFiles
        files.begin(settings, in: folder)
        running = try Self.start(settings, gateway, folder, history, (disk, files))
    }

    var driver: SessionDriver {
        guard let running else { preconditionFailure("a session runs between two calls") }
        return running.driver
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func settings(_ configuration: String) throws -> Settings {
        var document = SettingsDocument()
        document.merge(Array(configuration.utf8), from: "session.yaml")
        return try SettingsCheck(document).get()
    }

    private static func start(
        _ settings: Settings, _ gateway: SimulatedGateway, _ folder: String, _ history: History,
        _ machine: (disk: Disk, files: Files), program: UInt64 = 1
    ) throws -> Running {
        let disk = machine.disk
        let inbox = SessionInbox(limit: settings.ibkr.tickBuffer)
        let clock = gateway.clock
        let dry =
            settings.trading.mode == .dry
            ? try DryBroker(
                DryBroker.Plan(settings, folder: folder) { Issue.record("\($0)") }) : nil
        let session = Session(
            settings: TWSProtocol.SessionSettings(settings.ibkr),
            connector: dry.map { DryConnector(base: gateway, broker: $0) } ?? gateway
        ) {
            inbox.put($0.map { .input(.gateway($0)) }, at: clock.timeOfDay)
        }
        let journal = try SessionJournal(
            folder: folder, newInstance: 17,
            SessionJournal.Retention(days: settings.system.journalDays, isBeside: false))
        var plan = SessionDriver.Plan(
            settings: settings, symbols: settings.trading.symbols,
            barSize: settings.trading.barSize ?? .minutes(1), account: "DU1234567",
            journal: journal, record: DiskRecord(journal, disk), program: program,
            rotates: history.rotates,
            contracts: ContractFile(folder + "/contracts"), meter: history.meter,
            hangMark: HangMark(folder: folder))
        plan.log = machine.files.log
        plan.results = machine.files.results
        let driver = try SessionDriver(
            plan, outlet: session
        ) { batch in
            guard history.isKept else { return }
            history.batches.append(batch)
            if disk.isBehind { history.earlyBatches.append(batch) }
        }
        session.start()
        return Running(driver: driver, session: session, inbox: inbox, dry: dry)
    }

    // MARK: Time

    var now: Timestamp { gateway.clock.timeOfDay }

    /// Lets time pass in steps, with everything done that follows at each.
    ///
    /// - Parameter step: the gateway's where nothing else is said; what comes between two is taken in at the second.
    func pass(_ time: Duration, inStepsOf step: Duration = Gateway.step) throws {
        let end = gateway.clock.now + time
        while gateway.clock.now < end {
            gateway.clock.advance(by: min(step, end - gateway.clock.now))
            try settle(behind: step)
            audit?.look(at: self)
        }
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
    func stall(_ time: Duration) {
        let end = gateway.clock.now + time
        while gateway.clock.now < end {
            gateway.clock.advance(by: min(Gateway.step, end - gateway.clock.now))
            while gateway.clock.run() {}
        }
    }

    /// Takes in what came, and what that leads to at the same time.
    ///
    /// - Parameter step: how long nothing was looked at; what came in it has not waited.
    private func settle(behind step: Duration) throws {
        for _ in 0..<100 {
            let batch = running?.inbox.take() ?? SessionInbox.Batch()
            let inputs = batch.items.compactMap { item -> LiveSession.Input? in
                if case .input(let input) = item { input } else { nil }
            }
            driver.note(
                age: batch.oldest.map { max(.zero, now - ($0 + step)) } ?? .zero,
                shed: batch.shed, at: now)
            try driver.take(inputs, at: now)
            driver.commit(at: now)
            driver.writeLog(at: now)
            let hasRun = gateway.clock.run()
            if inputs.isEmpty, !hasRun { return }
        }
    }

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
    func kill() {
        running?.session.stop()
        gateway.clock.run()
        // The journal's folder is free once nothing of the old session is left.
        running = nil
    }

    /// Starts a session on the journal that is there, with no other running.
    func start(_ configuration: String? = nil, program: UInt64 = 1) throws {
        if let configuration { settings = try Self.settings(configuration) }
        history.meter = calls.meter
        files.begin(settings, in: folder)
        running = try Self.start(
            settings, gateway, folder, history, (disk, files), program: program)
    }

    // MARK: Ledgers

    /// The ledger of whoever takes the orders, as it says it.
    private var brokersLedger: String {
        running?.dry.flatMap(\.ledger) ?? gateway.control("{\"do\":\"ledger\"}")
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
