import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Stops and targets, one pair for the whole position that a strategy has in an instrument.
///
/// `ProtectionPlans` decides what is to be done, the engine gathers what is known and performs it.
/// `keepProtected` runs after everything that moves a position or an order.
extension Engine {
    // MARK: Entries

    /// Sends an entry, and what protects it right behind.
    mutating func open(
        _ side: Side, _ quantity: Quantity, _ intent: Intent, _ output: inout EngineOutput
    ) {
        let index = plans.place(intent.strategy, intent.instrument)
        let isAdd =
            plans.count > 0
            && plans.isAddition(on: side, isEntered: isEntered(intent, side), at: index)
        let rule =
            intent.protection
            ?? (isAdd ? nil : instances[Int(intent.strategy.index)].protection)
        guard let rule else {
            let count = output.commands.count
            send(side, quantity, .entry, intent, &output)
            // What protected a position that is gone is not meant for this one.
            if plans.count > 0, !isAdd, output.commands.count > count {
                cancelOpen(plans.end(at: index), &output)
            }
            return
        }
        guard let type = orderType(intent, side),
            let reference = referencePrice(of: type, intent.instrument),
            let prices = prices(rule, intent, side, at: reference, isEntering: true)
        else { return refuse(.cannotEvaluate, intent, &output) }
        let count = output.commands.count
        send(side, quantity, .entry, intent, &output)
        guard output.commands.count > count, let id = orders.newestID,
            let request = orders.request(of: id)
        else { return }
        guard !isAdd else { return plans.reprice(prices, at: index) }
        let isFlat = heldQuantity(intent.strategy, intent.instrument) == .zero
        cancelOpen(
            plans.begin(ProtectionPlan(side: side, prices: prices), at: index), &output)
        guard isFlat, !PlantedBug.stopNotGrown.isPlanted else { return }
        for leg in ProtectionPlan.Leg.allCases {
            guard let plan = plans[index] else { break }
            perform(plan.bracket(leg, behind: id, request.quantity), at: index, &output)
        }
    }

    /// Whether a strategy holds or is buying (selling, short) something already.
    private func isEntered(_ intent: Intent, _ side: Side) -> Bool {
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        return heldQuantity(intent.strategy, intent.instrument) != .zero
            || (side == .buy ? working.buys : working.sells) > .zero
    }

    /// What an order's price counts as before it trades: its own, else the newest.
    private func referencePrice(of type: OrderType, _ instrument: InstrumentID) -> Price? {
        type.limitPrice ?? type.stopPrice ?? context.market.latestPrice(of: instrument)
    }

    func prices(
        _ rule: Protection, _ intent: Intent, _ side: Side, at reference: Price, isEntering: Bool
    ) -> ProtectionPrices? {
        let basis = ProtectionPrices.Basis(
            side: side, reference: reference,
            ticks: context.market.instruments[Int(intent.instrument.index)].tickSize,
            isEntering: isEntering)
        return ProtectionPrices(rule, basis) { tradedRange(intent, length: $0) }
    }

    /// How far from its price the stop of an entry will be; `nil` where it has none.
    func stopDistance(of side: Side, _ intent: Intent) -> Price? {
        guard let rule = intent.protection ?? instances[Int(intent.strategy.index)].protection,
            let type = orderType(intent, side),
            let reference = referencePrice(of: type, intent.instrument),
            let stop = prices(rule, intent, side, at: reference, isEntering: true)?.stop
        else { return nil }
        if case .trailingStop(let offset) = stop { return offset.distance(from: reference) }
        return stop.stopPrice.map { $0 < reference ? reference - $0 : $0 - reference }
    }

    /// The average true range that an intent's strategy counts in, in prices as traded.
    func tradedRange(_ intent: Intent, length: Int) -> Price? {
        instances[Int(intent.strategy.index)]
            .averageTrueRange(of: intent.instrument, length: length)
            .map { adjustments.traded($0, of: intent.instrument) }
    }

    /// Ends orders that have nothing left to do, where their end is not on its way.
    private mutating func cancelOpen(_ ids: [OrderID], _ output: inout EngineOutput) {
        for id in ids where orders.openNow(id) > .zero { cancelOrder(id, &output) }
    }

