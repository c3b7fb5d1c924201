import ClientTestSupport
import Primitives
import Synchronization
import TWSClient
import TWSProtocol

/// A gateway in memory, at the other end of every connection that a session opens.
///
/// It takes the protocol's own gateway role and answers start-up, synchronisation and questions of
/// the
/// clock as a gateway does; everything else is answered by the test's script. It can be slow,
/// silent,
/// deaf, at its login screen, of another version, or no gateway at all, and it remembers every
/// message
/// that it got and when. All of it happens on the loop.
final class ScriptedGateway: MemoryGateway {
    /// What the gateway does by itself. Changes count from then on.
    struct Manner: Sendable {
        /// Versions it serves.
        var versions = ServerVersion.supported
        /// Its first word instead of an answer to the client's versions.
        var firstWord: [UInt8]?
        /// How it meets the next connections.
        var welcome = Welcome.accepts
        /// The accounts of the login.
        var accounts: [AccountID] = ["DU1234567"]
        /// The next valid order id; goes up with the orders it gets.
        var nextOrderID: APIOrderID = 1
        /// Accounts come before the next valid id.
        var sendsAccountsFirst = true
        /// What comes before both.
        var beforeStart: [GatewayMessage] = []
        /// How much later the next valid id comes.
        var nextOrderIDDelay = Duration.zero
        /// What it knows, for synchronising.
        var openOrders: [OpenOrder] = []
        var completedOrders: [CompletedOrder] = []
        var executions: [ExecDetails] = []
        var positions: [Position] = []
        /// Kinds of messages that get lost on their way to the client.
        var dropped: Set<GatewayMessageKind> = []
        /// How long each message is on its way, in each direction.
        var latency = Duration.zero
        /// The largest piece in which bytes arrive at the client; `nil` for whole messages.
        var pieceMax: Int?
        /// Client ids are still in use until then.
        var idsReservedUntil = Timestamp.distantPast
    }

    /// What becomes of an attempt to connect.
    enum Welcome: Hashable, Sendable {
        /// It is accepted.
        case accepts
        /// It is refused.
        case refuses
        /// It is accepted, and nothing is ever said.
        case staysSilent
    }

    /// A direction in which nothing travels any more, though the connection stays open.
    enum Stall: Hashable, Sendable {
        /// What the gateway sends does not arrive.
        case toClient
        /// What the client sends does not arrive.
        case toGateway
    }

    /// A message that arrived.
    struct Received: Sendable {
        let time: Timestamp
        /// The number of the connection, from 1.
        let connection: Int
        let message: ClientMessage
    }

    typealias Script = @Sendable (ClientMessage) -> [GatewayMessage]

    let clock: ManualLoop
    let state = Mutex(State())

    /// What the lock guards.
    struct State {
        var manner = Manner()
        var scripts: [ClientMessageKind: Script] = [:]
        var attempts: [Timestamp] = []
        var received: [Received] = []
        var failures: [SessionFault] = []
        var unreadable: [DecodingFailure] = []
        var current: Connection?
        /// Connections that were accepted.
        var accepted = 0
        /// Subscriptions that the gateway serves, in the order in which they came.
        var live: [RequestID] = []
    }

    init(loop: ManualLoop = ManualLoop(), _ set: (inout Manner) -> Void = { _ in }) {
        clock = loop
        state.withLock { set(&$0.manner) }
    }

    // MARK: - The script

    /// How it behaves; changes count from now on.
    var manner: Manner {
        get { state.withLock { $0.manner } }
        set { state.withLock { $0.manner = newValue } }
    }

    /// Changes how it behaves.
    func change(_ set: (inout Manner) -> Void) { state.withLock { set(&$0.manner) } }

    /// Answers messages of a kind; what the script returns is sent in place of any answer of its
    /// own.
    func on(_ kind: ClientMessageKind, _ script: @escaping Script) {
        state.withLock { $0.scripts[kind] = script }
    }

    /// Answers messages of a kind by itself again.
    func forgetScript(for kind: ClientMessageKind) { state.withLock { $0.scripts[kind] = nil } }

    // MARK: - What it saw

    /// Every message that arrived, in the order of arrival.
    var received: [Received] { state.withLock { $0.received } }

    /// Messages of one kind that arrived, of all connections or of one.
    func received(_ kind: ClientMessageKind, in connection: Int? = nil) -> [ClientMessage] {
        state.withLock { state in
            state.received.filter {
                $0.message.kind == kind && (connection == nil || $0.connection == connection)
            }.map(\.message)
        }
    }

    /// When somebody tried to connect.
    var attempts: [Timestamp] { state.withLock { $0.attempts } }

    /// How many connections were accepted so far: the number of the latest.
    var connection: Int { state.withLock { $0.accepted } }

    /// Whether a connection is open now.
    var isConnected: Bool { state.withLock { $0.current?.isOpen ?? false } }

    /// Why clients were taken for no clients.
    var failures: [SessionFault] { state.withLock { $0.failures } }

    /// Messages that could not be read.
    var unreadable: [DecodingFailure] { state.withLock { $0.unreadable } }

    /// Requests whose data it would send now, in the order in which they came.
    var live: [RequestID] { state.withLock { $0.live } }

    // MARK: - What it does

    /// Sends messages to the client that is connected; nothing where none is.
    func send(_ messages: GatewayMessage...) { send(messages) }

    /// Sends messages to the client that is connected; nothing where none is.
    func send(_ messages: [GatewayMessage]) {
        let (connection, dropped) = state.withLock { ($0.current, $0.manner.dropped) }
        connection?.send(messages.filter { !dropped.contains($0.kind) })
    }

    /// Sends a code about a request, an order, or with -1 about the session.
    func send(code: Int32, id: Int32 = -1, _ text: String = "words") {
        send(.code(code, id: id, text))
    }

    /// Sends bytes as they are.
    func send(bytes: [UInt8]) { state.withLock { $0.current }?.deliver(bytes) }

    /// Does something later.
    func after(_ duration: Duration, _ deed: @escaping @Sendable (ScriptedGateway) -> Void) {
        _ = clock.schedule(at: clock.now + duration) { deed(self) }
    }

    /// Ends the connection: with words as a broken one, without as the gateway's own wish.
    func drop(_ words: String? = nil) {
        let connection = state.withLock { state in
            defer {
                state.current = nil
                state.live = []
            }
            return state.current
        }
        connection?.end(words)
    }

    /// Forgets every subscription, as a gateway that lost the broker.
    func forgetSubscriptions() { state.withLock { $0.live = [] } }

    /// Nothing travels any more in these directions.
    func stall(_ directions: Set<Stall> = [.toClient, .toGateway]) {
        state.withLock { $0.current }?.stall(directions)
    }

    /// What was held up arrives, and everything travels again.
    func resume() { state.withLock { $0.current }?.stall([]) }

    // MARK: - Connections

    func connect(_ listener: PipeListener) {
        let welcome = state.withLock { state in
            state.attempts.append(clock.now)
            return state.manner.welcome
        }
        guard welcome != .refuses else {
            clock.execute { listener.closed("connection refused") }
            return
        }
        let connection = state.withLock { state in
            state.accepted += 1
            let connection = Connection(
                gateway: self, listener: listener, number: state.accepted,
                versions: state.manner.versions)
            state.current = connection
            state.live = []
            return connection
        }
        clock.execute { listener.opened(connection) }
    }
}
