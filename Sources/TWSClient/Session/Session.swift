import Primitives
import Synchronization
public import TWSProtocol

/// A gateway session: every decoded message in wire order, one batch for each read from the socket,
/// handed over on the loop. It connects, begins, synchronises, keeps pace, notices silence and comes
/// back by itself; it decides nothing else.
///
/// May be called from any thread. Messages sent by two threads leave whole, in the order of the calls.
public final class Session: Sendable {
    /// The loop on which batches are handed over.
    public let loop: any SessionLoop
    private let connector: any PipeConnector
    private let deliver: @Sendable ([SessionEvent]) -> Void
    private let recorder: (any FrameSink)?
    private let core: Mutex<Core>

    /// What the lock guards.
    private struct Core {
        var machine: ClientSession
        var outcome = SessionOutcome()
        var pipe: (any BytePipe)?
        /// Counts attempts: what an older connection still reports is dropped.
        var attempt = 0
        var timer: (any SessionTimer)?
        var timerTime: Timestamp?
    }

    /// A session that has not started.
    ///
    /// - Parameters:
    ///   - recorder: gets every byte in both directions, as it travels.
    ///   - deliver: gets the events of one input, on the loop, never two calls at a time. It must return
    ///     soon: the socket is not read meanwhile.
    public init(
        settings: SessionSettings, codes: CodePolicy = .standard, connector: any PipeConnector,
        recorder: (any FrameSink)? = nil, deliver: @escaping @Sendable ([SessionEvent]) -> Void
    ) {
        loop = connector.loop
        self.connector = connector
        self.recorder = recorder
        self.deliver = deliver
        core = Mutex(Core(machine: ClientSession(settings: settings, codes: codes)))
    }

    /// The state of the link at this moment.
    public var state: LinkState { core.withLock { $0.machine.state } }

    /// What must be answered yet before orders may leave.
    public var missing: [SyncAnswer] { core.withLock { $0.machine.missing } }

    /// The connection's number, from 1; 0 before the first.
    public var epoch: Int { core.withLock { $0.machine.epoch } }

    /// Version and the gateway's words for its clock; `nil` while not connected.
    public var agreement: ClientHandshake.Agreement? { core.withLock { $0.machine.agreement } }

    /// Connects, and keeps connecting where the settings say so.
    public func start() {
        loop.execute {
            self.step { machine, now, outcome in machine.start(at: now, into: &outcome) }
        }
    }

    /// Closes the connection for good. Published as the last event.
    public func stop() {
        loop.execute {
            self.step { machine, now, outcome in machine.stop(at: now, into: &outcome) }
        }
    }

    /// Takes a message for sending; it leaves when pacing lets it.
    ///
    /// - Throws: when it cannot be sent; nothing of it has left then.
    public func send(_ message: ClientMessage) throws(SendRefusal) {
        try sending { machine, now, outcome throws(SendRefusal) in
            try machine.send(message, at: now, into: &outcome)
        }
    }

    /// Takes an order for sending, as `send` takes its message.
    ///
    /// - Parameter onlyReduces: it can only reduce a position, and may also leave while data are degraded
    ///   or a restart is near.
    /// - Throws: as `send`; and an order that may open a position while the gateway does not read what was written: it
    ///   would be old when it is read.
    public func place(_ order: PlaceOrder, onlyReduces: Bool = false) throws(SendRefusal) {
        if !onlyReduces, core.withLock({ $0.pipe?.isWritable == false }) {
            throw .pacing(.queueFull(.order, capacity: 0))
        }
        try sending { machine, now, outcome throws(SendRefusal) in
            try machine.index(order, onlyReduces: onlyReduces, at: now, into: &outcome)
        }
    }

    /// How long `message` would wait if it were sent now, or why it would not be taken.
    public func delay(for message: ClientMessage) -> Turn {
        let now = loop.now
        return core.withLock { $0.machine.delay(for: message, at: now) }
    }

    /// A request is over: its place among the open ones is free again.
    public func finished(_ request: RequestID) {
        sending { machine, now, outcome in machine.finished(request, at: now, into: &outcome) }
    }

    /// A known restart of the gateway is near, or over: until then only what reduces positions and cancels leave.
    public func drain(_ isDraining: Bool) {
        sending { machine, now, outcome in machine.drain(isDraining, at: now, into: &outcome) }
    }

