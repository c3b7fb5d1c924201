import Accounting
import Model
import Orders
import Primitives
import Risk
import Signals
import Testing
import TradingEngine

/// Enters with a stop and a target at its first timer, and again without them when it has sold; or, told to,
/// offers a fifth of what it has bought.
private struct Follower: Strategy {
    static let declaration = StrategyDeclaration(name: "follower", summary: "follows its fills")

    let offersPart: Bool

    init(_ setup: StrategySetup) { self.init(offersPart: false) }
    init(offersPart: Bool) { self.offersPart = offersPart }

    mutating func timerFired(_ number: Int, _ context: inout StrategyContext) {
        switch number {
        case 0:
            let stop = Protection.Stop.price(Price(cents: 45_00))
            let target = Protection.Target.price(Price(cents: 55_00))
            context.enter(
                .buy, Rig.first, using: .marketNow,
                protectedBy: offersPart
                    ? Protection(stop: stop) : Protection(stop: stop, target: target),
                because: "first")
        default: context.setTarget(Quantity(shares: 50), of: Rig.first, because: "half")
        }
    }

    mutating func orderFilled(_ execution: Execution, _ context: inout StrategyContext) {
        switch execution.side {
        case .buy where offersPart:
            context.setTarget(
                Quantity(shares: 80), of: Rig.first, using: .limit(Price(cents: 56_00)),
                because: "a fifth")
        case .buy: break
        case .sell where offersPart: break
        case .sell: context.enter(.buy, Rig.first, using: .marketNow, because: "again")
        }
    }
}

/// Where halts, windows, time limits, stops and splits meet. The first share is at 50.00; stops are a fifth
/// below; times are New York's.
@Suite struct EngineInterplayTests {
    /// A rig whose positions have a stop.
    private static func guarded(_ change: (inout EngineSetup) -> Void = { _ in }) -> Rig {
        Rig { setup in
            let puppet = StrategySetup(
                instruments: setup.instruments,
                parameters: Parameters(defaultsOf: Puppet.declaration.parameters))
            setup.strategies = [
                StrategyInstance(
                    Puppet(puppet), sizing: .fixedShares(Quantity(shares: 100)),
                    protection: Protection(stop: .away(.percent(Percent(20)))),
                    shown: [Rig.first, Rig.second])
            ]
            change(&setup)
        }
    }

