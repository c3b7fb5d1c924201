import Accounting
import Model
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// From intents to orders. 100 shares an entry, 50.00 a share.
@Suite struct EngineIntentTests {
    // MARK: Entering

    @Test func enterSendsOneOrderOfTheConfiguredSize() {
        var rig = Rig()
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }

    @Test func enterIsIgnoredWhileAnEntryWorks() {
        var rig = Rig()
        rig.request(.enterAtLimit(.buy, cents: 49_00))
        #expect(rig.request(.enter(.buy)).isEmpty)
        #expect(rig.request(.enter(.sell)).isEmpty)
        rig.fill(1, 40)
        #expect(rig.request(.enter(.buy)).isEmpty)
        // Only this instrument is taken.
        #expect(rig.request(.enter(.buy), in: Rig.second).orders == ["buy 100 entry"])
    }

    @Test func enterIsIgnoredWhileAPositionIsHeld() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        #expect(rig.request(.enter(.buy)).isEmpty)
        #expect(rig.request(.enter(.sell)).isEmpty)
        rig.request(.exit)
        rig.fill(2, 100)
        #expect(rig.request(.enter(.sell)).orders == ["sell 100 entry"])
    }

    @Test func enterMaySucceedAfterAnEntryEnded() {
        for end in [OrderFact.cancelled(.expired), .rejected(.notTradable)] {
            var rig = Rig()
            rig.request(.enter(.buy))
            rig.report(1, end)
            #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
        }
    }

    @Test func percentOfEquityIsSizedByHand() {
        // 10 % of 100,000.00 = 10,000.00; / 50.00 = 200 shares; / 20.01 = 499.75, so 499.
        var rig = Rig(sizing: .percentOfEquity(Percent(10)))
        #expect(rig.request(.enter(.buy)).orders == ["buy 200 entry"])
        rig.price(20_01, of: Rig.second)
        #expect(rig.request(.enter(.buy), in: Rig.second).orders == ["buy 499 entry"])
        // 200 bought at 50.00 and marked at 60.00: equity 102,000.00, a tenth / 20.01 = 509.745.
        rig.report(2, .rejected(.notTradable))
        rig.fill(1, 200)
        rig.price(60_00)
        #expect(rig.request(.enter(.buy), in: Rig.second).orders == ["buy 509 entry"])
    }

    @Test func entryAtAPriceIsSizedByIt() {
        var rig = Rig(sizing: .percentOfEquity(Percent(10)))
        #expect(
            rig.request(.enterAtLimit(.buy, cents: 40_00)).orders == ["buy 250 entry limit 40.00"])
    }

    @Test func priceOffTheTickIsMovedAwayFromTheMarket() {
        var rig = Rig { $0.instruments[0].tickSize = .fixed(Price(cents: 5)) }
        // A limit becomes less keen, a stop triggers later.
        #expect(
            rig.request(.enterAtLimit(.buy, cents: 49_03)).orders == ["buy 100 entry limit 49.00"])
        rig.report(1, .rejected(.notTradable))
        #expect(
            rig.request(.enterAtLimit(.sell, cents: 51_02)).orders == ["sell 100 entry limit 51.05"]
        )
        rig.report(2, .rejected(.notTradable))
        #expect(
            rig.request(.enterAtStop(.buy, cents: 51_02)).orders == ["buy 100 entry stop 51.05"])
        rig.report(3, .rejected(.notTradable))
        #expect(
            rig.request(.enterAtStop(.sell, cents: 49_03)).orders == ["sell 100 entry stop 49.00"])
        rig.report(4, .rejected(.notTradable))
        #expect(
            rig.request(.enterAtLimit(.buy, cents: 49_05)).orders == ["buy 100 entry limit 49.05"])
    }

    // MARK: Leaving

    @Test func exitClosesWhatIsHeldOnEitherSide() {
        for (enter, exit) in [(Side.buy, "sell 100 exit"), (.sell, "buy 100 exit")] {
            var rig = Rig()
            rig.request(.enter(enter))
            rig.fill(1, 100)
            #expect(rig.request(.exit).orders == [exit])
            // Once is enough.
            #expect(rig.request(.exit).isEmpty)
            rig.fill(2, 60)
            #expect(rig.request(.exit).isEmpty)
            rig.fill(2, 40)
            #expect(rig.held() == 0)
            // Nothing was asked of the gate in vain.
            #expect(rig.engine.decisionCounts[.refused] == 0)
        }
    }

    @Test func exitOfNothingSendsNothing() {
        var rig = Rig()
        #expect(rig.request(.exit).isEmpty)
        #expect(rig.request(.exitAtLimit(cents: 51_00)).isEmpty)
    }

    @Test func exitCancelsAWorkingEntryAndSellsWhatCame() {
        var rig = Rig()
        rig.request(.enterAtLimit(.buy, cents: 49_00))
        rig.fill(1, 30)
        let commands = rig.request(.exit)
        #expect(commands.cancellations == [1])
        #expect(commands.orders == ["sell 30 exit"])
    }

    @Test func exitAtTheMarketWaitsForRestingExitsToEnd() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exitAtLimit(cents: 55_00))
        let commands = rig.request(.exit)
        #expect(commands.cancellations == [2])
        #expect(commands.orders.isEmpty)
        // 40 were sold before the cancellation came through: 60 are left.
        rig.fill(2, 40)
        #expect(rig.request(.exit).isEmpty)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 60 exit"])
    }

    @Test func exitThatWaitedSellsNothingWhenTheRestingExitSoldAll() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exitAtStop(cents: 45_00))
        rig.request(.exit)
        #expect(rig.fill(2, 100).isEmpty)
        #expect(rig.held() == 0)
        // And it is forgotten: the next position is not sold by it.
        rig.request(.enter(.buy))
        #expect(rig.fill(3, 100).orders.isEmpty)
    }

    @Test func exitRequestedTwiceWhileWaitingIsSentOnce() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exitAtLimit(cents: 55_00))
        rig.request(.exit)
        rig.request(.exit)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 100 exit"])
        // The second intent does not come back when the first one's order is done.
        #expect(rig.fill(3, 100).isEmpty)
    }

    @Test func exitWaitsForTheLastOfSeveralRestingExits() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 60)
        #expect(rig.request(.exitAtLimit(cents: 55_00)).orders == ["sell 60 exit limit 55.00"])
        // What the entry filled before its cancellation came is offered too.
        #expect(rig.fill(1, 40).orders == ["sell 40 exit limit 55.00"])
        #expect(rig.request(.exit).cancellations == [2, 3])
        #expect(rig.report(3, .cancelled(.requested)).isEmpty)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 100 exit"])
    }

    @Test func exitThatWaitsIsTakenUpForItsOwnStrategyAndInstrumentOnly() {
        var rig = Rig(strategies: 2)
        for strategy in 0...1 { rig.request(.enter(.buy), strategy: strategy) }
        rig.fill(1, 100)
        rig.fill(2, 100)
        for strategy in 0...1 { rig.request(.exitAtLimit(cents: 55_00), strategy: strategy) }
        rig.request(.exit, strategy: 0)
        // The other strategy's resting exit ends: not what is waited for.
        #expect(
            rig.report(4, .cancelled(.external)).orders == ["sell 100 exit limit 55.00"])
        #expect(rig.report(3, .cancelled(.requested)).orders == ["sell 100 exit"])
    }

    @Test func exitIsNeverMoreThanIsHeld() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        #expect(rig.request(.exitAtLimit(cents: 55_00)).orders == ["sell 100 exit limit 55.00"])
        #expect(rig.request(.exitAtStop(cents: 45_00)).isEmpty)
        #expect(rig.request(.exitAtLimit(cents: 56_00)).isEmpty)
    }

    @Test func cancelOrdersCancelsAllAndOnce() {
        var rig = Rig(strategies: 2)
        rig.request(.enterAtLimit(.buy, cents: 49_00))
        rig.request(.enterAtLimit(.buy, cents: 49_00), strategy: 1)
        rig.request(.enterAtLimit(.buy, cents: 19_00), in: Rig.second)
        #expect(rig.request(.cancel) == [.cancel(OrderID(number: 1))])
        #expect(rig.request(.cancel).isEmpty)
    }

    // MARK: Targets

    @Test func holdReachesItsTargetUpAndDown() {
        var rig = Rig()
        #expect(rig.request(.target(80)).orders == ["buy 80 entry"])
        rig.fill(1, 80)
        #expect(rig.request(.target(80)).isEmpty)
        #expect(rig.request(.target(120)).orders == ["buy 40 entry"])
        rig.fill(2, 40)
        #expect(rig.request(.target(50)).orders == ["sell 70 exit"])
        rig.fill(3, 70)
        #expect(rig.request(.target(0)).orders == ["sell 50 exit"])
        rig.fill(4, 50)
        #expect(rig.held() == 0)
    }

    @Test func holdOfAShortReachesItsTargetUpAndDown() {
        var rig = Rig()
        #expect(rig.request(.target(-80)).orders == ["sell 80 entry"])
        rig.fill(1, 80)
        #expect(rig.request(.target(-120)).orders == ["sell 40 entry"])
        rig.fill(2, 40)
        #expect(rig.request(.target(-50)).orders == ["buy 70 exit"])
        rig.fill(3, 70)
        #expect(rig.held() == -50)
    }

    @Test func holdCountsWhatWorksAlready() {
        var rig = Rig()
        rig.request(.target(100))
        #expect(rig.request(.target(100)).isEmpty)
        #expect(rig.request(.target(150)).orders == ["buy 50 entry"])
        rig.fill(1, 100)
        rig.fill(2, 50)
        rig.request(.target(100))
        #expect(rig.request(.target(100)).isEmpty)
        #expect(rig.request(.target(80)).orders == ["sell 20 exit"])
    }

    @Test func holdNeverCrossesZeroInOneStep() {
        var rig = Rig()
        rig.request(.target(100))
        rig.fill(1, 100)
        #expect(rig.request(.target(-100)).orders == ["sell 100 exit"])
        #expect(rig.request(.target(-100)).isEmpty)
        #expect(rig.fill(2, 100).orders == ["sell 100 entry"])
        #expect(rig.request(.target(-100)).isEmpty)
        rig.fill(3, 100)
        #expect(rig.request(.target(30)).orders == ["buy 100 exit"])
    }

    @Test func holdOfLessCancelsAnEntryOnItsWay() {
        var rig = Rig()
        rig.request(.target(100))
        rig.fill(1, 40)
        let commands = rig.request(.target(40))
        #expect(commands.cancellations == [1])
        #expect(commands.orders.isEmpty)
    }

    /// A target above what is held must not be given up for an exit that rests at a price: the exit is in
    /// the way and is cancelled, as an entry is that is in the way of a target below.
    @Test func holdOfMoreCancelsARestingExit() {
        var rig = Rig()
        rig.request(.target(100))
        rig.fill(1, 100)
        rig.request(.exitAtLimit(cents: 60_00))
        #expect(rig.request(.target(150)).cancellations == [2])
    }

    /// A sale that rests to open a short is in the way of a long: with both filled nothing would be held.
    @Test func holdOfTheOtherSideCancelsARestingEntry() {
        var rig = Rig()
        rig.request(.enterAtLimit(.sell, cents: 55_00))
        #expect(rig.request(.target(100)).cancellations == [1])
    }

    @Test func weightIsThatPartOfEquityInWholeShares() {
        var rig = Rig()
        // 33 % of 100,000.00 / 50.00 = 660; a quarter of it in the other: 1,250 at 20.00.
        #expect(rig.request(.weight(percent: 33)).orders == ["buy 660 entry"])
        #expect(rig.request(.weight(percent: 25), in: Rig.second).orders == ["buy 1250 entry"])
        rig.fill(1, 660)
        #expect(rig.request(.weight(percent: 10)).orders == ["sell 460 exit"])
        rig.fill(3, 460)
        #expect(rig.request(.weight(percent: -10)).orders == ["sell 200 exit"])
        #expect(rig.fill(4, 200).orders == ["sell 200 entry"])
    }

    @Test func weightThatIsNoNumberDoesNothing() {
        var rig = Rig()
        rig.request(.target(100))
        rig.fill(1, 100)
        #expect(rig.request(.weightOfNothing).isEmpty)
        #expect(rig.count(of: .cannotEvaluate) == 1)
        #expect(rig.held() == 100)
        // The engine goes on.
        #expect(rig.request(.exit).orders == ["sell 100 exit"])
    }

    @Test func weightOfZeroClosesEvenWithoutAPrice() {
        var rig = Rig(isPriced: false)
        rig.request(.enterAtLimit(.buy, cents: 49_00))
        rig.fill(1, 100, cents: 49_00)
        #expect(rig.request(.weight(percent: 0)).orders == ["sell 100 exit"])
    }

    /// With debts a part of equity is less than nothing: no reason to sell short what was to be bought.
    @Test func weightOfNegativeEquityOpensNothing() {
        var rig = Rig()
        rig.publish(.cashMovement(CashMovement(.transfer, Money(cents: -150_000_00))))
        #expect(rig.request(.weight(percent: 50)).isEmpty)
        #expect(rig.request(.weight(percent: -50)).isEmpty)
    }

    // MARK: Refusals

    @Test func refusalsAreCountedByReason() {
        var limits = RiskLimits(allowsShort: false, overLimit: .reject)
        limits.positionSharesMax = Quantity(shares: 150)
        var rig = Rig(limits: limits)
        rig.request(.enter(.sell))
        rig.request(.target(151))
        rig.request(.target(160))
        #expect(rig.commands.isEmpty)
        #expect(rig.count(of: .shortNotAllowed) == 1)
        #expect(rig.count(of: .positionLimit) == 2)
    }

    @Test func entryWithoutAPriceIsRefusedAndCounted() {
        var rig = Rig(isPriced: false)
        #expect(rig.request(.enter(.buy)).isEmpty)
        #expect(rig.request(.weight(percent: 10)).isEmpty)
        #expect(rig.count(of: .cannotEvaluate) == 2)
    }

    @Test func entryOfLessThanAShareIsRefusedAndCounted() {
        // A tenth of 100,000.00 buys no share at 10,000.01.
        var rig = Rig(sizing: .percentOfEquity(Percent(10)))
        rig.price(10_000_01)
        #expect(rig.request(.enter(.buy)).isEmpty)
        #expect(rig.count(of: .tooSmall) == 1)
    }

    @Test func limitReducesAnOrder() {
        var limits = RiskLimits()
        limits.positionPercentMax = Percent(4)
        var rig = Rig(limits: limits)
        // 4,000.00 are 80 shares.
        #expect(rig.request(.enter(.buy)).orders == ["buy 80 entry"])
    }

    /// Two strategies share the account's limit, and what works counts.
    @Test func limitIsTheAccounts() {
        var limits = RiskLimits()
        limits.positionSharesMax = Quantity(shares: 150)
        var rig = Rig(strategies: 2, limits: limits)
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
        #expect(rig.request(.enter(.buy), strategy: 1).orders == ["buy 50 entry"])
    }

    /// Gross limit of the whole equity: 100,000.00. 1,000 · 50.00 work in the one, so 50,000.00 are left for
    /// the other: 2,500 shares.
    @Test func grossLimitCountsWhatWorksElsewhere() {
        var limits = RiskLimits()
        limits.grossPercentMax = Percent(100)
        var rig = Rig(limits: limits)
        #expect(rig.request(.target(1_000)).orders == ["buy 1000 entry"])
        #expect(rig.request(.target(9_999), in: Rig.second).orders == ["buy 2500 entry"])
    }

    /// Short selling is off, and both strategies are asked one after the other: whatever they do, in any
    /// order, the account must not end short.
    @Test func twoStrategiesTogetherDoNotSellShortWhereItIsOff() {
        var rig = Rig(strategies: 2, limits: RiskLimits(allowsShort: false))
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        let borrowed = rig.request(.enter(.sell), strategy: 1)
        if !borrowed.orders.isEmpty { rig.fill(2, 100) }
        for order in rig.request(.exit).orders.indices {
            rig.fill(Int64(3 + order), 100)
        }
        let quantity = rig.engine.portfolio.quantity(of: Rig.first)
        #expect(quantity >= .zero)
    }

    // MARK: Extremes

    /// A strategy may compute a price nobody can calculate with; its order is refused, nothing stops.
    @Test func extremePricesAndTargetsAreRefused() async {
        await #expect(processExitsWith: .success) {
            for goal in Intent.Goal.extremes {
                for type in OrderTerms.extremes {
                    var rig = Rig { $0.strategies = [.single(Insister(goal: goal, type: type))] }
                    rig.price(50_00)
                }
            }
        }
    }
}
