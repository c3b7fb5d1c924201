import Accounting
package import Model
package import Primitives

/// Proof that the gate said yes. Only `Risk` can create one, and `Orders` accepts nothing else.
package struct Approved: Hashable, Sendable {
    /// What may be sent, perhaps smaller than what was asked for.
    package let request: OrderRequest
    /// The rule that made it smaller than what was asked for; `nil` where nothing did.
    package let cutBy: Refusal?

    // Internal on purpose.
    init(_ request: OrderRequest, cutBy rule: Refusal? = nil) {
        self.request = request
        cutBy = rule
    }
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
        for cause in HaltCause.allCases where cause.endsWithOthers { causes.remove(cause) }
        for index in latched.indices { latched[index] = false }
    }

    /// Ends one halt.
    package mutating func lift(_ cause: HaltCause) { causes.remove(cause) }

    /// A trading day begins: what ended with the one before holds no longer.
    package mutating func beginDay() {
        for cause in HaltCause.allCases where cause.endsWithDay { causes.remove(cause) }
    }

    /// Stops entries in one instrument until `resume`.
    package mutating func latch(_ instrument: InstrumentID) {
        latched[Int(instrument.index)] = true
    }

    /// Lets entries in one instrument go on.
    package mutating func clearLatch(_ instrument: InstrumentID) {
        latched[Int(instrument.index)] = false
    }

    /// Whether entries in an instrument wait until the user has looked.
    package func isLatched(_ instrument: InstrumentID) -> Bool { latched[Int(instrument.index)] }

    /// Decides on one request, or on the new terms of an order that works.
    ///
    /// Mutating, though it changes nothing: the gate is copyable, and calls that do not mutate would copy it.
    package mutating func review(
        _ request: OrderRequest, given facts: RiskFacts
    ) -> Review {
        guard facts.isTradable else { return .refused(.notTradable) }
        guard facts.mayLeave else { return .refused(.linkNotReady) }
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
        return .approved(Approved(request.with(quantity: most), cutBy: .nothingToReduce))
    }

    private mutating func reviewEntry(_ request: OrderRequest, _ facts: RiskFacts) -> Review {
        if isHalted, !PlantedBug.haltedEntriesLeave.isPlanted {
            return .refused(causes.all.first?.refusal ?? .halted)
        }
        guard !latched[Int(request.instrument.index)] else { return .refused(.latched) }
        if let restriction = facts.restriction { return .refused(restriction) }
        // It may fill, have filled or not exist: nothing says what the position will be.
        guard !facts.hasUnknownOrder else { return .refused(.outcomeUnknown) }
        guard let price = referencePrice(of: request, facts.price),
            let headroom = Headroom(request, facts, price), headroom.asked <= .tradeMax
        else { return .refused(.cannotEvaluate) }
        guard limits != nil || cashBuffer != nil else { return .approved(Approved(request)) }

        let allowsShort = cashBuffer == nil && limits?.allowsShort ?? true
        if !allowsShort && headroom.endsShort { return .refused(.shortNotAllowed) }
        if let most = limits?.positionsMax, facts.otherPositions >= most {
            return .refused(.positionCount)
        }
        guard let (left, refusal) = tightest(headroom, request, facts) else {
            return .refused(.cannotEvaluate)
        }
        guard request.quantity > left else { return .approved(Approved(request)) }
        switch limits?.overLimit ?? .reduce {
        case .reject: return .refused(refusal)
        case .reduce:
            guard left.wholeShares > .zero else { return .refused(refusal) }
            return .approved(
                Approved(request.with(quantity: left.wholeShares), cutBy: refusal))
        }
    }

    /// How much of an entry everything that holds it leaves, and what leaves least; `nil` when it cannot
    /// be computed.
    private mutating func tightest(
        _ headroom: Headroom, _ request: OrderRequest, _ facts: RiskFacts
    ) -> (left: Quantity, refusal: Refusal)? {
        var (left, refusal) = (Quantity.magnitudeMax, Refusal.positionLimit)
        if let limits {
            guard let positionMax = headroom.positionMax(limits),
                let grossMax = headroom.grossMax(limits),
                let marginMax = headroom.marginMax(limits)
            else { return nil }
            left = headroom.left(within: positionMax)
            let grossLeft = headroom.left(within: grossMax)
            if grossLeft < left { (left, refusal) = (grossLeft, .exposureLimit) }
            let marginLeft = headroom.left(within: marginMax)
            if marginLeft < left { (left, refusal) = (marginLeft, .initialMargin) }
        }
        if let cashBuffer, request.side == .buy {
            guard let price = purchasePrice(of: request, latest: facts.price),
                let cash = facts.spendableCash.flatMap(cashBuffer.worth(boughtFor:)),
                price > .zero
            else { return nil }
            let affordable = headroom.shares(worth: cash, at: price)
            if affordable < left { (left, refusal) = (affordable, .settledCash) }
        }
        return (left, refusal)
    }

    /// The figures that explain why a rule stopped or cut a request: what was asked for, what the rule has
    /// measured and what it allows.
    ///
    /// - Parameter allowed: what is left of a request that was cut.
    package func figures(
        of rule: Refusal, _ request: OrderRequest, _ facts: RiskFacts, allowed: Quantity? = nil
    ) -> Figures {
        let asked = Figure.shares(.asked, request.side.signed(request.quantity))
        let left = allowed.map { Figure.shares(.allowed, request.side.signed($0)) } ?? .none
        switch rule {
        case .positionLimit, .exposureLimit, .initialMargin, .positionCount, .settledCash,
            .shortNotAllowed:
            guard let price = referencePrice(of: request, facts.price),
                let headroom = Headroom(request, facts, price),
                let (value, limit) = measure(rule, headroom, request, facts)
            else { return Figures(asked, left) }
            return Figures(asked, left, value, limit)
        case .nothingToReduce:
            return Figures(
                asked, left, .shares(.held, facts.held), .shares(.working, facts.workingExits))
        case .cannotEvaluate, .notTradable, .invalidTerms, .tooSmall:
            return Figures(asked, facts.price.map { .price(.price, $0) } ?? .none)
        case .halted, .latched, .dailyLoss, .drawdown, .marginCall, .protectionFailed,
            .exitUnfinished, .groupRefused, .outcomeUnknown, .linkNotReady, .strategyStopped,
            .foreignPosition, .disowned, .orphaned, .noMarketData, .noHistory, .notInTradingHours,
            .implausiblePrice, .selfCrossing, .orderRate, .noOrderNumber:
            return Figures(asked, .money(.equity, facts.equity))
        }
    }

    /// What a rule has measured of an order and what it allows, in one unit.
    private func measure(
        _ rule: Refusal, _ headroom: Headroom, _ request: OrderRequest, _ facts: RiskFacts
    ) -> (value: Figure, limit: Figure)? {
        switch rule {
        case .positionLimit:
            return limits.flatMap { headroom.tightestPosition($0) }
        case .exposureLimit:
            return limits.flatMap { headroom.tightestExposure($0) }
        case .initialMargin:
            guard let initial = limits?.initialMargin, let gross = headroom.grossAfter,
                let margin = initial.of(gross)
            else { return nil }
            return (.money(.value, margin), .money(.limit, facts.equity))
        case .positionCount:
            guard let most = limits?.positionsMax else { return nil }
            return (.count(.value, facts.otherPositions + 1), .count(.limit, most))
        case .settledCash:
            guard let cashBuffer, let cash = facts.spendableCash,
                let price = purchasePrice(of: request, latest: facts.price),
                let cost = cashBuffer.cost(
                    of: request.quantity, at: price, multiplier: facts.multiplier)
            else { return nil }
            return (.money(.value, cost), .money(.limit, cash))
        case .shortNotAllowed:
            return (.shares(.value, headroom.ownAfter), .shares(.limit, .zero))
        case .halted, .latched, .notTradable, .cannotEvaluate, .invalidTerms, .tooSmall,
            .nothingToReduce, .dailyLoss, .drawdown, .marginCall, .protectionFailed,
            .exitUnfinished, .groupRefused, .outcomeUnknown, .linkNotReady, .strategyStopped,
            .foreignPosition, .disowned, .orphaned, .noMarketData, .noHistory, .notInTradingHours,
            .implausiblePrice, .selfCrossing, .orderRate, .noOrderNumber:
            return nil
        }
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

/// The gate as records: the topics `halt` and `latch`.
extension RiskGate {
    /// Writes a record for each cause of a halt and each latched instrument; the limits are the run's.
    package func write(to writer: inout RecordWriter) {
        for cause in causes.all where !PlantedBug.haltNotSaved.isPlanted {
            writer.item(.halt) { $0.write(cause) }
        }
        for index in latched.indices where latched[index] {
            writer.item(.latch) { $0.write(InstrumentID(index: index)) }
        }
    }

    /// Takes one item into a gate.
    package mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        if reader.topic == .halt {
            causes.insert(try reader.raw(HaltCause.self))
        } else if reader.topic == .latch {
            let index = Int(try reader.instrument().index)
            guard latched.indices.contains(index) else { throw reader.damage }
            latched[index] = true
        } else {
            throw reader.damage
        }
        try reader.finish()
    }
}