    // MARK: Intents about protection

    /// Gives the position held another stop and target. Exits that rest at a price beside them end.
    mutating func protect(_ intent: Intent, _ output: inout EngineOutput) {
        let held = heldQuantity(intent.strategy, intent.instrument)
        let index = plans.place(intent.strategy, intent.instrument)
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        let isEntering = working.buys > .zero || working.sells > .zero
        let former = plans[index]?.side
        guard let rule = intent.protection, held != .zero || former != nil && isEntering
        else { return refuse(.nothingToReduce, intent, &output) }
        let side = held == .zero ? former ?? .buy : held > .zero ? Side.buy : .sell
        guard let reference = context.market.latestPrice(of: intent.instrument),
            let prices = prices(rule, intent, side, at: reference, isEntering: false)
        else { return refuse(.cannotEvaluate, intent, &output) }
        if former == side {
            plans.reprice(prices, at: index)
        } else {
            cancelOpen(
                plans.begin(ProtectionPlan(side: side, prices: prices), at: index), &output)
        }
        // An exit at a price that rests outside the group would leave nothing to protect.
        let group = plans[index]?.group
        cancel(intent, &output) {
            $0.purpose == .exit && $0.restsToReduce && ($0.group == nil || $0.group != group)
        }
    }

    // MARK: What is live against what should be

    /// Makes what was sent behind an entry the plan of its position again, where the entry fills though all of it was
    /// taken to be gone: the broker had it after all.
    mutating func resumePlan(behind entry: OrderID, of owner: OrderLedger.Owner) {
        let index = plans.place(owner.strategy, owner.instrument)
        guard plans[index] == nil else { return }
        // The legs are numbered right behind the entry.
        for (offset, _) in ProtectionPlan.Leg.allCases.enumerated() {
            let id = OrderID(number: entry.number + Int64(offset) + 1)
            guard let request = orders.request(of: id), request.parent == entry,
                let group = request.group
            else { continue }
            plans.adopt(id, request, in: group, at: index)
        }
    }

    /// Makes what is live as protection what it should be.
    mutating func keepProtected(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        let index = plans.place(strategy, instrument)
        defer { noteExposure(of: strategy, instrument, &output) }
        guard let plan = plans[index] else { return }
        if outside[instrument].isSuspended { return cancelOpen(plan.orders, &output) }
        if outside[instrument].awaitsSplit { return }
        // What cannot leave now would be placed and reported without end: it is placed with the next comparison.
        if broker.protectionNotSent[instrument] == now { return }
        let held = plan.side.signed(heldQuantity(strategy, instrument))
        perform(
            plan.audit(held: held, isLatched: gate.isLatched(instrument)), at: index, &output)
        var isWorking = false
        var position = coverFacts(plan, held, strategy, instrument)
        for leg in ProtectionPlan.Leg.allCases {
            guard let plan = plans[index] else { break }
            let facts = LegFacts(position: position, order: legOrder(leg, of: plan))
            isWorking = isWorking || facts.order.isListed
            let count = output.commands.count
            perform(plans.keep(leg, facts, at: index), at: index, &output)
            // The first may have changed what the second finds.
            guard let changed = plans[index],
                output.commands.count > count || changed.group != plan.group
            else { continue }
            position = coverFacts(changed, held, strategy, instrument)
        }
        let working = orders.working.strategy(strategy, in: instrument)
        plans.endIfOver(
            at: index, held: held,
            isEntering: (plan.side == .buy ? working.buys : working.sells) > .zero,
            isWorking: isWorking)
    }

    func coverFacts(
        _ plan: ProtectionPlan, _ held: Quantity, _ strategy: StrategyID, _ instrument: InstrumentID
    ) -> CoverFacts {
        var facts = CoverFacts(held: held)
        facts.otherExits = orders.linkedExits(of: strategy, in: instrument) {
            $0.group == nil || $0.group != plan.group
        }
        guard let exit = deferredExits.exit(of: strategy, in: instrument) else { return facts }
        // What an exit at a price outside the group keeps from being sold is its own to cover.
        let beside = orders.linkedExits(of: strategy, in: instrument) {
            $0.restsToReduce(besides: exit.intent) && ($0.group == nil || $0.group != plan.group)
        }
        facts.waiting = CoverFacts.WaitingExit(kept: exit.kept, beside: beside)
        return facts
    }