    /// A rig with 100 shares and order 2, a stop at 40.00 for them.
    private static func holding(_ change: (inout EngineSetup) -> Void = { _ in }) -> Rig {
        var rig = guarded(change)
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.target(100))
        rig.fill(1, 100)
        return rig
    }

    private static func split(_ rig: inout Rig) throws {
        let ratio = try #require(SplitRatio(snapping: Quantity(shares: 2)))
        let day = try #require(Day("2024-07-05"))
        rig.publish(
            .corporateAction(
                CorporateAction(instrument: Rig.first, exDay: day, kind: .split(ratio))))
    }

    // MARK: Halts, windows, time limits

    /// 200 dollars are lost, 100 may be: the stop makes way, and what follows does not wait for the close.
    @Test func closingPositionsDoesNotWaitForAWindow() {
        var rig = Self.holding {
            $0.execution.window = .close
            $0.losses.dailyAmount = Money(cents: 100_00)
            $0.losses.response = .flatten
        }
        rig.price(48_00)
        #expect(rig.publish(.sliceClosed).cancellations == [2])
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 100 exit"])
        #expect(rig.publish(.sliceClosed).isEmpty)
    }

    /// An intent for 50 of 100 shares waits when the loss closes the position. The day after, 50 would be a
    /// purchase.
    @Test func aReductionThatWaitedThroughAHaltOpensNothing() {
        var rig = Rig {
            $0.execution.window = .afterOpen(.minutes(30))
            $0.losses.dailyAmount = Money(cents: 100_00)
            $0.losses.response = .flatten
        }
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.target(100))
        rig.fill(1, 100)
        rig.pass(to: "2024-07-05 10:30")
        rig.request(.target(50))
        rig.price(48_00)
        #expect(rig.publish(.sliceClosed).orders == ["sell 100 exit"])
        rig.fill(2, 100, cents: 48_00)
        rig.pass(to: "2024-07-08 10:00")
        rig.checkHalted(false)
        #expect(rig.wake().orders.isEmpty)
        #expect(rig.count(of: .halted) == 1)
    }

    /// The rest of an overdue entry that a halt ended is not sent when entries are allowed again before
    /// the venue has told of its end.
    @Test func aHaltEndsWhatWasToBeSentAnew() {
        var rig = overdueEntry()
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        #expect(rig.report(1, .cancelled(.requested)).isEmpty)
    }

    /// The rest of an overdue entry is a number of new shares: two for one of 100.
    @Test func whatIsSentAnewBehindASplitIsOfNewShares() throws {
        var rig = overdueEntry()
        try Self.split(&rig)
        #expect(rig.report(1, .cancelled(.requested)).orders == ["buy 200 entry"])
    }

    /// An entry whose time is over, its cancellation under way.
    private func overdueEntry() -> Rig {
        var rig = Rig { $0.execution.timeLimit = WorkingTimeLimit(.seconds(30), then: .escalate) }
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.enterAtLimit(.buy, cents: 50_00))
        rig.pass(to: "2024-07-05 10:00:30")
        #expect(rig.endTime().cancellations == [1])
        return rig
    }

    /// 48.00 for an old share are 24.00 for a new one.
    @Test func aHeldPriceIsThatOfNewShares() throws {
        var rig = Rig {
            $0.execution.maintenance = [DailyInterval(from: .hours(12), to: .hours(13))]
        }
        rig.pass(to: "2024-07-05 12:30")
        #expect(rig.request(.enterAtLimit(.buy, cents: 48_00)).orders.isEmpty)
        try Self.split(&rig)
        rig.pass(to: "2024-07-05 13:00")
        #expect(rig.wake().orders == ["buy 100 entry limit 24.00"])
    }

    // MARK: Exits that wait

    /// The stop sells all while it is being lessened to 50: there is nothing left to reduce to 50.
    @Test func anExitOvertakenByTheStopOpensNothing() {
        var rig = Self.holding()
        rig.request(.target(50))
        #expect(rig.fill(2, 100, cents: 40_00).isEmpty)
        #expect(rig.report(2, .modificationRefused(1)).isEmpty)
    }

    /// 50 of 100 old shares are 100 of 200 new ones, and the stop at 40.00 is one at 20.00.
    @Test func anExitThatWaitsIsOfNewShares() throws {
        var rig = Self.holding()
        rig.request(.target(50))
        try Self.split(&rig)
        #expect(
            rig.report(2, .cancelled(.external)).orders
                == ["sell 100 exit", "sell 100 protection stop 20.00"])
    }

    /// The exit has not been sent yet: cancelling keeps it.
    @Test func cancellingOrdersKeepsAnExitThatWaits() {
        var rig = Self.holding()
        #expect(rig.request(.exitNow).cancellations == [2])
        #expect(rig.request(.cancel).isEmpty)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 100 exit"])
    }

    /// The exit has not been sent yet: withdrawing drops it, and the stop comes back.
    @Test func withdrawingDropsAnExitThatWaits() {
        var rig = Self.holding()
        #expect(rig.request(.exitNow).cancellations == [2])
        #expect(rig.request(.withdraw).isEmpty)
        #expect(
            rig.report(2, .cancelled(.requested)).orders == ["sell 100 protection stop 40.00"])
    }

    /// Whether what waits goes in a window or at once decides later on.
    @Test func termsOfAnExitThatWaitsAreInTheStateHash() {
        var left = Self.holding()
        var right = Self.holding()
        left.request(.exit)
        right.request(.exitNow)
        #expect(left.stateHash != right.stateHash)
    }

    /// A limit exit that was sent while an entry was ending ends with its day. Nobody wants it again.
    @Test func anExpiredExitIsNotSentAgain() {
        var rig = Rig()
        rig.request(.target(100))
        rig.fill(1, 100)
        rig.request(.target(150))
        #expect(rig.request(.exitAtLimit(cents: 55_00)).orders == ["sell 100 exit limit 55.00"])
        #expect(rig.report(2, .cancelled(.requested)).isEmpty)
        #expect(rig.report(3, .cancelled(.expired)).isEmpty)
    }

    /// 10 shares wait for the close, 90 for 55.00. For all to go at the close only the 90 are in the way.
    @Test func anOrderForTheSameAuctionIsNotInTheWay() {
        var rig = Rig { $0.execution.window = .close }
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.target(100))
        rig.fill(1, 100)
        #expect(rig.request(.target(90)).orders == ["sell 10 exit at close"])
        #expect(rig.request(.exitAtLimit(cents: 55_00)).orders == ["sell 90 exit limit 55.00"])
        #expect(rig.request(.exit).cancellations == [3])
        #expect(rig.report(3, .cancelled(.requested)).orders == ["sell 90 exit at close"])
    }

    // MARK: Stops and targets

    /// What a position had that is gone is not for the next one, which asked for nothing.
    @Test func anOldStopIsNotForANewPosition() {
        var rig = follower(offersPart: false)
        #expect(rig.commands.orders.count == 3)
        rig.fill(1, 100)
        #expect(rig.fill(3, 100, cents: 55_00).orders == ["buy 100 entry"])
        #expect(rig.report(2, .cancelled(.linked)).isEmpty)
        #expect(rig.fill(4, 100, cents: 55_00).isEmpty)
    }

    /// 20 of 100 are offered at 56.00 beside a stop for 80. To keep 50, 30 more have to go: the stop covers
    /// the 50.
    @Test func anExitBesideTheGroupLeavesHeadroomForTheStop() {
        var rig = follower(offersPart: true)
        rig.report(2, .cancelled(.external))
        #expect(
            rig.fill(1, 100).orders
                == ["sell 20 exit limit 56.00", "sell 80 protection stop 45.00"])
        let commands = rig.publish(.timer(TimerID(strategy: StrategyID(index: 0), number: 1)))
        #expect(commands.words == ["change 4 to sell 50 stop 45.00"])
        #expect(rig.report(4, .modified(1)).orders == ["sell 30 exit"])
    }

    private func follower(offersPart: Bool) -> Rig {
        var rig = Rig { $0.strategies = [.single(Follower(offersPart: offersPart))] }
        rig.publish(.timer(TimerID(strategy: StrategyID(index: 0), number: 0)))
        return rig
    }

    /// 300 shares at 22.00, 5,000 borrowed: equity is 1,600 and 1,650 are needed. 50 / 5.50 is between 9
    /// and 10; the stop goes on covering the rest.
    @Test func aPositionWithAStopIsReducedByWhatIsMissing() throws {
        let terms = try #require(
            MarginTerms(
                initial: Percent(50), maintenanceLong: Percent(25), maintenanceShort: Percent(30)))
        var rig = Self.guarded {
            $0.capital = Money(cents: 10_000_00)
            $0.margin = terms
        }
        rig.request(.target(300))
        rig.fill(1, 300)
        rig.price(22_00)
        #expect(rig.publish(.sliceClosed).words == ["change 2 to sell 290 stop 40.00"])
        #expect(rig.publish(.sliceClosed).isEmpty)
        #expect(rig.report(2, .modified(1)).orders == ["sell 10 exit"])
        #expect(rig.publish(.sliceClosed).isEmpty)
    }
}
