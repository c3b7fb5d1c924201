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
    private var running: Running?
    let folder: String
    private(set) var settings: Settings

    /// A process, as far as there is one.
    private struct Running {
        let driver: SessionDriver
        let session: Session
        let inbox: Inbox
    }

    /// What a session has taken in and answered.
    final class History {
        /// False to keep nothing.
        var isKept = false
        fileprivate(set) var batches: [RecordBatch] = []
    }

    /// What is wrong with the disk.
    final class Disk {
        /// Why nothing can be written; `nil` while it can.
        var failure: JournalError?
        /// How much room there is.
        var freeSpace = Int64(1) << 40
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

        func append(_ batch: RecordBatch, at time: Timestamp) { journal.append(batch, at: time) }

        func commit() throws(JournalError) {
            if let failure = disk.failure { throw failure }
            try journal.commit()
        }
    }

    /// What the session's loop has delivered.
    private final class Inbox: Sendable {
        private let events = Mutex<[SessionEvent]>([])

        func put(_ more: [SessionEvent]) { events.withLock { $0 += more } }

        func take() -> [LiveSession.Input] {
            events.withLock { events in
                defer { events.removeAll() }
                return events.map { .gateway($0) }
            }
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
        at start: Timestamp = SimulatedGateway.tuesday, seed: UInt64 = 1, keepsHistory: Bool = false
    ) throws {
        let settings = try Self.settings(configuration)
        self.settings = settings
        folder = NSTemporaryDirectory() + "martlet-session-\(UUID().uuidString)"
        gateway = SimulatedGateway(at: start) {
            $0.seed = seed
            $0.rules = VenueRules(settings)
            $0.account.startingCash = settings.account.startingCapital
            $0.account.kind = settings.account.type == .cash ? .cash : .margin
        }
        history.isKept = keepsHistory
        running = try Self.start(settings, gateway, folder, history, disk)
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
        _ disk: Disk, program: UInt64 = 1
    ) throws -> Running {
        let inbox = Inbox()
        var sessionSettings = TWSProtocol.SessionSettings(clientID: 1)
        sessionSettings.placesOrders = true
        let session = Session(settings: sessionSettings, connector: gateway) { inbox.put($0) }
        let journal = try SessionJournal(folder: folder, newInstance: 17)
        let driver = try SessionDriver(
            SessionDriver.Plan(
                settings: settings, symbols: settings.trading.symbols,
                barSize: settings.trading.barSize ?? .minutes(1), account: "DU1234567",
                journal: journal, record: DiskRecord(journal, disk), program: program),
            outlet: session
        ) { batch in
            if history.isKept { history.batches.append(batch) }
        }
        session.start()
        return Running(driver: driver, session: session, inbox: inbox)
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
            try settle()
        }
    }

    /// Lets time pass up to a time.
    func pass(to time: Timestamp) throws { try pass(time - now) }

    /// Lets time pass until `condition` holds.
    func pass(
        until what: String, limit: Duration = .minutes(30), _ condition: () -> Bool
    ) throws {
        let end = gateway.clock.now + limit
        while !condition() {
            guard gateway.clock.now < end else { throw Missing(what: what) }
            try pass(Gateway.step)
        }
    }

    struct Missing: Error, CustomStringConvertible {
        let what: String
        var description: String { "this did not happen: \(what)" }
    }

    /// Takes in what came, and what that leads to at the same time.
    private func settle() throws {
        for _ in 0..<100 {
            let inputs = running?.inbox.take() ?? []
            try driver.take(inputs, at: now)
            driver.commit(at: now)
            let hasRun = gateway.clock.run()
            if inputs.isEmpty, !hasRun { return }
        }
    }

    /// Ends the session as a crash does, and starts another on its journal.
    ///
    /// - Parameters:
    ///   - configuration: the one that it is started with; `nil` for the same.
    ///   - program: the digest of the program that is started.
    func crash(_ configuration: String? = nil, program: UInt64 = 1) throws {
        running?.session.stop()
        gateway.clock.run()
        // The journal's folder is free once nothing of the old session is left.
        running = nil
        if let configuration { settings = try Self.settings(configuration) }
        running = try Self.start(settings, gateway, folder, history, disk, program: program)
    }

    // MARK: Ledgers

    /// The gateway's own ledger.
    func ledger() throws -> JSONValue {
        try JSONValue(Array(gateway.control("{\"do\":\"ledger\"}").utf8))
    }

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
            of: known.positions, cash: known.cash,
            from: gateway.control("{\"do\":\"ledger\"}"))
    }

    /// No order was placed twice, and no two carry one reference.
    func expectNothingDoubled() throws {
        let ledger = try ledger()
        let violations = try #require(ledger["violations"])
        #expect(violations["repeatedReferences"] == .object([]))
        guard case .array(let asked)? = ledger["asked"] else { return }
        for order in asked { #expect(order["placements"] == .number("1"), "\(order.text)") }
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
