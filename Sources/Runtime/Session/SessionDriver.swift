import Accounting
import Configuration
import Journal
import MarketState
import Model
import Orders
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
        /// False to keep to one file of the journal, for tests.
        var rotates = true
        /// What is known of contracts, beside the journal.
        var contracts = ContractFile(nil)
        /// How many times as long answers are waited for as at a session's usual speed.
        var patience: Int64 = 1
        /// What measures the strategies' calls.
        var meter = CallMeter()
        /// Keeps the session's account, once it is known; `nil` where nothing is kept.
        var sessions: SessionHistory?
        /// What people can read of the session; `nil` for none.
        var log: SessionLog?
        /// What writes down what the session leaves behind; `nil` for nothing.
        var results: SessionResults?
        /// The mark of a program that has hung, beside the journal; `nil` for none.
        var hangMark: HangMark?
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
        /// What the start waits for, in words; empty where nothing stays away.
        var missing: [String] = []
        /// The gateway's clock less the session's; `nil` before it was measured.
        var clockDifference: Duration?
        /// The condition of the line to the gateway, by its silence.
        var line = Watchdog.Health.healthy
    }

    /// A configured symbol that is not traded.
    struct Untraded: Sendable {
        let symbol: String
        /// Why.
        let words: String
    }

    private let plan: Plan
    private let outlet: any MessageOutlet
    private let observer: (RecordBatch) -> Void
    private var qualification: ContractQualification
    private var heldBack: [LiveSession.Input] = []
    private var accounts: [AccountID] = []
    /// The zone of the gateway's login; `nil` before it was named.
    private var gatewayZone: String?
    private var live: LiveSession?
    /// The newest reason for which a connection ended.
    private(set) var lastFault: SessionFault?
    private(set) var fillCount = 0
    private(set) var orderCount = 0
    /// How many messages the orders of the session day took.
    private(set) var efficiency = SessionEfficiency()
    /// How often the connection broke and was synchronised once more.
    private(set) var reconnectionCount = 0
    private var connectionCount = 0
    private var alarms: [SessionAlarm] = []
    /// How many critical alarms it gave.
    private(set) var criticalCount = 0
    /// When the link was ready for the first time; `nil` before.
    private(set) var firstReady: Timestamp?
    private var hasBeenReady: Bool { firstReady != nil }
    /// What was recovered from an earlier session, in a sentence; `nil` for a new journal.
    private(set) var recovery: String?
    /// The configured symbols that are not traded.
    private(set) var untraded: [Untraded] = []
    private var contracts: ContractFile
    /// True until it is in the journal that the program before this one has hung.
    private var clearsHangMark = false
    private let control: SessionControl
    /// How the session ends; `nil` while it is not to end.
    private var ending: SessionEnding?
    /// True while the ending gives its instructions: what follows from them is no alarm.
    private var isInstructing = false
    private var collector: LogCollector?

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
        contracts = plan.contracts
        control = SessionControl(folder: plan.journal.path)
        collector = plan.log.map { LogCollector($0, plan.settings) }
        qualification = ContractQualification(
            plan.symbols + former, currency: plan.settings.account.currency.rawValue,
            file: plan.contracts,
            expiry: plan.settings.ibkr.contractCache, patience: plan.patience)
    }

    // MARK: Asking

    /// True once the engine takes in what comes.
    var hasBegun: Bool { live != nil }

    /// The symbols whose contracts are still looked up.
    var missingSymbols: [String] { qualification.missing }

    /// How often the contracts were asked for.
    var askedCount: Int { qualification.askedCount }

    /// When `take` has to be called at the latest; `nil` while only input is waited for.
    var wake: Timestamp? { live?.wake }

    /// Calls `body` with the engine; `nil` before there is one.
    func withEngine<Result>(_ body: (borrowing Engine) -> Result) -> Result? {
        live?.withEngine(body)
    }

    // MARK: Taking in

    /// Takes in what came since the last call, and the time.
    func take(_ inputs: [LiveSession.Input], at now: Timestamp) throws(RunFailure) {
        let inputs = control.sort(inputs)
        for case .gateway(let event) in inputs { collector?.take(event, at: now) }
        if let live {
            try checkLogin(inputs)
            control.perform(on: live, at: now)
            live.take(inputs, at: now)
            if !control.isIdle { control.answer(live, status(at: now)) }
            keepHours(live)
            try endWithoutLink(inputs)
            try endByItself(live)
            return try checkAccount(live)
        }
        heldBack += inputs
        for input in inputs {
            guard case .gateway(let event) = input else { continue }
            try prepare(event, at: now)
        }
        send(qualification.followingQuestions(at: now))
        send(qualification.overdueQuestions(at: now))
        guard !accounts.isEmpty, qualification.missing.isEmpty else {
            return control.answerEarly(status(at: now))
        }
        let live = try makeLive(at: now)
        self.live = live
        let held = heldBack
        heldBack.removeAll()
        // Before a kill nothing is decided, not even about what came with the start.
        control.perform(on: live, at: now)
        live.take(held, at: now)
        control.answer(live, status(at: now))
    }

    /// Makes durable what is not yet.
    func commit(at now: Timestamp) {
        guard let live else { return }
        live.commit(at: now)
        plan.journal.noteWritten()
        guard live.isDurable else { return }
        plan.results?.scores.keep()
        guard clearsHangMark else { return }
        clearsHangMark = false
        plan.hangMark?.clear()
    }

    /// Hands the log what has happened since the last call, and has results written behind a close.
    func writeLog(at now: Timestamp) {
        if let results = plan.results { live?.withEngine { results.review($0, at: now) } }
        guard collector != nil else { return }
        guard let live else {
            collector?.flush()
            return
        }
        live.withEngine { collector?.flush(live.names, $0, at: now) }
    }

    /// Takes in what the program uses of the machine.
    func note(_ usage: ResourceReview.Usage) { live?.note(usage) }

    /// The strategies that had slow calls.
    var slowCalls: [(name: String, calls: CallMeter.SlowCalls)] {
        let names = plan.settings.active.map(\.name)
        return zip(names, plan.meter.slowCalls(of: names.count)).filter { $1.count > 0 }
            .map { (name: $0, calls: $1) }
    }

    /// Takes in how long the loop's newest turn took, by this machine's clock.
    func note(turn: Duration, at now: Timestamp) { live?.note(turn: turn, at: now) }

    /// Takes in that the program stood still for a while, before what came meanwhile is taken in.
    func stoodStill(for time: Duration) { live?.stoodStill(for: time) }

    /// Takes in how long what is taken in next has waited, and how many messages were left out of it.
    func note(age: Duration, shed: Int, at now: Timestamp) {
        live?.note(age: age, shed: shed, at: now)
    }

    // MARK: Ending

    /// How long the exit policy may take, by this machine's clock.
    var endLimit: Duration { plan.settings.system.endLimit }

    /// True once the session is to end.
    var isEnding: Bool { ending != nil }

    /// What the session leaves at the broker; `nil` before it is over.
    var endReport: SessionEndReport? { ending?.report }

    /// The session is to end, as its exit policy says.
    ///
    /// - Parameter deadline: when it ends whatever is open then, in session time.
    func end(by deadline: Timestamp) {
        guard ending == nil else { return }
        ending = SessionEnding(
            plan.settings.system.exitPolicy, deadline: deadline, plan.settings.backtest.calendar)
        control.sessionEnds()
    }

    /// True when the session that is to end may: its exit policy is carried out, or its deadline has passed. To be asked
    /// behind each turn.
    func mayEnd(at now: Timestamp) -> Bool {
        guard var ending else { return false }
        guard let live else { return true }
        if control.hasHaltedAtTheEnd { ending.userHalted() }
        isInstructing = true
        defer {
            isInstructing = false
            self.ending = ending
        }
        return ending.advance(live, at: now)
    }

    /// Makes everything durable at the end.
    func finish() throws(RunFailure) {
        guard let live, let failure = makeDurable(live) else { return }
        throw .file(
            "\(failure) What happened since then is not in it: the next start reads it from the broker."
        )
    }

    /// Makes everything durable.
    ///
    /// - Returns: why that failed; `nil` if it did not.
    private func makeDurable(_ live: LiveSession) -> JournalError? {
        if let failure = live.finish() { return failure }
        plan.journal.noteWritten()
        plan.results?.scores.keep()
        return nil
    }

    /// Writes what the session leaves behind, when everything is durable.
    ///
    /// - Returns: the folder; `nil` without any.
    func writeResults() -> String? {
        guard let results = plan.results else { return nil }
        return live?.withEngine { results.finish($0) } ?? nil
    }

    private func send(_ questions: [ClientMessage]) {
        for question in questions {
            // What cannot leave is asked for again.
            do throws(SendRefusal) { try outlet.send(question) } catch { continue }
        }
    }

    private func keepHours(_ live: LiveSession) {
        let hours = live.takeHours()
        let confirmed = live.takeConfirmedDay()
        guard !hours.isEmpty || confirmed != nil else { return }
        for (contract, one) in hours { contracts.keep(one, of: contract) }
        if let confirmed { contracts.confirmed = confirmed }
        contracts.write()
    }

    /// A connection that is not made anew ends the session, with the reason: a changed port is not followed.
    private func endWithoutLink(_ inputs: [LiveSession.Input]) throws(RunFailure) {
        for input in inputs {
            guard case .gateway(.disconnected(let fault, nil)) = input, fault != .closedByOwner
            else { continue }
            let failure = live.flatMap { makeDurable($0) }.map { " \($0)" } ?? ""
            throw .gateway("\(fault) Orders at the broker stay as they are.\(failure)")
        }
    }

    /// A journal of which it is not known what the disk has, and a program that uses too much, end the session.
    private func endByItself(_ live: LiveSession) throws(RunFailure) {
        if let failure = live.journalFailure, failure.endsSession { throw .file("\(failure)") }
        guard let words = live.reviews.end else { return }
        if let failure = makeDurable(live) { throw .file("\(words) \(failure)") }
        throw .resources(words)
    }

    private func prepare(_ event: SessionEvent, at now: Timestamp) throws(RunFailure) {
        switch event {
        case .agreed(let agreement, _):
            gatewayZone = GatewayClock(connectionTime: agreement.connectionTime).zone
        case .message(.managedAccounts(let message), _):
            accounts = message.accountsList
        case .resubscribe(.ofNewConnection): send(qualification.questions(at: now))
        case .disconnected(let fault, let wait):
            lastFault = fault
            if wait == nil { throw .gateway("\(fault)") }
        default: break
        }
        if let request = qualification.take(event, at: now) { outlet.finished(request) }
    }

    /// After another login the gateway may have other accounts: what it says then is no word about our orders, and nothing
    /// is taken in or sent.
    private func checkLogin(_ inputs: [LiveSession.Input]) throws(RunFailure) {
        for input in inputs {
            guard case .gateway(.message(.managedAccounts(let message), _)) = input else {
                continue
            }
            accounts = message.accountsList
            try SessionJob.check(accounts.map(\.name), fit: plan.settings.trading.mode)
            guard !accounts.contains(where: { $0.name == control.account }) else { continue }
            throw .notPermitted(
                "The gateway has another login: the account \(control.account.map { AccountID($0).redacted } ?? "") "
                    + "that this session trades is not among its accounts, \(redactedAccounts). Nothing was sent to "
                    + "them. Log in as before and start the session again: it goes on from its journal."
            )
        }
    }

    /// The login's accounts, for people.
    private var redactedAccounts: String { accounts.map(\.redacted).joined(separator: ", ") }

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
        let account = try tradedAccount()
        try plan.sessions?.begin(
            ListedSession(
                mode: plan.settings.trading.mode, account: account.name,
                version: SessionVersion(plan.settings, program: plan.program), begun: now))
        let known = try knownContracts()
        let settings = plan.settings
        let instruments = instruments(known)
        let calendar = settings.backtest.calendar
        let setup = try measuredSetup(instruments)
        let client = ClientID(rawValue: Int32(clamping: settings.ibkr.clientID))
        let opening = SessionOpening(
            day: calendar.day(of: now), program: plan.program,
            configuration: SessionStart.digest(of: settings), strategies: plan.program)
        let start = try SessionStart(
            setup, settings, plan.journal, opening,
            client: BrokerClientID(number: client.rawValue), at: now)
        let skipped = try skippedInstruments(instruments, start.engine)
        let bySymbol = known.mapValues(\.contract)
        let contracts = start.contracts(of: bySymbol)
        let rotation = SessionRotation(
            SessionRotation.Plan(
                configured: setup, settings: settings, journal: plan.journal, contracts: bySymbol),
            start.setup, opening)
        var barsPlan = SessionBars.Plan(
            instruments: instruments.map(\.id), barSize: plan.barSize,
            warmupBars: setup.engine.strategies.map(\.strategy.warmupBars).max() ?? 0,
            calendar: calendar, outsideRTH: false)
        barsPlan.skipped = Set(skipped)
        barsPlan.patience = plan.patience
        barsPlan.allowsPartialHistory = settings.trading.allowsPartialHistory
        let feed = MarketDataFeed(contracts)
        var bars: any BarSource =
            SessionStart.isDaily(settings)
            ? DailyBars(barsPlan, feed, cutoff: setup.engine.execution.openingCutoff)
            : SessionBars(barsPlan, feed)
        bars.resume(behind: start.past.shown, instruments)
        let venue = venue(
            GatewayVenue.Setup(account: account, client: client, contracts: contracts),
            behind: start.past)
        recovery = start.past.recovery
        beginLog(with: start, at: now)
        var reviews = try reviewParts(account, skipped)
        reviews.hours = HoursReview(
            barsPlan.traded.compactMap { instrument in
                known[plan.symbols[Int(instrument.index)]].map {
                    HoursReview.Contract(
                        instrument: instrument, contract: $0.contract, hours: $0.hours)
                }
            }, calendar, patience: plan.patience, confirmed: self.contracts.confirmed)
        let actions = try SessionActions(settings, start, calendar, at: now)
        let ticks = try ticks(barsPlan, setup.engine, start.engine)
        var parts = LiveSession.Parts(
            engine: start.engine, timers: start.timers, decisions: start.decisions, venue: venue,
            bars: bars, ticks: SessionTicks(ticks, TickStreams(contracts)),
            reviews: SessionReviews(reviews),
            links: LinkMonitor(calendar, maintenance: settings.execution.maintenance))
        parts.profit = ProfitFeed(account: account, contracts: contracts)
        parts.meter = plan.meter
        parts.outside = SessionOutside(actions, DailyCloses(contracts), calendar)
        parts.names = SessionNames(start.setup)
        return LiveSession(
            parts, outlet: outlet, record: plan.record ?? plan.journal,
            rotation: plan.rotates ? rotation : nil
        ) { [unowned self] in
            follow($0)
        }
    }

    /// Hands the log what it begins with. The day's profit counts from the journal's first file of the day.
    private func beginLog(with start: borrowing SessionStart, at now: Timestamp) {
        guard collector != nil else { return }
        let calendar = plan.settings.backtest.calendar
        let day = calendar.day(of: now)
        var (profit, time) = (start.engine.portfolio.profit.net, start.past.state.at)
        do throws(RunFailure) {
            if let opening = try plan.journal.dayOpening() { (profit, time) = opening }
        } catch {
            time = now
            plan.journal.complain(
                "warning: the log counts the day's profit from this start on. \(error)")
        }
        // A file that was begun in mid-session has not the whole day.
        let isLate = calendar.hasSession(on: day) && time >= calendar.open(on: day)
        collector?.begin(
            with: start.engine,
            from: LogCollector.DayBase(day: day, profit: profit, since: isLate ? time : nil))
    }

    private func venue(
        _ setup: GatewayVenue.Setup, behind past: SessionStart.Past
    ) -> GatewayVenue {
        var setup = setup
        setup.names = past.names
        setup.currency = plan.settings.account.currency.rawValue
        setup.usesAdaptive = plan.settings.execution.usesAdaptive
        setup.listLimit = setup.listLimit.times(plan.patience)
        var venue = GatewayVenue(setup)
        venue.resume(behind: past.epoch)
        return venue
    }

    /// The quotes and trades that are asked for.
    ///
    /// - Throws: when the login has too few market data lines for them.
    private func ticks(
        _ bars: SessionBars.Plan, _ setup: EngineSetup, _ engine: borrowing Engine
    ) throws(RunFailure) -> SessionTicks.Plan {
        var ticks = SessionTicks.Plan(bars, plan.settings.trading, setup.tickListeners())
        for instrument in bars.instruments where engine.latestQuote(of: instrument) != nil {
            ticks.known.insert(instrument)
        }
        let streams = SessionStart.isDaily(plan.settings) ? 0 : bars.traded.count
        let lines = plan.settings.ibkr.marketDataLines
        if let words = ticks.shortfall(lines: lines, barStreams: streams) { throw .usage(words) }
        return ticks
    }

    /// What the configuration names, with strategies whose calls are measured.
    private func measuredSetup(_ instruments: [Instrument]) throws(RunFailure) -> SessionSetup {
        var setup = try SessionStart.setup(plan.settings, instruments)
        setup.engine.measureStrategies(by: plan.meter)
        setup.engine.keepsNotes = plan.log != nil || plan.results != nil
        return setup
    }

    private func reviewParts(
        _ account: AccountID, _ skipped: [InstrumentID]
    ) throws(RunFailure) -> SessionReviews.Parts {
        var reviews = SessionReviews.Parts(account: account, patience: plan.patience)
        reviews.unknown = skipped
        reviews.limits = ResourceReview.Limits(memory: plan.settings.system.memoryLimit)
        reviews.hung = plan.hangMark?.read()
        clearsHangMark = reviews.hung != nil
        reviews.restart = try restartSchedule()
        return reviews
    }

    /// The configured instruments, with the contracts' tick sizes.
    private func instruments(
        _ known: [String: ContractQualification.Qualified]
    ) -> [Instrument] {
        plan.symbols.indices.map { index in
            var instrument = Instrument(
                id: InstrumentID(index: index), symbol: plan.symbols[index])
            if let one = known[plan.symbols[index]] { instrument.tickSize = one.tickSize }
            return instrument
        }
    }

    /// The contracts by symbol; for one that the gateway does not know any more, the one that it had.
    private func knownContracts() throws(RunFailure) -> [String: ContractQualification.Qualified] {
        let (qualified, problems) = qualification.outcome
        contracts = qualification.file
        contracts.write()
        var known: [String: ContractQualification.Qualified] = [:]
        for one in qualified { known[one.symbol] = one }
        for problem in problems { known[problem.symbol] = problem.former }
        untraded = problems.filter { plan.symbols.contains($0.symbol) }.map {
            Untraded(symbol: $0.symbol, words: $0.words)
        }
        // What an earlier session has traded may be held still: that is known once its journal was read.
        let former = try plan.journal.symbols()
        try refuse(untraded.filter { !former.contains($0.symbol) })
        return known
    }

    /// The instruments that are not traded: those that are held stay, and others only where the user allows it.
    private func skippedInstruments(
        _ instruments: [Instrument], _ engine: borrowing Engine
    ) throws(RunFailure) -> [InstrumentID] {
        var skipped: [InstrumentID] = []
        var unheld: [Untraded] = []
        for one in untraded {
            guard let instrument = instruments.first(where: { $0.symbol == one.symbol }) else {
                continue
            }
            skipped.append(instrument.id)
            let isHeld =
                engine.portfolio.quantity(of: instrument.id) != .zero
                || engine.orders.allLive.contains {
                    engine.orders.request(of: $0)?.instrument == instrument.id
                }
            if !isHeld { unheld.append(one) }
        }
        try refuse(unheld)
        if unheld.count == plan.symbols.count { throw refusal(of: unheld) }
        return skipped
    }

    private func refuse(_ symbols: [Untraded]) throws(RunFailure) {
        guard !symbols.isEmpty, !plan.settings.trading.allowsUnqualified else { return }
        throw refusal(of: symbols)
    }

    private func refusal(of symbols: [Untraded]) -> RunFailure {
        .usage(
            "These symbols cannot be traded:\n"
                + symbols.map { "  \($0.symbol): \($0.words)" }.joined(separator: "\n")
                + "\ntrading.allow_unqualified: true leaves them out.")
    }

    /// When the gateway restarts, in the zone that the user or the gateway names.
    private func restartSchedule() throws(RunFailure) -> RestartSchedule? {
        let settings = plan.settings.ibkr
        guard let zone = settings.restartZone ?? gatewayZone else { return nil }
        if let schedule = RestartSchedule(settings.restartTime, zone: zone) { return schedule }
        guard settings.restartZone != nil else { return nil }
        throw .usage(
            "ibkr.restart_zone is \(zone): this machine's zone database does not have it.")
    }

    private func tradedAccount() throws(RunFailure) -> AccountID {
        let account = try chosenAccount()
        control.account = account.name
        return account
    }

    private func chosenAccount() throws(RunFailure) -> AccountID {
        try SessionJob.check(accounts.map(\.name), fit: plan.settings.trading.mode)
        guard let configured = plan.account else {
            guard accounts.count == 1 else {
                throw .notPermitted(
                    "The login has \(accounts.count) accounts: set ibkr.account_id to the one that is "
                        + "traded.")
            }
            return accounts[0]
        }
        guard let account = accounts.first(where: { $0.name == configured }) else {
            throw .notPermitted(
                "The account \(AccountID(configured).redacted) of ibkr.account_id is not among those of "
                    + "the login: \(redactedAccounts).")
        }
        return account
    }

    // MARK: Following

    private func follow(_ batch: RecordBatch) {
        control.note(batch, live)
        for decision in batch.decisions ?? [] {
            let alarm = alarm(about: decision)
            if let alarm {
                alarms.append(alarm)
                if alarm.isCritical { criticalCount += 1 }
            }
            guard collector != nil, let live else { continue }
            let reason = live.withEngine { $0.reason(of: decision) }
            collector?.take(decision, alarm, live.names, reason: reason)
        }
        if let live { takeNotes(live, behind: batch) }
        for event in batch.events {
            switch event.kind {
            case .brokerOrder(let report): if case .executed = report.fact { fillCount += 1 }
            case .link(let report):
                if report.state == .handshake { connectionCount += 1 }
                if report.state == .ready {
                    reconnectionCount = connectionCount - 1
                    firstReady = firstReady ?? event.at
                }
            default: break
            }
        }
        for command in batch.commands {
            if case .submit = command.command { orderCount += 1 }
        }
        efficiency.take(batch, in: plan.settings.backtest.calendar)
        observer(batch)
    }

    /// Hands log and results what a batch was about, and what strategies have noted in it.
    private func takeNotes(_ live: LiveSession, behind batch: RecordBatch) {
        let notes = live.takeNotes()
        plan.results?.scores.add(notes, live.names)
        guard collector != nil else { return }
        live.withEngine { collector?.take(batch, live.names, $0) }
        collector?.take(notes, live.names)
    }

    /// What the user is notified of; `nil` for what is no news.
    private func alarm(about decision: Decision) -> SessionAlarm? {
        // Before the first connection there is none: that is no news.
        if case .linkChanged = decision.kind,
            !hasBeenReady || live?.reviews.isRestartTime(decision.at) == true
        {
            return nil
        }
        if isInstructing, case .halted(.operatorRequest) = decision.kind { return nil }
        return SessionAlarm(
            decision, symbols: plan.symbols, strategies: plan.settings.active.map(\.name))
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
            var status = Status(
                now: now, step: step, link: .down, equity: plan.settings.account.startingCapital)
            if !accounts.isEmpty, qualification.askedCount > 1 {
                status.missing = qualification.missing.map {
                    "contract of \($0) (asked \(qualification.askedCount) times)"
                }
            }
            return status
        }
        let step: Step =
            switch (live.link, live.dataPhase) {
            case (.down, _), (.handshake, _): .connecting
            case (.sync, _): .synchronising
            case _ where !live.admitsBars: .synchronising
            case (_, .live): .trading
            case (_, .reading), (_, .waiting): .warmingUp
            }
        return Status(
            now: now, step: step, link: live.link, fillCount: fillCount, orderCount: orderCount,
            equity: live.withEngine { $0.portfolio.equity.rounded() },
            missing: live.reviews.missingLists,
            clockDifference: live.reviews.clock.difference, line: live.line)
    }

    /// How old the newest data are, by symbol; empty before the live loop.
    func dataAges(at now: Timestamp) -> [(symbol: String, age: DataAge)] {
        guard let live else { return [] }
        return plan.symbols.enumerated().map { index, symbol in
            (symbol, live.dataAge(of: InstrumentID(index: index), at: now))
        }
    }
}
