public import Accounting
import MarketState
public import Model
package import Orders
public import Primitives
package import Risk
public import Signals

/// The trading system: one synchronous, deterministic state machine.
///
/// Events go in, commands and decisions come out. It reads no clock, socket, file, environment, random source
/// or hash order, so the same events give the same output in a backtest, live and in a replay. Modules are
/// called in one order: market state, accounting, strategies, risk, orders.
///
/// `step` is the only door; `run` is `step` with many rows of market data. Between two calls the state is
/// whole: it can be hashed, saved and replayed.
@usableFromInline
package struct Engine: ~Copyable {
    /// The time of the newest event.
    @usableFromInline package internal(set) var now = Timestamp.distantPast
    /// Cash, positions, equity.
    @usableFromInline package internal(set) var portfolio: PortfolioLedger
    /// Orders and what is known of them.
    package internal(set) var orders: OrderLedger
    /// Limits, halts, latches.
    package internal(set) var gate: RiskGate
    /// What is monitored of the account as a whole.
    package internal(set) var monitor: AccountMonitor

    @usableFromInline var context: StrategyContext
    @usableFromInline var instances: FixedArray<StrategyInstance>
    @usableFromInline let instrumentCount: Int
    /// True where a strategy instance is shown an instrument; by instance, then instrument.
    @usableFromInline var shown: FixedArray<Bool>
    /// The complete bars of the slice in progress, as strategies see them.
    var sliceBars: [Bar] = []
    /// True if sizes, stops or targets of any instance count in average true ranges.
    let keepsRanges: Bool
    /// See `EngineSetup.usesBatches`.
    let usesBatches: Bool
    /// How many instances act on quotes, on trades and on the ends of slices.
    var listeners: Listeners
    /// True where an instrument is valued at its quotes; empty where none is.
    var isQuotedOnly: [Bool] = []
    /// The end of the day; see `beginDay`.
    @usableFromInline var dayEnd = Timestamp.distantPast
    /// The changes of days.
    var days: DayTracker
    /// The factors between prices as traded and those that strategies see.
    var adjustments: SignalAdjustments
    /// Numbers and counts decisions.
    var log: DecisionLog
    /// Intents held for their execution window.
    var held: PendingIntents
    /// Entries whose working time is limited.
    var timed: TimedOrders
    /// Exits held until orders in their way have ended or were changed.
    var deferredExits = DeferredExits()
    /// Exits that stand until they are done, and intents that follow an order's end.
    var unfinished = UnfinishedIntents()
    /// The cash that purchases of one carry-out are sized by; see `sizingCash`.
    var sharedCash: ExactMoney?
    /// The protection of positions.
    var plans: ProtectionPlans
    /// Refusals that their strategies are still to be notified of; none between two events.
    @usableFromInline var notices: [IntentRefusal] = []
    /// Intents that pass risk together, until their orders are done.
    var groups = IntentGroups()
    /// What keeps orders from leaving besides limits, halts and latches.
    var permissions: Permissions
    /// What is known of the broker behind a link.
    var broker: BrokerState
    /// How many orders strategies have sent.
    var rates: OrderRates
    /// The timers that strategies wait for.
    var timers = StrategyTimers()
    /// The session's first events.
    var opening: Opening
    /// What happens in the account that is not our doing.
    var outside: OutsideAccount
    /// Positions that are without their protection.
    var exposed = ExposedPositions()
    /// The broker's figures of the account against ours.
    var comparisons: AccountComparisons
    /// How many instruments the configuration names: strategies never hear of those behind.
    let configuredInstruments: Int
    /// How many strategies the configuration names.
    let configuredStrategies: Int
    /// How many rows a batch of several instances looks ahead; see `run`. No part of the state.
    var lookahead = Lookahead()

    /// How many instances act on what: those that do nothing mark that at the first call.
    struct Listeners: Sendable {
        var quotes: Int
        var trades: Int
        var slices: Int
    }

    private let passing = PassedByReference()

    /// An engine before its first event.
    package init(_ setup: EngineSetup) {
        let count = setup.instruments.count
        portfolio = PortfolioLedger(
            instruments: setup.instruments, strategyCount: setup.strategies.count,
            capital: setup.capital)
        orders = OrderLedger(instrumentCount: count, strategyCount: setup.strategies.count)
        gate = RiskGate(
            limits: setup.limits, instrumentCount: count,
            cashBuffer: setup.settlement == nil ? nil : setup.cashBuffer)
        monitor = AccountMonitor(setup)
        context = StrategyContext(
            instruments: setup.instruments, strategyCount: setup.strategies.count,
            calendar: setup.calendar, reasons: setup.reasons)
        context.valuation = Valuation(portfolio.equity)
        context.keepsNotes = setup.keepsNotes
        instances = FixedArray(setup.strategies)
        days = DayTracker(setup)
        held = PendingIntents(setup.execution, in: setup.calendar)
        timed = TimedOrders(setup.execution.timeLimit, in: setup.calendar)
        adjustments = SignalAdjustments(instrumentCount: count)
        let instanceCount = setup.strategies.count
        configuredInstruments = setup.configuredInstruments ?? count
        configuredStrategies = setup.configuredStrategies ?? instanceCount
        permissions = Permissions(
            strategyCount: instanceCount, instrumentCount: count,
            configured: (configuredStrategies, configuredInstruments))
        broker = BrokerState(instrumentCount: count)
        rates = OrderRates(setup.orderRates, strategyCount: instanceCount)
        outside = OutsideAccount(setup.foreignPolicy, instrumentCount: count)
        comparisons = AccountComparisons(
            valuesAreCurrent: setup.valuesAreCurrent, instrumentCount: count)
        listeners = Listeners(quotes: instanceCount, trades: instanceCount, slices: instanceCount)
        log = DecisionLog(level: setup.decisions)
        instrumentCount = count
        opening = Opening(setup.takeover)
        usesBatches = setup.usesBatches
        keepsRanges = setup.strategies.contains { $0.keepsRanges }
        if !setup.quotedOnly.isEmpty {
            isQuotedOnly = setup.instruments.map { setup.quotedOnly.contains($0.id) }
        }
        shown = FixedArray(repeating: false, count: count * instanceCount)
        plans = ProtectionPlans(strategyCount: instanceCount, instrumentCount: count)
        for (index, instance) in setup.strategies.enumerated() {
            instances[index].isShownAll = Set(instance.shown).count == count
            for instrument in instance.shown {
                shown[index * count + Int(instrument.index)] = true
            }
        }
    }

    /// Takes in one event and appends what follows from it to `output`.
    ///
    /// Inlined where it is called, so that no event is packed only for the switch to unpack it.
    ///
    /// - Parameter event: not earlier than the one before.
    @inlinable
    @inline(__always)
    package mutating func step(_ event: Event, into output: inout EngineOutput) {
        precondition(event.at >= now, "events come in the order of their times")
        now = event.at
        if now > dayEnd { beginDay(before: event.kind, into: &output) }
        switch event.kind {
        case .bar(let bar): barClosed(bar, into: &output)
        case .quote(let quote): quoteChanged(quote, into: &output)
        case .trade(let trade): tradeHappened(trade, into: &output)
        case .history(let bar): showHistory(bar)
        case .historyComplete(let coverage): historyCompleted(coverage, into: &output)
        case .sliceClosed: sliceClosed(into: &output)
        case .order(let report): orderReported(report, into: &output)
        case .brokerOrder(let report): brokerReported(report, into: &output)
        case .listing(let record): listed(record, into: &output)
        case .link(let report): linkChanged(report, into: &output)
        case .condition(let report): conditionChanged(report, into: &output)
        case .dailyClose(let close): closeReported(close, into: &output)
        case .accountValue(let value): accountValueChanged(value, into: &output)
        case .sessionOpened(let opening): sessionOpened(opening, into: &output)
        case .opening(let record): read(record, into: &output)
        case .openingComplete: openingCompleted(into: &output)
        case .corporateAction(let action): recordAction(action, into: &output)
        case .timer(let id): timerFired(id, into: &output)
        case .cashMovement(let movement): recordCash(movement, into: &output)
        case .signal(let signal): apply(signal, into: &output)
        case .shadowResult(let result): report(result, into: &output)
        case .operatorRequest(let request): apply(request, into: &output)
        // Texts are for people and edges; time has passed with `now`.
        case .name, .clock: break
        }
        if !notices.isEmpty { deliverNotices(into: &output) }
        assert(isConsistent, "cash, positions and profit must explain equity")
    }

    /// True if cash, positions and profit explain equity.
    ///
    /// Not asked of a state that is being read, or was damaged.
    @usableFromInline var isConsistent: Bool {
        opening.phase == .records || opening.isDamaged || portfolio.identityHolds
    }

    /// The reasons strategies gave; a `TextID` is an index.
    package var reasons: [String] { context.reasons }

    /// The strategies as they are now, in their order.
    package var strategies: [any Strategy] {
        var strategies: [any Strategy] = []
        for index in 0..<instances.count { strategies.append(instances[index].strategy) }
        return strategies
    }

    /// How many intents are held for their execution window.
    package var pendingIntentCount: Int { held.intents.count }

    /// How many decisions of which kind there were.
    package var decisionCounts: DecisionCounts { log.counts }

    /// A digest of the whole state but the strategies' own, whose decisions are in the orders.
    package var stateHash: UInt64 {
        var hasher = StateHasher()
        hasher.combine(now)
        context.market.hash(into: &hasher)
        portfolio.hash(into: &hasher)
        orders.hash(into: &hasher)
        gate.hash(into: &hasher)
        hasher.combine(portfolio.drawdown.peak)
        adjustments.hash(into: &hasher)
        monitor.hash(into: &hasher)
        held.hash(into: &hasher)
        timed.hash(into: &hasher)
        deferredExits.hash(into: &hasher)
        plans.hash(into: &hasher)
        unfinished.hash(into: &hasher)
        groups.hash(into: &hasher)
        permissions.hash(into: &hasher)
        timers.hash(into: &hasher)
        outside.hash(into: &hasher)
        rates.hash(into: &hasher)
        return hasher.digest
    }

    // MARK: Decisions

    /// Records what was concluded.
    ///
    /// Subject and figures are worked out only where decisions leave the engine.
    @inline(__always)
    mutating func decide(
        _ kind: Decision.Kind, about subject: @autoclosure () -> Decision.Subject,
        because reason: TextID = .none, _ output: inout EngineOutput,
        _ figures: () -> Figures = { Figures() }
    ) {
        log.record(kind, about: subject(), at: now, because: reason, figures, &output)
    }

    // MARK: Market data

    @usableFromInline
    mutating func barClosed(_ bar: Bar, into output: inout EngineOutput) {
        context.time = now
        if outside.isAnySuspended, isSuspended(bar.instrument) { return }
        record(bar, into: &output)
        let seen = adjustments.areNone ? bar : adjustments.signal(bar)
        if keepsRanges { updateRanges(seen) }
        sliceBars.append(seen)
    }

    /// Takes in what a complete bar says of the market and of a position in it.
    @inline(__always)
    mutating func record(_ bar: Bar, into output: inout EngineOutput) {
        context.state.record(bar)
        // A position too large to be valued is a matter for a person; what reduces it still goes out.
        if !portfolio.mark(bar.instrument, at: bar.close) {
            haltUnvalued(bar.instrument, into: &output)
        }
    }

    /// Takes a bar as strategies see it into the average true ranges of its instrument.
    mutating func updateRanges(_ bar: Bar) {
        for index in 0..<instances.count
        where instances[index].keepsRanges && isShown(bar.instrument, to: index) {
            instances[index].updateRanges(bar)
        }
    }

    @usableFromInline
    mutating func haltUnvalued(_ instrument: InstrumentID, into output: inout EngineOutput) {
        monitor.noteUnvalued(instrument)
        halt(for: .unvaluedPosition, into: &output)
    }

    /// Reports when strategies were shown less of the past than they asked for, and lets them know how much there was.
    @usableFromInline
    mutating func historyCompleted(
        _ coverage: HistoryCoverage, into output: inout EngineOutput
    ) {
        if let instrument = coverage.instrument { showCoverage(coverage, of: instrument) }
        guard !coverage.isWhole else { return }
        decide(.historyShort, about: Decision.Subject(instrument: coverage.instrument), &output) {
            Figures(
                .count(.value, Int(coverage.have)), .count(.asked, Int(coverage.asked)))
        }
    }

    private mutating func showCoverage(_ coverage: HistoryCoverage, of instrument: InstrumentID) {
        context.time = now
        context.isWarmingUp = true
        for index in 0..<instances.count where isShown(instrument, to: index) {
            context.strategy = StrategyID(index: index)
            instances[index].strategy.historyCompleted(coverage, &context)
            context.requests.removeAll()
        }
        context.isWarmingUp = false
    }

    /// Shows a past bar for warm-up: whatever follows from it is forgotten.
    @usableFromInline
    mutating func showHistory(_ bar: Bar) {
        context.time = now
        if outside.isAnySuspended, isSuspended(bar.instrument) { return }
        context.state.record(bar)
        let bar = adjustments.signal(bar)
        let keepsNotes = context.keepsNotes
        context.keepsNotes = false
        context.isWarmingUp = true
        for index in 0..<instances.count where isShown(bar.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            if instances[index].keepsRanges { instances[index].updateRanges(bar) }
            instances[index].strategy.barClosed(bar, &context)
            context.requests.removeAll()
        }
        context.keepsNotes = keepsNotes
        context.isWarmingUp = false
    }

    @inlinable
    func isShown(_ instrument: InstrumentID, to instance: Int) -> Bool {
        // Below `shown.count`, which was computed with overflow trapping.
        shown[instance &* instrumentCount &+ Int(instrument.index)]
    }

    /// Everything that belongs to this time is here: values the account, holds it to its limits, shows
    /// strategies the bars and performs what they ask for, in the order of strategies.
    @usableFromInline
    mutating func sliceClosed(into output: inout EngineOutput) {
        context.time = now
        reviewSlice(into: &output)
        if hasBroker, broker.protectionDay != days.today { checkProtection(&output) }
        if listeners.slices > 0 || !sliceBars.isEmpty { showSlice() }
        endSlice(into: &output)
    }

    /// Values the account at the end of a slice and holds it to its limits.
    @inline(__always)
    mutating func reviewSlice(into output: inout EngineOutput) {
        portfolio.closeSlice(at: now)
        context.valuation = Valuation(portfolio.equity)
        if monitor.isOn { reviewAccount(into: &output) }
        if !unfinished.isEmpty { reviewUnfinishedExits(into: &output) }
    }

    /// Performs what strategies asked for when they were shown a slice.
    @inline(__always)
    mutating func endSlice(into output: inout EngineOutput) {
        if !context.requests.isEmpty { performRequests(into: &output) }
        takeNotes(into: &output)
        // Where days end at midnight, the last bars of a day end when the next one begins.
        if now == dayEnd { beginDay(into: &output) }
    }

    /// Shows every instance its bars of the slice and the end of it, in one call each.
    private mutating func showSlice() {
        // Taken out meanwhile: nothing can be called while a part of the engine is read.
        var collected: [Bar] = []
        swap(&collected, &sliceBars)
        show(collected.span)
        collected.removeAll(keepingCapacity: true)
        swap(&collected, &sliceBars)
    }

    /// Shows every instance those of the bars that it is shown, and the end of the slice.
    mutating func show(_ bars: Span<Bar>) {
        for index in 0..<instances.count {
            guard !bars.isEmpty || instances[index].receivesSlices else { continue }
            context.strategy = StrategyID(index: index)
            instances[index].showSlice(bars, &context)
            guard context.declinedSlices else { continue }
            context.declinedSlices = false
            guard instances[index].receivesSlices else { continue }
            instances[index].receivesSlices = false
            listeners.slices -= 1
        }
    }

    /// Hands on what strategies noted.
    @inline(__always)
    mutating func takeNotes(into output: inout EngineOutput) {
        if context.keepsNotes, !context.notes.isEmpty { output.notes += context.takeNotes() }
    }

    // MARK: Timers

    @usableFromInline
    mutating func timerFired(_ id: TimerID, into output: inout EngineOutput) {
        context.time = now
        guard let strategy = id.strategy else {
            return engineTimerFired(Int(id.number), into: &output)
        }
        guard isKnown(strategy) else { return }
        timers.fire(id)
        context.strategy = strategy
        instances[Int(strategy.index)].strategy.timerFired(Int(id.number), &context)
        performRequests(into: &output)
        takeNotes(into: &output)
    }
}
