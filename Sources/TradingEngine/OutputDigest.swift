package import Model
import Primitives

/// A running digest of what an engine has answered: two engines that answered the same have the same, however
/// their events were called in.
///
/// Commands and decisions are each taken in in their order. How they lie between each other is left out: it
/// depends on how many events a call has.
package struct OutputDigest: Sendable {
    /// How many commands were taken in.
    package private(set) var commandCount = 0
    /// How many decisions were taken in.
    package private(set) var decisionCount = 0

    private var commands = StateHasher()
    private var decisions = StateHasher()

    /// The digest of no answer.
    package init() {}

    /// The digest of everything taken in so far.
    package var value: UInt64 {
        var hasher = StateHasher()
        hasher.combine(commands.digest)
        hasher.combine(decisions.digest)
        return hasher.digest
    }

    /// Takes in a command.
    package mutating func add(_ command: Command) {
        command.hash(into: &commands)
        commandCount += 1
    }

    /// Takes in a decision.
    package mutating func add(_ decision: Decision) {
        decision.hash(into: &decisions)
        decisionCount += 1
    }

    /// Takes in all that an engine has answered. What strategies noted is no answer.
    package mutating func add(_ output: EngineOutput) {
        for command in output.commands { add(command) }
        for decision in output.decisions { add(decision) }
    }
}
