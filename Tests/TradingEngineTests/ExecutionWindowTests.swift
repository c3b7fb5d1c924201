import Accounting
import MarketState
import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing
import TradingEngine

/// When intents go to the market. 100 shares an entry, 50.00 a share; times are New York's.
@Suite struct ExecutionWindowTests {
    private static func rig(
        _ window: ExecutionWindow, change: (inout EngineSetup) -> Void = { _ in }
    ) -> Rig {
        Rig {
            $0.execution.window = window
            change(&$0)
        }
    }

    /// A decision, what is sent at once, and when else the engine wants to be woken.
    struct Case: Sendable {
        let window: ExecutionWindow
        let decision: String
        let sent: [String]
        let release: String?
        /// What is sent when it wakes.
        var released = "buy 100 entry at open"
    }

    /// Sessions: 2024-07-03 (a Wednesday) closes at 13:00, the 4th is a holiday, the 5th a usual
    /// Friday. Clocks went forward on Sunday, 2024-03-10.
    private static let cases: [Case] = [
        Case(
            window: .open, decision: "2024-07-02 16:00", sent: ["buy 100 entry at open"],
            release: nil),
        Case(
            window: .open, decision: "2024-07-02 20:00", sent: ["buy 100 entry at open"],
            release: nil),
        Case(
            window: .open, decision: "2024-07-03 09:28", sent: ["buy 100 entry at open"],
            release: nil),
        // Too late for this auction; the next one takes orders when the session is over.
        Case(
            window: .open, decision: "2024-07-03 09:28:01", sent: [],
            release: "2024-07-03 13:00"),
        Case(window: .open, decision: "2024-07-03 09:30", sent: [], release: "2024-07-03 13:00"),
        Case(
            window: .open, decision: "2024-07-03 12:59:59", sent: [],
            release: "2024-07-03 13:00"),
        Case(
            window: .open, decision: "2024-07-03 13:00", sent: ["buy 100 entry at open"],
            release: nil),
        Case(
            window: .open, decision: "2024-07-04 11:00", sent: ["buy 100 entry at open"],
            release: nil),
        Case(
            window: .open, decision: "2024-07-06 11:00", sent: ["buy 100 entry at open"],
            release: nil),
        Case(
            window: .close, decision: "2024-07-03 12:50", sent: ["buy 100 entry at close"],
            release: nil),
        Case(
            window: .close, decision: "2024-07-03 12:50:01", sent: [],
            release: "2024-07-03 13:00", released: "buy 100 entry at close"),
        Case(
            window: .close, decision: "2024-07-03 13:00", sent: ["buy 100 entry at close"],
            release: nil),
        Case(
            window: .close, decision: "2024-07-05 15:50", sent: ["buy 100 entry at close"],
            release: nil),
        Case(
            window: .close, decision: "2024-07-05 15:50:01", sent: [],
            release: "2024-07-05 16:00", released: "buy 100 entry at close"),
        Case(
            window: .afterOpen(.minutes(30)), decision: "2024-07-03 09:59", sent: [],
            release: "2024-07-03 10:00", released: "buy 100 entry"),
        Case(
            window: .afterOpen(.minutes(30)), decision: "2024-07-03 10:00",
            sent: ["buy 100 entry"], release: nil),
        // Over the holiday.
        Case(
            window: .afterOpen(.minutes(30)), decision: "2024-07-03 10:00:01", sent: [],
            release: "2024-07-05 10:00", released: "buy 100 entry"),
        Case(
            window: .afterOpen(.minutes(30)), decision: "2024-07-04 12:00", sent: [],
            release: "2024-07-05 10:00", released: "buy 100 entry"),
        // Friday's close to Monday's window, 65 hours and a half later by the clock, one less in
        // truth.
        Case(
            window: .afterOpen(.minutes(15)), decision: "2024-03-08 16:00", sent: [],
            release: "2024-03-11 09:45", released: "buy 100 entry"),
        Case(window: .now, decision: "2024-07-04 12:00", sent: ["buy 100 entry"], release: nil),
    ]

