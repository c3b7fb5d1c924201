import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import Signals

/// From intents about positions to orders.
extension Engine {
    /// Works out what an intent needs, and sends what the gate allows of it.
    mutating func resolve(_ intent: Intent, into output: inout EngineOutput) {
        turn(intent, &output)
        if plans.count > 0 { keepProtected(intent.strategy, intent.instrument, &output) }
    }

    /// Turns an intent into what its goal needs: orders, cancellations, protection.
    private mutating func turn(_ intent: Intent, _ output: inout EngineOutput) {
        switch intent.goal {
        case .enter(let side): enter(side, intent, &output)
        case .exit: adjust(to: .zero, intent, &output)
        case .target(let quantity): adjust(to: quantity, intent, &output)
        case .weight(let fraction):
            guard let target = target(forWeight: fraction, of: intent.instrument) else {
                return refuse(.cannotEvaluate, intent, &output)
            }
            let price = context.market.latestPrice(of: intent.instrument)
            let equity = portfolio.equity
            decide(.sized(.weight), about: Decision.Subject(intent), &output) {
                Figures(
                    .money(.equity, equity), price.map { .price(.price, $0) } ?? .none,
                    .shares(.result, target))
            }
            adjust(to: target, intent, &output)
        case .cancelEntries: cancel(intent, &output) { $0.purpose == .entry }
        case .withdraw:
            // Protection that made way for an exit comes back.
            deferredExits.drop(intent.strategy, intent.instrument)
            cancel(intent, &output) { $0.purpose != .protection }
            refreshHolding(intent.strategy, intent.instrument)
        case .protect: protect(intent, &output)
        }
    }

    /// An intent with its prices as they are traded: strategies may see adjusted ones.
    func traded(_ intent: Intent) -> Intent {
        intent.mapPrices { adjustments.traded($0, of: intent.instrument) }
    }

    /// Brings what a strategy sees of its own holding up to date.
    mutating func refreshHolding(_ strategy: StrategyID, _ instrument: InstrumentID) {
        let working = orders.working.strategy(strategy, in: instrument)
        context.setHolding(
            StrategyContext.Holding(
                quantity: portfolio.ledger(of: .strategy(strategy), in: instrument).quantity,
                working: working.buys - working.sells,
                pending: isAnythingPending() ? pendingIntent(strategy, instrument) : .nothing),
            of: instrument, for: strategy)
    }

    /// True if any intent waits; mostly none does.
    @inline(__always)
    func isAnythingPending() -> Bool {
        !unfinished.isEmpty || !deferredExits.isEmpty || !held.isEmpty || timed.isAnyUnproven
    }

    /// What an intent would do to a position that waits for its window, for orders to end or for its next try.
    private func pendingIntent(
        _ strategy: StrategyID, _ instrument: InstrumentID
    ) -> StrategyContext.Holding.Pending {
        if let intent = held.intent(of: strategy, in: instrument) {
            return reducing(intent) == nil ? .entry : .exit
        }
        let position = positionFacts(strategy, instrument)
        if position.isExitDeferred
            || unfinished.isExitUnfinished(strategy, instrument, position)
        {
            return .exit
        }
        return unfinished.isFollowUpPending(strategy, instrument)
            || timed.isUnproven(strategy, instrument) ? .entry : .nothing
    }

    /// Takes up an exit that waited, once nothing is in its way any more.
    mutating func resumeDeferredExit(
        _ strategy: StrategyID, _ instrument: InstrumentID, _ output: inout EngineOutput
    ) {
        guard let exit = deferredExits.exit(of: strategy, in: instrument) else { return }
        let resting = resting(besides: exit.intent)
        // What was in its way may have reduced the position first: no exit becomes an entry by that.
        guard let intent = deferredExits.resume(strategy, instrument, besides: resting),
            let remaining = reducing(intent)
        else { return }
        resolve(resumed(remaining), into: &output)
    }

    /// What rests to reduce a strategy's position and is in the way of an intent's order, protection and exits
    /// at a price together.
    func resting(besides intent: Intent) -> Quantity {
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        guard working.exits > .zero || working.protection > .zero else { return .zero }
        return orders.linkedExits(of: intent.strategy, in: intent.instrument) {
            $0.restsToReduce(besides: intent)
        }
    }

