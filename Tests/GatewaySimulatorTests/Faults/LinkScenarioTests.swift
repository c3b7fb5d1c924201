import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// Scripts of links, ports and logins, as a client sees them.
@Suite struct LinkScenarioTests {
    private func play(_ name: String, on rig: GatewayRig) throws {
        rig.gateway.play(try Scenario.named(name))
        rig.deliver()
    }

    private func codes(_ client: ScriptedClient, _ code: Int32) -> [Timestamp] {
        client.received.compactMap { received in
            guard case .error(let error) = received.message, error.errorCode == code else {
                return nil
            }
            return received.at
        }
    }

    @Test(arguments: 1..<6 as Range<UInt64>)
    func nightlyRestartStormsResetsClosesAndBringsFarmsBack(seed: UInt64) throws {
        let rig = GatewayRig { $0.seed = seed }
        let client = rig.begin(as: 1)
        client.take()
        try play("nightly-restart", on: rig)
        rig.pass(.minutes(2))
        #expect(client.codes.first == 1100)
        #expect(codes(client, 1100).count == 8)
        #expect(Set(client.codes) == [1100, 2103, 2105, 2157])
        rig.pass(.seconds(61))
        #expect(client.end == .reset)
        #expect(!rig.isListening)
        #expect(rig.connect().end == .refused)
        // The port opens 60 to 300 seconds later.
        var waited = 0
        while !rig.isListening, waited < 300 {
            rig.pass(.seconds(1))
            waited += 1
        }
        #expect((0...300).contains(waited))
        let repeated = rig.begin(as: 1)
        #expect(repeated.codes == [2103, 2105, 2157])
        repeated.take()
        rig.pass(.seconds(31))
        #expect(repeated.codes == [2158, 2106, 2104])
        #expect(repeated.end == .none)
        #expect(rig.begin(as: 2).codes == [2104, 2106, 2158])
    }

