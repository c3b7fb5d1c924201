import Accounting
import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// Entries that should have traded at once. The market is at 50.00; 30 seconds; times are New York's.
@Suite struct WorkingTimeTests {
    private static func rig(
        _ action: WorkingTimeLimit.Action, change: (inout EngineSetup) -> Void = { _ in }
    ) -> Rig {
        Rig {
            $0.execution.timeLimit = WorkingTimeLimit(.seconds(30), then: action)
            change(&$0)
        }
    }

    /// A rig that has entered 100 shares at 50.00 at 10:00, and 30 seconds later.
    private static func overdue(_ action: WorkingTimeLimit.Action) -> Rig {
        var rig = rig(action)
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.enterAtLimit(.buy, cents: 50_00))
        rig.pass(to: "2024-07-05 10:00:30")
        return rig
    }

    // MARK: What is limited

    @Test func limitAtOrThroughTheMarketIsLimited() {
        for (side, cents, isLimited) in [
            (Side.buy, 50_00 as Int64, true), (.buy, 50_01, true), (.buy, 49_99, false),
            (.sell, 50_00, true), (.sell, 49_99, true), (.sell, 50_01, false),
        ] {
            var rig = Self.rig(.cancel)
            rig.pass(to: "2024-07-05 10:00")
            let commands = rig.request(.enterAtLimit(side, cents: cents))
            #expect(commands.wakeUps == (isLimited ? [NewYorkClock.at("2024-07-05 10:00:30")] : []))
        }
    }

    /// What it costs to buy is the ask, what it brings to sell the bid.
    @Test func quotesShowTheMarketWhereThereAreSome() {
        for (side, cents, isLimited) in [
            (Side.buy, 50_05 as Int64, true), (.buy, 50_04, false), (.sell, 49_95, true),
            (.sell, 49_96, false),
        ] {
            var rig = Self.rig(.cancel)
            rig.pass(to: "2024-07-05 10:00")
            rig.publish(
                .quote(
                    Quote(
                        instrument: Rig.first, at: rig.now, bid: Price(cents: 49_95),
                        ask: Price(cents: 50_05))))
            #expect(rig.request(.enterAtLimit(side, cents: cents)).wakeUps.isEmpty != isLimited)
        }
    }

    @Test func whatRestsOrReducesIsNeverLimited() {
        let terms: [OrderTerms] = [
            .market, .marketNow, .stop(Price(cents: 50_00)),
            .stopLimit(stop: Price(cents: 50_00), limit: Price(cents: 51_00)),
            .trailingStop(by: .amount(Price(cents: 1_00))), .marketOnOpen, .marketOnClose,
            .limitOnOpen(Price(cents: 51_00)), .limitOnClose(Price(cents: 51_00)),
            .limit(Price(cents: 51_00), for: .immediateOrCancel),
        ]
        for terms in terms {
            var rig = Self.rig(.cancel) {
                $0.strategies = [.single(Insister(goal: .enter(.buy), type: terms))]
            }
            let commands = rig.publish(.sliceClosed)
            #expect(commands.orders.count == 2, "\(terms)")
            #expect(commands.wakeUps.isEmpty, "\(terms)")
            rig.publish(.sliceClosed, at: rig.now + .seconds(30))
            #expect(rig.endTime().isEmpty)
        }
        // An exit through the market.
        var rig = Self.rig(.cancel)
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        #expect(rig.request(.exitAtLimit(cents: 49_00)).wakeUps.isEmpty)
    }

    @Test func timeBeginsWithTheSession() {
        for (sent, over) in [
            ("2024-07-03 08:00", "2024-07-03 09:30:30"),
            ("2024-07-03 12:59:45", "2024-07-03 13:00:15"),
            ("2024-07-03 13:00", "2024-07-05 09:30:30"),
            ("2024-07-04 12:00", "2024-07-05 09:30:30"),
            ("2024-03-09 12:00", "2024-03-11 09:30:30"),
        ] {
            var rig = Self.rig(.cancel)
            rig.pass(to: sent)
            #expect(
                rig.request(.enterAtLimit(.buy, cents: 50_00)).wakeUps == [NewYorkClock.at(over)])
        }
    }

    @Test func orderOutsideRTHHasItsTimeAtOnce() {
        var rig = Self.rig(.cancel) { $0.execution.outsideRTH = true }
        rig.pass(to: "2024-07-03 08:00")
        let commands = rig.request(.enterAtLimit(.buy, cents: 50_00))
        #expect(commands.wakeUps == [NewYorkClock.at("2024-07-03 08:00:30")])
    }

    // MARK: Cancelling

    @Test func overdueOrderIsCancelledOnce() {
        var rig = Self.overdue(.cancel)
        #expect(rig.endTime().cancellations == [1])
        #expect(rig.endTime().isEmpty)
        rig.fill(1, 40)
        #expect(rig.report(1, .cancelled(.requested)).isEmpty)
        let held = rig.held()
        #expect(held == 40)
    }

    @Test func orderThatTradedInTimeIsLeftAlone() {
        var rig = Self.rig(.cancel)
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.enterAtLimit(.buy, cents: 50_00))
        rig.fill(1, 100)
        rig.pass(to: "2024-07-05 10:00:30")
        #expect(rig.endTime().isEmpty)
    }

    @Test func eachOrderHasItsOwnTime() {
        var rig = Self.rig(.cancel)
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.enterAtLimit(.buy, cents: 50_00))
        rig.pass(to: "2024-07-05 10:00:20")
        // The first wakes the engine before.
        #expect(rig.request(.enterAtLimit(.buy, cents: 20_00), in: Rig.second).wakeUps.isEmpty)
        rig.pass(to: "2024-07-05 10:00:30")
        let commands = rig.endTime()
        #expect(commands.cancellations == [1])
        #expect(commands.wakeUps == [NewYorkClock.at("2024-07-05 10:00:50")])
    }

    // MARK: Sending the rest

    @Test func restIsSentAtTheNewPriceAfterTheProof() {
        var rig = Self.overdue(.reprice(timesMax: 2))
        rig.fill(1, 40)
        let commands = rig.endTime()
        #expect(commands.cancellations == [1])
        #expect(commands.orders.isEmpty)
        rig.price(50_20)
        rig.pass(to: "2024-07-05 10:00:31")
        let proof = rig.report(1, .cancelled(.requested))
        #expect(proof.orders == ["buy 60 entry limit 50.20"])
        #expect(proof.wakeUps == [NewYorkClock.at("2024-07-05 10:01:01")])
        // Once more, then it is only cancelled.
        rig.pass(to: "2024-07-05 10:01:01")
        #expect(rig.endTime().cancellations == [2])
        rig.price(50_30)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["buy 60 entry limit 50.30"])
        rig.pass(to: "2024-07-05 10:01:31")
        #expect(rig.endTime().cancellations == [3])
        #expect(rig.report(3, .cancelled(.requested)).isEmpty)
        let held = rig.held()
        #expect(held == 40)
    }

    /// 50.203 is no multiple of 5 cents: a buyer pays up to 50.25, a seller takes 50.20.
    @Test func newPriceIsOnATickIntoTheMarket() throws {
        for (side, expected) in [(Side.buy, "50.25"), (.sell, "50.20")] {
            var rig = Self.rig(.reprice(timesMax: 1)) {
                $0.instruments[0].tickSize = .fixed(Price(cents: 5))
            }
            rig.request(.enterAtLimit(side, cents: 50_00))
            rig.publish(.sliceClosed, at: rig.now + .seconds(30))
            rig.endTime()
            rig.publish(
                .trade(
                    Trade(
                        instrument: Rig.first, at: rig.now, price: try Price("50.203"),
                        size: Quantity(shares: 1))))
            let commands = rig.report(1, .cancelled(.requested))
            #expect(commands.orders == ["\(side) 100 entry limit \(expected)"])
        }
    }

    @Test func restIsSentAtTheMarket() {
        var rig = Self.overdue(.escalate)
        rig.endTime()
        rig.fill(1, 99)
        let commands = rig.report(1, .cancelled(.requested))
        #expect(commands.orders == ["buy 1 entry"])
        #expect(commands.wakeUps.isEmpty)
    }

    @Test func fillThatOutrunsTheCancelLeavesNoRest() {
        for action in [WorkingTimeLimit.Action.reprice(timesMax: 3), .escalate] {
            var rig = Self.overdue(action)
            rig.endTime()
            #expect(rig.fill(1, 100).isEmpty)
            #expect(rig.report(1, .cancelled(.requested)).isEmpty)
        }
    }

    /// The proof was none: what takes its place must not buy the same again.
    @Test func fillBehindTheEndCancelsTheReplacement() {
        for action in [WorkingTimeLimit.Action.reprice(timesMax: 3), .escalate] {
            var rig = Self.overdue(action)
            rig.endTime()
            #expect(rig.report(1, .cancelled(.requested)).orders.count == 1)
            #expect(rig.fill(1, 10).cancellations == [2])
            #expect(rig.report(2, .cancelled(.requested)).isEmpty)
            // A cost that is told late is no fill.
            #expect(rig.report(1, .commission(Make.commission(1, cents: 1_00))).isEmpty)
        }
    }

    @Test func costReportedLateEndsNoReplacement() {
        var rig = Self.overdue(.escalate)
        rig.fill(1, 40)
        rig.endTime()
        #expect(rig.report(1, .cancelled(.requested)).orders == ["buy 60 entry"])
        #expect(rig.report(1, .commission(Make.commission(1, cents: 1_00))).isEmpty)
    }

    @Test(arguments: [
        OrderFact.cancelled(.expired), .cancelled(.external), .rejected(.notTradable),
    ])
    func endThatWeDidNotAskForIsNotAnswered(end: OrderFact) {
        var rig = Self.overdue(.escalate)
        rig.endTime()
        #expect(rig.report(1, end).isEmpty)
        #expect(rig.report(1, .cancelled(.requested)).isEmpty)
    }

    @Test func strategyThatSubscribesToNoneGetsNoTicks() {
        for intent in [Instruction.cancel, .exit, .target(0)] {
            var rig = Self.overdue(.escalate)
            rig.endTime()
            rig.request(intent)
            #expect(rig.report(1, .cancelled(.requested)).orders.isEmpty)
        }
    }

    @Test func restPassesRisk() {
        var rig = Self.overdue(.escalate)
        rig.endTime()
        // An execution that nobody ordered.
        rig.fill(77, 1)
        #expect(rig.report(1, .cancelled(.requested)).isEmpty)
        let refused = rig.count(of: .latched)
        #expect(refused == 1)
    }

    @Test func timesAreInTheStateHash() {
        var cancelling = Self.overdue(.cancel)
        var escalating = Self.overdue(.escalate)
        var left = Rig()
        left.pass(to: "2024-07-05 10:00")
        left.request(.enterAtLimit(.buy, cents: 50_00))
        left.pass(to: "2024-07-05 10:00:30")
        #expect(cancelling.stateHash != left.stateHash)
        cancelling.endTime()
        escalating.endTime()
        #expect(cancelling.stateHash != escalating.stateHash)
    }
}
