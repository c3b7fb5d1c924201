import Primitives
import TWSProtocol

/// What the client's calls keep between them.
final class CallState: Sendable {
    /// Contracts by what was asked for. Programs watch hundreds of instruments, not more.
    let contracts = SharedAnswers<Contract, QualifiedContract>(capacity: 4_096)
    /// Market rules by number; the broker has some hundreds.
    let marketRules = SharedAnswers<Int32, MarketRule>(capacity: 1_024)
    /// Since when there is history, by what was asked.
    let headTimestamps = SharedAnswers<HeadQuestion, Timestamp>(capacity: 4_096)
    /// One question of a topic at a time.
    let gate = TopicGate()
}