    private mutating func enter(_ side: Side, _ intent: Intent, _ output: inout EngineOutput) {
        let held = portfolio.ledger(of: .strategy(intent.strategy), in: intent.instrument).quantity
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        guard held == .zero else {
            return drop(.alreadyHeld, intent, &output) { Figures(.shares(.held, held)) }
        }
        guard working.buys == .zero, working.sells == .zero else {
            return drop(.alreadyEntering, intent, &output) {
                Figures(.shares(.working, working.buys - working.sells))
            }
        }
        switch size(side, intent) {
        case .refused(let rule, let figures): refuse(rule, intent, &output) { figures }
        case .sized(let quantity, let facts):
            let sizing = instances[Int(intent.strategy.index)].sizing
            decide(.sized(sizing.method), about: Decision.Subject(intent), &output) {
                sizing.figures(of: facts, quantity)
            }
            open(side, quantity, intent, &output)
        }
    }

    /// The size of an entry, or the rule that stops it.
    enum EntrySize {
        case sized(Quantity, Sizing.Facts)
        case refused(Refusal, Figures)
    }

    /// Works out the size of an entry.
    mutating func size(_ side: Side, _ intent: Intent) -> EntrySize {
        let index = Int(intent.instrument.index)
        let price: Price? =
            switch intent.orderType {
            case .market, .marketOnOpen, .marketOnClose, .trailingStop:
                context.market.latestPrice(of: intent.instrument)
            case .limit(let price), .stop(let price), .stopLimit(_, let price),
                .limitOnOpen(let price), .limitOnClose(let price):
                price
            }
        guard let price else { return .refused(.cannotEvaluate, Figures()) }
        let sizing = instances[Int(intent.strategy.index)].sizing
        let facts = sizingFacts(
            side, intent, price, context.market.instruments[index].multiplier)
        guard let quantity = sizing.quantity(given: facts) else {
            return .refused(.cannotEvaluate, sizing.figures(of: facts, nil))
        }
        guard quantity > .zero else {
            return .refused(.tooSmall, sizing.figures(of: facts, quantity))
        }
        return .sized(quantity, facts)
    }

    private mutating func sizingFacts(
        _ side: Side, _ intent: Intent, _ price: Price, _ multiplier: Int64
    ) -> Sizing.Facts {
        var facts = Sizing.Facts(
            equity: portfolio.equity, settledCash: sizingCash(), price: price,
            multiplier: multiplier)
        if let length = instances[Int(intent.strategy.index)].sizing.averageTrueRangeLength {
            facts.stopDistance = stopDistance(of: side, intent)
            facts.averageTrueRange = tradedRange(intent, length: length)
        }
        return facts
    }

    /// The cash that entries of one instant are sized by: what there was before the first of them, so that
    /// their order does not matter. What the later ones may still spend is for the gate to decide.
    private mutating func sizingCash() -> ExactMoney {
        guard let cashBuffer = gate.cashBuffer else { return portfolio.cash }
        let cash = sharedCash ?? spendableCash(cashBuffer) ?? .zero
        sharedCash = cash
        return cash
    }

