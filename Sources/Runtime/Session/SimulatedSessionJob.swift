import Accounting
package import Configuration
import GatewaySimulator
import Glibc
import Model
package import Primitives
import TWSProtocol
import TradingEngine

/// `martlet run --mode sim`: a simulated gateway in this process, and the live session of a configuration on its real
/// socket.
package struct SimulatedSessionJob: Sendable {
    /// What the command line says, besides the configuration.
    package struct Options: Sendable {
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
        /// The clock of the simulated gateway that runs already, at `ibkr.host` and `ibkr.port`; `nil` for one of this
        /// process.
        package var gatewayTime: Timestamp?

        /// False to end a program that hangs, and not to start it again.
        package var restartsWhenHung = true

        /// Commands to the gateway before the session begins, each a line of JSON.
        package var commands: [String] = []

        /// True to name the control socket at the start.
        package var isAnnounced = false

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
        /// True if the ledger was compared with the gateway's own.
        package let isCompared: Bool
        /// The journal's folder.
        package let journal: String
        /// The bytes of this session's journal.
        package let journalBytes: Int64
        /// What was recovered from an earlier session, in a sentence; `nil` for a new journal.
        package let recovery: String?
        /// How the session stands at its end.
        package let snapshot: SessionSnapshot
        /// The configured symbols that were not traded, and why.
        package let untraded: [(symbol: String, words: String)]
    }

    private let settings: Settings
    private let options: Options
    private let symbols: [String]
    private let gateway: GatewayRunJob

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
        var cash = settings.account.startingCapital.units / 1_000_000
        cash = min(max(cash, 0), 1_000_000_000)
        let accountType = settings.account.type == .cash ? "cash" : "margin"
        gateway = try GatewayRunJob(
            GatewayRunJob.Options(
                host: "127.0.0.1", port: 0, maxServerVersion: nil,
                market: options.data == nil ? "synthetic" : "replay", data: options.data,
                seed: options.seed, speed: options.speed, start: options.start,
                scenario: options.scenario, control: nil, state: nil, accounts: Self.account,
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
        let killFile = KillFile(folder: folder)
        follow(
            .kill({
                do throws(RunFailure) {
                    try killFile.set("signal SIGUSR1 to process \(getpid())")
                } catch {
                    complain("critical: the session is not killed by the signal. \(error)")
                }
            }))
        if let words = killFile.words {
            complain(
                "warning: the session is killed (\(words)): it opens nothing until you lift that with "
                    + "martlet ctl resume killed --journal \(folder)")
        }
        let isEmbedded = options.gatewayTime == nil
        let running = try isEmbedded ? gateway.start(complain: complain) : nil
        for command in options.commands {
            guard let answer = running?.control(command), !answer.hasPrefix("{\"error\"") else {
                throw .defect("the simulated gateway does not take \(command)")
            }
        }
        let start = options.gatewayTime ?? gateway.start
        let journal = try SessionJournal(
            folder: folder, newInstance: Int32.random(in: 1...Int32.max),
            SessionJournal.Retention(days: settings.system.journalDays), complain: complain)
        let latch = StartLatch(folder: folder)
        try latch.begin()
        // An error is an orderly end, too: a gateway that is not there sets no latch.
        defer { latch.end() }
        let live = try LiveRun(
            SessionDriver.Plan(
                settings: settings, symbols: symbols,
                barSize: settings.trading.barSize ?? .minutes(1),
                account: running == nil ? settings.ibkr.accountID : Self.account,
                journal: journal, program: try SessionStart.programDigest(),
                contracts: ContractFile(folder + "/contracts"), hangMark: HangMark(folder: folder)),
            host: running == nil ? settings.ibkr.host : "127.0.0.1",
            port: running?.port ?? settings.ibkr.port,
            clock: SessionClock(start: start, speed: options.speed),
            end: options.duration.map { start + $0 })
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
        try live.run(complain: complain) { during(Progress($0)) }
        let gatewayLedger = running?.control("{\"do\":\"ledger\"}")
        let snapshot = SessionSnapshot(of: live.driver, symbols: symbols, at: live.now)
        let outcome = try outcome(
            of: live.driver, gatewayLedger, folder, journal.byteCount, snapshot)
        try running?.stop()
        return outcome
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
        guard let ledger else {
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
            untraded: live.untraded.map { ($0.symbol, $0.words) })
    }
}

extension SimulatedSessionJob.Progress {
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
