import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct GatewayConnectionTests {
    @Test func nothingIsSentBetweenGreetingAndStart() {
        let gateway = Gateway(
            settings: SimulatedGatewaySettings(start: Timestamp(seconds: 1_700_000_000)))
        gateway.connected(ConnectionID(number: 1))
        let hello: [UInt8] = Array("API\0".utf8) + [0, 0, 0, 9] + Array("v157..200".utf8)
        hello.withUnsafeBytes { gateway.received($0, from: ConnectionID(number: 1)) }
        let outputs = gateway.takeOutputs()
        #expect(outputs.count == 1)
        guard case .send(_, let bytes)? = outputs.first else {
            Issue.record("no send")
            return
        }
        #expect(bytes.dropFirst(4).starts(with: Array("200\0".utf8)))
    }

    private func errors(_ client: ScriptedClient) -> [ErrorMessage] {
        client.messages.compactMap {
            guard case .error(let error) = $0 else { return nil }
            return error
        }
    }

    /// 2024-03-05 10:00:02.25 in New York.
    @Test(
        arguments: [(193, nil), (194, 1_709_650_802_250), (200, 1_709_650_802_250)]
            as [(Int, Int64?)])
    func codesAreReportedWithTheSessionsTimeSinceVersion194(version: Int, time: Int64?) {
        let rig = GatewayRig()
        rig.pass(.milliseconds(2_250))
        let client = rig.begin(as: 1, version: version)
        var details = ReqContractDetails()
        details.reqId = 7
        details.contract = .stock("NOTLISTED")
        client.send(.reqContractDetails(details))
        var order = Order()
        order.action = .buy
        order.orderType = .market
        client.send(.placeOrder(PlaceOrder(1, .stock("AAPL"), order)))
        _ = rig.gateway.control(#"{"do":"code","code":2137}"#)
        rig.deliver()
        #expect(client.codes == [2104, 2106, 2158, 200, 434, 2137])
        #expect(errors(client).allSatisfy { $0.errorTime == time })
        #expect(client.rejected.isEmpty)
    }

    @Test func codeThatComesLateKeepsTheTimeAtWhichItWasMeant() {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        _ = rig.gateway.control(#"{"do":"hold","kinds":["error"],"seconds":5}"#)
        var details = ReqContractDetails()
        details.contract = .stock("NOTLISTED")
        client.send(.reqContractDetails(details))
        rig.pass(.seconds(5))
        #expect(errors(client).map(\.errorTime) == [1_709_650_800_000])
    }

    @Test func clockThatIsAheadIsSeenInCodes() {
        let rig = GatewayRig()
        _ = rig.gateway.control(#"{"do":"clock","ahead":45}"#)
        let client = rig.begin(as: 1)
        #expect(
            errors(client).map(\.errorTime) == Array(repeating: 1_709_650_845_000, count: 3))
    }
}
