import Accounting
package import Model
package import Primitives

/// Proof that the gate said yes. Only `Risk` can create one, and `Orders` accepts nothing else.
package struct Approved: Hashable, Sendable {
    /// What may be sent, perhaps smaller than what was asked for.
    package let request: OrderRequest

    init(_ request: OrderRequest) { self.request = request }  // internal on purpose
}

/// The gate every order passes. Refuses what it cannot compute; never refuses to reduce a position
/// because of a limit, a halt or missing data.
package struct RiskGate: Sendable {
    /// What orders are held to; `nil` switches limits off.
    package let limits: RiskLimits?
    /// In an account that may spend settled cash only, what is set aside beyond the price of a purchase;
    /// `nil` in one that may borrow. Holds with and without limits.
    package let cashBuffer: CashBuffer?

    /// Whether an entry is held to what all positions are worth together.
    package let needsGrossExposure: Bool

    private var causes = HaltCauses()
    private var latched: [Bool]

    /// The gate's answer to one request.
    package enum Review: Hashable, Sendable {
        /// It may be sent.
        case approved(Approved)
        /// It may not.
        case refused(Refusal)
    }

    /// A gate for that many instruments.
    package init(limits: RiskLimits?, instrumentCount: Int, cashBuffer: CashBuffer? = nil) {
        self.limits = limits
        self.cashBuffer = cashBuffer
        needsGrossExposure = limits?.needsGrossExposure ?? false
        latched = Array(repeating: false, count: instrumentCount)
    }

    /// Whether entries are halted.
    package var isHalted: Bool { !causes.isEmpty }

    /// Why entries are halted, gravest cause first.
    package var haltCauses: [HaltCause] { causes.all }

    /// Whether entries are halted for that cause.
    package func isHalted(for cause: HaltCause) -> Bool { causes.contains(cause) }

    /// Stops entries until the cause is over.
    package mutating func halt(for cause: HaltCause = .operatorRequest) { causes.insert(cause) }

    /// Allows entries again, and clears all latches: a person has looked. What ends with the day does so
    /// then, not before.
    package mutating func resume() {
        for cause in HaltCause.allCases where !cause.endsWithDay { causes.remove(cause) }
        for index in latched.indices { latched[index] = false }
    }

    /// A trading day begins: what ended with the one before holds no longer.
    package mutating func beginDay() {
        for cause in HaltCause.allCases where cause.endsWithDay { causes.remove(cause) }
    }

    /// Stops entries in one instrument until `resume`.
    package mutating func latch(_ instrument: InstrumentID) {
        latched[Int(instrument.index)] = true
    }

    /// Whether entries in an instrument wait until a person has looked.
    package func isLatched(_ instrument: InstrumentID) -> Bool { latched[Int(instrument.index)] }

    /// Decides on one request, or on the new terms of an order that works.
    ///
    /// Mutating, though it changes nothing: to call what does not mutate, the compiler copies the gate.
    package mutating func review(
        _ request: OrderRequest, given facts: RiskFacts
    ) -> Review {
        guard facts.isTradable else { return .refused(.notTradable) }
        guard request.quantity > .zero, request.quantity <= .magnitudeMax,
            hasSoundPrice(request.type)
        else { return .refused(.cannotEvaluate) }
        guard request.isValid else { return .refused(.invalidTerms) }
        switch request.purpose {
        case .exit, .protection: return reviewExit(request, facts)
        case .entry: return reviewEntry(request, facts)
        }
    }

    /// Takes the gate into a digest.
    package func hash(into hasher: inout StateHasher) {
        hasher.combine(UInt64(causes.bits))
        for flag in latched { hasher.combine(flag) }
    }

    /// An exit, protection too, is cut to what is left to reduce and otherwise allowed.
    ///
    /// So exits and protection of different groups together never exceed what is held; orders of
    /// one group take each other's place and count once. A child may count on what its parent brings.
    /// What is spent of a quantity is no reduction any more, so it comes on top.
    @inline(__always)
    private mutating func reviewExit(_ request: OrderRequest, _ facts: RiskFacts) -> Review {
        // Wider: this must not trap, whatever the numbers.
        let held =
            Int128(facts.held.units)
            + Int128(request.side.opposite.signed(facts.parentOpen).units)
        let reduces = request.side == .sell ? held > 0 : held < 0
        var left = Int128(held.magnitude) - Int128(facts.workingExits.units)
        if request.purpose == .protection {
            // Every order of a group works in full: their sum must stay a number.
            left = min(
                left,
                Int128(Quantity.magnitudeMax.units) - Int128(facts.workingProtection.units))
        }
        guard reduces, left > 0, request.quantity > facts.spent else {
            return .refused(.nothingToReduce)
        }
        let most = Quantity(units: Int64(clamping: left + Int128(facts.spent.units)))
        guard request.quantity > most else { return .approved(Approved(request)) }
        return .approved(Approved(request.with(quantity: most)))
    }

    private mutating func reviewEntry(_ request: OrderRequest, _ facts: RiskFacts) -> Review {
        if isHalted { return .refused(causes.all.first?.refusal ?? .halted) }
        guard !latched[Int(request.instrument.index)] else { return .refused(.latched) }
        // It may fill, have filled or not exist: nothing says what the position will be.
        guard !facts.hasUnknownOrder else { return .refused(.outcomeUnknown) }
        guard let price = referencePrice(of: request, facts.price),
            let room = Room(request, facts, price), room.asked <= .tradeMax
        else { return .refused(.cannotEvaluate) }
        guard limits != nil || cashBuffer != nil else { return .approved(Approved(request)) }

        let allowsShort = cashBuffer == nil && limits?.allowsShort ?? true
        if !allowsShort && room.endsShort { return .refused(.shortNotAllowed) }
        if let most = limits?.positionsMax, facts.otherPositions >= most {
            return .refused(.positionCount)
        }
        guard let (left, refusal) = tightest(room, request, facts) else {
            return .refused(.cannotEvaluate)
        }
        guard request.quantity > left else { return .approved(Approved(request)) }
        switch limits?.overLimit ?? .reduce {
        case .reject: return .refused(refusal)
        case .reduce:
            guard left.wholeShares > .zero else { return .refused(refusal) }
            return .approved(Approved(request.with(quantity: left.wholeShares)))
        }
    }

    /// How much of an entry everything that holds it leaves, and what leaves least; `nil` when it cannot
    /// be computed.
    private mutating func tightest(
        _ room: Room, _ request: OrderRequest, _ facts: RiskFacts
    ) -> (left: Quantity, refusal: Refusal)? {
        var (left, refusal) = (Quantity.magnitudeMax, Refusal.positionLimit)
        if let limits {
            guard let positionMax = room.positionMax(limits), let grossMax = room.grossMax(limits),
                let marginMax = room.marginMax(limits)
            else { return nil }
            left = room.left(within: positionMax)
            let grossLeft = room.left(within: grossMax)
            if grossLeft < left { (left, refusal) = (grossLeft, .exposureLimit) }
            let marginLeft = room.left(within: marginMax)
            if marginLeft < left { (left, refusal) = (marginLeft, .initialMargin) }
        }
        if let cashBuffer, request.side == .buy {
            guard let price = purchasePrice(of: request, latest: facts.price),
                let cash = facts.spendableCash.flatMap(cashBuffer.worth(boughtFor:)),
                price > .zero
            else { return nil }
            let affordable = room.shares(worth: cash, at: price)
            if affordable < left { (left, refusal) = (affordable, .settledCash) }
        }
        return (left, refusal)
    }

    /// What one unit of a purchase is taken to cost: no more than its limit, if it has one, else what it
    /// is valued at; `nil` without a price.
    package func purchasePrice(of request: OrderRequest, latest: Price?) -> Price? {
        request.type.limitPrice ?? referencePrice(of: request, latest)
    }

    @inline(__always)
    private mutating func hasSoundPrice(_ type: OrderType) -> Bool {
        switch type {
        case .market, .marketOnOpen, .marketOnClose: true
        case .limit(let price), .stop(let price), .limitOnOpen(let price), .limitOnClose(let price):
            isSound(price)
        case .stopLimit(let stop, let limit): isSound(stop) && isSound(limit)
        case .trailingStop(.amount(let amount)): isSound(amount)
        case .trailingStop(.percent(let percent)): percent > .zero && percent < .hundred
        }
    }

    private func isSound(_ price: Price) -> Bool { price > .zero && price <= .magnitudeMax }

    /// The price an entry is valued at: its own where it has one, else the newest.
    @inline(__always)
    private func referencePrice(of request: OrderRequest, _ latest: Price?) -> Price? {
        switch request.type {
        case .market, .marketOnOpen, .marketOnClose: return latest
        case .limit(let price), .stop(let price), .limitOnOpen(let price), .limitOnClose(let price):
            return max(price, latest ?? price)
        case .stopLimit(let stop, let limit):
            return max(stop, limit, latest ?? limit)
        case .trailingStop(let offset):
            guard let price = latest, price <= .magnitudeMax, price >= -.magnitudeMax else {
                return nil
            }
            return price + offset.distance(from: price)
        }
    }
}

