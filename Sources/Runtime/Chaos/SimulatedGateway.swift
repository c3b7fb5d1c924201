package import GatewaySimulator
package import Primitives
import Synchronization
package import TWSClient
package import TWSProtocol

/// The gateway simulator at the other end of every connection that a client opens: in one process, over
/// wires in memory, on the clock of the client's loop. Its session time passes as the loop's does.
package final class SimulatedGateway: PipeConnector {
    package let clock = ManualLoop()
    package var loop: any SessionLoop { clock }
    private let versions: ClosedRange<Int>
    private let state: Mutex<State>

    /// What the lock guards.
    private struct State {
        let gateway: Gateway
        var wires: [ConnectionID: Wire] = [:]
        /// Connections so far.
        var count = 0
        var isListening = true
        /// False while it reads nothing, and what clients write waits on their side.
        var isReading = true
        /// When somebody tried to connect.
        var attempts: [Timestamp] = []
        var received: [Received] = []
        /// The numbers under which clients began their sessions, in order.
        var clientIDs: [ClientID] = []
        var marks = 0
    }

    /// A message that left a client.
    package struct Received: Sendable {
        /// When, by the loop's clock.
        package let time: Timestamp
        /// The connection's number, from 1.
        package let connection: Int
        /// What it says.
        package let message: ClientMessage
        /// How many marks were made before it was written.
        package var marks = 0
    }

    /// A gateway that nobody is connected to, in the middle of a session.
    package init(
        version: Int = ServerVersion.newest.number, at start: Timestamp,
        _ set: (inout SimulatedGatewaySettings) -> Void = { _ in }
    ) {
        var settings = SimulatedGatewaySettings(start: start)
        settings.maxVersion = version
        set(&settings)
        versions = ServerVersion.supported.lowerBound...settings.maxVersion
        state = Mutex(State(gateway: Gateway(settings: settings)))
        clock.setTimeOfDay(ahead: start - clock.now)
        tick()
    }

    // MARK: - What it saw

    /// Every message that left clients, in order.
    package var received: [Received] { state.withLock { $0.received } }

    /// The numbers under which clients began their sessions, in order.
    package var clientIDs: [ClientID] { state.withLock { $0.clientIDs } }

    /// Makes a mark: what is written from now on is behind it, also at the same time.
    ///
    /// - Returns: how many marks there are with it.
    @discardableResult package func mark() -> Int {
        state.withLock { state in
            state.marks += 1
            return state.marks
        }
    }

    fileprivate var markCount: Int { state.withLock(\.marks) }

    /// Forgets what left clients so far: over weeks it would be most of the memory.
    package func forgetReceived() { state.withLock { $0.received.removeAll() } }

    /// Messages of one kind that left clients, of all connections or of one.
    package func received(_ kind: ClientMessageKind, in connection: Int? = nil) -> [ClientMessage] {
        received.filter {
            $0.message.kind == kind && (connection == nil || $0.connection == connection)
        }.map(\.message)
    }

    /// When somebody tried to connect, by the loop's clock.
    package var attempts: [Timestamp] { state.withLock { $0.attempts } }

    /// How many connections were accepted so far: the number of the latest.
    package var connection: Int { state.withLock { $0.count } }

    /// How often clients broke each of the broker's limits, where they did.
    package var violations: [PacingAudit.Rule: Int] {
        state.withLock { state in
            let broken = state.gateway.pacingAudit.violations.filter { $0.count > 0 }
            return Dictionary(uniqueKeysWithValues: broken.map { ($0.rule, $0.count) })
        }
    }

    // MARK: - Time

    /// Session time follows the loop's, in the gateway's own steps.
    private func tick() {
        _ = clock.schedule(at: clock.now + Gateway.step) { [weak self] in
            guard let self else { return }
            act { _ in }
            tick()
        }
    }

    // MARK: - What it does

    /// Performs a control command, and gives the answer.
    @discardableResult package func control(_ line: String) -> String { act { $0.control(line) } }

    /// Lets something go wrong.
    ///
    /// - Throws: the gateway's words where it refuses.
    package func fault(_ command: String) throws(RunFailure) {
        let answer = control(command)
        guard answer.hasPrefix(#"{"done""#) || answer.hasPrefix(#"{"playing""#) else {
            throw .defect("the simulated gateway refuses this: \(answer)")
        }
    }

    /// Plays a script of faults from now on.
    package func play(_ scenario: String, seed: UInt64 = 1) throws(RunFailure) {
        let answer = control(#"{"do":"scenario","name":"\#(scenario)","seed":\#(seed)}"#)
        guard answer.hasPrefix(#"{"playing""#) else {
            throw .defect("the simulated gateway refuses this: \(answer)")
        }
    }

    /// Does something to the gateway at the present time, and lets out what it brings about.
    @discardableResult package func act<Answer: Sendable>(
        _ deed: @Sendable (Gateway) -> Answer
    ) -> Answer {
        let now = clock.timeOfDay
        return state.withLock { state in
            state.gateway.advance(to: now)
            let answer = deed(state.gateway)
            for output in state.gateway.takeOutputs() { perform(output, in: &state) }
            return answer
        }
    }

    private func perform(_ output: GatewayOutput, in state: inout State) {
        switch output {
        case .send(let id, let bytes): state.wires[id]?.deliver(bytes)
        case .close(let id): state.wires.removeValue(forKey: id)?.end(nil)
        case .reset(let id): state.wires.removeValue(forKey: id)?.end("connection reset by peer")
        case .stopListening: state.isListening = false
        case .listen: state.isListening = true
        }
    }

    // MARK: - Connections

    /// Lets clients find their connections full, or writable again.
    package func setReading(_ isReading: Bool) { state.withLock { $0.isReading = isReading } }

    fileprivate var isReading: Bool { state.withLock(\.isReading) }

    package func connect(_ listener: PipeListener) {
        let time = clock.now
        let wire = state.withLock { state -> Wire? in
            state.attempts.append(time)
            guard state.isListening else { return nil }
            state.count += 1
            let id = ConnectionID(number: state.count)
            let wire = Wire(id, to: self, listener, GatewayHandshake(versions: versions))
            state.wires[id] = wire
            return wire
        }
        guard let wire else {
            return clock.execute { listener.closed("connection refused") }
        }
        act { $0.connected(wire.id) }
        clock.execute { listener.opened(wire) }
    }

    /// Bytes came out of a wire.
    fileprivate func took(
        _ bytes: [UInt8], _ events: [GatewaySession.Event], behind marks: Int,
        from id: ConnectionID
    ) {
        let time = clock.now
        state.withLock { state in
            for event in events {
                switch event {
                case .message(let message, _):
                    state.received.append(
                        Received(
                            time: time, connection: id.number, message: message, marks: marks))
                case .started(let client, _): state.clientIDs.append(client)
                case .agreed, .rejected, .failed: break
                }
            }
        }
        act { gateway in bytes.withUnsafeBytes { gateway.received($0, from: id) } }
    }

    /// A client closed its wire.
    fileprivate func hasLeft(_ id: ConnectionID) {
        let isOpen = state.withLock { $0.wires.removeValue(forKey: id) != nil }
        if isOpen { act { $0.disconnected(id) } }
    }
}

/// One connection: bytes arrive in their order, at once, on the loop.
private final class Wire: BytePipe {
    let id: ConnectionID
    var isWritable: Bool { gateway.isReading }
    private let gateway: SimulatedGateway
    private let listener: PipeListener
    private let state: Mutex<State>

    private struct State {
        /// Reads along what the client says.
        var session: GatewaySession
        /// Neither side ended it.
        var isOpen = true
        /// The client wants to hear nothing more; what it wrote before still arrives.
        var isDeaf = false
    }

    init(
        _ id: ConnectionID, to gateway: SimulatedGateway, _ listener: PipeListener,
        _ handshake: GatewayHandshake
    ) {
        self.id = id
        self.gateway = gateway
        self.listener = listener
        state = Mutex(State(session: GatewaySession(handshake: handshake)))
    }

    // MARK: From the client

    func write(_ bytes: [UInt8]) {
        let marks = gateway.markCount
        gateway.clock.execute {
            let read = self.state.withLock { state -> [GatewaySession.Event]? in
                guard state.isOpen else { return nil }
                var events: [GatewaySession.Event] = []
                bytes.withUnsafeBytes { state.session.received($0, into: &events) }
                return events
            }
            if let read { self.gateway.took(bytes, read, behind: marks, from: self.id) }
        }
    }

    func close() {
        state.withLock { $0.isDeaf = true }
        gateway.clock.execute {
            self.state.withLock { $0.isOpen = false }
            self.gateway.hasLeft(self.id)
        }
    }

    // MARK: To the client

    func deliver(_ bytes: [UInt8]) {
        gateway.clock.execute {
            guard self.state.withLock({ $0.isOpen && !$0.isDeaf }) else { return }
            bytes.withUnsafeBytes { self.listener.received($0) }
        }
    }

    func end(_ words: String?) {
        gateway.clock.execute {
            let wasOpen = self.state.withLock { state in
                defer { state.isOpen = false }
                return state.isOpen && !state.isDeaf
            }
            if wasOpen { self.listener.closed(words) }
        }
    }
}
