import Accounting
import Model
import Primitives
import Risk
import Signals
import TestSupport
import Testing
import TradingEngine

@Suite struct EngineTests {
    // MARK: Time

    @Test func eventsDoNotGoBackInTime() async {
        await #expect(processExitsWith: .failure) {
            var rig = Rig()
            rig.publish(.sliceClosed, at: Make.time(10))
            rig.publish(.sliceClosed, at: Make.time(9))
        }
    }

    @Test func eventsMayComeAtOneTime() async {
        await #expect(processExitsWith: .success) {
            var rig = Rig()
            rig.publish(.sliceClosed, at: Make.time(10))
            rig.publish(.sliceClosed, at: Make.time(10))
        }
    }

    @Test func timerIsSetAtItsTimeAndNeverEarlierThanAMillisecondFromNow() {
        var rig = Rig()
        let id = TimerID(strategy: StrategyID(index: 0), number: 1)
        #expect(rig.request(.timer(secondsAfterOpen: 90)) == [.setTimer(id, at: Make.time(90))])
        let soon = Make.open + .milliseconds(1)
        #expect(rig.request(.timer(secondsAfterOpen: 0)) == [.setTimer(id, at: soon)])
        #expect(rig.request(.timer(secondsAfterOpen: -5)) == [.setTimer(id, at: soon)])
    }

    // MARK: Warm-up

    @Test func historyCausesNoCommands() {
        for goal in [Intent.Goal.enter(.buy), .target(Quantity(shares: 5)), .weight(0.5), .exit] {
            var rig = Rig { $0.strategies = [.single(Insister(goal: goal, type: .market))] }
            let before = rig.commands.count
            rig.publish(.history(Make.bar(0, open: 50_00, close: 51_00)))
            rig.publish(.historyComplete(HistoryCoverage(have: 1, asked: 1)))
            #expect(rig.commands.count == before)
        }
    }

    @Test func intentsFromHistoryAreForgotten() {
        var rig = Rig(isPriced: false) {
            $0.strategies = [.single(Insister(goal: .enter(.buy), type: .market))]
        }
        rig.publish(.history(Make.bar(0, open: 50_00, close: 51_00)))
        #expect(rig.publish(.historyComplete(HistoryCoverage(have: 1, asked: 1))).isEmpty)
        #expect(rig.publish(.sliceClosed).isEmpty)
        // The first real bar is acted on, once, at the end of its slice.
        #expect(rig.publish(.bar(Make.bar(1, open: 50_00, close: 51_00))).isEmpty)
        #expect(rig.publish(.sliceClosed).orders == ["buy 100 entry"])
    }

    @Test func historyMovesNoMoney() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        let equity = rig.engine.portfolio.equity
        rig.publish(.history(Make.bar(0, open: 90_00, close: 90_00)))
        #expect(rig.engine.portfolio.equity == equity)
    }

    // MARK: Halt and resume

    @Test func haltBlocksEntriesAndNotExits() {
        var rig = Rig()
        rig.request(.target(100))
        rig.fill(1, 100)
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        #expect(rig.request(.target(200)).isEmpty)
        #expect(rig.request(.enter(.buy), in: Rig.second).isEmpty)
        #expect(rig.count(of: .halted) == 2)
        #expect(rig.request(.target(60)).orders == ["sell 40 exit"])
        // What the venue has ended goes on, beside it what is wanted now.
        #expect(rig.report(2, .cancelled(.expired)).orders == ["sell 40 exit"])
        #expect(rig.request(.exit).orders == ["sell 60 exit"])
    }

    @Test func haltCancelsEntriesOnly() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exitAtLimit(cents: 55_00))
        rig.request(.enterAtLimit(.buy, cents: 19_00), in: Rig.second)
        #expect(rig.publish(.operatorRequest(OperatorRequest(.halt))).cancellations == [3])
        // Once is enough, and what a strategy withdraws goes through.
        #expect(rig.publish(.operatorRequest(OperatorRequest(.halt))).isEmpty)
        #expect(rig.request(.withdraw).cancellations == [2])
    }

    @Test func haltLetsAnExitThatWaitedThrough() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exitAtLimit(cents: 55_00))
        rig.request(.exit)
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 100 exit"])
    }

    @Test func resumeAllowsEntriesAgain() {
        var rig = Rig()
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        rig.request(.enter(.buy))
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        #expect(rig.commands.isEmpty)
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }

    @Test func positionTooLargeToBeValuedHaltsEntries() {
        var rig = Rig { $0.capital = Money(cents: 2_000_000_000_00) }
        rig.request(.target(20_000_000))
        rig.fill(1, 20_000_000)
        // 20 million · 50,000.00 = 10^12 can be valued, a cent more cannot.
        rig.price(50_000_00)
        rig.checkHalted(false)
        rig.price(50_000_01)
        rig.checkHalted(true)
        rig.checkLedger()
        #expect(rig.request(.exit).orders == ["sell 20000000 exit"])
    }

    // MARK: Books of several strategies

    @Test func strategiesInOneInstrumentKeepSeparateBooks() {
        var rig = Rig(strategies: 2)
        // One after the other: entries of two strategies do not meet.
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.enter(.sell), strategy: 1)
        rig.fill(2, 60)
        #expect(rig.held(0) == 100)
        #expect(rig.held(1) == -60)
        #expect(rig.engine.portfolio.quantity(of: Rig.first) == Quantity(shares: 40))
        #expect(rig.request(.exit).orders == ["sell 100 exit"])
        // The other's working exit is not this one's.
        #expect(rig.request(.exit, strategy: 1).orders == ["buy 60 exit"])
    }

    @Test func cashFlowMovesEquityAndNotProfit() {
        var rig = Rig(sizing: .percentOfEquity(Percent(10)))
        rig.publish(.cashMovement(CashMovement(.transfer, Money(cents: 50_000_00))))
        #expect(rig.engine.portfolio.contributed == ExactMoney(Money(cents: 150_000_00)))
        // A tenth of 150,000.00 at 50.00.
        #expect(rig.request(.enter(.buy)).orders == ["buy 300 entry"])
    }

    // MARK: Contradictions

    @Test func overfillIsBookedAndLatchesTheInstrument() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 130)
        #expect(rig.held() == 130)
        rig.checkLedger()
        #expect(rig.request(.target(200)).isEmpty)
        #expect(rig.count(of: .latched) == 1)
        // The other instrument trades, and what is held may be left.
        #expect(rig.request(.enter(.buy), in: Rig.second).orders == ["buy 100 entry"])
        #expect(rig.request(.exit).orders == ["sell 130 exit"])
        rig.fill(3, 130)
        #expect(rig.request(.enter(.buy)).isEmpty)
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }

    @Test func executionOfAnUnknownOrderIsBookedUnattributedAndLatches() {
        var rig = Rig()
        #expect(rig.fill(99, 30).isEmpty)
        #expect(rig.held() == 0)
        #expect(rig.engine.portfolio.quantity(of: Rig.first) == Quantity(shares: 30))
        #expect(
            rig.engine.portfolio.ledger(of: .unattributed, in: Rig.first).quantity
                == Quantity(shares: 30))
        #expect(rig.request(.enter(.buy)).isEmpty)
        #expect(rig.count(of: .latched) == 1)
        rig.checkLedger()
    }

    @Test func executionOnTheOtherSideIsBookedAndLatches() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.report(1, .executed(Make.execution(1, .sell, 100, cents: 50_00)))
        #expect(rig.held() == -100)
        rig.checkLedger()
        #expect(rig.request(.target(-200)).isEmpty)
        #expect(rig.count(of: .latched) == 1)
    }

    @Test func executionInAnotherInstrumentIsSeenByItsStrategy() {
        var rig = Rig { $0.strategies = [.single(Looker())] }
        rig.publish(.timer(TimerID(strategy: StrategyID(index: 0), number: 0)))
        rig.report(1, .executed(Make.execution(1, .buy, 100, cents: 20_00, instrument: 1)))
        #expect(rig.held(in: Rig.second) == 100)
        // It says what it sees with the number of a timer.
        let strategy = StrategyID(index: 0)
        let commands = rig.publish(.timer(TimerID(strategy: strategy, number: 1)))
        #expect(
            commands == [.setTimer(TimerID(strategy: strategy, number: 100), at: Make.time(60))])
    }

    /// A person has looked and resumed: the same old report once more is no news.
    @Test func repeatedOverfillDoesNotLatchAgain() {
        var rig = Rig()
        rig.request(.enter(.buy))
        let fact = OrderFact.executed(Make.execution(1, .buy, 130, cents: 50_00))
        rig.report(1, fact)
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        rig.report(1, fact)
        #expect(rig.request(.target(150)).orders == ["buy 20 entry"])
    }

    @Test func correctionOfTheInstrumentKeepsTheBooksTogether() async {
        await #expect(processExitsWith: .success) {
            var rig = Rig()
            rig.request(.enter(.buy))
            rig.report(1, .executed(Make.execution(1, .buy, 100, cents: 50_00)))
            rig.report(
                1, .executed(Make.execution(1, .buy, 100, cents: 20_00, revision: 2, instrument: 1))
            )
            precondition(rig.isSound, "sums must add up")
            precondition(rig.held() == 0, "nothing is left of the first")
        }
    }

    /// A bust leaves the strategy as free as it was before the order.
    @Test func strategyCanTradeOnAfterABust() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.report(1, .acknowledged)
        rig.report(1, .executed(Make.execution(1, .buy, 100, cents: 50_00)))
        rig.report(1, .executed(Make.execution(1, .buy, 0, cents: 50_00, revision: 2)))
        #expect(rig.held() == 0)
        rig.checkLedger()
        // Either the order is open again, then it can be cancelled, or it is over.
        for id in rig.request(.cancel).cancellations { rig.report(id, .cancelled(.requested)) }
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }

    @Test func strategyIsNotNotifiedOfAnExecutionOfNothing() {
        var rig = Rig { $0.strategies = [.single(Looker())] }
        rig.publish(.timer(TimerID(strategy: StrategyID(index: 0), number: 0)))
        // The bust overtakes what it takes back.
        rig.report(1, .executed(Make.execution(1, .buy, 0, cents: 50_00, revision: 2)))
        #expect(rig.commands.count == 1)
        rig.report(1, .executed(Make.execution(1, .buy, 100, cents: 50_00)))
        #expect(rig.commands.count == 1)
    }

    // MARK: Commissions

    @Test func commissionsCountEarlyLateAndOnce() {
        let execution = OrderFact.executed(Make.execution(1, .buy, 100, cents: 50_00))
        let commission = OrderFact.commission(Make.commission(1, cents: 1_00))
        for facts in [
            [execution, commission], [commission, execution], [commission, execution, commission],
        ] {
            var rig = Rig()
            rig.request(.enter(.buy))
            for fact in facts { rig.report(1, fact) }
            // 100,000.00 - 5,000.00 - 1.00.
            #expect(rig.engine.portfolio.cash == ExactMoney(Money(cents: 94_999_00)))
            #expect(rig.engine.portfolio.charges == ExactMoney(Money(cents: 1_00)))
            rig.checkLedger()
        }
    }

    @Test func commissionAfterTheOrderEndedCounts() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exit)
        rig.fill(2, 100, cents: 51_00)
        rig.report(1, .commission(Make.commission(1, cents: 1_00)))
        rig.report(2, .commission(Make.commission(2, cents: 1_20)))
        // 100.00 won, 2.20 paid.
        #expect(rig.engine.portfolio.equity == ExactMoney(Money(cents: 100_097_80)))
    }

    // MARK: What strategies are shown

    @Test func strategyIsShownItsInstrumentsOnly() {
        var rig = Rig(isPriced: false) {
            $0.strategies = [
                StrategyInstance(
                    Insister(goal: .enter(.buy), type: .market),
                    sizing: .fixedShares(Quantity(shares: 10)), shown: [Rig.second])
            ]
        }
        rig.price(50_00)
        #expect(rig.commands.isEmpty)
        rig.price(20_00, of: Rig.second)
        #expect(rig.publish(.sliceClosed).orders == ["buy 10 entry"])
    }

    @Test func strategiesAreCalledInTheirOrder() {
        var limits = RiskLimits()
        limits.positionSharesMax = Quantity(shares: 120)
        var rig = Rig(limits: limits, isPriced: false) {
            $0.strategies = [
                .single(Insister(goal: .enter(.buy), type: .market)),
                .single(Insister(goal: .enter(.buy), type: .market)),
            ]
        }
        rig.price(50_00)
        // The first takes its 100, the second what is left.
        #expect(rig.publish(.sliceClosed).orders == ["buy 100 entry", "buy 20 entry"])
    }

    @Test func reasonsAreKnownByNumber() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.request(.weightOfNothing)
        guard case .submit(let ticket) = rig.commands[0] else {
            Issue.record("an order was sent")
            return
        }
        #expect(rig.engine.reasons[Int(ticket.request.reason.index)] == "told to enter")
        #expect(rig.engine.reasons == ["", "told to enter", "?"])
    }
}

/// Buys 100 of the first instrument at timer 0; at another sets a timer whose number is what it sees itself
/// hold of the second; buys one of the second when told of a fill of nothing.
private struct Looker: Strategy {
    static let declaration = StrategyDeclaration(name: "looker", summary: "looks at its holdings")

    init(_ setup: StrategySetup) {}
    init() {}

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        guard number != 0 else {
            return context.setTarget(Quantity(shares: 100), of: Rig.first, because: "told to buy")
        }
        let seen = context.holding(of: Rig.second).quantity.units / Quantity.unitsPerOne
        context.setTimer(Int(seen), at: Make.time(60))
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        guard execution.quantity == .zero else { return }
        context.setTarget(Quantity(shares: 1), of: Rig.second, because: "nothing was filled")
    }
}
