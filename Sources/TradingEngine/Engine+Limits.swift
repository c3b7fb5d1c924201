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

    /// What companies did and the ledger could not bear: their instruments are latched.
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

    /// Whether equity is looked at when a slice is complete.
    var isOn: Bool { losses != nil || margin != nil }

    /// Takes what is watched into a digest.
    func hash(into hasher: inout StateHasher) {
        losses?.hash(into: &hasher)
        purchases.hash(into: &hasher)
        hasher.combine(breaches.count)
        hasher.combine(unbooked.count)
        hasher.combine(unvalued.count)
        hasher.combine(isOverdrawn)
    }
}

extension AccountMonitor {
    /// Narrows the bounds of a batch to prices at which no limit on the account is reached. Returns false where
    /// every slice has to be looked at.
    func narrow(
        _ bounds: inout BarBounds, _ position: BarBatch.Position, _ gate: RiskGate,
        _ portfolio: borrowing PortfolioLedger
    ) -> Bool {
        if let losses {
            let (isDayHalted, isHalted) = (
                gate.isHalted(for: .dailyLoss), gate.isHalted(for: .drawdown)
            )
            if losses.limits.response == .flatten, isDayHalted || isHalted { return false }
            guard
                let range = losses.quietRange(
                    around: portfolio.equity, checksDay: !isDayHalted, checksDrawdown: !isHalted)
            else { return false }
            bounds.narrow(to: position.prices(above: range.above, atMost: range.most))
        }
        return margin.map { narrow(&bounds, position, to: $0, portfolio) } ?? true
    }

    private func narrow(
        _ bounds: inout BarBounds, _ position: BarBatch.Position, to terms: MarginTerms,
        _ portfolio: borrowing PortfolioLedger
    ) -> Bool {
        guard !terms.needsMoreThanWorth else { return false }
        let others = portfolio.grossExposure - portfolio.value(of: position.instrument).magnitude
        // Longs cost what they are worth: what is left of equity covers the others or does not, at any price.
        guard others <= position.otherEquity else { return false }
        guard position.worth < .zero else { return true }
        let most =
            (position.otherEquity - others).units / (2 * Int128(position.worth.magnitude.units))
        bounds.narrow(to: .zero...Price(units: Int64(clamping: most)))
        return true
    }
}

extension BarBatch.Position {
    /// The prices at which equity is above `low` and at most `high`, or some fewer.
    func prices(above low: ExactMoney, atMost high: ExactMoney) -> ClosedRange<Price> {
        let units = Int128(worth.units)
        let all = Price(units: -.max)...Price(units: .max)
        guard units != 0 else { return all }
        // Towards zero: a unit more on either side is within.
        let (first, second) = (
            (low - otherEquity).units / units, (high - otherEquity).units / units
        )
        let (least, most) = units > 0 ? (first + 1, second - 1) : (second + 1, first - 1)
        guard least <= most else { return .zero ... .zero }
        return Price(units: Int64(clamping: least))...Price(units: Int64(clamping: most))
    }
}

/// Halts, and what follows from them.
extension Engine {
    /// Stops entries, cancels those that work and drops those that wait to be sent. Exits and protection stay.
    ///
    /// - Parameter figures: what has reached which limit.
    mutating func halt(
        for cause: HaltCause, into output: inout EngineOutput,
        _ figures: Figures = Figures()
    ) {
        if !gate.isHalted(for: cause) {
            decide(.halted(cause), about: Decision.Subject(), &output) { figures }
        }
        gate.halt(for: cause)
        dropHeldEntries(for: .halted, &output)
        for intent in unfinished.dropFollowUps() { drop(.halted, intent, &output) }
        timed.forgetAll()
        for id in orders.liveEntries {
            cancelOrder(id, &output)
        }
    }

