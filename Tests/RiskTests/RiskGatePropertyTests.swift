import Model
import Primitives
import Risk
import TestSupport
import Testing

/// The gate against a second, slow implementation that was written from the documentation, and against
/// numbers no sound edge would let through.
@Suite struct RiskGatePropertyTests {
    /// Property: 20,000 random requests get the same answers as from the plain implementation.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func agreesWithAPlainImplementation(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let request = Self.request(&chance)
            var facts = Self.facts(&chance)
            let limits = chance.chance(percent: 5) ? nil : Self.limits(&chance)
            let cashBuffer = Self.cashBuffer(&chance)
            // Whether others' shares cover a sale is a question of its own (`RiskGateTests`).
            if limits?.allowsShort == false || cashBuffer != nil {
                facts.position = min(facts.position, facts.held)
            }
            var gate = RiskGate(
                limits: limits, instrumentCount: 1, cashBuffer: cashBuffer.map(CashBuffer.init))
            let cause = Self.haltCause(&chance)
            let isLatched = chance.chance(percent: 5)
            if let cause { gate.halt(for: cause) }
            if isLatched { gate.latch(request.instrument) }
            let plain = PlainGate(
                limits: limits, cashBuffer: cashBuffer, haltCause: cause, isLatched: isLatched,
                request: request, facts: facts)
            let expected = plain.review
            switch gate.review(on: request, given: facts) {
            case .refused(let refusal): try #require(expected == .refused(refusal))
            case .approved(let approved):
                try #require(expected == .allowed(approved.request.quantity))
            }
        }
    }

    /// All refusals and all three kinds of approvals occur in what the property draws.
    @Test func randomRequestsReachEveryAnswer() {
        var refusals: Set<Refusal> = []
        var whole = 0
        var reduced = 0
        for seed in 0..<20 as Range<UInt64> {
            var chance = SeededGenerator(seed: seed)
            for _ in 0..<1_000 {
                let request = Self.request(&chance)
                let plain = PlainGate(
                    limits: Self.limits(&chance), cashBuffer: Self.cashBuffer(&chance),
                    haltCause: Self.haltCause(&chance), isLatched: chance.chance(percent: 5),
                    request: request,
                    facts: Self.facts(&chance))
                switch plain.review {
                case .refused(let refusal): refusals.insert(refusal)
                case .allowed(request.quantity): whole += 1
                case .allowed: reduced += 1
                }
            }
        }
        let engines: [Refusal] = [
            .tooSmall, .protectionFailed, .exitUnfinished, .groupRefused, .selfCrossing, .orderRate,
        ]
        #expect(refusals == Set(Refusal.allCases.filter { !engines.contains($0) }))
        #expect(whole > 1_000)
        #expect(reduced > 1_000)
    }

    // MARK: Extremes

    private static let extremes: [Int64] = [
        .min, .min + 1, -1, 0, 1, 100_000_000, 9_000_000_000_000_000_000, .max - 1, .max,
    ]

    /// Property: whatever the numbers, the gate answers; entries with numbers beyond reason are refused.
    /// Runs in a process of its own, which a trap would end.
    @Test func extremeEntriesAreAnswered() async {
        await #expect(processExitsWith: .success) {
            let extremes = RiskGatePropertyTests.extremes
            for (index, first) in extremes.enumerated() {
                for second in extremes {
                    for third in extremes {
                        RiskGatePropertyTests.reviewEntries(
                            first, second, third, extremes[(index + 3) % extremes.count])
                    }
                }
            }
        }
    }

    @Test func extremePositionsOfExitsAreAnswered() async {
        await #expect(processExitsWith: .success) {
            let gate = RiskGate(limits: nil, instrumentCount: 1)
            for held in RiskGatePropertyTests.extremes {
                for working in RiskGatePropertyTests.extremes where working >= 0 {
                    for side in [Side.buy, .sell] {
                        var facts = RiskFacts()
                        facts.held = Quantity(units: held)
                        facts.workingExits = Quantity(units: working)
                        _ = gate.review(on: Make.request(side, 1, purpose: .exit), given: facts)
                    }
                }
            }
        }
    }

    @Test func extremeExposureOfOthersIsAnswered() async {
        await #expect(processExitsWith: .success) {
            var limits = RiskLimits(allowsShort: true)
            limits.grossPercentMax = Percent(100)
            let gate = RiskGate(limits: limits, instrumentCount: 1)
            for other in [Int128.min, -1, 0, 1, Int128.max] {
                for equity in [Int128.min, -1_000_000_000, 0, 1_000_000_000, Int128.max] {
                    var facts = RiskFacts()
                    facts.price = Price(cents: 50_00)
                    facts.equity = ExactMoney(units: equity)
                    facts.otherExposure = ExactMoney(units: other)
                    _ = gate.review(on: Make.request(.buy, 1), given: facts)
                }
            }
        }
    }

    /// Entries under all limits together; one with a multiplier or price beyond reason must be refused.
    private static func reviewEntries(
        _ first: Int64, _ second: Int64, _ third: Int64, _ fourth: Int64
    ) {
        var limits = RiskLimits(allowsShort: third > 0)
        limits.positionSharesMax = Quantity(units: fourth)
        limits.positionValueMax = Money(units: third)
        limits.positionPercentMax = Percent(units: fourth)
        limits.grossExposureMax = Money(units: third)
        limits.grossPercentMax = Percent(units: fourth)
        var facts = RiskFacts()
        facts.price = Price(units: first)
        facts.multiplier = second
        facts.position = Quantity(units: third)
        facts.workingBuys = Quantity(units: max(0, fourth))
        facts.workingSells = Quantity(units: max(0, fourth))
        facts.equity = ExactMoney(units: Int128(third) * Int128(fourth))
        facts.otherExposure = ExactMoney(units: Int128(Int64.max) * Int128(max(0, fourth)))
        limits.initialMargin = Percent(units: third)
        facts.spendableCash = facts.equity
        let cashBuffer = CashBuffer(Percent(units: second))
        for (limits, cashBuffer) in [
            (limits, nil), (nil, nil), (limits, cashBuffer), (nil, cashBuffer),
        ] {
            let gate = RiskGate(limits: limits, instrumentCount: 1, cashBuffer: cashBuffer)
            for side in [Side.buy, .sell] {
                for type in [
                    OrderType.market, .limit(Price(units: second)), .stop(Price(units: third)),
                ] {
                    let request = Make.request(side, 1, type).with(
                        quantity: Quantity(units: fourth))
                    let review = gate.review(on: request, given: facts)
                    guard case .approved(let approved) = review else { continue }
                    let quantity = approved.request.quantity
                    precondition(
                        quantity > .zero && quantity <= request.quantity,
                        "never nothing, never more than was asked for")
                    precondition(facts.multiplier > 0, "worth must be computable")
                }
            }
        }
    }

    // MARK: Random worlds

    private static func request(_ chance: inout SeededGenerator) -> OrderRequest {
        let price = Price(cents: chance.number(in: 1...300_00))
        let request = Make.request(
            chance.one(of: [.buy, .sell]), 1,
            chance.one(of: [.market, .market, .limit(price), .stop(price)]),
            purpose: chance.chance(percent: 25) ? chance.one(of: [.exit, .protection]) : .entry,
            timeInForce: chance.one(of: [.day, .goodTillCancelled, .immediateOrCancel]))
        let quantity =
            chance.chance(percent: 70)
            ? Quantity(shares: chance.number(in: 0...400))
            : Quantity(units: chance.number(in: -1_00000000...400_00000000))
        return request.with(quantity: quantity)
    }

    private static let restrictions: [Refusal] = [
        .strategyStopped, .foreignPosition, .disowned, .orphaned, .noMarketData, .noHistory,
        .notInTradingHours, .implausiblePrice, .noOrderNumber,
    ]

    private static func facts(_ chance: inout SeededGenerator) -> RiskFacts {
        var facts = RiskFacts(multiplier: chance.one(of: [1, 1, 1, 100, 50, 0, -1]))
        facts.price =
            chance.chance(percent: 4)
            ? chance.one(of: [nil, .zero, Price(cents: -100)])
            : Price(units: chance.number(in: 1...300_00000000))
        facts.isTradable = chance.chance(percent: 97)
        facts.hasUnknownOrder = chance.chance(percent: 3)
        facts.mayLeave = !chance.chance(percent: 3)
        if chance.chance(percent: 5) { facts.restriction = chance.one(of: restrictions) }
        facts.held = Quantity(shares: chance.number(in: -300...300))
        facts.workingExits = Quantity(shares: chance.one(of: [0, 0, chance.number(in: 0...300)]))
        let others = chance.chance(percent: 30) ? chance.number(in: -300...300) : 0
        facts.position = facts.held + Quantity(shares: others)
        facts.workingBuys = Quantity(shares: chance.one(of: [0, 0, chance.number(in: 0...300)]))
        facts.workingSells = Quantity(shares: chance.one(of: [0, 0, chance.number(in: 0...300)]))
        facts.equity = ExactMoney(Money(cents: chance.number(in: -1_000_00...100_000_00)))
        facts.otherExposure =
            chance.chance(percent: 5)
            ? nil : ExactMoney(Money(cents: chance.number(in: 0...50_000_00)))
        facts.otherPositions = Int(chance.number(in: 0...4))
        facts.spendableCash =
            chance.chance(percent: 3)
            ? nil : ExactMoney(Money(cents: chance.number(in: -1_000_00...40_000_00)))
        return facts
    }

    private static func cashBuffer(_ chance: inout SeededGenerator) -> Percent? {
        chance.chance(percent: 30) ? Percent(units: chance.number(in: 0...5_000000)) : nil
    }

    private static func haltCause(_ chance: inout SeededGenerator) -> HaltCause? {
        chance.chance(percent: 5) ? chance.one(of: HaltCause.allCases) : nil
    }

    private static func limits(_ chance: inout SeededGenerator) -> RiskLimits {
        var limits = RiskLimits(
            allowsShort: chance.chance(percent: 60), overLimit: chance.one(of: [.reduce, .reject]))
        if chance.chance(percent: 40) {
            limits.positionSharesMax = Quantity(units: chance.number(in: 0...300_00000000))
        }
        if chance.chance(percent: 40) {
            limits.positionValueMax = Money(units: chance.number(in: 0...40_000_000000))
        }
        if chance.chance(percent: 40) {
            limits.positionPercentMax = Percent(units: chance.number(in: 0...150_000000))
        }
        if chance.chance(percent: 40) {
            limits.grossExposureMax = Money(units: chance.number(in: 0...60_000_000000))
        }
        if chance.chance(percent: 40) {
            limits.grossPercentMax = Percent(units: chance.number(in: 0...200_000000))
        }
        if chance.chance(percent: 30) {
            limits.initialMargin = Percent(units: chance.number(in: 1...150_000000))
        }
        if chance.chance(percent: 10) { limits.positionsMax = Int(chance.number(in: 1...4)) }
        return limits
    }
}

