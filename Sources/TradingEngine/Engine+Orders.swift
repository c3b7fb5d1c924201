import Accounting
import MarketState
public import Model
import Orders
import Primitives
import Risk
import Signals

/// Handles what venues report about orders.
extension Engine {
    @usableFromInline
    mutating func orderReported(_ report: OrderReport, into output: inout EngineOutput) {
        context.time = now
        switch report.fact {
        case .acknowledged:
            if orders.acknowledge(report.order) {
                if gate.cashBuffer != nil { checkCash(after: report.order, &output) }
            } else {
                orderChanged(report, into: &output)
            }
        case .commission(let costs): book(costs, of: report.order, &output)
        case .executed, .cancelled, .rejected, .modified, .modificationRefused,
            .notSent, .sendInterrupted, .status, .listedOpen, .listedCompleted, .rejectedByBroker,
            .cancelledByBroker, .heldByBroker, .message, .probeAnswer, .acknowledgementOverdue,
            .closed, .reopened:
            orderChanged(report, into: &output)
        }
        takeNotes(into: &output)
    }

    /// Takes in what may change how much of an order works, and does what follows.
    private mutating func orderChanged(_ report: OrderReport, into output: inout EngineOutput) {
        let (isLost, change) = (isFillLost(report), orders.record(report, at: now))
        if change.isOfDropped { return latchDropped(report, &output) }
        var newExecution: Execution?
        var changesHolding = change.state?.isLive == false
        switch change.change {
        // Costs are booked by themselves, without a look at the order.
        case .state, .charged: break
        case .answered: changesHolding = true
        case .executed(.unchanged): break
        case .executed(let how):
            guard case .executed(let execution) = report.fact, !isLost else { break }
            if hasBroker, change.owner == nil {
                bookOutside(execution, how)
            } else {
                book(execution, how, for: change.owner?.strategy)
            }
            changesHolding = true
            if case .added = how, execution.quantity > .zero { newExecution = execution }
            if !change.isAsOrdered {
                latchUnexpected(execution, of: report.order, change.owner?.strategy, &output)
            }
        }
        if gate.cashBuffer != nil { checkCash(after: report.order, &output) }
        guard changesHolding, let owner = change.owner, let state = change.state else { return }
        let wasPending = isAnythingPending()
        refreshHolding(owner.strategy, owner.instrument)
        if let newExecution, isConfigured(owner.instrument) {
            context.strategy = owner.strategy
            instances[Int(owner.strategy.index)].strategy.orderFilled(newExecution, &context)
            if !context.requests.isEmpty {
                held.setFollowsFill(true)
                performRequests(into: &output)
                held.setFollowsFill(false)
            }
        }
        if change.isEnd {
            if hasBroker { noteEnd(of: report, &output) }
            // Mostly because it has filled, which is no end that a strategy is notified of.
            if state.isFilled {
                groups.orderEnded(report.order)
            } else {
                notifyOfEnd(by: report, owner.strategy, &output)
            }
        }
        if !state.isLive && !timed.isEmpty {
            limitedOrderEnded(report, &output)
        }
        if !deferredExits.isEmpty, !state.isLive || change.isAnswer {
            resumeDeferredExit(owner.strategy, owner.instrument, &output)
        }
        if !state.isLive, newExecution == nil { orderEnded(report, &output) }
        if !unfinished.isEmpty {
            if newExecution != nil {
                reduceSurplusExits(owner.strategy, owner.instrument, &output)
            }
            if !state.isLive {
                followUp(owner.strategy, owner.instrument, after: report, &output)
            }
        }
        if let newExecution, hasBroker {
            filledAtBroker(newExecution, of: report.order, owner, &output)
        }
        if case .executed(.replaced(let former)) = change.change, hasBroker {
            executionCorrected(former, report, &output)
        }
        if plans.count > 0 { keepProtected(owner.strategy, owner.instrument, &output) }
        if wasPending || isAnythingPending() {
            refreshHolding(owner.strategy, owner.instrument)
        }
        deliverNotices(into: &output)
    }

    /// An order has filled at a broker: what is protected by it goes on, and its commission is waited for.
    private mutating func filledAtBroker(
        _ execution: Execution, of order: OrderID, _ owner: OrderLedger.Owner,
        _ output: inout EngineOutput
    ) {
        countExecuted(execution, of: order, owner.strategy)
        resumePlan(behind: order, of: owner)
        awaitCharge(&output)
    }

