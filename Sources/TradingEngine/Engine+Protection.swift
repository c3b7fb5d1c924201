import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// An exit that waits for orders in its way.
struct DeferredExit: Sendable {
    /// The intent.
    let intent: Intent
    /// How much of the position, without its sign, is not meant to be sold.
    let kept: Quantity

    /// Whether it is about that position.
    func isOf(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        intent.strategy == strategy && intent.instrument == instrument
    }
}

/// Stops and targets, one pair for the whole position that a strategy has in an instrument.
///
/// A plan says what the pair shall be. `keepProtected` compares that with the orders there are and sends,
/// changes or cancels what differs; it runs after everything that moves one of the two, so nothing has to
/// be remembered in between. A change or cancellation under way is waited for: its answer calls again.
extension Engine {
    // MARK: Entries

    /// Sends an entry, and what protects it right behind.
    mutating func open(
        _ side: Side, _ quantity: Quantity, _ intent: Intent, _ output: inout EngineOutput
    ) {
        let index = planIndex(intent.strategy, intent.instrument)
        let isAdd = plans[index].map { $0.side == side && isEntered(intent, side) } ?? false
        let rule =
            intent.protection
            ?? (isAdd ? nil : instances[Int(intent.strategy.index)].protection)
        guard let rule else {
            let count = output.commands.count
            send(side, quantity, .entry, intent, &output)
            // What protected a position that is gone is not meant for this one.
            if planCount > 0, !isAdd, output.commands.count > count { removePlan(index, &output) }
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
        let parent = OrderTicket(id: id, request: request)
        if isAdd {
            plans[index]?.prices = prices
        } else {
            let isFlat = heldQuantity(intent.strategy, intent.instrument) == .zero
            replacePlan(index, ProtectionPlan(side: side, prices: prices), &output)
            if isFlat { bracket(parent, index, &output) }
        }
    }

    /// Whether a strategy holds or is buying (selling, short) something already.
    private mutating func isEntered(_ intent: Intent, _ side: Side) -> Bool {
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        return heldQuantity(intent.strategy, intent.instrument) != .zero
            || (side == .buy ? working.buys : working.sells) > .zero
    }

    /// What an order's price counts as before it trades: its own, else the newest.
    private mutating func referencePrice(of type: OrderType, _ instrument: InstrumentID) -> Price? {
        type.limitPrice ?? type.stopPrice ?? context.market.latestPrice(of: instrument)
    }

    private mutating func prices(
        _ rule: Protection, _ intent: Intent, _ side: Side, at reference: Price, isEntering: Bool
    ) -> ProtectionPrices? {
        let basis = ProtectionPrices.Basis(
            side: side, reference: reference,
            ticks: context.market.instruments[Int(intent.instrument.index)].tickSize,
            isEntering: isEntering)
        return ProtectionPrices(rule, basis) { tradedRange(intent, length: $0) }
    }

    /// How far from its price the stop of an entry will be; `nil` where it has none.
    mutating func stopDistance(of side: Side, _ intent: Intent) -> Price? {
        guard let rule = intent.protection ?? instances[Int(intent.strategy.index)].protection,
            let type = orderType(intent, side),
            let reference = referencePrice(of: type, intent.instrument),
            let stop = prices(rule, intent, side, at: reference, isEntering: true)?.stop
        else { return nil }
        if case .trailingStop(let offset) = stop { return offset.distance(from: reference) }
        return stop.stopPrice.map { $0 < reference ? reference - $0 : $0 - reference }
    }

    /// The average true range that an intent's strategy counts in, in prices as traded.
    mutating func tradedRange(_ intent: Intent, length: Int) -> Price? {
        instances[Int(intent.strategy.index)]
            .averageTrueRange(of: intent.instrument, length: length)
            .map { adjustments.traded($0, of: intent.instrument) }
    }

    /// Puts a plan in the place of another, whose orders have nothing left to do.
    private mutating func replacePlan(
        _ index: Int, _ plan: ProtectionPlan, _ output: inout EngineOutput
    ) {
        removePlan(index, &output)
        plans[index] = plan
        planCount += 1
    }

    private mutating func removePlan(_ index: Int, _ output: inout EngineOutput) {
        guard let plan = plans[index] else { return }
        for leg in [plan.stop, plan.target] {
            guard let leg, orders.openNow(leg) > .zero else { continue }
            cancelOrder(leg, &output)
        }
        plans[index] = nil
        planCount -= 1
    }

    /// Sends the pair behind its parent, which it waits for.
    private mutating func bracket(
        _ parent: OrderTicket, _ index: Int, _ output: inout EngineOutput
    ) {
        guard var plan = plans[index] else { return }
        let part = ProtectedPart(
            strategy: parent.request.strategy, instrument: parent.request.instrument,
            quantity: parent.request.quantity, parent: parent.id)
        for leg in ProtectionPlan.Leg.allCases { send(leg, of: &plan, for: part, &output) }
        plans[index] = plan
    }

    // MARK: Intents about protection

    /// Gives the position held another stop and target. Exits that rest at a price beside them end.
    mutating func protect(_ intent: Intent, _ output: inout EngineOutput) {
        let held = heldQuantity(intent.strategy, intent.instrument)
        let index = planIndex(intent.strategy, intent.instrument)
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        let isEntering = working.buys > .zero || working.sells > .zero
        guard let rule = intent.protection, held != .zero || plans[index] != nil && isEntering
        else { return refuse(.nothingToReduce, intent, &output) }
        let side = held == .zero ? plans[index]?.side ?? .buy : held > .zero ? Side.buy : .sell
        guard let reference = context.market.latestPrice(of: intent.instrument),
            let prices = prices(rule, intent, side, at: reference, isEntering: false)
        else { return refuse(.cannotEvaluate, intent, &output) }
        if plans[index]?.side == side {
            plans[index]?.prices = prices
        } else {
            replacePlan(index, ProtectionPlan(side: side, prices: prices), &output)
        }
        // An exit at a price that rests outside the group would leave nothing to protect.
        let group = plans[index]?.group
        cancel(intent, &output) {
            $0.purpose == .exit && $0.restsToReduce && ($0.group == nil || $0.group != group)
        }
    }

    /// Reduces a position that is protected.
    ///
    /// At the market the pair makes room first: it is cancelled before all is sold, and lessened before a
    /// part is. An exit that waits for a price or an auction joins the group instead, so that the position
    /// keeps its stop meanwhile.
    mutating func reduceProtected(
        by excess: Quantity, of size: Quantity, _ intent: Intent, _ output: inout EngineOutput
    ) {
        let kept = size - excess
        let isAtMarket = intent.orderType == .market
        if kept == .zero, isAtMarket, clearWay(intent, &output) { return }
        if awaitEndingExits(intent, &output) { return }
        let leaving = orders.linkedExits(of: intent.strategy, in: intent.instrument) {
            $0.purpose == .exit
        }
        guard excess > leaving else { return }
        let group = plans[planIndex(intent.strategy, intent.instrument)]?.group
        if let group, !isAtMarket, orders.isAnyLive(in: group) {
            // What the group shall have filled when the exit is done.
            return sendExit(sum(excess, orders.groupFilled(group)), intent, in: group, &output)
        }
        // Exits at a price are in the group, and so beside the pair, not beside this one.
        let beside = orders.linkedExits(of: intent.strategy, in: intent.instrument) {
            $0.purpose == .exit && $0.restsToReduce(besides: intent)
        }
        guard resting(besides: intent) <= sum(kept, beside) else {
            return deferExit(intent, keeping: sum(kept, beside), &output)
        }
        sendExit(excess - leaving, intent, &output)
    }

    private mutating func sendExit(
        _ quantity: Quantity, _ intent: Intent, in group: OrderGroupID? = nil,
        _ output: inout EngineOutput
    ) {
        let held = heldQuantity(intent.strategy, intent.instrument)
        send(held > .zero ? .sell : .buy, quantity, .exit, intent, in: group, &output)
    }

    // MARK: What is live against what should be

    /// Makes what is live as protection what it should be.
    mutating func keepProtected(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        let index = planIndex(strategy, instrument)
        guard var plan = plans[index] else { return }
        let held = plan.side.signed(heldQuantity(strategy, instrument))
        // The other side was opened: no order of ours means that.
        if held < .zero, !gate.isLatched(instrument) {
            latch(
                instrument, for: .wrongSide,
                Decision.Subject(strategy: strategy, instrument: instrument), &output
            ) { Figures(.shares(.held, held)) }
        }
        let exit = deferredExits.first { $0.isOf(strategy, instrument) }
        var isWorking = false
        for leg in ProtectionPlan.Leg.allCases {
            // The first may have changed what the second finds.
            let cover = cover(plan, held, strategy, instrument)
            if let id = plan[leg], orders.record(of: id)?.isListed == true {
                isWorking = true
                keep(leg, id, of: plan, cover, isLeaving: exit?.kept == .zero, &output)
            } else if plan.prices[leg] != nil, cover > .zero {
                restore(leg, of: &plan, cover, strategy, instrument, &output)
            }
        }
        let working = orders.working.strategy(strategy, in: instrument)
        let isEntering = (plan.side == .buy ? working.buys : working.sells) > .zero
        let isOver = held == .zero && !isWorking && !isEntering
        plans[index] = isOver ? nil : plan
        if isOver { planCount -= 1 }
    }

    /// How much of a position its own orders shall cover: what no other exit sells.
    private mutating func cover(
        _ plan: ProtectionPlan, _ held: Quantity, _ strategy: StrategyID, _ instrument: InstrumentID
    ) -> Quantity {
        let others = orders.linkedExits(of: strategy, in: instrument) {
            $0.group == nil || $0.group != plan.group
        }
        let left = max(held - others, .zero)
        guard let exit = deferredExits.first(where: { $0.isOf(strategy, instrument) }) else {
            return left
        }
        // What an exit at a price outside the group keeps from being sold is its own to cover.
        let beside = orders.linkedExits(of: strategy, in: instrument) {
            $0.restsToReduce(besides: exit.intent) && ($0.group == nil || $0.group != plan.group)
        }
        return min(left, max(exit.kept - beside, .zero))
    }

    /// Changes a leg that works, or ends it.
    private mutating func keep(
        _ leg: ProtectionPlan.Leg, _ id: OrderID, of plan: ProtectionPlan, _ cover: Quantity,
        isLeaving: Bool, _ output: inout EngineOutput
    ) {
        guard orders.isSettled(id), let request = orders.request(of: id) else { return }
        let isAwaited = !isLeaving && orders.parentOpen(of: request) > .zero
        guard let type = plan.prices[leg], cover > .zero || isAwaited else {
            // Where nothing is open its end is on its way.
            if orders.openNow(id) > .zero { cancelOrder(id, request, &output) }
            return
        }
        let quantity = sum(
            sum(cover, orders.groupFilled(request.group)), orders.parentUnfilled(of: request))
        let wanted = request.with(quantity: quantity).with(type: type, because: reason(for: type))
        guard wanted != request else { return }
        guard case .approved(let approved) = gate.review(wanted, given: facts(about: wanted)),
            approved.request != request
        else { return }
        // What cannot be changed is sent anew at its end.
        guard orders.refusedChange(of: id) != approved.request else {
            return cancelOrder(id, request, &output)
        }
        guard let command = orders.modify(id, to: approved, at: now) else { return }
        output.commands.append(command)
        noteChange(of: id, from: request, to: approved.request, &output)
    }

    /// Sends a leg that is missing, unless it is on its way or the venue keeps ending it.
    private mutating func restore(
        _ leg: ProtectionPlan.Leg, of plan: inout ProtectionPlan, _ cover: Quantity,
        _ strategy: StrategyID, _ instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        guard !plan.isGivenUp else { return }
        if let id = plan[leg], let record = orders.record(of: id) {
            switch loss(record) {
            case .none: break
            case .unexplained: return
            case .byVenue:
                if plan.day != days.today { plan.losses = 0 }
                plan.day = days.today
                plan.losses += 1
                if plan.losses > ProtectionPlan.lossesMax {
                    return giveUp(&plan, strategy, instrument, &output)
                }
            case .rejected: return giveUp(&plan, strategy, instrument, &output)
            }
        }
        // With no order of the group left all it has filled is known: the next pair begins anew.
        if let group = plan.group, !orders.isAnyLive(in: group) { plan.group = nil }
        let quantity = sum(cover, orders.groupFilled(plan.group))
        let part = ProtectedPart(
            strategy: strategy, instrument: instrument, quantity: quantity, parent: nil)
        let count = output.commands.count
        send(leg, of: &plan, for: part, &output)
        if output.commands.count == count { giveUp(&plan, strategy, instrument, &output) }
    }

    /// What became of a leg that works no more.
    private enum Loss {
        /// We ended it, or it filled.
        case none
        /// Another of its group filled in its place, and that has not been told yet.
        case unexplained
        /// The venue ended it.
        case byVenue
        /// The venue refused it.
        case rejected
    }

    private mutating func loss(_ record: OrderLedger.Record) -> Loss {
        let request = record.ticket.request
        if let cause = record.facts.rejected {
            switch cause {
            // What it waited for never came; the position is from elsewhere.
            case .noParent: return .none
            case .priceNotOnTick, .invalidTerms, .notTradable, .byBroker: return .rejected
            }
        }
        switch record.facts.cancelled {
        case nil, .requested: return .none
        case .linked:
            let gone = sum(
                orders.groupFilled(request.group), orders.parentUnfilled(of: request))
            return gone < request.quantity ? .unexplained : .none
        case .expired, .external: return .byVenue
        }
    }

    /// Sends nothing more for a position that the venue does not let be protected, and says so.
    private mutating func giveUp(
        _ plan: inout ProtectionPlan, _ strategy: StrategyID, _ instrument: InstrumentID,
        _ output: inout EngineOutput
    ) {
        plan.isGivenUp = true
        let subject = Decision.Subject(strategy: strategy, instrument: instrument)
        let held = heldQuantity(strategy, instrument)
        latch(instrument, for: .protectionFailed, subject, &output)
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

    /// What a leg shall be sent for.
    private struct ProtectedPart {
        let strategy: StrategyID
        let instrument: InstrumentID
        let quantity: Quantity
        let parent: OrderID?
    }

    /// Sends a leg, if the plan has it and the gate allows it.
    private mutating func send(
        _ leg: ProtectionPlan.Leg, of plan: inout ProtectionPlan, for part: ProtectedPart,
        _ output: inout EngineOutput
    ) {
        guard let type = plan.prices[leg] else { return }
        if plan.group == nil { plan.group = orders.makeGroup() }
        let request = OrderRequest(
            strategy: part.strategy, instrument: part.instrument, side: plan.side.opposite,
            quantity: part.quantity, type: type, timeInForce: .goodTillCancelled,
            purpose: .protection, reason: reason(for: type), parent: part.parent,
            group: plan.group, outsideRTH: held.rules.outsideRTH)
        guard case .approved(let approved) = gate.review(request, given: facts(about: request))
        else { return }
        output.commands.append(orders.submit(approved, at: now))
        plan[leg] = orders.newestID
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
        let index = planIndex(strategy, instrument)
        guard var plan = plans[index] else { return }
        let ticks = context.market.instruments[Int(instrument.index)].tickSize
        if let prices = plan.prices.adjusted(by: ratio, ticks, plan.side) {
            plan.prices = prices
            plan.losses = 0
        } else {
            giveUp(&plan, strategy, instrument, &output)
        }
        plans[index] = plan
    }

    /// What waits for orders that end with the old shares is asked for in new ones.
    mutating func convertDeferredExits(_ ratio: SplitRatio, of instrument: InstrumentID) {
        deferredExits = deferredExits.compactMap { exit in
            guard exit.intent.instrument == instrument else { return exit }
            guard let intent = exit.intent.converted(by: ratio) else { return nil }
            let kept = ratio.exchanged(exit.kept)?.whole ?? .magnitudeMax
            return DeferredExit(intent: intent, kept: min(kept, .magnitudeMax))
        }
    }

    /// A person has looked: what was given up is tried again.
    mutating func resumePlans(_ output: inout EngineOutput) {
        for index in 0..<plans.count where plans[index]?.isGivenUp == true {
            plans[index]?.isGivenUp = false
            plans[index]?.losses = 0
            for leg in ProtectionPlan.Leg.allCases {
                guard let id = plans[index]?[leg], orders.record(of: id)?.isListed != true else {
                    continue
                }
                plans[index]?[leg] = nil
            }
            keepProtected(
                StrategyID(index: index / instrumentCount),
                InstrumentID(index: index % instrumentCount), &output)
        }
    }

    // MARK: Small things

    /// Takes plans and exits that wait into a digest.
    func hashProtection(into hasher: inout StateHasher) {
        for exit in deferredExits {
            exit.intent.hash(into: &hasher)
            hasher.combine(exit.kept)
        }
        guard planCount > 0 else { return }
        for index in 0..<plans.count {
            guard let plan = plans[index] else { continue }
            hasher.combine(index)
            plan.hash(into: &hasher)
        }
    }

    /// Where the plan of a strategy in an instrument is.
    mutating func planIndex(_ strategy: StrategyID, _ instrument: InstrumentID) -> Int {
        Int(strategy.index) * instrumentCount + Int(instrument.index)
    }

    private mutating func heldQuantity(_ strategy: StrategyID, _ instrument: InstrumentID)
        -> Quantity
    {
        portfolio.ledger(of: .strategy(strategy), in: instrument).quantity
    }

    /// The sum, at most what an edge accepts.
    private func sum(_ left: Quantity, _ right: Quantity) -> Quantity {
        let sum = Int128(left.units) + Int128(right.units)
        return min(Quantity(units: Int64(clamping: sum)), .magnitudeMax)
    }
}
