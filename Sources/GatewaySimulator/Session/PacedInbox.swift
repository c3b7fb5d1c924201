import Primitives
import TWSProtocol

/// What a client has sent faster than the gateway takes it in: it waits its turn.
struct PacedInbox: Sendable {
    private var waiting: [ClientMessage] = []
    /// When the last messages were taken in, oldest first; at most a second's worth.
    private var taken: [Timestamp] = []

    /// Whether a message may be taken in now, and notes that it is. One behind others that wait may not.
    mutating func admits(at now: Timestamp, perSecond limit: Int) -> Bool {
        waiting.isEmpty && hasCapacity(at: now, perSecond: limit)
    }

    /// Lets a message wait behind the others.
    mutating func append(_ message: ClientMessage) { waiting.append(message) }

    /// The next message whose turn it is; `nil` for none yet.
    mutating func next(at now: Timestamp, perSecond limit: Int) -> ClientMessage? {
        guard !waiting.isEmpty, hasCapacity(at: now, perSecond: limit) else { return nil }
        return waiting.removeFirst()
    }

    private mutating func hasCapacity(at now: Timestamp, perSecond limit: Int) -> Bool {
        taken.removeAll { now - $0 >= .seconds(1) }
        guard taken.count < max(limit, 1) else { return false }
        taken.append(now)
        return true
    }
}
