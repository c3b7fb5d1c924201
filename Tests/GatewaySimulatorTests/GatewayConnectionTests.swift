import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct GatewayConnectionTests {
    @Test func nothingIsSentBetweenGreetingAndStart() {
        let gateway = Gateway(settings: GatewaySettings(start: Timestamp(seconds: 1_700_000_000)))
        gateway.connected(ConnectionID(number: 1))
        let hello: [UInt8] = Array("API\0".utf8) + [0, 0, 0, 9] + Array("v157..200".utf8)
        hello.withUnsafeBytes { gateway.received($0, from: ConnectionID(number: 1)) }
        let outputs = gateway.takeOutputs()
        #expect(outputs.count == 1)
        guard case .send(_, let bytes)? = outputs.first else { return }
        #expect(bytes.dropFirst(4).starts(with: Array("200\0".utf8)))
    }
}
