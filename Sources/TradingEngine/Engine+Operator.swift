import Accounting
import MarketState
public import Model
import Orders
import Primitives
import Risk
import Signals

/// The user's instructions to a running engine, and what comes from other programs.
extension Engine {
    /// Performs an instruction. One about an id that the run does not have changes nothing.
    @usableFromInline
    mutating func apply(_ request: OperatorRequest, into output: inout EngineOutput) {
        context.time = now
        guard isKnown(request.action) else { return }
        decide(.instructed(request.kind), about: request.action.subject, &output)
        switch request.action {
        case .halt: halt(for: .operatorRequest, into: &output)
        case .kill: halt(for: .killed, into: &output)
        case .resume(let cause): lift(cause, into: &output)
        case .resumeAll: resume(into: &output)
        case .clearLatch(let instrument): clearLatch(instrument, &output)
        case .stopEntries(let strategy):
            permissions.setStopped(strategy, true)
            cancelEntries(within: .strategy(strategy), &output)
        case .startEntries(let strategy): permissions.setStopped(strategy, false)
        case .cancel(let scope): cancel(within: scope, &output)
        case .flatten(let scope): flatten(scope, &output)
        case .resolve(let order, let evidence): resolve(order, evidence, &output)
        case .bookExecution(let order, let execution):
            record(OrderReport(order: order, fact: .executed(execution)), &output)
        case .adopt(let instrument):
            permissions.give(instrument, to: .us)
            acceptGap(of: instrument)
            clearLatch(instrument, &output)
        case .disown(let instrument):
            permissions.give(instrument, to: .user)
            cancelEntries(within: .instrument(instrument), &output)
        case .confirmSplit(let instrument, let ratio): confirmSplit(ratio, of: instrument, &output)
        case .cash(let movement):
            outside.cash.name(movement.amount)
            recordCash(movement, into: &output)
        }
        takeNotes(into: &output)
    }

    private func isKnown(_ action: OperatorRequest.Action) -> Bool {
        switch action {
        case .halt, .resume, .resumeAll, .kill: true
        case .cash(let movement): isKnown(movement.instrument)
        case .clearLatch(let instrument), .adopt(let instrument), .disown(let instrument),
            .confirmSplit(let instrument, _):
            isKnown(instrument)
        case .stopEntries(let strategy), .startEntries(let strategy): isKnown(strategy)
        case .cancel(let scope), .flatten(let scope): isKnown(scope)
        case .resolve(let order, _): orders.request(of: order) != nil
        case .bookExecution(_, let execution): isKnown(execution.instrument)
        }
    }

    private func isKnown(_ scope: OperatorRequest.Scope) -> Bool {
        switch scope {
        case .order, .all: true
        case .instrument(let instrument): isKnown(instrument)
        case .strategy(let strategy): isKnown(strategy)
        }
    }

    private func isKnown(_ instrument: InstrumentID?) -> Bool {
        guard let instrument else { return true }
        return isKnown(instrument)
    }

    func isKnown(_ strategy: StrategyID) -> Bool {
        strategy.index >= 0 && Int(strategy.index) < instances.count
    }

    func isKnown(_ instrument: InstrumentID) -> Bool {
        instrument.index >= 0 && Int(instrument.index) < instrumentCount
    }

    /// Lets entries in one instrument go on, with its protection.
    private mutating func clearLatch(_ instrument: InstrumentID, _ output: inout EngineOutput) {
        outside[instrument].awaitsSplit = false
        release(instrument, &output)
        guard gate.isLatched(instrument) else { return }
        gate.clearLatch(instrument)
        decide(.latchCleared, about: Decision.Subject(instrument: instrument), &output)
        if plans.count > 0 { resumePlans(&output) }
    }

    // MARK: Cancel and flatten

    /// Cancels entries within a scope, those that are held for their window among them; of an order that is
    /// named, whatever it is for.
    private mutating func cancel(
        within scope: OperatorRequest.Scope, _ output: inout EngineOutput
    ) {
        if case .order(let id) = scope { return cancelOrder(id, &output) }
        cancelEntries(within: scope, &output)
    }

    /// Cancels entries within a scope, those that are held for their window among them.
    mutating func cancelEntries(
        within scope: OperatorRequest.Scope, _ output: inout EngineOutput
    ) {
        dropHeldEntries(for: .withdrawn, &output) { intent in
            scope.contains(intent.strategy, intent.instrument)
        }
        timed.forgetUnproven { scope.contains($0, $1) }
        for id in orders.liveEntries {
            guard let request = orders.request(of: id),
                scope.contains(request.strategy, request.instrument)
            else { continue }
            timed.forget(id)
            cancelOrder(id, request, &output)
        }
    }

    /// Closes what is held within a scope, and stands by it until it is closed.
    private mutating func flatten(
        _ scope: OperatorRequest.Scope, _ output: inout EngineOutput
    ) {
        var scope = scope
        var only: InstrumentID?
        if case .order(let id) = scope {
            guard let request = orders.request(of: id) else { return }
            cancelOrder(id, request, &output)
            (scope, only) = (.strategy(request.strategy), request.instrument)
        }
        cancelEntries(within: only.map { .instrument($0) } ?? scope, &output)
        for strategy in 0..<instances.count {
            for index in 0..<instrumentCount {
                let (owner, instrument) = (
                    StrategyID(index: strategy), InstrumentID(index: index)
                )
                guard scope.contains(owner, instrument), only == nil || only == instrument,
                    portfolio.ledger(of: .strategy(owner), in: instrument).quantity != .zero
                else { continue }
                keepExiting(of: owner, in: instrument, because: .operatorRequest)
            }
        }
        reviewUnfinishedExits(into: &output)
    }

