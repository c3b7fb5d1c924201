import GatewaySimulator
import Model
import Primitives
import TWSProtocol
import Testing

/// Accounts over the wire.
@Suite struct GatewayAccountTests {
    @Test(arguments: [163, 178, 200])
    func clientReadsWhatItsAccountHolds(version: Int) throws {
        let rig = GatewayRig()
        try buyApple(rig)
        let client = rig.begin(as: 1, version: version)
        client.take()
        client.send(.reqPositions(ReqPositions()))
        let published = client.take()
        #expect(published.map(\.kind) == [.position, .positionEnd])
        guard case .position(let position) = published.first else {
            Issue.record("no position")
            return
        }
        #expect(position.account == "DU1234567")
        #expect(position.contract.conId == 265_598)
        #expect(position.contract.exchange == "NASDAQ")
        #expect(position.position == 10)
        #expect(position.avgCost == 170.1)

        var request = ReqAccountUpdates()
        request.subscribe = true
        client.send(.reqAccountUpdates(request))
        #expect(client.messages.contains { $0.kind == .portfolioValue })
        #expect(client.messages.last?.kind == .accountDownloadEnd)
        #expect(client.rejected.isEmpty)
    }

    private func buyApple(_ rig: GatewayRig) throws {
        let contracts = rig.gateway.contracts
        let id = try #require(contracts.id(ofSymbol: "AAPL"))
        var fill = AccountFill(
            "0000e0d5.65e73c80.01.01", .buy, Quantity(shares: 10),
            of: AccountInstrument(contracts[id]),
            at: Price(cents: 17_000), time: rig.now)
        fill.commission = Money(cents: 100)
        try rig.gateway.change(by: .fill(fill))
    }

    @Test func ledgersOutliveTheGateway() throws {
        let rig = GatewayRig()
        try buyApple(rig)
        #expect(rig.gateway.stateRevision == 1)
        let next = GatewayRig()
        try next.gateway.restore(rig.gateway.state)
        #expect(
            next.gateway.accounts.ledgers.map(\.report)
                == rig.gateway.accounts.ledgers.map(\.report))
        let other = GatewayRig { $0.accounts = ["DU7"] }
        #expect(throws: AccountFault.unknownAccount("DU1234567")) {
            try other.gateway.restore(rig.gateway.state)
        }
    }

    @Test func currenciesAreWorthWhatTheirPairsState() throws {
        let contracts = GatewayContractDatabase(on: Day(number: 19_787))
        let euro = try #require(contracts.id(ofSymbol: "EUR.USD"))
        let yen = try #require(contracts.id(ofSymbol: "USD.JPY"))
        let view = AccountView(of: contracts) { id in
            if id == euro {
                Price(cents: 108)
            } else if id == yen {
                Price(cents: 15_000)
            } else {
                nil
            }
        }
        #expect(view.rate("EUR") == Price(cents: 108))
        // 1 / 150, rounded down to 10^-8.
        #expect(view.rate("JPY") == Price(units: 666_666))
        #expect(view.rate("ZZZ") == nil)
    }
}
