import Accounting
package import Configuration
import GatewaySimulator
import Glibc
import MarketState
import Model
package import Primitives
import TWSProtocol
import TradingEngine

/// `martlet run`: the live session of a configuration, on the real socket of a gateway: a simulated one in this process
/// or in another, or the broker's own.
package struct SessionJob: Sendable {
    /// The gateway that a session trades at.
    package enum Broker: Sendable {
        /// A simulated one in this process.
        case simulator
        /// A simulated one that runs already, at `ibkr.host` and `ibkr.port`; its clock stood at that time.
        case runningSimulator(Timestamp)
        /// TWS or IB Gateway at `ibkr.host` and `ibkr.port`, at this machine's time of day.
        case gateway
    }

    /// What the command line says, besides the configuration.
    package struct Options: Sendable {
        /// The gateway.
        package var broker = Broker.simulator
        /// The folder of the prices that are replayed; `nil` for a synthetic market.
        package var data: String?
        /// Everything random follows from it.
        package var seed: UInt64 = 1
        /// Seconds of session time in a second.
        package var speed = 1.0
        /// When session time begins; `nil` for the market's usual start.
        package var start: String?
        /// The length of the session, in session time; `nil` for until it is stopped.
        package var duration: Duration?
        /// Faults that the gateway plays, by name, joined by `+`.
        package var scenario: String?
        /// The journal's folder; `nil` for one under `results`.
        package var journal: String?

        /// False to end a program that hangs, and not to start it again.
        package var restartsWhenHung = true

        /// Commands to the gateway before the session begins, each a line of JSON.
        package var commands: [String] = []

        /// True to name the control socket at the start.
        package var isAnnounced = false

        /// How much of the session the terminal shows.
        package var console = SessionConsole.usual

        /// A synthetic market in real time.
        package init() {}
    }

    /// What other threads may do to a running session.
    package enum Handle {
        /// Ends it.
        case stop(@Sendable () -> Void)
        /// Kills it: nothing is opened any more. There from the beginning on.
        case kill(@Sendable () -> Void)
    }

    /// How a session has come along.
    package struct Progress: Sendable {
        /// Session time.
        package let now: Timestamp
        /// What it is at, in a few words.
        package let step: String
        /// The state of the link to the broker, and of the line to the gateway where that is silent: `READY`.
        package let link: String
        /// Orders sent.
        package let orders: Int
        /// Executions booked.
        package let fills: Int
        /// Equity, in account currency.
        package let equity: Money
    }

    /// What a session has come to.
    package struct Outcome: Sendable {
        /// Orders sent.
        package let orders: Int
        /// Executions booked.
        package let fills: Int
        /// How often the connection broke and came back.
        package let reconnections: Int
        /// Equity, in account currency.
        package let equity: Money
        /// Cash, in account currency.
        package let cash: Money
        /// The positions that are held, by symbol.
        package let positions: [(symbol: String, quantity: Quantity)]
        /// Where the ledger and the gateway's own differ; empty where they are equal.
        package let differences: [String]
        /// True if the ledger was compared with the gateway's own: that of a simulator of this process, or of mode dry.
        package let isCompared: Bool
        /// The journal's folder.
        package let journal: String
        /// The bytes of this session's journal.
        package let journalBytes: Int64
        /// What was recovered from an earlier session, in a sentence; `nil` for a new journal.
        package let recovery: String?
        /// How the session stands at its end.
        package let snapshot: SessionSnapshot
        /// The folder of what it leaves behind, laid out as a backtest's results; `nil` where it was not written.
        package fileprivate(set) var results: String?
        /// The configured symbols that were not traded, and why.
        package let untraded: [(symbol: String, words: String)]
        /// What the session leaves at the broker.
        package let end: SessionEndReport

        /// The status the process ends with, as far as the session itself is concerned.
        package var exitCode: ExitCode {
            if end.shortfall != nil { return .exitPolicy }
            return differences.isEmpty ? .success : .verification
        }
    }

    private let settings: Settings
    private let options: Options
    private let symbols: [String]
    /// The gateway of this process; `nil` where it is another's.
    private let simulator: GatewayRunJob?

    private static let account = "DU1234567"
    /// The fastest that a session runs: an answer needs a few milliseconds on any machine.
    private static let speedMax = 1_000.0

    /// A job that can be done.
    ///
    /// - Throws: when an option does not hold, as a sentence.
    package init(_ settings: Settings, _ options: Options) throws(RunFailure) {
        self.settings = settings
        self.options = options
        let symbols = settings.trading.symbols
        guard !symbols.isEmpty else {
            throw .usage(
                "trading.symbols names no symbol: a session needs to know what it trades, such as "
                    + "--set trading.symbols=[AAPL,MSFT].")
        }
        self.symbols = symbols
        guard options.speed > 0, options.speed <= Self.speedMax else {
            throw .usage(
                "--speed is \(options.speed): above 0 to \(Int(Self.speedMax)) are possible. An order is "
                    + "acknowledged within five seconds of session time, or asked about.")
        }
        simulator =
            switch options.broker {
            case .simulator: try Self.simulator(settings, options)
            case .runningSimulator, .gateway: nil
            }
    }

    /// Refuses a login whose accounts are of another mode: paper accounts begin with D, and no others do.
    package static func check(
        _ accounts: [String], fit mode: TradingMode
    ) throws(RunFailure) {
        for account in accounts where !mode.permits(account: account) {
            let (kind, expected) =
                switch mode {
                case .live: ("a paper account", "with money, that do not begin with D")
                case .sim, .paper, .dry:
                    ("no paper account", "for paper trading, that begin with D")
                }
            throw .notPermitted(
                "The gateway's login has the account \(AccountID(account).redacted), which is \(kind), and "
                    + "trading.mode: \(mode.rawValue) takes only accounts \(expected). Nothing was ordered: log in "
                    + "with the other account, or look at ibkr.port.")
        }
    }

    private static func simulator(
        _ settings: Settings, _ options: Options
    ) throws(RunFailure) -> GatewayRunJob {
        var cash = settings.account.startingCapital.units / 1_000_000
        cash = min(max(cash, 0), 1_000_000_000)
        let accountType = settings.account.type == .cash ? "cash" : "margin"
        return try GatewayRunJob(
            GatewayRunJob.Options(
                host: "127.0.0.1", port: 0, maxServerVersion: nil,
                market: options.data == nil ? "synthetic" : "replay", data: options.data,
                seed: options.seed, speed: options.speed, start: options.start,
                scenario: options.scenario, control: nil, state: nil, accounts: account,
                accountType: accountType, cash: Int(cash), masterClient: nil, pacing: "pace",
                lines: settings.ibkr.marketDataLines),
            following: settings)
    }

    /// Runs the session to its end.
    ///
    /// - Parameters:
    ///   - complain: receives what goes wrong at the gateway, and what the user should look at.
    ///   - follow: called with what other threads end and kill the session with.
    ///   - during: called a few times a second with how the session stands.
    package func run(
        complain: @escaping @Sendable (String) -> Void,
        follow: (Handle) -> Void,
        during: (Progress) -> Void
    ) throws(RunFailure) -> Outcome {
        let folder =
            options.journal
            ?? ResultsFolder.defaultPath(verb: "run", name: settings.active[0].name) + "/journal"
        let log = log(
            in: folder, account: simulator == nil ? settings.ibkr.accountID : Self.account, complain
        )
        defer { log.finish() }
        let complain: @Sendable (String) -> Void = { log.complain($0) }
        follow(killHandle(in: folder, complain))
        let running = try started(complain)
        let journal = try SessionJournal(
            folder: folder, newInstance: Int32.random(in: 1...Int32.max),
            SessionJournal.Retention(days: settings.system.journalDays), complain: complain)
        let sessions = SessionHistory(folder: folder)
        try sessions.check(mode: settings.trading.mode, isEmpty: journal.isEmpty)
        journal.durability = settings.system.journalDurability
        if journal.durability != .full {
            complain(
                "warning: system.journal_durability is \(journal.durability.rawValue): orders leave before the "
                    + "disk has them. That is for measurements.")
        }
        let latch = StartLatch(folder: folder)
        try latch.begin()
        // An error is no death: a gateway that is not there sets no latch.
        var isOrderly = false
        defer { if isOrderly { latch.end() } else { latch.takeBack() } }
        var plan = SessionDriver.Plan(
            settings: settings, symbols: symbols,
            barSize: settings.trading.barSize ?? .minutes(1),
            account: running == nil ? settings.ibkr.accountID : Self.account,
            journal: journal, program: try SessionStart.programDigest(),
            contracts: ContractFile(folder + "/contracts"), sessions: sessions,
            hangMark: HangMark(folder: folder))
        plan.log = log
        plan.results = SessionResults(journal: folder, settings, complain: complain)
        let dry = try dryBroker(in: folder, complain)
        let live = try LiveRun(
            plan, host: running == nil ? settings.ibkr.host : "127.0.0.1",
            port: running?.port ?? settings.ibkr.port, clock: clock, lasting: options.duration,
            orderingAt: dry)
        live.hung = HungProgram(
            HungProgram.Plan(
                limit: settings.system.hangLimit, folder: folder,
                arguments: restartArguments(folder)))
        follow(.stop(live.stopper))
        let socket = try live.openControl()
        let registry = SessionRegistry()
        registry.add(journal: folder)
        defer {
            registry.remove()
            live.closeControl()
        }
        if options.isAnnounced { complain("control socket: \(socket) (martlet ctl status)") }
        do throws(RunFailure) {
            try live.run(complain: complain) { during(Progress($0)) }
        } catch {
            _ = live.driver.writeResults()
            throw error
        }
        let gatewayLedger = running?.control("{\"do\":\"ledger\"}") ?? dry?.ledger
        let snapshot = SessionSnapshot(of: live.driver, symbols: symbols, at: live.now)
        var outcome = try outcome(
            of: live.driver, gatewayLedger, folder, journal.byteCount, snapshot)
        try sessions.end { $0.end(live.driver, snapshot, settings.backtest.calendar, at: live.now) }
        outcome.results = live.driver.writeResults()
        isOrderly = true
        try running?.stop()
        return outcome
    }

    /// Who takes the orders in mode dry; `nil` in the others.
    private func dryBroker(
        in folder: String, _ complain: @escaping @Sendable (String) -> Void
    ) throws(RunFailure) -> DryBroker? {
        guard settings.trading.mode == .dry else { return nil }
        return try DryBroker(DryBroker.Plan(settings, folder: folder, complain: complain))
    }

    /// Starts the gateway of this process, if there is one.
    private func started(
        _ complain: @escaping @Sendable (String) -> Void
    ) throws(RunFailure) -> GatewayRunJob.Running? {
        guard let running = try simulator?.start(complain: complain) else { return nil }
        for command in options.commands where running.control(command).hasPrefix("{\"error\"") {
            throw .defect("the simulated gateway does not take \(command)")
        }
        return running
    }

    /// The clock of the session; `nil` for the time of day.
    private var clock: SessionClock? {
        switch options.broker {
        case .simulator:
            simulator.map { SessionClock(start: $0.start, speed: options.speed) }
        case .runningSimulator(let start): SessionClock(start: start, speed: options.speed)
        case .gateway: nil
        }
    }

    /// What kills the session from other threads; with a word to the user where it is killed already.
    private func killHandle(
        in folder: String, _ complain: @escaping @Sendable (String) -> Void
    ) -> Handle {
        let killFile = KillFile(folder: folder)
        if let words = killFile.words {
            complain(
                "warning: the session is killed (\(words)): it opens nothing until you lift that with "
                    + "martlet ctl resume killed --account NUMBER --journal \(folder)")
        }
        return .kill({
            do throws(RunFailure) {
                try killFile.set("signal SIGUSR1 to process \(getpid())")
            } catch {
                complain("critical: the session is not killed by the signal. \(error)")
            }
        })
    }

    private func log(
        in folder: String, account: String?, _ complain: @escaping @Sendable (String) -> Void
    ) -> SessionLog {
        var plan = SessionLog.Plan(
            settings: settings.logging,
            folder: settings.logging.directory?.resolved ?? folder + "/logs",
            mask: LogMask(settings, account: account), complain: complain)
        plan.console = options.console
        return SessionLog(plan)
    }

    /// The command line that goes on with this session's journal; `nil` where there is none.
    private func restartArguments(_ folder: String) -> [String]? {
        // A configuration from standard input is read by now.
        guard options.restartsWhenHung, !CommandLine.arguments.contains("-") else { return nil }
        return CommandLine.arguments + (options.journal == nil ? ["--journal", folder] : [])
    }

    private func outcome(
        of live: SessionDriver, _ gatewayLedger: String?, _ journal: String, _ journalBytes: Int64,
        _ snapshot: SessionSnapshot
    ) throws(RunFailure) -> Outcome {
        let symbols = symbols
        let ledger = live.withEngine { engine in
            var positions: [(symbol: String, quantity: Quantity)] = []
            for (index, symbol) in symbols.enumerated() {
                let quantity = engine.portfolio.quantity(of: InstrumentID(index: index))
                if quantity != .zero { positions.append((symbol, quantity)) }
            }
            return (
                equity: engine.portfolio.equity.rounded(), cash: engine.portfolio.cash.rounded(),
                positions: positions
            )
        }
        guard let ledger, let end = live.endReport else {
            throw .gateway("The session ended before the gateway had answered.")
        }
        return Outcome(
            orders: live.orderCount, fills: live.fillCount,
            reconnections: live.reconnectionCount, equity: ledger.equity, cash: ledger.cash,
            positions: ledger.positions,
            differences: try gatewayLedger.map { text throws(RunFailure) in
                try LedgerComparison.differences(
                    of: ledger.positions, cash: ledger.cash, from: text)
            } ?? [], isCompared: gatewayLedger != nil, journal: journal, journalBytes: journalBytes,
            recovery: live.recovery, snapshot: snapshot,
            untraded: live.untraded.map { ($0.symbol, $0.words) }, end: end)
    }
}

extension SessionJob.Progress {
    fileprivate init(_ status: SessionDriver.Status) {
        now = status.now
        orders = status.orderCount
        fills = status.fillCount
        equity = status.equity
        link =
            status.line == .healthy ? status.link.name : "\(status.link.name), line \(status.line)"
        step = ([status.step.words] + status.missing).joined(separator: "; ")
    }
}

extension ListedSession {
    /// Notes how a session has ended.
    fileprivate mutating func end(
        _ driver: SessionDriver, _ snapshot: SessionSnapshot, _ calendar: SessionCalendar,
        at now: Timestamp
    ) {
        finished = now
        unknownOrders = snapshot.unknownOrders.count
        latched = snapshot.latched.count
        criticalAlarms = driver.criticalCount
        wholeDays = driver.firstReady.map { calendar.wholeSessions(from: $0, to: now) } ?? 0
    }
}

extension SessionCalendar {
    /// How many sessions lie in a span, from open to close.
    fileprivate func wholeSessions(from start: Timestamp, to end: Timestamp) -> Int {
        guard self != .always, start < end else { return 0 }
        return sessions(in: day(of: start)...day(of: end)).count {
            $0.open >= start && $0.close <= end
        }
    }
}
