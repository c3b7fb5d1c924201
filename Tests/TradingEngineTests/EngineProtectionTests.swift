import Model
import Orders
import Primitives
import Risk
import Signals
import Simulation
import TestSupport
import Testing
import TradingEngine

/// Stops and targets that rest as long as a position is held. Entries of 100 shares at the open of the
/// bar behind an intent; a stop 5 % below and a target 10 % above the close before it.
@Suite struct EngineProtectionTests {
    private static let share = MarketRig.share
    private static let pair = Protection(
        stop: .away(.percent(Percent(5))), target: .away(.percent(Percent(10))))

    private static let enter: ScriptReader.Line = {
        $0.enter(.buy, MarketRig.share, because: "told to")
    }
    private static let exit: ScriptReader.Line = { $0.exit(MarketRig.share, because: "told to") }

    private static func hold(
        _ shares: Int64, _ protection: Protection? = nil
    ) -> ScriptReader.Line {
        {
            $0.setTarget(
                Quantity(shares: shares), of: MarketRig.share, protectedBy: protection,
                because: "told to")
        }
    }

    /// A rig with a position of 100 bought at 100.00, stop at 95.00, target at 110.00.
    private func holding(
        _ protection: Protection = pair, rules: (inout VenueRules) -> Void = { _ in },
        script: [ScriptReader.Line] = []
    ) -> MarketRig {
        var rig = MarketRig(protection, rules: rules, script: [Self.enter] + script)
        rig.play(100_00, 100_00, 100_00, 100_00)
        rig.read(0)
        rig.play(100_00, 100_50, 99_50, 100_00)
        return rig
    }

    // MARK: Entries

