import Model
import Primitives
import Risk
import TestSupport
import Testing

/// What the gate says, refusal by refusal. Numbers: a share at 50.00, equity 10,000.00 unless said
/// otherwise.
@Suite struct RiskGateTests {
    private static let first = InstrumentID(index: 0)

    private func facts(held: Int64 = 0, workingExits: Int64 = 0) -> RiskFacts {
        var facts = RiskFacts()
        facts.price = Price(cents: 50_00)
        facts.held = Quantity(shares: held)
        facts.position = Quantity(shares: held)
        facts.workingExits = Quantity(shares: workingExits)
        facts.equity = ExactMoney(Money(cents: 10_000_00))
        return facts
    }

    private func gate(_ limits: RiskLimits? = RiskLimits(allowsShort: true)) -> RiskGate {
        RiskGate(limits: limits, instrumentCount: 2)
    }

    // MARK: What is refused to everybody

    @Test(arguments: [OrderPurpose.entry, .exit])
    func instrumentThatCannotBeTradedIsRefused(purpose: OrderPurpose) {
        var facts = facts(held: 100)
        facts.isTradable = false
        let review = gate().review(on: Make.request(.sell, 10, purpose: purpose), given: facts)
        #expect(review == .refused(.notTradable))
    }

    @Test(arguments: [0, -1, .min] as [Int64])
    func quantityThatIsNotPositiveIsRefused(units: Int64) {
        let facts = facts(held: 100)
        for request in [Make.request(.buy, 1), Make.request(.sell, 1, purpose: .exit)] {
            let review = gate().review(
                on:
                    request.with(quantity: Quantity(units: units)), given: facts)
            #expect(review == .refused(.cannotEvaluate))
        }
    }

