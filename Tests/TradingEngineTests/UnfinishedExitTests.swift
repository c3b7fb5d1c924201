import Accounting
import Model
import Orders
import Primitives
import Risk
import Signals
import Simulation
import TestSupport
import Testing
import TradingEngine

/// Exits that stand until they are done, and what may end them: nothing but a newer intent of the strategy.
/// A position of 100 shares bought at 100.00.
@Suite struct UnfinishedExitTests {
    private static let share = MarketRig.share

    private static let enter: ScriptReader.Line = {
        $0.enter(.buy, MarketRig.share, because: "told to")
    }
    private static let exit: ScriptReader.Line = { $0.exit(MarketRig.share, because: "told to") }

    private func holding(
        _ script: [ScriptReader.Line], rules: (inout VenueRules) -> Void = { _ in },
        change: (inout EngineSetup) -> Void = { _ in }
    ) -> MarketRig {
        var rig = MarketRig(rules: rules, change: change, script: [Self.enter] + script)
        rig.play(100_00, 100_00, 100_00, 100_00)
        rig.read(0)
        rig.play(100_00, 100_50, 99_50, 100_00)
        return rig
    }

    // MARK: What the venue ends

    /// An exit that the venue ends is sent again five times a session, and goes on in the next.
    @Test func anExitThatTheVenueEndsIsSentAgainWithinABudget() {
        var rig = holding([Self.exit])
        rig.read(1)
        for number in 3...7 as ClosedRange<Int64> {
            rig.loseOrders()
            #expect(rig.live == ["\(number) sell 100 market"])
        }
        rig.loseOrders()
        #expect(rig.live.isEmpty)
        // Asking again does not help in this session.
        #expect(rig.read(1).isEmpty)
        rig.play(100_00, 100_00, 100_00, 100_00)
        #expect(rig.live.isEmpty)
        rig.sleep()
        rig.play(100_00, 100_00, 100_00, 100_00)
        #expect(rig.live == ["8 sell 100 market"])
        rig.play(101_00, 101_00, 101_00, 101_00)
        #expect(rig.held == 0 && rig.fills.last == "8 sell 100 at 101.00")
    }

    /// Half is meant to go: what is sent again is what of that half is missing.
    @Test func aPartialExitIsSentAgainForItsRest() {
        var rig = holding(
            [{ $0.setTarget(Quantity(shares: 40), of: MarketRig.share, because: "part") }],
            rules: { $0.participation = Percent(10) })
        #expect(rig.read(1) == ["2 sell 60 market"])
        rig.begin(100_00, 100_00, 100_00, 100_00, volume: 250)
        #expect(rig.held == 75)
        rig.loseOrders()
        #expect(rig.live == ["3 sell 35 market"])
    }

