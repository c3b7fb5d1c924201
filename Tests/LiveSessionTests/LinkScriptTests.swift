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

/// Scripts of links, gateways and services that fail, each with what it asks for beyond what holds for all.
@Suite struct LinkScriptTests {
    /// `nightly-restart`: no storm of alarms, bars are filled in, trading goes on.
    @Test func aNightlyRestartIsGoneThrough() throws {
        let script = try FaultScript("nightly-restart", lasting: .minutes(10))
        #expect(script.decisions.count { $0.kind == .linkChanged(.upstreamLost) } == 1)
        #expect(script.alarms.count <= 8, "\(script.alarms.map { script.rig.text(of: $0) })")
        try script.expectNothingLost()
        script.expectWholeSeries()
    }

    /// `maintenance-week`: hours of outage and a login that nobody makes: the alarm is repeated, and the session goes on
    /// by itself when somebody has logged in.
    @Test func aWeekendsLoginIsWaitedFor() throws {
        let rig = try SessionRig(SessionRig.guarded, keepsHistory: true)
        try rig.pass(.minutes(12))
        // The week's script with hours in place of days.
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        try rig.pass(.minutes(1))
        try rig.gateway.fault(#"{"do":"restart","seconds":1800}"#)
        try rig.pass(.minutes(30))
        try rig.gateway.fault(#"{"do":"login"}"#)
        let begun = rig.now
        try rig.pass(.minutes(64))
        #expect(rig.began(.linkLost).count == 2)
        let alarms = rig.began(.loginNeeded)
        #expect(alarms.count >= 2)
        #expect(alarms.contains { $0.at > begun + .minutes(30) })
        #expect(alarms.allSatisfy { $0.kind.severity == .critical })
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"login","done":true}"#)
        try rig.pass(.seconds(50))
        #expect(rig.driver.status(at: rig.now).link == .ready)
        #expect(rig.gateway.received(.placeOrder).count <= sent + 2)
        try rig.expectTradingGoesOn()
        try rig.expectAllIsKnown()
    }

    /// `link-lost-data-kept`: subscriptions are kept, executions are read again.
    @Test func dataThatAreKeptAreNotAskedForAgain() throws {
        let script = try FaultScript("link-lost-data-kept", lasting: .minutes(2))
        #expect(script.rig.gateway.received(.reqRealTimeBars).count == 4)
        #expect(script.rig.gateway.received(.reqExecutions).count >= 2)
        try script.expectNothingLost()
        script.expectWholeSeries()
    }

    /// `link-lost-data-lost`: each subscription is made anew once, executions are read again.
    @Test func dataThatAreLostAreAskedForAgain() throws {
        let script = try FaultScript("link-lost-data-lost", lasting: .minutes(2))
        #expect(script.rig.gateway.received(.reqRealTimeBars).count == 8)
        #expect(script.rig.gateway.received(.reqExecutions).count >= 2)
        try script.expectNothingLost()
        script.expectWholeSeries()
    }

    /// `farm-blip`: bars go on, the hole is filled, the connection stays.
    @Test func aServicesBlipLeavesNoHole() throws {
        let script = try FaultScript(
            "farm-blip", behind: .minutes(12) + .seconds(27), lasting: .minutes(3))
        #expect(script.rig.gateway.connection == 1)
        try script.expectNothingLost()
        script.expectWholeSeries()
    }

    /// `half-open`: found out in time, and no order goes into the line.
    @Test func aDeadLineTakesNoOrder() throws {
        let script = try FaultScript(
            "half-open", behind: .minutes(14) + .seconds(40), lasting: .minutes(4))
        let alarm = try #require(script.decisions.first { $0.kind == .conditionBegan(.lineSilent) })
        #expect(alarm.at - script.begun <= .seconds(16))
        let silent = script.rig.gateway.received.filter {
            guard case .placeOrder = $0.message else { return false }
            let time = $0.time - script.rig.gateway.clock.now
            return time > script.begun - script.rig.now && $0.connection == 1
        }
        #expect(silent.isEmpty)
        try script.expectNothingLost()
    }

    /// `client-id-held`: the same number is kept.
    @Test func aNumberThatIsHeldIsWaitedFor() throws {
        let script = try FaultScript("client-id-held", lasting: .minutes(3))
        #expect(try script.rig.clientIDs() == [1])
        #expect(script.rig.gateway.attempts.count > 2)
        try script.expectNothingLost()
    }

    /// `slow-gateway`: no connection is given up, and every order that was decided has left.
    @Test func aSlowGatewayIsNotADeadOne() throws {
        let script = try FaultScript("slow-gateway", lasting: .minutes(9))
        #expect(script.rig.gateway.connection == 1)
        #expect(!script.decisions.contains { $0.kind == .linkChanged(.down) })
        let decided = script.rig.history.batches.flatMap(\.commands).count {
            if case .submit = $0.command { true } else { false }
        }
        let left = Set(
            script.rig.gateway.received(.placeOrder).compactMap { message -> APIOrderID? in
                if case .placeOrder(let order) = message { order.orderId } else { nil }
            })
        #expect(left.count == decided)
        try script.expectNothingLost()
    }

    /// `clock-and-dst`: bars are those of their minutes, whatever the gateway's clock says.
    @Test func barsFollowTheMarketsClock() throws {
        let script = try FaultScript("clock-and-dst", lasting: .minutes(8))
        try script.expectNothingLost()
        script.expectWholeSeries()
        try script.rig.expectSteadyBars()
    }
}
