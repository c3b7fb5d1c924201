import Primitives

/// The control commands for a running gateway: one JSON object a line, and one for an answer.
extension Gateway {
    /// Performs a control command, a JSON object, and gives the answer, another one.
    ///
    /// - Returns: an object that begins with `error` where the command was refused; it has changed
    ///   nothing then.
    package func control(_ line: String) -> String {
        do throws(FaultRefusal) {
            let command = try ControlCommand(line)
            let answer = try execute(command)
            settle()
            return answer.text
        } catch {
            return JSONValue.members(["error": .text(error.description)]).text
        }
    }

    private func execute(_ command: ControlCommand) throws(FaultRefusal) -> JSONValue {
        switch command {
        case .fault(let fault):
            try perform(fault)
            return .members(["done": fault.json])
        case .advance(let time):
            let end = now.advanced(by: time)
            guard end < Timestamp.supported.upperBound else {
                throw FaultRefusal(
                    "'advance': 'seconds' leads to \(end), and session time ends with the year 2200"
                )
            }
            advance(to: end)
            return .members(["now": .text("\(now)")])
        case .play(let scenarios, let seed):
            for scenario in scenarios {
                if let advice = scenario.advice {
                    throw FaultRefusal("'\(scenario.name)' is not played by a gateway: \(advice)")
                }
            }
            play(scenarios, seed: seed)
            return .members(["playing": .array(scenarios.map { .text($0.name) })])
        case .script(let name, let steps):
            scripts.list.append(ScenarioPlayer(name, steps, at: now))
            performDue()
            return .members(["playing": .array([.text(name)])])
        case .stop:
            stopScenarios()
            return .members(["playing": .array([])])
        case .status: return status
        case .ledger: return ledger
        case .list: return Self.list
        }
    }

    /// Plays scripts from now on, those that need a client from its session's beginning on.
    package func play(_ scenarios: [Scenario], seed: UInt64? = nil) {
        for scenario in scenarios {
            // Scripts of one name draw differently the second time.
            let seed = (seed ?? settings.seed) &+ UInt64(scripts.list.count) &* 0x9E37_79B9
            scripts.list.append(
                ScenarioPlayer(
                    scenario.name, scenario.steps(seed: seed), at: now,
                    awaitsClient: scenario.onset == .withAClient && clients.isEmpty))
        }
        performDue()
        flush()
    }

    /// Ends all scripts; what they brought about stays until it is healed.
    package func stopScenarios() { scripts.list = [] }
}
