import Accounting
package import Model
import Orders
package import Primitives
package import Risk
import Signals

/// What is watched of the account as a whole, whatever single orders do.
package struct AccountMonitor: Sendable {
    /// Limits that were reached, each once until entries were allowed again; in order of time.
    package fileprivate(set) var breaches: [LimitBreach] = []
    /// How often purchases took settled cash below zero.
    package internal(set) var overdraftCount = 0

    /// What companies did and the books could not bear: their instruments are latched.
    package internal(set) var unbooked: [CorporateAction] = []
    /// Instruments whose positions were too large to be valued, each once.
    package private(set) var unvalued: [InstrumentID] = []

    /// What purchases that work were approved at, where only settled cash may be spent.
    var purchases = PurchaseReserves()
    /// Whether settled cash was below zero when it was last looked at.
    var isOverdrawn = false
    /// Losses; `nil` where any are allowed.
    var losses: LossMonitor?
    /// What part of positions must be there as equity; `nil` where it means nothing.
    fileprivate let margin: MarginTerms?

    /// Nothing seen yet.
    init(_ setup: EngineSetup) {
        margin = setup.margin
        guard !setup.losses.areNone else { return }
        losses = LossMonitor(setup.losses, equity: ExactMoney(setup.capital))
    }

    /// Takes in that a position cannot be valued.
    mutating func noteUnvalued(_ instrument: InstrumentID) {
        if !unvalued.contains(instrument) { unvalued.append(instrument) }
    }

    /// Whether equity is looked at when an instant is complete.
    var isOn: Bool { losses != nil || margin != nil }

    /// Takes what is watched into a digest.
    func hash(into hasher: inout StateHasher) {
        losses?.hash(into: &hasher)
        purchases.hash(into: &hasher)
        hasher.combine(breaches.count)
        hasher.combine(unbooked.count)
        hasher.combine(unvalued.count)
        hasher.combine(overdraftCount)
        hasher.combine(isOverdrawn)
    }
}

/// Halts, and what follows from them.
extension Engine {
    /// Stops entries, cancels those that work and drops those that wait to be sent. Exits and protection stay.
    mutating func halt(for cause: HaltCause, into commands: inout [Command]) {
        gate.halt(for: cause)
        dropHeldEntries()
        // What would follow opens or enlarges a position: exits stand by themselves.
        followUps.removeAll()
        // What ends now is not sent anew either, even if entries are allowed again before it has ended.
        timed.removeAll()
        for id in orders.liveEntries {
            if let command = orders.cancel(id) { commands.append(command) }
        }
    }

    /// A day begins. What its losses are measured against changes on days on which the market is open,
    /// so that a halt of Friday lasts through the weekend.
    mutating func beginDayOfWatch() {
        if gate.cashBuffer != nil { forgetUnchargedPurchases() }
        guard days.isTradingDay else { return }
        gate.beginDay()
        watch.losses?.beginDay(with: portfolio.equity)
    }

    /// Looks at equity after all that belongs to an instant, before strategies do.
    mutating func reviewAccount(into commands: inout [Command]) {
        watch.losses?.observe(portfolio.equity)
        if let losses = watch.losses { hold(to: losses, &commands) }
        if let terms = watch.margin { hold(to: terms, &commands) }
    }

    private mutating func hold(to losses: LossMonitor, _ commands: inout [Command]) {
        if !gate.isHalted(for: .dailyLoss),
            let breach = losses.dailyBreach(with: portfolio.equity, at: now)
        {
            note(breach, &commands)
        }
        if !gate.isHalted(for: .drawdown),
            let breach = losses.drawdownBreach(with: portfolio.equity, at: now)
        {
            note(breach, &commands)
        }
        switch losses.limits.response {
        case .halt: break
        case .flatten:
            // Again at every instant: an entry may have filled before its cancel came.
            for cause in [HaltCause.drawdown, .dailyLoss] where gate.isHalted(for: cause) {
                return flatten(because: cause)
            }
        }
    }

    private mutating func note(_ breach: LimitBreach, _ commands: inout [Command]) {
        watch.breaches.append(breach)
        halt(for: breach.cause, into: &commands)
    }

    /// Wants every strategy's positions closed, until they are.
    private mutating func flatten(because cause: HaltCause) {
        for instance in 0..<instances.count {
            let strategy = StrategyID(index: instance)
            for index in 0..<instrumentCount {
                let instrument = InstrumentID(index: index)
                let held = portfolio.ledger(of: .strategy(strategy), in: instrument).quantity
                let working = orders.working.strategy(strategy, in: instrument)
                guard held != .zero || working.buys > .zero || working.sells > .zero else {
                    continue
                }
                keepExiting(of: strategy, in: instrument, because: cause)
            }
        }
    }

    /// Reduces a position at once: what has to go does not wait for an execution window.
    private mutating func reduce(
        _ strategy: StrategyID, _ instrument: InstrumentID, to goal: Intent.Goal,
        because cause: HaltCause, _ commands: inout [Command]
    ) {
        resolve(
            Intent(
                strategy: strategy, instrument: instrument, goal: goal, terms: .marketNow,
                reason: context.number(of: cause.name)), into: &commands)
    }
}

