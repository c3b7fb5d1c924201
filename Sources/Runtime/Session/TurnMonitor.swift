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
    private var notified: Duration?
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

    /// How long a turn took.
    struct Length: Hashable, Sendable {
        /// For how long the program was at it.
        var awake = Duration.zero
        /// For how long the whole program stood still meanwhile.
        var still = Duration.zero
    }

    /// It has ended.
    mutating func end(at now: Timestamp) -> Length {
        guard let begun else { return Length() }
        stayAwake(until: now)
        self.begun = nil
        return Length(awake: awake, still: now - (begun + awake))
    }

    private mutating func stayAwake(until now: Timestamp) {
        awake = awake + min(now - looked, Self.interval.times(2))
        looked = now
    }

    /// Looks at it.
    mutating func look(at now: Timestamp) -> [Step] {
        guard begun != nil else { return [] }
        stayAwake(until: now)
        var steps: [Step] = []
        if awake >= Self.slow, notified.map({ awake >= $0 + Self.notice }) ?? true {
            notified = awake
            steps.append(.notify(awake))
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