    /// Moves the strategy's position towards `target`; past zero in two steps, the second when the first has
    /// ended.
    private mutating func adjust(
        to target: Quantity, _ intent: Intent, _ output: inout EngineOutput
    ) {
        guard target <= .magnitudeMax, target >= -.magnitudeMax else {
            return refuse(.cannotEvaluate, intent, &output)
        }
        var held = portfolio.ledger(of: .strategy(intent.strategy), in: intent.instrument).quantity
        if PlantedBug.exitSellsOthers.isPlanted { held += outside[intent.instrument].held }
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        // The newest intent holds.
        deferredExits.drop(intent.strategy, intent.instrument)
        let side: Side =
            held == .zero ? (target > .zero ? .buy : .sell) : held > .zero ? .buy : .sell
        let targetSize = max(side.signed(target), .zero)
        let size = held.magnitude
        if targetSize <= size {
            if size == .zero, target == .zero, working.buys == .zero, working.sells == .zero {
                return drop(.nothingHeld, intent, &output)
            }
            let cancelsEntries = cancel(intent, &output) { $0.purpose == .entry }
            // An entry may fill before its cancel arrives: the exit is taken up again at its end.
            if targetSize == .zero && cancelsEntries {
                noteDeferral(of: intent, &output)
                deferredExits.awaitEntries(intent)
            }
            let excess = size - targetSize
            // Beyond nothing: the other half follows, through risk, when nothing is held any more. What an entry
            // fills before its cancel arrives is looked at then, too.
            if side.signed(target) < .zero && size > .zero || targetSize > .zero && cancelsEntries {
                awaitEnd(for: intent, &output)
            }
            if working.exits > excess { cancel(intent, &output) { $0.purpose == .exit } }
            guard excess > .zero else {
                if !cancelsEntries { dropAtTarget(intent, target, &output) }
                return
            }
            reduce(by: excess, keeping: targetSize, intent, &output)
        } else {
            // What works the other way would take it back: it ends first.
            let (entering, against) =
                side == .buy ? (working.buys, working.sells) : (working.sells, working.buys)
            guard against == .zero, entering <= targetSize - size else {
                cancel(intent, &output) {
                    $0.purpose != .protection && ($0.side != side || $0.purpose == .entry)
                }
                return awaitEnd(for: intent, &output)
            }
            guard targetSize - size > entering else {
                return dropAtTarget(intent, target, &output)
            }
            open(side, targetSize - size - entering, intent, &output)
        }
    }

    /// Sells a part of a position or all of it, as soon as nothing is in the way.
    private mutating func reduce(
        by excess: Quantity, keeping kept: Quantity, _ intent: Intent, _ output: inout EngineOutput
    ) {
        let facts = exitFacts(by: excess, keeping: kept, intent)
        let action: ExitAction
        if PlantedBug.exitBesideStop.isPlanted {
            action = deferredExits.reduce(facts)
        } else if let clearing = deferredExits.clearWay(for: intent, facts) {
            action = clearing
        } else if facts.isProtected {
            action = deferredExits.reduceProtected(for: intent, facts, pairFacts(intent))
        } else {
            action = deferredExits.reduce(facts)
        }
        let held = heldQuantity(intent.strategy, intent.instrument)
        switch action {
        case .none: break
        case .drop(let cause):
            drop(cause, intent, &output) {
                Figures(.shares(.held, held), .shares(.working, facts.working))
            }
        case .send(let quantity, let group):
            send(held > .zero ? .sell : .buy, quantity, .exit, intent, in: group, &output)
        case .hold(let cancelsResting):
            if cancelsResting { cancel(intent, &output) { $0.restsToReduce(besides: intent) } }
            noteDeferral(of: intent, &output)
        }
    }

    private func exitFacts(
        by excess: Quantity, keeping kept: Quantity, _ intent: Intent
    ) -> ExitFacts {
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        var facts = ExitFacts(excess: excess, kept: kept, working: working.exits)
        facts.isProtected = working.protection > .zero
        // Mostly nothing works, and a list of nothing costs too.
        let counts = facts.isProtected || working.exits > .zero
        guard orders.isAnyLive, counts || kept == .zero else { return facts }
        for id in orders.liveOrders(of: intent.strategy, in: intent.instrument) {
            guard let request = orders.request(of: id) else { continue }
            if request.restsToReduce(besides: intent) { facts.isAnyResting = true }
            if counts, request.purpose == .exit, orders.isCancelRequested(id) {
                facts.isAnyEnding = true
            }
        }
        return facts
    }

    private func pairFacts(_ intent: Intent) -> PairFacts {
        let (strategy, instrument) = (intent.strategy, intent.instrument)
        var facts = PairFacts()
        facts.leaving = orders.linkedExits(of: strategy, in: instrument) { $0.purpose == .exit }
        if let group = plans[plans.place(strategy, instrument)]?.group, orders.isAnyLive(in: group)
        {
            facts.group = group
            facts.groupFilled = orders.groupFilled(group)
        }
        facts.beside = orders.linkedExits(of: strategy, in: instrument) {
            $0.purpose == .exit && $0.restsToReduce(besides: intent)
        }
        facts.resting = resting(besides: intent)
        return facts
    }

