public import Accounting
public import MarketState
public import Model
package import Orders
public import Primitives
package import Risk
public import Signals

/// The trading system: one synchronous, deterministic state machine.
///
/// Events go in, commands come out. It reads no clock, socket, file, environment, random source or hash
/// order, so the same events give the same commands in a backtest, live and in a replay. Rooms are called
/// in one order: market state, accounting, strategies, risk, orders.
@usableFromInline
package struct Engine: ~Copyable {
    /// The time of the newest event.
    @usableFromInline package internal(set) var now = Timestamp.distantPast
    /// Cash, positions, equity.
    @usableFromInline package internal(set) var portfolio: PortfolioLedger
    /// Orders and what was heard of them.
    package internal(set) var orders: OrderLedger
    /// Limits, halts, latches.
    package internal(set) var gate: RiskGate
    /// How many intents the gate refused, by `Refusal.rawValue`.
    package internal(set) var refusals = Array(repeating: 0, count: Refusal.allCases.count)

    @usableFromInline var context: StrategyContext
    @usableFromInline var instances: FixedArray<StrategyInstance>
    /// How many instances act on the end of an instant.
    @usableFromInline var sliceListeners: Int
    /// How many instances act on quotes.
    var quoteListeners: Int
    /// How many instances act on trades.
    var tradeListeners: Int
    @usableFromInline let instrumentCount: Int
    /// Whether bars of all instruments concern one strategy and nothing besides.
    let showsAll: Bool
    /// Whether an instrument is valued at its quotes; empty where none is.
    var isQuotedOnly: [Bool] = []
    /// When the day ends; see `beginDay`.
    @usableFromInline var dayEnd = Timestamp.distantPast
    /// The days' changes.
    var days: DayTracker
    /// What turns prices as traded into those strategies see.
    @usableFromInline var adjustments: SignalAdjustments
    /// Whether a strategy is shown an instrument; by strategy, then instrument.
    @usableFromInline var shown: FixedArray<Bool>
    /// What is watched of the account as a whole.
    package internal(set) var watch: AccountMonitor
    /// Intents that wait for their execution window.
    var held: PendingIntents
    /// Entries whose working time is limited.
    var timed = TimedOrders()
    /// Exits that wait until orders in their way have ended or were changed.
    var deferredExits: [DeferredExit] = [] {
        didSet { pending.set(.deferredExits, to: !deferredExits.isEmpty) }
    }
    /// Intents of which an order has to end before the rest can follow.
    var followUps: [Intent] = [] {
        didSet { pending.set(.followUps, to: !followUps.isEmpty) }
    }
    /// Exits that the venue has ended, and those that a halt wants.
    @usableFromInline package internal(set) var unfinishedExits: [UnfinishedExit] = [] {
        didSet { pending.set(.unfinishedExits, to: !unfinishedExits.isEmpty) }
    }
    /// Which of the three above there are: mostly none, and that is asked several times an order.
    var pending = PendingKinds()
    /// What purchases that are approved at one instant are sized by; see `sizingCash`.
    var instantCash: ExactMoney?
    /// What protects positions, by strategy, then instrument.
    var plans: FixedArray<ProtectionPlan?>
    /// How many of `plans` there are.
    var planCount = 0

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
        watch = AccountMonitor(setup)
        context = StrategyContext(
            instruments: setup.instruments, strategyCount: setup.strategies.count,
            calendar: setup.calendar)
        context.valuation = portfolio.equity
        instances = FixedArray(setup.strategies)
        // The watch hears the end of an instant like a strategy, so that without one nothing is asked.
        sliceListeners = setup.strategies.count + (watch.isOn ? 1 : 0)
        days = DayTracker(setup)
        held = PendingIntents(setup.execution, in: setup.calendar)
        adjustments = SignalAdjustments(instrumentCount: count)
        quoteListeners = setup.strategies.count
        tradeListeners = setup.strategies.count
        instrumentCount = count
        if !setup.quotedOnly.isEmpty {
            isQuotedOnly = setup.instruments.map { setup.quotedOnly.contains($0.id) }
        }
        shown = FixedArray(repeating: false, count: count * setup.strategies.count)
        showsAll =
            setup.strategies.count == 1
            && setup.strategies.allSatisfy { !$0.keepsRanges && Set($0.shown).count == count }
        plans = FixedArray(repeating: nil, count: count * setup.strategies.count)
        for (index, instance) in setup.strategies.enumerated() {
            for instrument in instance.shown { shown[index * count + Int(instrument.index)] = true }
        }
    }

    /// Takes in one event and appends what is to be done about it.
    ///
    /// Inlined where it is called, so that nobody packs an event only for the switch to unpack it.
    ///
    /// - Parameter event: not earlier than the one before.
    @inlinable
    @inline(__always)
    package mutating func step(_ event: Event, into commands: inout [Command]) {
        precondition(event.at >= now, "events come in the order of their times")
        now = event.at
        if now > dayEnd { beginDay() }
        switch event.kind {
        case .bar(let bar): barClosed(bar, into: &commands)
        case .quote(let quote): quoteChanged(quote, into: &commands)
        case .trade(let trade): tradeHappened(trade, into: &commands)
        case .history(let bar): showHistory(bar)
        case .historyComplete: break
        case .sliceClosed: sliceClosed(into: &commands)
        case .order(let report): orderReported(report, into: &commands)
        case .corporateAction(let action): recordAction(action, into: &commands)
        case .timer(let id): timerFired(id, into: &commands)
        case .cashFlow(let amount): recordCashFlow(amount)
        case .operatorRequest(let request): apply(request, into: &commands)
        }
        assert(isConsistent, "cash, positions and profit must explain equity")
    }

    /// Whether cash, positions and profit explain equity.
    @usableFromInline var isConsistent: Bool { portfolio.identityHolds }

    /// The reasons strategies gave; a `TextID` is an index.
    package var reasons: [String] { context.reasons.map(\.description) }

    /// How many intents wait for their execution window.
    package var pendingIntentCount: Int { held.intents.count }

    /// A digest of the whole state but the strategies' own, whose decisions are in the orders.
    package var stateHash: UInt64 {
        var hasher = StateHasher()
        hasher.combine(now)
        context.market.hash(into: &hasher)
        portfolio.hash(into: &hasher)
        orders.hash(into: &hasher)
        gate.hash(into: &hasher)
        for count in refusals { hasher.combine(count) }
        hasher.combine(portfolio.drawdown.peak)
        adjustments.hash(into: &hasher)
        watch.hash(into: &hasher)
        held.hash(into: &hasher)
        timed.hash(into: &hasher)
        hashProtection(into: &hasher)
        for intent in followUps { intent.hash(into: &hasher) }
        for exit in unfinishedExits { exit.hash(into: &hasher) }
        return hasher.digest
    }

    // MARK: Market data

    @inlinable
    @inline(__always)
    mutating func barClosed(_ bar: Bar, into commands: inout [Command]) {
        context.time = now
        context.state.record(bar)
        // A position too large to be valued is a matter for a person; what reduces it still goes out.
        if !portfolio.mark(bar.instrument, at: bar.close) {
            haltUnvalued(bar.instrument, into: &commands)
        }
        guard adjustments.areNone else { return showAdjusted(bar) }
        show(bar)
    }

    /// Shows a bar to the strategies it is for. What they want of it is done when its slice is closed: only
    /// then is everything valued at one time, whatever the instruments are called.
    @inlinable
    @inline(__always)
    mutating func show(_ bar: Bar) {
        for index in 0..<instances.count where isShown(bar.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            if instances[index].keepsRanges { instances[index].updateRanges(bar) }
            instances[index].strategy.barClosed(bar, &context)
        }
    }

    @usableFromInline
    mutating func haltUnvalued(_ instrument: InstrumentID, into commands: inout [Command]) {
        watch.noteUnvalued(instrument)
        halt(for: .unvaluedPosition, into: &commands)
    }

    /// Shows a past bar for warm-up: whatever follows from it is forgotten.
    @usableFromInline
    mutating func showHistory(_ bar: Bar) {
        context.time = now
        context.state.record(bar)
        let bar = adjustments.signal(bar)
        let keepsNotes = context.keepsNotes
        context.keepsNotes = false
        for index in 0..<instances.count where isShown(bar.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            if instances[index].keepsRanges { instances[index].updateRanges(bar) }
            instances[index].strategy.barClosed(bar, &context)
            context.requests.removeAll()
        }
        context.keepsNotes = keepsNotes
    }

    @inlinable
    func isShown(_ instrument: InstrumentID, to instance: Int) -> Bool {
        // Below `shown.count`, which was computed with overflow trapping.
        shown[instance &* instrumentCount &+ Int(instrument.index)]
    }

    @inlinable
    @inline(__always)
    mutating func sliceClosed(into commands: inout [Command]) {
        context.time = now
        portfolio.closeSlice(at: now)
        context.valuation = portfolio.equity
        if sliceListeners > 0 || !unfinishedExits.isEmpty {
            showSlice(into: &commands)
        } else if !context.requests.isEmpty {
            carryOutRequests(into: &commands)
        }
        // Where days end at midnight, the last bars of a day end when the next one begins.
        if now == dayEnd { beginDay() }
    }

    @usableFromInline
    mutating func showSlice(into commands: inout [Command]) {
        if watch.isOn { reviewAccount(into: &commands) }
        if !unfinishedExits.isEmpty { reviewUnfinishedExits(into: &commands) }
        if !context.requests.isEmpty { carryOutRequests(into: &commands) }
        for index in 0..<instances.count where instances[index].receivesSlices {
            context.strategy = StrategyID(index: index)
            instances[index].strategy.sliceClosed(&context)
            if context.declinedSlices {
                instances[index].receivesSlices = false
                sliceListeners -= 1
            }
            context.declinedSlices = false
            if !context.requests.isEmpty { carryOutRequests(into: &commands) }
        }
    }

    // MARK: Timers

    @usableFromInline
    mutating func timerFired(_ id: TimerID, into commands: inout [Command]) {
        context.time = now
        guard let strategy = id.strategy else {
            return engineTimerFired(Int(id.number), into: &commands)
        }
        context.strategy = strategy
        let first = context.requests.count
        instances[Int(strategy.index)].strategy.timerFired(Int(id.number), &context)
        carryOutRequests(from: first, into: &commands)
    }

    /// Does what strategies want.
    ///
    /// - Parameter first: the first of their requests to be done: those before it wait for the end of the
    ///   slice.
    @usableFromInline
    package mutating func carryOutRequests(from first: Int = 0, into commands: inout [Command]) {
        instantCash = nil
        for index in first..<context.requests.count {
            switch context.requests[index] {
            case .intent(let intent):
                if !adjustments.areNone {
                    accept(traded(intent), into: &commands)
                } else {
                    accept(intent, into: &commands)
                }
            case .timer(let id, let time):
                commands.append(.setTimer(id, at: max(time, context.now + .milliseconds(1))))
            }
        }
        context.requests.removeAll(from: first)
        instantCash = nil
    }

    /// Takes up a strategy's intent, which takes the place of the one before about the position.
    @inline(__always)
    private mutating func accept(_ intent: Intent, into commands: inout [Command]) {
        let wasPending = isAnythingPending()
        if !pending.areNone {
            guard supersede(intent) else { return }
        }
        if held.isNeverHolding {
            resolve(intent, into: &commands)
        } else {
            schedule(intent, into: &commands)
        }
        if wasPending || isAnythingPending() {
            refreshHolding(intent.strategy, intent.instrument)
        }
    }

    // MARK: People and money

    @usableFromInline
    mutating func recordCashFlow(_ amount: Money) {
        portfolio.recordCashFlow(amount)
        watch.losses?.shift(by: ExactMoney(amount))
    }

    @usableFromInline
    mutating func apply(_ request: OperatorRequest, into commands: inout [Command]) {
        switch request {
        case .halt: halt(for: .operatorRequest, into: &commands)
        case .resume:
            // Only then: or a halt for another reason would move the highest equity down.
            if gate.isHalted(for: .drawdown) { watch.losses?.resume(with: portfolio.equity) }
            gate.resume()
            if planCount > 0 { resumePlans(&commands) }
        }
    }

    // MARK: Orders

    @usableFromInline
    mutating func orderReported(_ report: OrderReport, into commands: inout [Command]) {
        context.time = now
        switch report.fact {
        case .acknowledged:
            if orders.acknowledge(report.order) {
                if gate.cashBuffer != nil { watchCash(after: report.order) }
            } else {
                orderChanged(report, into: &commands)
            }
        case .commission(let costs): book(costs, of: report.order)
        case .executed, .cancelled, .rejected, .modified, .modificationRefused,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            orderChanged(report, into: &commands)
        }
    }

    /// Takes in what may change how much of an order works, and does what follows.
    private mutating func orderChanged(_ report: OrderReport, into commands: inout [Command]) {
        let change = orders.record(report, at: now)
        var newExecution: Execution?
        var changesHolding = change.state?.isLive == false
        switch change.change {
        // Costs are booked by themselves, without a look at the order.
        case .state, .charged: break
        case .answered: changesHolding = true
        // What was known already is no news: a person may have looked at it since.
        case .executed(.unchanged): break
        case .executed(let how):
            guard case .executed(let execution) = report.fact else { break }
            book(execution, how, for: change.owner?.strategy)
            changesHolding = true
            if case .added = how, execution.quantity > .zero { newExecution = execution }
            if !change.isAsOrdered { latchUnexpected(execution, of: change.owner?.strategy) }
        }
        if gate.cashBuffer != nil { watchCash(after: report.order) }
        guard changesHolding, let owner = change.owner, let state = change.state else { return }
        let wasPending = isAnythingPending()
        refreshHolding(owner.strategy, owner.instrument)
        if let newExecution {
            context.strategy = owner.strategy
            let first = context.requests.count
            instances[Int(owner.strategy.index)].strategy.orderFilled(newExecution, &context)
            if context.requests.count > first {
                held.followsFill = true
                carryOutRequests(from: first, into: &commands)
                held.followsFill = false
            }
        }
        if !state.isLive && !timed.isEmpty {
            limitedOrderEnded(report, &commands)
        }
        if !deferredExits.isEmpty, !state.isLive || change.isAnswer {
            resumeDeferredExit(owner.strategy, owner.instrument, &commands)
        }
        if !state.isLive, newExecution == nil { orderEnded(report, &commands) }
        if !pending.areNone {
            if !unfinishedExits.isEmpty, newExecution != nil {
                reduceSurplusExits(owner.strategy, owner.instrument, &commands)
            }
            if !followUps.isEmpty, !state.isLive {
                followUp(owner.strategy, owner.instrument, after: report, &commands)
            }
        }
        if planCount > 0 { keepProtected(owner.strategy, owner.instrument, &commands) }
        if wasPending || isAnythingPending() {
            refreshHolding(owner.strategy, owner.instrument)
        }
    }

    /// Sends again what the venue has ended though it is wanted.
    private mutating func orderEnded(_ report: OrderReport, _ commands: inout [Command]) {
        switch report.fact {
        case .cancelled(let cause): restoreOrder(report.order, endedBy: cause, &commands)
        case .rejected: if !unfinishedExits.isEmpty { recordRejection(of: report.order) }
        case .acknowledged, .executed, .commission, .modified, .modificationRefused,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            break
        }
    }

    private mutating func book(_ costs: CommissionReport, of order: OrderID) {
        let (amount, owner) = orders.charge(costs, of: order)
        portfolio.charge(
            amount, to: owner.map { Holding(of: .strategy($0.strategy), in: $0.instrument) })
        if gate.cashBuffer != nil { watchCash(after: order) }
    }

    /// An execution that is not of an order of ours, not as ordered or more than ordered is real, so it was
    /// booked, and a person looks. It may be in another instrument than its order.
    private mutating func latchUnexpected(_ execution: Execution, of strategy: StrategyID?) {
        gate.latch(execution.instrument)
        if let strategy { refreshHolding(strategy, execution.instrument) }
    }

    private mutating func book(
        _ execution: Execution, _ how: ExecutionChange, for strategy: StrategyID?
    ) {
        let replaced: Execution?
        switch how {
        case .unchanged: return
        case .added: replaced = nil
        case .replaced(let old): replaced = old
        }
        let owner = Attribution(strategy)
        if replaced == nil, portfolio.comesLast(execution, for: owner) {
            portfolio.apply(execution, for: owner, settling: days.settlementDay(of: execution))
            return
        }
        var history = orders.executions(of: strategy, in: execution.instrument)
        if let replaced, replaced.instrument != execution.instrument {
            history += orders.executions(of: strategy, in: replaced.instrument)
        }
        portfolio.rebook(
            execution, replacing: replaced, for: owner, history: history,
            settling: { [days] in days.settlementDay(of: $0) })
        // Versions of an execution may differ in their instrument too.
        if let replaced, let strategy { refreshHolding(strategy, replaced.instrument) }
    }
}