    /// Reports that an order was ended by others, was rejected or never left.
    private mutating func noteEnd(of report: OrderReport, _ output: inout EngineOutput) {
        noteOutsideEnd(of: report.order, &output)
        guard let request = orders.request(of: report.order) else { return }
        if PlantedBug.cancelMarksFlat.isPlanted, request.purpose == .protection {
            _ = plans.end(at: plans.place(request.strategy, request.instrument))
        }
        let subject = Decision.Subject(report.order, request)
        if case .rejectedByBroker(let message) = report.fact {
            if message.cause == .numberInUse { noteNumberInUse(report.order, request, &output) }
            decide(.orderRejected, about: subject, because: request.reason, &output) {
                Figures(.count(.value, Int(message.code)))
            }
        } else if case .notSent = report.fact {
            decide(.orderNotSent, about: subject, because: request.reason, &output)
            if request.purpose == .protection {
                broker.protectionNotSent[request.instrument] = now
            }
        }
    }

    /// Reports that the gateway has refused an order for its number: another program may be using the same client id. The
    /// order never was at the broker; the next number of the gateway follows.
    private mutating func noteNumberInUse(
        _ order: OrderID, _ request: OrderRequest, _ output: inout EngineOutput
    ) {
        let number = orders.identity.key(of: order)?.order?.number ?? 0
        decide(.finding(.numberInUse), about: Decision.Subject(order, request), &output) {
            Figures(.count(.value, Int(number)))
        }
    }

    /// Takes in that the broker has another version of an execution. One that it has taken back is a matter for the user:
    /// entries in its instrument wait.
    private mutating func executionCorrected(
        _ former: Execution, _ report: OrderReport, _ output: inout EngineOutput
    ) {
        guard case .executed(let execution) = report.fact,
            let request = orders.request(of: report.order)
        else { return }
        let subject = Decision.Subject(report.order, request)
        let figures = Figures(
            .shares(.value, execution.quantity), .shares(.held, former.quantity))
        decide(.executionCorrected, about: subject, &output) { figures }
        // An exit that the broker took back has left a position that had no protection any more.
        planMissing(request.strategy, request.instrument)
        guard execution.quantity == .zero, former.quantity != .zero else { return }
        latch(request.instrument, for: .executionTakenBack, subject, &output) { figures }
    }

    /// Notifies a strategy that its order has ended without filling whole, and its group.
    private mutating func notifyOfEnd(
        by report: OrderReport, _ strategy: StrategyID, _ output: inout EngineOutput
    ) {
        guard let record = orders.record(of: report.order),
            let end = OrderEnd(
                record, by: report.fact, cancelledBy: orders.cancelCause(of: record), at: now)
        else {
            return groups.orderEnded(report.order)
        }
        if isConfigured(record.ticket.request.instrument) {
            context.strategy = strategy
            instances[Int(strategy.index)].strategy.orderEnded(end, &context)
            dropEndlessAnswer(to: end)
            if !context.requests.isEmpty { performRequests(into: &output) }
        }
        legEnded(end, &output)
    }

    /// An order that does not leave is reported at once: of what strategies ask for in answer to that, the first is
    /// performed at any one time, so that no answer follows an answer without end.
    private mutating func dropEndlessAnswer(to end: OrderEnd) {
        guard case .notSent = end.outcome, !context.requests.isEmpty else { return }
        if broker.answeredNotSent == now { context.requests.removeAll() }
        broker.answeredNotSent = now
    }

    /// Sends again what the venue has ended though it is wanted.
    private mutating func orderEnded(_ report: OrderReport, _ output: inout EngineOutput) {
        switch report.fact {
        case .cancelled(let cause): restoreOrder(report.order, endedBy: cause, &output)
        case .rejected:
            if !unfinished.isEmpty { recordRejection(of: report.order) }
        case .rejectedByBroker(let message):
            if !unfinished.isEmpty { recordRejection(of: report.order) }
            // The next in it is plain.
            if hasBroker, message.cause != .algorithm { countRejection(of: report.order, &output) }
        case .status, .listedCompleted, .cancelledByBroker, .probeAnswer, .closed:
            // Where these end an order, the ledger knows who wanted that.
            guard let record = orders.record(of: report.order),
                let cause = orders.cancelCause(of: record)
            else { return }
            restoreOrder(report.order, endedBy: cause, &output)
        case .acknowledged, .executed, .commission, .modified, .modificationRefused, .notSent,
            .sendInterrupted, .listedOpen, .heldByBroker, .message, .acknowledgementOverdue,
            .reopened:
            break
        }
    }

