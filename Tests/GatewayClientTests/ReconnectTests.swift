import ClientTestSupport
import GatewayTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Connections to a simulated gateway that end and come back, at every ceiling.
@Suite struct ReconnectTests {
    @Test(arguments: ceilings)
    func droppedConnectionComesBackToItsOrders(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let client = rig.client
        let quotes = Reading(client.quotes(apple.contract))
        try await rig.gateway.wait("quotes") { !quotes.data().isEmpty }
        let order = try apple.place(
            .buy, 7, .limit(try apple.bid(percent: 60), for: .goodTillCancelled), "stays")
        try await rig.waitToWork(order)
        let perm = try #require(rig.messages(of: order).last).permId

        try rig.gateway.fault(#"{"do":"drop"}"#)
        try await rig.gateway.wait("the second session is ready") {
            rig.gateway.connection == 2 && client.linkState == .ready
        }
        #expect(try #require(client.nextOrderID) > order)
        #expect(try client.orderNumbers(1) > order)
        let open = try await rig.gateway.finishInTime { try await client.openOrders() }
        #expect(open.map(\.order.permId) == [perm])
        #expect(open.map(\.order.order.orderRef) == ["stays"])
        #expect(open.map(\.order.orderId) == [order])
        // The quotes were asked for once more, and their reader knows of the hole.
        let seen = quotes.data().count
        try await rig.gateway.wait("quotes again") { quotes.data().count > seen }
        #expect(quotes.gaps() == [.disconnected])
        #expect(rig.gateway.received(.reqMktData, in: 2).count == 1)
        // Nothing was ordered anew.
        #expect(rig.gateway.received(.placeOrder).count == 1)
        try await rig.cancel(order)
    }

    @Test(arguments: ceilings)
    func nextProgramFindsTheOrdersOfTheLast(version: Int) async throws {
        let gateway = SimulatedGateway(version: version)
        let first = TradingRig(gateway)
        try await first.connect()
        let apple = try await AppleCounter(first)
        let resting = try apple.place(
            .buy, 7, .limit(try apple.bid(percent: 60), for: .goodTillCancelled), "stays")
        try await first.waitToWork(resting)
        let filled = try apple.place(.buy, 3, .market(for: .day), "filled")
        try await first.wait(for: filled, .filled)
        first.client.close()
        await gateway.pass(.seconds(30))

        let second = TradingRig(gateway)
        try await second.connect()
        // What the session reads by itself has all of it.
        #expect(second.messages(of: resting).last?.order.orderRef == "stays")
        #expect(second.fills(of: filled).map(\.shares).total == 3)
        let completed = second.orders.elements.compactMap {
            if case .completed(let order) = $0 { order.order.orderRef } else { nil }
        }
        #expect(completed == ["filled"])
        let next = try second.client.orderNumbers(1)
        #expect(next > filled)
        try await second.cancel(resting)
        second.checkCalm(provoked: [202])
    }

    /// Whatever leaves the line open and silent: a client that ends goes in order, and another number
    /// trades on beside it.
    @Test func twoClientsTradeSideBySide() async throws {
        let gateway = SimulatedGateway()
        let first = TradingRig(gateway)
        let second = TradingRig(gateway) { $0.session.clientID = 8 }
        try await first.connect()
        try await second.connect()
        let (mine, theirs) = try await (AppleCounter(first), AppleCounter(second))
        let own = try mine.place(.buy, 10, .market(for: .day), "mine")
        let other = try theirs.place(.buy, 5, .market(for: .day), "theirs")
        try await first.wait(for: own, .filled)
        try await second.wait(for: other, .filled)
        #expect(first.fills(of: own).allSatisfy { $0.clientId == 7 && $0.orderRef == "mine" })
        #expect(second.fills(of: other).allSatisfy { $0.clientId == 8 })
        first.client.close()
        let client = second.client
        let held = try await gateway.finishInTime { try await client.positions() }
        #expect(held.map(\.position) == [15])
        second.checkCalm()
    }
}
