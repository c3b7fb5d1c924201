import Model
import Primitives
import Risk
import TestSupport
import Testing

/// Protection reduces like an exit, and is never stopped.
@Suite struct ProtectionTests {
    private let gate = RiskGate(limits: RiskLimits(allowsShort: false), instrumentCount: 1)

    private func facts(held: Int64, working: Int64 = 0, parentOpen: Int64 = 0) -> RiskFacts {
        var facts = RiskFacts()
        facts.held = Quantity(shares: held)
        facts.workingExits = Quantity(shares: working)
        facts.parentOpen = Quantity(shares: parentOpen)
        return facts
    }

    private func protection(_ side: Side, _ shares: Int64) -> OrderRequest {
        Make.request(side, shares, .stop(Price(cents: 99_00)), purpose: .protection)
    }

    @Test(
        arguments: [
            (.sell, 100, 0, 0, 100), (.sell, 100, 30, 0, 70), (.buy, -100, 30, 0, 70),
            // What the parent brings is counted with what is held, on its side.
            (.sell, 0, 0, 100, 100), (.sell, 50, 50, 40, 40), (.buy, 0, 0, 100, 100),
            (.buy, -20, 20, 30, 30),
        ] as [(Side, Int64, Int64, Int64, Int64)])
    func protectionIsCutToWhatItCanReduce(
        side: Side, held: Int64, working: Int64, parentOpen: Int64, allowed: Int64
    ) {
        let facts = facts(held: held, working: working, parentOpen: parentOpen)
        #expect(gate.allowed(protection(side, 1_000), facts) == Quantity(shares: allowed))
    }

    @Test(
        arguments: [(.sell, 0, 0, 0), (.sell, -10, 0, 10), (.buy, 10, 0, 0), (.sell, 50, 60, 10)]
            as [(Side, Int64, Int64, Int64)])
    func protectionOfNothingIsRefused(side: Side, held: Int64, working: Int64, parentOpen: Int64) {
        let facts = facts(held: held, working: working, parentOpen: parentOpen)
        #expect(gate.review(on: protection(side, 1), given: facts) == .refused(.nothingToReduce))
    }

    /// Five shares more may work before the sum of all is no quantity any more.
    @Test func allThatWorksTogetherStaysAQuantity() {
        var facts = facts(held: 100)
        facts.workingProtection = .magnitudeMax - Quantity(shares: 5)
        #expect(gate.allowed(protection(.sell, 100), facts) == Quantity(shares: 5))
        facts.workingProtection = .magnitudeMax
        #expect(gate.review(on: protection(.sell, 1), given: facts) == .refused(.nothingToReduce))
    }

    @Test func haltsAndLatchesLeaveProtectionAlone() {
        var gate = gate
        gate.halt()
        gate.latch(InstrumentID(index: 0))
        #expect(gate.allowed(protection(.sell, 100), facts(held: 100)) == Quantity(shares: 100))
    }

    @Test func extremesDoNotTrap() {
        for units in [Int64.min, -1, 0, 1, .max] {
            var facts = facts(held: 0)
            facts.held = Quantity(units: units)
            facts.workingExits = Quantity(units: .max)
            facts.parentOpen = Quantity(units: .max)
            for side in [Side.buy, .sell] {
                guard
                    case .approved(let approved) = gate.review(
                        on: protection(side, 1), given: facts)
                else { continue }
                #expect(approved.request.quantity > .zero)
            }
        }
    }

    @Test func termsThatDoNotGoTogetherAreRefusedToEverybody() {
        for purpose in [OrderPurpose.entry, .exit, .protection] {
            let request = Make.request(
                .sell, 10, .marketOnOpen, purpose: purpose, timeInForce: .goodTillCancelled)
            #expect(gate.review(on: request, given: facts(held: 100)) == .refused(.invalidTerms))
        }
    }

    /// A purchase that trails by 2 starts 2 above the market of 50: 19 shares fit into 1,000, not 20.
    @Test func trailingEntryIsValuedWhereItStarts() {
        var limits = RiskLimits(allowsShort: false, overLimit: .reduce)
        limits.positionValueMax = Money(cents: 1_000_00)
        let gate = RiskGate(limits: limits, instrumentCount: 1)
        var facts = facts(held: 0)
        facts.price = Price(cents: 50_00)
        facts.equity = ExactMoney(Money(cents: 10_000_00))
        for (type, shares) in [
            (OrderType.trailingStop(.amount(Price(cents: 2_00))), 19),
            (.trailingStop(.percent(Percent(4))), 19), (.marketOnOpen, 20),
            (.limitOnClose(Price(cents: 52_00)), 19),
            (.stopLimit(stop: Price(cents: 51_00), limit: Price(cents: 52_00)), 19),
        ] as [(OrderType, Int64)] {
            let request = Make.request(.buy, 100, type)
            #expect(gate.allowed(request, facts) == Quantity(shares: shares))
        }
    }

    @Test(arguments: [
        OrderType.stopLimit(stop: .zero, limit: Price(cents: 1)),
        .stopLimit(stop: Price(cents: 1), limit: .zero), .limitOnOpen(.zero),
        .limitOnClose(Price(units: Price.magnitudeMax.units + 1)), .trailingStop(.amount(.zero)),
        .trailingStop(.percent(.zero)), .trailingStop(.percent(.hundred)),
    ])
    func orderWithoutASoundPriceIsRefused(type: OrderType) {
        let request = Make.request(.sell, 10, type, purpose: .exit)
        #expect(gate.review(on: request, given: facts(held: 100)) == .refused(.cannotEvaluate))
    }
}