/// How much room limits leave for one order, everything that works already counted as filled.
private struct Room {
    /// What the order is worth at its reference price.
    let asked: ExactMoney
    /// Whether the account or the strategy itself would be short with the order filled.
    let endsShort: Bool

    private let multiplier: Int64
    private let equity: ExactMoney
    private let otherExposure: ExactMoney?
    private let price: Price
    /// The account's position on the order's side, working orders of that side filled; negative is a
    /// position on the other side.
    private let reached: Quantity

    /// `nil` when a number on the way is beyond what can be computed with.
    init?(_ request: OrderRequest, _ facts: RiskFacts, _ price: Price) {
        guard price > .zero, facts.multiplier > 0 else { return nil }
        multiplier = facts.multiplier
        equity = facts.equity
        otherExposure = facts.otherExposure
        self.price = price
        let worth = (price * request.quantity).units
            .multipliedReportingOverflow(by: Int128(facts.multiplier))
        let (position, working) =
            switch request.side {
            case .buy: (Int128(facts.position.units), facts.workingBuys)
            case .sell: (-Int128(facts.position.units), facts.workingSells)
            }
        let filled = position + Int128(working.units)
        let after = filled + Int128(request.quantity.units)
        guard !worth.overflow, filled.magnitude <= Quantity.magnitudeMax.units.magnitude,
            after.magnitude <= Quantity.magnitudeMax.units.magnitude
        else { return nil }
        asked = ExactMoney(units: worth.partialValue)
        reached = Quantity(units: Int64(filled))
        // Others may sell their shares at any time, so they cover nothing.
        let own = Int128(facts.held.units) - Int128(request.quantity.units)
        endsShort = request.side == .sell && (after > 0 || own < 0)
    }