    @Test(arguments: cases)
    func intentIsSubmittedAtOnceOrHeldForItsWindow(expected: Case) {
        var rig = Self.rig(expected.window)
        rig.pass(to: expected.decision)
        let commands = rig.request(.enter(.buy))
        #expect(commands.orders == expected.sent)
        #expect(commands.wakeUps == expected.release.map { [NewYorkClock.at($0)] } ?? [])
        let count = rig.engine.pendingIntentCount
        #expect(count == (expected.release == nil ? 0 : 1))
        guard let release = expected.release else { return }
        rig.pass(to: release)
        #expect(rig.wake().orders == [expected.released])
        #expect(rig.wake().isEmpty, "once is enough")
    }

    /// Clocks: 2024-03-11 09:45 is 13:45 UTC, the Friday before 16:00 was 21:00 UTC.
    @Test func clocksThatChangeMoveTheWindow() {
        var rig = Self.rig(.afterOpen(.minutes(15)))
        rig.publish(.sliceClosed, at: Timestamp(seconds: 1_709_931_600))
        #expect(rig.request(.enter(.buy)).wakeUps == [Timestamp(seconds: 1_710_164_700)])
    }

    @Test func withoutSessionsThereIsNoWindow() {
        for window in [ExecutionWindow.open, .close, .afterOpen(.minutes(30))] {
            var rig = Self.rig(window) { $0.calendar = .always }
            #expect(rig.request(.enter(.buy)).orders == ["buy 100 entry"])
        }
    }

    @Test func lateWakeUpStillSends() {
        var rig = Self.rig(.afterOpen(.minutes(30)))
        rig.pass(to: "2024-07-03 09:30")
        rig.request(.enter(.buy))
        rig.pass(to: "2024-07-03 10:00:02")
        #expect(rig.wake().orders == ["buy 100 entry"])
    }

    /// The process slept through the session: the next window is the intent's.
    @Test func intentThatMissedItsSessionIsHeldForTheNext() {
        var rig = Self.rig(.afterOpen(.minutes(30)))
        rig.pass(to: "2024-07-03 09:30")
        rig.request(.enter(.buy))
        rig.pass(to: "2024-07-03 14:00")
        let commands = rig.wake()
        #expect(commands.orders.isEmpty)
        #expect(commands.wakeUps == [NewYorkClock.at("2024-07-05 10:00")])
        rig.pass(to: "2024-07-05 10:00")
        #expect(rig.wake().orders == ["buy 100 entry"])
    }