    /// Latches entries in an instrument until a person has looked.
    mutating func latch(
        _ instrument: InstrumentID, for cause: LatchCause, _ subject: Decision.Subject,
        _ output: inout EngineOutput, _ figures: () -> Figures = { Figures() }
    ) {
        gate.latch(instrument)
        decide(.latched(cause), about: subject, &output, figures)
    }

    /// A person lets entries go on, and has looked at what was latched.
    mutating func resume(into output: inout EngineOutput) {
        for cause in gate.haltCauses where cause.endsWithOthers { lift(cause, into: &output) }
        for index in 0..<instrumentCount where gate.isLatched(InstrumentID(index: index)) {
            let subject = Decision.Subject(instrument: InstrumentID(index: index))
            decide(.latchCleared, about: subject, &output)
        }
        gate.resume()
        for index in 0..<instrumentCount { release(InstrumentID(index: index), &output) }
        if plans.count > 0 { resumePlans(&output) }
    }

    /// Lifts one halt.
    mutating func lift(_ cause: HaltCause, into output: inout EngineOutput) {
        guard gate.isHalted(for: cause) else { return }
        // Only then: or a halt for another reason would move the highest equity down.
        if cause == .drawdown { monitor.losses?.resume(with: portfolio.equity) }
        gate.lift(cause)
        decide(.resumed(cause), about: Decision.Subject(), &output)
    }

    /// A day begins. What its losses are measured against changes on days on which the market is open,
    /// so that a halt of Friday lasts through the weekend.
    mutating func beginDayOfMonitor(into output: inout EngineOutput) {
        if gate.cashBuffer != nil { forgetUnchargedPurchases() }
        guard days.isTradingDay else { return }
        for cause in gate.haltCauses where cause.endsWithDay {
            decide(.resumed(cause), about: Decision.Subject(), &output)
        }
        gate.beginDay()
        monitor.losses?.beginDay(with: portfolio.equity)
    }

    /// Looks at equity after all that belongs to a slice, before strategies do.
    mutating func reviewAccount(into output: inout EngineOutput) {
        monitor.losses?.observe(portfolio.equity)
        if let losses = monitor.losses { enforce(losses, &output) }
        if let terms = monitor.margin { enforce(terms, &output) }
    }

    private mutating func enforce(_ losses: LossMonitor, _ output: inout EngineOutput) {
        if !gate.isHalted(for: .dailyLoss),
            let breach = losses.dailyBreach(with: portfolio.equity, at: now)
        {
            note(breach, &output)
        }
        if !gate.isHalted(for: .drawdown),
            let breach = losses.drawdownBreach(with: portfolio.equity, at: now)
        {
            note(breach, &output)
        }
        switch losses.limits.response {
        case .halt: break
        case .flatten:
            // Again at every slice: an entry may have filled before its cancel came.
            for cause in [HaltCause.drawdown, .dailyLoss] where gate.isHalted(for: cause) {
                return flatten(because: cause)
            }
        }
    }

    private mutating func note(_ breach: LimitBreach, _ output: inout EngineOutput) {
        monitor.breaches.append(breach)
        halt(for: breach.cause, into: &output, Figures(breach.figures))
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
        because cause: HaltCause, _ output: inout EngineOutput
    ) {
        resolve(
            Intent(
                strategy: strategy, instrument: instrument, goal: goal, terms: .marketNow,
                reason: context.number(of: cause.name)), into: &output)
    }
}

/// Margin: what a broker would do, done first.
extension Engine {
    /// Reduces positions when equity is below what keeping them needs: the largest first, each by no more
    /// than is missing. IBKR liquidates in such a case without asking.
    private mutating func enforce(_ terms: MarginTerms, _ output: inout EngineOutput) {
        // The usual case by one pass of sums: positions need no more than they are worth.
        guard terms.needsMoreThanWorth || portfolio.grossExposure > portfolio.equity else { return }
        let margin = portfolio.margin(under: terms)
        guard margin.needsLiquidation else { return }
        if gate.isHalted(for: .marginCall) {
            halt(for: .marginCall, into: &output)
        } else {
            let (limit, value) = (
                Money(clamping: margin.maintenance), Money(clamping: margin.equity)
            )
            note(
                LimitBreach(.marginCall, at: now, .amount(limit: limit, value: value)), &output)
        }
        liquidate(-margin.excessLiquidity, terms, &output)
    }

