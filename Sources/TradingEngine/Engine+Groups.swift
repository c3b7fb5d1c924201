import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// What one leg of a group would need.
private enum LegPreview {
    /// Nothing that can be refused: it reduces a position, or there is nothing to do.
    case passes
    /// An order that opens or enlarges a position.
    case order(OrderRequest)
    /// It cannot be turned into an order.
    case refused(Refusal, Figures)
}

/// Intents that go together pass risk together or not at all.
extension Engine {
    /// Takes up a group of intents: all of them, or none.
    mutating func receiveGroup(
        first: Int, count: Int, _ response: GroupResponse, _ output: inout EngineOutput
    ) {
        var legs: [InstrumentID] = []
        var strategy: StrategyID?
        for index in first..<first + count {
            guard case .intent(let intent, _) = context.requests[index] else { continue }
            strategy = intent.strategy
            if !legs.contains(intent.instrument) { legs.append(intent.instrument) }
        }
        let number = strategy.map { groups.open(for: $0, response, legs: legs) } ?? 0
        var intents: [Intent] = []
        for index in first..<first + count {
            switch context.requests[index] {
            case .intent(let intent, let reason):
                intents.append(numbered(intent, because: reason, group: number, &output))
            case .timer(let id, let time): setTimer(id, at: time, &output)
            case .group: break
            }
        }
        var leaving: [Intent] = []
        for intent in intents where held.goesNow(intent, at: now) { leaving.append(intent) }
        guard groupsThatFail(among: leaving, &output).isEmpty else {
            // Those that would wait are refused with the others.
            for intent in intents where !held.goesNow(intent, at: now) {
                refuse(.groupRefused, intent, &output)
            }
            return
        }
        for intent in intents { accept(intent, into: &output) }
        groups.closeIfIdle(number, isPending: held.contains(group: number))
    }

    /// The groups among intents of which a leg that opens or enlarges a position would be refused or made smaller.
    /// Their legs are refused and the groups closed.
    mutating func groupsThatFail(
        among intents: [Intent], _ output: inout EngineOutput
    ) -> [Int32] {
        var failed: [Int32] = []
        for intent in intents where intent.group != 0 && !failed.contains(intent.group) {
            let legs = intents.filter { $0.group == intent.group }
            guard legs[0].number == intent.number, let (leg, rule, figures) = failure(of: legs)
            else { continue }
            failed.append(intent.group)
            for other in legs {
                let isCause = other.number == leg
                refuse(isCause ? rule : .groupRefused, other, &output) {
                    isCause ? figures : Figures()
                }
            }
            noteRefusal(rule, of: intent.strategy, &output)
            groups.close(intent.group)
        }
        return failed
    }

    /// The first leg of a group that the gate would not let pass whole behind the others, and why.
    private mutating func failure(
        of legs: [Intent]
    ) -> (leg: Int64, rule: Refusal, figures: Figures)? {
        var earlier: [OrderRequest] = []
        for leg in legs {
            switch preview(leg) {
            case .passes: continue
            case .refused(let rule, let figures): return (leg.number, rule, figures)
            case .order(let request):
                let facts = facts(about: request, behind: earlier)
                switch gate.review(request, given: facts) {
                case .refused(let rule):
                    return (leg.number, rule, self.figures(of: rule, request, facts))
                case .approved(let approved):
                    if let rule = approved.cutBy {
                        let allowed = approved.request.quantity
                        return (
                            leg.number, rule,
                            gate.figures(of: rule, request, facts, allowed: allowed)
                        )
                    }
                    earlier.append(request)
                }
            }
        }
        return nil
    }

    /// Works out what a leg would need, as `resolve` does.
    private mutating func preview(_ intent: Intent) -> LegPreview {
        let position = portfolio.ledger(of: .strategy(intent.strategy), in: intent.instrument)
            .quantity
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        switch intent.goal {
        case .exit, .cancelEntries, .withdraw, .protect: return .passes
        case .enter(let side):
            guard position == .zero, working.buys == .zero, working.sells == .zero else {
                return .passes
            }
            switch size(side, intent) {
            case .sized(let quantity, _): return entry(side, quantity, intent)
            case .refused(let rule, let figures): return .refused(rule, figures)
            }
        case .target(let quantity): return preview(intent, to: quantity, position, working)
        case .weight(let weight):
            guard let quantity = target(forWeight: weight, of: intent.instrument) else {
                return .refused(.cannotEvaluate, Figures())
            }
            return preview(intent, to: quantity, position, working)
        }
    }

