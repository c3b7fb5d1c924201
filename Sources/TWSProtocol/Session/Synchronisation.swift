import Primitives

/// The four questions that follow a session's begin, and which of them are answered to the end.
struct Synchronisation: Sendable {
    /// Ends still awaited; open orders are asked for twice, this client's and everybody's.
    private var awaited: [SyncAnswer: Int] = [:]
    private var retries = 0
    private var request = ClientSession.firstOwnRequest
    /// When what is missing is asked for again.
    private(set) var deadline: Timestamp?

    /// What is asked for, in this order.
    static let questions: [SyncAnswer] = [
        .openOrders, .completedOrders, .executions, .positions,
    ]

    /// How many times as long an answer is waited for once the usual retries are used up.
    private static let patience: Int64 = 6

    /// What to do at a deadline.
    enum Overdue {
        /// Not there yet, or nothing missing.
        case nothing
        /// Ask again.
        case ask([SyncAnswer], [ClientMessage])
        /// The usual retries are used up: ask again all the same.
        case stalled([SyncAnswer], [ClientMessage])
    }

    /// The questions, all asked anew.
    mutating func begin(at now: Timestamp, limit: Duration) -> [ClientMessage] {
        awaited = [.openOrders: 2, .completedOrders: 1, .executions: 1, .positions: 1]
        retries = 0
        deadline = now + limit
        return Self.questions.flatMap { messages(for: $0) }
    }

    /// The answer that `message` ends; `nil` when it ends none, or not the last of its kind.
    mutating func finished(by message: GatewayMessage) -> SyncAnswer? {
        let answer: SyncAnswer
        switch message {
        case .openOrderEnd: answer = .openOrders
        case .completedOrdersEnd: answer = .completedOrders
        case .execDetailsEnd(let end) where end.reqId.rawValue == request: answer = .executions
        case .positionEnd: answer = .positions
        default: return nil
        }
        guard let count = awaited[answer] else { return nil }
        guard count == 1 else {
            awaited[answer] = count - 1
            return nil
        }
        awaited[answer] = nil
        if awaited.isEmpty { deadline = nil }
        return answer
    }

    /// Looks at the deadline.
    mutating func overdue(at now: Timestamp, limit: Duration, retriesMax: Int) -> Overdue {
        guard let deadline, now >= deadline else { return .nothing }
        self.deadline = now + limit
        let missing = Self.questions.filter { awaited[$0] != nil }
        // Only the last of two like questions is awaited again: an end counts for the newest.
        for answer in missing { awaited[answer] = answer == .openOrders ? 2 : 1 }
        let questions = missing.flatMap { messages(for: $0) }
        guard retries < retriesMax else {
            // A slow gateway's answer to the newest question has to arrive before the next.
            self.deadline = now + Duration(nanoseconds: limit.nanoseconds * Self.patience)
            return .stalled(missing, questions)
        }
        retries += 1
        return .ask(missing, questions)
    }

    private mutating func messages(for answer: SyncAnswer) -> [ClientMessage] {
        switch answer {
        case .managedAccounts, .nextValidID: return []
        case .openOrders:
            return [.reqOpenOrders(ReqOpenOrders()), .reqAllOpenOrders(ReqAllOpenOrders())]
        case .completedOrders: return [.reqCompletedOrders(ReqCompletedOrders())]
        case .executions:
            // A new number each time: the end of an older question proves nothing.
            request = request == .max - 1 ? ClientSession.firstOwnRequest : request + 1
            var question = ReqExecutions()
            question.reqId = RequestID(rawValue: request)
            return [.reqExecutions(question)]
        case .positions: return [.reqPositions(ReqPositions())]
        }
    }
}
