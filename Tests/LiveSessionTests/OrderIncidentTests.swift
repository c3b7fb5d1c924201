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

/// Incidents of orders whose outcome was guessed, or that were placed or counted twice.
@Suite struct OrderIncidentTests {
    /// AIS-5, O1: an order gets no answer at all, whether the broker has it or not: its outcome is unknown, and is found
    /// out by asking; it is never sent again.
    @Test(arguments: [
        #"{"do":"mute","times":2}"#, #"{"do":"swallow","kinds":["placeOrder"],"times":2}"#,
    ])
    func anOrderWithoutAWordIsFoundOut(fault: String) throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(until: "the start's lists") { rig.driver.status(at: rig.now).step == .trading }
        try rig.gateway.fault(fault)
        // A position would show that something was executed.
        try rig.gateway.fault(#"{"do":"swallow","kinds":["position"],"seconds":70}"#)
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        let orders = Set(rig.entries(since: 0).map(\.id))
        let lists = rig.gateway.received(.reqAllOpenOrders).count
        try rig.pass(.seconds(5) + .milliseconds(500))
        let doubted = rig.decisions.filter { $0.kind == .outcomeUnknown }
        #expect(Set(doubted.compactMap(\.subject.order)) == orders)
        let isLost = fault.contains("swallow")
        // The lists show at once what the gateway has taken.
        #expect(orders.allSatisfy { (rig.state(of: $0) == .unknown) == isLost })
        #expect(rig.gateway.received(.reqAllOpenOrders).count > lists)
        try rig.pass(until: "outcomes") { rig.unknownCount == 0 }
        #expect(orders.allSatisfy { rig.state(of: $0) == (isLost ? .closed : .filled) })
        // What is in no list is asked about by cancels.
        #expect(rig.gateway.received(.cancelOrder).isEmpty != isLost)
        try rig.expectTradingGoesOn()
    }