    private func legOrder(_ leg: ProtectionPlan.Leg, of plan: ProtectionPlan) -> LegOrder {
        let id = plan.order(of: leg)
        if let id, orders.isListed(id), let request = orders.request(of: id) {
            return listedLeg(id, request)
        }
        let record = id.flatMap { orders.record(of: $0) }
        var missing = MissingLeg(end: record.map { end(of: $0) }, today: days.today)
        missing.mayJoinLate = !hasBroker
        if let group = plan.group {
            missing.isGroupLive = orders.isAnyLive(in: group)
            missing.groupFilled = orders.groupFilled(group)
        }
        return .missing(missing)
    }

    private func listedLeg(_ id: OrderID, _ request: OrderRequest) -> LegOrder {
        guard orders.isSettled(id) else { return .unsettled }
        return .working(
            WorkingLeg(
                id: id, terms: LegTerms(type: request.type, quantity: request.quantity),
                open: orders.openNow(id), parentOpen: orders.parentOpen(of: request),
                parentUnfilled: orders.parentUnfilled(of: request),
                groupFilled: orders.groupFilled(request.group)))
    }

    private func end(of record: OrderLedger.Record) -> LegEnd {
        var end = LegEnd(rejected: record.facts.rejected, cancelled: orders.cancelCause(of: record))
        if end.cancelled == .linked {
            let request = record.ticket.request
            let gone = orders.groupFilled(request.group).adding(orders.parentUnfilled(of: request))
            end.isExplained = gone >= request.quantity
        }
        return end
    }

    // MARK: Performing

    /// Does what a plan asks for.
    private mutating func perform(
        _ action: ProtectionAction, at index: Int, _ output: inout EngineOutput
    ) {
        switch action {
        case .none: break
        case .place(let ticket): submit(ticket, at: index, &output)
        case .change(let id, let terms): modify(id, to: terms, &output)
        case .cancel(let id): cancelOrder(id, &output)
        case .giveUp: noteGivenUp(plans.owner(of: index), &output)
        case .latchWrongSide(let held):
            let owner = plans.owner(of: index)
            latch(
                owner.instrument, for: .wrongSide,
                Decision.Subject(strategy: owner.strategy, instrument: owner.instrument), &output
            ) { Figures(.shares(.held, held)) }
        }
    }

    /// Sends a leg if the gate allows it.
    private mutating func submit(
        _ ticket: LegTicket, at index: Int, _ output: inout EngineOutput
    ) {
        let owner = plans.owner(of: index)
        let type = ticket.terms.type
        let group = ticket.group ?? orders.makeGroup()
        let request = OrderRequest(
            strategy: owner.strategy, instrument: owner.instrument, side: ticket.side,
            quantity: ticket.terms.quantity, type: type, timeInForce: .goodTillCancelled,
            purpose: .protection, reason: reason(for: type), parent: ticket.parent,
            group: group, outsideRTH: held.rules.outsideRTH)
        // What cannot leave now is no failure: it is looked at again when the link is ready.
        guard permissions.areOpen || permissions.mayLeave(.protection) else { return }
        guard case .approved(let approved) = gate.review(request, given: facts(about: request))
        else {
            let next = plans.record(ticket, as: nil, in: group, at: index)
            return perform(next, at: index, &output)
        }
        _ = submit(approved, &output)
        let subject = Decision.Subject(orders.newestID, approved.request)
        let price = type.stopPrice ?? type.limitPrice
        let figures = Figures(
            .shares(.asked, approved.request.quantity),
            price.map { .price(.price, $0) } ?? .none)
        decide(
            .submitted(.protection), about: subject, because: request.reason, &output
        ) { figures }
        decide(
            .protectionPlaced, about: subject, because: request.reason, &output
        ) { figures }
        let next = plans.record(ticket, as: orders.newestID, in: group, at: index)
        perform(next, at: index, &output)
    }

