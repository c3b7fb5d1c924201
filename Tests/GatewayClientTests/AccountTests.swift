import GatewayTestSupport
import ClientTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Positions, account values and profit at a simulated gateway, at every ceiling.
@Suite struct AccountTests {
    /// A rig with 100 shares of Apple.
    private func invested(_ version: Int) async throws -> (TradingRig, AppleCounter) {
        let rig = try await TradingRig.open(version: version)
        let apple = try await AppleCounter(rig)
        let order = try apple.place(.buy, 100, .market(for: .day))
        try await rig.wait(for: order, .filled)
        try await rig.gateway.wait("costs") {
            rig.costs(of: order).count == rig.fills(of: order).count
        }
        return (rig, apple)
    }

    @Test(arguments: ceilings)
    func positionsAreReportedAndFollowed(version: Int) async throws {
        let (rig, apple) = try await invested(version)
        let client = rig.client
        let held = try await rig.gateway.finishInTime { try await client.positions() }
        #expect(held.map(\.contract.conId) == [265_598])
        #expect(held.map(\.position) == [100])
        #expect(held.allSatisfy { $0.account == "DU1234567" && ($0.avgCost ?? 0) > .zero })
        let read = Reading(client.positionUpdates())
        try await rig.gateway.wait("the position") { read.data().map(\.position) == [100] }
        let sold = try apple.place(.sell, 100, .market(for: .day))
        try await rig.wait(for: sold, .filled)
        try await rig.gateway.wait("no position") { read.data().last?.position == .zero }
        let remainder = try await rig.gateway.finishInTime { try await client.positions() }
        #expect(remainder.isEmpty)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func summaryAndSnapshotAgree(version: Int) async throws {
        let (rig, _) = try await invested(version)
        let client = rig.client
        let summary = try await rig.gateway.finishInTime { try await client.accountSummary() }
        let values = Dictionary(summary.map { ($0.tag, $0.value) }, uniquingKeysWith: { $1 })
        for tag in ["NetLiquidation", "TotalCashValue", "BuyingPower", "AccountType"] {
            #expect(values[tag] != nil, "\(tag)")
        }
        let snapshot = try await rig.gateway.finishInTime { try await client.accountSnapshot() }
        let published = try #require(DecimalValue(values["NetLiquidation"] ?? ""))
        #expect(snapshot.number("NetLiquidation") == published)
        #expect(snapshot.number("TotalCashValue") == DecimalValue(values["TotalCashValue"] ?? ""))
        let position = try #require(snapshot.positions.first)
        #expect(position.contract.conId == 265_598 && position.position == 100)
        #expect(rig.gateway.received(.cancelAccountSummary).count == 1)
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func accountUpdatesFollowAFill(version: Int) async throws {
        let (rig, apple) = try await invested(version)
        let read = Reading(rig.client.accountUpdates())
        try await rig.gateway.wait("the first set") {
            read.data().contains(.complete("DU1234567"))
        }
        let sold = try apple.place(.sell, 40, .market(for: .day))
        try await rig.wait(for: sold, .filled)
        try await rig.gateway.wait("the new position", limit: .minutes(4)) {
            read.data().contains {
                if case .position(let value) = $0 { value.position == 60 } else { false }
            }
        }
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func profitIsFollowed(version: Int) async throws {
        let (rig, apple) = try await invested(version)
        let all = Reading(rig.client.profitAndLoss(apple.account))
        let one = Reading(rig.client.profitAndLoss(apple.account, of: 265_598))
        try await rig.gateway.wait("profit") {
            all.data().count >= 2 && !one.data().isEmpty
        }
        let profits: [Pnl] = all.data()
        #expect(profits.allSatisfy { $0.dailyPnL != nil && $0.unrealizedPnL != nil })
        let positions: [PnlSingle] = one.data()
        #expect(positions.allSatisfy { $0.position == 100 && ($0.value ?? 0) > .zero })
        rig.checkCalm()
    }
}
