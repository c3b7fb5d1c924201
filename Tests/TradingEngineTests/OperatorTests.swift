import Accounting
import Model
import Orders
import Primitives
import Risk
import Signals
import TestSupport
import Testing

@testable import TradingEngine

/// What the user tells a running engine, and what other programs do.
@Suite struct OperatorTests {
    private static let first = StrategyID(index: 0)

    @Test func killIsLiftedByNameAlone() {
        var rig = Rig()
        rig.instruct(.kill)
        rig.instruct(.resumeAll)
        rig.checkHalted(true)
        rig.instruct(.resume(.operatorRequest))
        rig.checkHalted(true)
        rig.instruct(.resume(.killed))
        rig.checkHalted(false)
    }

    @Test func stoppedStrategyEntersNoMoreAndOthersDo() {
        var rig = Rig(strategies: 2)
        rig.request(.enterAtLimit(.buy, cents: 49_00))
        #expect(rig.instruct(.stopEntries(Self.first)).cancellations == [1])
        #expect(rig.request(.enter(.buy), in: Rig.second).orders.isEmpty)
        #expect(rig.count(of: .strategyStopped) == 1)
        #expect(rig.request(.enter(.buy), strategy: 1).orders == ["buy 100 entry"])
        rig.instruct(.startEntries(Self.first))
        #expect(rig.request(.enter(.buy), in: Rig.second).orders == ["buy 100 entry"])
    }

    @Test(
        arguments: [
            (OperatorRequest.Scope.all, [1, 2, 3] as [Int64]),
            (.strategy(StrategyID(index: 1)), [3]), (.instrument(Rig.first), [1, 3]),
            (.order(OrderID(number: 2)), [2]), (.order(OrderID(number: 99)), []),
            (.instrument(InstrumentID(index: 9)), []),
        ])
    func entriesWithinAScopeAreCancelled(scope: OperatorRequest.Scope, expected: [Int64]) {
        var rig = Rig(strategies: 2)
        rig.request(.enterAtLimit(.buy, cents: 49_00))
        rig.request(.enterAtLimit(.buy, cents: 19_00), in: Rig.second)
        rig.request(.enterAtLimit(.buy, cents: 49_00), strategy: 1)
        #expect(rig.instruct(.cancel(scope)).cancellations == expected)
        #expect(rig.instruct(.cancel(scope)).cancellations.isEmpty)
    }

    @Test func flattenClosesWhatIsHeldWithinAScopeOnce() {
        var rig = Rig(strategies: 2)
        for strategy in 0..<2 {
            rig.request(.enter(.buy), strategy: strategy)
            rig.fill(Int64(strategy) + 1, 100)
        }
        let scope = OperatorRequest.Scope.strategy(Self.first)
        #expect(rig.instruct(.flatten(scope)).orders == ["sell 100 exit"])
        #expect(rig.instruct(.flatten(scope)).orders.isEmpty)
        #expect(rig.instruct(.flatten(.all)).orders == ["sell 100 exit"])
    }

    @Test func flattenOfAnOrderClosesWhatItOpened() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 60)
        rig.request(.enter(.buy), in: Rig.second)
        rig.fill(2, 100, cents: 20_00)
        let commands = rig.instruct(.flatten(.order(OrderID(number: 1))))
        #expect(commands.cancellations == [1])
        rig.report(1, .cancelled(.requested))
        #expect(rig.commands.orders.last == "sell 60 exit")
        #expect(!rig.commands.orders.contains("sell 100 exit"))
    }

    @Test func orderIsResolvedByTheUsersEvidence() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.instruct(.resolve(OrderID(number: 1), .notAtBroker))
        let state = rig.engine.orders.record(of: OrderID(number: 1))?.state
        #expect(state == .closed)
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }

    @Test func executionIsBookedForAnOrder() {
        var rig = Rig()
        rig.request(.enter(.buy))
        let execution = Make.execution(1, .buy, 100, cents: 50_00)
        rig.instruct(.bookExecution(OrderID(number: 1), execution))
        rig.instruct(.bookExecution(OrderID(number: 1), execution))
        #expect(rig.held() == 100)
        rig.checkLedger()
    }

    @Test func foreignFillBlocksEntriesUntilTheUserAdoptsTheInstrument() {
        var rig = Rig()
        rig.report(77, .executed(Make.execution(1, .buy, 10, cents: 50_00)))
        #expect(rig.request(.enter(.buy)).orders.isEmpty)
        rig.instruct(.clearLatch(Rig.first))
        #expect(rig.request(.enter(.buy)).orders.isEmpty)
        #expect(rig.count(of: .foreignPosition) == 1)
        rig.instruct(.adopt(Rig.first))
        #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
    }

    @Test func disownedInstrumentGetsNoMoreEntriesAndKeepsItsExits() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.instruct(.disown(Rig.first))
        #expect(rig.request(.target(200)).orders.isEmpty)
        #expect(rig.count(of: .disowned) == 1)
        #expect(rig.request(.exit).orders == ["sell 100 exit"])
    }

    @Test func confirmedSplitConvertsPositions() throws {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        // What was bought before the day of the split is in old shares.
        rig.publish(.clock, at: Make.time(86_400))
        let ratio = try #require(SplitRatio(snapping: Quantity(shares: 2)))
        // Confirmed twice on a day, it is still one.
        for _ in 0..<2 {
            rig.instruct(.confirmSplit(Rig.first, ratio))
            #expect(rig.held() == 200)
        }
        rig.checkLedger()
    }

    @Test(arguments: CashMovement.Cause.allCases)
    func moneyIsBookedAsWhatItIs(cause: CashMovement.Cause) {
        var rig = Rig()
        let before = rig.engine.portfolio.equity
        rig.publish(.cashMovement(CashMovement(cause, Money(cents: 12_00), of: Rig.first)))
        let after = rig.engine.portfolio.equity
        #expect(after == before + ExactMoney(Money(cents: 12_00)))
        rig.checkLedger()
        let isCapital = rig.engine.portfolio.contributed != before
        #expect(isCapital == (cause == .transfer || cause == .unknown))
    }

    @Test func rowOfAnotherProgramIsAppliedOnce() {
        var rig = Rig()
        let signal = ExternalSignal(
            strategy: Self.first, row: 5, instrument: Rig.first,
            target: .quantity(Quantity(shares: 30)), limit: Price(cents: 49_50))
        #expect(rig.publish(.signal(signal)).orders == ["buy 30 entry limit 49.50"])
        #expect(rig.publish(.signal(signal)).isEmpty)
        #expect(rig.decisions.count { $0.kind == .signalRepeated } == 1)
    }

    @Test func instructionsAboutWhatTheRunDoesNotHaveChangeNothing() {
        var rig = Rig()
        let before = rig.stateHash
        rig.instruct(.stopEntries(StrategyID(index: 9)))
        rig.instruct(.adopt(InstrumentID(index: -1)))
        rig.instruct(.flatten(.strategy(StrategyID(index: -4))))
        rig.instruct(.resolve(OrderID(number: 99), .notAtBroker))
        #expect(rig.stateHash == before)
    }

    @Test func shortHistoryIsRecorded() {
        var rig = Rig()
        rig.publish(.historyComplete(HistoryCoverage(have: 3, asked: 30)))
        #expect(rig.decisions.last?.kind == .historyShort)
        #expect(rig.decisions.last?.kind.severity == .warning)
    }
}

extension Rig {
    /// The user tells the engine something.
    @discardableResult
    mutating func instruct(_ action: OperatorRequest.Action) -> [Command] {
        publish(.operatorRequest(OperatorRequest(action)))
    }
}