    @Test func quantityBeyondWhatEdgesAcceptIsRefused() {
        let facts = facts(held: 100)
        let beyond = Quantity(units: Quantity.magnitudeMax.units + 1)
        for request in [Make.request(.buy, 1), Make.request(.sell, 1, purpose: .exit)] {
            #expect(
                gate().review(on: request.with(quantity: beyond), given: facts)
                    == .refused(.cannotEvaluate))
        }
        // Exactly at it an exit is cut to what is held.
        let exit = Make.request(.sell, 1, purpose: .exit).with(quantity: .magnitudeMax)
        #expect(gate().allowed(exit, facts) == Quantity(shares: 100))
    }

    /// Both kinds of prices, for entries and exits.
    @Test(arguments: [0, -1, Price.magnitudeMax.units + 1, .min, .max] as [Int64])
    func priceThatIsNoPriceIsRefused(units: Int64) {
        let facts = facts(held: 100)
        for type in [OrderType.limit(Price(units: units)), .stop(Price(units: units))] {
            for purpose in [OrderPurpose.entry, .exit] {
                let review = gate().review(
                    on:
                        Make.request(.sell, 10, type, purpose: purpose), given: facts)
                #expect(review == .refused(.cannotEvaluate))
            }
        }
    }

    // MARK: Entries

    @Test func haltedGateRefusesEntriesUntilResumed() {
        var gate = gate()
        gate.halt()
        let isHalted = gate.isHalted
        #expect(isHalted)
        #expect(gate.review(on: Make.request(.buy, 1), given: facts()) == .refused(.halted))
        gate.resume()
        let isStillHalted = gate.isHalted
        #expect(!isStillHalted)
        #expect(gate.allowed(Make.request(.buy, 1), facts()) == Quantity(shares: 1))
    }

    @Test func latchRefusesEntriesInItsInstrumentUntilResumed() {
        var gate = gate()
        gate.latch(Self.first)
        #expect(gate.review(on: Make.request(.buy, 1), given: facts()) == .refused(.latched))
        #expect(gate.allowed(Make.request(.buy, 1, instrument: 1), facts()) == Quantity(shares: 1))
        gate.resume()
        #expect(gate.allowed(Make.request(.buy, 1), facts()) == Quantity(shares: 1))
    }

    @Test func haltAndLatchHoldWithoutLimitsToo() {
        var gate = gate(nil)
        gate.latch(Self.first)
        #expect(gate.review(on: Make.request(.buy, 1), given: facts()) == .refused(.latched))
        gate.halt()
        #expect(gate.review(on: Make.request(.buy, 1), given: facts()) == .refused(.halted))
    }

    @Test func entryAtTheMarketNeedsAPrice() {
        var facts = facts()
        facts.price = nil
        #expect(
            gate().review(on: Make.request(.buy, 1), given: facts) == .refused(.cannotEvaluate))
        #expect(
            gate(nil).review(on: Make.request(.buy, 1), given: facts) == .refused(.cannotEvaluate))
        // A limit order brings its own.
        let limit = Make.request(.buy, 1, .limit(Price(cents: 49_00)))
        #expect(gate().allowed(limit, facts) == Quantity(shares: 1))
    }

    @Test func entryWorthMoreThanAnEdgeAcceptsIsRefused() {
        // 10^12 / 50.00 = 2·10^10 shares; the smallest part of a share more is beyond.
        let most = Quantity(shares: 20_000_000_000)
        let request = Make.request(.buy, 1)
        #expect(gate(nil).allowed(request.with(quantity: most), facts()) == most)
        let beyond = request.with(quantity: Quantity(units: most.units + 1))
        #expect(gate(nil).review(on: beyond, given: facts()) == .refused(.cannotEvaluate))
    }

    @Test func withoutLimitsAnEntryMayBeShort() {
        #expect(gate(nil).allowed(Make.request(.sell, 10), facts()) == Quantity(shares: 10))
    }

    // MARK: Short selling

    @Test func saleDownToNothingIsNotShortAndOneMoreIs() {
        let gate = gate(RiskLimits(allowsShort: false))
        #expect(gate.allowed(Make.request(.sell, 100), facts(held: 100)) == Quantity(shares: 100))
        #expect(
            gate.review(on: Make.request(.sell, 101), given: facts(held: 100))
                == .refused(.shortNotAllowed))
        let smallest = Make.request(.sell, 1).with(
            quantity: Quantity(units: Quantity(shares: 100).units + 1))
        #expect(gate.review(on: smallest, given: facts(held: 100)) == .refused(.shortNotAllowed))
    }

    @Test func salesThatWorkAlreadyCountAsSold() {
        let gate = gate(RiskLimits(allowsShort: false))
        var facts = facts(held: 100)
        facts.workingSells = Quantity(shares: 60)
        #expect(gate.allowed(Make.request(.sell, 40), facts) == Quantity(shares: 40))
        #expect(
            gate.review(on: Make.request(.sell, 41), given: facts) == .refused(.shortNotAllowed))
    }

    @Test func purchaseThatReducesAShortIsNoShortSale() {
        let gate = gate(RiskLimits(allowsShort: false))
        #expect(gate.allowed(Make.request(.buy, 10), facts(held: -100)) == Quantity(shares: 10))
    }

    /// Another strategy's shares do not make a sale of one's own nothing short: they may be sold any time,
    /// without anybody asking the limits, and the account is short then.
    @Test func sharesOfOthersDoNotCoverAnEntry() {
        var facts = facts()
        facts.held = .zero
        facts.position = Quantity(shares: 100)
        #expect(
            gate(RiskLimits(allowsShort: false)).review(on: Make.request(.sell, 50), given: facts)
                == .refused(.shortNotAllowed))
    }

    // MARK: Exits

    @Test func exitIsCutToWhatIsHeldMinusWorkingExits() {
        let facts = facts(held: 100, workingExits: 30)
        #expect(
            gate().allowed(Make.request(.sell, 70, purpose: .exit), facts) == Quantity(shares: 70))
        #expect(
            gate().allowed(Make.request(.sell, 71, purpose: .exit), facts) == Quantity(shares: 70))
        #expect(
            gate().allowed(Make.request(.sell, 5, purpose: .exit), facts) == Quantity(shares: 5))
    }

    @Test func exitOfAShortIsCutToo() {
        let facts = facts(held: -100, workingExits: 30)
        #expect(
            gate().allowed(Make.request(.buy, 200, purpose: .exit), facts) == Quantity(shares: 70))
    }

    @Test func exitKeepsFractions() {
        var facts = facts()
        facts.held = Quantity(units: 1_50000001)
        #expect(
            gate().allowed(Make.request(.sell, 9, purpose: .exit), facts)
                == Quantity(units: 1_50000001))
    }

    @Test(
        arguments: [
            (Side.sell, 0, 0),  // nothing held
            (.sell, -100, 0),  // the wrong side
            (.buy, 100, 0),
            (.sell, 100, 100),  // all of it is being sold
            (.sell, 100, 130),
        ] as [(Side, Int64, Int64)])
    func exitThatReducesNothingIsRefused(side: Side, held: Int64, workingExits: Int64) {
        #expect(
            gate().review(
                on:
                    Make.request(side, 1, purpose: .exit),
                given: facts(held: held, workingExits: workingExits)) == .refused(.nothingToReduce))
    }

    @Test func exitIsNeverRefusedForHaltsLatchesLimitsOrMissingPrices() {
        var limits = RiskLimits(allowsShort: false, overLimit: .reject)
        limits.positionSharesMax = .zero
        limits.positionValueMax = .zero
        limits.positionPercentMax = .zero
        limits.grossExposureMax = .zero
        limits.grossPercentMax = .zero
        var gate = gate(limits)
        gate.halt()
        gate.latch(Self.first)
        var facts = facts(held: 100)
        facts.price = nil
        facts.otherExposure = nil
        facts.equity = ExactMoney(Money(cents: -1))
        #expect(
            gate.allowed(Make.request(.sell, 100, purpose: .exit), facts) == Quantity(shares: 100))
        facts.held = Quantity(shares: -100)
        #expect(
            gate.allowed(Make.request(.buy, 100, purpose: .exit), facts) == Quantity(shares: 100))
    }

    // MARK: Words and digest

    @Test func everyRefusalHasWordsOfItsOwn() {
        let words = Set(Refusal.allCases.map(\.reason))
        #expect(words.count == Refusal.allCases.count)
        #expect(!words.contains(""))
    }

    @Test func refusalsCountFromZeroWithoutGaps() {
        // The engine counts them in an array by raw value.
        #expect(Refusal.allCases.map(\.rawValue) == Array(0..<UInt8(Refusal.allCases.count)))
    }

    @Test func digestDistinguishesHaltsAndLatches() {
        func digest(_ change: (inout RiskGate) -> Void) -> UInt64 {
            var gate = gate()
            change(&gate)
            var hasher = StateHasher()
            gate.hash(into: &hasher)
            return hasher.digest
        }
        let all = [
            digest { _ in }, digest { $0.halt() }, digest { $0.latch(Self.first) },
            digest { $0.latch(InstrumentID(index: 1)) },
        ]
        #expect(Set(all).count == 4)
        let resumed = digest { gate in
            gate.halt()
            gate.latch(Self.first)
            gate.resume()
        }
        #expect(resumed == all[0])
    }
}

extension RiskGate {
    /// The quantity the gate allows of a request; `nil` when it refuses.
    func allowed(_ request: OrderRequest, _ facts: RiskFacts) -> Quantity? {
        guard case .approved(let approved) = review(on: request, given: facts) else { return nil }
        // Nothing but the quantity may be changed.
        guard approved.request == request.with(quantity: approved.request.quantity) else {
            return nil
        }
        return approved.request.quantity
    }
}