    /// Changes a leg to what the gate allows.
    private mutating func modify(
        _ id: OrderID, to terms: LegTerms, _ output: inout EngineOutput
    ) {
        guard let request = orders.request(of: id) else { return }
        let renewed = request.with(quantity: terms.quantity)
            .with(type: terms.type, because: reason(for: terms.type))
        guard case .approved(let approved) = gate.review(renewed, given: facts(about: renewed))
        else { return }
        let refused = orders.refusedChange(of: id)
        switch LegChange(to: approved.request, from: request, refused: refused) {
        case .none: break
        case .cancel: cancelOrder(id, request, &output)
        case .modify:
            guard let command = orders.modify(id, to: approved, at: now) else { return }
            output.commands.append(command)
            if hasBroker { countMessage(about: id) }
            awaitChange(&output)
            noteChange(of: id, from: request, to: approved.request, &output)
        }
    }

    /// Reports that nothing more is sent for a position that the venue does not let be protected.
    private mutating func noteGivenUp(
        _ owner: OrderLedger.Owner, _ output: inout EngineOutput
    ) {
        if PlantedBug.givenUpSilently.isPlanted { return }
        let subject = Decision.Subject(strategy: owner.strategy, instrument: owner.instrument)
        let held = heldQuantity(owner.strategy, owner.instrument)
        latch(owner.instrument, for: .protectionFailed, subject, &output)
        decide(.protectionMissing, about: subject, &output) { Figures(.shares(.held, held)) }
        refuse(
            .protectionFailed, about: subject, as: .protect, because: .none, &output
        ) { Figures(.shares(.held, held)) }
    }

    private mutating func noteChange(
        of id: OrderID, from former: OrderRequest, to request: OrderRequest,
        _ output: inout EngineOutput
    ) {
        let subject = Decision.Subject(id, request)
        let price = request.type.stopPrice ?? request.type.limitPrice
        let figures = Figures(
            .shares(.asked, request.quantity), price.map { .price(.price, $0) } ?? .none)
        decide(
            .modified(request.purpose), about: subject, because: request.reason, &output
        ) { figures }
        guard former.type != request.type else { return }
        decide(
            .protectionMoved, about: subject, because: request.reason, &output
        ) { figures }
    }

    private mutating func reason(for type: OrderType) -> TextID {
        switch type {
        case .trailingStop: context.number(of: "trailing stop")
        case .stop, .stopLimit: context.number(of: "stop")
        case .market, .limit, .marketOnOpen, .limitOnOpen, .marketOnClose, .limitOnClose:
            context.number(of: "target")
        }
    }

    // MARK: Splits and people

    /// Brings a plan to the prices of split shares, as the venue does its orders.
    mutating func adjustPlan(
        _ strategy: StrategyID, _ instrument: InstrumentID, by ratio: SplitRatio,
        _ output: inout EngineOutput
    ) {
        let index = plans.place(strategy, instrument)
        let ticks = context.market.instruments[Int(instrument.index)].tickSize
        perform(plans.split(by: ratio, ticks, at: index), at: index, &output)
    }

    /// A person has looked: what was given up is tried again.
    mutating func resumePlans(_ output: inout EngineOutput) {
        for index in plans.placesGivenUp {
            let endedAt = (plans[index]?.orders ?? []).filter {
                orders.record(of: $0)?.isListed != true
            }
            plans.retry(at: index, without: endedAt)
            let owner = plans.owner(of: index)
            keepProtected(owner.strategy, owner.instrument, &output)
        }
    }

    // MARK: Small things

    /// What a strategy holds in an instrument; negative is short.
    func heldQuantity(_ strategy: StrategyID, _ instrument: InstrumentID) -> Quantity {
        portfolio.ledger(of: .strategy(strategy), in: instrument).quantity
    }
}

extension LegOrder {
    /// True if an order of the leg works.
    fileprivate var isListed: Bool {
        switch self {
        case .unsettled, .working: true
        case .missing: false
        }
    }
}
