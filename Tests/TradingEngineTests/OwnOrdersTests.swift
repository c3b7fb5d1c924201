import Accounting
import Model
import Orders
import Primitives
import Risk
import TestSupport
import Testing

@testable import TradingEngine

/// Entries that are kept back for what strategies of ours have sent besides. The market is at 50.00.
@Suite struct OwnOrdersTests {
    /// An order that works, an entry of another strategy, and whether the two could trade with each other.
    struct Meeting: Sendable, CustomTestStringConvertible {
        let theirs: Instruction
        let ours: Instruction
        let meets: Bool
        var testDescription: String { "\(theirs) \(ours)" }
    }

    // An order at the market is taken to trade within a hundredth: between 49.50 and 50.50.
    static let meetings = [
        Meeting(theirs: .enterAtLimit(.sell, cents: 51_00), ours: .enter(.buy), meets: false),
        Meeting(theirs: .enterAtLimit(.sell, cents: 50_51), ours: .enter(.buy), meets: false),
        Meeting(theirs: .enterAtLimit(.sell, cents: 50_50), ours: .enter(.buy), meets: true),
        Meeting(
            theirs: .enterAtLimit(.sell, cents: 50_01), ours: .enterAtLimit(.buy, cents: 50_00),
            meets: false),
        Meeting(
            theirs: .enterAtLimit(.sell, cents: 50_00), ours: .enterAtLimit(.buy, cents: 50_00),
            meets: true),
        Meeting(theirs: .enter(.sell), ours: .enter(.buy), meets: true),
        Meeting(theirs: .enter(.buy), ours: .enter(.buy), meets: false),
        Meeting(theirs: .enterAtStop(.sell, cents: 49_00), ours: .enter(.buy), meets: false),
        Meeting(theirs: .enter(.sell), ours: .enterAtStop(.buy, cents: 51_00), meets: false),
        Meeting(theirs: .enterAtLimit(.buy, cents: 49_00), ours: .enter(.sell), meets: false),
        Meeting(theirs: .enterAtLimit(.buy, cents: 49_49), ours: .enter(.sell), meets: false),
        Meeting(theirs: .enterAtLimit(.buy, cents: 49_50), ours: .enter(.sell), meets: true),
        Meeting(
            theirs: .enterAtLimit(.buy, cents: 49_99), ours: .enterAtLimit(.sell, cents: 50_00),
            meets: false),
        Meeting(
            theirs: .enterAtLimit(.buy, cents: 50_00), ours: .enterAtLimit(.sell, cents: 50_00),
            meets: true),
    ]

    /// O11: the same rule in backtests and sessions.
    @Test(arguments: meetings)
    func anEntryThatCouldMeetAnOrderOfOursIsRefused(meeting: Meeting) {
        for journal in [0, 3] as [Int32] {
            var rig = Rig(strategies: 2)
            if journal > 0 {
                rig.connect(
                    journal: journal, BrokerAccountID(index: 0), BrokerClientID(number: 7))
                rig.link(.ready, ConnectionEpoch(number: 1))
            }
            rig.request(meeting.theirs, strategy: 1)
            rig.report(1, .acknowledged)
            // The same strategy's orders and other instruments are no matter.
            #expect(rig.request(meeting.ours, in: Rig.second).orders.count == 1)
            #expect(rig.request(meeting.ours).orders.isEmpty == meeting.meets)
            #expect(rig.count(of: .selfCrossing) == (meeting.meets ? 1 : 0))
            guard meeting.meets else { continue }
            // Once the order has ended nothing is in the way.
            rig.report(1, .cancelled(.external))
            #expect(rig.request(meeting.ours).orders.count == 1)
        }
    }

    /// What reduces a position always leaves.
    @Test func anExitMayMeetAnOrderOfOurs() {
        var rig = Rig(strategies: 2)
        rig.request(.enter(.buy))
        rig.fill(1, 100)
        rig.request(.enterAtLimit(.buy, cents: 50_00), strategy: 1)
        #expect(rig.request(.exit).orders == ["sell 100 exit"])
    }

    // MARK: Rates

    private static func limited(_ perMinute: Int, _ perDay: Int) -> Rig {
        Rig {
            $0.orderRates = OrderRateLimits(perMinute: perMinute, perDay: perDay)
        }
    }

    /// A3: so many orders a minute and day, exits among them; then entries are stopped, and exits leave.
    @Test func aStrategySendsNoMoreThanItMay() {
        var rig = Self.limited(3, 5)
        let lift = Event.Kind.operatorRequest(
            OperatorRequest(.startEntries(StrategyID(index: 0))))
        for target in 1...3 as ClosedRange<Int64> { rig.request(.target(target)) }
        #expect(rig.commands.orders.count == 3)
        #expect(rig.request(.target(4)).orders.isEmpty)
        #expect(rig.count(of: .orderRate) == 1)
        #expect(rig.decisions.count { $0.kind == .strategyStopped(.orderRate) } == 1)
        // Its entries were cancelled; a part of one fills all the same.
        rig.fill(1, 1)
        for order in 2...3 as ClosedRange<Int64> { rig.report(order, .cancelled(.requested)) }
        #expect(rig.request(.target(4)).orders.isEmpty)
        #expect(rig.count(of: .strategyStopped) == 1)
        #expect(rig.request(.exit).orders == ["sell 1 exit"])
        rig.fill(4, 1)
        // A minute later there is one left of the day.
        rig.publish(lift, at: rig.now + .minutes(1))
        rig.request(.target(1))
        #expect(rig.request(.target(2)).orders.isEmpty)
        #expect(rig.commands.orders.count == 5)
        // The next day counts anew.
        rig.publish(lift, at: rig.now + .hours(24))
        #expect(rig.request(.target(2)).orders.count == 1)
    }

