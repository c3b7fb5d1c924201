import Accounting
import Configuration
import MarketState
import Model
import Primitives
import Signals
import TWSClient
import TWSProtocol
import TWSVenue
import TradingEngine

/// A live session from its first message on, without threads, sockets and clocks: contracts are looked up, the state of
/// an earlier session is recovered, and then everything goes to the live loop.
final class SessionDriver {
    /// What a session is made of.
    struct Plan {
        /// The configuration.
        let settings: Settings
        /// The symbols that are traded.
        let symbols: [String]
        /// How long a bar lasts.
        let barSize: Duration
        /// The account that orders are for; `nil` for the only one of the login.
        let account: String?
        /// The journal.
        let journal: SessionJournal
        /// What is written to in its place; `nil` for itself.
        var record: (any SessionRecord)?
        /// The digest of the program.
        let program: UInt64
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
    private let outlet: any MessageOutlet
    private let observer: (RecordBatch) -> Void
    private var qualification: ContractQualification
    private var heldBack: [LiveSession.Input] = []
    private var accounts: [AccountID] = []
    private var live: LiveSession?
    /// The newest reason for which a connection ended.
    private(set) var lastFault: SessionFault?
    private(set) var fillCount = 0
    private(set) var orderCount = 0
    /// How often the connection broke and was synchronised once more.
    private(set) var reconnectionCount = 0
    private var connectionCount = 0
    private var alarms: [SessionAlarm] = []
    private var hasBeenReady = false
    /// What was recovered from an earlier session, in a sentence; `nil` for a new journal.
    private(set) var recovery: String?

    /// A session before its first message.
    ///
    /// - Parameters:
    ///   - outlet: the gateway's connection.
    ///   - observer: receives every batch once it is in the journal.
    init(
        _ plan: Plan, outlet: any MessageOutlet,
        observer: @escaping (RecordBatch) -> Void = { _ in }
    ) throws(RunFailure) {
        self.plan = plan
        self.outlet = outlet
        self.observer = observer
        // What is no longer configured may be held still, and have orders at the broker.
        let former = try plan.journal.symbols().filter { !plan.symbols.contains($0) }
        qualification = ContractQualification(plan.symbols + former)
    }

    // MARK: Asking

    /// True once the engine takes in what comes.
    var hasBegun: Bool { live != nil }

    /// The symbols whose contracts are still looked up.
    var missingSymbols: [String] { qualification.missing }

    /// When `take` has to be called at the latest; `nil` while only input is waited for.
    var wake: Timestamp? { live?.wake }

    /// Calls `body` with the engine; `nil` before there is one.
    func withEngine<Result>(_ body: (borrowing Engine) -> Result) -> Result? {
        live?.withEngine(body)
    }

    // MARK: Taking in

    /// Takes in what came since the last call, and the time.
    func take(_ inputs: [LiveSession.Input], at now: Timestamp) throws(RunFailure) {
        if let live {
            live.take(inputs, at: now)
            return try checkAccount(live)
        }
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
        live.take(held, at: now)
    }

    /// Makes durable what is not yet.
    func commit(at now: Timestamp) { live?.commit(at: now) }

    /// Takes in how long the loop's newest turn took, by this machine's clock.
    func note(turn: Duration, at now: Timestamp) { live?.note(turn: turn, at: now) }

    /// Makes everything durable at the end.
    func finish() throws(RunFailure) {
        guard let failure = live?.finish() else { return }
        throw .file(
            "\(failure) What happened since then is not in it: the next start reads it from the broker."
        )
    }

    private func prepare(_ event: SessionEvent) throws(RunFailure) {
        switch event {
        case .message(.managedAccounts(let message), _): accounts = message.accountsList
        case .resubscribe(.ofNewConnection):
            for question in qualification.questions() {
                do throws(SendRefusal) { try outlet.send(question) } catch { continue }
            }
        case .disconnected(let fault, let wait):
            lastFault = fault
            if wait == nil { throw .gateway("\(fault)") }
        default: break
        }
        if let request = qualification.take(event) { outlet.finished(request) }
    }

