import ClientTestSupport
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// The tests' own gateway does what the tests rely on.
@Suite struct ScriptedGatewayTests {
    @Test func clientConnectsAndSynchronises() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        #expect(client.linkState == .ready)
        #expect(client.accounts == ["DU1234567"])
        #expect(client.serverVersion == .newest)
        #expect(
            gateway.received.map(\.message.kind) == [
                .reqOpenOrders, .reqAllOpenOrders, .reqCompletedOrders, .reqExecutions,
                .reqPositions,
            ])
        #expect(gateway.unreadable.isEmpty)
    }

    @Test func aSlowGatewayInPiecesIsUnderstood() async throws {
        let gateway = ScriptedGateway {
            $0.latency = .seconds(2)
            $0.pieceMax = 1
        }
        let client = gateway.client { $0.session.placesOrders = true }
        let call = Started(on: gateway.clock) { try await client.connect() }
        try await gateway.clock.run(until: "an attempt") { !gateway.attempts.isEmpty }
        // Versions and the start each take a way there and a way back.
        gateway.clock.advance(by: .seconds(8))
        try await call.value()
        gateway.clock.advance(by: .seconds(4))
        #expect(client.linkState == .ready)
    }

    @Test func timersFireInTheirOrder() {
        let loop = ManualLoop()
        let order = Mutex<[Int]>([])
        let start = loop.now
        _ = loop.schedule(at: start + .seconds(2)) { order.withLock { $0.append(2) } }
        _ = loop.schedule(at: start + .seconds(1)) {
            order.withLock { $0.append(1) }
            loop.execute { order.withLock { $0.append(11) } }
        }
        let called = loop.schedule(at: start + .seconds(1)) { order.withLock { $0.append(0) } }
        called.cancel()
        loop.advance(by: .seconds(1))
        #expect(order.withLock { $0 } == [1, 11])
        #expect(loop.now == start + .seconds(1))
        loop.advance(by: .seconds(5))
        #expect(order.withLock { $0 } == [1, 11, 2])
    }
}
