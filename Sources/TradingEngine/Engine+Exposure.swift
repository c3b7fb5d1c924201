import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// Positions that should have a stop at the broker and have none: measured, reported, and given one.
extension Engine {
    /// Takes in whether a position has the stop that it should have.
    mutating func noteExposure(
        of strategy: StrategyID, _ instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        guard hasBroker else { return }
        let index = plans.place(strategy, instrument)
        guard isExposed(strategy, instrument) else {
            guard let former = exposed.regain(index) else { return }
            let lasted = now - former.since
            guard lasted > ExposedPositions.timeMax else { return }
            let held = heldQuantity(strategy, instrument)
            return decide(
                .protectionRestored,
                about: Decision.Subject(strategy: strategy, instrument: instrument), &output
            ) { Figures(.shares(.held, held), .count(.value, Int(lasted.wholeSeconds))) }
        }
        if exposed.lose(index, at: now) {
            lookAtExposed(&output)
        }
    }

    /// Calls the user for every position that was without its stop for too long while orders could leave.
    mutating func reviewExposed(_ output: inout EngineOutput) {
        for position in exposed.all {
            let owner = plans.owner(of: position.index)
            // What was in the way may be gone.
            keepProtected(owner.strategy, owner.instrument, &output)
        }
        // Without a link the user is called once it is there again, if it is needed then.
        if permissions.link == .ready {
            for position in exposed.all where position.due <= now { call(for: position, &output) }
        }
        lookAtExposed(&output)
    }

    private mutating func call(
        for position: ExposedPositions.Position, _ output: inout EngineOutput
    ) {
        if PlantedBug.givenUpSilently.isPlanted, plans[position.index]?.isGivenUp == true { return }
        let owner = plans.owner(of: position.index)
        let held = heldQuantity(owner.strategy, owner.instrument)
        let seconds = Int((now - position.since).wholeSeconds)
        exposed.noteAlarm(of: position.index, at: now)
        decide(
            .protectionMissing,
            about: Decision.Subject(strategy: owner.strategy, instrument: owner.instrument),
            &output
        ) { Figures(.shares(.held, held), .count(.value, seconds)) }
    }

    /// Sets the time of the next look: when the first is to be called for, or soon where that has passed.
    private mutating func lookAtExposed(_ output: inout EngineOutput) {
        let soon = now + ExposedPositions.timeMax
        guard let time = exposed.all.map({ $0.due > now ? $0.due : soon }).min() else { return }
        output.commands.append(
            .setTimer(TimerID(engine: EngineTimer.protection.rawValue), at: time))
    }

    /// True if a position should have a stop at the broker and has none that covers it.
    private func isExposed(_ strategy: StrategyID, _ instrument: InstrumentID) -> Bool {
        guard let plan = plans[plans.place(strategy, instrument)], plan.hasStop else {
            return false
        }
        let held = plan.side.signed(heldQuantity(strategy, instrument))
        guard held > .zero else { return false }
        let cover = coverFacts(plan, held, strategy, instrument).cover
        guard cover > .zero else { return false }
        guard let stop = plan.order(of: .stop), let record = orders.record(of: stop),
            record.state == .working
        else { return true }
        return orders.openNow(stop) < cover
    }

    // MARK: Giving what is missing

    /// Looks at every position: one that should have a stop by the configuration and has no plan gets one, what was
    /// given up is tried again on a new day, and what is live is held against what should be.
    mutating func checkProtection(_ output: inout EngineOutput) {
        guard hasBroker else { return }
        let isNewDay = broker.protectionDay != days.today
        broker.protectionDay = days.today
        for strategy in 0..<instances.count {
            for index in 0..<instrumentCount {
                let (owner, instrument) = (
                    StrategyID(index: strategy), InstrumentID(index: index)
                )
                guard heldQuantity(owner, instrument) != .zero else { continue }
                planMissing(owner, instrument)
                let plan = plans.place(owner, instrument)
                if isNewDay, plans[plan]?.isGivenUp == true { retryPlan(at: plan) }
                keepProtected(owner, instrument, &output)
            }
        }
    }

    private mutating func retryPlan(at index: Int) {
        let endedAt = (plans[index]?.orders ?? []).filter {
            orders.record(of: $0)?.isListed != true
        }
        plans.retry(at: index, without: endedAt)
    }

    /// Plans the configured protection of a position that has none planned, as after a change of the configuration.
    mutating func planMissing(_ strategy: StrategyID, _ instrument: InstrumentID) {
        let index = plans.place(strategy, instrument)
        guard plans[index] == nil, heldQuantity(strategy, instrument) != .zero,
            let rule = instances[Int(strategy.index)].protection,
            let reference = context.market.latestPrice(of: instrument)
        else { return }
        let side: Side = heldQuantity(strategy, instrument) > .zero ? .buy : .sell
        let intent = Intent(strategy: strategy, instrument: instrument, goal: .protect)
        guard let prices = prices(rule, intent, side, at: reference, isEntering: false) else {
            return
        }
        _ = plans.begin(ProtectionPlan(side: side, prices: prices), at: index)
    }

    // MARK: Mending

    /// Sends protection anew that works on other terms than it should: for another quantity, or at a price from before
    /// a split.
    mutating func mend(_ finding: Finding, _ output: inout EngineOutput) {
        let order: OrderID
        switch finding {
        case .quantityChanged(let id, _, let brokers):
            guard let request = orders.request(of: id), orders.parentOpen(of: request) == .zero,
                brokers != brokerQuantity(of: OrderTicket(id: id, request: request))
            else { return }
            order = id
        case .termsChanged(let id):
            guard orders.record(of: id)?.isSplit == true else { return }
            order = id
        case .adopted, .missing, .foreignOrder, .secondOrder, .otherNumber, .otherReference,
            .unknownReference, .unknownFill, .fillOfOtherOrder, .positionDiffers, .foreignPosition,
            .notAsOrdered, .cancelledOutside, .executionsMissing, .nextIDBelowMark, .resubmitted,
            .liveAgain, .unresolved, .numberInUse:
            return
        }
        placeAnew(order, &output)
    }

    /// Ends an order that does not protect as it should: its plan sends another in its place.
    mutating func placeAnew(_ order: OrderID, _ output: inout EngineOutput) {
        guard let request = orders.request(of: order), request.purpose == .protection,
            !orders.isCancelRequested(order), !outside[request.instrument].awaitsSplit
        else { return }
        decide(
            .protectionMended, about: Decision.Subject(order, request), because: request.reason,
            &output)
        // The plan sends it anew at its end.
        cancelOrder(order, &output)
    }
}

extension Duration {
    /// Whole seconds.
    fileprivate var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }
}