/// The gate's rules as predicates over a candidate quantity, without any division: the answer is found by
/// trying quantities, halving the range.
private struct PlainGate {
    let limits: RiskLimits?
    let cashBuffer: Percent?
    let haltCause: HaltCause?
    let isLatched: Bool
    let request: OrderRequest
    let facts: RiskFacts

    enum Review: Equatable {
        case allowed(Quantity)
        case refused(Refusal)
    }

    var review: Review {
        guard facts.isTradable else { return .refused(.notTradable) }
        guard facts.mayLeave else { return .refused(.linkNotReady) }
        guard request.quantity.units > 0 else { return .refused(.cannotEvaluate) }
        if case .stop = request.type, request.timeInForce == .immediateOrCancel {
            return .refused(.invalidTerms)
        }
        if request.purpose != .entry { return exit }
        switch haltCause {
        case .killed, .operatorRequest, .damagedState, .changedSetup, .replayDiffers,
            .foreignActivity, .unvaluedPosition, .brokerLiquidation, .programHung,
            .journalOutdated:
            return .refused(.halted)
        case .marginCall, .brokerMargin: return .refused(.marginCall)
        case .drawdown: return .refused(.drawdown)
        case .dailyLoss: return .refused(.dailyLoss)
        case nil: break
        }
        if isLatched { return .refused(.latched) }
        if let restriction = facts.restriction { return .refused(restriction) }
        if facts.hasUnknownOrder { return .refused(.outcomeUnknown) }
        guard let price, price.units > 0, facts.multiplier > 0 else {
            return .refused(.cannotEvaluate)
        }
        let allowsShort = limits?.allowsShort ?? true
        if !allowsShort || cashBuffer != nil, request.side == .sell, reached + asked > 0 {
            return .refused(.shortNotAllowed)
        }
        if let most = limits?.positionsMax, most <= facts.otherPositions {
            return .refused(.positionCount)
        }
        let needsOthers =
            limits?.grossExposureMax != nil || limits?.grossPercentMax != nil
            || limits?.initialMargin != nil
        if needsOthers, facts.otherExposure == nil { return .refused(.cannotEvaluate) }
        if cashBuffer != nil, request.side == .buy, facts.spendableCash == nil {
            return .refused(.cannotEvaluate)
        }
        let rules: [(refusal: Refusal, allows: (Int128) -> Bool)] = [
            (.positionLimit, isWithinPosition), (.exposureLimit, isWithinGross),
            (.initialMargin, isWithinMargin), (.settledCash, isWithinCash),
        ]
        if rules.allSatisfy({ $0.allows(asked) }) { return .allowed(request.quantity) }
        let left = rules.map { most($0.allows) }
        let least = left.min() ?? 0
        let refusal = rules[left.firstIndex(of: least) ?? 0].refusal
        let whole = least / 100_000_000 * 100_000_000
        guard limits?.overLimit != .reject, whole > 0 else { return .refused(refusal) }
        return .allowed(Quantity(units: Int64(whole)))
    }

