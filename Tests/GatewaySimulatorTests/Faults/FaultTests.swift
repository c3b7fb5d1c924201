import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

@Suite struct FaultTests {
    /// Parameters that a fault needs.
    private static let needed: [String: String] = [
        "swallow": #","kinds":["placeOrder"]"#, "hold": #","kinds":["openOrder"]"#,
        "repeat": #","kinds":["execDetails"]"#,
        "refuse": #","kinds":["reqMktData"],"code":354"#, "code": #","code":1100"#,
        "accounts": #","names":["U1"]"#, "cash": #","amount":-12.5"#,
        "dividend": #","per-share":0.24"#,
    ]

    private func refusal(_ line: String) -> String {
        do {
            _ = try ControlCommand(line)
            return "none"
        } catch {
            return error.description
        }
    }

    private func fault(_ line: String) throws -> any Fault {
        guard case .fault(let fault) = try ControlCommand(line) else {
            throw FaultRefusal("no fault: \(line)")
        }
        return fault
    }

    @Test(arguments: ControlCommand.faults.map { $0.name })
    func everyFaultReadsBackAsItIsWritten(name: String) throws {
        let needed = Self.needed[name] ?? ""
        let first = try fault(#"{"do":"\#(name)"\#(needed)}"#)
        #expect(try "\(fault(first.json.text))" == "\(first)")
    }

    @Test(arguments: [
        #"{"do":"stall","client":3,"direction":"in","seconds":2.5,"new":true}"#,
        #"{"do":"hold","kinds":["placeOrder","openOrder"],"client":0,"share":0.25,"times":3,"seconds":0.5,"most":2,"open":false}"#,
        #"{"do":"code","code":399,"text":"a \"word\"","client":1,"orders":"each"}"#,
        #"{"do":"clock","zone":"Asia/Kolkata","ahead":-45}"#,
        #"{"do":"farm","service":"history","farm":"euhmds","state":"idle"}"#,
    ])
    func everyParameterReadsBack(line: String) throws {
        #expect(try fault(line).json.text == line)
    }

    @Test(arguments: ControlCommand.faults.map { $0.name })
    func unknownParametersAreRefused(name: String) {
        let needed = Self.needed[name] ?? ""
        let published = refusal(#"{"do":"\#(name)"\#(needed),"colour":1}"#)
        #expect(published.contains("'\(name)' has no parameter 'colour'"), "\(published)")
    }

    @Test(arguments: [
        (
            #"{"do":"stall","seconds":"long"}"#,
            "'stall': 'seconds' must be a number of seconds from 0 to 2592000, not \"long\""
        ),
        (
            #"{"do":"stall","seconds":-1}"#,
            "'stall': 'seconds' must be a number of seconds from 0 to 2592000, not -1"
        ),
        (
            #"{"do":"trickle","bytes":0}"#,
            "'trickle': 'bytes' must be a whole number from 1 to 1000000, not 0"
        ),
        (
            #"{"do":"drop","how":"loudly"}"#,
            "'drop': 'how' must be one of close, reset, not \"loudly\""
        ),
        (#"{"do":"swallow"}"#, "'swallow' needs the parameter 'kinds'"),
        (#"{"do":"refuse","kinds":["reqMktData"]}"#, "'refuse' needs the parameter 'code'"),
        (
            #"{"do":"refuse","kinds":["tickPrice"],"code":1}"#,
            "'refuse': there is no message of a client 'tickPrice'; kinds are names such as placeOrder"
        ),
        (
            #"{"do":"swallow","kinds":["placeorder"]}"#,
            "'swallow': there is no message 'placeorder'; kinds are names such as placeOrder"
        ),
        (
            #"{"do":"swallow","kinds":["placeOrder"],"share":0}"#,
            "'swallow': 'share' must be a number above 0, at most 1, not 0"
        ),
        (
            #"{"do":"hold","kinds":["placeOrder"],"seconds":3,"most":1}"#,
            "'hold': 'most' must not be below 'seconds'"
        ),
        (#"{"do":"advance"}"#, "'advance' needs the parameter 'seconds'"),
        (
            #"{"do":"explode"}"#,
            "there is no command 'explode'; {\"do\":\"list\"} tells what there is"
        ),
        (#"["do"]"#, "a command is a JSON object such as {\"do\":\"status\"}"),
        (
            #"{"do":"#,
            "no JSON at byte 6: a value is missing; a command is an object such as {\"do\":\"status\"}"
        ),
    ])
    func whatIsWrongIsStated(line: String, reason: String) {
        #expect(refusal(line) == reason)
    }

    @Test func everyScenarioIsThereAndStatesWhatItDoes() {
        let names = [
            "nightly-restart", "maintenance-week", "link-lost-data-kept", "link-lost-data-lost",
            "farm-blip", "fill-during-1100", "half-open", "id-rollback", "client-id-held",
            "restart-with-resting", "foreign-trader", "swallowed", "late-cancel-ack",
            "duplicate-on-modify", "callback-permutations", "info-codes", "fill-after-cancel",
            "correction-bust", "bracket-storm", "pacing-police", "no-permission", "tick-table",
            "split-overnight", "clock-and-dst", "bad-data", "margin-reject", "dialog-hold",
            "slow-gateway", "disk-full", "db-locked",
        ]
        #expect(Set(Scenario.all.map(\.name)) == Set(names))
        #expect(Scenario.all.count == names.count)
        for scenario in Scenario.all {
            #expect(scenario.purpose.hasSuffix("."))
            #expect(scenario.steps(seed: 7).isEmpty == (scenario.advice != nil))
            #expect(words(of: scenario) == words(of: scenario))
        }
    }

    /// What the steps of a seed say. Sets have no order.
    private func words(of scenario: Scenario) -> [String] {
        "\(scenario.steps(seed: 7))".split { "[](), ".contains($0) }.map(String.init).sorted()
    }

    @Test func scenariosAreComposedByNames() throws {
        let scenarios = try Scenario.named("nightly-restart+slow-gateway")
        #expect(scenarios.map(\.name) == ["nightly-restart", "slow-gateway"])
        #expect(
            refusal(#"{"do":"scenario","name":"nightly+restart"}"#).hasPrefix(
                "there is no scenario 'nightly'; there are nightly-restart, maintenance-week,"))
    }

    @Test func stepsOfAScriptAreReadWithTheirMoments() throws {
        let line =
            #"{"do":"script","steps":[{"do":"drop","on":"placeOrder","nth":2,"after":1.5},{"do":"code","code":1100,"rounds":3,"every":20}]}"#
        guard case .script(_, let steps) = try ControlCommand(line) else {
            Issue.record("no script")
            return
        }
        #expect(steps[0].moment == .asked(.placeOrder))
        #expect(steps[0].ordinal == 2)
        #expect(steps[0].after == .milliseconds(1_500))
        #expect(steps[1].times == 3)
        #expect(
            refusal(#"{"do":"script","steps":[{"do":"drop"},{"do":"drop","on":"noon"}]}"#)
                == "step 2: 'on' must be start, begin, change or a message such as placeOrder, not 'noon'"
        )
    }
}
