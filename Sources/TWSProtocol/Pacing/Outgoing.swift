/// A message on its way out.
public struct Outgoing: Hashable, Sendable {
    /// A number of the caller's that stands for the message's bytes.
    public let token: Int
    /// What it goes before.
    public let priority: MessagePriority
    /// What it is about.
    public let subject: Subject
    /// What it asks for, if limits of its own bind that; looked at only where the subject is a
    /// request.
    public let request: PacedRequest?

    /// What a message is about. Messages about the same thing never overtake each other.
    public enum Subject: Hashable, Sendable {
        /// The session or the account as a whole, or nothing that has an id.
        case session
        /// The order of that id.
        case order(Int)
        /// The request of that id: its begin, its cancel.
        case request(Int)
    }

    /// A message about something.
    public init(
        token: Int, priority: MessagePriority, subject: Subject, request: PacedRequest? = nil
    ) {
        self.token = token
        self.priority = priority
        self.subject = subject
        if case .request = subject { self.request = request } else { self.request = nil }
    }
}

/// How many messages of each priority may be queued.
public struct OutboxCapacity: Hashable, Sendable {
    /// Cancels of orders.
    public var cancels = 256
    /// Orders, changes, and the session's own messages: few, because an order that waits gets old.
    public var orders = 64
    /// Everything else.
    public var data = 1_000

    /// What suits a plain account.
    public init() {}

    func count(of priority: MessagePriority) -> Int {
        switch priority {
        case .cancel: cancels
        case .order: orders
        case .data: data
        }
    }
}

/// The outbox's answer to a new message.
public enum Admission: Hashable, Sendable {
    /// It waits for its turn, which may be at once.
    case queued
    /// It has no place and is not kept.
    case refused(PacingRefusal)
}
