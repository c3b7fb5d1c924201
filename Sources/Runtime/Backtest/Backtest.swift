import Accounting
package import Catalog
import MarketState
package import Model
import Orders
package import Primitives
package import Reporting
import Risk
package import Simulation
package import TradingEngine

/// One run of the engine over historical bars against the simulated venue.
///
/// Pops the earliest event, steps the engine, hands its commands to the venue and pushes what the venue
/// answers. One thread, no clock: the result depends on the inputs alone.
package struct Backtest: ~Copyable {
    var engine: Engine
    var venue: SimulatedVenue
    private var equity: [EquityPoint] = []
    var queue = EventQueue()
    var generator: SeededGenerator
    let latencies: Latencies
    private let calendar: SessionCalendar

    var feed: BarFeed
    private let actions: [TimedAction]
    /// How many of `actions` have taken effect, and when the next one does.
    private var actionCount = 0
    var nextAction = Timestamp.distantFuture
    var now = Timestamp.distantPast
    /// What the engine has answered.
    var output = EngineOutput()
    /// How many of them were carried out: clearing costs as much as a command, so it is not done after each.
    private var carriedOut = 0
    /// What the venue has answered and the engine has not heard yet; `heard` entries of it it has.
    var answers: [OrderReport] = []
    var heard = 0
    /// Whether the bars that begin now have begun.
    var hasOpened = false
    let delaysData: Bool
    private let answersAtOnce: Bool
    // When the newest message of each kind arrives. A connection keeps order: none overtakes another.
    var newestData = Timestamp.distantPast
    private var newestCommand = Timestamp.distantPast
    private var newestAnswer = Timestamp.distantPast
    var session: Day?
    var sessionEnd = Timestamp.distantFuture
    var barCount = 0
    /// Quotes and trades.
    var tickCount = 0
    private var firstInstant: Timestamp?
    /// What of the data is in no bar; see `run(longerBars:)`.
    var dropped = BarAggregator.Dropped()
    let instruments: [Instrument]
    private let capital: Money
    let equityRows: BacktestJob.EquityRows
    /// What is still to be paid in and out, the next last.
    var pendingFlows: [CashFlowSettings]
    /// Withdrawals that were not made, or not of money that was there.
    private(set) var withdrawalWarnings: [String] = []
    /// How many more scores there were than are kept.
    private(set) var droppedNoteCount = 0
    private let isCashAccount: Bool
    private let resume: ResumeSettings
    /// The session at whose end entries were found halted for good.
    private(set) var haltedOn: Day?
    private var cashFlows: [CashFlow] = []
    /// Sessions that ended with a position of each strategy; empty when there is only one.
    private var exposedSessions: [Int]

    /// What a backtest is made of, besides its data.
    package struct Setup: Sendable {
        /// Instruments, strategies, capital, limits.
        package var engine: EngineSetup
        /// How orders fill and what they cost.
        package var venue: VenueRules
        /// How long things travel.
        package var latencies: Latencies
        /// What chance depends on.
        package var seed: UInt64
        /// What is paid in and out on the way, in order of days.
        package var cashFlows: [CashFlowSettings] = []

        /// When entries that a limit has halted for good go on.
        package var resume = ResumeSettings.never

        /// A setup.
        package init(engine: EngineSetup, venue: VenueRules, latencies: Latencies, seed: UInt64) {
            self.engine = engine
            self.venue = venue
            self.latencies = latencies
            self.seed = seed
        }
    }

    /// A backtest before its first bar.
    ///
    /// - Parameter actions: what companies do meanwhile, in the order in which it takes effect.
    package init(
        _ setup: Setup, _ feed: consuming BarFeed, actions: [TimedAction] = [],
        equityRows: BacktestJob.EquityRows = .session
    ) {
        self.actions = actions
        nextAction = actions.first?.at ?? .distantFuture
        self.equityRows = equityRows
        self.feed = feed
        delaysData = setup.latencies.marketData != .fixed(.zero)
        answersAtOnce = setup.latencies.acknowledgement == .fixed(.zero)
        engine = Engine(setup.engine)
        pendingFlows = setup.cashFlows.reversed()
        let strategyCount = setup.engine.strategies.count
        exposedSessions = Array(repeating: 0, count: strategyCount > 1 ? strategyCount : 0)
        venue = SimulatedVenue(instruments: setup.engine.instruments, rules: setup.venue)
        generator = SeededGenerator(seed: setup.seed)
        latencies = setup.latencies
        calendar = setup.venue.calendar
        instruments = setup.engine.instruments
        capital = setup.engine.capital
        isCashAccount = setup.engine.settlement != nil
        resume = setup.resume
    }

    /// Runs to the end of the data.
    ///
    /// - Parameters:
    ///   - history: bars before the first one traded on, for warm-up; in order of their ends.
    ///   - progress: called now and then with the number of bars done.
    /// - Throws: `BacktestError.booksDisagree` when a session ends with books that do not add up.
    package mutating func run(
        history: [Bar] = [], progress: ((Int) -> Void)? = nil
    ) throws(BacktestError) {
        showHistory(history)
        let hasBatches = hasBatches
        let rows = feed.onlyRows
        var nextReport = Self.barsPerReport
        while feed.next() {
            hasOpened = false
            if !queue.isEmpty { drain(through: .venueAndRisk, at: feed.time) }
            now = feed.time
            if feed.closeCount > 0 { closeBars() }
            if !queue.isEmpty { drain(through: .timer, at: feed.time) }
            if feed.openCount > 0 { try openBars() }
            if hasBatches { try runBatches(of: rows) }
            guard barCount >= nextReport else { continue }
            nextReport += Self.barsPerReport
            progress?(barCount)
        }
        finish()
        try endSession()
    }

    /// What the run leaves behind for reports.
    ///
    /// - Parameters:
    ///   - names: the strategies', in their order.
    ///   - warnings: what the user should know besides.
    package func record(names: [String], warnings: [String]) -> RunRecord {
        let trades = TradeRecords(of: engine.orders)
        var record = RunRecord(
            instruments: instruments, strategies: names, reasons: engine.reasons,
            currency: instruments.first?.currency ?? "USD", startingCapital: capital,
            fills: trades.fills, orders: trades.orders, equity: equity,
            finalEquity: engine.portfolio.equity.rounded(),
            openPositions: openPositions(strategyCount: names.count),
            maxDrawdown: engine.portfolio.drawdown.deepest.map { fall in
                // Equity that only ever fell did so from the start.
                DrawdownRecord(
                    fraction: fall.fraction, from: max(fall.from, firstInstant ?? now), to: fall.to)
            },
            barCount: barCount, from: firstInstant ?? now, to: now,
            refusals: Refusal.allCases.compactMap { refusal in
                let count = engine.decisionCounts[refusal]
                return count > 0 ? RefusalCount(reason: refusal.reason, count: count) : nil
            },
            warnings: warnings + ownWarnings,
            stateHash: engine.stateHash)
        record.tickCount = tickCount
        record.revisions = trades.revisions
        record.cashFlows = cashFlows
        record.growth = engine.portfolio.timeWeightedReturn.growth(to: engine.portfolio.equity)
        record.actions = engine.portfolio.actions
        record.scores = output.notes.map(ScoreRecord.init)
        record.decisions = output.decisions
        record.strategyRecords = exposedSessions.enumerated().map { index, count in
            let owner = Attribution.strategy(StrategyID(index: index))
            return StrategyRecord(engine.portfolio.profit(of: owner), exposedSessions: count)
        }
        record.breaches = engine.monitor.breaches.map(BreachRecord.init)
        record.haltCauses = engine.gate.haltCauses.map(\.name.description)
        record.endedHalted = engine.gate.haltCauses.contains { !$0.endsWithDay }
        return record
    }

    private func openPositions(strategyCount: Int) -> [PositionRecord] {
        var positions: [PositionRecord] = []
        for index in 0..<strategyCount {
            for instrument in instruments {
                let strategy = StrategyID(index: index)
                let ledger = engine.portfolio.ledger(of: .strategy(strategy), in: instrument.id)
                guard let price = ledger.averagePrice(multiplier: instrument.multiplier) else {
                    continue
                }
                let mark = engine.portfolio.mark(of: instrument.id) ?? price
                let value = mark * ledger.quantity * instrument.multiplier
                positions.append(
                    PositionRecord(
                        strategy: strategy, instrument: instrument.id, quantity: ledger.quantity,
                        averagePrice: price, marketValue: value.rounded()))
            }
        }
        return positions
    }

    static let barsPerReport = 100_000

    // MARK: Market data

    mutating func showHistory(_ history: [Bar]) {
        guard !history.isEmpty else { return }
        for bar in history {
            if bar.start >= nextAction { takeActions(through: bar.start) }
            now = bar.end
            step(Event(at: now, kind: .history(bar)))
        }
        let coverage = HistoryCoverage(have: history.count, asked: history.count)
        step(Event(at: now, kind: .historyComplete(coverage)))
    }

    @inline(__always)
    private mutating func closeBars() {
        if venue.orderCount > 0 { closeBarsAtVenue() }
        barCount += feed.closeCount
        if delaysData { return delayBars() }
        if feed.closeCount == 1 {
            engine.step(Event(at: now, kind: .bar(feed.closedBar(0))), into: &output)
            engine.step(Event(at: now, kind: .sliceClosed), into: &output)
        } else {
            engine.run(
                feed.closedBars.span.extracting(..<feed.closeCount), at: now, into: &output)
        }
        carryOutAndSettle()
        if equityRows == .every, let session { noteEquity(session) }
    }

    mutating func closeBarsAtVenue() {
        for index in 0..<feed.closeCount {
            venue.barClosed(feed.closedBar(index), answers: &answers)
        }
        if venue.earliestEnd <= now { venue.passTime(to: now, answers: &answers) }
        if heard < answers.count { settle() }
    }

    private mutating func delayBars() {
        newestData = max(newestData, now + latencies.marketData.draw(&generator))
        for index in 0..<feed.closeCount {
            queue.push(.event(.bar(feed.closedBar(index))), at: newestData)
        }
        queue.push(.event(.sliceClosed), at: newestData)
    }

    @inline(__always)
    mutating func openBars() throws(BacktestError) {
        if now >= sessionEnd { try endSession() }
        if session == nil { beginSession() }
        if now >= nextAction { takeActions(through: now) }
        hasOpened = true
        if venue.orderCount > 0 { openBarsAtVenue() }
    }

    @inline(__always)
    private mutating func openBarsAtVenue() {
        if venue.earliestEnd <= now { venue.passTime(to: now, answers: &answers) }
        for index in 0..<feed.openCount {
            venue.barOpened(feed.openedBar(index), answers: &answers)
        }
        if heard < answers.count { settle() }
    }

    /// Tells the engine what companies did up to an instant.
    private mutating func takeActions(through time: Timestamp) {
        while actionCount < actions.count, actions[actionCount].at <= time {
            let action = actions[actionCount].action
            actionCount += 1
            switch action.kind {
            case .dividend: step(Event(at: max(now, engine.now), kind: .corporateAction(action)))
            case .split(let ratio): split(action, by: ratio)
            }
            settle()
        }
        nextAction = actionCount < actions.count ? actions[actionCount].at : .distantFuture
    }

    /// Splits shares at the venue and for the engine at once. What either said of old shares before arrives first,
    /// or is turned into new ones on its way: a split lies between two sessions.
    private mutating func split(_ action: CorporateAction, by ratio: SplitRatio) {
        let instrument = action.instrument
        settle()
        let told = queue.takeEvents { kind in
            switch kind {
            case .bar(let bar): bar.instrument == instrument
            case .quote(let quote): quote.instrument == instrument
            case .trade(let trade): trade.instrument == instrument
            case .order(let report): engine.orders.isOf(instrument, report.order)
            case .history, .historyComplete, .sliceClosed, .brokerOrder, .listing, .link,
                .accountValue, .sessionOpened, .opening, .openingComplete, .name,
                .corporateAction, .timer, .cashMovement, .signal, .shadowResult,
                .operatorRequest, .clock:
                false
            }
        }
        for kind in told { step(Event(at: max(now, engine.now), kind: kind)) }
        venue.split(instrument, by: ratio, answers: &answers)
        engine.step(
            Event(at: max(now, engine.now), kind: .corporateAction(action)), into: &output)
        queue.replaceCommands { command in
            engine.orders.isOf(instrument, command) ? engine.orders.current(command) : command
        }
        carryOutCommands()
    }

    mutating func beginSession() {
        firstInstant = firstInstant ?? now
        let day = calendar.day(of: now)
        session = day
        sessionEnd = calendar.dayEnd(of: day)
        resumeEntries(on: day)
        while let flow = pendingFlows.last, flow.day <= day {
            pendingFlows.removeLast()
            pay(flow.amount, on: day)
        }
    }

    /// Lets entries go on, where the run says so: what a person does in a session.
    private mutating func resumeEntries(on day: Day) {
        guard let haltedOn else { return }
        switch resume {
        case .never: return
        case .nextSession: break
        case .afterDays(let count): guard day >= haltedOn.advanced(by: count) else { return }
        }
        self.haltedOn = nil
        let time = max(now, engine.now)
        for cause in [HaltCause.drawdown, .marginCall] where engine.gate.isHalted(for: cause) {
            step(Event(at: time, kind: .operatorRequest(OperatorRequest(.resume(cause)))))
        }
    }

    /// Money comes or goes at the first instant of a session, before its prices are known. From a cash account
    /// no more goes than is settled; from a margin account what is not there is borrowed.
    private mutating func pay(_ amount: Money, on day: Day) {
        let time = max(now, engine.now)
        let there = max(
            isCashAccount ? engine.portfolio.spendableCash : engine.portfolio.cash, .zero)
        if amount < .zero, ExactMoney(amount) + there < .zero {
            let withdrawal = "\(Money(units: -amount.units)) on \(day)"
            guard !isCashAccount else {
                return withdrawalWarnings.append(
                    "withdrawal of \(withdrawal) not made: the settled cash was \(there.rounded())")
            }
            withdrawalWarnings.append(
                "withdrawal of \(withdrawal) was more than the cash of \(there.rounded()): the rest is owed"
            )
        }
        cashFlows.append(
            CashFlow(
                day: day, at: time, amount: amount, equityBefore: engine.portfolio.equity.rounded())
        )
        step(Event(at: time, kind: .cashMovement(CashMovement(.transfer, amount))))
    }

    mutating func endSession() throws(BacktestError) {
        guard let day = session else { return }
        guard engine.portfolio.identityHolds else { throw .booksDisagree(day) }
        if equityRows == .session { noteEquity(day) }
        for index in exposedSessions.indices where isExposed(StrategyID(index: index)) {
            exposedSessions[index] += 1
        }
        session = nil
        sessionEnd = .distantFuture
        if haltedOn == nil, engine.gate.haltCauses.contains(where: { !$0.endsWithDay }) {
            haltedOn = day
        }
        if output.notes.count > Self.notesMax {
            droppedNoteCount += output.notes.count - Self.notesMax
            output.notes.removeSubrange(Self.notesMax...)
        }
    }

    /// How many scores are kept, of 40 bytes each.
    private static let notesMax = 4_000_000

    private func isExposed(_ strategy: StrategyID) -> Bool {
        instruments.contains {
            engine.portfolio.ledger(of: .strategy(strategy), in: $0.id).quantity != .zero
        }
    }

    /// Writes down the account as it is now, in the session of `day`.
    mutating func noteEquity(_ day: Day) {
        equity.append(
            EquityPoint(
                day: day, at: engine.now, equity: engine.portfolio.equity.rounded(),
                cash: engine.portfolio.cash.rounded(),
                grossExposure: engine.portfolio.grossExposure.rounded()))
    }

    // MARK: Events

    /// Handles what is due up to `time`, at `time` itself up to that class.
    mutating func drain(through eventClass: EventClass, at time: Timestamp) {
        while let entry = queue.pop(through: eventClass, at: time) { handle(entry) }
    }

    /// Handles what was on its way when the data ended. Timers beyond the data do not come.
    mutating func finish() {
        while let entry = queue.pop(through: .timer, at: .distantFuture) {
            if case .event(.timer) = entry.due { continue }
            handle(entry)
        }
    }

    private mutating func handle(_ entry: EventQueue.Entry) {
        now = max(now, entry.order.at)
        switch entry.due {
        case .event(let kind):
            step(Event(at: now, kind: kind))
        case .arrival(let command): arrive(command)
        }
        if heard < answers.count { settle() }
    }

    /// Tells the engine what the venue has answered by now, and the venue what follows from it, until
    /// nothing does.
    mutating func settle() {
        while heard < answers.count {
            heard += 1
            if answersAtOnce {
                step(Event(at: now, kind: .order(answers[heard - 1])))
            } else {
                delay(answers[heard - 1])
            }
        }
        // Clearing costs as much as an answer: not after each.
        guard answers.count > Self.keptMax else { return }
        answers.clear()
        heard = 0
    }

    /// How many answers and commands are kept that are of no more use.
    private static let keptMax = 1_000

    /// Tells the engine an answer when it has travelled.
    private mutating func delay(_ report: OrderReport) {
        newestAnswer = max(newestAnswer, now + latencies.acknowledgement.draw(&generator))
        if newestAnswer == now {
            step(Event(at: now, kind: .order(report)))
        } else {
            queue.push(.event(.order(report)), at: newestAnswer)
        }
    }

    /// Steps the engine and settles what follows.
    @inline(__always)
    mutating func tell(_ kind: Event.Kind) {
        engine.step(Event(at: now, kind: kind), into: &output)
        carryOutAndSettle()
    }

    /// Steps the engine and hands on what it wants done.
    mutating func step(_ event: Event) {
        engine.step(event, into: &output)
        if carriedOut < output.commands.count { carryOutCommands() }
    }

    /// Carries out what the engine wants done, and settles what follows.
    @inline(__always)
    mutating func carryOutAndSettle() {
        guard carriedOut < output.commands.count else { return }
        carryOutCommands()
        settle()
    }

    private mutating func carryOutCommands() {
        while carriedOut < output.commands.count {
            carryOut(output.commands[carriedOut])
            carriedOut += 1
        }
        guard carriedOut > Self.keptMax else { return }
        output.commands.clear()
        carriedOut = 0
    }

    private mutating func carryOut(_ command: Command) {
        switch command {
        case .setTimer(let id, let time):
            queue.removeTimer(id)
            queue.push(.event(.timer(id)), at: time)
        case .submit, .modify, .cancel: send(command)
        case .probe, .query: break
        }
    }

    private mutating func send(_ command: Command) {
        newestCommand = max(newestCommand, now + latencies.order.draw(&generator))
        if newestCommand == now {
            arrive(command)
        } else {
            queue.push(.arrival(command), at: newestCommand)
        }
    }

    private mutating func arrive(_ command: Command) {
        switch command {
        case .submit(let ticket):
            if hasOpened, let bar = feed.barInProgress(of: ticket.request.instrument) {
                venue.noteBar(bar)
            }
            venue.submit(ticket, at: now, answers: &answers)
        case .modify(let ticket, let revision):
            if hasOpened, let bar = feed.barInProgress(of: ticket.request.instrument) {
                venue.noteBar(bar)
            }
            venue.modify(ticket, revision: revision, at: now, answers: &answers)
        case .cancel(let id): venue.cancel(id, answers: &answers)
        case .setTimer, .probe, .query: preconditionFailure("only orders travel")
        }
    }
}

/// Why a backtest could not be finished.
package enum BacktestError: Error, Hashable, Sendable {
    /// Cash, positions and profit did not explain equity at the end of a session: a defect of the program.
    case booksDisagree(Day)
}

extension BreachRecord {
    /// A breach as reports tell it.
    fileprivate init(_ breach: LimitBreach) {
        let figures: Figures =
            switch breach.figures {
            case .percent(let limit, let value): .percent(limit: limit, value: value)
            case .amount(let limit, let value): .amount(limit: limit, value: value)
            }
        self.init(at: breach.at, cause: breach.cause.name.description, figures: figures)
    }
}
