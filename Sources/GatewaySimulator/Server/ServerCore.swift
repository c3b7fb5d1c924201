import Glibc
import NIOCore
import NIOPosix
import Primitives

/// The gateway, its sockets and its clock, on one thread.
final class ServerCore {
    private let gateway: Gateway
    private let options: GatewayServer.Options
    private let loop: any EventLoop
    private var time: SessionTime
    private var listener: (any Channel)?
    private var control: (any Channel)?
    private var channels: [ConnectionID: any Channel] = [:]
    private var connectionCount = 0
    private var ticking: RepeatedTask?
    private var port: Int?
    private var keptRevision: Int
    /// What clients that are behind have not read, in bytes.
    private var unread: [ConnectionID: Int] = [:]
    /// What connections sent before their sessions began, while the ends of others were not read yet.
    private var early: [ConnectionID: EarlyBytes] = [:]
    private let complain: @Sendable (String) -> Void

    /// Bytes that wait, and the connections whose ends they wait for.
    private struct EarlyBytes {
        var bytes: [UInt8] = []
        var endings: Set<ConnectionID>
    }

    /// How far a client may fall behind, in bytes.
    private static let unreadMax = 64 << 20

    /// How long the clock rests between two looks: the finest step of time a client can see.
    private static let tick = TimeAmount.milliseconds(5)

    init(
        _ gateway: Gateway, at options: GatewayServer.Options, on loop: any EventLoop,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.gateway = gateway
        self.options = options
        self.loop = loop
        self.complain = complain
        keptRevision = gateway.stateRevision
        time = SessionTime(start: gateway.now, speed: options.speed)
    }

    // MARK: Begin and end

    /// Opens the sockets; gives the port.
    func start() -> EventLoopFuture<Int> {
        do throws(ServerFailure) {
            try takeOver()
        } catch {
            return loop.makeFailedFuture(error)
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        return listen(port: options.port).flatMap { port in
            bound.value.openControl().map { port }
        }.map { port in
            bound.value.beginTicking()
            return port
        }
    }

    /// Goes on from the state that an earlier run has left.
    private func takeOver() throws(ServerFailure) {
        guard let path = options.statePath, let state = try StateFile(path: path).read() else {
            return
        }
        do throws(AccountFault) {
            try gateway.restore(state)
        } catch {
            throw ServerFailure(
                "The state in \(path) does not go with this gateway: \(error). Start it with the same "
                    + "options, or remove the file to begin anew.")
        }
        time = SessionTime(start: gateway.now, speed: options.speed)
        keptRevision = gateway.stateRevision
    }

    /// Closes everything once it is out.
    func stop() -> EventLoopFuture<Void> {
        ticking?.cancel()
        let kept = Result { () throws(ServerFailure) in try keep() }
        let all = channels.values + [listener, control].compactMap { $0 }
        channels = [:]
        let closed = all.map { channel in
            // What was written before goes first.
            channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).flatMap { channel.close() }
                .flatMapError { _ in channel.eventLoop.makeSucceededVoidFuture() }
        }
        return EventLoopFuture.andAllComplete(closed, on: loop).flatMapThrowing { try kept.get() }
    }