    /// The venue says the end first and a fill behind it: the order that was sent instead is too large, and ends
    /// before one of the right size is sent.
    @Test func aFillBehindTheEndOfAnExitShortensItsSuccessor() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exit)
        #expect(rig.report(2, .cancelled(.external)).orders == ["sell 100 exit"])
        #expect(rig.fill(2, 70).cancellations == [3])
        #expect(rig.report(3, .cancelled(.requested)).orders == ["sell 30 exit"])
        rig.fill(4, 30)
        #expect(rig.held() == 0)
    }

    /// An exit that its own terms end is over: for the day means for the day.
    @Test func anExitAtAPriceForTheDayEndsWithIt() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exitAtLimit(cents: 55_00))
        #expect(rig.report(2, .cancelled(.expired)).isEmpty)
    }

    /// Ended by the venue it is not: the same price again.
    @Test func anExitAtAPriceThatTheVenueEndsIsSentAgain() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exitAtLimit(cents: 55_00))
        #expect(rig.report(2, .cancelled(.external)).orders == ["sell 100 exit limit 55.00"])
    }

    /// What the strategy wants since takes the exit's place.
    @Test func aNewerIntentEndsAnExitThatStands() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exit)
        rig.report(2, .cancelled(.external))
        #expect(rig.request(.withdraw).cancellations == [3])
        #expect(rig.report(3, .cancelled(.requested)).isEmpty)
        #expect(rig.publish(.sliceClosed).isEmpty)
        #expect(rig.held() == 100)
    }

    /// An instrument that does not trade any more gets no order a day for ever.
    @Test func anExitWithoutAMarketWaitsForAPrice() {
        var rig = Rig()
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.exit)
        var order: Int64 = 2
        while rig.report(order, .cancelled(.expired)).orders == ["sell 100 exit"] {
            order += 1
            rig.publish(.sliceClosed, at: rig.now + .hours(24))
            guard order < 20 else { break }
        }
        #expect(order == 6)
        #expect(rig.publish(.sliceClosed, at: rig.now + .hours(24)).isEmpty)
        rig.price(51_00)
        #expect(rig.publish(.sliceClosed).orders == ["sell 100 exit"])
    }

    // MARK: Halts

    /// A loss of 1,000 closes the position, a tenth of the volume at a time, over two days; what the strategy
    /// wants meanwhile waits.
    @Test func flattenStandsOverDaysUntilNothingIsHeld() {
        var rig = holding(
            [{ $0.setTarget(Quantity(shares: 500), of: MarketRig.share, because: "more") }],
            rules: { $0.participation = Percent(10) },
            change: {
                $0.losses.dailyAmount = Money(cents: 1_000_00)
                $0.losses.response = .flatten
            })
        rig.play(100_00, 100_00, 90_00, 90_00)
        #expect(rig.live == ["2 sell 100 market"])
        rig.play(90_00, 90_00, 90_00, 90_00, volume: 300)
        #expect(rig.held == 70)
        // The session ends, and with it the order for the day.
        rig.expireOrders()
        rig.sleep()
        rig.play(90_00, 90_00, 90_00, 90_00, volume: 0)
        #expect(rig.live == ["3 sell 70 market"])
        // Entries are allowed again, but not where the exit stands.
        #expect(rig.read(1).isEmpty)
        #expect(rig.count(of: .dailyLoss) == 1)
        rig.play(90_00, 90_00, 90_00, 90_00, volume: 10_000)
        #expect(rig.held == 0)
        rig.play(90_00, 90_00, 90_00, 90_00)
        #expect(rig.read(1) == ["4 buy 500 market"])
    }

    // MARK: Cancelling and withdrawing

    @Test func cancellingNeverDropsAnExit() {
        var rig = holding([
            {
                $0.exit(MarketRig.share, because: "out")
                $0.cancelEntries(in: MarketRig.share, because: "cancel")
            }
        ])
        #expect(rig.read(1) == ["2 sell 100 market"])
        rig.play(101_00, 101_00, 101_00, 101_00)
        #expect(rig.held == 0)
    }

    /// The newest of two intents in one call holds, whatever works by then.
    @Test func anExitBehindAWithdrawalIsSentWhenTheOldOneHasEnded() {
        var rig = holding([
            { $0.exit(MarketRig.share, using: .limit(Price(cents: 120_00)), because: "dear") },
            {
                $0.withdraw(MarketRig.share, because: "cheaper")
                $0.exit(MarketRig.share, using: .limit(Price(cents: 110_00)), because: "cheaper")
            },
        ])
        rig.read(1)
        #expect(rig.read(2) == ["cancel 2", "3 sell 100 limit 110.00"])
    }

    /// An exit of all is on its way when half is to be kept.
    @Test func anExitThatIsTooLargeForTheNewestIntentIsReplaced() {
        var rig = Rig()
        rig.request(.target(100))
        rig.fill(1, 100)
        rig.request(.exit)
        #expect(rig.request(.target(50)).cancellations == [2])
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 50 exit"])
    }

    // MARK: Past zero

    /// 100 long, 60 short wanted: first nothing, then the rest, through risk.
    @Test func aTargetPastZeroIsReachedInTwoSteps() {
        var rig = holding([
            { $0.setTarget(Quantity(shares: -60), of: MarketRig.share, because: "turn") }
        ])
        #expect(rig.read(1) == ["2 sell 100 market"])
        rig.play(101_00, 101_00, 101_00, 101_00)
        #expect(rig.fills.suffix(2) == ["2 sell 100 at 101.00", "3 sell 60 at 101.00"])
        #expect(rig.held == -60)
    }

    @Test func theSecondHalfOfATargetPastZeroPassesTheGate() {
        var rig = holding(
            [{ $0.setTarget(Quantity(shares: -60), of: MarketRig.share, because: "turn") }],
            change: { $0.limits = RiskLimits(allowsShort: false) })
        rig.read(1)
        rig.play(101_00, 101_00, 101_00, 101_00)
        #expect(rig.held == 0 && rig.live.isEmpty)
        #expect(rig.count(of: .shortNotAllowed) == 1)
    }

    @Test func theSecondHalfIsDroppedByAHaltAndByANewerIntent() {
        for isHalted in [true, false] {
            var rig = holding([
                { $0.setTarget(Quantity(shares: -60), of: MarketRig.share, because: "turn") },
                { $0.exit(MarketRig.share, because: "out") },
            ])
            rig.read(1)
            if isHalted {
                rig.publish(.operatorRequest(OperatorRequest(.halt)))
            } else {
                rig.read(2)
            }
            rig.play(101_00, 101_00, 101_00, 101_00)
            rig.play(101_00, 101_00, 101_00, 101_00)
            #expect(rig.held == 0 && rig.live.isEmpty)
        }
    }
}