    @Test func maintenanceWeekLeavesClientsUnansweredUntilSomebodyLogsIn() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        try play("maintenance-week", on: rig)
        rig.pass(.minutes(2), step: .seconds(10))
        #expect(client.end == .reset)
        #expect(!rig.isListening)
        rig.pass(.hours(7), step: .minutes(1))
        #expect(rig.isListening)
        let waiting = rig.connect()
        #expect(waiting.end == .none)
        #expect(waiting.greeting == nil)
        rig.pass(.hours(40), step: .minutes(10))
        #expect(waiting.greeting == nil)
        rig.pass(.hours(9), step: .minutes(10))
        #expect(waiting.end == .closed)
        #expect(rig.begin(as: 1).codes == [2104, 2106, 2158])
    }

    @Test(
        arguments: [("link-lost-data-kept", 1102), ("link-lost-data-lost", 1101)]
            as [(String, Int32)])
    func lostLinkIsReportedAndRestored(name: String, restored: Int32) throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        try play(name, on: rig)
        #expect(client.codes == [1100])
        // What needs the broker is not answered meanwhile; what the gateway knows itself is.
        client.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(client.messages.contains { $0.kind == .currentTime })
        #expect(rig.begin(as: 2).codes == [1100])
        rig.pass(.seconds(60))
        #expect(client.codes == [1100, restored])
        let gap = codes(client, restored)[0] - codes(client, 1100)[0]
        #expect((Duration.seconds(5)...Duration.seconds(60)).contains(gap))
        #expect(client.end == .none)
    }

    @Test func halfOpenConnectionStaysOpenAndSilent() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        try play("half-open", on: rig)
        client.send(.reqCurrentTime(ReqCurrentTime()))
        rig.pass(.seconds(119))
        #expect(client.messages.isEmpty)
        #expect(client.end == .none)
        // A new connection is answered, but the number is still taken by the dead one.
        #expect(rig.begin(as: 1).codes == [326])
        #expect(rig.begin(as: 2).end == .none)
        rig.pass(.seconds(2))
        #expect(client.end == .reset)
        #expect(client.messages.isEmpty)
        #expect(rig.begin(as: 1).end == .none)
    }

    @Test func reservedNumberIsRejectedForAMinuteAndFreeThen() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 5)
        try play("client-id-held", on: rig)
        #expect(client.end == .reset)
        for _ in 0..<6 {
            let refused = rig.begin(as: 5)
            #expect(refused.codes == [326])
            #expect(refused.end == .closed)
            rig.pass(.seconds(10))
        }
        #expect(rig.begin(as: 5).end == .none)
    }

    @Test func halfOpenBeginsWithTheFirstSessionWhereThereIsNone() throws {
        let rig = GatewayRig()
        try play("half-open", on: rig)
        rig.pass(.minutes(5), step: .seconds(10))
        // Who only shakes hands is no session yet.
        let idle = rig.connect()
        rig.pass(.minutes(3), step: .seconds(10))
        #expect(idle.end == .none)
        let client = rig.begin(as: 1)
        #expect(client.codes == [2104, 2106, 2158])
        client.take()
        client.send(.reqCurrentTime(ReqCurrentTime()))
        rig.pass(.seconds(119))
        #expect(client.messages.isEmpty)
        #expect(client.end == .none)
        #expect(rig.begin(as: 2).end == .none)
        rig.pass(.seconds(2))
        #expect(client.end == .reset)
        // It is played once.
        let repeated = rig.begin(as: 1)
        repeated.take()
        repeated.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(repeated.messages.map(\.kind) == [.currentTime])
        rig.pass(.minutes(3))
        #expect(repeated.end == .none)
    }

    @Test func numbersAreHeldFromTheFirstSessionOnWhereThereIsNone() throws {
        let rig = GatewayRig()
        try play("client-id-held", on: rig)
        rig.pass(.minutes(5), step: .seconds(10))
        #expect(rig.begin(as: 5).end == .reset)
        for _ in 0..<6 {
            let refused = rig.begin(as: 5)
            #expect(refused.codes == [326])
            #expect(refused.end == .closed)
            rig.pass(.seconds(10))
        }
        #expect(rig.begin(as: 5).end == .none)
    }

    @Test func slowGatewayAnswersLateAndLosesNothing() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        try play("slow-gateway", on: rig)
        for _ in 0..<5 { client.send(.reqCurrentTime(ReqCurrentTime())) }
        rig.pass(.seconds(3))
        #expect(client.messages.isEmpty)
        rig.pass(.seconds(61))
        #expect(client.messages.filter { $0.kind == .currentTime }.count == 5)
        #expect(client.end == .none)
        // The fifth minute: single bytes, at once.
        rig.pass(.minutes(3))
        client.take()
        let (bytes, pieces) = (client.byteCount, client.pieceCount)
        client.send(.reqCurrentTime(ReqCurrentTime()))
        rig.pass(.seconds(1))
        #expect(client.messages.map(\.kind) == [.currentTime])
        #expect(client.byteCount - bytes == client.pieceCount - pieces)
        #expect(client.byteCount > bytes)
    }

    @Test func clocksOfTheGatewayMoveThroughZones() throws {
        let rig = GatewayRig()
        try play("clock-and-dst", on: rig)
        var seen: [String] = []
        for _ in 0..<10 {
            guard case .wall(let clock, let zone)? = rig.connect().greeting?.connectionTime else {
                Issue.record("no clock")
                return
            }
            seen.append("\(zone) \(clock.second / 3_600):\(clock.second / 60 % 60)")
            rig.pass(.seconds(30))
        }
        // 10:00 in New York on 5 March 2024, before any change of clocks: 15:00 UTC.
        #expect(
            seen == [
                "US/Eastern 10:0", "America/New_York 10:0", "US/Central 9:1", "US/Pacific 7:1",
                "UTC 15:2", "Europe/London 15:2", "Europe/Zurich 16:3", "Asia/Kolkata 20:33",
                "Asia/Hong_Kong 23:4", "Japan 0:4",
            ])
        let client = rig.begin(as: 1)
        client.take()
        client.send(.reqCurrentTime(ReqCurrentTime()))
        guard case .currentTime(let time)? = client.messages.first else {
            Issue.record("no time")
            return
        }
        #expect(time.time == rig.now.nanoseconds / 1_000_000_000 + 45)
    }

    @Test(
        arguments: [
            // 15:00 UTC before and after New York's change on 10 March 2024, and London's on 31 March.
            (1_709_996_400, 10, 15), (1_710_082_800, 11, 15), (1_711_897_200, 11, 16),
        ] as [(Int64, Int32, Int32)])
    func zonesChangeTheirClocksOnTheirOwnDays(second: Int64, newYork: Int32, london: Int32) {
        let rig = GatewayRig(at: Timestamp(seconds: second))
        let hours = [("America/New_York", newYork), ("Europe/London", london), ("UTC", 15)]
        for (zone, hour) in hours {
            _ = rig.gateway.control(#"{"do":"clock","zone":"\#(zone)"}"#)
            guard case .wall(let clock, let name)? = rig.connect().greeting?.connectionTime else {
                Issue.record("no clock")
                return
            }
            #expect(clock.second / 3_600 == hour)
            #expect(name == zone)
        }
    }
}
