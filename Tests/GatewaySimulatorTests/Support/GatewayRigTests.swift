import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct GatewayRigTests {
    @Test(arguments: [157, 163, 178, 200])
    func clientShakesHandsAndBegins(version: Int) {
        let rig = GatewayRig()
        let client = rig.connect(version: version)
        #expect(client.greeting?.serverVersion == Int32(version))
        #expect(client.messages.isEmpty)
        client.start(as: 7)
        #expect(client.messages.contains { $0.kind == .managedAccounts })
        #expect(client.messages.contains { $0.kind == .nextValidId })
        #expect(client.codes == [2104, 2106, 2158])
        #expect(client.end == .none)
    }

    @Test func secondClientOfANumberIsTurnedAway() {
        let rig = GatewayRig()
        let first = rig.begin(as: 1)
        let second = rig.begin(as: 1)
        #expect(second.codes == [326])
        #expect(second.end == .closed)
        first.leave()
        #expect(rig.begin(as: 1).end == .none)
    }
}
