import Model
import Primitives
import Risk
import TestSupport
import Testing

/// Each limit at its boundary: a share at 50.00, equity 10,000.00.
@Suite struct RiskLimitsTests {
    /// Two positions are allowed: a third is refused, an exit never.
    @Test func thePositionCountIsHeldForEntriesOnly() {
        var limits = RiskLimits()
        limits.positionsMax = 2
        let gate = RiskGate(limits: limits, instrumentCount: 1)
        var facts = facts()
        facts.price = Price(cents: 50_00)
        facts.otherPositions = 1
        guard case .approved = gate.review(on: Make.request(.buy, 10), given: facts) else {
            Issue.record("the second position is allowed")
            return
        }
        facts.otherPositions = 2
        let entry = gate.review(on: Make.request(.buy, 10), given: facts)
        #expect(entry == .refused(.positionCount))
        facts.held = Quantity(shares: 10)
        facts.position = Quantity(shares: 10)
        guard
            case .approved = gate.review(
                on:
                    Make.request(.sell, 10, purpose: .exit), given: facts)
        else {
            Issue.record("an exit is never refused for it")
            return
        }
    }

    private func facts(position: Int64 = 0, buys: Int64 = 0, sells: Int64 = 0) -> RiskFacts {
        var facts = RiskFacts()
        facts.price = Price(cents: 50_00)
        facts.position = Quantity(shares: position)
        facts.held = Quantity(shares: position)
        facts.workingBuys = Quantity(shares: buys)
        facts.workingSells = Quantity(shares: sells)
        facts.equity = ExactMoney(Money(cents: 10_000_00))
        return facts
    }

    private func gate(_ overLimit: RiskLimits.OverLimit, _ set: (inout RiskLimits) -> Void)
        -> RiskGate
    {
        var limits = RiskLimits(allowsShort: true, overLimit: overLimit)
        set(&limits)
        return RiskGate(limits: limits, instrumentCount: 1)
    }

    /// Each limit, set so that it allows a position of 100 shares.
    private static let hundredShares: [(name: String, refusal: Refusal, limits: RiskLimits)] = [
        ("shares", .positionLimit, limits { $0.positionSharesMax = Quantity(shares: 100) }),
        // 100 · 50.00
        ("value", .positionLimit, limits { $0.positionValueMax = Money(cents: 5_000_00) }),
        // 50 % of 10,000.00
        ("percent", .positionLimit, limits { $0.positionPercentMax = Percent(50) }),
        ("gross", .exposureLimit, limits { $0.grossExposureMax = Money(cents: 5_000_00) }),
        ("gross percent", .exposureLimit, limits { $0.grossPercentMax = Percent(50) }),
    ]

    private static func limits(_ set: (inout RiskLimits) -> Void) -> RiskLimits {
        var limits = RiskLimits(allowsShort: true)
        set(&limits)
        return limits
    }

    // MARK: Boundaries