    /// Records that an exit waits for orders in its way.
    mutating func noteDeferral(of intent: Intent, _ output: inout EngineOutput) {
        decide(.held(.otherOrders), about: Decision.Subject(intent), &output)
    }

    /// Cancels the strategy's orders in the instrument that `isMeant` picks. Returns whether any of them
    /// works, whether it was asked to end before or not.
    @discardableResult
    mutating func cancel(
        _ intent: Intent, _ output: inout EngineOutput, where isMeant: (OrderRequest) -> Bool
    ) -> Bool {
        let working = orders.working.strategy(intent.strategy, in: intent.instrument)
        guard working.buys > .zero || working.sells > .zero || working.protection > .zero else {
            return false
        }
        var isAnyWorking = false
        for id in orders.liveOrders(of: intent.strategy, in: intent.instrument) {
            guard let request = orders.request(of: id), isMeant(request) else { continue }
            isAnyWorking = true
            timed.forget(id)
            cancelOrder(id, request, &output)
        }
        return isAnyWorking
    }

    /// Sends an order for an intent if the gate allows it.
    mutating func send(
        _ side: Side, _ quantity: Quantity, _ purpose: OrderPurpose, _ intent: Intent,
        in group: OrderGroupID? = nil, _ output: inout EngineOutput
    ) {
        guard let type = orderType(intent, side) else {
            return refuse(.cannotEvaluate, intent, &output)
        }
        let request = OrderRequest(
            strategy: intent.strategy, instrument: intent.instrument, side: side,
            quantity: quantity, type: type,
            timeInForce: intent.timeInForce, purpose: purpose, reason: intent.reason, group: group,
            outsideRTH: outsideRTH(intent.terms))
        guard submit(request, for: intent, &output), purpose == .entry, case .limit = type else {
            return
        }
        limitTime(of: request, &output)
    }

    /// Submits what the gate allows of a request. Returns true if it allows anything.
    ///
    /// - Parameter intent: what it is for; `nil` where it follows from an earlier order.
    mutating func submit(
        _ request: OrderRequest, for intent: Intent?, _ output: inout EngineOutput
    ) -> Bool {
        // Before the gate is asked, which would otherwise be copied for the time.
        let facts = facts(about: request)
        let number = intent?.number ?? 0
        switch gate.review(request, given: facts) {
        case .refused(let refusal):
            let figures = figures(of: refusal, request, facts)
            refuse(
                refusal, about: Decision.Subject(nil, request, intent: number),
                as: intent?.kind ?? (request.purpose == .entry ? .enter : .exit),
                because: request.reason, &output
            ) { figures }
            if refusal == .linkNotReady, request.purpose == .exit, let intent {
                unfinished.stand(by: intent)
            }
            noteRefusal(refusal, of: request.strategy, &output)
            return false
        case .approved(let approved):
            let command = submit(approved, &output)
            noteSubmission(request, approved, facts, number, &output)
            if gate.cashBuffer != nil { reserveCash(for: command) }
            if let group = intent?.group, group != 0 { groups.add(orders.newestID, for: group) }
            refreshHolding(request.strategy, request.instrument)
            return true
        }
    }

    /// Numbers an approved order and hands it out.
    @inline(__always)
    mutating func submit(_ approved: Approved, _ output: inout EngineOutput) -> Command {
        let command = orders.submit(approved, at: now)
        output.commands.append(command)
        if rates.isOn { rates.count(approved.request.strategy, at: now, on: days.today) }
        if hasBroker {
            rates.countMessage(of: approved.request.strategy, on: days.today)
            nameNewestOrder(&output)
        }
        return command
    }

    /// Records that an order was submitted, and the rule that has cut it.
    private mutating func noteSubmission(
        _ asked: OrderRequest, _ approved: Approved, _ facts: RiskFacts, _ intent: Int64,
        _ output: inout EngineOutput
    ) {
        let request = approved.request
        if let rule = approved.cutBy {
            let figures =
                log.level == .all
                ? gate.figures(of: rule, asked, facts, allowed: request.quantity) : Figures()
            decide(
                .reduced(rule), about: Decision.Subject(nil, request, intent: intent), &output
            ) { figures }
        }
        let id = orders.newestID
        decide(
            .submitted(request.purpose), about: Decision.Subject(id, request, intent: intent),
            because: request.reason, &output
        ) {
            Figures(
                .shares(.asked, request.side.signed(request.quantity)),
                request.type.limitPrice.map { .price(.limit, $0) } ?? .none,
                request.type.stopPrice.map { .price(.stop, $0) } ?? .none)
        }
    }