    /// Whether the initial margin of all positions is there, both sides times a hundred percent.
    private func isWithinMargin(_ quantity: Int128) -> Bool {
        let position = reached + quantity
        guard let initial = limits?.initialMargin, position > 0, let other = facts.otherExposure
        else { return true }
        let worth = position * Int128(price?.units ?? 0) * Int128(facts.multiplier) + other.units
        return worth * Int128(initial.units) <= facts.equity.units * 100_000_000
    }

    /// Whether settled cash covers a purchase with its cash buffer, both sides times a hundred percent.
    private func isWithinCash(_ quantity: Int128) -> Bool {
        guard let cashBuffer, request.side == .buy, quantity > 0, let cash = facts.spendableCash
        else {
            return true
        }
        let paid: Int64? =
            if case .limit(let own) = request.type { own.units } else { price?.units }
        let worth = quantity * Int128(paid ?? 0) * Int128(facts.multiplier)
        return worth * Int128(100_000_000 + cashBuffer.units) <= cash.units * 100_000_000
    }

    private var exit: Review {
        let held = facts.held.units
        let isReducing = request.side == .sell ? held > 0 : held < 0
        let open = abs(held) - facts.workingExits.units
        guard isReducing, open > 0 else { return .refused(.nothingToReduce) }
        return .allowed(Quantity(units: min(open, request.quantity.units)))
    }