    @Test func earlyWakeUpIsSetAnew() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-03 09:30")
        rig.request(.enter(.buy))
        rig.pass(to: "2024-07-03 12:00")
        let commands = rig.wake()
        #expect(commands.orders.isEmpty)
        #expect(commands.wakeUps == [NewYorkClock.at("2024-07-03 13:00")])
    }

    @Test func wakeUpNobodyAskedForDoesNothing() {
        var rig = Self.rig(.open)
        #expect(rig.wake().isEmpty)
        #expect(rig.endTime().isEmpty)
        #expect(rig.publish(.timer(TimerID(engine: 77))).isEmpty)
    }

    // MARK: Explicit terms

    @Test func explicitTermsGoAsWritten() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-05 11:00")
        #expect(
            rig.request(.enterAtLimit(.buy, cents: 49_00)).orders == ["buy 100 entry limit 49.00"])
        rig.fill(1, 100)
        #expect(rig.request(.exitAtStop(cents: 45_00)).orders == ["sell 100 exit stop 45.00"])
    }

    @Test func urgentExitWaitsForNoWindow() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-05 16:00")
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.pass(to: "2024-07-08 11:00")
        #expect(rig.request(.exit).orders.isEmpty)
        #expect(rig.request(.exitNow).orders == ["sell 100 exit"])
        let count = rig.engine.pendingIntentCount
        #expect(count == 0)
    }

    /// An exit for an auction is out: the urgent one takes its place, and never sells twice.
    @Test func urgentExitReplacesOneThatWaitsAtTheExchange() {
        var rig = Self.rig(.close)
        rig.pass(to: "2024-07-05 16:00")
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.pass(to: "2024-07-08 11:00")
        #expect(rig.request(.exit).orders == ["sell 100 exit at close"])
        // Once more changes nothing.
        #expect(rig.request(.exit).isEmpty)
        let commands = rig.request(.exitNow)
        #expect(commands.cancellations == [2])
        #expect(commands.orders.isEmpty)
        #expect(rig.report(2, .cancelled(.requested)).orders == ["sell 100 exit"])
    }

    // MARK: Waiting

    @Test func newerIntentSupersedesThePendingOne() {
        var rig = Self.rig(.afterOpen(.minutes(30)))
        rig.pass(to: "2024-07-03 09:30")
        rig.request(.target(10))
        // Somebody else's and another instrument's are their own.
        rig.request(.target(7), in: Rig.second)
        let commands = rig.request(.target(25))
        #expect(commands.isEmpty, "the wake-up stands")
        rig.pass(to: "2024-07-03 10:00")
        #expect(rig.wake().orders == ["buy 7 entry", "buy 25 entry"])
    }

    @Test func intentsOfOthersArePendingBesideIt() {
        var rig = Rig(strategies: 2) { $0.execution.window = .open }
        rig.pass(to: "2024-07-03 10:00")
        rig.request(.target(10))
        rig.request(.target(5), strategy: 1)
        rig.pass(to: "2024-07-03 13:00")
        #expect(rig.wake().orders == ["buy 10 entry at open", "buy 5 entry at open"])
    }

    @Test func cancelOrdersDropsThePendingIntent() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-03 10:00")
        rig.request(.enter(.buy))
        rig.request(.cancel)
        rig.pass(to: "2024-07-03 13:00")
        #expect(rig.wake().isEmpty)
    }

    /// `enter` does nothing beside a position: neither now nor when the position is gone.
    @Test func entryBesideAPositionDoesNotWait() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-02 16:00")
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.pass(to: "2024-07-03 10:00")
        #expect(rig.request(.enter(.buy)).isEmpty)
        rig.request(.exitNow)
        rig.fill(2, 100)
        rig.pass(to: "2024-07-03 13:00")
        #expect(rig.wake().isEmpty)
    }

    /// The size is that of the prices known when it is sent: 10 % of 100,000.00 is 200 shares at 50.00
    /// and 250 at 40.00.
    @Test func sizeIsThatOfTheRelease() {
        var rig = Rig(sizing: .percentOfEquity(Percent(10))) { $0.execution.window = .open }
        rig.pass(to: "2024-07-03 10:00")
        rig.request(.enter(.buy))
        rig.price(40_00)
        rig.pass(to: "2024-07-03 13:00")
        #expect(rig.wake().orders == ["buy 250 entry at open"])
    }

    @Test func riskPassesAtTheRelease() {
        var limits = RiskLimits()
        limits.positionValueMax = Money(cents: 4_000_00)
        var rig = Rig(limits: limits) { $0.execution.window = .open }
        rig.pass(to: "2024-07-03 10:00")
        rig.request(.enter(.buy))
        // 4,000.00 are 80 shares at 50.00, and 100 at 40.00.
        rig.price(40_00)
        rig.pass(to: "2024-07-03 13:00")
        #expect(rig.wake().orders == ["buy 100 entry at open"])
        rig.report(1, .rejected(.notTradable))
        rig.pass(to: "2024-07-05 10:00")
        rig.request(.enter(.buy))
        rig.price(50_00)
        rig.pass(to: "2024-07-05 16:00")
        #expect(rig.wake().orders == ["buy 80 entry at open"])
    }

    /// What follows a fill is the rest of a decision that had its window.
    @Test func intentAfterAFillIsSubmittedAtOnceInTheSession() {
        for (time, expected) in [
            ("2024-07-05 09:30", ["buy 10 entry"]), ("2024-07-05 16:00", ["buy 10 entry at close"]),
        ] {
            var rig = Rig {
                $0.execution.window = .close
                $0.strategies = [.single(Chain())]
            }
            rig.pass(to: "2024-07-03 13:00")
            rig.publish(.timer(TimerID(strategy: StrategyID(index: 0), number: 1)))
            rig.pass(to: time)
            #expect(rig.fill(1, 100).orders == expected)
        }
    }

    // MARK: Exits

    /// An exit that waits ends the entries that work: they need not trade first.
    @Test func exitThatWaitsCancelsEntries() {
        for intent in [Instruction.exit, .target(0), .weight(percent: 0)] {
            var rig = Self.rig(.open)
            rig.pass(to: "2024-07-05 10:00")
            rig.request(.enterAtLimit(.buy, cents: 49_00))
            #expect(rig.request(intent).cancellations == [1])
            // It filled a part before the cancel came.
            rig.fill(1, 30)
            rig.report(1, .cancelled(.requested))
            rig.pass(to: "2024-07-05 16:00")
            #expect(rig.wake().orders == ["sell 30 exit at open"])
        }
    }

    @Test func exitOfNothingDoesNotWait() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-05 10:00")
        #expect(rig.request(.exit).isEmpty)
    }

    /// It had its window when it was decided: the way being cleared late does not cost it a day.
    @Test func exitWhoseWayIsClearedTooLateGoesAtTheMarket() {
        for (cleared, expected) in [
            ("2024-07-08 09:28", "sell 100 exit at open"), ("2024-07-08 09:28:01", "sell 100 exit"),
        ] {
            var rig = Self.rig(.open)
            rig.pass(to: "2024-07-05 16:00")
            rig.request(.enter(.buy))
            rig.fill(1, 100)
            rig.request(.exitAtLimit(cents: 55_00))
            rig.pass(to: "2024-07-08 09:27:59")
            #expect(rig.request(.exit).cancellations == [2])
            rig.pass(to: cleared)
            #expect(rig.report(2, .cancelled(.requested)).orders == [expected])
        }
    }

    // MARK: Halts

    @Test func haltDropsEntriesThatWaitAndKeepsExits() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-02 16:00")
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.pass(to: "2024-07-03 10:00")
        rig.request(.exit)
        rig.request(.enter(.buy), in: Rig.second)
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        rig.pass(to: "2024-07-03 13:00")
        #expect(rig.wake().orders == ["sell 100 exit at open"])
    }

    @Test func haltKeepsWhatReduces() {
        let kept: [(Instruction, [String])] = [
            (.target(40), ["sell 60 exit at open"]), (.target(0), ["sell 100 exit at open"]),
            (.target(-50), ["sell 100 exit at open"]), (.target(150), []),
            // 4 and 6 percent of 100,000.00 at 50.00 are 80 and 120 shares.
            (.weight(percent: 4), ["sell 20 exit at open"]), (.weight(percent: 6), []),
            (.weightOfNothing, []),
        ]
        for (intent, expected) in kept {
            var rig = Self.rig(.open)
            rig.pass(to: "2024-07-02 16:00")
            rig.request(.enter(.buy))
            rig.fill(1, 100)
            rig.pass(to: "2024-07-03 10:00")
            rig.request(intent)
            rig.publish(.operatorRequest(OperatorRequest(.halt)))
            rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
            rig.pass(to: "2024-07-03 13:00")
            #expect(rig.wake().orders == expected, "\(intent)")
        }
    }

    @Test func nothingNewWaitsToEnterWhileHalted() {
        var rig = Self.rig(.open)
        rig.pass(to: "2024-07-03 10:00")
        rig.publish(.operatorRequest(OperatorRequest(.halt)))
        #expect(rig.request(.enter(.buy)).isEmpty)
        let refused = rig.count(of: .halted)
        #expect(refused == 1)
        rig.publish(.operatorRequest(OperatorRequest(.resumeAll)))
        rig.pass(to: "2024-07-03 13:00")
        #expect(rig.wake().isEmpty)
    }

    // MARK: Other things that happen meanwhile

    @Test func intentForSharesIsConvertedAtASplit() throws {
        var rig = Self.rig(.afterOpen(.minutes(30)))
        rig.pass(to: "2024-07-02 16:00")
        rig.request(.target(10))
        rig.request(.target(10), in: Rig.second)
        let ratio = try #require(SplitRatio(snapping: Quantity(shares: 7)))
        rig.publish(
            .corporateAction(
                CorporateAction(
                    instrument: Rig.first, exDay: try #require(Day("2024-07-03")),
                    kind: .split(ratio))))
        rig.pass(to: "2024-07-03 10:00")
        #expect(rig.wake().orders == ["buy 70 entry", "buy 10 entry"])
    }

    @Test func whatWaitsIsInTheStateHash() {
        func hash(after intents: [Instruction]) -> UInt64 {
            var rig = Self.rig(.open)
            rig.pass(to: "2024-07-03 10:00")
            for intent in intents { rig.request(intent) }
            return rig.stateHash
        }
        let hashes = [[], [.target(1)], [.target(2)], [.weight(percent: 1)], [.enter(.buy)]]
            .map(hash(after:))
        #expect(Set(hashes).count == 5)
        #expect(hash(after: [.target(1), .target(2)]) == hashes[2])
    }

    // MARK: Maintenance

    @Test func entriesWaitForTheEndOfMaintenance() {
        for window in [ExecutionWindow.now, .open] {
            var rig = Self.rig(window) {
                $0.execution.maintenance = [
                    DailyInterval(from: .minutes(23 * 60 + 45), to: .minutes(45))
                ]
            }
            rig.pass(to: "2024-07-05 23:44:59")
            #expect(
                rig.request(.enterAtLimit(.buy, cents: 49_00), in: Rig.second).orders.count == 1)
            rig.pass(to: "2024-07-05 23:45")
            let commands = rig.request(.enter(.buy))
            #expect(commands.orders.isEmpty)
            #expect(commands.wakeUps == [NewYorkClock.at("2024-07-06 00:45")])
            rig.pass(to: "2024-07-06 00:44:59")
            #expect(rig.request(.enterAtLimit(.buy, cents: 48_00)).orders.isEmpty)
            rig.pass(to: "2024-07-06 00:45")
            #expect(rig.wake().orders == ["buy 100 entry limit 48.00"])
        }
    }

    @Test func exitsLeaveInMaintenance() {
        var rig = Self.rig(.now) {
            $0.execution.maintenance = [DailyInterval(from: .hours(12), to: .hours(13))]
        }
        rig.pass(to: "2024-07-05 11:00")
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.pass(to: "2024-07-05 12:30")
        #expect(rig.request(.target(60)).orders == ["sell 40 exit"])
        rig.fill(2, 40)
        #expect(rig.request(.exit).orders == ["sell 60 exit"])
    }

    // MARK: Hours

    @Test func hoursAreTheTermsOrElseTheConfigured() {
        for (isConfigured, terms, expected) in [
            (false, OrderTerms.limit(Price(cents: 49_00)), false),
            (true, .limit(Price(cents: 49_00)), true),
            (true, .limit(Price(cents: 49_00), in: .regular), false),
            (false, .limit(Price(cents: 49_00), in: .extended), true),
            (true, .stop(Price(cents: 51_00)), true),
            (true, .market, false), (true, .marketOnClose, false),
        ] {
            var rig = Rig {
                $0.execution.outsideRTH = isConfigured
                $0.strategies = [.single(Insister(goal: .enter(.buy), type: terms))]
            }
            rig.price(50_00)
            rig.publish(.sliceClosed)
            let request = rig.engine.orders.request(of: OrderID(number: 1))
            #expect(request?.outsideRTH == expected, "\(terms)")
        }
    }
}
