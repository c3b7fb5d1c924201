package import Primitives
import TWSProtocol

/// A command to a running gateway.
package enum ControlCommand: Sendable {
    /// Something goes wrong.
    case fault(any Fault)
    /// Time passes.
    case advance(Duration)
    /// Scripts are played, with a seed of their own or the gateway's.
    case play([Scenario], seed: UInt64?)
    /// A script is played that came with the command.
    case script(String, [ScenarioStep])
    /// Scripts end.
    case stop
    /// How does the gateway stand?
    case status
    /// What happened to orders and money?
    case ledger
    /// What can be commanded?
    case list

    /// Every kind of fault, in the order in which they are listed for people.
    package static let faults: [any Fault.Type] = [
        DropFault.self, StallFault.self, DelayFault.self, ThrottleFault.self, CutFault.self,
        DropMessagesFault.self, MuteFault.self, DelayMessagesFault.self, ReleaseFault.self,
        RepeatFault.self, RefuseFault.self, DistortFault.self, RollBackFault.self,
        ClosePortFault.self, OpenPortFault.self, RestartFault.self, LoginFault.self,
        ReserveClientFault.self, ReadOnlyFault.self, AccountsFault.self, ClockFault.self,
        CodeFault.self, LoseLinkFault.self, RestoreLinkFault.self, FarmFault.self,
        FrameFault.self, OrderFault.self, TradeFault.self, FillFault.self, CancelFault.self,
        AmendFault.self, CorrectFault.self, BustFault.self, MarginFault.self, BorrowFault.self,
        DoubleChangeFault.self, SplitFault.self, CashFault.self, DividendFault.self,
        HaltFault.self, EarlyCloseFault.self, FreezeFault.self, StreamsFault.self, AccessFault.self,
        PacingFault.self,
        HealFault.self,
    ]

    /// Commands that are no faults: name, what they do, parameters.
    static let others: [(name: String, purpose: String)] = [
        ("advance", "Lets so many 'seconds' of session time pass at once."),
        ("scenario", "Plays scripts: 'name', several joined by +, with an optional 'seed'."),
        (
            "script",
            "Plays 'steps' of your own: each is an action with 'on' (start, begin, change or a message's name), 'nth' (0: every time), 'after' seconds, 'rounds', 'every' seconds."
        ),
        ("stop", "Ends all scripts; 'heal' ends what they brought about."),
        ("status", "Clients, clock, what is wrong, scripts being played."),
        ("ledger", "Orders, executions, positions, cash and violations, as they truly are."),
        ("list", "Tells all commands and scripts."),
    ]

    /// Reads a command.
    ///
    /// - Throws: what is wrong with it.
    package init(_ line: String) throws(FaultRefusal) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(Array(line.utf8))
        } catch {
            throw FaultRefusal("\(error); a command is an object such as {\"do\":\"status\"}")
        }
        guard case .object(let members) = value, case .text(let name)? = value["do"] else {
            throw FaultRefusal("a command is a JSON object such as {\"do\":\"status\"}")
        }
        let others = members.filter { $0.name != "do" }
        var list = ParameterList(reading: others, of: name)
        switch name {
        case "advance":
            var time: Duration?
            list.seconds("seconds", &time)
            list.need("seconds", time == nil)
            self = .advance(time ?? .zero)
        case "scenario":
            var scenario = ""
            var seed: Int?
            list.text("name", &scenario)
            list.integer("seed", &seed, 0...Int.max)
            try list.finish()
            self = .play(try Scenario.named(scenario), seed: seed.map { UInt64($0) })
            return
        case "script":
            self = .script("script", try Self.steps(others))
            return
        case "stop": self = .stop
        case "status": self = .status
        case "ledger": self = .ledger
        case "list": self = .list
        default:
            self = .fault(try Self.fault(named: name, others))
            return
        }
        try list.finish()
    }

    /// Reads a fault.
    ///
    /// - Parameter members: the members of its JSON object but `do`.
    fileprivate static func fault(
        named name: String, _ members: [JSONValue.Member]
    ) throws(FaultRefusal) -> any Fault {
        guard let kind = faults.first(where: { $0.name == name }) else {
            throw FaultRefusal(
                "there is no command '\(name)'; {\"do\":\"list\"} tells what there is")
        }
        return try kind.init(reading: members)
    }

    private static func steps(_ members: [JSONValue.Member]) throws(FaultRefusal)
        -> [ScenarioStep]
    {
        guard members.count == 1, members[0].name == "steps",
            case .array(let values) = members[0].value
        else { throw FaultRefusal("'script' needs 'steps', a list of objects, and nothing else") }
        guard values.count <= 10_000 else {
            throw FaultRefusal("'script' has more than 10000 steps")
        }
        var steps: [ScenarioStep] = []
        for (index, value) in values.enumerated() {
            do throws(FaultRefusal) {
                steps.append(try ScenarioStep(value))
            } catch {
                throw FaultRefusal("step \(index + 1): \(error)")
            }
        }
        return steps
    }
}

extension ScenarioStep {
    /// Reads a step: an action with what it waits for.
    fileprivate init(_ value: JSONValue) throws(FaultRefusal) {
        let timing: Set = ["on", "nth", "after", "rounds", "every"]
        guard case .object(let members) = value, case .text(let name)? = value["do"] else {
            throw FaultRefusal("a step is a JSON object such as {\"do\":\"drop\",\"after\":5}")
        }
        let remainder = members.filter { $0.name != "do" && !timing.contains($0.name) }
        self.init(at: .zero, try ControlCommand.fault(named: name, remainder))
        var list = ParameterList(
            reading: members.filter { timing.contains($0.name) }, of: name)
        var moment = "start"
        var word: String? = moment
        list.text("on", &word)
        moment = word ?? moment
        list.integer("nth", &ordinal, 0...1_000_000)
        list.seconds("after", &after)
        list.integer("rounds", &times, 1...100_000)
        list.seconds("every", &interval)
        guard let known = ScenarioMoment(named: moment) else {
            throw FaultRefusal(
                "'on' must be start, begin, change or a message such as placeOrder, not '\(moment)'"
            )
        }
        self.moment = known
        try list.finish()
    }
}