    private func listen(port: Int) -> EventLoopFuture<Int> {
        let core = NIOLoopBound(self, eventLoop: loop)
        return ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ClientHandler(core.value))
                }
            }
            .bind(host: options.host, port: port)
            .map { channel in
                let taken = channel.localAddress?.port ?? port
                core.value.listener = channel
                core.value.port = taken
                return taken
            }
    }

    private func openControl() -> EventLoopFuture<Void> {
        guard let path = options.controlPath else { return loop.makeSucceededVoidFuture() }
        let core = NIOLoopBound(self, eventLoop: loop)
        return ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ControlHandler(core.value))
                }
            }
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true)
            .map { core.value.control = $0 }
    }

    // MARK: Time

    private func beginTicking() {
        let core = NIOLoopBound(self, eventLoop: loop)
        ticking = loop.scheduleRepeatedTask(initialDelay: Self.tick, delay: Self.tick) { _ in
            core.value.passTime()
        }
    }

    /// A clock that runs on while the machine sleeps, as a gateway elsewhere does.
    private static var monotonic: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func passTime() {
        gateway.advance(to: time.now(at: Self.monotonic))
        performOutputs()
    }

    // MARK: Clients

    func accepted(_ channel: any Channel) -> ConnectionID {
        connectionCount += 1
        let id = ConnectionID(number: connectionCount)
        channels[id] = channel
        time.begin(at: Self.monotonic)
        gateway.connected(id)
        performOutputs()
        return id
    }

    func received(_ bytes: UnsafeRawBufferPointer, from id: ConnectionID) {
        guard channels[id] != nil, !waits(bytes, from: id) else { return }
        gateway.received(bytes, from: id)
        performOutputs()
    }

    func closed(_ id: ConnectionID) {
        release(id)
        if channels.removeValue(forKey: id) != nil {
            gateway.disconnected(id)
            performOutputs()
        }
        for other in early.keys.sorted() {
            early[other]?.endings.remove(id)
            if early[other]?.endings.isEmpty == true { release(other) }
        }
    }

    /// True when bytes have to wait: their session has not begun, and the system has seen the ends of other
    /// connections that were not read here yet. A client that comes back under its number at once would be
    /// refused because its number is in use (326), although its earlier connection is closed.
    private func waits(_ bytes: UnsafeRawBufferPointer, from id: ConnectionID) -> Bool {
        if early[id] == nil, !gateway.hasBegun(id) {
            let endings = channels.filter { $0.key != id && Self.isEnding($0.value) }
            if !endings.isEmpty { early[id] = EarlyBytes(endings: Set(endings.keys)) }
        }
        guard early[id] != nil else { return false }
        early[id]?.bytes += bytes
        return true
    }

    /// Hands over what a connection sent meanwhile.
    private func release(_ id: ConnectionID) {
        guard let waiting = early.removeValue(forKey: id), channels[id] != nil else { return }
        waiting.bytes.withUnsafeBytes { gateway.received($0, from: id) }
        performOutputs()
    }

    /// True once the system knows that the other side has closed a connection, whether or not that was read.
    private static func isEnding(_ channel: any Channel) -> Bool {
        guard let options = channel as? any SocketOptionProvider else { return false }
        var isEnding = false
        options.getTCPInfo().assumeIsolated().whenSuccess {
            isEnding = [closed, closeWait].contains($0.tcpi_state)
        }
        return isEnding
    }

    /// The states of a reset and of a closed connection, as `tcp(7)` numbers them.
    private static let (closed, closeWait): (UInt8, UInt8) = (7, 8)

    // MARK: Control

    /// Performs one control command and gives the answer, both one line.
    func controlled(_ line: String) -> String {
        gateway.unreadBytes = unread.values.reduce(0, +)
        let answer = gateway.control(line)
        time.jump(to: max(gateway.now, time.now(at: Self.monotonic)), at: Self.monotonic)
        performOutputs()
        return answer
    }

    // MARK: Output

    private func performOutputs() {
        // What a client receives must not be forgotten: it is kept before it is sent.
        do {
            try keep()
        } catch {
            complain("\(error)")
        }
        for output in gateway.takeOutputs() {
            switch output {
            case .send(let id, let bytes): send(bytes, to: id)
            case .close(let id): channels.removeValue(forKey: id)?.close(promise: nil)
            case .reset(let id): reset(id)
            case .stopListening:
                listener?.close(promise: nil)
                listener = nil
            case .listen: relisten()
            }
        }
    }

    private func send(_ bytes: [UInt8], to id: ConnectionID) {
        guard let channel = channels[id] else { return }
        if !channel.isWritable {
            // A client that does not read holds up nobody else, and not for ever.
            unread[id, default: 0] += bytes.count
            guard unread[id, default: 0] <= Self.unreadMax else {
                complain("connection \(id.number) reads too slowly and was broken")
                gateway.disconnected(id)
                return reset(id)
            }
        }
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    /// A client has read what was waiting for it.
    func caughtUp(_ id: ConnectionID) { unread[id] = nil }

    private func reset(_ id: ConnectionID) {
        unread[id] = nil
        guard let channel = channels.removeValue(forKey: id) else { return }
        // Without lingering the system answers what still comes with a reset.
        let none = linger(l_onoff: 1, l_linger: 0)
        guard let options = channel as? any SocketOptionProvider else {
            return channel.close(promise: nil)
        }
        options.setSoLinger(none).whenComplete { _ in channel.close(promise: nil) }
    }

    private func relisten() {
        guard listener == nil, let port else { return }
        // Port 0 would be another one now.
        listen(port: port).whenFailure { [complain] error in
            complain("cannot listen on port \(port) again: \(error)")
        }
    }

    private func keep() throws(ServerFailure) {
        guard let path = options.statePath, keptRevision != gateway.stateRevision else { return }
        try StateFile(path: path).write(gateway.state)
        keptRevision = gateway.stateRevision
    }
}