    // MARK: Orders and money

    private mutating func resolve(
        _ order: OrderID, _ evidence: OrderEvidence, _ output: inout EngineOutput
    ) {
        switch evidence {
        case .notAtBroker: close(order, because: .operatorDecision, &output)
        case .working: record(OrderReport(order: order, fact: .status(.submitted)), &output)
        case .cancelled: record(OrderReport(order: order, fact: .cancelled(.external)), &output)
        }
        orders.setInquired(order, false)
    }

    private mutating func confirmSplit(
        _ ratio: SplitRatio, of instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        guard let today = days.today else { return }
        let action = CorporateAction(instrument: instrument, exDay: today, kind: .split(ratio))
        // Confirmed twice on a day, it is still one.
        guard !portfolio.actions(in: instrument).contains(where: { $0.action == action }) else {
            return
        }
        recordAction(action, into: &output)
    }

    /// Books money that came or went.
    @usableFromInline
    mutating func recordCash(_ movement: CashMovement, into output: inout EngineOutput) {
        let subject = Decision.Subject(instrument: movement.instrument)
        decide(.cashMoved(movement.cause), about: subject, &output) {
            Figures(.money(.value, movement.amount))
        }
        switch movement.cause {
        case .transfer, .unknown:
            portfolio.recordCashFlow(movement.amount)
            monitor.losses?.shift(by: ExactMoney(movement.amount))
        case .dividend: portfolio.recordIncome(movement.amount)
        case .interest: portfolio.recordInterest(movement.amount)
        case .fee: portfolio.charge(Money(units: 0 &- movement.amount.units), as: .commission)
        }
    }

    // MARK: Other programs

    /// Applies a row of another program's table, once.
    @usableFromInline
    mutating func apply(_ signal: ExternalSignal, into output: inout EngineOutput) {
        context.time = now
        guard isKnown(signal.strategy), isKnown(signal.instrument) else { return }
        let index = Int(signal.strategy.index)
        guard signal.row > instances[index].newestSignal else {
            return decide(
                .signalRepeated,
                about: Decision.Subject(
                    strategy: signal.strategy, instrument: signal.instrument), &output
            ) { Figures(.count(.value, Int(signal.row))) }
        }
        instances[index].newestSignal = signal.row
        // Prices are as traded, not as strategies see them: nothing is converted.
        let intent = Intent(signal).received(
            as: log.nextIntent(), because: context.number(of: "external signal"), group: 0)
        decide(
            .intentReceived(intent.kind), about: Decision.Subject(intent), because: intent.reason,
            &output)
        accept(intent, into: &output)
        takeNotes(into: &output)
    }

    /// Shows strategies what the shadow account of an instrument has come to.
    @usableFromInline
    mutating func report(_ result: ShadowResult, into output: inout EngineOutput) {
        context.time = now
        guard isKnown(result.instrument) else { return }
        for index in 0..<instances.count where isShown(result.instrument, to: index) {
            context.strategy = StrategyID(index: index)
            instances[index].strategy.shadowReported(result, &context)
        }
        if !context.requests.isEmpty { performRequests(into: &output) }
        takeNotes(into: &output)
    }
}

extension Intent {
    /// What a row of another program's table asks for.
    fileprivate init(_ signal: ExternalSignal) {
        let goal: Goal =
            switch signal.target {
            case .quantity(let quantity): .target(quantity)
            case .weight(let weight): .weight(weight)
            }
        self.init(
            strategy: signal.strategy, instrument: signal.instrument, goal: goal,
            terms: signal.limit.map { .limit($0) } ?? .market,
            protection: signal.stop.map { Protection(stop: .price($0)) })
    }
}

extension OperatorRequest.Scope {
    /// True if a strategy's orders in an instrument are within it.
    func contains(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        switch self {
        case .order: false
        case .instrument(let meant): meant == instrument
        case .strategy(let meant): meant == strategy
        case .all: true
        }
    }
}

extension OperatorRequest.Action {
    /// What it is about.
    fileprivate var subject: Decision.Subject {
        switch self {
        case .halt, .resume, .resumeAll, .kill, .cancel(.all), .flatten(.all), .cash:
            Decision.Subject()
        case .clearLatch(let instrument), .adopt(let instrument), .disown(let instrument),
            .confirmSplit(let instrument, _), .cancel(.instrument(let instrument)),
            .flatten(.instrument(let instrument)):
            Decision.Subject(instrument: instrument)
        case .stopEntries(let strategy), .startEntries(let strategy),
            .cancel(.strategy(let strategy)), .flatten(.strategy(let strategy)):
            Decision.Subject(strategy: strategy)
        case .cancel(.order(let order)), .flatten(.order(let order)), .resolve(let order, _):
            Decision.Subject(order: order)
        case .bookExecution(let order, let execution):
            Decision.Subject(instrument: execution.instrument, order: order)
        }
    }
}