    @Test(arguments: [Side.buy, .sell])
    func exactlyAtALimitIsAllowed(side: Side) {
        for (name, _, limits) in Self.hundredShares {
            let gate = RiskGate(limits: limits, instrumentCount: 1)
            #expect(
                gate.allowed(Make.request(side, 100), facts()) == Quantity(shares: 100), "\(name)")
        }
    }

    @Test(arguments: [Side.buy, .sell])
    func oneShareBeyondALimitIsReduced(side: Side) {
        for (name, _, limits) in Self.hundredShares {
            let gate = RiskGate(limits: limits, instrumentCount: 1)
            #expect(
                gate.allowed(Make.request(side, 101), facts()) == Quantity(shares: 100), "\(name)")
        }
    }

    @Test(arguments: [Side.buy, .sell])
    func oneShareBeyondALimitIsRefusedWhereNothingIsReduced(side: Side) {
        for (name, refusal, var limits) in Self.hundredShares {
            limits.overLimit = .reject
            let gate = RiskGate(limits: limits, instrumentCount: 1)
            #expect(
                gate.allowed(Make.request(side, 100), facts()) == Quantity(shares: 100), "\(name)")
            #expect(
                gate.review(on: Make.request(side, 101), given: facts()) == .refused(refusal),
                "\(name)"
            )
        }
    }

    @Test func smallestFractionBeyondALimitIsBeyond() {
        let request = Make.request(.buy, 100).with(
            quantity: Quantity(units: Quantity(shares: 100).units + 1))
        for (name, refusal, var limits) in Self.hundredShares {
            var gate = RiskGate(limits: limits, instrumentCount: 1)
            #expect(gate.allowed(request, facts()) == Quantity(shares: 100), "\(name)")
            limits.overLimit = .reject
            gate = RiskGate(limits: limits, instrumentCount: 1)
            #expect(gate.review(on: request, given: facts()) == .refused(refusal), "\(name)")
        }
    }

    @Test func whatIsHeldAndWorksCounts() {
        for (name, refusal, limits) in Self.hundredShares {
            let gate = RiskGate(limits: limits, instrumentCount: 1)
            let facts = facts(position: 50, buys: 20)
            #expect(gate.allowed(Make.request(.buy, 40), facts) == Quantity(shares: 30), "\(name)")
            let full = self.facts(position: 50, buys: 50)
            #expect(
                gate.review(on: Make.request(.buy, 1), given: full) == .refused(refusal), "\(name)"
            )
            let beyond = self.facts(position: 80, buys: 50)
            #expect(
                gate.review(on: Make.request(.buy, 1), given: beyond) == .refused(refusal),
                "\(name)")
        }
    }

    /// Working sales do not make room for purchases: they may be cancelled.
    @Test func ordersOfTheOtherSideMakeNoHeadroom() {
        for (name, _, limits) in Self.hundredShares {
            let gate = RiskGate(limits: limits, instrumentCount: 1)
            let facts = facts(position: 90, sells: 90)
            #expect(gate.allowed(Make.request(.buy, 40), facts) == Quantity(shares: 10), "\(name)")
        }
    }

    /// An entry against the account's position (another strategy's) may go through it to the limit.
    @Test func positionOfTheOtherSideMakesHeadroom() {
        for (name, _, limits) in Self.hundredShares {
            let gate = RiskGate(limits: limits, instrumentCount: 1)
            let facts = facts(position: -30)
            #expect(
                gate.allowed(Make.request(.buy, 200), facts) == Quantity(shares: 130), "\(name)")
        }
    }

    @Test func lessThanAShareOfHeadroomIsNone() {
        // 49.99 buy no share at 50.00.
        let gate = gate(.reduce) { $0.positionValueMax = Money(cents: 49_99) }
        #expect(gate.review(on: Make.request(.buy, 1), given: facts()) == .refused(.positionLimit))
        // But a fraction that fits is not refused: 0.9998 shares.
        let fraction = Make.request(.buy, 1).with(quantity: Quantity(units: 99_980_000))
        #expect(gate.allowed(fraction, facts()) == Quantity(units: 99_980_000))
    }

    // MARK: Several limits

    @Test func tightestLimitHoldsAndGivesItsName() {
        let reject = gate(.reject) {
            $0.positionSharesMax = Quantity(shares: 80)
            $0.grossExposureMax = Money(cents: 2_000_00)  // 40 shares
        }
        #expect(
            reject.review(on: Make.request(.buy, 41), given: facts()) == .refused(.exposureLimit))
        let reduce = gate(.reduce) {
            $0.positionSharesMax = Quantity(shares: 80)
            $0.grossExposureMax = Money(cents: 2_000_00)
        }
        #expect(reduce.allowed(Make.request(.buy, 90), facts()) == Quantity(shares: 40))
        let position = gate(.reject) {
            $0.positionValueMax = Money(cents: 1_000_00)  // 20 shares
            $0.grossExposureMax = Money(cents: 2_000_00)
        }
        #expect(
            position.review(on: Make.request(.buy, 90), given: facts()) == .refused(.positionLimit)
        )
    }

    @Test func exposureOfOthersIsTakenOffTheGrossLimit() {
        let gate = gate(.reduce) { $0.grossPercentMax = Percent(100) }
        var facts = facts()
        facts.otherExposure = ExactMoney(Money(cents: 9_000_00))
        // 1,000.00 are left: 20 shares.
        #expect(gate.allowed(Make.request(.buy, 50), facts) == Quantity(shares: 20))
        facts.otherExposure = ExactMoney(Money(cents: 10_000_00))
        #expect(gate.review(on: Make.request(.buy, 50), given: facts) == .refused(.exposureLimit))
        facts.otherExposure = ExactMoney(Money(cents: 11_000_00))
        #expect(gate.review(on: Make.request(.buy, 50), given: facts) == .refused(.exposureLimit))
    }

    @Test func unknownExposureOfOthersIsAskedOnlyByGrossLimits() {
        var facts = facts()
        facts.otherExposure = nil
        let gross = gate(.reduce) { $0.grossExposureMax = Money(cents: 5_000_00) }
        #expect(gross.review(on: Make.request(.buy, 1), given: facts) == .refused(.cannotEvaluate))
        let percent = gate(.reduce) { $0.grossPercentMax = Percent(100) }
        #expect(
            percent.review(on: Make.request(.buy, 1), given: facts) == .refused(.cannotEvaluate))
        let shares = gate(.reduce) { $0.positionSharesMax = Quantity(shares: 5) }
        #expect(shares.allowed(Make.request(.buy, 1), facts) == Quantity(shares: 1))
    }

    @Test func onlyGrossLimitsNeedTheGrossExposure() {
        var limits = RiskLimits()
        limits.positionPercentMax = Percent(10)
        #expect(!limits.needsGrossExposure)
        limits.grossExposureMax = .zero
        #expect(limits.needsGrossExposure)
        limits.grossExposureMax = nil
        limits.grossPercentMax = .zero
        #expect(limits.needsGrossExposure)
    }

    // MARK: Prices

    @Test func entryIsValuedAtTheHigherOfItsPriceAndTheMarket() {
        // 5,000.00: 100 shares at 50.00, 80 at 62.50.
        let gate = gate(.reduce) { $0.positionValueMax = Money(cents: 5_000_00) }
        for side in [Side.buy, .sell] {
            for (cents, shares) in [(62_50, 80), (49_00, 100)] as [(Int64, Int64)] {
                for type in [OrderType.limit(Price(cents: cents)), .stop(Price(cents: cents))] {
                    #expect(
                        gate.allowed(Make.request(side, 500, type), facts())
                            == Quantity(shares: shares))
                }
            }
        }
    }

    @Test func multiplierCounts() {
        // A contract is worth 100 · 50.00 = 5,000.00.
        let gate = gate(.reduce) { $0.positionPercentMax = Percent(100) }
        var facts = facts()
        facts.multiplier = 100
        #expect(gate.allowed(Make.request(.buy, 5), facts) == Quantity(shares: 2))
    }

    @Test func equityThatIsGoneAllowsNoEntry() {
        let gate = gate(.reduce) { $0.positionPercentMax = Percent(100) }
        var facts = facts()
        for cents in [0, -1, -10_000_00] as [Int64] {
            facts.equity = ExactMoney(Money(cents: cents))
            #expect(
                gate.review(on: Make.request(.buy, 1), given: facts) == .refused(.positionLimit))
        }
    }
}
