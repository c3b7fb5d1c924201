import Accounting
import Model
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// Margin accounts of 10,000 dollars: 25 percent of longs and 30 percent of shorts must be there.
@Suite struct EngineMarginTests {
    private func account(strategies: Int = 1) -> Rig {
        Rig(strategies: strategies) {
            $0.capital = Money(cents: 10_000_00)
            $0.margin = .unitedStates
        }
    }

    /// 300 shares at 50.00, 5,000 of it borrowed.
    private func accountWithLongs() -> Rig {
        var rig = account()
        rig.request(.target(300))
        rig.fill(1, 300)
        return rig
    }

    /// At 22.23 equity is 1,669.00 and 1,667.25 are needed. At 22.00 it is 1,600 and 1,650 are: 50 / 5.50
    /// is between 9 and 10 shares. Without those, 1,595 are needed.
    @Test func positionsAreReducedByNoMoreThanIsMissing() {
        var rig = accountWithLongs()
        rig.price(22_23)
        #expect(rig.publish(.sliceClosed).isEmpty)
        rig.price(22_00)
        #expect(rig.publish(.sliceClosed).orders == ["sell 10 exit"])
        #expect(rig.publish(.sliceClosed).isEmpty)
        rig.fill(2, 10, cents: 22_00)
        #expect(rig.publish(.sliceClosed).isEmpty)
        let breaches = rig.engine.monitor.breaches
        #expect(
            breaches == [
                LimitBreach(
                    .marginCall, at: rig.now,
                    .amount(limit: Money(cents: 1_650_00), value: Money(cents: 1_600_00)))
            ])
        let reason = rig.engine.reasons.last
        #expect(reason == "maintenance margin")
        rig.checkLedger()
    }

    @Test func entriesAreHaltedAndCancelledUntilAPersonResumes() {
        var rig = accountWithLongs()
        rig.request(.enterAtLimit(.buy, cents: 19_00), in: Rig.second)
        rig.price(22_00)
        #expect(rig.publish(.sliceClosed).cancellations == [2])
        #expect(rig.request(.target(200), in: Rig.second).isEmpty)
        #expect(rig.count(of: .marginCall) == 1)
        rig.price(50_00)
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        rig.checkHalted(false)
    }

    /// 300 short at 50.00: at 65.00 equity is 5,500 and 5,850 are needed: 350 / 19.50 is between 17 and 18.
    @Test func shortsAreBoughtBack() {
        var rig = account()
        rig.request(.target(-300))
        rig.fill(1, 300)
        rig.price(64_00)
        #expect(rig.publish(.sliceClosed).isEmpty)
        rig.price(65_00)
        #expect(rig.publish(.sliceClosed).orders == ["buy 18 exit"])
    }

    /// 200 at 5.00 and 400 at 20.00, 8,000 borrowed: equity is 1,000 and 2,250 are needed. 1,250 / 5.00 are
    /// 250 of the larger position.
    @Test func theLargestPositionGoesFirst() {
        var rig = account()
        rig.request(.target(200))
        rig.fill(1, 200)
        rig.request(.target(400), in: Rig.second)
        rig.fill(2, 400, cents: 20_00)
        rig.price(5_00)
        #expect(rig.publish(.sliceClosed).orders == ["sell 250 exit"])
        // Nothing is enough any more: all goes, what is on its way counted.
        rig.price(1_00)
        rig.price(1_00, of: Rig.second)
        #expect(rig.publish(.sliceClosed).orders == ["sell 150 exit", "sell 200 exit"])
        #expect(rig.publish(.sliceClosed).isEmpty)
    }

    /// 200 and 100 shares at 18.00: equity is 400 and 1,350 are needed. 950 / 4.50 is between 211 and 212.
    @Test func strategiesAreReducedInTheirOrder() {
        var rig = account(strategies: 2)
        rig.request(.target(200))
        rig.fill(1, 200)
        rig.request(.target(100), strategy: 1)
        rig.fill(2, 100)
        rig.price(18_00)
        #expect(rig.publish(.sliceClosed).orders == ["sell 200 exit", "sell 12 exit"])
    }

    /// What rests to reduce a position covers it: it goes first, and the position whole.
    @Test func aStopInTheWayIsCancelledFirst() {
        var rig = accountWithLongs()
        rig.request(.exitAtStop(cents: 10_00))
        rig.price(22_00)
        #expect(rig.publish(.sliceClosed).cancellations == [2])
        #expect(rig.publish(.sliceClosed).isEmpty)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 300 exit"])
        #expect(rig.publish(.sliceClosed).isEmpty)
    }

    @Test func anExitUnderWayCounts() {
        var rig = accountWithLongs()
        rig.request(.target(290))
        rig.price(22_00)
        #expect(rig.publish(.sliceClosed).isEmpty)
        rig.checkHalted(true)
    }

    /// Shares that are nobody's need their margin too, but are not the engine's to sell: all of the
    /// strategy's own go.
    @Test func foreignSharesAreLeftAlone() {
        var rig = account()
        rig.request(.target(100))
        rig.fill(1, 100)
        rig.report(77, .executed(Make.execution(77, .buy, 300, cents: 50_00)))
        // 400 · 26 - 10,000 = 400, needed 2,600.
        rig.price(26_00)
        #expect(rig.publish(.sliceClosed).orders == ["sell 100 exit"])
    }

    @Test func withoutTermsNothingIsAskedFor() {
        var rig = Rig { $0.capital = Money(cents: 10_000_00) }
        rig.request(.target(300))
        rig.fill(1, 300)
        rig.price(1_00)
        #expect(rig.publish(.sliceClosed).isEmpty)
        rig.checkHalted(false)
    }

    /// Property: where the prices of the sales are those of the marks, one round of sales is enough, and
    /// one share less of the smallest sale would not have been.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func oneRoundIsEnough(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var rig = account()
        let held = [chance.number(in: 50...250), chance.number(in: 100...600)]
        rig.request(.target(held[0]))
        rig.fill(1, held[0])
        rig.request(.target(held[1]), in: Rig.second)
        rig.fill(2, held[1], cents: 20_00)
        let prices = [chance.number(in: 10_00...50_00), chance.number(in: 2_00...20_00)]
        rig.price(prices[0])
        rig.price(prices[1], of: Rig.second)
        // In cents; too little is there when four times equity is less than the values.
        let debit = held[0] * 50_00 + held[1] * 20_00 - 10_000_00
        let worth = held[0] * prices[0] + held[1] * prices[1]
        let equity = worth - debit
        let isShort = 4 * equity < worth
        let commands = rig.publish(.sliceClosed)
        #expect(commands.isEmpty == !isShort)
        guard isShort else { return }
        var smallest: Int64 = .max
        var required = worth
        for case .submit(let ticket) in commands {
            let index = Int(ticket.request.instrument.index)
            required -= ticket.request.quantity.units / Quantity.unitsPerOne * prices[index]
            smallest = min(smallest, prices[index])
            rig.fill(
                ticket.id.number, ticket.request.quantity.units / Quantity.unitsPerOne,
                cents: prices[index])
        }
        if equity >= 0 {
            #expect(4 * equity >= required)
            #expect(4 * equity < required + smallest)
            #expect(rig.publish(.sliceClosed).isEmpty)
        }
        rig.checkLedger()
    }
}
