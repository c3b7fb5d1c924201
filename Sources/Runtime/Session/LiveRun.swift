import Accounting
import Configuration
import Dispatch
import Glibc
import GatewaySimulator
import MarketState
import Model
import Orders
import Primitives
import Signals
import TWSClient
import TWSProtocol
import TWSVenue
import TradingEngine

/// A live session on this machine: the gateway's connection on one thread, the engine and the journal on another.
final class LiveRun {
    /// What a run is made of.
    struct Plan {
        /// The configuration.
        let settings: Settings
        /// The symbols that are traded.
        let symbols: [String]
        /// How long a bar lasts.
        let barSize: Duration
        /// The gateway's name or address and port.
        let host: String
        let port: Int
        /// The account that orders are for; `nil` for the only one of the login.
        let account: String?
        /// The journal.
        let journal: SessionJournal
        /// The digest of the program.
        let program: UInt64
        /// The clock of the session.
        let clock: SessionClock
        /// When the session ends by itself, in session time; `nil` for when it is stopped.
        var end: Timestamp?
    }

    /// A step of the way from the start to trading.
    enum Step: Hashable, Sendable {
        /// The gateway is being connected to.
        case connecting
        /// Contracts are being looked up.
        case qualifying(missing: Int)
        /// The broker's orders, executions and positions are being read.
        case synchronising
        /// Past bars are being read.
        case warmingUp
        /// Strategies decide.
        case trading
    }

    /// How a session stands.
    struct Status: Sendable {
        /// Session time.
        var now: Timestamp
        /// The step that it is at.
        var step: Step
        /// The state of the link.
        var link: BrokerLinkState
        /// Executions booked so far.
        var fillCount = 0
        /// Orders sent so far.
        var orderCount = 0
        /// Equity, in account currency.
        var equity: Money
    }

    private let plan: Plan
    private let inbox = SessionInbox()
    private let session: Session
    private let machine: any SessionLoop
    private var qualification: ContractQualification
    private var heldBack: [LiveSession.Input] = []
    private var accounts: [AccountID] = []
    private var lastFault: SessionFault?
    private var live: LiveSession?
    private(set) var fillCount = 0
    private(set) var orderCount = 0
    /// How often the connection broke and was synchronised once more.
    private(set) var reconnectionCount = 0
    private var connectionCount = 0
    /// What was recovered from an earlier session, in a sentence; `nil` for a new journal.
    private(set) var recovery: String?

    init(_ plan: Plan) {
        self.plan = plan
        qualification = ContractQualification(plan.symbols)
        let connector = NIOConnector(host: plan.host, port: plan.port)
        machine = connector.loop
        var settings = TWSProtocol.SessionSettings(
            clientID: ClientID(rawValue: Int32(clamping: plan.settings.ibkr.clientID)))
        settings.placesOrders = true
        settings.slow(by: plan.clock.speed)
        let inbox = inbox
        session = Session(
            settings: settings,
            connector: SessionTimeConnector(base: connector, clock: plan.clock)
        ) { events in
            inbox.put(events.map { .input(.gateway($0)) })
        }
    }

    /// A handle with which other threads end the run.
    var stopper: @Sendable () -> Void {
        let inbox = inbox
        return { inbox.put([.stop]) }
    }

    /// Runs until the session is stopped, or its time is over.
    ///
    /// - Parameter report: called a few times a second with how the session stands.
    func run(report: (Status) -> Void) throws(RunFailure) {
        session.start()
        defer { session.stop() }
        var nextReport = Timestamp.distantPast
        let begun = machine.now
        while true {
            let items = inbox.take(timeout: timeout)
            let now = plan.clock.time(at: machine.now)
            var inputs: [LiveSession.Input] = []
            var isStopped = false
            for item in items {
                switch item {
                case .input(let input): inputs.append(input)
                case .stop: isStopped = true
                }
            }
            try take(inputs, at: now)
            // At most the wait for input behind what came: see `timeout`.
            try plan.journal.commit()
            if machine.now >= nextReport {
                nextReport = machine.now + .milliseconds(250)
                report(status(at: now))
            }
            if isStopped { return }
            if let end = plan.end, now >= end { return }
            try checkBeginning(since: begun)
        }
    }

    /// The ledger at the end: cash, and each position that is not flat.
    func withEngine<Result>(_ body: (borrowing Engine) -> Result) -> Result? {
        live?.withEngine(body)
    }

    // MARK: Steps

    private var timeout: DispatchTimeInterval {
        let longest = Duration.milliseconds(100)
        guard let wake = live?.wake else { return .milliseconds(100) }
        let until = plan.clock.machineTime(of: wake, now: machine.now) - machine.now
        let remaining = max(min(until, longest), .zero)
        return .nanoseconds(Int(remaining.nanoseconds))
    }

    private func take(_ inputs: [LiveSession.Input], at now: Timestamp) throws(RunFailure) {
        if let live { return try live.take(inputs, at: now) }
        heldBack += inputs
        for input in inputs {
            guard case .gateway(let event) = input else { continue }
            try prepare(event)
        }
        guard !accounts.isEmpty, qualification.missing.isEmpty else { return }
        let live = try makeLive(at: now)
        self.live = live
        let held = heldBack
        heldBack.removeAll()
        try live.take(held, at: now)
    }

    private func prepare(_ event: SessionEvent) throws(RunFailure) {
        switch event {
        case .message(.managedAccounts(let message), _): accounts = message.accountsList
        case .resubscribe(.ofNewConnection):
            for question in qualification.questions() {
                do throws(SendRefusal) { try session.send(question) } catch { continue }
            }
        case .disconnected(let fault, let wait):
            lastFault = fault
            if wait == nil { throw .gateway("\(fault)") }
        default: break
        }
        if let request = qualification.take(event) { session.finished(request) }
    }

