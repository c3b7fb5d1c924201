import Configuration
import GatewaySimulator
import GatewayTestSupport
import MarketState
import Model
import Orders
import Primitives
import TWSProtocol
import Testing
import TradingEngine

@testable import Runtime

/// P5, CON-15: a session that ends does what its exit policy says, by the gateway's ledger, and says what is left.
@Suite struct SessionEndingTests {
    /// Orders and positions stay as they are, at once, and nothing is instructed.
    @Test func allIsLeftWhereItIs() throws {
        let rig = try SessionRig.withRestingEntry(SessionRig.ending(.leave))
        let (entries, begun) = (rig.working(.entry).count, rig.now)
        let report = try rig.end(within: .seconds(10))
        #expect(rig.now == begun)
        #expect(report.isComplete && report.shortfall == nil)
        #expect(report.entries.count == entries)
        #expect(report.words == "these orders stay at the broker: entries: \(entries)")
        #expect(try rig.workingAtGateway().count == entries)
        #expect(rig.instructions.isEmpty)
    }

    /// Unless the configuration says otherwise: entries are cancelled, positions and their stops stay, and the next start
    /// trades on.
    @Test func entriesAreCancelledAndProtectionStays() throws {
        let scene = try EntryBesideStop()
        let rig = scene.rig
        let stop = try scene.stop()
        let batch = rig.history.batches.count
        let report = try rig.end(within: .seconds(10))
        #expect(report.policy == .cancelOpen)
        #expect(report.isComplete && report.entries.isEmpty)
        let entry = try #require(try scene.orders(scene.entered).first { $0.isBuy })
        #expect(entry.status == "Cancelled" && entry.cancels == "1")
        #expect(report.orders.contains { $0.number == stop.number && $0.state == "working" })
        try scene.expectStop()
        #expect(rig.entries(since: batch).isEmpty)
        let words = "exit policy cancel_open: the session ends"
        #expect(rig.instructions.map(\.action) == [.halt, .resume(.operatorRequest)])
        #expect(rig.instructions.map(\.words) == [words, words])
        #expect(rig.driver.takeAlarms().allSatisfy { !$0.text.contains("HALTED") })
        try rig.setTrading(isHalted: false)
        try rig.crash()
        #expect(rig.haltCauses.isEmpty)
        try rig.pass(until: "an entry", limit: .minutes(15)) {
            !rig.entries(since: batch).isEmpty
        }
        try rig.expectAllIsKnown()
    }