    /// The owner was away for long: nothing may open before all lists were read once more.
    public func resynchronise() {
        sending { machine, now, outcome in machine.resynchronise(at: now, into: &outcome) }
    }

    /// The owner doubts what comes: the connection ends, and another is made.
    public func renew() {
        loop.execute {
            self.step { machine, now, outcome in machine.renew(at: now, into: &outcome) }
        }
    }

    /// True while something waits to leave for a request.
    public func isQueued(_ request: RequestID) -> Bool {
        core.withLock { $0.machine.isQueued(request) }
    }

    /// Takes back a request that has not left.
    ///
    /// - Returns: false when it has left already.
    public func withdraw(_ request: RequestID) -> Bool {
        sending { machine, now, outcome in machine.withdraw(request, at: now, into: &outcome) }
    }

    /// An input from any thread, of the kind that causes bytes, and events only of orders taken back.
    private func sending<Answer, Failure: Error>(
        _ input: (inout ClientSession, Timestamp, inout SessionOutcome) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let (answer, events) = try core.withLock { core throws(Failure) in
            core.outcome.clear()
            // Read under the lock: for the machine time must not go backwards.
            let answer = try input(&core.machine, loop.now, &core.outcome)
            write(&core)
            setTimer(&core)
            return (answer, core.outcome.events)
        }
        // Published on the loop, as everything is.
        if !events.isEmpty { loop.execute { self.deliver(events) } }
        return answer
    }

    /// One input on the loop: under the lock the machine steps and its bytes are written, in one go so
    /// that no other thread's bytes come between; outside it the events are handed over.
    private func step(
        _ input: (inout ClientSession, Timestamp, inout SessionOutcome) -> Void
    ) {
        let (events, opens) = core.withLock { core in
            core.outcome.clear()
            input(&core.machine, loop.now, &core.outcome)
            write(&core)
            if core.outcome.connection == .close { closePipe(&core) }
            setTimer(&core)
            return (core.outcome.events, core.outcome.connection == .open)
        }
        if !events.isEmpty { deliver(events) }
        if opens { connect() }
    }

    private func write(_ core: inout Core) {
        guard !core.outcome.bytes.isEmpty else { return }
        recorder?.sent(core.outcome.bytes)
        core.pipe?.write(core.outcome.bytes)
    }

    private func closePipe(_ core: inout Core) {
        core.attempt += 1
        core.pipe?.close()
        core.pipe = nil
    }

    private func setTimer(_ core: inout Core) {
        guard core.outcome.wake != core.timerTime else { return }
        core.timer?.cancel()
        core.timerTime = core.outcome.wake
        core.timer = core.outcome.wake.map { time in
            loop.schedule(at: time) {
                // A timer that has fired is none any more, even where the next is for the same time.
                self.core.withLock { $0.timerTime = nil }
                self.step { machine, now, outcome in machine.timeReached(at: now, into: &outcome) }
            }
        }
    }

    private func connect() {
        let attempt = core.withLock { core in
            core.attempt += 1
            return core.attempt
        }
        connector.connect(
            PipeListener(
                opened: { pipe in
                    guard self.takes(pipe, of: attempt) else { return pipe.close() }
                    self.recorder?.opened()
                    self.step { machine, now, outcome in machine.opened(at: now, into: &outcome) }
                },
                received: { bytes in
                    guard self.receives(attempt) else { return }
                    self.recorder?.received(bytes)
                    self.step { machine, now, outcome in
                        machine.received(bytes, at: now, into: &outcome)
                    }
                },
                closed: { words in
                    guard self.receives(attempt) else { return }
                    self.core.withLock { $0.pipe = nil }
                    let fault = words.map { SessionFault.connection($0) } ?? .closedByGateway
                    self.step { machine, now, outcome in
                        machine.closed(fault, at: now, into: &outcome)
                    }
                }))
    }

    private func takes(_ pipe: any BytePipe, of attempt: Int) -> Bool {
        core.withLock { core in
            guard core.attempt == attempt else { return false }
            core.pipe = pipe
            return true
        }
    }

    private func receives(_ attempt: Int) -> Bool { core.withLock { $0.attempt == attempt } }
}

/// Gets the bytes of a session as they travel.
public protocol FrameSink: Sendable {
    /// A connection is open; the bytes that follow are its own.
    func opened()
    /// Bytes that leave.
    func sent(_ bytes: [UInt8])
    /// Bytes that came, valid inside the call only.
    func received(_ bytes: UnsafeRawBufferPointer)
}