    /// The gateway has to be there at the start: waiting without a word would look like trading.
    private func checkBeginning(since begun: Timestamp) throws(RunFailure) {
        guard live == nil, machine.now - begun > .seconds(60) else { return }
        if let lastFault { throw .gateway("\(lastFault)") }
        throw .gateway(
            "The gateway at \(plan.host):\(plan.port) did not answer for "
                + qualification.missing.joined(separator: ", ") + ".")
    }

    private func makeLive(at now: Timestamp) throws(RunFailure) -> LiveSession {
        let account = try chosenAccount()
        let (qualified, problems) = qualification.outcome
        guard problems.isEmpty else {
            throw .gateway(
                "These symbols cannot be traded:\n"
                    + problems.map { "  \($0.symbol): \($0.words)" }.joined(separator: "\n"))
        }
        let instruments = qualified.enumerated().map { index, one in
            var instrument = Instrument(id: InstrumentID(index: index), symbol: one.symbol)
            instrument.tickSize = one.tickSize
            return instrument
        }
        let settings = plan.settings
        let instances = try BacktestPlan.instances(settings.strategies, instruments)
        let calendar = settings.backtest.calendar
        let rules = settings.execution.rules(calendar, isDaily: false)
        var setup = BacktestPlan.engineSetup(settings, instruments, instances, rules)
        setup.decisions = .all
        let contracts = zip(instruments, qualified).map { TradedContract($0.id, $1.contract) }
        let names = zip(settings.active, instances).map { chosen, _ in
            ConfiguredStrategy(name: chosen.name, digest: chosen.digest)
        }
        let client = ClientID(rawValue: Int32(clamping: settings.ibkr.clientID))
        let start = try SessionStart(
            SessionSetup(setup, strategies: names), plan.journal,
            SessionOpening(
                day: calendar.day(of: now), program: plan.program,
                configuration: SessionStart.digest(of: settings.text),
                strategies: plan.program),
            client: BrokerClientID(number: client.rawValue), at: now)
        var bars = SessionBars(
            SessionBars.Plan(
                instruments: instruments.map(\.id), barSize: plan.barSize,
                warmupBars: instances.map(\.strategy.warmupBars).max() ?? 0, calendar: calendar,
                outsideRTH: false), MarketDataFeed(contracts))
        bars.resume(isWarmedUp: start.past.isWarmedUp, newestBars: start.past.newestBars)
        var venueSetup = GatewayVenue.Setup(
            account: account, client: client, contracts: contracts)
        venueSetup.names = start.past.names
        var venue = GatewayVenue(venueSetup)
        venue.resume(behind: start.past.epoch)
        recovery = start.past.recovery
        let parts = LiveSession.Parts(
            engine: start.engine, timers: start.timers, venue: venue, bars: bars)
        return LiveSession(parts, outlet: session, record: plan.journal) { [unowned self] in
            follow($0)
        }
    }

    private func chosenAccount() throws(RunFailure) -> AccountID {
        guard let configured = plan.account else {
            guard accounts.count == 1 else {
                throw .gateway(
                    "The login has \(accounts.count) accounts: set ibkr.account_id to the one that is "
                        + "traded.")
            }
            return accounts[0]
        }
        guard let account = accounts.first(where: { $0.name == configured }) else {
            let seen = accounts.map(\.redacted).joined(separator: ", ")
            throw .gateway(
                "The account \(AccountID(configured).redacted) of ibkr.account_id is not among those of "
                    + "the login: \(seen).")
        }
        return account
    }

    // MARK: Following

    private func follow(_ batch: RecordBatch) {
        for event in batch.events {
            switch event.kind {
            case .brokerOrder(let report): if case .executed = report.fact { fillCount += 1 }
            case .link(let report):
                if report.state == .handshake { connectionCount += 1 }
                if report.state == .ready { reconnectionCount = connectionCount - 1 }
            default: break
            }
        }
        for command in batch.commands {
            if case .submit = command.command { orderCount += 1 }
        }
    }

    private func status(at now: Timestamp) -> Status {
        guard let live else {
            let step: Step =
                accounts.isEmpty
                ? .connecting : .qualifying(missing: qualification.missing.count)
            return Status(
                now: now, step: step, link: .down, equity: plan.settings.account.startingCapital)
        }
        let step: Step =
            switch (live.link, live.dataPhase) {
            case (.down, _), (.handshake, _): .connecting
            case (.sync, _): .synchronising
            case (_, .live): .trading
            case (_, .reading), (_, .waiting): .warmingUp
            }
        return Status(
            now: now, step: step, link: live.link, fillCount: fillCount, orderCount: orderCount,
            equity: live.withEngine { $0.portfolio.equity.rounded() })
    }
}

extension TWSProtocol.SessionSettings {
    /// Gives answers more session time where that runs fast: what a message takes on this machine does not shrink.
    ///
    /// - Parameter speed: seconds of session time in a second.
    fileprivate mutating func slow(by speed: Double) {
        let factor = max(1, Int64(speed / 20))
        func slow(_ limit: inout Duration) {
            limit = Duration(nanoseconds: limit.nanoseconds * factor)
        }
        slow(&beginningLimit)
        slow(&answerLimit)
        slow(&silence.probe)
        slow(&silence.alarm)
        slow(&silence.tearDown)
        slow(&silence.stale)
    }
}