    private mutating func liquidate(
        _ shortfall: ExactMoney, _ terms: MarginTerms, _ output: inout EngineOutput
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
            missing -= target.freed(by: sell(target.quantity(freeing: missing), target, &output))
        }
    }

    /// Reduces strategies' positions on the account's side in one instrument, in the order of strategies.
    /// Returns by how much.
    private mutating func sell(
        _ quantity: Quantity, _ target: LiquidationTarget, _ output: inout EngineOutput
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
                ? .exit : .target(target.side.signed(held.magnitude - leaving.quantity - part))
            reduce(strategy, target.instrument, to: goal, because: .marginCall, &output)
            left -= part
        }
        return quantity - left
    }

    /// What of a strategy's position is being sold at whatever the market gives, and whether other exits
    /// rest to reduce it.
    private func leaving(
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
        if let exit = deferredExits.exit(of: strategy, in: instrument) {
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
    init?(
        of instrument: InstrumentID, in portfolio: borrowing PortfolioLedger, _ terms: MarginTerms
    ) {
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
        let (shares, remainder) = amount.units.quotientAndRemainder(
            dividingBy: shareRequirement.units)
        let count = shares + (remainder > 0 ? 1 : 0)
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

extension Figures {
    /// The figures of a breach.
    init(_ figures: LimitBreach.Figures) {
        switch figures {
        case .percent(let limit, let value):
            self.init(.percent(.value, value), .percent(.limit, limit))
        case .amount(let limit, let value): self.init(.money(.value, value), .money(.limit, limit))
        }
    }
}

// MARK: - Records

extension AccountMonitor {
    /// Writes what is monitored, but for what the configuration says.
    func write(to writer: inout RecordWriter) {
        losses?.write(to: &writer)
        purchases.write(to: &writer)
        for breach in breaches { writer.item(.breach) { breach.write(to: &$0) } }
        writer.item(.day) { item in
            item.write(isOverdrawn)
            item.write(list: unvalued) { $0.write($1) }
            item.write(list: unbooked) { $0.write($1) }
        }
    }

    /// Reads a part of it back.
    mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        if reader.topic == .baseline {
            // Where any loss is allowed now, what losses were counted from means nothing.
            if losses == nil { reader.skip() } else { try losses?.read(&reader) }
        } else if reader.topic == .reserve {
            try purchases.read(&reader)
        } else if reader.topic == .breach {
            breaches.append(try LimitBreach(from: &reader))
        } else {
            isOverdrawn = try reader.flag()
            unvalued = try reader.list { (reader) throws(RecordError) in try reader.instrument() }
            unbooked = try reader.list { (reader) throws(RecordError) in
                try reader.value(CorporateAction.self)
            }
        }
    }
}

extension LimitBreach {
    fileprivate func write(to writer: inout RecordWriter) {
        writer.write(cause)
        writer.write(at)
        switch figures {
        case .percent(let limit, let value):
            writer.write(true)
            writer.write(limit.units)
            writer.write(value.units)
        case .amount(let limit, let value):
            writer.write(false)
            writer.write(limit.units)
            writer.write(value.units)
        }
    }

    fileprivate init(from reader: inout RecordReader) throws(RecordError) {
        let cause = try reader.raw(HaltCause.self)
        let time = try reader.time()
        let isPercent = try reader.flag()
        let (limit, value) = (try reader.word(), try reader.word())
        self.init(
            cause, at: time,
            isPercent
                ? .percent(limit: Percent(units: limit), value: Percent(units: value))
                : .amount(limit: Money(units: limit), value: Money(units: value)))
    }
}