    /// Positions are closed, stops and targets with them, and cash is the gateway's.
    @Test func positionsAreClosed() throws {
        let rig = try SessionRig.withProtection(SessionRig.ending(.flatten, SessionRig.protected))
        let report = try rig.end(within: .seconds(60))
        #expect(report.isComplete && report.orders.isEmpty && report.positions.isEmpty)
        #expect(try rig.symbols.allSatisfy { try rig.gatewayPosition($0) == .zero })
        #expect(try rig.workingAtGateway().isEmpty)
        #expect(try rig.differences().isEmpty)
        #expect(
            rig.instructions.map(\.action) == [.halt, .flatten(.all), .resume(.operatorRequest)])
        try rig.expectVerifiedJournal("flattened")
    }

    /// Without a link nothing can be cancelled: at the deadline the orders are named, and their cancels leave at the next
    /// start.
    @Test func withoutALinkOrdersAreNamed() throws {
        let rig = try SessionRig.withRestingEntry()
        let entries = rig.working(.entry)
        try rig.gateway.fault(#"{"do":"restart","seconds":60}"#)
        try rig.pass(.seconds(2))
        let begun = rig.now
        let report = try rig.end(within: .seconds(10))
        #expect(rig.now - begun >= .seconds(10) && rig.now - begun < .seconds(11))
        #expect(report.entries.map(\.number) == entries.map(\.number))
        let words = try #require(report.shortfall)
        #expect(words.contains("The link to the broker is"))
        for order in entries { #expect(words.contains("order \(order.number) (entry, buy")) }
        #expect(words.contains("cancel requested, waits for the link"))
        try rig.crash()
        try rig.pass(until: "a link", limit: .minutes(5)) {
            rig.driver.status(at: rig.now).link == .ready
        }
        try rig.pass(.seconds(5))
        let orders = try rig.gatewayOrders().filter(\.isOurs)
        #expect(orders.count { $0.status == "Cancelled" } == entries.count)
        #expect(rig.haltCauses.isEmpty)
    }

    /// Without a link nothing is closed behind the user's back later: what is held keeps its stop.
    @Test func withoutALinkPositionsKeepTheirStops() throws {
        let rig = try SessionRig.withProtection(SessionRig.ending(.flatten, SessionRig.protected))
        try rig.gateway.fault(#"{"do":"restart","seconds":60}"#)
        try rig.pass(.seconds(2))
        let report = try rig.end(within: .seconds(20))
        #expect(report.shortfall?.contains("This is still held: ") == true)
        #expect(!rig.instructions.contains { $0.action == .flatten(.all) })
        try rig.expectStops()
    }

    /// A link that comes back before the deadline is used.
    @Test func aLinkThatComesBackIsUsed() throws {
        let rig = try SessionRig.withProtection(SessionRig.ending(.flatten, SessionRig.protected))
        try rig.gateway.fault(#"{"do":"restart","seconds":20}"#)
        try rig.pass(.seconds(2))
        let report = try rig.end(within: .seconds(120))
        #expect(report.isComplete)
        #expect(try rig.symbols.allSatisfy { try rig.gatewayPosition($0) == .zero })
    }

    /// While the market is closed nothing can be closed: that is said, and not waited for.
    @Test func aClosedMarketIsNotWaitedFor() throws {
        // 2024-03-04, a Monday, 15:40 in New York.
        let rig = try SessionRig(
            SessionRig.ending(.flatten, SessionRig.protected),
            at: Timestamp(seconds: 1_709_584_800), keepsHistory: true)
        try rig.pass(until: "protection") { !rig.working(.protection).isEmpty }
        let calendar = rig.settings.backtest.calendar
        let today = calendar.day(of: rig.now)
        try rig.pass(to: calendar.close(on: today) + .minutes(2))
        _ = try rig.heldName()
        let begun = rig.now
        let report = try rig.end(within: .seconds(60))
        #expect(rig.now - begun < .seconds(5))
        let open = calendar.open(on: today.advanced(by: 1))
        #expect(report.shortfall?.contains("The market is closed until \(open)") == true)
        #expect(!rig.instructions.contains { $0.action == .flatten(.all) })
        try rig.expectStops()
    }

    /// What the broker does not answer ends with the deadline, by the order's number and state.
    @Test func theDeadlineEndsIt() throws {
        let rig = try SessionRig.withRestingEntry()
        let entry = try #require(rig.working(.entry).first)
        try rig.gateway.fault(#"{"do":"swallow","kinds":["cancelOrder"],"seconds":600}"#)
        let begun = rig.now
        let report = try rig.end(within: .seconds(10))
        #expect(rig.now - begun >= .seconds(10) && rig.now - begun < .seconds(11))
        let words = try #require(report.shortfall)
        #expect(words.contains("order \(entry.number) (entry, buy"))
        #expect(words.contains(": cancel requested)"))
    }

    /// What does not trade is not closed within the deadline: it is named, with the order that works for it.
    @Test func whatDoesNotTradeIsNamed() throws {
        let rig = try SessionRig.withProtection(SessionRig.ending(.flatten, SessionRig.protected))
        let (symbol, held) = (try rig.heldName(), try rig.held(rig.heldSymbol()))
        try rig.setTrading(isHalted: true)
        let report = try rig.end(within: .seconds(60))
        let words = try #require(report.shortfall)
        #expect(words.contains("\(held) \(symbol)"))
        #expect(report.positions.contains { $0.symbol == symbol && $0.quantity == held })
        #expect(try rig.gatewayPosition(symbol) == held)
    }

    /// While it ends nothing is opened, whatever is commanded, and a halt of the user's own stays.
    @Test func nothingIsOpenedMeanwhile() throws {
        let rig = try SessionRig.withRestingEntry()
        try rig.gateway.fault(#"{"do":"swallow","kinds":["cancelOrder"],"seconds":600}"#)
        rig.driver.end(by: rig.now + .seconds(30))
        #expect(!rig.driver.mayEnd(at: rig.now))
        let batch = rig.history.batches.count
        for cause in ["halt", "all"] {
            let answer = try rig.order("resume", #""cause":"\#(cause)""#)
            #expect(answer["exit"] == .integer(5))
            #expect(answer["error"]?.text.contains("The session ends") == true)
        }
        #expect(rig.haltCauses == [.operatorRequest])
        try rig.order("halt")
        try rig.pass(.seconds(31))
        #expect(rig.driver.mayEnd(at: rig.now))
        #expect(rig.entries(since: batch).isEmpty)
        #expect(rig.haltCauses == [.operatorRequest])
        #expect(rig.driver.takeAlarms().allSatisfy { !$0.text.contains("HALTED") })
    }

    /// A halt from before is not lifted by an end.
    @Test func aHaltFromBeforeStays() throws {
        let rig = try SessionRig.withRestingEntry()
        try rig.order("halt")
        let report = try rig.end(within: .seconds(10))
        #expect(report.isComplete)
        #expect(rig.instructions.map(\.action) == [.halt, .cancel(.all)])
        try rig.crash()
        try rig.pass(.seconds(5))
        #expect(rig.haltCauses == [.operatorRequest])
    }
}

extension SessionRig {
    /// A configuration with an exit policy.
    static func ending(
        _ policy: SystemSettings.ExitPolicy, _ configuration: String = SessionRig.rotation
    ) -> String { configuration + "\nsystem: {exit_policy: \(policy.rawValue)}" }

    /// Ends the session as its exit policy says.
    ///
    /// - Parameter limit: its deadline.
    fileprivate func end(within limit: Duration) throws -> SessionEndReport {
        driver.end(by: now + limit)
        while !driver.mayEnd(at: now) { try pass(Gateway.step) }
        try driver.finish()
        return try #require(driver.endReport)
    }

    /// By the gateway's ledger what is held has a stop for each share, and something is held.
    fileprivate func expectStops() throws {
        let stops = try workingAtGateway().filter { $0.type == "STP" && !$0.isBuy }
        _ = try heldName()
        for symbol in symbols {
            let stopped = stops.filter { $0.symbol == symbol }.reduce(Quantity.zero) {
                $0 + $1.remaining
            }
            #expect(try stopped == gatewayPosition(symbol), "\(symbol)")
        }
    }
}