/// Margin: what a broker would do, done first.
extension Engine {
    /// Reduces positions when equity is below what keeping them needs: the largest first, each by no more
    /// than is missing. IBKR liquidates in such a case without asking.
    private mutating func hold(to terms: MarginTerms, _ commands: inout [Command]) {
        // The usual case by one pass of sums: positions need no more than they are worth.
        guard terms.needsMoreThanWorth || portfolio.grossExposure > portfolio.equity else { return }
        let margin = portfolio.margin(under: terms)
        guard margin.needsLiquidation else { return }
        if gate.isHalted(for: .marginCall) {
            halt(for: .marginCall, into: &commands)
        } else {
            let (limit, value) = (
                Money(clamping: margin.maintenance), Money(clamping: margin.equity)
            )
            note(
                LimitBreach(.marginCall, at: now, .amount(limit: limit, value: value)), &commands)
        }
        liquidate(-margin.excessLiquidity, terms, &commands)
    }

    private mutating func liquidate(
        _ shortfall: ExactMoney, _ terms: MarginTerms, _ commands: inout [Command]
    ) {
        var missing = shortfall
        let largest = (0..<instrumentCount).map(InstrumentID.init(index:))
            .map { (instrument: $0, size: portfolio.value(of: $0).magnitude) }
            .filter { $0.size > .zero }
            .sorted { ($1.size, $0.instrument) < ($0.size, $1.instrument) }
            .compactMap { LiquidationTarget(of: $0.instrument, in: portfolio, terms) }
        // What is on its way out already will no longer need its margin.
        for target in largest {
            for instance in 0..<instances.count {
                let strategy = StrategyID(index: instance)
                missing -= target.freed(by: leaving(strategy, target.instrument).quantity)
            }
        }
        for target in largest where missing > .zero {
            missing -= target.freed(by: sell(target.quantity(freeing: missing), target, &commands))
        }
    }

    /// Reduces strategies' positions on the account's side in one instrument, in the order of strategies.
    /// Returns by how much.
    private mutating func sell(
        _ quantity: Quantity, _ target: LiquidationTarget, _ commands: inout [Command]
    ) -> Quantity {
        var left = quantity
        for instance in 0..<instances.count where left > .zero {
            let strategy = StrategyID(index: instance)
            let held = portfolio.ledger(of: .strategy(strategy), in: target.instrument).quantity
            guard held != .zero, (held > .zero) == (target.side == .buy) else { continue }
            let leaving = leaving(strategy, target.instrument)
            let part = min(left, held.magnitude - leaving.quantity)
            guard part > .zero else { continue }
            // An exit that rests at a price covers it: out with both. A stop or target makes room.
            let goal: Intent.Goal =
                leaving.rests
                ? .exit : .hold(target.side.signed(held.magnitude - leaving.quantity - part))
            reduce(strategy, target.instrument, to: goal, because: .marginCall, &commands)
            left -= part
        }
        return quantity - left
    }

    /// What of a strategy's position is being sold at whatever the market gives, and whether other exits
    /// rest to reduce it.
    private mutating func leaving(
        _ strategy: StrategyID, _ instrument: InstrumentID
    ) -> (quantity: Quantity, rests: Bool) {
        let held = portfolio.ledger(of: .strategy(strategy), in: instrument).quantity.magnitude
        var (sum, rests) = (Quantity.zero, false)
        for id in orders.liveOrders(of: strategy, in: instrument) {
            guard let request = orders.request(of: id) else { continue }
            switch request.type {
            case .market, .marketOnOpen, .marketOnClose:
                if request.purpose == .exit { sum += orders.open(id) }
            case .limit, .stop, .stopLimit, .trailingStop, .limitOnOpen, .limitOnClose:
                if request.purpose == .exit { rests = true }
            }
        }
        if let exit = deferredExits.first(where: { $0.isOf(strategy, instrument) }) {
            return (max(held - exit.kept, .zero), rests || exit.kept >= held)
        }
        return (min(sum, held), rests)
    }
}

/// A position that may be reduced for its margin.
private struct LiquidationTarget {
    let instrument: InstrumentID
    /// The side that opened it.
    let side: Side
    /// What keeping one share needs.
    private let shareRequirement: ExactMoney

    /// `nil` where nothing is to be gained.
    init?(of instrument: InstrumentID, in portfolio: borrowing PortfolioLedger, _ terms: MarginTerms) {
        let quantity = portfolio.quantity(of: instrument)
        guard quantity != .zero else { return nil }
        self.instrument = instrument
        side = quantity > .zero ? .buy : .sell
        let requirement = terms.maintenanceRequirement(for: portfolio.value(of: instrument))
        guard
            let share = requirement.scaled(
                by: UInt128(Quantity.unitsPerOne), over: UInt128(quantity.magnitude.units)),
            share > .zero
        else { return nil }
        shareRequirement = share
    }

    /// What is no longer needed when that much is gone.
    func freed(by quantity: Quantity) -> ExactMoney {
        shareRequirement.scaled(
            by: UInt128(quantity.magnitude.units), over: UInt128(Quantity.unitsPerOne)) ?? .tradeMax
    }

    /// The whole shares that must go for that amount, rounded up; no more than there can be.
    func quantity(freeing amount: ExactMoney) -> Quantity {
        let (shares, rest) = amount.units.quotientAndRemainder(dividingBy: shareRequirement.units)
        let count = shares + (rest > 0 ? 1 : 0)
        let most = Int128(Quantity.magnitudeMax.units / Quantity.unitsPerOne)
        return Quantity(shares: Int64(min(count, most)))
    }
}

extension MarginTerms {
    /// Whether keeping a position may need more than the position is worth.
    fileprivate var needsMoreThanWorth: Bool {
        maintenanceLong > .hundred || maintenanceShort > .hundred
    }
}
