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

/// Scripts of orders whose answers are lost, late, doubled or in another order.
@Suite struct OrderScriptTests {
    /// `fill-during-1100`: fills without the link are booked once, commissions too.
    @Test func fillsWithoutTheLinkAreBookedOnce() throws {
        let script = try FaultScript("fill-during-1100", lasting: .minutes(12))
        try script.expectNothingLost()
        try script.rig.expectFilledAsAtTheBroker()
    }

    /// `id-rollback`: no number is used twice; the lost orders become unknown, and then are found not to be there.
    @Test func numbersThatGoBackAreNotUsedAgain() throws {
        let script = try FaultScript("id-rollback", lasting: .minutes(16))
        let orders = script.rig.entries(since: script.batch).map(\.id)
        #expect(orders.count >= 2)
        let doubted = Set(
            script.decisions.filter { $0.kind == .outcomeUnknown }.compactMap(\.subject.order))
        #expect(doubted.count >= 2)
        #expect(doubted.allSatisfy { script.rig.state(of: $0) == .closed })
        try script.expectNothingLost()
        let numbers = try script.rig.brokersOrders().compactMap { $0["order"]?.text }
        #expect(Set(numbers).count == numbers.count)
    }

    /// `restart-with-resting`: the session is killed as well; resting orders are its own again, fills are booked, and
    /// stops are managed on.
    @Test func restingOrdersAreManagedOn() throws {
        let script = try FaultScript(
            "restart-with-resting", behind: .minutes(4), lasting: .minutes(7))
        try script.rig.crash()
        try script.rig.pass(.minutes(2))
        let wrong: [Finding.Kind] = [.foreignOrder, .unknownReference, .secondOrder, .otherNumber]
        #expect(
            !script.decisions.contains { decision in
                wrong.contains { decision.kind == .finding($0) }
            })
        let stops = script.rig.working(.protection)
        #expect(!stops.isEmpty)
        try script.rig.instruct(.flatten(.all))
        try script.rig.pass(.minutes(1))
        #expect(stops.allSatisfy { script.rig.state(of: $0)?.isLive == false })
        try script.expectNothingLost()
        try script.rig.expectFilledAsAtTheBroker()
    }

    /// `swallowed`: what gets no answer is unknown and is asked about.
    @Test func whatIsDroppedIsAskedAbout() throws {
        // The script's twentieth is drawn; this one has hits.
        let rig = try SessionRig(SessionRig.guarded, keepsHistory: true)
        rig.audit = ProtectionAudit()
        try rig.gateway.fault(
            #"{"do":"mute","kinds":["placeOrder","cancelOrder"],"share":0.25,"times":4}"#)
        try rig.gateway.fault(
            #"{"do":"swallow","kinds":["placeOrder","cancelOrder"],"share":0.25,"times":4}"#)
        try rig.gateway.play("swallowed", seed: 3)
        try rig.pass(.minutes(22))
        #expect(rig.decisions.contains { $0.kind == .outcomeUnknown })
        try rig.expectAllIsKnown()
        #expect(rig.unknownCount == 0)
        try rig.expectTradingGoesOn()
    }

    /// `duplicate-on-modify`: entries wait where a second order is found: see also
    /// `OrderIncidentTests.aSecondOrderOfOneReferenceIsFound`.
    @Test func changesWithoutTheBrokerDoubleNothing() throws {
        let script = try FaultScript("duplicate-on-modify", lasting: .minutes(12))
        try script.expectNothingLost()
    }

    /// `callback-permutations`: reports in any order, twice or never come to the same positions as in a calm session.
    @Test func anyOrderOfReportsGivesTheSameState() throws {
        let calm = try SessionRig(SessionRig.guarded, keepsHistory: true)
        try calm.pass(.minutes(18))
        let rig = try SessionRig(SessionRig.guarded, keepsHistory: true)
        try rig.gateway.play("callback-permutations")
        try rig.pass(.minutes(18))
        try rig.expectAllIsKnown()
        try rig.expectFilledAsAtTheBroker()
        #expect(rig.entries(since: 0).first?.request == calm.entries(since: 0).first?.request)
        #expect((0..<4).map { rig.held($0) } == (0..<4).map { calm.held($0) })
    }

    /// `info-codes`: no code changes what an order is.
    @Test func codesChangeNoState() throws {
        let script = try FaultScript("info-codes", lasting: .minutes(9))
        try script.expectNothingLost()
        // What the gateway has filled or works is nowhere taken for rejected.
        try script.rig.expectFilledAsAtTheBroker()
    }

    /// `fill-after-cancel`: quantities are exact, and nothing takes the order's place before its end is proven.
    @Test func fillsBehindACancelAreExact() throws {
        let script = try FaultScript("fill-after-cancel", lasting: .minutes(9))
        try script.rig.expectFilledAsAtTheBroker()
        try script.expectNothingLost()
    }

    /// `correction-bust`: the ledger is corrected once.
    @Test func correctionsAreBookedOnce() throws {
        let script = try FaultScript("correction-bust", lasting: .minutes(9))
        let revisions = script.rig.events.compactMap { event -> Int32? in
            guard case .brokerOrder(let report) = event.kind,
                case .executed(let execution) = report.fact
            else { return nil }
            return Int32(execution.id.revision)
        }
        #expect(revisions.contains(3))
        try script.rig.expectAllIsKnown()
        try script.rig.expectTradingGoesOn()
    }

    /// `bracket-storm`: numbers are distinct, protection is as large as what was filled.
    @Test func stopsFollowWhatIsFilled() throws {
        let script = try FaultScript("bracket-storm", behind: .minutes(4), lasting: .minutes(12))
        try script.expectNothingLost()
        let numbers = try script.rig.brokersOrders().compactMap { $0["order"]?.text }
        #expect(Set(numbers).count == numbers.count && numbers.count > 4)
    }

    /// `margin-reject`: the order ends with the broker's reason.
    @Test func aMarginRefusalHasItsReason() throws {
        let script = try FaultScript(
            "margin-reject", behind: .seconds(30), lasting: .minutes(2))
        let words = script.rig.events.compactMap { event -> BrokerMessage? in
            guard case .brokerOrder(let report) = event.kind,
                case .rejectedByBroker(let words) = report.fact
            else { return nil }
            return words
        }
        let name = try #require(words.first { $0.code == 201 }?.text)
        #expect(script.rig.names[name]?.contains("EQUITY WITH LOAN VALUE") == true)
        try script.rig.expectAllIsKnown()
        try script.rig.expectTradingGoesOn()
    }

    /// `dialog-hold`: orders are unknown, and the user is given the advice to look for a dialog.
    @Test func ordersThatADialogHoldsAreUnknown() throws {
        let script = try FaultScript("dialog-hold", behind: .seconds(30), lasting: .minutes(7))
        let doubted = script.decisions.filter { $0.kind == .outcomeUnknown }
        #expect(!doubted.isEmpty)
        #expect(doubted.allSatisfy { script.rig.text(of: $0).contains("dialog") })
        try script.expectNothingLost()
    }

    /// `late-cancel-ack`: a cancel between sessions is awaited until the open and not repeated; nothing is doubled.
    @Test func aCancelBetweenSessionsIsAwaited() throws {
        // 2024-03-04, a Monday, 15:40 in New York.
        let rig = try SessionRig(
            SessionRig.protected, at: Timestamp(seconds: 1_709_584_800), keepsHistory: true)
        try rig.pass(until: "protection") { !rig.working(.protection).isEmpty }
        let close = rig.settings.backtest.calendar.close(
            on: rig.settings.backtest.calendar.day(of: rig.now))
        try rig.pass(to: close + .minutes(2))
        let order = try #require(rig.working(.protection).first)
        let number = try #require(rig.driver.withEngine { $0.brokerKey(of: order)?.order } ?? nil)
        try rig.gateway.play("late-cancel-ack")
        try rig.instruct(.cancel(.order(order)))
        try rig.pass(.minutes(5))
        #expect(rig.cancels(of: number) == 1)
        #expect(rig.state(of: order) == .working)
        #expect(!rig.decisions.contains { $0.kind == .cancelUnanswered })
        try rig.gateway.fault(#"{"do":"release"}"#)
        try rig.pass(.seconds(5))
        #expect(rig.state(of: order) == .cancelled)
        try rig.expectEqualLedgers()
    }
}
