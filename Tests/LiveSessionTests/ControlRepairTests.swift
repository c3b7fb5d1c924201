import Accounting
import Configuration
import GatewayTestSupport
import MarketState
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// What the user states about orders, symbols and money: `resolve`, `book`, `adopt`, `disown`, `clear`, `split` and
/// `cashflow` in a session.
@Suite struct ControlRepairTests {
    /// An order of which nothing is known is resolved by what the user has seen; a second time changes nothing.
    @Test func anUnknownOrderIsResolved() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.seconds(30))
        try rig.gateway.fault(
            #"{"do":"swallow","kinds":["placeOrder","cancelOrder"],"seconds":90}"#)
        try rig.pass(until: "an unknown order") { rig.unknownCount > 0 }
        let order = try #require(
            rig.driver.withEngine { engine in
                engine.orders.allLive.first { engine.orders.record(of: $0)?.state == .unknown }
            } ?? nil)
        let status = try rig.ask(#"{"do":"status"}"#)
        #expect(try rig.rows(status, "unknown").contains(.integer(order.number)))
        for _ in 0..<2 {
            let answer = try rig.order(
                "resolve", #""order":\#(order.number),"as":"not-at-broker""#)
            #expect(answer["done"] == .text("resolve"))
            #expect(rig.state(of: order) == .closed)
        }
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectAllIsKnown()
    }

    /// An execution that no message brings is booked under the broker's identifier: once, also when the message comes.
    @Test func anExecutionIsBookedOnce() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.seconds(30))
        try rig.gateway.fault(
            #"{"do":"hold","kinds":["execDetails","commissionAndFeesReport","orderStatus"],"seconds":600}"#
        )
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(until: "a fill at the gateway", limit: .minutes(2)) {
            try rig.gatewayOrders().contains { $0.isOurs && $0.filled > .zero }
        }
        let filled = try #require(
            try rig.brokersOrders().first { $0["executions"] != .array([]) })
        guard case .array(let executions)? = filled["executions"], let execution = executions.first,
            case .text(let id)? = execution["id"], case .number(let price)? = execution["price"],
            case .number(let quantity)? = execution["quantity"],
            case .text(let symbol)? = filled["symbol"]
        else { throw SessionRig.Missing(what: "an execution: \(filled.text)") }
        let index = Int(try rig.instrument(symbol).index)
        let entry = try #require(rig.entries(since: 0, in: index).first)
        #expect(try rig.held(symbol) == .zero)
        let members =
            #""order":\#(entry.id.number),"quantity":\#(quantity),"price":\#(price),"execution":"\#(id)""#
        try rig.order("book", members)
        #expect(try rig.held(symbol) == Quantity(quantity))
        let second = try rig.order("book", members)
        #expect(try rig.rows(second, "notes").first?.text.contains("booked already") == true)
        // More than is left of the order is refused.
        let more = try rig.order(
            "book",
            #""order":\#(entry.id.number),"quantity":"\#(entry.request.quantity)","price":\#(price),"execution":"x.1.01""#
        )
        #expect(more["exit"] == .integer(2))
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.pass(.seconds(10))
        try rig.expectAllIsKnown()
    }

    /// A symbol that others hold gets entries once it is adopted, and none once it is the user's.
    @Test func aSymbolIsAdoptedAndDisowned() throws {
        let rig = try SessionRig(keepsHistory: true)
        for symbol in rig.symbols {
            try rig.gateway.fault(
                #"{"do":"trade","symbol":"\#(symbol)","side":"buy","quantity":50}"#)
        }
        try rig.pass(.minutes(7))
        #expect(rig.entries(since: 0).isEmpty)
        let status = try rig.ask(#"{"do":"status"}"#)
        #expect(try rig.rows(status, "foreign") == rig.symbols.map { .text($0) })
        let others = try rig.rows(rig.ask(#"{"do":"positions"}"#), "others")
        #expect(others.count == rig.symbols.count)
        #expect(others.allSatisfy { $0["quantity"] == .number("50") })
        for symbol in rig.symbols { try rig.order("adopt", #""symbol":"\#(symbol)""#) }
        try rig.pass(until: "an entry") { !rig.entries(since: 0).isEmpty }
        for symbol in rig.symbols { try rig.order("disown", #""symbol":"\#(symbol)""#) }
        #expect(
            try rig.rows(rig.ask(#"{"do":"status"}"#), "disowned") == rig.symbols.map { .text($0) })
        try rig.pass(.seconds(10))
        let batch = rig.history.batches.count
        try rig.pass(.minutes(12))
        #expect(rig.entries(since: batch).isEmpty)
        try rig.expectVerifiedJournal("disowned")
    }

    /// A latch is shown with its cause and its command, and cleared by it.
    @Test func aLatchIsCleared() throws {
        let rig = try SessionRig.withProtection()
        let symbol = try rig.heldName()
        try rig.gateway.fault(
            #"{"do":"trade","symbol":"\#(symbol)","side":"sell","quantity":1}"#)
        try rig.pass(until: "a latch", limit: .minutes(1)) {
            try rig.decided(symbol) { $0.topic == .latched }.isEmpty == false
        }
        let latched = try rig.rows(rig.ask(#"{"do":"status"}"#), "latched")
        #expect(latched.map { $0["symbol"] } == [.text(symbol)])
        #expect(latched.map { $0["command"] } == [.text("martlet ctl clear \(symbol)")])
        #expect(latched.first?["cause"] != nil)
        try rig.order("clear", #""symbol":"\#(symbol)""#)
        try rig.order("clear", #""symbol":"\#(symbol)""#)
        #expect(try rig.rows(rig.ask(#"{"do":"status"}"#), "latched").isEmpty)
        #expect(try rig.decided(symbol) { $0 == .latchCleared }.count == 1)
    }

    /// Money is booked as what the user names it, and the same twice only where that is asked for.
    @Test func moneyIsNamed() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.seconds(30))
        let before = try #require(rig.driver.withEngine { $0.portfolio.equity.rounded() })
        func equity() throws -> Money {
            try #require(rig.driver.withEngine { $0.portfolio.equity.rounded() })
        }
        try rig.order("cashflow", #""amount":"-500.25","cause":"fee""#)
        #expect(try equity() == before - Money(cents: 500_25))
        let second = try rig.order("cashflow", #""amount":"-500.25","cause":"fee""#)
        #expect(try rig.rows(second, "notes").first?.text.contains("--repeated") == true)
        #expect(try equity() == before - Money(cents: 500_25))
        try rig.order("cashflow", #""amount":"-500.25","cause":"fee","repeat":true"#)
        #expect(try equity() == before - Money(cents: 1_000_50))
        try rig.order("cashflow", #""amount":"20","cause":"dividend","symbol":"AAPL""#)
        #expect(try equity() == before - Money(cents: 980_50))
        #expect(rig.driver.withEngine { $0.portfolio.contributed.rounded() } == before)
        try rig.expectVerifiedJournal("cashflow")
    }

    /// A split is confirmed once a day, however often it is typed: 2 for 1 makes twice as many shares.
    @Test func aSplitIsConfirmedOnce() throws {
        let rig = try SessionRig.withProtection()
        let symbol = try rig.heldName()
        try rig.order("halt")
        try rig.pass(.seconds(5))
        let calendar = rig.settings.backtest.calendar
        let today = calendar.day(of: rig.now)
        try rig.pass(to: calendar.dayEnd(of: today) + .minutes(1), inStepsOf: .seconds(2))
        let held = try rig.held(symbol)
        for _ in 0..<2 {
            try rig.order("split", #""symbol":"\#(symbol)","ratio":"2:1""#)
            #expect(try rig.held(symbol) == held + held)
        }
    }
}
