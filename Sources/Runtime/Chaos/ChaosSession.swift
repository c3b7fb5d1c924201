import Configuration
import Foundation
import GatewaySimulator
import Journal
import Model
import Orders
import Primitives
import Simulation
import TWSClient
import TWSProtocol
import TradingEngine

/// A live session at a simulated gateway, in one process and on a clock that moves only here: the session's own code
/// from the wire's bytes to the journal's file. It can be killed and started again.
final class ChaosSession {
    let gateway: SimulatedGateway
    /// The symbols that are traded.
    var symbols: [String] { settings.trading.symbols }
    /// Where its journal is.
    let folder: String
    /// Why nothing can be written to the journal; `nil` while it can.
    var journalFailure: JournalError? {
        get { disk.failure }
        set { disk.failure = newValue }
    }
    /// Why the program ended by itself last, in a sentence.
    private(set) var failure: String?
    private let settings: Settings
    private let disk = Disk()
    private let alarms = Alarms()
    private var running: Running?

    /// A program that runs.
    private struct Running {
        let driver: SessionDriver
        let session: Session
        let inbox: SessionInbox
        let journal: SessionJournal
    }

    private final class Disk {
        var failure: JournalError?
    }

    /// What the user has been notified of and nothing has ended.
    private final class Alarms {
        /// The instruments with positions without a stop.
        var bare: Set<InstrumentID> = []
        /// The orders of which nothing says what became of them.
        var unresolved: Set<OrderID> = []

        func take(_ batch: RecordBatch) {
            for decision in batch.decisions ?? [] {
                if decision.kind == .finding(.unresolved), let order = decision.subject.order {
                    unresolved.insert(order)
                }
                guard let instrument = decision.subject.instrument else { continue }
                if decision.kind == .protectionMissing { bare.insert(instrument) }
                if decision.kind == .protectionRestored { bare.remove(instrument) }
            }
        }
    }

    /// A journal on a disk with faults.
    private final class DiskRecord: SessionRecord {
        private let journal: SessionJournal
        private let disk: Disk

        init(_ journal: SessionJournal, _ disk: Disk) {
            self.journal = journal
            self.disk = disk
        }

        var freeSpace: Int64? { disk.failure == nil ? nil : 0 }

        func append(_ batch: RecordBatch, at time: Timestamp) { journal.append(batch, at: time) }

        func commit() throws(JournalError) {
            if let failure = disk.failure { throw failure }
            try journal.commit()
        }
    }

    /// The account that is traded.
    static let account = "DU1234567"
    /// 2024-03-05, a Tuesday, 10:00 in New York: the session begins in the middle of a day.
    static let start = Timestamp(seconds: 1_709_650_800)
    /// The digest of the program that runs: the same for every one.
    private static let program: UInt64 = 1

    /// A session that has begun to connect.
    ///
    /// - Parameters:
    ///   - folder: for its journal; made.
    ///   - seed: what the market's prices follow from.
    init(_ settings: Settings, in folder: String, seed: UInt64) throws(RunFailure) {
        self.settings = settings
        self.folder = folder
        gateway = SimulatedGateway(at: Self.start) {
            $0.seed = seed
            $0.rules = VenueRules(settings)
            $0.data.marketDataLines = settings.ibkr.marketDataLines
            $0.account.startingCash = settings.account.startingCapital
            $0.account.kind = settings.account.type == .cash ? .cash : .margin
        }
        try begin()
    }

    // MARK: The program

    /// What runs; `nil` while nothing does.
    var driver: SessionDriver? { running?.driver }

    /// The digest of everything in the journal; empty while nothing runs.
    var journalHash: [UInt8] { running?.journal.headHash ?? [] }

    /// True while the user is notified of a position in an instrument that has no stop.
    func isAlarmed(_ instrument: InstrumentID) -> Bool { alarms.bare.contains(instrument) }

    /// The orders in doubt that the user has not been notified of.
    var ordersInDoubt: [OrderID] {
        driver?.withEngine { engine in
            engine.orders.allLive.filter { order in
                let state = engine.orders.record(of: order)?.state
                return (state == .unknown || state == .executionsMissing)
                    && !alarms.unresolved.contains(order)
            }
        } ?? []
    }

    /// Ends the program as `kill -9` does.
    func kill() {
        running?.session.stop()
        gateway.clock.run()
        // The journal's folder is free once nothing of the program is left.
        running = nil
    }

    /// Starts the program on the journal that is there, where none runs.
    func begin() throws(RunFailure) {
        guard running == nil else { return }
        let inbox = SessionInbox(limit: settings.ibkr.tickBuffer)
        let clock = gateway.clock
        let session = Session(
            settings: TWSProtocol.SessionSettings(settings.ibkr), connector: gateway
        ) {
            inbox.put($0.map { .input(.gateway($0)) }, at: clock.timeOfDay)
        }
        let journal = try SessionJournal(
            folder: folder, newInstance: 17,
            SessionJournal.Retention(days: settings.system.journalDays, isBeside: false))
        let plan = SessionDriver.Plan(
            settings: settings, symbols: symbols,
            barSize: settings.trading.barSize ?? .minutes(1), account: Self.account,
            journal: journal, record: DiskRecord(journal, disk), program: Self.program,
            contracts: ContractFile(folder + "/contracts"), meter: CallMeter { _ in clock.now },
            hangMark: HangMark(folder: folder))
        let driver = try SessionDriver(plan, outlet: session) { [alarms] in alarms.take($0) }
        session.start()
        running = Running(driver: driver, session: session, inbox: inbox, journal: journal)
    }

    /// Gives it an instruction of its user.
    func instruct(_ action: OperatorRequest.Action) {
        settle(behind: .zero, with: [.request(OperatorRequest(action))])
    }

    // MARK: Time

    var now: Timestamp { gateway.clock.timeOfDay }

    /// Lets time pass in the gateway's steps, with everything done that follows at each.
    ///
    /// - Parameter isFrozen: true for a program that stands still meanwhile.
    func pass(_ time: Duration, isFrozen: Bool = false) {
        let end = gateway.clock.now + time
        let begun = now
        while gateway.clock.now < end {
            gateway.clock.advance(by: min(Gateway.step, end - gateway.clock.now))
            if isFrozen {
                while gateway.clock.run() {}
            } else {
                settle(behind: Gateway.step)
            }
        }
        if isFrozen { running?.driver.stoodStill(for: now - begun) }
    }

    /// Takes in what came, and what that leads to at the same time.
    ///
    /// - Parameter step: how long nothing was looked at; what came in it has not waited.
    private func settle(behind step: Duration, with given: [LiveSession.Input] = []) {
        var given = given
        for _ in 0..<100 {
            guard let running else { return _ = gateway.clock.run() }
            let batch = running.inbox.take()
            var inputs = given
            given.removeAll()
            for case .input(let input) in batch.items { inputs.append(input) }
            do throws(RunFailure) {
                running.driver.note(
                    age: batch.oldest.map { max(.zero, now - ($0 + step)) } ?? .zero,
                    shed: batch.shed, at: now)
                try running.driver.take(inputs, at: now)
                running.driver.commit(at: now)
            } catch {
                failure = "\(error)"
                return kill()
            }
            let hasRun = gateway.clock.run()
            if inputs.isEmpty, !hasRun { return }
        }
    }
}
