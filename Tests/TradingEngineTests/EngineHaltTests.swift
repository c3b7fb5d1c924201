import Accounting
import MarketState
import Model
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// Halts on losses: 100,000 dollars, 1,000 of the first share at 50.00.
@Suite struct EngineHaltTests {
    private func account(_ set: (inout LossLimits) -> Void) -> Rig {
        var rig = Rig(strategies: 2) { set(&$0.losses) }
        rig.request(.target(1_000))
        rig.fill(1, 1_000)
        rig.publish(.sliceClosed)
        return rig
    }

    /// 2 % of 100,000 are lost at 48.00.
    private func accountWithDailyLimit() -> Rig { account { $0.dailyPercent = Percent(2) } }

    // MARK: The loss of a day

    @Test func theLossOfADayHaltsEntries() {
        var rig = accountWithDailyLimit()
        rig.price(48_01)
        rig.publish(.sliceClosed)
        rig.checkHalted(false)
        rig.price(48_00)
        rig.checkHalted(false)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
        #expect(rig.request(.enter(.buy), in: Rig.second).isEmpty)
        #expect(rig.count(of: .dailyLoss) == 1)
        let breaches = rig.engine.monitor.breaches
        #expect(
            breaches == [
                LimitBreach(
                    .dailyLoss, at: rig.now, .percent(limit: Percent(2), value: Percent(2)))
            ])
    }

    @Test func aLossThatIsRealisedCountsLikeAnother() {
        var rig = accountWithDailyLimit()
        rig.request(.exit)
        rig.fill(2, 1_000, cents: 48_00)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
    }

    @Test func protectionAndExitsStayAndEntriesAreCancelled() {
        var rig = accountWithDailyLimit()
        rig.request(.exitAtStop(cents: 40_00))
        rig.request(.enterAtLimit(.buy, cents: 19_00), strategy: 1, in: Rig.second)
        rig.price(48_00)
        #expect(rig.publish(.sliceClosed) == [.cancel(OrderID(number: 3))])
        rig.request(.exit)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 1000 exit"])
    }

    @Test func aBreachIsWrittenDownOnce() {
        var rig = accountWithDailyLimit()
        for cents in [48_00, 47_00, 49_00, 30_00] as [Int64] {
            rig.price(cents)
            #expect(rig.publish(.sliceClosed).isEmpty)
        }
        let count = rig.engine.monitor.breaches.count
        #expect(count == 1)
    }

    @Test func aPersonCannotLiftTheLimitOfADay() {
        var rig = accountWithDailyLimit()
        rig.price(48_00)
        rig.publish(.sliceClosed)
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        #expect(rig.request(.enter(.buy), in: Rig.second).isEmpty)
        #expect(rig.count(of: .dailyLoss) == 1)
    }

    /// 2024-01-05 is a Friday; New York's midnight is at 05:00 UTC.
    @Test func theNextTradingDayBeginsAnew() {
        var rig = accountWithDailyLimit()
        let friday = SessionCalendar.newYork.open(on: civil("2024-01-05"))
        rig.publish(.sliceClosed, at: friday)
        rig.price(48_00)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
        // The evening belongs to Friday, and the weekend to no session.
        rig.publish(.sliceClosed, at: friday + .hours(14))
        rig.checkHalted(true)
        rig.publish(.sliceClosed, at: friday + .days(1))
        rig.checkHalted(true)
        rig.publish(.sliceClosed, at: friday + .days(3))
        rig.checkHalted(false)
        // From 98,000, 2 % are 1,960: 46.04.
        rig.price(46_05)
        rig.publish(.sliceClosed)
        rig.checkHalted(false)
        rig.price(46_04)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
        let count = rig.engine.monitor.breaches.count
        #expect(count == 2)
    }

    /// T5: however the clock jumps, seconds or over days and weekends, a halt for a day's loss lasts until a trading day
    /// is seen that is another, and each day's loss counts from that day's own start, once.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func onlyANewTradingDayBeginsAnew(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rig = accountWithDailyLimit()
        var cents: Int64 = 50_00
        var (halted, losses): (Day?, Int) = (nil, 0)
        var today = SessionCalendar.newYork.day(of: rig.now)
        for _ in 0..<80 {
            let jump: Duration =
                switch UInt64.random(in: 0..<6, using: &random) {
                case 0, 1: .seconds(Int64.random(in: 0...90, using: &random))
                case 2, 3: .minutes(Int64.random(in: 1...400, using: &random))
                case 4: .hours(Int64.random(in: 1...30, using: &random))
                case _: .days(Int64.random(in: 1...5, using: &random))
                }
            // At the price of before: no loss of this moment.
            rig.publish(.sliceClosed, at: rig.now + jump)
            let day = SessionCalendar.newYork.day(of: rig.now)
            // A weekend and a holiday belong to the day before.
            if SessionCalendar.newYork.hasSession(on: day) { today = day }
            rig.checkHalted(halted == today)
            guard cents > 10_00, Bool.random(using: &random) else { continue }
            // 2.20 of each of 1,000 shares are more than 2 % of at most 100,000, on a day that has lost nothing yet.
            cents -= 2_20
            rig.price(cents)
            rig.publish(.sliceClosed)
            if halted != today { losses += 1 }
            halted = today
            rig.checkHalted(true)
        }
        let breaches = rig.engine.monitor.breaches.count
        #expect(breaches == losses)
    }

    /// What falls overnight is lost by the day that finds it.
    @Test func aGapOvernightBelongsToTheDayThatOpensWithIt() {
        var rig = accountWithDailyLimit()
        let wednesday = SessionCalendar.newYork.open(on: civil("2024-01-03"))
        rig.publish(.bar(Make.bar(-1, open: 47_00, close: 47_00)), at: wednesday)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
    }

    @Test func moneyPaidOutIsNoLoss() {
        var rig = account {
            $0.dailyPercent = Percent(2)
            $0.drawdownPercent = Percent(5)
        }
        rig.publish(.cashMovement(CashMovement(.transfer, Money(cents: -20_000_00))))
        rig.publish(.sliceClosed)
        rig.checkHalted(false)
        // 2 % of 80,000 are lost at 48.40.
        rig.price(48_40)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
    }

    // MARK: Drawdown

    /// From 110,000 at 60.00, 5 % are 5,500: 54.50.
    @Test func aDrawdownHaltsUntilTheUserResumes() {
        var rig = account { $0.drawdownPercent = Percent(5) }
        for cents in [60_00, 54_51] as [Int64] {
            rig.price(cents)
            rig.publish(.sliceClosed)
            rig.checkHalted(false)
        }
        rig.price(54_50)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
        rig.publish(
            .sliceClosed, at: SessionCalendar.newYork.open(on: civil("2024-01-03")))
        rig.price(70_00)
        rig.publish(.sliceClosed)
        #expect(rig.request(.enter(.buy), in: Rig.second).isEmpty)
        #expect(rig.count(of: .drawdown) == 1)
        rig.price(54_50)
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        rig.publish(.sliceClosed)
        #expect(rig.request(.enter(.buy), in: Rig.second).orders == ["buy 100 entry"])
        // From 104,500, 5 % are 5,225: 49.275.
        rig.price(49_28)
        rig.publish(.sliceClosed)
        rig.checkHalted(false)
        rig.price(49_27)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
        let causes = rig.engine.monitor.breaches.map(\.cause)
        #expect(causes == [.drawdown, .drawdown])
    }

    /// From 110,000 at 60.00, 5 % are 5,500, whatever a person halted in between.
    @Test func aResumeAfterAnotherHaltKeepsTheHighestEquity() {
        var rig = account { $0.drawdownPercent = Percent(5) }
        for cents in [60_00, 55_00] as [Int64] {
            rig.price(cents)
            rig.publish(.sliceClosed)
        }
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        rig.price(54_50)
        rig.publish(.sliceClosed)
        rig.checkHalted(true)
    }

    @Test func bothLimitsMayBeReachedAtOnce() {
        var rig = account {
            $0.dailyAmount = Money(cents: 5_000_00)
            $0.drawdownPercent = Percent(5)
        }
        rig.price(45_00)
        rig.publish(.sliceClosed)
        let causes = rig.engine.gate.haltCauses
        #expect(causes == [.drawdown, .dailyLoss])
        let breaches = rig.engine.monitor.breaches
        #expect(
            breaches.map(\.figures) == [
                .amount(limit: Money(cents: 5_000_00), value: Money(cents: 5_000_00)),
                .percent(limit: Percent(5), value: Percent(5)),
            ])
    }

    // MARK: Flatten

    @Test func positionsOfAllStrategiesAreClosedWhereConfigured() {
        var rig = account {
            $0.dailyPercent = Percent(2)
            $0.response = .flatten
        }
        rig.request(.target(-200), strategy: 1, in: Rig.second)
        rig.fill(2, 200, cents: 20_00)
        rig.price(48_00)
        let commands = rig.publish(.sliceClosed)
        #expect(commands.orders == ["sell 1000 exit", "buy 200 exit"])
        // Told once, though the timestamp after finds the positions still there.
        #expect(rig.publish(.sliceClosed).isEmpty)
        let reasons = rig.engine.reasons
        let given = commands.compactMap { command -> String? in
            guard case .submit(let ticket) = command else { return nil }
            return reasons[Int(ticket.request.reason.index)]
        }
        #expect(given == ["daily loss", "daily loss"])
    }

    /// The entry fills before its cancel arrives, a limit rests to reduce, and an exit comes back.
    @Test func flatMeansFlat() {
        var rig = account {
            $0.drawdownPercent = Percent(2)
            $0.response = .flatten
        }
        rig.request(.exitAtLimit(cents: 60_00))
        rig.request(.enterAtLimit(.buy, cents: 19_00), strategy: 1, in: Rig.second)
        rig.price(48_00)
        #expect(rig.publish(.sliceClosed).cancellations.sorted() == [2, 3])
        #expect(
            rig.report(3, .executed(Make.execution(9, .buy, 40, cents: 19_00, instrument: 1)))
                .isEmpty)
        #expect(rig.report(3, .cancelled(.requested)).orders == ["sell 40 exit"])
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 1000 exit"])
        #expect(rig.report(5, .cancelled(.expired)).orders == ["sell 1000 exit"])
        #expect(rig.publish(.sliceClosed).isEmpty)
        rig.fill(6, 1_000, cents: 48_00)
        rig.fill(4, 40, cents: 19_00)
        #expect(rig.publish(.sliceClosed).isEmpty)
        #expect(rig.held() == 0 && rig.held(1, in: Rig.second) == 0)
    }

    // MARK: Nothing set

    @Test func withoutLimitsNothingIsMonitored() {
        var rig = account { _ in }
        rig.price(1)
        rig.publish(.sliceClosed)
        rig.checkHalted(false)
        let isEmpty = rig.engine.monitor.breaches.isEmpty
        #expect(isEmpty)
    }

    /// Engines that differ in nothing but why entries are halted, or in what losses are measured against,
    /// are told apart.
    @Test func haltsAndBaselinesAreInTheStateHash() {
        func hash(_ change: (inout Rig) -> Void) -> UInt64 {
            var rig = account { $0.drawdownPercent = Percent(50) }
            change(&rig)
            return rig.stateHash
        }
        let hashes = [
            hash { $0.price(50_00) },
            hash { rig in
                for cents in [60_00, 50_00] as [Int64] {
                    rig.price(cents)
                    rig.publish(.sliceClosed)
                }
                rig.price(50_00)
            },
            hash { $0.publish(.operatorRequest(OperatorRequest(.halt))) },
        ]
        #expect(Set(hashes).count == hashes.count)
    }
}