    /// The account has to be what the configuration says before a strategy sees a bar.
    private func checkAccount(_ live: LiveSession) throws(RunFailure) {
        guard !live.admitsBars, live.accountFacts.areComplete else { return }
        let (facts, expected) = (live.accountFacts, plan.settings.account)
        if let currency = facts.currency, currency != expected.currency.rawValue {
            throw .notPermitted(
                "The account is kept in \(currency), and account.currency is "
                    + "\(expected.currency.rawValue).")
        }
        if let kind = facts.kind, (kind == .cash) != (expected.type == .cash) {
            throw .notPermitted(
                "The account is a \(kind) account, and account.type is \(expected.type.rawValue): "
                    + "correct the configuration.")
        }
        live.admitsBars = true
    }

    private func makeLive(at now: Timestamp) throws(RunFailure) -> LiveSession {
        let account = try chosenAccount()
        let qualified = try qualifiedContracts()
        var instruments: [Instrument] = []
        for one in qualified where plan.symbols.contains(one.symbol) {
            var instrument = Instrument(
                id: InstrumentID(index: instruments.count), symbol: one.symbol)
            instrument.tickSize = one.tickSize
            instruments.append(instrument)
        }
        let settings = plan.settings
        let calendar = settings.backtest.calendar
        let setup = try SessionStart.setup(settings, instruments)
        let client = ClientID(rawValue: Int32(clamping: settings.ibkr.clientID))
        let start = try SessionStart(
            setup, settings, plan.journal,
            SessionOpening(
                day: calendar.day(of: now), program: plan.program,
                configuration: SessionStart.digest(of: settings),
                strategies: plan.program),
            client: BrokerClientID(number: client.rawValue), at: now)
        let contracts = start.instruments.compactMap { instrument in
            qualified.first { $0.symbol == instrument.symbol }.map {
                TradedContract(instrument.id, $0.contract)
            }
        }
        let plannedBars = SessionBars.Plan(
            instruments: instruments.map(\.id), barSize: plan.barSize,
            warmupBars: setup.engine.strategies.map(\.strategy.warmupBars).max() ?? 0,
            calendar: calendar, outsideRTH: false)
        let feed = MarketDataFeed(contracts)
        var bars: any BarSource =
            SessionStart.isDaily(settings)
            ? DailyBars(plannedBars, feed, cutoff: setup.engine.execution.openingCutoff)
            : SessionBars(plannedBars, feed)
        bars.resume(behind: start.past.shown, instruments)
        var venueSetup = GatewayVenue.Setup(
            account: account, client: client, contracts: contracts)
        venueSetup.names = start.past.names
        var venue = GatewayVenue(venueSetup)
        venue.resume(behind: start.past.epoch)
        recovery = start.past.recovery
        var opening = RecordBatch()
        opening.decisions = start.decisions
        follow(opening)
        let parts = LiveSession.Parts(
            engine: start.engine, timers: start.timers, venue: venue, bars: bars)
        return LiveSession(parts, outlet: outlet, record: plan.record ?? plan.journal) {
            [unowned self] in
            follow($0)
        }
    }

    /// The contracts of all symbols; those that are no longer configured need none to be traded in.
    private func qualifiedContracts() throws(RunFailure) -> [ContractQualification.Qualified] {
        let (qualified, problems) = qualification.outcome
        let serious = problems.filter { plan.symbols.contains($0.symbol) }
        guard serious.isEmpty else {
            throw .gateway(
                "These symbols cannot be traded:\n"
                    + serious.map { "  \($0.symbol): \($0.words)" }.joined(separator: "\n"))
        }
        return qualified
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
        for decision in batch.decisions ?? [] {
            // Before the first connection there is none: that is no news.
            if case .linkChanged = decision.kind, !hasBeenReady { continue }
            guard let alarm = SessionAlarm(decision, symbols: plan.symbols) else { continue }
            alarms.append(alarm)
        }
        for event in batch.events {
            switch event.kind {
            case .brokerOrder(let report): if case .executed = report.fact { fillCount += 1 }
            case .link(let report):
                if report.state == .handshake { connectionCount += 1 }
                if report.state == .ready {
                    reconnectionCount = connectionCount - 1
                    hasBeenReady = true
                }
            default: break
            }
        }
        for command in batch.commands {
            if case .submit = command.command { orderCount += 1 }
        }
        observer(batch)
    }

    /// Takes the alarms since the last call.
    func takeAlarms() -> [SessionAlarm] {
        defer { alarms.removeAll() }
        return alarms
    }

    /// How the session stands.
    func status(at now: Timestamp) -> Status {
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
