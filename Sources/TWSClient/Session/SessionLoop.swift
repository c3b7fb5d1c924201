public import Primitives

/// Where a session lives: one clock and one line of work. Sockets deliver on it; timers fire on it.
///
/// A program's loop is an event loop of its network library; a test's is a queue it empties by hand,
/// with a clock it sets.
public protocol SessionLoop: Sendable {
    /// A clock that never goes backwards; its zero is of no meaning.
    var now: Timestamp { get }
    /// The time of day, for comparing with the gateway's.
    var timeOfDay: Timestamp { get }
    /// Runs `work` on the loop, after what is waiting already. Returns before it has run.
    func execute(_ work: @escaping @Sendable () -> Void)
    /// Runs `work` on the loop once `now` has reached `time`, unless it is called off.
    func schedule(at time: Timestamp, _ work: @escaping @Sendable () -> Void) -> any SessionTimer
}

/// Work that has been scheduled.
public protocol SessionTimer: Sendable {
    /// Calls it off; does nothing when it has run.
    func cancel()
}

/// An open connection's way out.
public protocol BytePipe: Sendable {
    /// Writes all bytes, in the order of the calls. Returns at once and never calls back before it
    /// returns.
    func write(_ bytes: [UInt8])
    /// Closes the connection. Nothing is delivered afterwards.
    func close()
    /// False while the other side does not read: what was written waits on this machine. May be asked from any thread.
    var isWritable: Bool { get }
}

extension BytePipe {
    /// True: for pipes that never fill.
    public var isWritable: Bool { true }
}

/// Opens connections.
public protocol PipeConnector: Sendable {
    /// The loop on which everything is delivered.
    var loop: any SessionLoop { get }
    /// Opens one connection. Exactly one of `opened` and `closed` follows on the loop; after `opened`,
    /// any number of `received` and at most one `closed`.
    func connect(_ listener: PipeListener)
}

/// What a connection reports.
public struct PipeListener: Sendable {
    /// The connection is open.
    public let opened: @Sendable (any BytePipe) -> Void
    /// Bytes came; valid inside the call only.
    public let received: @Sendable (UnsafeRawBufferPointer) -> Void
    /// It could not be opened, or it ended: the reason in words, `nil` when the other side closed it.
    public let closed: @Sendable (String?) -> Void

    /// A listener of these three functions.
    public init(
        opened: @escaping @Sendable (any BytePipe) -> Void,
        received: @escaping @Sendable (UnsafeRawBufferPointer) -> Void,
        closed: @escaping @Sendable (String?) -> Void
    ) {
        self.opened = opened
        self.received = received
        self.closed = closed
    }
}
