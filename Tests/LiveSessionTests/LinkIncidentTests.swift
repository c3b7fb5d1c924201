import Accounting
import ClientTestSupport
import Configuration
import GatewayTestSupport
import Journal
import MarketState
import Model
import Orders
import Primitives
import Risk
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// Incidents of links, logins and data, each with a session in the place of the program that it happened to.
@Suite struct LinkIncidentTests {
    /// AIS-3, G4: the link is gone for long: an alarm at once, repeated by the hour, and entries are refused with the
    /// reason.
    @Test func aLostLinkIsAnAlarm() throws {
        let rig = try SessionRig.behindAnOrder()
        try rig.pass(.minutes(2))
        let lost = rig.now
        // Data go on, so that strategies decide.
        try rig.gateway.fault(#"{"do":"code","code":1100}"#)
        let count = rig.decisions.count
        try rig.pass(until: "entries that are refused") {
            rig.decisions[count...].contains { $0.kind == .refused(.linkNotReady) }
        }
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        try rig.pass(to: lost + .minutes(62))
        let first = try #require(rig.decisions.first { $0.kind == .linkChanged(.upstreamLost) })
        #expect(first.at - lost <= .seconds(15) && first.kind.severity >= .warning)
        let alarms = rig.began(.linkLost)
        #expect(alarms.map(\.kind.severity) == [.critical, .critical])
        #expect(zip(alarms, [60, 3_660]).allSatisfy { abs(($0.at - lost).seconds - $1) <= 2 })
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.gateway.fault(#"{"do":"restore-link"}"#)
        try rig.expectTradingGoesOn()
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.linkLost) })
    }

    /// G4: protection fills while the gateway restarts. The broker lists the position no more, and what it listed before is
    /// not taken for a position of others.
    @Test func aPositionClosedWhileTheLinkIsDownIsGone() throws {
        let rig = try SessionRig.withProtection()
        try rig.pass(.seconds(20))
        let index = try rig.heldSymbol()
        try rig.gateway.fault(#"{"do":"restart","seconds":90}"#)
        try rig.pass(.seconds(30))
        try rig.gateway.fault(#"{"do":"fill","orders":"oldest"}"#)
        #expect(rig.held(index) != .zero)
        try rig.pass(until: "the position is gone") { rig.held(index) == .zero }
        try rig.pass(.minutes(3))
        #expect(
            !rig.decisions.contains {
                $0.kind == .finding(.foreignPosition) || $0.kind == .finding(.positionDiffers)
            })
        try rig.expectTradingGoesOn()
    }

    /// AIS-6, G4: the link is lost within the gateway's maintenance: an alarm when that ends, not before and not never.
    @Test func aLinkLostInMaintenanceIsAnAlarmBehindIt() throws {
        let rig = try SessionRig(
            SessionRig.rotation + "\nexecution: {maintenance: [\"10:15-10:40\"]}\n",
            keepsHistory: true)
        try rig.pass(.minutes(20))
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        try rig.pass(.minutes(19) + .seconds(50))
        #expect(rig.began(.linkLost).isEmpty)
        try rig.pass(.seconds(15))
        let alarm = try #require(rig.began(.linkLost).first)
        #expect(alarm.at - SimulatedGateway.tuesday <= .minutes(40) + .seconds(1))
        #expect(alarm.kind.severity == .critical)
        try rig.gateway.fault(#"{"do":"restore-link"}"#)
        try rig.expectTradingGoesOn()
    }

    /// AIS-9, G12: the gateway waits for its login: the user is notified, again by the hour, and nothing is lost.
    @Test func aGatewayAtItsLoginIsAnAlarm() throws {
        let rig = try SessionRig.behindAnOrder()
        try rig.pass(.minutes(2))
        let begun = rig.now
        try rig.gateway.fault(#"{"do":"login"}"#)
        try rig.pass(.minutes(63))
        let alarms = rig.began(.loginNeeded)
        #expect(alarms.map(\.kind.severity) == [.critical, .critical])
        #expect(try #require(alarms.first).at - begun <= .minutes(1))
        #expect(rig.driver.status(at: rig.now).step == .connecting)
        #expect(rig.driver.status(at: rig.now).link != .ready)
        try rig.gateway.fault(#"{"do":"login","done":true}"#)
        try rig.expectTradingGoesOn()
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.loginNeeded) })
    }

    /// G12, N11: no connection is accepted for long: attempts go on without haste, and the user is notified.
    @Test func aGatewayThatRefusesIsAnAlarm() throws {
        let rig = try SessionRig.behindAnOrder()
        try rig.pass(.minutes(2))
        let attempts = rig.gateway.attempts.count
        try rig.gateway.fault(#"{"do":"restart","seconds":720}"#)
        let begun = rig.now
        try rig.pass(.minutes(10) + .seconds(30))
        #expect((10...26).contains(rig.gateway.attempts.count - attempts))
        #expect(rig.began(.linkLost).map { ($0.at - begun).seconds / 2 } == [30])
        #expect(rig.began(.loginNeeded).count == 1)
        try rig.expectTradingGoesOn()
    }

    /// AIS-14: a service is broken for seconds and well again, and bars stay away for good: an alarm, and they are asked
    /// for again, ever more slowly.
    @Test func silentDataBehindAServicesReturnAreAskedForAgain() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let asked = rig.gateway.received(.reqRealTimeBars).count
        try rig.gateway.fault(#"{"do":"farm"}"#)
        try rig.pass(.seconds(3))
        try rig.gateway.fault(#"{"do":"streams","fate":"dead"}"#)
        try rig.gateway.fault(#"{"do":"farm","state":"ok"}"#)
        let silent = rig.now
        try rig.pass(.minutes(2))
        let alarms = rig.began(.dataMissing)
        #expect(Set(alarms.map(\.subject.instrument)).count == 4)
        #expect(alarms.allSatisfy { $0.at - silent <= .seconds(40) })
        let renewed = rig.gateway.received(.reqRealTimeBars).count - asked
        #expect((4...12).contains(renewed))
        #expect(rig.gateway.violations.isEmpty)
        #expect(rig.gateway.connection == 1)
        try rig.expectTradingGoesOn()
        #expect(rig.decisions.filter { $0.kind == .conditionEnded(.dataMissing) }.count >= 4)
    }

    /// AIS-28: the link comes back "data maintained", and data do not: an alarm, and they are asked for all the same.
    @Test func silentDataAreAnAlarmAndAskedForAgain() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let asked = rig.gateway.received(.reqRealTimeBars).count
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        try rig.pass(.seconds(30))
        try rig.gateway.fault(#"{"do":"streams","fate":"dead"}"#)
        try rig.gateway.fault(#"{"do":"restore-link","data":"kept"}"#)
        let silent = rig.now
        try rig.pass(.minutes(2))
        let alarms = rig.began(.dataMissing)
        #expect(alarms.count == 4)
        #expect(alarms.allSatisfy { $0.at - silent <= .seconds(40) })
        #expect((asked + 4...asked + 8).contains(rig.gateway.received(.reqRealTimeBars).count))
        #expect(rig.gateway.violations.isEmpty)
        try rig.expectTradingGoesOn()
    }

    /// AIS-24, AIS-13, G16: a list does not come to its end: it is asked for again, with bounds; nothing is taken for
    /// flat, and no order leaves.
    @Test(arguments: [
        ("positionEnd", ClientMessageKind.reqPositions), ("execDetailsEnd", .reqExecutions),
        ("openOrderEnd", .reqAllOpenOrders), ("completedOrdersEnd", .reqCompletedOrders),
    ])
    func aListWithoutItsEndHoldsTradingUp(kind: String, question: ClientMessageKind) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let held = (0..<4).map { rig.held($0) }
        #expect(held.contains { $0 > .zero })
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"swallow","kinds":["\#(kind)"]}"#)
        try rig.crash()
        let asked = rig.gateway.received(question).count
        try rig.pass(.minutes(4))
        #expect((4...12).contains(rig.gateway.received(question).count - asked))
        #expect(rig.driver.status(at: rig.now).link != .ready)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        // What was under way fills on; nothing that is held is taken for flat.
        let positions = try rig.brokersPositions()
        for (index, symbol) in rig.symbols.enumerated() {
            let theirs = positions.first { $0.symbol == symbol }?.quantity ?? .zero
            #expect(rig.held(index) == theirs && theirs >= held[index], "\(symbol)")
        }
        #expect(rig.began(.linkLost).count == 1)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectTradingGoesOn()
    }

    /// AIS-25, G9: the client's number is in use: the same is tried again, the user is notified, and no other is taken.
    @Test func theClientsNumberStays() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        try rig.gateway.fault(#"{"do":"hold-client","seconds":300}"#)
        try rig.gateway.fault(#"{"do":"drop"}"#)
        let begun = rig.now
        let attempts = rig.gateway.attempts.count
        try rig.pass(.minutes(5))
        let alarm = try #require(rig.began(.clientIDInUse).first)
        #expect(alarm.kind.severity == .critical)
        #expect((60...90).contains((alarm.at - begun).seconds))
        #expect((4...20).contains(rig.gateway.attempts.count - attempts))
        try rig.expectTradingGoesOn()
        #expect(try rig.clientIDs() == [1])
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.clientIDInUse) })
    }

    /// G10: the gateway's port has changed: it is not followed; the session ends with the reason, and orders stay.
    @Test func aChangedPortEndsTheSession() throws {
        let rig = try SessionRig.withProtection()
        try rig.gateway.fault(
            #"{"do":"code","code":1300,"text":"Socket port has been reset, relogin to 4003"}"#)
        #expect {
            try rig.pass(.seconds(5))
        } throws: { error in
            "\(error)".contains("4003")
        }
        #expect(rig.gateway.connection == 1)
        #expect(rig.gateway.received(.cancelOrder).isEmpty)
    }

    /// G15: the gateway says that too many messages come: an alarm with advice, which ends by itself.
    @Test func tooManyMessagesAreAnAlarm() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(2))
        try rig.gateway.fault(#"{"do":"code","code":100}"#)
        try rig.pass(.seconds(2))
        let alarm = try #require(rig.began(.rateExceeded).first)
        #expect(alarm.kind.severity == .warning)
        #expect(rig.text(of: alarm).contains("half as many"))
        try rig.pass(.minutes(2))
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.rateExceeded) })
        try rig.expectTradingGoesOn()
    }

    /// AIS-30: nothing that was decided without a link leaves when it is back.
    @Test func nothingWaitsSilentlyForTheLink() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(9))
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        try rig.pass(.minutes(12) + .seconds(30))
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"restore-link"}"#)
        try rig.pass(.seconds(20))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.expectTradingGoesOn()
    }

    /// AIS-30, AIS-3, N3: a line that stays open and is dead is found out by asking, not by a failure: an alarm within
    /// 15 seconds, and nothing is sent into it or behind it.
    @Test func aDeadLineIsFoundOutByAsking() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(10) + .seconds(45))
        let probes = rig.gateway.received(.reqCurrentTime).count
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"stall","seconds":60}"#)
        let stalled = rig.now
        try rig.pass(.seconds(40))
        #expect(rig.gateway.received(.reqCurrentTime).count > probes)
        let alarm = try #require(rig.began(.lineSilent).first)
        #expect(alarm.at - stalled <= .seconds(16) && alarm.kind.severity == .critical)
        // The link is back, and the strategy has not decided again.
        try rig.pass(.seconds(80))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        // The gateway does not see the dead connection's end before its line is back: the number is in use until then.
        #expect((2...4).contains(rig.gateway.connection))
        #expect(try rig.clientIDs() == [1])
        try rig.expectTradingGoesOn()
    }

    /// N4, AIS-30: what we send does not arrive while data still come: it is found out by the missing answers, entries
    /// wait, the connection is made anew, and what was sent into it is resolved and not sent again.
    @Test func aLineOnWhichNothingLeavesIsFoundOut() throws {
        // Five minutes behind an order is the next time at which orders are decided.
        let rig = try SessionRig.behindAnOrder()
        try rig.pass(.minutes(4) + .seconds(58))
        try rig.gateway.fault(#"{"do":"stall","direction":"in","seconds":120}"#)
        let stalled = rig.now
        try rig.pass(.seconds(21))
        // A question leaves every five seconds, and is an alarm fifteen seconds later.
        let alarm = try #require(rig.began(.lineSilent).first)
        #expect((.seconds(15)...(.seconds(21))).contains(alarm.at - stalled))
        #expect(rig.driver.status(at: rig.now).line == .alarm)
        // Data come all the while.
        #expect(
            rig.driver.dataAges(at: rig.now).allSatisfy { $0.age.bars ?? .hours(1) < .seconds(10) })
        #expect(rig.driver.status(at: rig.now).link == .ready)
        // Twice 45 seconds behind the question.
        try rig.pass(.seconds(76))
        let down = try #require(
            rig.decisions.first { $0.kind == .linkChanged(.down) && $0.at > stalled })
        #expect((.seconds(90)...(.seconds(96))).contains(down.at - stalled))
        try rig.pass(until: "a link with nothing unknown", limit: .minutes(10)) {
            rig.unknownCount == 0 && rig.driver.status(at: rig.now).link == .ready
        }
        #expect(rig.gateway.connection > 1)
        #expect(rig.driver.status(at: rig.now).line == .healthy)
        try rig.expectTradingGoesOn()
    }

    /// N4: nothing comes while what we send arrives: the same, by the silence.
    @Test func aLineOnWhichNothingComesIsFoundOut() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(9) + .seconds(58))
        try rig.gateway.fault(#"{"do":"stall","direction":"out","seconds":600}"#)
        let stalled = rig.now
        try rig.pass(.seconds(16))
        let alarm = try #require(rig.began(.lineSilent).first)
        // The newest byte came up to five seconds before.
        #expect((.seconds(10)...(.seconds(16))).contains(alarm.at - stalled))
        try rig.pass(.seconds(32))
        let down = try #require(
            rig.decisions.first { $0.kind == .linkChanged(.down) && $0.at > stalled })
        #expect((.seconds(40)...(.seconds(46))).contains(down.at - stalled))
        try rig.pass(.minutes(2))
        #expect(rig.gateway.connection > 1)
        #expect(rig.unknownCount == 0)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectTradingGoesOn()
    }

    /// CON-06: when a silent line is suspect, an alarm and made anew is configured.
    @Test func timesOfSilenceAreThoseOfTheConfiguration() throws {
        let rig = try SessionRig(
            SessionRig.rotation
                + "\nibkr: {probe_seconds: 1, stale_seconds: 3, alarm_seconds: 5, tear_down_seconds: 9}",
            keepsHistory: true)
        try rig.pass(.minutes(3))
        let probes = rig.gateway.received(.reqCurrentTime).count
        try rig.pass(.seconds(20))
        #expect((20...22).contains(rig.gateway.received(.reqCurrentTime).count - probes))
        try rig.gateway.fault(#"{"do":"stall","seconds":60}"#)
        let stalled = rig.now
        try rig.pass(.seconds(4) + .milliseconds(500))
        #expect(rig.driver.status(at: rig.now).line == .stale)
        #expect(rig.began(.lineSilent).isEmpty)
        try rig.pass(.seconds(6))
        let alarm = try #require(rig.began(.lineSilent).first)
        #expect((.seconds(4)...(.seconds(6))).contains(alarm.at - stalled))
        let down = try #require(
            rig.decisions.first { $0.kind == .linkChanged(.down) && $0.at > stalled })
        #expect((.seconds(8)...(.seconds(10))).contains(down.at - stalled))
        try rig.expectTradingGoesOn()
    }
}

extension SessionRig {
    /// The numbers of the clients that have placed orders at the gateway, each once.
    func clientIDs() throws -> [Int32] {
        guard case .array(let asked)? = try ledger()["asked"] else { return [] }
        let ids = asked.compactMap { order -> Int32? in
            if case .number(let text)? = order["client"] { Int32(text) } else { nil }
        }
        return Set(ids).sorted()
    }
}

extension Duration {
    /// In whole seconds.
    var seconds: Int64 { nanoseconds / 1_000_000_000 }
}
