import Accounting
import ClientTestSupport
import Configuration
import Foundation
import GatewayTestSupport
import MarketState
import Model
import Orders
import Primitives
import TWSClient
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// ORD-13, STR-14: the user's commands to a running session, by the gateway's ledger.
@Suite struct ControlSessionTests {
    private static let strategy = "cross_sectional_momentum"

    /// What cancels all entries of the session.
    private static let cancelling = [
        ("halt", ""), ("kill", ""), ("stop", #""strategy":"cross_sectional_momentum""#),
        ("cancel", #""all":true"#), ("cancel", #""strategy":"cross_sectional_momentum""#),
        ("flatten", #""all":true"#),
    ]

    /// In the middle of an order: it is cancelled at the broker, the journal has who and why, and a second time changes
    /// nothing.
    @Test(arguments: cancelling)
    func entriesAreCancelledOnce(name: String, members: String) throws {
        let rig = try SessionRig.withRestingEntry()
        let entries = rig.working(.entry)
        let answer = try rig.order(name, members)
        #expect(answer["done"] == .text(name))
        let touched = try rig.rows(answer, "orders")
        #expect(touched.count == entries.count)
        #expect(touched.allSatisfy { $0["state"] == .text("cancel requested") })
        #expect(try rig.rows(answer, "decisions").first?["kind"] == .text("INSTRUCTED"))
        let written = try #require(rig.instructions.last)
        #expect(written.words == "ana (uid 1000): drill")
        let early = rig.history.earlyBatches.flatMap(\.events).filter {
            if case .operatorRequest = $0.kind { true } else { false }
        }
        #expect(early.isEmpty)
        try rig.pass(.seconds(3))
        #expect(try rig.workingAtGateway().isEmpty)
        try rig.order(name, members)
        try rig.pass(.seconds(30))
        let cancels = try rig.gatewayOrders().filter { $0.isOurs && $0.status == "Cancelled" }
        #expect(cancels.count == entries.count)
        #expect(cancels.allSatisfy { $0.cancels == "1" })
        #expect(rig.instructions.count == 2)
        try rig.setTrading(isHalted: false)
        try rig.expectAllIsKnown()
    }

    /// Without a link: the answer says that it is waited for, and the cancels leave within a second of its return.
    @Test(arguments: [("halt", ""), ("kill", ""), ("cancel", #""all":true"#)])
    func cancelsLeaveWhenTheLinkIsBack(name: String, members: String) throws {
        let rig = try SessionRig.withRestingEntry()
        let count = rig.working(.entry).count
        try rig.gateway.fault(#"{"do":"restart","seconds":60}"#)
        try rig.pass(.seconds(2))
        #expect(rig.driver.status(at: rig.now).link != .ready)
        let answer = try rig.order(name, members)
        #expect(
            try rig.rows(answer, "orders").allSatisfy {
                $0["state"] == .text("cancel requested, waits for the link")
            })
        #expect(
            try rig.rows(answer, "notes").contains { $0.text.contains("leaves when it is READY") })
        try rig.order(name, members)
        try rig.pass(until: "a link", limit: .minutes(5)) {
            rig.driver.status(at: rig.now).link == .ready
        }
        try rig.pass(.seconds(1))
        #expect(try rig.workingAtGateway().isEmpty)
        let cancelled = try rig.gatewayOrders().filter { $0.isOurs && $0.status == "Cancelled" }
        #expect(cancelled.count == count)
        try rig.expectAllIsKnown()
    }

    /// A halt and its end by its cause; entries follow again.
    @Test func aHaltIsLiftedByItsCause() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(until: "a fill") { rig.driver.fillCount > 0 }
        try rig.order("halt")
        let batch = rig.history.batches.count
        try rig.pass(.minutes(12))
        #expect(rig.entries(since: batch).isEmpty)
        let status = try rig.ask(#"{"do":"status"}"#)
        let halts = try rig.rows(status, "halts")
        #expect(halts.map { $0["cause"] } == [.text("operator_request")])
        #expect(halts.map { $0["command"] } == [.text("martlet ctl resume operator_request")])
        // Another cause lifts nothing.
        try rig.order("resume", #""cause":"drawdown""#)
        #expect(rig.haltCauses == [.operatorRequest])
        try rig.order("resume", #""cause":"halt""#)
        #expect(rig.haltCauses.isEmpty)
        try rig.pass(until: "an entry") { !rig.entries(since: batch).isEmpty }
        try rig.expectAllIsKnown()
    }

    /// STR-14: a strategy that is stopped enters no more, and may again when it is started; also behind a crash.
    @Test func aStrategyIsStoppedAndStarted() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(until: "a fill") { rig.driver.fillCount > 0 }
        try rig.order("stop", #""strategy":"\#(Self.strategy)""#)
        let batch = rig.history.batches.count
        try rig.crash()
        try rig.pass(.minutes(12))
        #expect(rig.entries(since: batch).isEmpty)
        #expect(
            try rig.rows(rig.ask(#"{"do":"status"}"#), "stopped") == [.text(Self.strategy)])
        try rig.order("start", #""strategy":"\#(Self.strategy)""#)
        try rig.pass(until: "an entry") { !rig.entries(since: batch).isEmpty }
        try rig.expectAllIsKnown()
    }

    /// Positions of a symbol, a strategy or all are closed at the broker, and none other.
    @Test(arguments: ["symbol", "strategy", "all", "order"])
    func positionsAreClosed(scope: String) throws {
        let rig = try SessionRig.withProtection()
        let symbol = try rig.heldName()
        let entry = try #require(try rig.entries(since: 0, in: rig.heldSymbol()).first).id.number
        let members = [
            "symbol": #""symbol":"\#(symbol)""#, "strategy": #""strategy":"momentum""#,
            "all": #""all":true"#, "order": #""order":\#(entry)"#,
        ]
        try rig.order("halt")
        let others = try rig.symbols.filter { try $0 != symbol && rig.held($0) > .zero }
        let answer = try rig.order("flatten", try #require(members[scope]))
        #expect(answer["done"] == .text("flatten"))
        try rig.pass(until: "no position", limit: .minutes(2)) {
            try rig.gatewayPosition(symbol) == .zero && rig.held(symbol) == .zero
        }
        if scope == "symbol" || scope == "order" {
            for other in others { #expect(try rig.gatewayPosition(other) > .zero) }
        } else {
            try rig.pass(until: "no position at all", limit: .minutes(2)) {
                try rig.symbols.allSatisfy { try rig.gatewayPosition($0) == .zero }
            }
        }
        try rig.order("flatten", try #require(members[scope]))
        try rig.pass(.minutes(1))
        #expect(try rig.gatewayPosition(symbol) == .zero)
        try rig.expectAllIsKnown()
    }

    /// Rule 1: a stop is cancelled where that is asked for explicitly, and then alone.
    @Test func protectionIsNotCancelledByTheWay() throws {
        let rig = try SessionRig.withProtection()
        let order = try #require(rig.working(.protection).first).number
        let refused = try rig.order("cancel", #""order":\#(order)"#)
        #expect(refused["exit"] == .integer(5))
        #expect(refused["error"]?.text.contains("--include-protective") == true)
        try rig.order("cancel", #""all":true"#)
        try rig.pass(.seconds(3))
        #expect(rig.state(of: OrderID(number: order)) == .working)
        let answer = try rig.order("cancel", #""order":\#(order),"include_protective":true"#)
        #expect(try rig.rows(answer, "orders").first?["order"] == .integer(order))
        try rig.pass(.seconds(3))
        #expect(rig.state(of: OrderID(number: order)) == .cancelled)
        #expect(rig.instructions.count == 2)
    }

    /// C-45: a cancel that the exchange answers in its next session only has a state of its own.
    @Test func aCancelBetweenSessionsHasItsWords() throws {
        // 2024-03-04, a Monday, 15:40 in New York.
        let rig = try SessionRig(
            SessionRig.protected, at: Timestamp(seconds: 1_709_584_800), keepsHistory: true)
        try rig.pass(until: "protection") { !rig.working(.protection).isEmpty }
        let calendar = rig.settings.backtest.calendar
        let today = calendar.day(of: rig.now)
        try rig.pass(to: calendar.close(on: today) + .minutes(2))
        let order = try #require(rig.working(.protection).first)
        try rig.gateway.play("late-cancel-ack")
        try rig.order("cancel", #""order":\#(order.number),"include_protective":true"#)
        try rig.pass(.minutes(5))
        let open = calendar.open(on: today.advanced(by: 1))
        let row = try rig.rows(rig.ask(#"{"do":"orders"}"#), "orders").first {
            $0["order"] == .integer(order.number)
        }
        #expect(
            row?["state"] == .text("cancel requested, market closed until \(open)"))
        try rig.gateway.fault(#"{"do":"release"}"#)
        try rig.pass(.seconds(5))
        #expect(rig.state(of: order) == .cancelled)
    }

    /// What the session does not have is named with what is near, and nothing is journalled.
    @Test(arguments: [
        ("flatten", #""symbol":"APPL""#, "'AAPL'"),
        ("stop", #""strategy":"cross_sectional_momentun""#, "'cross_sectional_momentum'"),
        ("cancel", #""order":4711"#, "no order 4711"),
        ("resolve", #""order":4711,"as":"working""#, "no order 4711"),
    ])
    func whatIsNotThereIsRefused(name: String, members: String, words: String) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.seconds(30))
        let answer = try rig.order(name, members)
        #expect(answer["exit"] == .integer(2))
        #expect(answer["error"]?.text.contains(words) == true, "\(answer.text)")
        #expect(rig.instructions.isEmpty)
    }

    /// Requests that make no sense are refused before the session hears of them.
    @Test(arguments: [
        ("{", "no JSON"), ("[]", "JSON object"), (#"{"do":"halt"}"#, "needs a reason"),
        (#"{"do":"halt","reason":"  "}"#, "needs a reason"), (#"{"do":"hallt"}"#, "'halt'"),
        (#"{"do":"status","foo":1}"#, "has no 'foo'"),
        (#"{"do":"resume","cause":"drawdwon","reason":"x"}"#, "'drawdown'"),
        (#"{"do":"cancel","reason":"x"}"#, "one of order, symbol, strategy and all"),
        (#"{"do":"cancel","all":true,"symbol":"AAPL","reason":"x"}"#, "it has 2"),
        (#"{"do":"split","symbol":"AAPL","ratio":"4","reason":[]}"#, "an array"),
        (#"{"do":"split","symbol":"AAPL","ratio":"0:1","reason":"x"}"#, "such as 4:1"),
        (#"{"do":"resolve","order":"1e3","as":"working","reason":"x"}"#, "number of an order"),
        (#"{"do":"resolve","order":1,"as":"gone","reason":"x"}"#, "not-at-broker"),
        (
            #"{"do":"book","order":1,"quantity":"99999999999","price":"1","execution":"e","reason":"x"}"#,
            "number of shares"
        ),
        (
            #"{"do":"book","order":1,"quantity":"90000000000","price":"100000000","execution":"e","reason":"x"}"#,
            "more than one execution can be"
        ),
        (
            #"{"do":"cashflow","amount":"-9223372036854.775808","cause":"fee","reason":"x"}"#,
            "amount of money"
        ),
        (#"{"do":"cashflow","amount":"0","cause":"fee","reason":"x"}"#, "amount of money"),
        (#"{"do":"cashflow","amount":"5","cause":"gift","reason":"x"}"#, "transfer, dividend"),
        (#"{"do":"decisions","count":0}"#, "1 to 1000"),
    ])
    func senselessRequestsAreRefused(line: String, words: String) {
        #expect {
            _ = try ControlRequest(Array(line.utf8))
        } throws: { error in
            (error as? ControlRefusal)?.words.contains(words) == true
        }
    }

    /// How it stands: positions with their stops, orders with their states, decisions with their reasons.
    @Test func theSessionIsShown() throws {
        let rig = try SessionRig.withProtection()
        let symbol = try rig.heldName()
        let status = try rig.ask(#"{"do":"status"}"#)
        #expect(status["state"] == .text("trading"))
        #expect(status["link"] == .text("READY"))
        #expect(status["account"] == .text("DU***67"))
        #expect(status["killed"] == .bool(false))
        let position = try #require(
            try rig.rows(rig.ask(#"{"do":"positions"}"#), "positions").first {
                $0["symbol"] == .text(symbol)
            })
        #expect(position["quantity"] == .exact(try rig.held(symbol)))
        #expect(position["strategy"] == .text("momentum"))
        #expect(position["stopped_quantity"] == .exact(try rig.held(symbol)))
        let orders = try rig.rows(rig.ask(#"{"do":"orders"}"#), "orders")
        let numbers = rig.driver.withEngine { $0.orders.allLive.map(\.number) } ?? []
        #expect(orders.map { $0["order"] } == numbers.map { .integer($0) })
        let all = try rig.rows(rig.ask(#"{"do":"orders","all":true}"#), "orders")
        #expect(all.count > orders.count)
        #expect(all.contains { $0["state"] == .text("filled") })
        let newest = try rig.rows(rig.ask(#"{"do":"decisions","count":3}"#), "decisions")
        #expect(
            newest.map { $0["number"] } == rig.decisions.suffix(3).map { .integer($0.number) })
        // Nothing of that is an event.
        #expect(rig.instructions.isEmpty)
    }

    /// A reason is shown as it was given, and no terminal acts on it.
    @Test func reasonsAreHarmless() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.seconds(30))
        try rig.order("halt", reason: #"a\u001b[2Jb\nc"#)
        #expect(rig.instructions.last?.words == #"ana (uid 1000): a\u001B[2Jb\u000Ac"#)
    }

    /// Before contracts are known there is nothing to instruct; status and kill are possible.
    @Test func beforeItHasBegunASessionCanBeKilled() throws {
        let rig = try SessionRig(keepsHistory: true)
        #expect(try rig.ask(#"{"do":"status"}"#)["killed"] == .bool(false))
        #expect(try rig.order("halt")["exit"] == .integer(4))
        #expect(try rig.ask(#"{"do":"kill"}"#)["done"] == .text("kill"))
        try rig.pass(.minutes(12))
        #expect(rig.haltCauses == [.killed])
        #expect(rig.gateway.received(.placeOrder).isEmpty)
        try rig.expectAllIsKnown()
    }
}
