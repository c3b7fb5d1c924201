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

/// Incidents of fills that were lost, counted twice or made up.
@Suite struct LedgerIncidentTests {
    /// AIS-7, E2: an execution is the first that comes of an order, or is found by a process that has not placed it: it
    /// is booked at once, and is its order's.
    @Test func aFillBeforeAnyWordOfItsOrderIsBooked() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["orderStatus","openOrder"]}"#)
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(.seconds(2))
        #expect(rig.driver.fillCount > 0)
        #expect((0..<4).contains { rig.held($0) > .zero })
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectEqualLedgers()
        let orders = rig.entries(since: 0).map(\.id)
        #expect(orders.allSatisfy { rig.state(of: $0) == .filled })

        // The process dies right behind an order: its fills come by the list, with the order's reference.
        let sent = rig.gateway.received(.placeOrder).count
        try rig.pass(until: "another order") { rig.gateway.received(.placeOrder).count > sent }
        try rig.crash()
        try rig.expectTradingGoesOn()
        #expect(!rig.decisions.contains { $0.kind == .finding(.unknownReference) })
        #expect(!rig.decisions.contains { $0.kind == .finding(.foreignOrder) })
    }

    /// AIS-13, E5: a commission that does not come is pending: fills count, cash lacks the charge alone, and when it is
    /// reported it is booked once.
    @Test func aMissingCommissionIsPending() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["commissionAndFeesReport"]}"#)
        try rig.pass(until: "fills") { rig.driver.fillCount > 1 }
        try rig.pass(.seconds(20))
        let charges = try rig.brokersCharges()
        #expect(charges > .zero)
        let cash = try #require(rig.driver.withEngine { $0.portfolio.cash.rounded() })
        #expect(cash - charges == (try rig.brokersCash()))
        #expect(try rig.differences().allSatisfy { $0.hasPrefix("cash") })
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.crash()
        try rig.expectTradingGoesOn()
    }

    /// E5, C-16: a commission that stays away for ten minutes is a warning, and the executions are asked for again; what
    /// comes then is booked.
    @Test func aCommissionThatStaysAwayIsAskedFor() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["commissionAndFeesReport"]}"#)
        try rig.pass(until: "fills") { rig.driver.fillCount > 1 }
        let missing = Decision.Kind.commissionMissing
        try rig.pass(.minutes(9) + .seconds(30))
        #expect(!rig.decisions.contains { $0.kind == missing })
        let asked = rig.gateway.received(.reqExecutions).count
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.pass(.minutes(1))
        let warning = try #require(rig.decisions.first { $0.kind == missing })
        #expect(warning.kind.severity == .warning)
        #expect((warning.figures[.count]?.amount ?? 0) >= 1)
        #expect(rig.gateway.received(.reqExecutions).count > asked)
        try rig.expectEqualLedgers()
        let count = rig.decisions.count { $0.kind == missing }
        try rig.pass(.minutes(12))
        #expect(rig.decisions.count { $0.kind == missing } == count)
    }

    /// C-16: ten minutes behind the close the fills of the day without a commission are listed by their number.
    @Test func fillsWithoutACommissionAreListedAtTheClose() throws {
        // 2024-03-04, a Monday, 15:40 in New York.
        let rig = try SessionRig(at: Timestamp(seconds: 1_709_584_800), keepsHistory: true)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["commissionAndFeesReport"]}"#)
        let close = rig.settings.backtest.calendar.close(
            on: rig.settings.backtest.calendar.day(of: rig.now))
        try rig.pass(to: close + .minutes(9))
        func listed() -> [Decision] {
            rig.decisions.filter {
                $0.kind == .commissionMissing && rig.reason(of: $0).contains("close")
            }
        }
        #expect(listed().isEmpty)
        try rig.pass(.minutes(2))
        #expect(rig.driver.fillCount > 1)
        #expect(listed().map { $0.figures[.count]?.amount } == [Int64(rig.executionCount)])
    }

    /// AIS-18: an order fills in parts and every report comes three times: each share counts once, in the order and in
    /// the position.
    @Test func partsThatRepeatCountOnce() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"repeat","kinds":["orderStatus","openOrder","execDetails","commissionAndFeesReport"],"copies":2}"#
        )
        try rig.gateway.fault(
            #"{"do":"script","steps":[{"do":"fill","share":0.34,"on":"placeOrder","nth":0,"after":0}]}"#
        )
        try rig.pass(.minutes(16))
        let orders = try rig.brokersOrders()
        let parts = orders.map { order -> Int in
            if case .array(let executions)? = order["executions"] { executions.count } else { 0 }
        }
        #expect(parts.contains { $0 > 1 })
        try rig.expectEqualLedgers()
        try rig.expectFilledAsAtTheBroker()
    }

    /// AIS-19, L5: the broker says "Filled" and its executions stay away: nothing is booked by the status; when they come
    /// they count once.
    @Test func nothingIsBookedByAStatus() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.pass(until: "the lists' ends") {
            rig.driver.hasBegun && rig.driver.status(at: rig.now).link == .ready
        }
        try rig.gateway.fault(#"{"do":"swallow","kinds":["execDetails"]}"#)
        try rig.pass(until: "an order") { !rig.gateway.received(.placeOrder).isEmpty }
        try rig.pass(.seconds(4))
        let filled = rig.events.contains {
            if case .brokerOrder(let report) = $0.kind {
                report.fact == .status(.filled)
            } else {
                false
            }
        }
        #expect(filled)
        #expect(rig.driver.fillCount == 0)
        #expect((0..<4).allSatisfy { rig.held($0) == .zero })
        let orders = rig.entries(since: 0).map(\.id)
        #expect(orders.allSatisfy { rig.state(of: $0) == .executionsMissing })
        try rig.gateway.fault(#"{"do":"heal"}"#)
        try rig.expectTradingGoesOn()
        #expect(orders.allSatisfy { rig.state(of: $0) == .filled })
        try rig.expectFilledAsAtTheBroker()
    }

    /// AIS-26, AIS-18: final statuses come again and again: the average price is that of the executions.
    @Test func repeatedReportsCountOnce() throws {
        let rig = try SessionRig(keepsHistory: true)
        try rig.gateway.fault(
            #"{"do":"repeat","kinds":["orderStatus","openOrder","execDetails","commissionAndFeesReport"],"copies":2}"#
        )
        try rig.pass(until: "purchases") { rig.driver.fillCount >= 2 }
        try rig.pass(.seconds(30))
        var shares: [InstrumentID: Quantity] = [:]
        var paid: [InstrumentID: Money] = [:]
        var seen: Set<Int64> = []
        for event in rig.events {
            guard case .brokerOrder(let report) = event.kind,
                case .executed(let execution) = report.fact,
                seen.insert(execution.id.base).inserted
            else { continue }
            #expect(execution.side == .buy)
            shares[execution.instrument, default: .zero] += execution.quantity
            let amount = try Money(
                "\(Double(execution.price.units) / 1e8 * Double(execution.quantity.units) / 1e8)")
            paid[execution.instrument, default: .zero] += amount
        }
        for (instrument, quantity) in shares {
            let average = rig.driver.withEngine {
                $0.portfolio.ledger(of: .strategy(StrategyID(index: 0)), in: instrument)
                    .averagePrice(multiplier: 1)
            }
            let expected =
                Double(paid[instrument]?.units ?? 0) / 1e6 / (Double(quantity.units) / 1e8)
            let price = try #require(average ?? nil)
            #expect(abs(Double(price.units) / 1e8 - expected) < 1e-4, "\(instrument)")
        }
        try rig.expectTradingGoesOn()
    }
}