    /// Asks for an order's end.
    mutating func cancelOrder(_ id: OrderID, _ output: inout EngineOutput) {
        guard let request = orders.request(of: id) else { return }
        cancelOrder(id, request, &output)
    }

    /// Asks for the end of an order that is known.
    mutating func cancelOrder(
        _ id: OrderID, _ request: OrderRequest, _ output: inout EngineOutput
    ) {
        guard let command = orders.cancel(id) else { return }
        output.commands.append(command)
        if hasBroker {
            countMessage(about: id)
            awaitCancel(of: id, &output)
        }
        decide(
            .cancelRequested(request.purpose), about: Decision.Subject(id, request), &output)
    }

    private mutating func dropAtTarget(
        _ intent: Intent, _ target: Quantity, _ output: inout EngineOutput
    ) {
        drop(.atTarget, intent, &output) { Figures(.shares(.target, target)) }
    }

    private func outsideRTH(_ terms: OrderTerms) -> Bool {
        switch terms.hours {
        case .regular: false
        case .extended: true
        case nil: held.rules.outsideRTH
        }
    }

    /// An intent's order type on a tick; `nil` when its price is none.
    @inline(__always)
    func orderType(_ intent: Intent, _ side: Side) -> OrderType? {
        intent.orderType.isPriced ? typeOnTick(intent, side) : intent.orderType
    }

    private func typeOnTick(_ intent: Intent, _ side: Side) -> OrderType? {
        let index = Int(intent.instrument.index)
        return intent.orderType.onTick(
            context.market.instruments[index].tickSize, for: side,
            latest: context.market.latestPrice(of: intent.instrument))
    }

    /// The whole shares that a part of equity buys at the newest price; `nil` when that is unknown.
    func target(forWeight fraction: Double, of instrument: InstrumentID) -> Quantity? {
        // Nothing of anything needs no price; debts are no reason for the other side.
        guard fraction != 0 else { return .zero }
        guard let percent = Percent(roundingFraction: fraction),
            let worth = percent.of(max(portfolio.equity, .zero)),
            let price = context.market.latestPrice(of: instrument)
        else { return nil }
        return Sizing.wholeShares(
            worth: worth, price: price,
            multiplier: context.market.instruments[Int(instrument.index)].multiplier)
    }

    /// The facts with which the gate reviews an order.
    @inline(__always)
    func facts(about request: OrderRequest) -> RiskFacts {
        // Fields are read in place: a copy of an instrument would count references to its texts.
        let index = Int(request.instrument.index)
        let working = orders.workingSides(in: request.instrument)
        var facts = RiskFacts(multiplier: context.market.instruments[index].multiplier)
        facts.price = context.market.latestPrice(of: request.instrument)
        facts.hasUnknownOrder = orders.isUnknown(in: request.instrument)
        if !permissions.areOpen {
            facts.mayLeave = permissions.mayLeave(request.purpose)
            facts.restriction = permissions.restriction(
                of: request.strategy, in: request.instrument)
        }
        if hasBroker, !orders.identity.hasNumberLeft {
            facts.restriction = .noOrderNumber
        }
        if instances.count > 1 || rates.isOn, request.purpose == .entry, facts.restriction == nil {
            facts.restriction = ownRestriction(of: request)
        }
        facts.isTradable = context.market.instruments[index].assetClass.isTradable
        facts.held =
            portfolio.ledger(of: .strategy(request.strategy), in: request.instrument).quantity
        if PlantedBug.exitSellsOthers.isPlanted { facts.held += outside[request.instrument].held }
        facts.workingExits = orders.workingExits(besides: request)
        if request.isLinked {
            facts.parentOpen = orders.parentOpen(of: request)
            facts.spent = orders.spent(of: request)
        }
        facts.position = portfolio.quantity(of: request.instrument)
        facts.workingBuys = working.buys
        facts.workingSells = working.sells
        facts.workingProtection = orders.working.account(in: request.instrument).protection
        facts.equity = portfolio.equity
        if let cashBuffer = gate.cashBuffer { facts.spendableCash = spendableCash(cashBuffer) }
        if gate.limits?.positionsMax != nil {
            facts.otherPositions = positionCount(besides: request.instrument)
        }
        if gate.needsGrossExposure {
            facts.otherExposure = exposure(besides: request.instrument)
        }
        return facts
    }