    /// The largest position the limits on one instrument allow; `nil` when it cannot be computed.
    func positionMax(_ limits: RiskLimits) -> Quantity? {
        var most = limits.positionSharesMax ?? .magnitudeMax
        if let value = limits.positionValueMax {
            guard let shares = shares(worth: ExactMoney(value)) else { return nil }
            most = min(most, shares)
        }
        if let percent = limits.positionPercentMax {
            guard let shares = percent.of(equity).flatMap(shares(worth:)) else { return nil }
            most = min(most, shares)
        }
        return most
    }

    /// The largest position the limits on all instruments together leave for this one.
    func grossMax(_ limits: RiskLimits) -> Quantity? {
        var most = Quantity.magnitudeMax
        if let value = limits.grossExposureMax {
            guard let shares = shares(of: ExactMoney(value)) else { return nil }
            most = min(most, shares)
        }
        if let percent = limits.grossPercentMax {
            guard let shares = percent.of(equity).flatMap(shares(of:)) else { return nil }
            most = min(most, shares)
        }
        return most
    }

    /// The largest position for which the initial margin of all positions is there; `nil` when it cannot
    /// be computed.
    func marginMax(_ limits: RiskLimits) -> Quantity? {
        guard let initial = limits.initialMargin, initial > .zero else { return .magnitudeMax }
        return equity.scaled(by: UInt128(Percent.hundred.units), over: UInt128(initial.units))
            .flatMap(shares(of:))
    }

    /// How much this order may still be so that the position stays within `most` on its side.
    func left(within most: Quantity) -> Quantity {
        let room = Int128(most.units) - Int128(reached.units)
        return Quantity(units: Int64(clamping: max(0, room)))
    }

    /// The shares that a limit on all instruments leaves for this one.
    private func shares(of gross: ExactMoney) -> Quantity? {
        guard let other = otherExposure else { return nil }
        let (left, overflowed) = gross.units.subtractingReportingOverflow(other.units)
        return overflowed ? nil : shares(worth: ExactMoney(units: left))
    }

    private func shares(worth value: ExactMoney) -> Quantity? { shares(worth: value, at: price) }

    /// What an amount buys at a price, which must be positive; no more than there can be of a position.
    func shares(worth value: ExactMoney, at price: Price) -> Quantity {
        guard value > .zero else { return .zero }
        let units = value.units / (Int128(price.units) * Int128(multiplier))
        return min(Quantity(units: Int64(clamping: units)), .magnitudeMax)
    }
}
