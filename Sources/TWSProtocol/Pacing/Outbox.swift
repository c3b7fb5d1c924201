public import Primitives

/// The one queue through which everything leaves for a gateway, at the pace the gateway takes.
///
/// Cancels go before orders and orders before data; within a priority what came first goes first,
/// except that a request which its own limits hold does not hold what stands behind it. Messages
/// about the same order or request keep their order whatever their priorities: a cancel takes what
/// is queued about its order along in front of it, or it would overtake the order it cancels. A
/// caller who knows that the order should never leave withdraws it instead. A cancel of everything
/// has no such order: withdraw the queued orders before it.
///
/// The rules between requests are counted when a message leaves, not when it is queued, since the
/// gateway counts what it receives. A subscription takes its place when it is queued, so that a full
/// limit is refused at once; a question for history takes its place when it leaves, and waits for
/// one if need be.
///
/// It does no sending and reads no clock: after each input the caller asks `next` until it returns
/// `wait` or `idle`. All times are of a clock that never steps. Memory is bounded by
/// the capacity and the limits.
public struct Outbox: Sendable {
    /// The pace of messages.
    public private(set) var messages: MessagePace
    /// The pace of requests.
    public private(set) var requests: RequestPace
    private let capacity: OutboxCapacity
    /// By the priority at which they leave.
    private var queues: [[Entry]]
    /// By the priority under which they came.
    private var counts: [Int]
    /// How many queued messages are about a thing: most new messages are about nothing that is queued.
    private var queuedAbout: [Outgoing.Subject: Int] = [:]
    private var entered = 0
    private var latest = Timestamp.distantPast

    private struct Entry: Sendable {
        let message: Outgoing
        let number: Int
    }

    /// What may be done now.
    public enum Departure: Hashable, Sendable {
        /// This message leaves now; its places are taken.
        case leave(Outgoing)
        /// Nothing may leave before that time.
        case wait(until: Timestamp)
        /// Nothing is queued, or all of it waits for an open request to end: ask again after the
        /// next message or the next `finished`.
        case idle
    }

    private enum Step {
        case leave(Entry)
        case wait(until: Timestamp)
        case idle
    }

    /// An empty outbox.
    public init(
        messages: MessagePace = MessagePace(), requests: RequestPace = RequestPace(),
        capacity: OutboxCapacity = OutboxCapacity()
    ) {
        self.messages = messages
        self.requests = requests
        self.capacity = capacity
        queues = MessagePriority.allCases.map { _ in [] }
        counts = MessagePriority.allCases.map { _ in 0 }
    }

    /// How many messages are queued.
    public var count: Int { counts.reduce(0, +) }

    /// How many messages are queued that came under `priority`.
    public func count(of priority: MessagePriority) -> Int { counts[priority.rawValue] }

    /// Queues a message, or refuses it.
    public mutating func enqueue(_ message: Outgoing) -> Admission {
        if let refusal = refusal(of: message) { return .refused(refusal) }
        if case .request(let id) = message.subject, let request = message.request,
            !request.waitsForSlot, let slot = request.slot
        {
            requests.takeSlot(slot, id: id)
        }
        bringAlong(message)
        queues[message.priority.rawValue].append(Entry(message: message, number: entered))
        counts[message.priority.rawValue] += 1
        queuedAbout[message.subject, default: 0] += 1
        entered += 1
        return .queued
    }

    /// What may leave now. The caller sends it and asks again as long as it gets a message.
    public mutating func next(at now: Timestamp) -> Departure {
        switch step(at: now) {
        case .leave(let entry): .leave(entry.message)
        case .wait(let until): .wait(until: until)
        case .idle: .idle
        }
    }