    /// In how many other instruments the account has a position or an entry working.
    private func positionCount(besides excluded: InstrumentID) -> Int {
        var count = 0
        for instrument in context.market.instruments where instrument.id != excluded {
            let working = orders.working.account(in: instrument.id)
            let isEntering = working.buys + working.sells > working.exits
            if portfolio.quantity(of: instrument.id) != .zero || isEntering { count += 1 }
        }
        return count
    }

    /// The sizes of all other positions, each with the orders filled that make it largest; `nil` when one
    /// has no price.
    private func exposure(besides excluded: InstrumentID) -> ExactMoney? {
        var sum = ExactMoney.zero
        for instrument in context.market.instruments where instrument.id != excluded {
            let working = orders.workingSides(in: instrument.id)
            let held = portfolio.quantity(of: instrument.id)
            let largest = max((held + working.buys).magnitude, (held - working.sells).magnitude)
            guard largest != .zero else { continue }
            guard let price = context.market.latestPrice(of: instrument.id) else { return nil }
            sum += price * largest * instrument.multiplier
        }
        return sum
    }
}

extension OrderType {
    /// The type with its price on a tick, rounded so that the order does not become more aggressive: a
    /// limit away from the market, a stop away from triggering; `nil` when it is no price at all.
    ///
    /// - Parameter latest: the newest price, at whose step a trailing amount is rounded.
    fileprivate func onTick(
        _ tick: TickSize, for side: Side, latest: Price?
    ) -> OrderType? {
        guard (limitPrice ?? .zero).isWithinRange, (stopPrice ?? .zero).isWithinRange else {
            return nil
        }
        switch self {
        case .market, .marketOnOpen, .marketOnClose, .trailingStop(.percent): return self
        case .limit(let price): return .limit(price.asLimit(on: tick, for: side))
        case .stop(let price): return .stop(price.asStop(on: tick, for: side))
        case .stopLimit(let stop, let limit):
            return .stopLimit(
                stop: stop.asStop(on: tick, for: side),
                limit: limit.asLimit(on: tick, for: side))
        case .trailingStop(.amount(let amount)):
            guard amount.isWithinRange else { return nil }
            return .trailingStop(.amount(amount.roundedUp(to: tick.step(at: latest ?? amount))))
        case .limitOnOpen(let price):
            return .limitOnOpen(price.asLimit(on: tick, for: side))
        case .limitOnClose(let price):
            return .limitOnClose(price.asLimit(on: tick, for: side))
        }
    }
}

extension OrderRequest {
    /// Whether it may wait long before it reduces a position.
    var restsToReduce: Bool {
        switch purpose {
        case .entry: false
        case .exit: type != .market
        case .protection: true
        }
    }

    /// Whether it may wait long before it reduces a position; not if it waits for the same auction as
    /// the order for an intent.
    func restsToReduce(besides intent: Intent) -> Bool {
        switch purpose {
        case .entry: false
        case .exit: type != .market && !(intent.terms.isLeftToWindow && type == intent.orderType)
        case .protection: true
        }
    }
}

extension Price {
    /// Whether an edge would accept it.
    fileprivate var isWithinRange: Bool { self <= .magnitudeMax && self >= -.magnitudeMax }

    /// This limit on a tick, away from the market. It is within range.
    func asLimit(on ticks: TickSize, for side: Side) -> Price {
        switch side {
        case .buy: ticks.roundedDown(self)
        case .sell: ticks.roundedUp(self)
        }
    }

    /// This stop on a tick, away from triggering.
    fileprivate func asStop(on ticks: TickSize, for side: Side) -> Price {
        asLimit(on: ticks, for: side.opposite)
    }
}
