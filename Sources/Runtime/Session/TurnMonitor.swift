import Primitives

/// A turn of a session's loop as another thread sees it, look by look.
struct TurnMonitor: Sendable {
    /// What is to be done about a turn that does not end.
    enum Step: Hashable, Sendable {
        /// The user is notified that it takes so long.
        case notify(Duration)
        /// It is written down where the loop is.
        case writeStack
        /// The program is ended.
        case end
    }

    /// How long a turn may take before the user is notified.
    static let slow = Duration.seconds(2)
    /// How long it may take before no entry follows from what comes behind it, and its stack is written.
    static let stuck = Duration.seconds(10)
    /// How often the user is notified.
    static let notice = Duration.seconds(10)
    /// How often it is looked.
    static let interval = Duration.milliseconds(500)

    /// With which turn the program is ended; `nil` for none.
    let limit: Duration?
    private var begun: Timestamp?
    private var mayEnd = false
    private var looked = Timestamp.distantPast
    /// How long the turn takes, without the time in which nobody has looked: then the whole program stood still.
    private var awake = Duration.zero
    private var notified: Timestamp?
    private var hasWritten = false
    private var hasEnded = false

    /// No turn yet.
    init(limit: Duration?) { self.limit = limit }

    /// A turn begins.
    ///
    /// - Parameter mayEnd: false where it may take as long as it needs.
    mutating func begin(at now: Timestamp, mayEnd: Bool) {
        self = TurnMonitor(limit: limit)
        begun = now
        looked = now
        self.mayEnd = mayEnd
    }

    /// It has ended.
    ///
    /// - Returns: how long it took.
    mutating func end(at now: Timestamp) -> Duration {
        defer { begun = nil }
        return begun.map { now - $0 } ?? .zero
    }

    /// Looks at it.
    mutating func look(at now: Timestamp) -> [Step] {
        guard let begun else { return [] }
        awake = awake + min(now - looked, Self.interval.times(2))
        looked = now
        var steps: [Step] = []
        if now - begun >= Self.slow, notified.map({ now - $0 >= Self.notice }) ?? true {
            notified = now
            steps.append(.notify(now - begun))
        }
        let isOver = mayEnd && limit.map { awake >= $0 } == true && !hasEnded
        if !hasWritten, isOver || awake >= Self.stuck {
            hasWritten = true
            steps.append(.writeStack)
        }
        if isOver {
            hasEnded = true
            steps.append(.end)
        }
        return steps
    }
}