    /// How long `message` would wait if it were queued now, nothing came after it and no open
    /// request ended. Takes no place.
    ///
    /// Plays all departures until then: for a full queue some milliseconds of work.
    public func delay(for message: Outgoing, at now: Timestamp) -> Turn {
        var copy = self
        if case .refused(let refusal) = copy.enqueue(message) { return .refused(refusal) }
        let number = copy.entered - 1
        let cause = message.request.map { requests.opening(for: $0) }
        let limit = cause.map { $0.at > now ? $0.limit : .messages } ?? .messages
        var clock = now
        // Between two departures it waits for one rule after the other, of which there are few.
        for _ in 0..<(copy.count + 1) * 16 {
            switch copy.step(at: clock) {
            case .leave(let entry) where entry.number == number:
                return clock > now ? .after(clock - now, limit) : .now
            case .leave: continue
            case .wait(let until): clock = until
            case .idle:
                return .refused(.full(.openHistory, allowed: requests.limits.openHistory))
            }
        }
        return .after(clock - now, limit)
    }

    /// True while a message about `subject` waits to leave.
    public func isQueued(_ subject: Outgoing.Subject) -> Bool { queuedAbout[subject] != nil }

    /// Takes out what is queued about `subject`, which then never leaves; its places are free again.
    public mutating func withdraw(_ subject: Outgoing.Subject) -> [Outgoing] {
        withdraw { $0.subject == subject }
    }

    /// Takes out what is queued under `priority`, which then never leaves; its places are free again.
    public mutating func withdraw(_ priority: MessagePriority) -> [Outgoing] {
        withdraw { $0.priority == priority }
    }

    /// A request is over: answered to its end, refused, or its cancel has left. Its place is free.
    ///
    /// - Returns: whether it had a place.
    @discardableResult public mutating func finished(_ id: Int) -> Bool { requests.finished(id) }

    /// The gateway answered code 100. See `MessagePace.overLimitReported`.
    public mutating func overLimitReported() -> MessagePace.OverLimit {
        messages.overLimitReported()
    }

    /// The broker reported that history was asked for too often. See `RequestPace.violated`.
    public mutating func violated(at now: Timestamp) -> Duration { requests.violated(at: now) }

    /// The connection is gone: what is queued will not leave, and every place is free.
    ///
    /// - Returns: what was queued, in the order in which it would have left by priority. None of it
    ///   was sent.
    public mutating func disconnected() -> [Outgoing] {
        let unsent = queues.flatMap { $0.map(\.message) }
        queues = MessagePriority.allCases.map { _ in [] }
        counts = MessagePriority.allCases.map { _ in 0 }
        queuedAbout.removeAll()
        requests.disconnected()
        messages.reconnected()
        return unsent
    }
}

// MARK: - Coming in

extension Outbox {
    private func refusal(of message: Outgoing) -> PacingRefusal? {
        let allowed = capacity.count(of: message.priority)
        guard counts[message.priority.rawValue] < allowed else {
            return .queueFull(message.priority, capacity: allowed)
        }
        guard case .request(let id) = message.subject, let request = message.request else {
            return nil
        }
        if requests.hasSlot(id) || hasQueuedRequest(about: message.subject) { return .idInUse(id) }
        return request.waitsForSlot ? nil : requests.noSlot(for: request)
    }

    private func hasQueuedRequest(about subject: Outgoing.Subject) -> Bool {
        guard queuedAbout[subject] != nil else { return false }
        return queues.contains { queue in
            queue.contains { $0.message.subject == subject && $0.message.request != nil }
        }
    }

    private mutating func noteGone(_ message: Outgoing) {
        counts[message.priority.rawValue] -= 1
        let others = (queuedAbout[message.subject] ?? 1) - 1
        queuedAbout[message.subject] = others > 0 ? others : nil
    }

    /// Moves what is queued further back about the same subject up to the priority of `message`.
    private mutating func bringAlong(_ message: Outgoing) {
        guard message.subject != .session, queuedAbout[message.subject] != nil else { return }
        for lower in MessagePriority.allCases where lower > message.priority {
            let along = queues[lower.rawValue].filter { $0.message.subject == message.subject }
            guard !along.isEmpty else { continue }
            queues[lower.rawValue].removeAll { $0.message.subject == message.subject }
            queues[message.priority.rawValue].append(contentsOf: along)
        }
    }

