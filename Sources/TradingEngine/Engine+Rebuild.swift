import Accounting
import MarketState
package import Model
import Orders
import Primitives
import Risk
import Signals

/// Taking in a record of what happened without deciding anything again.
///
/// The engine decides again only under the program, configuration and strategies that decided before. Otherwise
/// orders, ledgers, halts and latches are what the record's events and commands made of them: nothing is asked
/// of strategies, no order is sent, changed or cancelled. Strategies then start from a saved state or warm up,
/// and entries wait for the user.
extension Engine {
    /// Takes in an event of the record.
    ///
    /// - Parameter event: not earlier than the one before. Its commands follow by `rebuild(_:)`.
    package mutating func rebuild(_ event: Event) {
        precondition(event.at >= now, "events come in the order of their times")
        now = event.at
        context.time = now
        // What is decided on the way is left out: the record has it.
        var ignored = EngineOutput()
        if now > dayEnd { beginDay(before: event.kind, into: &ignored) }
        switch event.kind {
        case .bar(let bar), .history(let bar): rebuildPrices(bar, isHistory: event.kind.isHistory)
        case .quote(let quote): context.state.record(quote)
        case .trade(let trade):
            context.state.record(trade)
            _ = portfolio.mark(trade.instrument, at: trade.price)
        case .sliceClosed: rebuildAccount()
        case .order(let report): rebuild(report)
        case .brokerOrder(let report):
            guard !orders.identity.isElsewhere(report.key) else { return }
            rebuild(OrderReport(order: orders.resolve(report.key).order, fact: report.fact))
        case .listing(let record):
            let isCompleting = broker.listings.record(record, at: now)
            if isCompleting, broker.listings.areComplete { rebuildFromLists() }
        case .link(let report):
            broker.listings.connectionChanged(to: report.epoch)
            // Orders went on above it.
            if let next = report.nextID { _ = orders.identity.takesNext(next) }
        case .sessionOpened, .opening, .openingComplete, .cashMovement, .accountValue:
            step(event, into: &ignored)
        case .corporateAction(let action): recordAction(action, into: &ignored)
        case .operatorRequest(let request): rebuild(request)
        case .signal(let signal):
            guard isKnown(signal.strategy) else { return }
            let index = Int(signal.strategy.index)
            instances[index].newestSignal = max(instances[index].newestSignal, signal.row)
        case .timer(let id): timers.fire(id)
        case .dailyClose(let close):
            if isKnown(close.instrument) { outside[close.instrument].close = close }
        case .condition(let report):
            if report.condition.isOfStrategy { rebuildCallThatTookTooLong(report) }
        case .historyComplete, .name, .clock, .shadowResult: break
        }
    }

    /// Takes in a command of the record, which the engine of then gave.
    package mutating func rebuild(_ command: Command) {
        switch command {
        case .submit(let ticket):
            guard ticket.id.number > (orders.newestID?.number ?? 0) else { return }
            orders.restore(ticket, submitted: now)
            if hasBroker {
                _ = orders.identity.assign(to: ticket.id)
                countMessage(about: ticket.id)
            }
            rates.count(ticket.request.strategy, at: now, on: days.today)
            if gate.cashBuffer != nil { reserveCash(for: command) }
        case .modify(let ticket, _):
            orders.restoreChange(ticket, asked: now)
            if hasBroker { countMessage(about: ticket.id) }
        case .cancel(let order):
            _ = orders.cancel(order)
            if hasBroker { countMessage(about: order) }
        case .probe(let order):
            orders.noteProbe(of: order)
            countMessage(about: order)
        case .setTimer(let id, let time): if id.strategy != nil { timers.set(id, at: time) }
        case .query: break
        }
    }

    /// The record is over: positions are protected by the orders that work for them, and entries wait until the
    /// user has looked.
    package mutating func completeRebuild(into output: inout EngineOutput) {
        for order in orders.allLive { rebuildProtection(order) }
        for strategy in 0..<instances.count {
            for instrument in 0..<instrumentCount {
                refreshHolding(StrategyID(index: strategy), InstrumentID(index: instrument))
            }
        }
        context.valuation = Valuation(portfolio.equity)
        halt(for: .changedSetup, into: &output)
        output.commands += timers.commands
    }

