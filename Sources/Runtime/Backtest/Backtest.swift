import Catalog
package import Model
package import Primitives
import Signals
import Simulation
import TradingEngine

/// One run of the engine over historical data against the simulated venue.
///
/// Three parts do what every run needs: the sequencer decides what comes next, the link how long it takes, the
/// recorder what is left of it. What happens at one timestamp is in `run`. One thread, no clock: the result
/// depends on the inputs alone.
package struct Backtest: ~Copyable {
    var engine: Engine
    var feed: MarketFeed
    var sequencer = Sequencer()
    var link: VenueLink
    var recorder: RunRecorder

    /// What the engine has answered.
    var output = EngineOutput()
    /// How many of its commands were performed.
    private(set) var performedCount = 0
    var now = Timestamp.distantPast
    /// Bars, quotes and trades that were delivered to strategies.
    var counts = RowCounts()
    /// The trading session in progress, and what comes at the bounds of sessions.
    var sessions: SessionPlan
    /// What companies do.
    var actions: ActionPlan
    let instruments: [Instrument]
    let capital: Money
    let equityRows: BacktestJob.EquityRows
    let hashesSessions: Bool
    /// What each session's engine is opened with; `nil` where one engine runs through.
    let reopening: SessionSetup?
    /// How many bars of each instrument strategies want to see before they act.
    let warmupBars: Int
    /// A second engine that must answer the same; `nil` where nobody asked for one.
    var verifier: RunVerifier?
    /// `EngineState.hash` at the end of each session, if the setup asks for them.
    package internal(set) var sessionHashes: [UInt64] = []

    /// How many rows there were.
    struct RowCounts: Sendable {
        /// Bars that strategies were shown.
        var bars = 0
        /// Quotes and trades.
        var ticks = 0
        /// Bars of the data that have ended, quotes and trades.
        var data = 0
    }

    /// A backtest before its first bar.
    ///
    /// - Parameter actions: what companies do meanwhile, in the order in which it takes effect.
    package init(
        _ setup: BacktestSetup, _ feed: consuming MarketFeed, actions: [TimedAction] = [],
        equityRows: BacktestJob.EquityRows = .session
    ) {
        engine = Engine(setup.engine)
        let rowCount = feed.bars.barCount + feed.ticks.count
        self.feed = feed
        link = VenueLink(
            to: SimulatedBroker(instruments: setup.engine.instruments, rules: setup.venue),
            setup.latencies, seed: setup.seed)
        recorder = RunRecorder(
            strategyCount: setup.engine.strategies.count, rowCount: rowCount)
        sessions = SessionPlan(setup)
        self.actions = ActionPlan(actions)
        instruments = setup.engine.instruments
        capital = setup.engine.capital
        self.equityRows = equityRows
        hashesSessions = setup.hashesSessions
        reopening = setup.reopensSessions ? SessionSetup(numbering: setup.engine) : nil
        warmupBars = setup.engine.strategies.map(\.strategy.warmupBars).max() ?? 0
    }

    /// Runs to the end of the data.
    ///
    /// At one timestamp come what venues answered and what bears on risk, market data that is complete, the
    /// end of its slice, timers, and then what begins there.
    ///
    /// - Parameters:
    ///   - history: bars before the first one traded on, for warm-up; in order of their ends.
    ///   - progress: called now and then with the number of rows done.
    /// - Throws: `BacktestError.ledgerDisagrees` when a session ends with a ledger that does not add up, and
    ///   `answersDiffer` when the verifier finds a difference.
    package mutating func run(
        history: [Bar] = [], progress: ((Int) -> Void)? = nil
    ) throws(BacktestError) {
        showHistory(history)
        // Held here: to ask the feed counts a reference each time.
        let rows = (bars: feed.bars.onlyRows, ticks: feed.ticks.onlyRows)
        var nextReport = Self.rowsPerReport
        while feed.next() {
            if !sequencer.isEmpty { drain(through: .venueAndRisk, at: feed.time) }
            now = feed.time
            switch feed.kind {
            case .bars: if feed.closeCount > 0 { closeBars() }
            case .longerBars: closeLongerBars()
            case .ticks: try publishTicks(rows.ticks)
            }
            if !sequencer.isEmpty { drain(through: .timer, at: now) }
            if feed.openCount > 0 { try openBars() }
            if feed.kind == .bars { try runBatches(of: rows.bars) }
            guard counts.data >= nextReport else { continue }
            nextReport += Self.rowsPerReport
            progress?(counts.data)
        }
        finish()
        try endSession()
        if verifier != nil { try requireSameState() }
    }

    static let rowsPerReport = 100_000

    // MARK: Events

    /// Handles what is due up to `time`, at `time` itself up to that class.
    mutating func drain(through eventClass: EventClass, at time: Timestamp) {
        while let entry = sequencer.pop(through: eventClass, at: time) { handle(entry) }
    }

    /// Handles what was on its way when the data ended. Timers beyond the data do not come.
    private mutating func finish() {
        while let entry = sequencer.pop(through: .timer, at: .distantFuture) {
            if case .event(.timer) = entry.due { continue }
            handle(entry)
        }
    }

    private mutating func handle(_ entry: Sequencer.Entry) {
        now = max(now, entry.order.at)
        switch entry.due {
        case .event(let kind): step(Event(at: now, kind: kind))
        case .arrival(let command): deliver(command)
        }
        settle()
    }

    /// Records the event if it is an order report, steps the engine, and submits what it wants done.
    mutating func step(_ event: Event) {
        if case .order(let report) = event.kind { recorder.record(report, at: event.at) }
        engine.step(event, into: &output)
        if verifier != nil { verify(event) }
        if performedCount < output.commands.count { performCommands() }
    }

    /// Hands the engine what the venue has answered by now, and the venue what follows from it, until nothing
    /// does.
    @inline(__always)
    mutating func settle() {
        if link.hasAnswers { settleAnswers() }
    }

    private mutating func settleAnswers() {
        while link.hasAnswers {
            let report = link.takeAnswer()
            let arrival = link.arrivalOfAnswer(givenAt: now)
            if arrival == now {
                step(Event(at: now, kind: .order(report)))
            } else {
                sequencer.push(.event(.order(report)), at: arrival)
            }
        }
        link.dropTakenAnswers()
    }

    // MARK: Commands

    /// Performs what the engine wants done, and settles what follows.
    @inline(__always)
    mutating func performAndSettle() {
        guard performedCount < output.commands.count else { return }
        performCommands()
        settle()
    }

    mutating func performCommands() {
        while performedCount < output.commands.count {
            perform(output.commands[performedCount])
            performedCount += 1
        }
        // Clearing costs as much as a command: it is not done after each.
        guard performedCount > Self.keptMax else { return }
        output.commands.clear()
        performedCount = 0
    }

    /// How many commands are kept that were performed.
    private static let keptMax = 1_000

    private mutating func perform(_ command: Command) {
        recorder.record(command, at: engine.now)
        switch command {
        case .setTimer(let id, let time):
            sequencer.removeTimer(id)
            sequencer.push(.event(.timer(id)), at: time)
        case .submit, .modify, .cancel:
            let arrival = link.arrivalOfCommand(sentAt: now)
            if arrival == now {
                deliver(command)
            } else {
                sequencer.push(.arrival(command), at: arrival)
            }
        case .probe, .query: break
        }
    }

    /// Hands the venue a command that has arrived.
    private mutating func deliver(_ command: Command) {
        let bar: Bar? =
            switch command {
            case .submit(let ticket), .modify(let ticket, _):
                feed.barInProgress(of: ticket.request.instrument)
            case .cancel, .setTimer, .probe, .query: nil
            }
        link.deliver(command, at: now, during: bar)
    }
}

/// Why a backtest could not be finished.
package enum BacktestError: Error, Hashable, Sendable {
    /// Cash, positions and profit did not explain equity at the end of a session: a defect of the program.
    case ledgerDisagrees(Day)
    /// The state at the end of a session could not be saved, or what was saved is another one: a defect of the
    /// program or of a strategy's `Codable`.
    case stateNotSaved(Day, String)
    /// A second engine answered otherwise: a defect of the program, or a strategy that depends on more than what it
    /// is shown.
    case answersDiffer(ReplayDifference)
}
