import Accounting
import Configuration
import GatewayTestSupport
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// What has cost other programs' users money, each once more with a session in its place.
@Suite struct IncidentTests {
    /// Positions with a stop and a target at the broker.
    static let protected = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, AMZN, MSFT, SPY], bar_size: 1m}
        strategies:
          - use: momentum
            parameters: {lookback: 5, threshold: 0.0005, exit_threshold: -0.001}
            sizing: {method: percent_of_equity, equity_pct: 15}
            stop: {method: percent, price_pct: 1}
            target: {method: percent, price_pct: 1.5}
        """

    /// A session that trades, right behind an order's placing.
    private func behindAnOrder(_ seed: UInt64 = 1) throws -> SessionRig {
        let rig = try SessionRig(seed: seed, keepsHistory: true)
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        return rig
    }

    /// A session with a position that is protected at the broker.
    private func protectedSession(_ seed: UInt64 = 1) throws -> SessionRig {
        let rig = try SessionRig(Self.protected, seed: seed, keepsHistory: true)
        try rig.pass(until: "protection that works") { !working(.protection, in: rig).isEmpty }
        return rig
    }

    private func working(_ purpose: OrderPurpose, in rig: SessionRig) -> [OrderID] {
        rig.driver.withEngine { engine in
            engine.orders.allLive.filter {
                engine.orders.request(of: $0)?.purpose == purpose
                    && engine.orders.record(of: $0)?.state == .working
            }
        } ?? []
    }

    /// Lists were asked for again, in the connection that there is: something was in doubt.
    private func isInDoubt(_ rig: SessionRig) -> Bool {
        let asked = rig.history.batches.flatMap(\.commands).count { command in
            if case .query = command.command { true } else { false }
        }
        return asked > ListingKind.allCases.count
    }

    /// It trades on, and nothing was lost or doubled.
    private func expectTradingGoesOn(_ rig: SessionRig) throws {
        let fills = rig.driver.fillCount
        try rig.pass(until: "further fills", limit: .hours(3)) { rig.driver.fillCount > fills }
        try rig.expectEqualLedgers()
    }

    /// 1: a fill comes right behind 1100.
    @Test func aFillBehind1100IsBooked() throws {
        let rig = try behindAnOrder()
        try rig.gateway.fault(#"{"do":"code","code":1100}"#)
        try rig.pass(.seconds(20))
        #expect(rig.driver.fillCount > 0)
        try rig.gateway.fault(#"{"do":"code","code":1102}"#)
        try expectTradingGoesOn(rig)
    }

    /// 2: the broker cancels an order while its link is lost.
    @Test func aCancelBehind1100EndsTheOrder() throws {
        let rig = try protectedSession()
        let stops = working(.protection, in: rig)
        try rig.gateway.fault(#"{"do":"code","code":1100}"#)
        try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
        try rig.pass(.seconds(5))
        #expect(Set(working(.protection, in: rig)).isDisjoint(with: stops))
        try rig.gateway.fault(#"{"do":"code","code":1102}"#)
        try rig.pass(.minutes(2))
        #expect(!working(.protection, in: rig).isEmpty)
        try expectTradingGoesOn(rig)
    }

    /// 3: the link is gone for long: an alarm at once, and orders are refused with the reason.
    @Test func aLostLinkIsAnAlarm() throws {
        let rig = try behindAnOrder()
        try rig.pass(.minutes(2))
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        let lost = rig.now
        try rig.pass(.hours(1))
        let alarm = rig.decisions.first { $0.kind == .linkChanged(.upstreamLost) }
        #expect(alarm.map { $0.at - lost <= .seconds(15) && $0.kind.severity >= .warning } == true)
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"restore-link"}"#)
        try expectTradingGoesOn(rig)
        #expect(rig.gateway.received(.placeOrder).count > sent)
    }

    /// 4: what was written right before a restart vanishes.
    @Test func ordersThatVanishAtARestartAreFoundOut() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(9) + .seconds(55))
        try rig.gateway.fault(#"{"do":"swallow","kinds":["placeOrder"],"seconds":20}"#)
        try rig.pass(.seconds(7))
        try rig.gateway.fault(#"{"do":"restart","seconds":60}"#)
        try expectTradingGoesOn(rig)
    }

    /// 5: an order is carried out and nothing is said of it.
    @Test func anOrderWithoutAWordIsFoundOut() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(#"{"do":"mute","times":2}"#)
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(.seconds(8))
        #expect(isInDoubt(rig))
        try expectTradingGoesOn(rig)
    }

    /// 8: an order is refused for its contract.
    @Test func aRefusalEndsTheOrderAtOnce() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"refuse","kinds":["placeOrder"],"code":200,"text":"No security definition","times":1}"#
        )
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(.seconds(1))
        let rejected = rig.history.batches.flatMap(\.events).contains {
            guard case .brokerOrder(let report) = $0.kind,
                case .rejectedByBroker = report.fact
            else {
                return false
            }
            return true
        }
        #expect(rejected)
        try expectTradingGoesOn(rig)
    }

    /// 9: the gateway waits for its login.
    @Test func aGatewayAtItsLoginIsAnAlarm() throws {
        let rig = try behindAnOrder()
        try rig.pass(.minutes(2))
        try rig.gateway.fault(#"{"do":"login"}"#)
        try rig.pass(.minutes(5))
        #expect(rig.decisions.contains { $0.kind == .linkChanged(.down) })
        #expect(rig.driver.status(at: rig.now).step == .connecting)
        try rig.gateway.fault(#"{"do":"login","done":true}"#)
        try expectTradingGoesOn(rig)
    }

    /// 12: a start on a journal sends nothing by itself.
    @Test(arguments: 1...3)
    func aStartSendsNothing(seed: Int) throws {
        let rig = try SessionRig(seed: UInt64(seed))
        try rig.pass(.minutes(21) + .seconds(30))
        let sent = rig.gateway.received(.placeOrder).count
        try rig.crash()
        try rig.pass(.seconds(20))
        #expect(rig.driver.status(at: rig.now).step == .trading)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.expectEqualLedgers()
    }

    /// 13, 24: a list does not come to its end: nothing is taken for flat, no order leaves, and it is asked for again.
    @Test(arguments: ["positionEnd", "execDetailsEnd", "openOrderEnd", "completedOrdersEnd"])
    func aListWithoutItsEndHoldsTradingUp(kind: String) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let held = rig.driver.withEngine { $0.portfolio.equity.rounded() }
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"swallow","kinds":["\#(kind)"]}"#)
        try rig.crash()
        try rig.pass(.minutes(6))
        #expect(rig.driver.status(at: rig.now).link != .ready)
        #expect(rig.gateway.received(.placeOrder).count == sent)
        #expect(rig.driver.withEngine { $0.portfolio.equity.rounded() } != nil && held != nil)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try expectTradingGoesOn(rig)
    }

    /// 14, 28: data stop without a word while every service says that it is well.
    @Test func silentDataAreAnAlarmAndAskedForAgain() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        let asked = rig.gateway.received(.reqRealTimeBars).count
        try rig.gateway.fault(#"{"do":"streams","fate":"dead"}"#)
        let silent = rig.now
        try rig.pass(.minutes(2))
        let alarms = rig.decisions.filter { $0.kind == .conditionBegan(.dataMissing) }
        #expect(alarms.count == 4)
        #expect(alarms.allSatisfy { $0.at - silent <= .seconds(40) })
        #expect((asked + 4...asked + 8).contains(rig.gateway.received(.reqRealTimeBars).count))
        #expect(rig.gateway.violations.isEmpty)
        try expectTradingGoesOn(rig)
    }

    /// 15: a service flaps; the connection and the client's number stay.
    @Test func aServiceThatFlapsKeepsTheConnection() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(12))
        for _ in 0..<5 {
            try rig.gateway.play("farm-blip")
            try rig.pass(.minutes(1))
        }
        #expect(rig.gateway.connection == 1)
        try expectTradingGoesOn(rig)
    }

    /// 17: orders by hand all have the number 0: each is one of its own, and none is ours.
    @Test func ordersByHandAreNotOurs() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(3))
        for price in [1, 2, 3] {
            try rig.gateway.fault(
                #"{"do":"order","symbol":"SPY","side":"buy","quantity":5,"limit":\#(price)}"#)
        }
        try rig.crash()
        let before = rig.history.batches.count
        try rig.pass(.minutes(20))
        let found = rig.decisions.filter { $0.kind == .finding(.foreignOrder) }
        #expect(Set(found.map(\.subject.order)).count == 3)
        #expect(rig.gateway.received(.cancelOrder).isEmpty)
        // In what is not ours alone nothing is entered.
        let entries = rig.history.batches[before...].flatMap(\.commands).filter {
            guard case .submit(let ticket) = $0.command else { return false }
            return ticket.request.instrument == InstrumentID(index: 3)
                && ticket.request.purpose == .entry
        }
        #expect(entries.isEmpty)
        try rig.expectEqualLedgers()
    }

    /// 16: somebody closes a position of ours by hand: seen within seconds, an alarm, and nothing is done to mend it.
    @Test func aPositionClosedByHandIsSeen() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        let held = try #require(
            rig.settings.trading.symbols.indices.first { index in
                rig.driver.withEngine {
                    $0.portfolio.quantity(of: InstrumentID(index: index)) > .zero
                } == true
            })
        let symbol = rig.settings.trading.symbols[held]
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(
            #"{"do":"trade","symbol":"\#(symbol)","side":"sell","quantity":10}"#)
        try rig.pass(.seconds(40))
        let alarm = rig.decisions.first {
            $0.kind.severity == .critical && $0.subject.instrument == InstrumentID(index: held)
        }
        #expect(alarm != nil)
        #expect(rig.gateway.received(.placeOrder).count == sent)
    }

    /// 20: no word for a minute: the order is in doubt, never taken for rejected.
    @Test func silenceIsNoRejection() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"hold","kinds":["orderStatus","openOrder","execDetails","commissionAndFeesReport","error"],"seconds":60}"#
        )
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(.seconds(20))
        #expect(isInDoubt(rig))
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try expectTradingGoesOn(rig)
    }

    /// 21: orders of an earlier process are managed on: what protects a position ends with it.
    @Test(arguments: 1...3)
    func ordersOfAnEarlierProcessAreManaged(seed: Int) throws {
        let rig = try protectedSession(UInt64(seed))
        let stops = working(.protection, in: rig)
        try rig.crash()
        try rig.pass(.seconds(20))
        #expect(Set(working(.protection, in: rig)).isSuperset(of: stops))
        try rig.pass(until: "an end of the protection", limit: .hours(4)) {
            Set(working(.protection, in: rig)).isDisjoint(with: stops)
        }
        try rig.expectEqualLedgers()
    }

    /// 22: an execution is corrected, and one is taken back.
    @Test(arguments: [#"{"do":"correct","quantity":7}"#, #"{"do":"bust"}"#])
    func aCorrectionReplacesTheExecution(command: String) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        try rig.gateway.fault(command)
        try rig.pass(.minutes(2))
        try rig.expectEqualLedgers()
    }

    /// 25: the client's number is in use: the same is tried again, no other.
    @Test func theClientsNumberStays() throws {
        let rig = try SessionRig()
        try rig.pass(.minutes(12))
        try rig.gateway.play("client-id-held")
        try rig.pass(.minutes(5))
        #expect(rig.gateway.attempts.count > 2)
        try expectTradingGoesOn(rig)
    }

    /// 18, 26: every report comes three times.
    @Test func repeatedReportsCountOnce() throws {
        let rig = try SessionRig()
        try rig.gateway.fault(
            #"{"do":"repeat","kinds":["orderStatus","openOrder","execDetails","commissionAndFeesReport"],"copies":2}"#
        )
        try rig.pass(.minutes(30))
        #expect(rig.driver.fillCount > 5)
        try expectTradingGoesOn(rig)
    }

    /// CON-14: a gateway that takes no orders is watched only, not tried with each order.
    @Test func aReadOnlyGatewayGetsNoOrders() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        try rig.gateway.fault(#"{"do":"read-only"}"#)
        let sent = rig.gateway.received(.placeOrder).count
        try rig.pass(.minutes(14))
        let tried = rig.gateway.received(.placeOrder).count - sent
        #expect((1...4).contains(tried))
        let began = rig.decisions.filter { $0.kind == .conditionBegan(.readOnlyGateway) }
        #expect(began.map(\.kind.severity) == [.critical])
        try rig.gateway.fault(#"{"do":"read-only","on":false}"#)
        try expectTradingGoesOn(rig)
        #expect(rig.decisions.contains { $0.kind == .conditionEnded(.readOnlyGateway) })
    }

    /// C-26, 27: shares are split overnight, and nobody has said so: the symbol waits for a person, and nothing is sent
    /// to mend it.
    @Test func anUnexplainedSplitLatchesTheSymbol() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(13))
        let held = try #require(
            rig.settings.trading.symbols.indices.first { index in
                rig.driver.withEngine {
                    $0.portfolio.quantity(of: InstrumentID(index: index)) > .zero
                } == true
            })
        let symbol = rig.settings.trading.symbols[held]
        try rig.gateway.fault(#"{"do":"split","symbol":"\#(symbol)","new":4,"old":1}"#)
        try rig.pass(.minutes(2))
        #expect(
            rig.decisions.contains {
                $0.kind == .latched(.positionDiffers)
                    && $0.subject.instrument == InstrumentID(index: held)
            })
        let count = rig.history.batches.count
        try rig.pass(.minutes(30))
        let entries = rig.history.batches[count...].flatMap(\.commands).filter {
            guard case .submit(let ticket) = $0.command else { return false }
            return ticket.request.instrument == InstrumentID(index: held)
                && ticket.request.purpose == .entry
        }
        #expect(entries.isEmpty)
    }

    /// 30: nothing that was decided without a link leaves when it is back.
    @Test func nothingWaitsSilentlyForTheLink() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(9))
        try rig.gateway.fault(#"{"do":"lose-link"}"#)
        try rig.pass(.minutes(12) + .seconds(30))
        let sent = rig.gateway.received(.placeOrder).count
        try rig.gateway.fault(#"{"do":"restore-link"}"#)
        try rig.pass(.seconds(20))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try expectTradingGoesOn(rig)
    }
}