    /// A replay was not answered as the record says: entries are halted until the user has looked.
    package mutating func haltForDifference(into output: inout EngineOutput) {
        halt(for: .replayDiffers, into: &output)
    }

    // MARK: Market and account

    private mutating func rebuildPrices(_ bar: Bar, isHistory: Bool) {
        context.state.record(bar)
        if !isHistory { _ = portfolio.mark(bar.instrument, at: bar.close) }
        let seen = adjustments.signal(bar)
        for index in 0..<instances.count
        where instances[index].keepsRanges && isShown(bar.instrument, to: index) {
            instances[index].updateRanges(seen)
        }
    }

    private mutating func rebuildAccount() {
        portfolio.closeSlice(at: now)
        monitor.losses?.observe(portfolio.equity)
        guard let losses = monitor.losses else { return }
        if losses.dailyBreach(with: portfolio.equity, at: now) != nil {
            gate.halt(for: .dailyLoss)
        }
        if losses.drawdownBreach(with: portfolio.equity, at: now) != nil {
            gate.halt(for: .drawdown)
        }
    }

    // MARK: Orders

    private mutating func rebuild(_ report: OrderReport) {
        if case .commission(let costs) = report.fact {
            let (amount, owner) = orders.charge(costs, of: report.order)
            if hasBroker, owner == nil {
                return outside.cash.others -= ExactMoney(amount)
            }
            return portfolio.charge(
                amount, to: owner.map { Holding(of: .strategy($0.strategy), in: $0.instrument) })
        }
        let change = orders.record(report, at: now)
        guard case .executed(let execution) = report.fact, case .executed(let how) = change.change
        else { return }
        if hasBroker, change.owner == nil {
            bookOutside(execution, how)
        } else {
            book(execution, how, for: change.owner?.strategy)
        }
        if case .added = how, execution.quantity > .zero, hasBroker, let owner = change.owner {
            countExecuted(execution, of: report.order, owner.strategy)
        }
        if how != .unchanged, !change.isAsOrdered { gate.latch(execution.instrument) }
    }

    private mutating func rebuildFromLists() {
        let reconciliation = Reconciliation(
            of: orders, with: broker.listings, positions: [], nextID: broker.nextID, at: now)
        for report in reconciliation.bookings { rebuild(report) }
        for report in reconciliation.facts { rebuild(report) }
        orders.learn(from: reconciliation)
        for terms in reconciliation.otherTerms { _ = orders.adopt(terms, at: now) }
    }

    private mutating func rebuild(_ request: OperatorRequest) {
        switch request.action {
        case .halt: gate.halt(for: .operatorRequest)
        case .kill: gate.halt(for: .killed)
        case .resume(let cause): gate.lift(cause)
        case .resumeAll: gate.resume()
        case .clearLatch(let instrument): if isKnown(instrument) { gate.clearLatch(instrument) }
        case .stopEntries(let strategy):
            if isKnown(strategy) { permissions.setStopped(strategy, true) }
        case .startEntries(let strategy):
            if isKnown(strategy) { permissions.setStopped(strategy, false) }
        case .adopt(let instrument):
            if isKnown(instrument) { permissions.give(instrument, to: .us) }
        case .disown(let instrument):
            if isKnown(instrument) { permissions.give(instrument, to: .user) }
        case .bookExecution(let order, let execution):
            rebuild(OrderReport(order: order, fact: .executed(execution)))
        case .resolve, .confirmSplit, .cash:
            var ignored = EngineOutput()
            apply(request, into: &ignored)
        // What follows from these are commands, which the record has.
        case .cancel, .flatten: break
        }
    }

    /// Makes an order that protects a position part of a plan.
    private mutating func rebuildProtection(_ order: OrderID) {
        guard let request = orders.request(of: order), request.purpose == .protection,
            let group = request.group
        else { return }
        let index = plans.place(request.strategy, request.instrument)
        plans.adopt(order, request, in: group, at: index)
    }
}

extension Event.Kind {
    fileprivate var isHistory: Bool {
        if case .history = self { true } else { false }
    }
}
