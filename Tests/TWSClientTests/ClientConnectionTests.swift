import ClientTestSupport
import Primitives
import Synchronization
import TWSProtocol
import Testing

@testable import TWSClient

/// Connecting, losing and closing, as a program sees it.
@Suite struct ClientConnectionTests {
    @Test func aRefusedConnectionIsNamed() async throws {
        let gateway = ScriptedGateway { $0.welcome = .refuses }
        let client = gateway.client { $0.session.reconnects = false }
        let call = Started(on: gateway.clock) { try await client.connect() }
        #expect(
            try await call.error() as? ClientError
                == .notConnected(.connection("connection refused")))
    }

    /// A program that wants to come back by itself is told the last cause, and keeps trying.
    @Test func connectingGivesUpWaitingAndNotTrying() async throws {
        let gateway = ScriptedGateway { $0.welcome = .refuses }
        let client = gateway.client()
        let call = Started(on: gateway.clock) { try await client.connect(limit: .seconds(5)) }
        try await gateway.clock.run(until: "an attempt") { gateway.attempts.count == 1 }
        await gateway.clock.settle()
        gateway.clock.advance(by: .seconds(5))
        #expect(
            try await call.error() as? ClientError
                == .notConnected(.connection("connection refused")))
        gateway.change { $0.welcome = .accepts }
        gateway.clock.advance(by: .seconds(30))
        #expect(client.linkState == .ready)
        client.close()
        gateway.clock.advance(by: .hours(1))
        #expect(gateway.connection == 1)
        #expect(!gateway.isConnected)
    }

    @Test func theLoginScreenIsNamed() async throws {
        let gateway = ScriptedGateway { $0.welcome = .staysSilent }
        let client = gateway.client { $0.session.reconnects = false }
        let call = Started(on: gateway.clock) { try await client.connect(limit: .minutes(2)) }
        try await gateway.clock.run(until: "an attempt") { gateway.connection == 1 }
        gateway.clock.advance(by: .seconds(45))
        let error = try await call.error() as? ClientError
        #expect(error == .notConnected(.noAnswer(awaiting: "answer to the handshake")))
        #expect(try #require(error).description.contains("login screen"))
    }

    @Test func anotherProgramOnThePortIsNamed() async throws {
        let gateway = ScriptedGateway { $0.firstWord = Array("HTTP/1.1 400 Bad Request".utf8) }
        let client = gateway.client { $0.session.reconnects = false }
        let call = Started(on: gateway.clock) { try await client.connect() }
        #expect(try await call.error() as? ClientError == .notConnected(.handshake(.notAGateway)))
    }

    @Test func aGatewayThatIsTooOldIsNamed() async throws {
        let gateway = ScriptedGateway { $0.versions = 157...162 }
        let client = gateway.client { $0.session.reconnects = false }
        let call = Started(on: gateway.clock) { try await client.connect() }
        // It shares no version with us and hangs up.
        #expect(try await call.error() as? ClientError == .notConnected(.closedByGateway))
        let old = ScriptedGateway { $0.versions = 170...176 }
        let fit = try await old.connectedClient()
        #expect(fit.serverVersion?.number == 176)
    }

    /// The gateway holds the last session's id for a minute: the same id is used, and no other.
    @Test func anIDThatIsHeldIsWaitedFor() async throws {
        let gateway = ScriptedGateway()
        gateway.change { $0.idsReservedUntil = gateway.clock.now + .seconds(60) }
        let client = gateway.client()
        let call = Started(on: gateway.clock) { try await client.connect(limit: .minutes(5)) }
        try await gateway.clock.run(until: "an attempt") { gateway.connection == 1 }
        gateway.clock.advance(by: .minutes(2))
        try await call.value()
        #expect((3...6).contains(gateway.connection))
        #expect(client.settings.session.clientID == 7)
    }

    @Test func everyChangeIsReportedInItsOrderBeforeTheNextConnection() async throws {
        let gateway = ScriptedGateway()
        let client = gateway.client { $0.session.placesOrders = true }
        let reading = Reading(client.connectionEvents())
        try await gateway.finish { try await client.connect() }
        gateway.clock.run()
        gateway.drop("reset")
        gateway.clock.advance(by: .seconds(2))
        try await gateway.clock.run(until: "two connections") {
            reading.links == [
                .handshake, .sync, .ready, .down, .handshake, .sync, .ready,
            ]
        }
        let index = reading.elements.firstIndex {
            if case .disconnected(.connection("reset"), .some) = $0 { true } else { false }
        }
        let down = reading.elements.firstIndex(
            of: .link(.down, cause: .fault(.connection("reset"))))
        #expect(try #require(index) == #require(down) + 1)
    }

    /// Half open: we write, nothing comes. Told in steps, then dropped and made anew.
    @Test(arguments: [
        [ScriptedGateway.Stall.toClient], [.toGateway], [.toClient, .toGateway],
    ])
    func aStalledLineIsNoticedAndMadeAnew(directions: [ScriptedGateway.Stall]) async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        let reading = Reading(client.connectionEvents())
        // The last word before the silence.
        gateway.send(code: 2108)
        gateway.clock.run()
        gateway.stall(Set(directions))
        gateway.clock.advance(by: .seconds(10))
        #expect(throws: ClientError.notSent(.link(.ready))) { try client.place(.numbered(1)) }
        gateway.clock.advance(by: .milliseconds(34_999))
        #expect(gateway.connection == 1)
        gateway.clock.advance(by: .seconds(2))
        #expect(gateway.connection == 2)
        #expect(client.linkState == .ready)
        try await gateway.clock.run(until: "the words") {
            reading.elements.contains(.silence(.stale))
                && reading.elements.contains(.silence(.alarm))
        }
        #expect(gateway.received(.placeOrder).isEmpty)
    }

    @Test func aStallThatEndsInTimeCostsNothing() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        gateway.stall()
        gateway.clock.advance(by: .seconds(40))
        gateway.resume()
        gateway.clock.advance(by: .seconds(40))
        #expect(gateway.connection == 1)
        #expect(client.linkState == .ready)
        try client.place(.numbered(1))
        gateway.clock.run()
        #expect(gateway.received(.placeOrder).count == 1)
    }

    /// Each end of the synchronisation is swallowed once: the session gets there all the same.
    @Test(arguments: [
        GatewayMessageKind.openOrderEnd, .completedOrdersEnd, .execDetailsEnd, .positionEnd,
    ])
    func aLostEndIsAskedForAgain(kind: GatewayMessageKind) async throws {
        let gateway = ScriptedGateway { $0.dropped = [kind] }
        let client = gateway.client { $0.session.placesOrders = true }
        let reading = Reading(client.connectionEvents())
        try await gateway.finish { try await client.connect() }
        gateway.clock.advance(by: .seconds(5))
        #expect(client.linkState == .sync)
        gateway.change { $0.dropped = [] }
        gateway.clock.advance(by: .seconds(6))
        #expect(client.linkState == .ready)
        gateway.change { $0.dropped = [kind] }
        gateway.drop()
        gateway.clock.advance(by: .seconds(50))
        #expect(client.linkState == .sync)
        try await gateway.clock.run(until: "the alarm") {
            reading.elements.contains {
                if case .syncStalled(let missing) = $0 { missing.count == 1 } else { false }
            }
        }
    }

    @Test func connectingTwiceIsConnectingOnce() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.connectedClient()
        try await gateway.finish { try await client.connect() }
        #expect(gateway.connection == 1)
        // The clock of the first goes on: a silent line is still noticed.
        gateway.stall()
        gateway.clock.advance(by: .seconds(50))
        #expect(gateway.connection == 2)
    }

    @Test func aClientThatIsLetGoCloses() async throws {
        let gateway = ScriptedGateway()
        var client: GatewayClient? = try await gateway.connectedClient()
        #expect(client != nil)
        client = nil
        try await gateway.clock.run(until: "the end") { !gateway.isConnected }
    }

    @Test func garbageDropsTheConnectionAndItComesBack() async throws {
        let gateway = ScriptedGateway()
        let client = try await gateway.readyClient()
        gateway.send(bytes: [UInt8](repeating: 0xff, count: 8_192))
        gateway.clock.advance(by: .seconds(2))
        #expect(gateway.connection == 2)
        #expect(client.linkState == .ready)
    }
}

extension Reading where Element == ConnectionEvent {
    /// The states of the link, as they were told.
    var links: [LinkState] {
        elements.compactMap { if case .link(let state, _) = $0 { state } else { nil } }
    }
}
