import Primitives

/// A request to a running session, by whom, and the way its answer goes back.
struct ControlCall: Sendable {
    /// What is asked for.
    let request: ControlRequest
    /// Who asks, by the system's word: `ana (uid 1000)`.
    let peer: String
    /// Takes the answer, a JSON object on one line; called once, on any thread, and returns at once.
    let answer: @Sendable (String) -> Void

    /// True for the one instruction that comes before all others.
    var isKill: Bool { killWords != nil }

    /// By whom and why the session is killed; `nil` for other requests.
    var killWords: String? {
        guard case .instruction(.kill, let reason) = request else { return nil }
        return "\(peer): \(reason)"
    }
}

/// Why a request is not performed: a sentence for the user, and how `martlet ctl` ends.
struct ControlRefusal: Error, Hashable {
    /// What is wrong, and what would be right.
    let words: String
    /// How the program that asks ends.
    let exitCode: ExitCode

    /// A refusal; without a code, of a request that makes no sense.
    init(_ words: String, _ exitCode: ExitCode = .usage) {
        self.words = words
        self.exitCode = exitCode
    }

    /// The answer to the request.
    var answer: String {
        JSONValue.members([
            "error": .text(words), "exit": .integer(exitCode.rawValue),
        ]).text
    }
}
