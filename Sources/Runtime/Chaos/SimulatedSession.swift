import Configuration
import GatewaySimulator
import Journal
import Model
import Primitives
import Simulation
import TWSClient
import TWSProtocol

/// A live session at a simulated gateway, in one process and on a clock that moves only here: the session's own code
/// from the wire's bytes to the journal's file. It can be killed and started again.
final class SimulatedSession {
    let gateway: SimulatedGateway
    /// The disk that its journal is on.
    let disk = Disk()
    /// What the next start takes; folder, time and prices stay.
    var plan: Plan
    private var running: Running?

    /// What a session is made of.
    struct Plan {
        /// The configuration.
        var settings: Settings
        /// The folder of its journal; made.
        let folder: String
        /// When it begins: 2024-03-05, a Tuesday, 10:00 in New York, in the middle of a day.
        var start = Timestamp(seconds: 1_709_650_800)
        /// What the market's prices follow from.
        var seed: UInt64 = 1
        /// The digest of the program.
        var program: UInt64 = 1
        /// False for one file of the journal in each start.
        var rotates = true
        /// Opens its connections; `nil` for the gateway itself.
        var connector: (any PipeConnector)?
        /// The clock that measures calls of strategies; `nil` for the loop's, by which they take no time.
        var callClock: (@Sendable (StrategyID) -> Timestamp)?
        /// What people can read of the session; `nil` for none.
        var log: SessionLog?
        /// What writes down what the session leaves behind; `nil` for nothing.
        var results: SessionResults?
        /// What is written to in the journal's place, and passes it on.
        var record: (any SessionRecord) -> any SessionRecord = { $0 }
        /// Receives every batch that the journal has taken.
        var observer: (RecordBatch) -> Void = { _ in }
    }

    /// A disk with faults.
    final class Disk {
        /// Why nothing can be written; `nil` while it can.
        var failure: JournalError?
        /// How many bytes there is room for; `nil` if that is not known.
        var freeSpace: Int64? = Disk.roomy

        /// Room for a terabyte.
        static let roomy = Int64(1) << 40

        /// Nothing can be written any more, as there is no room.
        func fill(_ folder: String) { (failure, freeSpace) = (.diskFull(folder), 0) }

        /// It is as it was.
        func heal() { (failure, freeSpace) = (nil, Disk.roomy) }
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

    /// A program that runs.
    private struct Running {
        let driver: SessionDriver
        let session: Session
        let inbox: SessionInbox
        let journal: SessionJournal
    }

    /// The account that is traded.
    static let account = "DU1234567"

    /// A session that has not begun.
    ///
    /// - Parameter set: changes the gateway's settings.
    init(_ plan: Plan, gateway set: (inout SimulatedGatewaySettings) -> Void = { _ in }) {
        self.plan = plan
        gateway = SimulatedGateway(at: plan.start) {
            $0.seed = plan.seed
            $0.rules = VenueRules(plan.settings)
            $0.data.marketDataLines = plan.settings.ibkr.marketDataLines
            $0.account.startingCash = plan.settings.account.startingCapital
            $0.account.kind = plan.settings.account.type == .cash ? .cash : .margin
            set(&$0)
        }
    }

    /// Where its journal is.
    var folder: String { plan.folder }

    /// The symbols that are traded.
    var symbols: [String] { plan.settings.trading.symbols }

    // MARK: The program

    /// What runs; `nil` while nothing does.
    var driver: SessionDriver? { running?.driver }

    /// The digest of everything in the journal; empty while nothing runs.
    var journalHash: [UInt8] { running?.journal.headHash ?? [] }

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
        let settings = plan.settings
        let inbox = SessionInbox(limit: settings.ibkr.tickBuffer)
        let clock = gateway.clock
        let session = Session(
            settings: TWSProtocol.SessionSettings(settings.ibkr),
            connector: plan.connector ?? gateway
        ) {
            inbox.put($0.map { .input(.gateway($0)) }, at: clock.timeOfDay)
        }
        let journal = try SessionJournal(
            folder: folder, newInstance: 17,
            SessionJournal.Retention(days: settings.system.journalDays, isBeside: false))
        let parts = SessionDriver.Plan(
            settings: settings, symbols: symbols,
            barSize: settings.trading.barSize ?? .minutes(1), account: Self.account,
            journal: journal, record: plan.record(DiskRecord(journal, disk)),
            program: plan.program, rotates: plan.rotates,
            contracts: ContractFile(folder + "/contracts"),
            meter: CallMeter(clock: plan.callClock ?? { _ in clock.now }),
            log: plan.log, results: plan.results, hangMark: HangMark(folder: folder))
        let driver = try SessionDriver(parts, outlet: session, observer: plan.observer)
        session.start()
        running = Running(driver: driver, session: session, inbox: inbox, journal: journal)
    }

    /// Gives it an instruction of its user, and does everything that follows at once.
    ///
    /// - Throws: why the program ends by itself; it is not killed yet.
    func instruct(_ action: OperatorRequest.Action) throws(RunFailure) {
        try settle(behind: .zero, with: [.request(OperatorRequest(action))])
    }

    // MARK: Time

    var now: Timestamp { gateway.clock.timeOfDay }

    /// Lets time pass in steps, with everything done that follows at each.
    ///
    /// - Parameters:
    ///   - step: the gateway's where nothing else is said; what comes between two is taken in at the second.
    ///   - look: called behind each.
    /// - Throws: why the program ends by itself; it is not killed yet, and no more time passes.
    func pass(
        _ time: Duration, inStepsOf step: Duration = Gateway.step, _ look: () -> Void = {}
    ) throws(RunFailure) {
        let end = gateway.clock.now + time
        while gateway.clock.now < end {
            gateway.clock.advance(by: min(step, end - gateway.clock.now))
            try settle(behind: step)
            look()
        }
    }

    /// Lets time pass in which the program, if one runs, takes nothing in: what comes waits.
    func stall(_ time: Duration) { gateway.clock.advance(by: time) }

    /// Takes in what came, and what that leads to at the same time.
    ///
    /// - Parameter step: how long nothing was looked at; what came in it has not waited.
    private func settle(
        behind step: Duration, with given: [LiveSession.Input] = []
    ) throws(RunFailure) {
        var given = given
        for _ in 0..<100 {
            guard let running else { return _ = gateway.clock.run() }
            let batch = running.inbox.take()
            var inputs = given
            given.removeAll()
            for case .input(let input) in batch.items { inputs.append(input) }
            running.driver.note(
                age: batch.oldest.map { max(.zero, now - ($0 + step)) } ?? .zero,
                shed: batch.shed, at: now)
            try running.driver.take(inputs, at: now)
            running.driver.commit(at: now)
            running.driver.writeLog(at: now)
            let hasRun = gateway.clock.run()
            if inputs.isEmpty, !hasRun { return }
        }
    }
}