    /// AIS-20: no word for a minute: the order is in doubt, never taken for rejected.
    @Test func silenceIsNoRejection() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"hold","kinds":["orderStatus","openOrder","execDetails","commissionAndFeesReport","error"],"seconds":60}"#
        )
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        let orders = rig.entries(since: 0).map(\.id)
        try rig.pass(.seconds(20))
        #expect(rig.decisions.contains { $0.kind == .outcomeUnknown })
        for order in orders {
            let state = try #require(rig.state(of: order))
            #expect(state != .rejected && state != .cancelled && state != .notSent)
        }
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectTradingGoesOn()
        #expect(orders.allSatisfy { rig.state(of: $0) == .filled })
    }

    /// AIS-11, O10: a change becomes a second order under the same reference: it is found, entries in the instrument
    /// wait, and a cancel ends both.
    @Test func aSecondOrderOfOneReferenceIsFound() throws {
        let rig = try SessionRig.withProtection(SessionRig.resized)
        try rig.gateway.fault(#"{"do":"double-changes"}"#)
        // What fills is reported when the broker is lost and nobody has noticed: the stop's change leaves then.
        try rig.gateway.fault(
            #"{"do":"hold","kinds":["execDetails","orderStatus","openOrder","position"],"seconds":4}"#
        )
        let changes = rig.changeCount
        try rig.pass(until: "a change of a stop while the broker is lost", limit: .hours(2)) {
            // Minutes 1, 6, 11 … rebalance: what a stop has sold in part is bought back, and the stop is changed.
            let time =
                (rig.now - SimulatedGateway.tuesday).nanoseconds % Duration.minutes(5).nanoseconds
            switch Double(time) / 1e9 {
            case 30: _ = rig.gateway.control(#"{"do":"fill","orders":"oldest","share":0.3}"#)
            case 62: _ = rig.gateway.control(#"{"do":"lose-link","silent":true}"#)
            case 110: _ = rig.gateway.control(#"{"do":"restore-link"}"#)
            default: break
            }
            return rig.changeCount > changes
                && rig.decisions.contains { $0.kind == .finding(.secondOrder) }
        }
        let finding = try #require(rig.decisions.first { $0.kind == .finding(.secondOrder) })
        #expect(finding.kind.severity == .critical)
        let order = try #require(finding.subject.order)
        let instrument = try #require(finding.subject.instrument)
        #expect(
            rig.decisions.contains {
                $0.kind == .latched(.contradiction) && $0.subject.instrument == instrument
            })
        try rig.gateway.fault(#"{"do":"heal"}"#)
        let batch = rig.history.batches.count
        try rig.instruct(.cancel(.order(order)))
        try rig.pass(.seconds(30))
        let reference = try #require(
            rig.driver.withEngine { $0.brokerKey(of: order)?.reference?.description } ?? nil)
        let both = try rig.brokersOrders().filter { $0["orderRef"] == .text(reference) }
        #expect(both.count == 2)
        #expect(
            both.allSatisfy {
                $0["status"] == .text("Cancelled") || $0["status"] == .text("Filled")
            })
        try rig.pass(.minutes(11))
        #expect(rig.entries(since: batch, in: Int(instrument.index)).isEmpty)
        try rig.expectEqualLedgers()
    }

    /// ORD-12: a change of a stop is lost on its way: the broker's list of open orders is its answer, also behind a crash,
    /// and the stop covers the position again.
    @Test(arguments: [false, true])
    func aLostChangeIsFoundOut(crashes: Bool) throws {
        let rig = try SessionRig.withProtection(SessionRig.resized)
        try rig.gateway.fault(
            #"{"do":"hold","kinds":["execDetails","orderStatus","openOrder","position"],"seconds":4}"#
        )
        let changes = rig.changeCount
        // What a stop has sold in part is bought back in minute 6, and the stop is changed when that is reported.
        try rig.pass(to: SimulatedGateway.tuesday + .minutes(5) + .seconds(30))
        try rig.gateway.fault(#"{"do":"fill","orders":"oldest","share":0.3}"#)
        try rig.pass(to: SimulatedGateway.tuesday + .minutes(6) + .seconds(2))
        try rig.gateway.fault(#"{"do":"swallow","kinds":["placeOrder"],"seconds":3}"#)
        try rig.pass(.seconds(4))
        #expect(rig.changeCount > changes)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        if crashes { try rig.crash() }
        try rig.pass(.seconds(40))
        let selling = try rig.sellingAtTheBroker()
        let held = try rig.brokersPositions()
        #expect(held.contains { $0.quantity > .zero })
        for (symbol, quantity) in held {
            #expect(selling[symbol] ?? .zero == quantity, "\(symbol)")
        }
        try rig.expectEqualLedgers()
    }

    /// AIS-21, O17: orders of an earlier process are managed on: they are known, and a cancel ends them.
    @Test(arguments: 1...2)
    func ordersOfAnEarlierProcessAreManaged(seed: Int) throws {
        let rig = try SessionRig.withProtection(seed: UInt64(seed))
        let stops = rig.working(.protection)
        try rig.crash()
        try rig.pass(.seconds(20))
        #expect(Set(rig.working(.protection)).isSuperset(of: stops))
        let order = try #require(stops.first)
        try rig.instruct(.cancel(.order(order)))
        try rig.pass(.seconds(5))
        #expect(rig.state(of: order) == .cancelled)
        let reference = try #require(
            rig.driver.withEngine { $0.brokerKey(of: order)?.reference?.description } ?? nil)
        let theirs = try rig.brokersOrders().first { $0["orderRef"] == .text(reference) }
        #expect(theirs?["status"] == .text("Cancelled"))
        try rig.expectTradingGoesOn()
    }

    /// AIS-23, O7: what the gateway notes about an order ends nothing.
    @Test func anInformationLeavesTheOrder() throws {
        let rig = try SessionRig.withProtection()
        let orders = rig.working(.protection)
        #expect(!orders.isEmpty)
        for code in [10_349, 399, 2_109, 2_137, 10_311] {
            try rig.gateway.fault(#"{"do":"code","code":\#(code),"orders":"each"}"#)
        }
        try rig.pass(.seconds(1))
        let notes = rig.events.compactMap { event -> Int32? in
            guard case .brokerOrder(let report) = event.kind, case .message(let words) = report.fact
            else { return nil }
            return Int32(words.code)
        }
        #expect(notes.contains(10_349))
        #expect(orders.allSatisfy { rig.state(of: $0) == .working })
        #expect(rig.gateway.received(.cancelOrder).isEmpty)
        try rig.expectTradingGoesOn()
    }

    /// AIS-29, I-16: an exit beside a stop whose cancel takes long: by the gateway's own ledger the orders that sell
    /// never add up to more than is held.
    @Test func exitsTogetherAreNoLargerThanThePosition() throws {
        let rig = try SessionRig.withProtection(SessionRig.guarded)
        try rig.pass(.seconds(20))
        try rig.gateway.fault(#"{"do":"hold","kinds":["cancelOrder"],"seconds":8}"#)
        try rig.instruct(.flatten(.all))
        for _ in 0..<60 {
            try rig.pass(.milliseconds(500))
            let selling = try rig.sellingAtTheBroker()
            for (symbol, quantity) in try rig.brokersPositions() {
                #expect(selling[symbol] ?? .zero <= quantity, "\(rig.now) \(symbol)")
            }
        }
        #expect((0..<4).allSatisfy { rig.held($0) == .zero })
        #expect(try rig.sellingAtTheBroker().values.allSatisfy { $0 == .zero })
        try rig.expectEqualLedgers()
    }

    /// O13: a cancel is lost: it is sent three times more, and then it is a matter for the user; the order counts as
    /// working.
    @Test func aCancelWithoutAnswerIsRepeatedAndThenAnAlarm() throws {
        let rig = try SessionRig.withProtection(SessionRig.guarded)
        try rig.pass(.seconds(20))
        let order = try #require(rig.working(.protection).first)
        let number = try #require(rig.driver.withEngine { $0.brokerKey(of: order)?.order } ?? nil)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["cancelOrder"]}"#)
        try rig.instruct(.cancel(.order(order)))
        let asked = rig.now
        try rig.pass(.minutes(2))
        let alarm = try #require(rig.decisions.first { $0.kind == .cancelUnanswered })
        #expect(alarm.subject.order == order && alarm.kind.severity == .critical)
        #expect((30...50).contains((alarm.at - asked).seconds))
        #expect(rig.cancels(of: number) == 4)
        #expect(rig.state(of: order) == .working)
        try rig.gateway.fault(#"{"do":"heal"}"#)
        // With a new connection it is asked for once more.
        try rig.gateway.fault(#"{"do":"drop"}"#)
        try rig.pass(until: "the order's end") { rig.state(of: order) == .cancelled }
        try rig.expectTradingGoesOn()
    }

    /// O13: a cancel is carried out, and nothing says so: what the broker's lists say holds, and what the order has
    /// protected gets another stop.
    @Test func aCancelPerformedInSilenceIsFoundOut() throws {
        let rig = try SessionRig.withProtection(SessionRig.guarded)
        try rig.pass(.seconds(20))
        let order = try #require(rig.working(.protection).first)
        try rig.gateway.fault(#"{"do":"mute","kinds":["cancelOrder"],"times":1}"#)
        try rig.instruct(.cancel(.order(order)))
        try rig.pass(.minutes(2))
        #expect(rig.decisions.contains { $0.kind == .cancelUnanswered })
        #expect(rig.state(of: order) == .cancelled)
        try rig.expectTradingGoesOn()
    }

    /// O6: the broker refuses one entry after the other: the strategy's entries stop until the user lets them go on;
    /// exits do not.
    @Test func refusalsStopTheStrategy() throws {
        let rig = try SessionRig(SessionRig.ofFour, keepsHistory: true)
        try rig.gateway.fault(#"{"do":"margin"}"#)
        try rig.pass(until: "a stop of the strategy") {
            rig.decisions.contains { $0.kind == .strategyStopped(.rejections) }
        }
        let stop = try #require(rig.decisions.last { $0.kind == .strategyStopped(.rejections) })
        #expect(stop.kind.severity == .critical && stop.subject.strategy == StrategyID(index: 0))
        try rig.gateway.fault(#"{"do":"margin","on":false}"#)
        let sent = rig.gateway.received(.placeOrder).count
        #expect(sent <= 4)
        let count = rig.decisions.count
        try rig.pass(.minutes(6))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        #expect(rig.decisions[count...].contains { $0.kind == .refused(.strategyStopped) })
        // It stays so through a restart.
        try rig.crash()
        try rig.pass(.minutes(6))
        #expect(rig.gateway.received(.placeOrder).count == sent)
        try rig.instruct(.startEntries(StrategyID(index: 0)))
        try rig.expectTradingGoesOn()
    }
}

extension SessionRig {
    /// Two of four stocks, brought to their weights every five minutes, each with a stop that follows the quantity.
    fileprivate static let resized = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, MSFT, AMZN, SPY], bar_size: 1m}
        strategies:
          - use: cross_sectional_momentum
            parameters:
              {lookback: 10, top: 2, invested_pct: 60, rebalance: bars, every: 5, band_pct: 0, min_trade_usd: 0}
            stop: {method: percent, price_pct: 3}
        """

    /// All of four stocks at once.
    fileprivate static let ofFour = """
        account: {type: margin, starting_capital: 100000}
        trading: {mode: sim, symbols: [AAPL, MSFT, AMZN, SPY], bar_size: 1m}
        strategies:
          - use: cross_sectional_momentum
            parameters:
              {lookback: 10, top: 4, invested_pct: 90, rebalance: bars, every: 5}
        """

    /// How often an order that had been placed was placed again: changed.
    var changeCount: Int {
        history.batches.flatMap(\.commands).count {
            if case .modify = $0.command { true } else { false }
        }
    }

    /// How often an order's cancel has left.
    func cancels(of number: BrokerOrderID) -> Int {
        gateway.received(.cancelOrder).count {
            guard case .cancelOrder(let message) = $0 else { return false }
            return message.orderId.rawValue == number.number
        }
    }

    /// What the gateway's account holds, by symbol.
    func brokersPositions() throws -> [(symbol: String, quantity: Quantity)] {
        guard case .array(let accounts)? = try ledger()["accounts"],
            case .array(let rows)? = accounts.first?["positions"]
        else { return [] }
        return try rows.map { row in
            guard case .text(let symbol)? = row["symbol"], case .number(let text)? = row["quantity"]
            else { throw Missing(what: "a position with figures") }
            return (symbol, try Quantity(text))
        }
    }

    /// What works at the gateway to sell, by symbol; all orders count, as none are in groups.
    func sellingAtTheBroker() throws -> [String: Quantity] {
        var sums: [String: Quantity] = [:]
        for order in try brokersOrders() where order["action"] == .text("SELL") {
            guard case .text(let status)? = order["status"],
                !["Filled", "Cancelled", "ApiCancelled", "Inactive"].contains(status),
                case .text(let symbol)? = order["symbol"],
                case .number(let quantity)? = order["quantity"],
                case .number(let filled)? = order["filled"]
            else { continue }
            sums[symbol, default: .zero] += try Quantity(quantity) - Quantity(filled)
        }
        return sums
    }
}
