import Foundation
import GRDB
import GatewaySimulator
import GatewayTestSupport
import Journal
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// N6, G17, O8, O15, ORD-16, S10, X6: orders that did not leave, were refused, came back or are not in the journal.
@Suite struct BrokerRefusalTests {
    /// N6: an order does not leave, as it cannot be written: its strategy is notified of that, and why, and goes on.
    @Test func aStrategyIsNotifiedOfAnOrderThatDidNotLeave() throws {
        var placed = Timestamp.distantPast
        try NotifiedStrategy.session { rig in
            try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
            placed = rig.now
        }
        try NotifiedStrategy.session { rig in
            try rig.pass(to: placed - Gateway.step)
            rig.disk.failure = .diskFull("day")
            try rig.pass(.seconds(1))
            #expect(rig.notices() == [.notSent(.notJournaled)])
            #expect(rig.decisions.count { $0.kind == .orderNotSent } == 1)
            #expect(rig.gateway.received(.placeOrder).isEmpty)
            rig.disk.failure = nil
            try rig.passUntilHeld()
            #expect(rig.notices() == [.notSent(.notJournaled)])
            try rig.expectEqualLedgers()
            try rig.expectVerifiedJournal("an-order-that-did-not-leave")
        }
    }

    /// G17: an order is taken to be lost, and the gateway sends it after all: an alarm. It is cancelled where its strategy
    /// has bought again meanwhile, and holds where it has not.
    @Test(arguments: [true, false])
    func anOrderThatComesBackIsCancelledWhereItWasDecidedAgain(isAgain: Bool) throws {
        let configuration = NotifiedStrategy.configuration(isAgain ? "every: 1" : "every: 9")
        try NotifiedStrategy.session(configuration) { rig in
            try rig.gateway.fault(#"{"do":"hold","kinds":["placeOrder"],"times":1}"#)
            try rig.pass(until: "an order") { !rig.entries(since: 0).isEmpty }
            let order = try #require(rig.entries(since: 0).first?.id)
            try rig.pass(until: "its closure") { rig.state(of: order) == .closed }
            #expect(rig.notices() == [.notAtBroker])
            if isAgain { try rig.passUntilHeld() }
            let (batch, held) = (rig.history.batches.count, rig.held(0))
            // Nothing fills while trading is halted; the number is lower than those that were used since.
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL"}"#)
            try rig.gateway.fault(#"{"do":"roll-back","by":5}"#)
            try rig.gateway.fault(#"{"do":"release"}"#)
            try rig.pass(.seconds(5))
            let found = try rig.decided("AAPL", from: batch) { $0 == .finding(.resubmitted) }
            #expect(found.map(\.subject.order) == [order])
            #expect(found.map(\.kind.severity) == [.warning])
            #expect(rig.state(of: order) == (isAgain ? .cancelled : .working))
            try rig.gateway.fault(#"{"do":"halt","symbol":"AAPL","on":false}"#)
            try rig.pass(.seconds(30))
            #expect(isAgain ? rig.held(0) == held : rig.held(0) > .zero)
            try rig.pass(until: "equal ledgers") { try rig.differences().isEmpty }
            #expect(rig.unknownCount == 0)
            try rig.expectVerifiedJournal("an-order-that-comes-back-\(isAgain)")
        }
    }

    /// O8: another program has used the numbers of ours (103): an alarm of its own, the order is rejected, the next number
    /// is asked for, and orders go on above it.
    @Test func aNumberInUseIsAnAlarmAndOrdersGoOnAboveIt() throws {
        try NotifiedStrategy.session(NotifiedStrategy.configuration("every: 4")) { rig in
            try rig.pass(until: "the start's lists") {
                rig.driver.status(at: rig.now).step == .trading
            }
            try rig.gateway.fault(
                #"{"do":"swallow","kinds":["openOrder","orderStatus","error"],"seconds":5}"#)
            for _ in 0..<3 {
                try rig.gateway.fault(
                    #"{"do":"order","symbol":"MSFT","side":"buy","quantity":1,"limit":1,"client":1}"#
                )
            }
            try rig.pass(.seconds(1))
            try rig.gateway.fault(#"{"do":"cancel","orders":"each"}"#)
            try rig.pass(.seconds(6))
            #expect(rig.gateway.received(.placeOrder).isEmpty)
            try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
            try rig.pass(.seconds(2))
            let first = try #require(rig.entries(since: 0).first?.id)
            #expect(rig.state(of: first) == .rejected)
            #expect(rig.notices() == [.rejected(.numberInUse)])
            let alarm = try #require(rig.decisions.first { $0.kind == .finding(.numberInUse) })
            #expect(alarm.subject.order == first && alarm.kind.severity == .critical)
            #expect(rig.text(of: alarm).contains("client id"))
            #expect(rig.gateway.received(.reqIds).count == 1)
            try rig.passUntilHeld()
            // Of the three numbers behind the first, two were in use.
            let numbers = rig.entries(since: 0).compactMap { ticket in
                rig.driver.withEngine { $0.brokerKey(of: ticket.id)?.order?.number } ?? nil
            }
            #expect(numbers.count == 2)
            #expect(numbers.last == numbers.first.map { $0 + 3 })
            #expect(rig.decisions.count { $0.kind == .finding(.numberInUse) } == 1)
            try rig.expectEqualLedgers()
        }
    }

    /// X6: the broker knows no such contract any more (200): the symbol is flagged and not tried again before the user has
    /// looked or the next start; others are traded on.
    @Test func aContractThatIsUnknownIsNotTriedAgain() throws {
        let configuration = NotifiedStrategy.configuration(symbols: "AAPL, MSFT")
        try NotifiedStrategy.session(configuration) { rig in
            try rig.gateway.fault(
                #"{"do":"refuse","kinds":["placeOrder"],"code":200,"text":"No security definition","times":1}"#
            )
            try rig.pass(until: "a refusal") { !rig.notices().isEmpty }
            #expect(rig.notices() == [.rejected(.unknownContract)])
            let refused = try #require(rig.entries(since: 0).first?.request.instrument)
            let began = rig.began(.contractUnknown)
            #expect(began.map(\.subject.instrument) == [refused])
            #expect(began.map(\.kind.severity) == [.critical])
            let batch = rig.history.batches.count
            try rig.pass(.minutes(12))
            #expect(rig.entries(since: batch, in: Int(refused.index)).isEmpty)
            #expect(rig.decisions.contains { $0.kind == .refused(.notTradable) })
            #expect(rig.held(1 - Int(refused.index)) > .zero)
            try rig.instruct(.clearLatch(refused))
            try rig.pass(until: "an entry", limit: .minutes(5)) {
                rig.held(Int(refused.index)) > .zero
            }
            #expect(rig.decisions.contains { $0.kind == .conditionEnded(.contractUnknown) })
            try rig.expectEqualLedgers()
        }
    }

    /// O15: the broker caps an order's price: the cap is shown with the order and journalled once, and the order works on.
    @Test func aPriceCapIsShown() throws {
        let rig = try SessionRig.withRestingEntry()
        let order = try #require(rig.working(.entry).first)
        let key = try #require(rig.driver.withEngine { $0.brokerKey(of: order) } ?? nil)
        var status = OrderStatus()
        status.orderId = APIOrderID(rawValue: try #require(key.order?.number))
        status.clientId = ClientID(rawValue: try #require(key.client?.number))
        status.status = .submitted
        status.mktCapPrice = try #require(DecimalValue("101.25"))
        for _ in 0..<3 {
            try rig.driver.take(
                [.gateway(.message(.orderStatus(status), leftover: 0))], at: rig.now)
        }
        rig.driver.commit(at: rig.now)
        let shown = try #require(
            try rig.rows(rig.ask(#"{"do":"orders"}"#), "orders").first {
                $0["order"] == .integer(order.number)
            })
        #expect(shown["price_cap"] == .exact(Price(cents: 101_25)))
        #expect(rig.state(of: order) == .working)
        let messages = rig.events.compactMap { event -> String? in
            guard case .brokerOrder(let report) = event.kind,
                case .message(let message) = report.fact
            else { return nil }
            return rig.names[message.text]
        }
        #expect(messages == ["the broker has capped the order's price at 101.25"])
    }

    /// O15, C-44: an order is refused for its size: the reason is kept and typed, and that order is not sent again.
    @Test func anOrderRefusedForItsSizeIsNotSentAgain() throws {
        try NotifiedStrategy.session(NotifiedStrategy.configuration("every: 4")) { rig in
            let text = "Order rejected - reason:Order size exceeds the LGSZ limit"
            try rig.gateway.fault(
                #"{"do":"refuse","kinds":["placeOrder"],"code":201,"text":"\#(text)","times":1}"#)
            try rig.pass(until: "a refusal") { !rig.notices().isEmpty }
            #expect(rig.notices() == [.rejected(.size)])
            let order = try #require(rig.entries(since: 0).first?.id)
            let words = try #require(rig.rejections.first)
            #expect(words.code == 201 && rig.names[words.text] == text)
            try rig.pass(.minutes(3))
            #expect(rig.gateway.received(.placeOrder).count == 1)
            #expect(rig.state(of: order) == .rejected)
            // The next decision is another order.
            try rig.passUntilHeld()
            #expect(rig.entries(since: 0).count == 2)
            try rig.expectEqualLedgers()
        }
    }

    /// C-44: a strategy is notified of what a refusal means.
    @Test(arguments: [
        (201, "Order rejected - reason:YOUR EQUITY WITH LOAN VALUE IS TOO LOW", RejectCause.funds),
        (460, "No trading permissions.", .notPermitted),
        (110, "The price does not conform to the minimum price variation", .price),
        (383, "The order size exceeds the Size Limit", .size),
        (10_318, "This order doesn't support fractional quantity trading", .size),
        (201, "Order rejected - reason:other", .byBroker),
    ])
    func refusalsAreTyped(code: Int, text: String, cause: RejectCause) throws {
        try NotifiedStrategy.session { rig in
            try rig.gateway.fault(
                #"{"do":"refuse","kinds":["placeOrder"],"code":\#(code),"text":"\#(text)","times":1}"#
            )
            try rig.pass(until: "a refusal") { !rig.notices().isEmpty }
            #expect(rig.notices() == [.rejected(cause)])
        }
    }

    /// ORD-16, C-44: the details of a rejection are kept with its code and text, and are in the journal's tables.
    @Test func theDetailsOfARejectionAreKept() throws {
        try NotifiedStrategy.session { rig in
            let json = #"{"rejects":[{"code":"LGSZ","limit":10000}]}"#
            let escaped = json.replacing("\"", with: "\\\"")
            try rig.gateway.fault(
                #"{"do":"refuse","kinds":["placeOrder"],"code":201,"text":"Order rejected","advanced":"\#(escaped)","times":1}"#
            )
            try rig.passUntilHeld()
            let words = try #require(rig.rejections.first)
            #expect(rig.names[words.text] == "Order rejected " + json)
            try rig.pass(.seconds(2))
            let file = rig.folder + "/tables.sqlite"
            _ = try JournalTables(of: rig.folder, into: file)
            let rows = try DatabaseQueue(path: file).read { db in
                try Row.fetchAll(db, sql: "SELECT state, code, words FROM orders ORDER BY order_id")
                    .map { row in (row[0] as String, row[1] as Int?, row[2] as String?) }
            }
            let first = try #require(rows.first)
            #expect(first == ("REJECTED", 201, "Order rejected " + json))
            #expect(rows.last?.0 == "FILLED" && rows.last?.1 == nil)
        }
    }

    /// S10: the whole folder of the journal is put back as it was: the broker names orders that it does not have. Nothing is
    /// entered before the user has looked, and no number is used twice.
    @Test func anOlderCopyOfTheWholeFolderHalts() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(.minutes(12))
        rig.kill()
        let copy = rig.folder + "-copy"
        try FileManager.default.copyItem(atPath: rig.folder, toPath: copy)
        try rig.start()
        let batch = rig.history.batches.count
        try rig.pass(until: "further orders", limit: .hours(1)) {
            rig.entries(since: batch).count >= 2
        }
        try rig.pass(.seconds(10))
        rig.kill()
        try FileManager.default.removeItem(atPath: rig.folder)
        try FileManager.default.moveItem(atPath: copy, toPath: rig.folder)
        let restored = rig.history.batches.count
        try rig.start()
        try rig.pass(.minutes(11))
        let halts = try rig.decided(from: restored) { $0 == .halted(.journalOutdated) }
        #expect(halts.map(\.kind.severity) == [.critical])
        #expect(halts.first.map { rig.text(of: $0).contains("older copy") } == true)
        #expect(rig.entries(since: restored).isEmpty)
        // The user has looked.
        try rig.instruct(.resume(.journalOutdated))
        for index in rig.symbols.indices {
            try rig.instruct(.adopt(InstrumentID(index: index)))
        }
        try rig.gateway.fault(#"{"do":"drop"}"#)
        try rig.pass(until: "an entry", limit: .hours(1)) { !rig.entries(since: restored).isEmpty }
        #expect(try rig.decided(from: restored) { $0 == .halted(.journalOutdated) }.count == 1)
        #expect(try rig.ledger()["violations"]?["repeatedReferences"] == .object([]))
        try rig.expectVerifiedJournal("an-older-copy")
    }
}

extension SessionRig {
    /// The broker's words for its rejections.
    fileprivate var rejections: [BrokerMessage] {
        events.compactMap { event in
            guard case .brokerOrder(let report) = event.kind,
                case .rejectedByBroker(let words) = report.fact
            else { return nil }
            return words
        }
    }
}