    private mutating func book(
        _ costs: CommissionReport, of order: OrderID, _ output: inout EngineOutput
    ) {
        if PlantedBug.commissionLost.isPlanted, !isBooked(costs.execution, of: order) { return }
        let (amount, owner) = orders.charge(costs, of: order)
        // What others pay is no cost of ours.
        if hasBroker, owner == nil { return outside.cash.others -= ExactMoney(amount) }
        portfolio.charge(
            amount, to: owner.map { Holding(of: .strategy($0.strategy), in: $0.instrument) })
        if gate.cashBuffer != nil { checkCash(after: order, &output) }
    }

    /// An execution of an order that was dropped long ago is booked nowhere: nothing is known that it could be
    /// compared with, and the user looks.
    private mutating func latchDropped(_ report: OrderReport, _ output: inout EngineOutput) {
        guard case .executed(let execution) = report.fact else { return }
        latch(
            execution.instrument, for: .unexpectedFill,
            Decision.Subject(instrument: execution.instrument, order: report.order), &output
        ) { Figures(.shares(.value, execution.signedQuantity), .price(.price, execution.price)) }
    }

    /// An execution that is not of an order of ours, not as ordered or more than ordered is real, so it was
    /// booked, and a person looks. It may be in another instrument than its order.
    private mutating func latchUnexpected(
        _ execution: Execution, of order: OrderID, _ strategy: StrategyID?,
        _ output: inout EngineOutput
    ) {
        if strategy == nil {
            noteForeign(execution.instrument, &output)
            guard !isLeftAlone(execution.instrument) else { return }
        }
        latch(
            execution.instrument, for: .unexpectedFill,
            Decision.Subject(strategy: strategy, instrument: execution.instrument, order: order),
            &output
        ) { Figures(.shares(.value, execution.signedQuantity), .price(.price, execution.price)) }
        if let strategy {
            refreshHolding(strategy, execution.instrument)
        } else {
            notifyOfPosition(execution.instrument, &output)
        }
    }

    /// Books an execution, or a newer version of one.
    mutating func book(
        _ execution: Execution, _ how: ExecutionChange, for strategy: StrategyID?
    ) {
        let replaced: Execution?
        switch how {
        case .unchanged: return
        case .added: replaced = nil
        case .replaced(let old): replaced = old
        }
        let owner = Attribution(strategy)
        if hasBroker { broker.filled[Int(execution.instrument.index)] = now }
        if replaced == nil, portfolio.comesLast(execution, for: owner) {
            portfolio.apply(execution, for: owner, settling: days.settlementDay(of: execution))
            return
        }
        var history = orders.executions(of: strategy, in: execution.instrument)
        if let replaced, replaced.instrument != execution.instrument {
            history += orders.executions(of: strategy, in: replaced.instrument)
        }
        let isInPlace = portfolio.rebook(
            execution, replacing: replaced, for: owner, history: history,
            settling: { [days] in days.settlementDay(of: $0) })
        // Older than what orders of long ago left: dividends and splits since then are not in it.
        if !isInPlace { gate.latch(execution.instrument) }
        // Versions of an execution may differ in their instrument too.
        if let replaced, let strategy { refreshHolding(strategy, replaced.instrument) }
    }
}

extension OrderEnd {
    /// The end of an order that is a matter for its strategy: not one that has filled, or whose group or parent
    /// has filled in its place.
    ///
    /// - Parameters:
    ///   - fact: what has ended it.
    ///   - cause: why it was cancelled; `nil` if it was not.
    init?(
        _ record: OrderLedger.Record, by fact: OrderFact, cancelledBy cause: CancelCause?,
        at time: Timestamp
    ) {
        let request = record.ticket.request
        let filled = record.facts.filled
        guard filled < request.quantity else { return nil }
        let outcome: Outcome
        if case .notSent(let cause) = fact, record.state == .notSent {
            outcome = .notSent(cause)
        } else if record.state == .closed {
            outcome = .notAtBroker
        } else if let cause = record.facts.rejected {
            outcome = .rejected(cause)
        } else if let cause, cause != .linked {
            outcome = .cancelled(cause)
        } else {
            return nil
        }
        self.init(
            at: time, order: record.ticket.id, instrument: request.instrument, side: request.side,
            purpose: request.purpose, outcome: outcome, filled: filled,
            remaining: request.quantity - filled)
    }
}
