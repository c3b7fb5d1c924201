import GatewaySimulator
import TWSProtocol
import Testing

@Suite struct DisplayGroupTests {
    private let rig = GatewayRig()

    private func subscribe(_ client: ScriptedClient, _ id: RequestID, to group: Int32) {
        var request = SubscribeToGroupEvents()
        request.reqId = id
        request.groupId = group
        client.send(.subscribeToGroupEvents(request))
    }

    private func update(_ client: ScriptedClient, _ id: RequestID, _ contract: String) {
        var request = UpdateDisplayGroup()
        request.reqId = id
        request.contractInfo = contract
        client.send(.updateDisplayGroup(request))
    }

    private func contracts(_ client: ScriptedClient) -> [String] {
        client.take().compactMap {
            guard case .displayGroupUpdated(let update) = $0 else { return nil }
            return "\(update.reqId) \(update.contractInfo)"
        }
    }

    @Test func whatOneClientSetsAllSubscribersOfTheGroupAreReported() {
        let first = rig.begin(as: 1)
        let second = rig.begin(as: 2)
        first.take()
        second.take()
        subscribe(first, 10, to: 1)
        subscribe(second, 20, to: 1)
        subscribe(second, 21, to: 2)
        #expect(contracts(first) == ["10 none"])
        #expect(contracts(second) == ["20 none", "21 none"])
        update(first, 10, "265598@SMART")
        #expect(contracts(first) == ["10 265598@SMART"])
        #expect(contracts(second) == ["20 265598@SMART"])
        // Whoever comes later is told what is set.
        let third = rig.begin(as: 3)
        third.take()
        subscribe(third, 1, to: 1)
        #expect(contracts(third) == ["1 265598@SMART"])
        var end = UnsubscribeFromGroupEvents()
        end.reqId = 20
        second.send(.unsubscribeFromGroupEvents(end))
        third.leave()
        update(first, 10, "none")
        #expect(contracts(first) == ["10 none"])
        #expect(contracts(second).isEmpty)
    }

    @Test func groupsAreListed() {
        let client = rig.begin(as: 1)
        client.take()
        var query = QueryDisplayGroups()
        query.reqId = 3
        client.send(.queryDisplayGroups(query))
        var list = DisplayGroupList()
        list.reqId = 3
        list.groups = "1|2|3|4|5|6|7"
        #expect(client.take() == [.displayGroupList(list)])
    }

    @Test func wrongGroupsNumbersAndContractsAreRefused() {
        let client = rig.begin(as: 1)
        client.take()
        subscribe(client, 1, to: 8)
        update(client, 1, "none")
        subscribe(client, 1, to: 7)
        subscribe(client, 1, to: 6)
        for contract in ["", "@", "AAPL@SMART", "1@", "1@A@B", "-1@SMART"] {
            update(client, 1, contract)
        }
        #expect(client.codes == Array(repeating: 321, count: 9))
    }

    @Test func softDollarTiersAreNone() {
        let client = rig.begin(as: 1)
        client.take()
        var request = ReqSoftDollarTiers()
        request.reqId = 4
        client.send(.reqSoftDollarTiers(request))
        var tiers = SoftDollarTiers()
        tiers.reqId = 4
        #expect(client.take() == [.softDollarTiers(tiers)])
    }
}