    private func preview(
        _ intent: Intent, to target: Quantity, _ position: Quantity, _ working: WorkingOrders.Sides
    ) -> LegPreview {
        guard target <= .magnitudeMax, target >= -.magnitudeMax else {
            return .refused(.cannotEvaluate, Figures(.shares(.target, target)))
        }
        // Past zero the position is reduced first; the other half passes risk when that is done.
        let reached = position + working.buys - working.sells
        let isSameSide = position == .zero || (position > .zero) == (target > .zero)
        let side: Side = target > reached ? .buy : .sell
        guard isSameSide, target.magnitude > reached.magnitude else { return .passes }
        return entry(side, (target - reached).magnitude, intent)
    }

    private func entry(
        _ side: Side, _ quantity: Quantity, _ intent: Intent
    ) -> LegPreview {
        guard let type = orderType(intent, side) else {
            return .refused(.cannotEvaluate, Figures())
        }
        return .order(
            OrderRequest(
                strategy: intent.strategy, instrument: intent.instrument, side: side,
                quantity: quantity, type: type, timeInForce: intent.timeInForce, purpose: .entry,
                reason: intent.reason))
    }

    /// The facts with which the gate reviews a leg, the orders of those before it taken as working.
    private func facts(
        about request: OrderRequest, behind earlier: [OrderRequest]
    ) -> RiskFacts {
        var facts = facts(about: request)
        if facts.restriction == nil, !earlier.isEmpty {
            facts.restriction = ownRestriction(of: request, behind: earlier.count)
        }
        var others: [InstrumentID] = []
        for other in earlier {
            let multiplier = context.market.instruments[Int(other.instrument.index)].multiplier
            let latest = context.market.latestPrice(of: other.instrument)
            if other.instrument == request.instrument {
                switch other.side {
                case .buy: facts.workingBuys += other.quantity
                case .sell: facts.workingSells += other.quantity
                }
            } else {
                let working = orders.workingSides(in: other.instrument)
                let held = portfolio.quantity(of: other.instrument)
                let isNew = held == .zero && working.buys == .zero && working.sells == .zero
                if isNew, !others.contains(other.instrument) { facts.otherPositions += 1 }
                others.append(other.instrument)
                let side: (buys: Quantity, sells: Quantity) =
                    other.side == .buy ? (other.quantity, .zero) : (.zero, other.quantity)
                let before = max(
                    (held + working.buys).magnitude, (held - working.sells).magnitude)
                let after = max(
                    (held + working.buys + side.buys).magnitude,
                    (held - working.sells - side.sells).magnitude)
                if let latest, let sum = facts.otherExposure {
                    facts.otherExposure = sum + latest * (after - before) * multiplier
                }
            }
            if let cashBuffer = gate.cashBuffer, other.side == .buy,
                let price = gate.purchasePrice(of: other, latest: latest),
                let cost = cashBuffer.cost(of: other.quantity, at: price, multiplier: multiplier)
            {
                facts.spendableCash = facts.spendableCash.map { $0 - cost }
            }
        }
        return facts
    }

    /// A leg has ended without filling whole, and not because its strategy wanted that: the others are closed
    /// where the group says so.
    mutating func legEnded(_ end: OrderEnd, _ output: inout EngineOutput) {
        guard end.purpose == .entry, let group = groups.group(of: end.order) else {
            return groups.orderEnded(end.order)
        }
        groups.orderEnded(end.order)
        guard end.outcome != .cancelled(.requested), group.response == .flatten else { return }
        groups.close(group.number)
        for leg in group.legs {
            let intent = Intent(
                strategy: group.strategy, instrument: leg, goal: .exit, terms: .market,
                reason: context.number(of: "a leg of its group failed"))
            resolve(resumed(intent), into: &output)
            refreshHolding(group.strategy, leg)
        }
    }
}