    @Test func pairLeavesRightBehindItsEntry() {
        var rig = MarketRig(Self.pair, script: [Self.enter])
        rig.play(100_00, 100_00, 100_00, 100_00)
        #expect(
            rig.read(0) == ["1 buy 100 market", "2 sell 100 stop 95.00", "3 sell 100 limit 110.00"])
        let requests = (1...3).compactMap {
            rig.engine.orders.request(of: OrderID(number: Int64($0)))
        }
        #expect(requests.map(\.timeInForce) == [.day, .goodTillCancelled, .goodTillCancelled])
        #expect(requests.map(\.parent) == [nil, OrderID(number: 1), OrderID(number: 1)])
        #expect(requests[1].group == requests[2].group && requests[1].group != nil)
        #expect(rig.reason(of: 2) == "stop")
        #expect(rig.reason(of: 3) == "target")
    }

    @Test func protectionIsOutsideRTHWhereThatIsConfigured() {
        for isOutside in [false, true] {
            var rig = MarketRig(
                Self.pair, change: { $0.execution.outsideRTH = isOutside },
                script: [Self.enter])
            rig.play(100_00, 100_00, 100_00, 100_00)
            rig.read(0)
            let hours = [2, 3].map { number in
                rig.engine.orders.request(of: OrderID(number: number))?.outsideRTH
            }
            #expect(hours == [isOutside, isOutside])
        }
    }

    @Test func whatStandsNeedsNoCommand() {
        var rig = holding()
        let count = rig.commands.count
        for _ in 0..<5 { rig.play(100_00, 101_00, 99_00, 100_00) }
        #expect(rig.commands.count == count)
        #expect(rig.live == ["2 sell 100 stop 95.00", "3 sell 100 limit 110.00"])
    }

    /// The limit of 98.01 is what counts, not the market at 100: 5 % below it is 93.1095, up to a tick
    /// 93.11; 10 % above it 107.811, up to a tick 107.82.
    @Test func pricesCountFromTheEntrysOwn() {
        var rig = MarketRig(
            Self.pair,
            script: [
                {
                    $0.enter(
                        .buy, MarketRig.share, using: .limit(Price(cents: 98_01)), because: "cheap")
                }
            ])
        rig.play(100_00, 100_00, 100_00, 100_00)
        #expect(
            rig.read(0) == [
                "1 buy 100 limit 98.01", "2 sell 100 stop 93.11", "3 sell 100 limit 107.82",
            ])
    }

    /// Short at 33.33: 5 % above is 34.9965, down to a tick 34.99; 10 % below 29.997, down to 29.99.
    @Test func shortIsProtectedAbove() {
        var rig = MarketRig(
            Self.pair,
            script: [{ $0.enter(.sell, MarketRig.share, because: "told to") }])
        rig.play(33_33, 33_33, 33_33, 33_33)
        #expect(
            rig.read(0) == ["1 sell 100 market", "2 buy 100 stop 34.99", "3 buy 100 limit 29.99"])
    }

    /// Three bars with ranges of 2.00 each, the first without a close before it: a length of 2 is known
    /// from the third bar on. 2 × 2.00 below 100.00, 3 × 2.00 above.
    @Test func rangesAreWaitedFor() {
        let rule = Protection(
            stop: .away(.range(RangeDistance(length: 2, times: Percent(200)))),
            target: .away(.range(RangeDistance(length: 2, times: Percent(300)))))
        var rig = MarketRig(rule, script: [Self.enter])
        for _ in 0..<2 { rig.play(100_00, 101_00, 99_00, 100_00) }
        #expect(rig.read(0).isEmpty)
        #expect(rig.count(of: .cannotEvaluate) == 1)
        rig.play(100_00, 101_00, 99_00, 100_00)
        #expect(
            rig.read(0) == ["1 buy 100 market", "2 sell 100 stop 96.00", "3 sell 100 limit 106.00"])
    }

    @Test func strategysOwnPricesComeFirst() {
        var rig = MarketRig(
            Self.pair,
            script: [
                Self.hold(30, Protection(stop: .price(Price(cents: 91_00))))
            ])
        rig.play(100_00, 100_00, 100_00, 100_00)
        #expect(rig.read(0) == ["1 buy 30 market", "2 sell 30 stop 91.00"])
        // A target below the price, a stop at it, one at nothing, a range that nobody keeps.
        var other = MarketRig(
            script: [
                Self.hold(30, Protection(target: .price(Price(cents: 99_00)))),
                Self.hold(30, Protection(stop: .price(Price(cents: 100_00)))),
                Self.hold(30, Protection(stop: .away(.amount(Price(cents: 100_00))))),
                Self.hold(
                    30, Protection(stop: .away(.range(RangeDistance(length: 9, times: .hundred))))),
            ])
        other.play(100_00, 100_00, 100_00, 100_00)
        for line in 0..<4 { #expect(other.read(line).isEmpty) }
        #expect(other.count(of: .cannotEvaluate) == 4)
    }

    /// A stop 0.001 % away would be 99.999, up to a tick the price itself.
    @Test func stopIsAtLeastATickAway() {
        let near = Protection(stop: .away(.percent(Percent(units: 1_000))))
        var rig = MarketRig(near, script: [Self.enter])
        rig.play(100_00, 100_00, 100_00, 100_00)
        #expect(rig.read(0) == ["1 buy 100 market", "2 sell 100 stop 99.99"])
    }

    // MARK: The market

    @Test func stopAndTargetInOneBarIsTakenAsTheStop() {
        var rig = holding()
        rig.play(100_00, 111_00, 94_00, 100_00)
        #expect(rig.fills == ["1 buy 100 at 100.00", "2 sell 100 at 95.00"])
        #expect(rig.held == 0)
        #expect(rig.live.isEmpty)
        // All is over: the next entry has a pair of its own.
        #expect(
            rig.read(0) == ["4 buy 100 market", "5 sell 100 stop 95.00", "6 sell 100 limit 110.00"])
    }

    @Test func gapThroughTheStopSellsAtTheOpen() {
        var rig = holding()
        rig.play(90_00, 91_00, 89_00, 90_00)
        #expect(rig.fills.last == "2 sell 100 at 90.00")
        #expect(rig.live.isEmpty)
    }

    @Test func targetSellsAndEndsTheStop() {
        var rig = holding()
        rig.play(105_00, 110_50, 104_00, 110_00)
        #expect(rig.fills.last == "3 sell 100 at 110.00")
        #expect(rig.live.isEmpty)
        #expect(rig.held == 0)
    }

    /// A tenth of 600 shares: 60 are bought and, in the next bar, 40 more at its open; then all 100 are
    /// sold at the stop. No change is needed on the way.
    @Test func pairFollowsPartialFillsOfItsParent() {
        var rig = MarketRig(
            Self.pair, rules: { $0.participation = Percent(10) }, script: [Self.enter])
        rig.play(100_00, 100_00, 100_00, 100_00)
        rig.read(0)
        rig.play(100_00, 100_00, 100_00, 100_00, volume: 600)
        #expect(rig.held == 60)
        rig.play(100_00, 100_00, 94_00, 94_00, volume: 10_000)
        #expect(
            rig.fills == [
                "1 buy 60 at 100.00", "1 buy 40 at 100.00", "2 sell 100 at 95.00",
            ])
        #expect(rig.commands.count == 3)
        #expect(rig.live.isEmpty)
    }

    /// 60 bought, the rest is not wanted any more: 60 are sold, and nothing else.
    @Test func pairSellsNoMoreThanItsParentBought() {
        var rig = MarketRig(
            Self.pair, rules: { $0.participation = Percent(10) },
            script: [
                {
                    $0.enter(
                        .buy, MarketRig.share, using: .limit(Price(cents: 100_00)), because: "?")
                },
                { $0.cancelEntries(in: MarketRig.share, because: "?") },
            ])
        rig.play(100_00, 100_00, 100_00, 100_00)
        rig.read(0)
        rig.play(99_00, 99_00, 99_00, 99_00, volume: 600)
        #expect(rig.read(1) == ["cancel 1"])
        #expect(rig.live == ["2 sell 100 stop 95.00", "3 sell 100 limit 110.00"])
        rig.play(99_00, 99_00, 90_00, 90_00)
        #expect(rig.fills == ["1 buy 60 at 99.00", "2 sell 60 at 95.00"])
        #expect(rig.held == 0 && rig.live.isEmpty)
    }

    /// Trails by 2.00: from 100.00 to 98.00, behind the high of 103.00 to 101.00 from the next bar on.
    @Test func trailingStopFollows() {
        var rig = holding(Protection(stop: .trailing(.amount(Price(cents: 2_00)))))
        #expect(rig.live == ["2 sell 100 trailing 2.00"])
        #expect(rig.reason(of: 2) == "trailing stop")
        rig.play(101_00, 103_00, 100_90, 102_00)
        rig.play(102_00, 102_00, 100_50, 100_50)
        #expect(rig.fills.last == "2 sell 100 at 101.00")
    }

    // MARK: More, less, nothing

    /// The add is bought at 104.00, the stop stays where the first intent put it.
    @Test func addEnlargesThePairAndKeepsItsPrices() {
        var rig = holding(script: [Self.hold(150)])
        rig.play(104_00, 104_00, 104_00, 104_00)
        #expect(rig.read(1) == ["4 buy 50 market"])
        rig.begin(104_00, 104_00, 104_00, 104_00)
        #expect(
            rig.commands.words.suffix(2) == [
                "change 2 to sell 150 stop 95.00", "change 3 to sell 150 limit 110.00",
            ])
        rig.end(104_00, 104_00, 104_00, 104_00)
        rig.play(104_00, 104_00, 94_00, 94_00)
        #expect(rig.fills.last == "2 sell 150 at 95.00")
        #expect(rig.held == 0 && rig.live.isEmpty)
    }

    @Test func newestIntentsPricesApplyToAll() {
        let near = Protection(stop: .price(Price(cents: 99_00)))
        var rig = holding(script: [Self.hold(150, near)])
        #expect(
            rig.read(1) == ["4 buy 50 market", "change 2 to sell 100 stop 99.00", "cancel 3"])
        rig.begin(100_00, 100_00, 99_50, 99_50)
        #expect(rig.live == ["2 sell 150 stop 99.00"])
    }

    /// The pair is lessened first, then 30 leave at the next open.
    @Test func partOfAPositionLeavesBehindTheChangeOfThePair() {
        var rig = holding(script: [Self.hold(70)])
        #expect(
            rig.read(1) == [
                "change 2 to sell 70 stop 95.00", "change 3 to sell 70 limit 110.00",
                "4 sell 30 market",
            ])
        rig.play(100_00, 100_00, 94_00, 94_00)
        #expect(rig.fills.suffix(2) == ["4 sell 30 at 100.00", "2 sell 70 at 95.00"])
        #expect(rig.held == 0 && rig.live.isEmpty)
    }

    /// Before the venue has answered nothing leaves; a stop that fills meanwhile leaves nothing to do.
    @Test func partWaitsForTheProof() {
        var rig = holding(script: [Self.hold(70)])
        rig.isSilent = true
        #expect(
            rig.read(1) == ["change 2 to sell 70 stop 95.00", "change 3 to sell 70 limit 110.00"])
        // Asked again: nothing new.
        #expect(rig.read(1).isEmpty)
        rig.settle()
        #expect(rig.commands.words.last == "4 sell 30 market")
    }

    /// 40 of 100 are sold at the target, so 60 are left of both; 20 more bought are 80.
    @Test func groupsFillsStayCounted() {
        var rig = holding(rules: { $0.participation = Percent(10) }, script: [Self.hold(80)])
        rig.play(110_00, 110_50, 110_00, 110_50, volume: 400)
        #expect(rig.held == 60)
        // The target of 110 was met by the volume of 40 only.
        #expect(rig.live == ["2 sell 100 stop 95.00", "3 sell 100 limit 110.00"])
        rig.read(1)
        rig.begin(109_00, 109_00, 109_00, 109_00)
        #expect(rig.live == ["2 sell 120 stop 95.00", "3 sell 120 limit 110.00"])
        rig.end(109_00, 109_00, 109_00, 109_00)
        rig.play(109_00, 109_00, 94_00, 94_00)
        #expect(rig.fills.last == "2 sell 80 at 95.00")
        #expect(rig.held == 0 && rig.live.isEmpty)
    }

    @Test func exitAtTheMarketWaitsForTheEndOfThePair() {
        var rig = holding(script: [Self.exit])
        rig.isSilent = true
        #expect(rig.read(1) == ["cancel 2", "cancel 3"])
        rig.settle()
        #expect(rig.commands.words.last == "4 sell 100 market")
        rig.play(100_00, 100_00, 90_00, 90_00)
        #expect(rig.fills.last == "4 sell 100 at 100.00")
        #expect(rig.held == 0 && rig.live.isEmpty)
    }

    /// The exit takes part in the group: whichever sells first, the others end.
    @Test(arguments: [
        (105_00, 90_00, "2 sell 100 at 95.00"), (106_50, 99_00, "4 sell 100 at 106.00"),
    ])
    func exitAtAPriceLeavesTheStopWhereItIs(high: Int64, low: Int64, fill: String) {
        var rig = holding(script: [
            { $0.exit(MarketRig.share, using: .limit(Price(cents: 106_00)), because: "?") }
        ])
        #expect(rig.read(1) == ["4 sell 100 limit 106.00"])
        #expect(rig.read(1).isEmpty)
        rig.play(100_00, high, low, 100_00)
        #expect(rig.fills.last == fill)
        #expect(rig.held == 0 && rig.live.isEmpty)
    }

    /// An exit that the venue ends is sent again, five times; then the pair is back until the next day.
    @Test func exitThatDoesNotComeThroughBringsThePairBack() {
        var rig = holding(script: [Self.exit])
        rig.read(1)
        #expect(rig.live == ["4 sell 100 market"])
        for number in 5...9 {
            rig.loseOrders()
            #expect(rig.live == ["\(number) sell 100 market"])
        }
        rig.loseOrders()
        #expect(rig.live == ["10 sell 100 stop 95.00", "11 sell 100 limit 110.00"])
        #expect(rig.count(of: .exitUnfinished) == 1)
    }

    // MARK: The strategy's own

    @Test func protectMovesTheStop() {
        var rig = holding(script: [
            {
                $0.protect(
                    MarketRig.share, with: Protection(stop: .price(Price(units: 97_98_500_000))),
                    because: "trail")
            },
            {
                $0.protect(
                    MarketRig.share, with: Protection(stop: .trailing(.percent(Percent(1)))),
                    because: "trail")
            },
        ])
        #expect(rig.read(1) == ["change 2 to sell 100 stop 97.99", "cancel 3"])
        #expect(rig.read(2) == ["change 2 to sell 100 trailing 1 %"])
        #expect(rig.reason(of: 2) == "trailing stop")
        // From the open of 101.00 behind the high of the bar before: 99.99.
        rig.play(101_00, 101_00, 100_00, 100_00)
        rig.play(100_00, 100_00, 99_00, 99_00)
        #expect(rig.fills.last == "2 sell 100 at 99.99")
    }

    @Test func protectOfNothingIsRefused() {
        let line: ScriptReader.Line = {
            $0.protect(MarketRig.share, with: Self.pair, because: "?")
        }
        var rig = MarketRig(script: [line])
        rig.play(100_00, 100_00, 100_00, 100_00)
        #expect(rig.read(0).isEmpty)
        #expect(rig.count(of: .nothingToReduce) == 1)
    }

    /// A position without protection gets one, for all that is held; an exit beside it ends first.
    @Test func protectOfAnUnprotectedPositionSendsThePair() {
        var rig = MarketRig(script: [
            Self.enter,
            { $0.exit(MarketRig.share, using: .limit(Price(cents: 120_00)), because: "?") },
            { $0.protect(MarketRig.share, with: Self.pair, because: "?") },
        ])
        rig.play(100_00, 100_00, 100_00, 100_00)
        rig.read(0)
        rig.play(100_00, 100_00, 100_00, 100_00)
        rig.read(1)
        #expect(
            rig.read(2) == ["cancel 2", "3 sell 100 stop 95.00", "4 sell 100 limit 110.00"])
    }

    // MARK: Halts, splits, losses

    @Test func haltAndLatchLeaveProtectionAlone() {
        var rig = holding(script: [
            { $0.cancelEntries(in: MarketRig.share, because: "?") },
            { $0.protect(MarketRig.share, with: Self.pair, because: "?") },
        ])
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        #expect(rig.read(1).isEmpty)
        rig.loseOrders()
        #expect(rig.live == ["4 sell 100 stop 95.00", "5 sell 100 limit 110.00"])
        rig.play(100_00, 100_00, 94_00, 94_00)
        #expect(rig.fills.last == "4 sell 100 at 95.00")
    }

    /// 95.00 / 7 = 13.5714…, up to a tick 13.58; 110.00 / 7 = 15.714…, 15.72; 700 shares.
    @Test func splitMovesThePair() throws {
        var rig = holding()
        let seven = try #require(SplitRatio(snapping: Quantity(shares: 7)))
        rig.split(seven)
        #expect(rig.held == 700)
        #expect(rig.live == ["2 sell 700 stop 13.58", "3 sell 700 limit 15.72"])
        rig.play(14_00, 14_00, 13_00, 13_00)
        #expect(rig.fills.last == "2 sell 700 at 13.58")
        #expect(rig.held == 0 && rig.live.isEmpty)
    }

    /// 2.00 / 4 = 0.50 behind the best price, 100.50 / 4 = 25.125: 24.625, down to a tick.
    @Test func splitMovesTheTrailingStop() throws {
        var rig = holding(Protection(stop: .trailing(.amount(Price(cents: 2_00)))))
        rig.split(try #require(SplitRatio(snapping: Quantity(shares: 4))))
        #expect(rig.live == ["2 sell 400 trailing 0.50"])
        rig.play(25_00, 25_00, 24_60, 24_60)
        #expect(rig.fills.last == "2 sell 400 at 24.62")
    }

    /// What the venue ends is sent again, five times a day; then a person has to look.
    @Test func protectionThatKeepsEndingIsGivenUp() {
        var rig = holding(Protection(stop: .price(Price(cents: 95_00))))
        for number in 3...7 as ClosedRange<Int64> {
            rig.loseOrders()
            #expect(rig.live == ["\(number) sell 100 stop 95.00"])
        }
        rig.loseOrders()
        #expect(rig.live.isEmpty)
        #expect(rig.count(of: .protectionFailed) == 1)
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        #expect(rig.live == ["8 sell 100 stop 95.00"])
    }
}