    private var asked: Int128 { Int128(request.quantity.units) }

    private var price: Price? {
        switch request.type {
        case .market, .marketOnOpen, .marketOnClose, .trailingStop: facts.price
        case .limit(let own), .stop(let own), .stopLimit(_, let own), .limitOnOpen(let own),
            .limitOnClose(let own):
            [own, facts.price].compactMap(\.self).max()
        }
    }

    /// The position on the order's side with all that works there filled.
    private var reached: Int128 {
        switch request.side {
        case .buy: Int128(facts.position.units) + Int128(facts.workingBuys.units)
        case .sell: Int128(facts.workingSells.units) - Int128(facts.position.units)
        }
    }

    /// Whether a position is worth at most `share` of `whole`, both sides times a hundred percent.
    private func isWorth(
        _ position: Int128, atMost share: Percent, of whole: ExactMoney, besides other: ExactMoney
    ) -> Bool {
        let worth = position * Int128(price?.units ?? 0) * Int128(facts.multiplier)
        return (worth + other.units) * 100_000_000 <= whole.units * Int128(share.units)
    }

    private func isWithinPosition(_ quantity: Int128) -> Bool {
        let position = reached + quantity
        guard let limits, position > 0 else { return true }
        if let most = limits.positionSharesMax, position > Int128(most.units) { return false }
        if let most = limits.positionValueMax,
            !isWorth(position, atMost: .hundred, of: ExactMoney(most), besides: .zero)
        {
            return false
        }
        guard let most = limits.positionPercentMax else { return true }
        return isWorth(position, atMost: most, of: facts.equity, besides: .zero)
    }

    private func isWithinGross(_ quantity: Int128) -> Bool {
        let position = reached + quantity
        guard let limits, position > 0, let other = facts.otherExposure else { return true }
        if let most = limits.grossExposureMax,
            !isWorth(position, atMost: .hundred, of: ExactMoney(most), besides: other)
        {
            return false
        }
        guard let most = limits.grossPercentMax else { return true }
        return isWorth(position, atMost: most, of: facts.equity, besides: other)
    }

    /// The largest quantity for which `isWithin` holds, up to 10,000 shares, which is more than anybody
    /// asks for here; 0 when none does.
    private func most(_ isWithin: (Int128) -> Bool) -> Int128 {
        var low: Int128 = 0
        var high: Int128 = 10_000_00000000
        while low < high {
            let middle = (low + high + 1) / 2
            if isWithin(middle) { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