    private mutating func withdraw(where leaves: (Outgoing) -> Bool) -> [Outgoing] {
        var withdrawn: [Outgoing] = []
        for index in queues.indices {
            withdrawn += queues[index].filter { leaves($0.message) }.map(\.message)
            queues[index].removeAll { leaves($0.message) }
        }
        for message in withdrawn {
            noteGone(message)
            guard case .request(let id) = message.subject, let request = message.request,
                !request.waitsForSlot
            else { continue }
            requests.finished(id)
        }
        return withdrawn
    }
}

// MARK: - Going out

/// What one look at the queues has found out so far.
private struct Look {
    /// What something in front of them keeps from leaving.
    var blockedSubjects: Set<Outgoing.Subject> = []
    /// Whether a question for small history waits for the ten minutes: what stands behind it and
    /// counts less must not slip past it for ever.
    var isSmallHistoryBlocked = false
    /// The first time at which something may leave.
    var opens: Timestamp?

    mutating func block(_ subject: Outgoing.Subject, until opens: Timestamp?) {
        blockedSubjects.insert(subject)
        guard let opens else { return }
        self.opens = self.opens.map { min($0, opens) } ?? opens
    }
}

extension Outbox {
    private mutating func step(at time: Timestamp) -> Step {
        latest = max(time, latest)
        let now = latest
        var look = Look()
        for priority in MessagePriority.allCases where !queues[priority.rawValue].isEmpty {
            guard let index = firstReady(in: priority, at: now, &look) else { continue }
            // A lower priority is never let out earlier than this one.
            guard messages.take(priority, at: now) else {
                return .wait(until: now + messages.delay(for: priority, at: now))
            }
            return .leave(depart(index, of: priority, at: now))
        }
        return look.opens.map { .wait(until: $0) } ?? .idle
    }

    /// The place of the first message of a queue that nothing but the pace of messages holds.
    private func firstReady(
        in priority: MessagePriority, at now: Timestamp,
        _ look: inout Look
    ) -> Int? {
        for (index, entry) in queues[priority.rawValue].enumerated() {
            let message = entry.message
            if message.subject != .session, look.blockedSubjects.contains(message.subject) {
                continue
            }
            guard let request = message.request else { return index }
            if isReady(request, of: message.subject, at: now, &look) { return index }
        }
        return nil
    }

    private func isReady(
        _ request: PacedRequest, of subject: Outgoing.Subject, at now: Timestamp,
        _ look: inout Look
    ) -> Bool {
        guard request != .whatIf else { return true }
        let isSmall = request.isSmallHistory
        if isSmall, look.isSmallHistoryBlocked {
            look.block(subject, until: nil)
            return false
        }
        if request.waitsForSlot, requests.noSlot(for: request) != nil {
            look.block(subject, until: nil)
            return false
        }
        let opening = requests.opening(for: request)
        guard opening.at > now else { return true }
        look.block(subject, until: opening.at)
        if isSmall, opening.limit == .smallHistory { look.isSmallHistoryBlocked = true }
        return false
    }

    private mutating func depart(
        _ index: Int, of priority: MessagePriority, at now: Timestamp
    ) -> Entry {
        let entry = queues[priority.rawValue].remove(at: index)
        noteGone(entry.message)
        guard let request = entry.message.request, case .request(let id) = entry.message.subject
        else { return entry }
        if request.waitsForSlot, let slot = request.slot { requests.takeSlot(slot, id: id) }
        requests.departed(request, at: now)
        return entry
    }
}

extension PacedRequest {
    /// Whether the ten minutes of small history count it.
    var isSmallHistory: Bool {
        if case .history(let query) = self { query.isSmall } else { false }
    }
}
