import ClientTestSupport
import GatewaySimulator
import GatewayTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// A session's begin and end at a simulated gateway, at every ceiling.
@Suite struct ConnectionTests {
    @Test(arguments: ceilings)
    func sessionBeginsAndIsReady(version: Int) async throws {
        let rig = TradingRig(SimulatedGateway(version: version))
        try await rig.connect()
        #expect(rig.client.serverVersion?.number == version)
        #expect(rig.client.accounts == ["DU1234567"])
        #expect(rig.client.nextOrderID == 1)
        #expect(rig.client.linkState == .ready)
        #expect(rig.gateway.connection == 1)
        try await rig.gateway.wait("farms are announced") {
            Set(rig.sessionCodes).isSuperset(of: [2104, 2106, 2158])
        }
        rig.checkCalm()
    }

    @Test(arguments: ceilings)
    func gatewaysClockIsTheSessions(version: Int) async throws {
        let rig = try await TradingRig.open(version: version)
        let client = rig.client
        await rig.gateway.pass(.seconds(90))
        let reading = try await rig.gateway.finishInTime { try await client.clockReading() }
        #expect(abs(reading.skew.nanoseconds) <= reading.resolution.nanoseconds)
        #expect(reading.resolution == (version >= 197 ? .milliseconds(1) : .seconds(1)))
        // The zone of the greeting is New York's: 10:00 plus what passed.
        let wall = WireTime.WallClock(day: SimulatedGateway.tuesday.day, second: 36_000)
        #expect(
            client.clock.timestamp(of: .wall(wall, zone: "")) == SimulatedGateway.tuesday)
        rig.checkCalm()
    }

    /// Idle minutes: the client's own questions for the clock keep the line alive, and nothing else is
    /// asked or told.
    @Test func idleLineIsNoSilence() async throws {
        let rig = try await TradingRig.open()
        await rig.gateway.pass(.minutes(10))
        #expect(rig.client.linkState == .ready)
        #expect(rig.gateway.connection == 1)
        let silences = rig.link.elements.filter { if case .silence = $0 { true } else { false } }
        #expect(silences.isEmpty)
        rig.checkCalm()
    }

    @Test func secondClientOfANumberWaitsForTheFirst() async throws {
        let rig = try await TradingRig.open()
        let second = TradingRig(rig.gateway)
        let client = second.client
        let connecting = Started(on: rig.gateway.clock) { try await client.connect() }
        try await rig.gateway.wait("the number is refused") {
            second.link.elements.contains {
                if case .disconnected(.clientIDInUse(7), _) = $0 { true } else { false }
            }
        }
        rig.client.close()
        try await rig.gateway.wait("the second client begins") { connecting.isDone }
        try await connecting.value()
        #expect(second.client.accounts == ["DU1234567"])
    }
}
