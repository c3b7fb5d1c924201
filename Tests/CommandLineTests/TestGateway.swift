import Glibc
import Primitives
import Synchronization
import TWSProtocol

/// A gateway on a free port of this machine, in a thread of the tests: the protocol's own gateway role
/// behind a real socket. Serves one client after the other.
final class TestGateway: Sendable {
    /// What it does when somebody connects.
    enum Manner: Sendable {
        /// It answers start-up as a gateway does, and everything else by a script.
        case serves(@Sendable (ClientMessage) -> [GatewayMessage])
        /// It says nothing.
        case staysSilent
        /// It speaks another protocol: whatever comes, these bytes are the answer.
        case answers([UInt8])
        /// It refuses the client id (326).
        case refusesClientID
        /// It serves versions that are too old.
        case isOld
    }

    /// Where it listens.
    let port: Int
    private let listener: Int32

    init(_ manner: Manner) throws {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var given = sockaddr_in()
        var givenSize = size
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, size) }
        }
        let isNamed = withUnsafeMutablePointer(to: &given) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(file, $0, &givenSize)
            }
        }
        guard isBound == 0, isNamed == 0, listen(file, 8) == 0 else { throw NoSocket() }
        port = Int(UInt16(bigEndian: given.sin_port))
        listener = file
        let thread = Worker {
            while true {
                let client = accept(file, nil, nil)
                guard client >= 0 else { return }
                TestGateway.serve(client, manner)
                close(client)
            }
        }
        thread.start()
    }

    /// The system gives no socket.
    struct NoSocket: Error {}

    /// A port at which nobody listens.
    static func freePort() throws -> Int {
        let gateway = try TestGateway(.staysSilent)
        gateway.stop()
        return gateway.port
    }

    /// Ends listening.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    // MARK: - One client

    private static func serve(_ client: Int32, _ manner: Manner) {
        let versions: ClosedRange<Int>
        if case .isOld = manner { versions = 157...160 } else { versions = 157...200 }
        var session = GatewaySession(handshake: GatewayHandshake(versions: versions))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(client, &buffer, buffer.count)
            guard count > 0 else { return }
            if case .staysSilent = manner { continue }
            if case .answers(let bytes) = manner {
                write(bytes, to: client)
                continue
            }
            var events: [GatewaySession.Event] = []
            buffer.withUnsafeBytes {
                session.received(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: &events)
            }
            for event in events where !answer(event, &session, client, manner) { return }
        }
    }

    /// - Returns: false when the connection is to end.
    private static func answer(
        _ event: GatewaySession.Event, _ session: inout GatewaySession, _ client: Int32,
        _ manner: Manner
    ) -> Bool {
        do throws(EncodingRefusal) {
            switch event {
            case .agreed:
                write(try session.greeting(time: .other("20231114 17:13:20 EST")), to: client)
            case .started:
                if case .refusesClientID = manner {
                    var message = ErrorMessage()
                    message.errorCode = 326
                    message.errorString = "Unable to connect as the client id is already in use"
                    try send([.error(message)], &session, client)
                    return false
                }
                var accounts = ManagedAccounts()
                accounts.accountsList = ["DU1234567"]
                var next = NextValidId()
                next.orderId = 42
                try send([.managedAccounts(accounts), .nextValidId(next)], &session, client)
            case .message(let message, _):
                guard case .serves(let script) = manner else { return true }
                try send(script(message), &session, client)
            case .rejected, .failed: return false
            }
        } catch {
            return false
        }
        return true
    }

    private static func send(
        _ messages: [GatewayMessage], _ session: inout GatewaySession, _ client: Int32
    ) throws(EncodingRefusal) {
        var bytes: [UInt8] = []
        for message in messages { try session.encode(message, into: &bytes) }
        write(bytes, to: client)
    }

    private static func write(_ bytes: [UInt8], to client: Int32) {
        var remainder = bytes[...]
        while !remainder.isEmpty {
            let count = remainder.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            remainder = remainder.dropFirst(count)
        }
    }
}

/// A thread that is never joined: it ends with its socket.
private final class Worker: Sendable {
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    func start() {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Worker>.fromOpaque(pointer).takeRetainedValue().work()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }
}