    // MARK: Messages

    /// A rig of limits that nothing reaches but the messages for executed orders: at most 20 for each, and one.
    private static func efficient(hasBroker: Bool) -> Rig {
        var rig = Rig {
            $0.orderRates = OrderRateLimits(perMinute: 9_999, perDay: 9_999, efficiencyMax: 20)
        }
        if hasBroker {
            rig.connect(journal: 3, BrokerAccountID(index: 0), BrokerClientID(number: 7))
            rig.link(.ready, ConnectionEpoch(number: 1))
        }
        // One executed order: 20 * (1 + 1) = 40 messages are allowed.
        rig.request(.enter(.buy), in: Rig.second)
        rig.fill(1, 100)
        return rig
    }

    /// C-17: entries that are cancelled over and over are stopped from 100 messages on where they are more than the executed
    /// orders allow; exits leave, and another day counts anew.
    @Test func messagesWithoutExecutionsStopEntries() {
        var rig = Self.efficient(hasBroker: true)
        // An order and its cancel each: 1 + 2 * 50 = 101 messages.
        for order in 2...51 as ClosedRange<Int64> {
            #expect(rig.request(.enterAtLimit(.buy, cents: 49_00)).orders.count == 1)
            rig.request(.cancel)
            rig.report(order, .cancelled(.requested))
        }
        #expect(rig.count(of: .orderRate) == 0)
        #expect(rig.request(.enterAtLimit(.buy, cents: 49_00)).orders.isEmpty)
        let refused = rig.decisions.first { $0.kind == .refused(.orderRate) }
        #expect(refused?.figures[.value]?.amount == 101)
        #expect(refused?.figures[.limit]?.amount == 40)
        #expect(refused?.figures[.count]?.amount == 1)
        #expect(rig.decisions.count { $0.kind == .strategyStopped(.orderRate) } == 1)
        #expect(rig.request(.exit, in: Rig.second).orders == ["sell 100 exit"])
        rig.publish(
            .operatorRequest(OperatorRequest(.startEntries(StrategyID(index: 0)))),
            at: rig.now + .hours(24))
        #expect(rig.request(.enterAtLimit(.buy, cents: 49_00)).orders.count == 1)
    }

    /// C-17: without a broker there is nobody who counts.
    @Test func messagesAreNotCountedWithoutABroker() {
        var rig = Self.efficient(hasBroker: false)
        for order in 2...81 as ClosedRange<Int64> {
            #expect(rig.request(.enterAtLimit(.buy, cents: 49_00)).orders.count == 1)
            rig.request(.cancel)
            rig.report(order, .cancelled(.requested))
        }
        #expect(rig.count(of: .orderRate) == 0)
    }

    /// Messages and executed orders count on in the engine that goes on from the state.
    @Test func messagesAreSavedWithTheState() {
        var rig = Self.efficient(hasBroker: true)
        for order in 2...51 as ClosedRange<Int64> {
            rig.request(.enterAtLimit(.buy, cents: 49_00))
            rig.request(.cancel)
            rig.report(order, .cancelled(.requested))
        }
        let records = rig.engine.openingRecords()
        var next = Rig(isPriced: false) {
            $0.orderRates = OrderRateLimits(perMinute: 9_999, perDay: 9_999, efficiencyMax: 20)
        }
        next.open(records, at: rig.now)
        let count = next.engine.orderMessages(of: StrategyID(index: 0))
        #expect(count.messages == 101)
        #expect(count.executed == 1)
    }

    /// What was sent counts on in the engine that goes on from the state.
    @Test func countsAreSavedWithTheState() {
        var rig = Self.limited(500, 2)
        rig.request(.target(1))
        let records = rig.engine.openingRecords()
        #expect(records.contains { $0.topic == .instance })
        var next = Rig(isPriced: false) {
            $0.orderRates = OrderRateLimits(perMinute: 500, perDay: 2)
        }
        next.open(records, at: rig.now)
        next.request(.target(2))
        #expect(next.request(.target(3)).orders.isEmpty)
        #expect(next.count(of: .orderRate) == 1)
    }
}

extension Rig {
    /// Gives an engine before its first event a state.
    fileprivate mutating func open(_ records: [OpeningRecord], at time: Timestamp) {
        publish(
            .sessionOpened(
                SessionOpening(day: Day(number: 0), program: 1, configuration: 1, strategies: 1)),
            at: time)
        for record in records { publish(.opening(record)) }
        publish(.openingComplete)
    }
}