extension SessionRig {
    /// Every order of ours has filled here what it has filled at the gateway.
    func expectFilledAsAtTheBroker() throws {
        var ours: [String: Quantity] = [:]
        for ticket in history.batches.flatMap(\.commands) {
            guard case .submit(let ticket) = ticket.command else { continue }
            driver.withEngine { engine in
                guard let key = engine.brokerKey(of: ticket.id)?.reference else { return }
                ours[key.description] = engine.orders.filled(ticket.id)
            }
        }
        for order in try brokersOrders() {
            guard case .text(let reference)? = order["orderRef"],
                case .number(let text)? = order["filled"]
            else { continue }
            #expect(ours[reference] == (try Quantity(text)), "\(reference)")
        }
    }

    /// Why something was decided, in words.
    func reason(of decision: Decision) -> String {
        driver.withEngine { engine in
            let index = Int(decision.reason.index)
            return engine.reasons.indices.contains(index) ? engine.reasons[index] : ""
        } ?? ""
    }

    /// How many executions of its orders the session knows.
    var executionCount: Int {
        driver.withEngine { engine in
            engine.orders.records.indices.reduce(0) {
                $0 + engine.orders.records[$1].facts.allExecutions.count
            }
        } ?? 0
    }

    /// The gateway's cash.
    func brokersCash() throws -> Money {
        guard case .array(let accounts)? = try ledger()["accounts"],
            case .number(let text)? = accounts.first?["cash"]?["USD"]?["total"]
        else { throw Missing(what: "cash") }
        return try Money(text)
    }

    /// All that the gateway has charged for executions.
    func brokersCharges() throws -> Money {
        var sum = Money.zero
        for order in try brokersOrders() {
            guard case .array(let executions)? = order["executions"] else { continue }
            for execution in executions {
                if case .number(let text)? = execution["commission"] { sum += try Money(text) }
            }
        }
        return sum
    }
}
