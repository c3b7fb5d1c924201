import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// What the control socket is told and answers.
@Suite struct ControlTests {
    private func answer(_ line: String, _ rig: GatewayRig) throws -> JSONValue {
        let answer = rig.gateway.control(line)
        rig.deliver()
        #expect(!answer.contains("\n"))
        return try JSONValue(Array(answer.utf8))
    }

    @Test func listNamesEveryCommandAndScript() throws {
        let list = try answer(#"{"do":"list"}"#, GatewayRig())
        for kind in ControlCommand.faults { #expect(list["commands"]?[kind.name] != nil) }
        for name in ["advance", "scenario", "script", "stop", "status", "ledger", "list"] {
            #expect(list["commands"]?[name] != nil)
        }
        #expect(list["scenarios"]?["nightly-restart"] != nil)
    }

    @Test func statusReportsClientsClockAndWhatIsWrong() throws {
        let rig = GatewayRig()
        _ = rig.begin(as: 4, version: 178)
        _ = rig.connect()
        _ = try answer(#"{"do":"farm","service":"history"}"#, rig)
        _ = try answer(#"{"do":"close-port"}"#, rig)
        let status = try answer(#"{"do":"status"}"#, rig)
        #expect(status["now"] == .text("2024-03-05T15:00:00Z"))
        #expect(status["listening"] == .bool(false))
        #expect(status["connections"] == .number("2"))
        #expect(
            status["clients"]?.text == #"[{"client":4,"connection":1,"version":178}]"#)
        #expect(status["wrong"]?["farms"]?.text == #"{"history":"broken"}"#)
    }

    @Test func timePassesByCommand() throws {
        let rig = GatewayRig()
        let published = try answer(#"{"do":"advance","seconds":90}"#, rig)
        #expect(published["now"] == .text("2024-03-05T15:01:30Z"))
    }

    @Test func refusedCommandChangesNothingAndStatesWhy() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        let answer = rig.gateway.control(#"{"do":"code","code":1100,"cleint":1}"#)
        #expect(answer.hasPrefix(#"{"error":"'code' has no parameter 'cleint': it has code, text"#))
        rig.deliver()
        #expect(client.messages.isEmpty)
    }

    @Test(arguments: ["disk-full", "db-locked"])
    func faultOfTheClientStatesWhatToDoInstead(name: String) throws {
        let published = try answer(#"{"do":"scenario","name":"\#(name)"}"#, GatewayRig())
        guard case .text(let reason)? = published["error"] else {
            Issue.record("it was played")
            return
        }
        #expect(reason.hasPrefix("'\(name)' is not played by a gateway: "))
        #expect(reason.contains("journal"))
    }

    @Test func dropBreaksTheConnectionsOfOneClient() throws {
        let rig = GatewayRig()
        let first = rig.begin(as: 1)
        let second = rig.begin(as: 2)
        _ = try answer(#"{"do":"drop","client":2,"how":"close"}"#, rig)
        #expect(first.end == .none)
        #expect(second.end == .closed)
        #expect(rig.begin(as: 2).end == .none)
    }

    @Test func portClosesForATime() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        _ = try answer(#"{"do":"close-port","seconds":5}"#, rig)
        #expect(client.end == .none)
        #expect(rig.connect().end == .refused)
        rig.pass(.seconds(6))
        #expect(rig.connect().end == .none)
    }

    @Test func scriptOfOnesOwnWaitsForItsMoments() throws {
        let rig = GatewayRig()
        _ = try answer(
            #"{"do":"script","steps":[{"do":"code","code":1100,"on":"begin","nth":2,"after":3},{"do":"code","code":2110,"on":"reqCurrentTime","nth":0}]}"#,
            rig)
        let first = rig.begin(as: 1)
        first.take()
        rig.pass(.seconds(10))
        #expect(first.codes.isEmpty)
        let second = rig.begin(as: 2)
        rig.pass(.seconds(2))
        #expect(first.codes.isEmpty)
        rig.pass(.seconds(2))
        #expect(first.codes == [1100])
        first.take()
        for _ in 0..<3 { first.send(.reqCurrentTime(ReqCurrentTime())) }
        #expect(
            first.messages.map(\.kind) == [
                .error, .currentTime, .error, .currentTime, .error, .currentTime,
            ])
        _ = try answer(#"{"do":"stop"}"#, rig)
        second.take()
        second.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(second.codes.isEmpty)
    }

    @Test func composedScriptsPlayBesideEachOther() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        client.take()
        let published = try answer(
            #"{"do":"scenario","name":"link-lost-data-kept+client-id-held","seed":3}"#, rig)
        #expect(published["playing"]?.text == #"["link-lost-data-kept","client-id-held"]"#)
        #expect(client.codes == [1100])
        #expect(client.end == .reset)
        #expect(rig.begin(as: 1).codes == [326])
    }

    @Test func healEndsWhatWentWrong() throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1)
        for line in [
            #"{"do":"stall","new":true}"#, #"{"do":"close-port"}"#,
            #"{"do":"swallow","kinds":["currentTime"]}"#, #"{"do":"lose-link"}"#,
            #"{"do":"clock","zone":"Japan"}"#, #"{"do":"hold-client","client":2}"#,
        ] {
            #expect(try answer(line, rig)["done"] != nil)
        }
        client.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(try answer(#"{"do":"heal"}"#, rig)["done"] != nil)
        client.take()
        client.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(client.messages.map(\.kind) == [.currentTime])
        #expect(rig.begin(as: 2).codes == [2104, 2106, 2158])
        let status = try answer(#"{"do":"status"}"#, rig)
        #expect(
            status["wrong"]?.text
                == #"{"broker":false,"login":false,"links":false,"rules":0,"held":0,"farms":{}}"#)
    }

    @Test(arguments: BrokenFrame.allCases)
    func brokenFramesArriveAsTheyAre(shape: BrokenFrame) throws {
        let rig = GatewayRig()
        let client = rig.begin(as: 1, version: 178)
        client.take()
        _ = try answer(#"{"do":"frame","shape":"\#(shape.rawValue)"}"#, rig)
        switch shape {
        case .unknown: #expect(client.rejected == [.unknownMessage(number: 9999)])
        case .huge:
            #expect(client.rejected == [.unknownMessage(number: 9998)])
            #expect(client.byteCount > 16_777_215)
        case .short, .words:
            guard case .badField? = client.rejected.first else {
                Issue.record("it was read: \(client.messages)")
                return
            }
        case .long: #expect(client.messages.map(\.kind) == [.currentTime])
        case .garbled: #expect(client.messages.count + client.rejected.count == 1)
        case .truncated:
            #expect(client.end == .reset)
            #expect(client.waiting > 0)
        case .endless, .empty: #expect(client.isOutOfStep)
        }
        guard !client.isOutOfStep, client.end == .none else { return }
        client.take()
        client.send(.reqCurrentTime(ReqCurrentTime()))
        #expect(client.messages.map(\.kind) == [.currentTime])
    }

    /// 2200-12-31 23:59:00 UTC is 60 s before 2201-01-01, 84,371 days after 1970-01-01.
    @Test func timeThatWouldLeadBeyond2200IsRefused() {
        let rig = GatewayRig(at: Timestamp(seconds: 84_371 * 86_400 - 60))
        #expect(
            rig.gateway.control(#"{"do":"advance","seconds":60}"#)
                == #"{"error":"'advance': 'seconds' leads to 2201-01-01T00:00:00Z, and session time ends "#
                + #"with the year 2200"}"#)
        #expect(rig.gateway.now == Timestamp(seconds: 84_371 * 86_400 - 60))
        let answer = rig.gateway.control(#"{"do":"advance","seconds":59.5}"#)
        #expect(answer == #"{"now":"2200-12-31T23:59:59.5Z"}"#)
        // The server's clock goes on; session time does not.
        rig.gateway.advance(to: .distantFuture)
        #expect(rig.gateway.now == Timestamp(seconds: 84_371 * 86_400) - Gateway.step)
    }

    @Test(arguments: [Int64.min, -2_208_988_801_000_000_000, 7_289_654_400_000_000_000, .max])
    func stateOfADayBeyond1900To2200IsRefused(time: Int64) {
        let rig = GatewayRig()
        var state = rig.gateway.state
        state.time = time
        #expect(throws: AccountFault.implausible("time \(time)")) {
            try GatewayRig().gateway.restore(state)
        }
    }
}
