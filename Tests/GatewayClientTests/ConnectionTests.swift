import ClientTestSupport
import GatewaySimulator
import Primitives
import TWSClient
import TWSProtocol
import Testing

/// A session's begin and end at a simulated gateway, at every ceiling.
@Suite struct ConnectionTests {
    @Test(arguments: ceilings)
    func sessionBeginsAndIsReady(version: Int) async throws {
        let desk = TradingDesk(SimulatedGateway(version: version))
        try await desk.connect()
        #expect(desk.client.serverVersion?.number == version)
        #expect(desk.client.accounts == ["DU1234567"])
        #expect(desk.client.nextOrderID == 1)
        #expect(desk.client.linkState == .ready)
        #expect(desk.gateway.connection == 1)
        try await desk.gateway.wait("farms are announced") {
            Set(desk.sessionCodes).isSuperset(of: [2104, 2106, 2158])
        }
        desk.checkCalm()
    }

    @Test(arguments: ceilings)
    func gatewaysClockIsTheSessions(version: Int) async throws {
        let desk = try await TradingDesk.open(version: version)
        let client = desk.client
        await desk.gateway.pass(.seconds(90))
        let reading = try await desk.gateway.finishInTime { try await client.clockReading() }
        #expect(abs(reading.skew.nanoseconds) <= reading.resolution.nanoseconds)
        #expect(reading.resolution == (version >= 197 ? .milliseconds(1) : .seconds(1)))
        // The zone of the greeting is New York's: 10:00 plus what passed.
        let wall = WireTime.WallClock(day: SimulatedGateway.tuesday.day, second: 36_000)
        #expect(
            client.clock.instant(of: .wall(wall, zone: "")) == SimulatedGateway.tuesday)
        desk.checkCalm()
    }

    /// Idle minutes: the client's own questions for the clock keep the line alive, and nothing else is
    /// asked or told.
    @Test func idleLineIsNoSilence() async throws {
        let desk = try await TradingDesk.open()
        await desk.gateway.pass(.minutes(10))
        #expect(desk.client.linkState == .ready)
        #expect(desk.gateway.connection == 1)
        let silences = desk.link.elements.filter { if case .silence = $0 { true } else { false } }
        #expect(silences.isEmpty)
        desk.checkCalm()
    }

    @Test func secondClientOfANumberWaitsForTheFirst() async throws {
        let desk = try await TradingDesk.open()
        let second = TradingDesk(desk.gateway)
        let client = second.client
        let connecting = Started(on: desk.gateway.clock) { try await client.connect() }
        try await desk.gateway.wait("the number is refused") {
            second.link.elements.contains {
                if case .disconnected(.clientIDInUse(7), _) = $0 { true } else { false }
            }
        }
        desk.client.close()
        try await desk.gateway.wait("the second client begins") { connecting.isDone }
        try await connecting.value()
        #expect(second.client.accounts == ["DU1234567"])
    }
}
