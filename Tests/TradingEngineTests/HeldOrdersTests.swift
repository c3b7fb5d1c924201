import MarketState
import Model
import Orders
import Primitives
import TestSupport
import Testing

@testable import TradingEngine

/// O6: orders that a broker has and does not let work.
@Suite struct HeldOrdersTests {
    private static let timer = TimerID(engine: EngineTimer.heldOrders.rawValue)

    private func connected() -> Rig {
        var rig = Rig()
        rig.connect(journal: 3, BrokerAccountID(index: 0), BrokerClientID(number: 7))
        rig.link(.ready, ConnectionEpoch(number: 1))
        return rig
    }

    /// An order, what the broker says of it, and whether it is held.
    struct Report: Sendable {
        let order: Instruction
        let fact: OrderFact
        let isHeld: Bool
    }

    static let reports = [
        Report(order: .enter(.buy), fact: .status(.inactive), isHeld: true),
        Report(order: .enter(.buy), fact: .status(.preSubmitted), isHeld: true),
        Report(order: .enter(.sell), fact: .heldByBroker(.locate), isHeld: true),
        Report(order: .enter(.buy), fact: .heldByBroker(.other), isHeld: true),
        Report(order: .enter(.buy), fact: .status(.submitted), isHeld: false),
        Report(order: .enter(.buy), fact: .status(.pendingSubmit), isHeld: false),
        Report(
            order: .enterAtLimit(.buy, cents: 49_00), fact: .status(.preSubmitted), isHeld: true),
        // A stop waits so for its price.
        Report(
            order: .enterAtStop(.buy, cents: 51_00), fact: .status(.preSubmitted), isHeld: false),
        Report(
            order: .enterAtStop(.buy, cents: 51_00), fact: .heldByBroker(.other), isHeld: false),
        Report(order: .enterAtStop(.buy, cents: 51_00), fact: .status(.inactive), isHeld: true),
    ]

    @Test(arguments: reports)
    func whatIsHeldForFiveMinutesIsAnAlarm(report: Report) throws {
        var rig = connected()
        rig.publish(.clock, at: Make.time(0))
        rig.request(report.order)
        let key = try rig.key(of: 1)
        let answer = rig.publish(.brokerOrder(BrokerReport(key: key, fact: report.fact)))
        #expect(answer.contains(.setTimer(Self.timer, at: Make.time(300))) == report.isHeld)
        rig.publish(.timer(Self.timer), at: Make.time(300))
        let alarms = rig.decisions.filter { $0.kind == .orderHeld }
        #expect(alarms.map(\.subject.order) == (report.isHeld ? [OrderID(number: 1)] : []))
        // It works as far as that can be known, and once it does there is no other alarm.
        let isLive = rig.engine.orders.isAnyLive
        #expect(isLive)
        rig.publish(.brokerOrder(BrokerReport(key: key, fact: .status(.submitted))))
        rig.publish(.timer(Self.timer), at: Make.time(300 + 3_600))
        #expect(rig.decisions.count { $0.kind == .orderHeld } == alarms.count)
    }

    /// Before the open an order waits for that: the five minutes begin there.
    @Test func whatIsQueuedForASessionIsNotHeld() throws {
        var rig = connected()
        rig.pass(to: "2024-07-05 08:00")
        rig.request(.enter(.buy))
        let key = try rig.key(of: 1)
        let answer = rig.publish(.brokerOrder(BrokerReport(key: key, fact: .status(.preSubmitted))))
        #expect(
            answer.contains(.setTimer(Self.timer, at: NewYorkClock.at("2024-07-05 09:35"))))
    }
}
