import ClientTestSupport
import Logging
import Primitives
import TWSProtocol
import Testing

@testable import TWSClient

/// What a client writes down about its connection.
@Suite struct ClientLogTests {
    /// One line for each change of the link, with its cause and how long the state before it
    /// lasted.
    @Test func everyChangeOfTheLinkIsOneLine() async throws {
        let gateway = ScriptedGateway { $0.latency = .milliseconds(250) }
        let log = RecordedLog()
        let client = gateway.client(log: log) { $0.session.placesOrders = true }
        let call = Started(on: gateway.clock) { try await client.connect() }
        try await gateway.clock.run(until: "an attempt") { gateway.connection == 1 }
        gateway.clock.advance(by: .seconds(3))
        try await call.value()
        gateway.send(code: 1100)
        gateway.clock.advance(by: .seconds(10))
        gateway.drop("reset")
        gateway.clock.run()
        let lines = log.lines.filter { $0.message == "Link" }
        #expect(
            lines.map { $0.metadata["state"] } == [
                "HANDSHAKE", "SYNC", "READY", "UPSTREAM_LOST", "DOWN",
            ])
        #expect(
            lines.map { $0.metadata["cause"] } == [
                "connection", "connection", "positions read", "code 1100", "reset",
            ])
        // Half a second there and back for the versions, another for the start, another for
        // answers.
        #expect(lines.map { $0.metadata["after_ms"] }.prefix(3) == [nil, "1000", "500"])
        #expect(lines[4].metadata["after_ms"] == "9750")
        #expect(lines.allSatisfy { $0.level == .notice })
    }

    @Test func aDisconnectionNamesItsCauseAndTheNextAttempt() async throws {
        let gateway = ScriptedGateway { $0.welcome = .refuses }
        let log = RecordedLog()
        let client = gateway.client(log: log)
        let call = Started(on: gateway.clock) { try await client.connect(limit: .seconds(1)) }
        try await gateway.clock.run(until: "a line") {
            log.lines.contains { $0.message == "Disconnected" }
        }
        let line = try #require(log.lines.first { $0.message == "Disconnected" })
        #expect(line.level == .warning)
        #expect(line.metadata["cause"] == "connection refused")
        let wait = try #require(line.metadata["next_attempt_ms"].flatMap { Int($0) })
        #expect((960...1_000).contains(wait))
        client.close()
        _ = try await call.error()
    }

    @Test func whatTheGatewayReportsIsLoggedWithoutAccounts() async throws {
        let gateway = ScriptedGateway()
        let log = RecordedLog()
        let client = gateway.client(log: log)
        try await gateway.finish { try await client.connect() }
        gateway.send(code: 2148, "a word about account U1234567")
        gateway.send(code: 1100)
        gateway.clock.run()
        let lines = log.lines.filter { $0.message == "The gateway says" }
        #expect(lines.map { $0.metadata["code"] } == ["2148", "1100"])
        #expect(lines.map(\.level) == [.warning, .notice])
        #expect(!log.lines.contains { "\($0)".contains("U1234567") })
    }
}
