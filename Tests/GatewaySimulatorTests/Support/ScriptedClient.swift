import GatewaySimulator
import Primitives
import TWSProtocol
import Testing

/// A client without a socket: what it sends is handed to the gateway at once, what it is told is kept.
struct ScriptedClient {
    /// Where it is connected.
    let rig: GatewayRig
    /// Its wire.
    let connection: ConnectionID
    /// What it speaks.
    let version: ServerVersion

    init(rig: GatewayRig, connection: ConnectionID, version: ServerVersion) {
        self.rig = rig
        self.connection = connection
        self.version = version
        mailbox?.codec = TextCodec(version: version)
    }

    private var mailbox: Mailbox? {
        get { rig.mailboxes[connection] }
        nonmutating set { rig.mailboxes[connection] = newValue }
    }

    // MARK: What it does

    /// Begins the session.
    func start(as id: ClientID) {
        var start = StartApi()
        start.clientId = id
        send(.startApi(start))
    }

    /// Sends a message; one that this version cannot carry fails the test.
    func send(_ message: ClientMessage) {
        var bytes: [UInt8] = []
        do throws(EncodingRefusal) {
            try TextCodec(version: version).encode(message, into: &bytes)
        } catch {
            Issue.record("a test sends what cannot be written: \(error)")
            return
        }
        send(bytes: bytes)
    }

    /// Sends bytes.
    func send(bytes: [UInt8]) {
        guard end == .none else { return }
        bytes.withUnsafeBytes { rig.gateway.received($0, from: connection) }
        rig.deliver()
    }

    /// Ends the connection.
    func leave() {
        guard end == .none else { return }
        mailbox?.end(.left)
        rig.gateway.disconnected(connection)
        rig.deliver()
    }

    // MARK: What it got

    /// How its connection ended.
    var end: ConnectionEnd { mailbox?.end ?? .refused }
    /// The gateway's first answer.
    var greeting: GatewayGreeting? { mailbox?.greeting }
    /// Everything it was told and did not take, with its times.
    var received: [Received] { mailbox?.received ?? [] }
    /// Everything it was told and did not take.
    var messages: [GatewayMessage] { received.map(\.message) }
    /// Frames that were no message it knows.
    var rejected: [DecodingFailure] { mailbox?.rejected ?? [] }
    /// Whether a frame's length was impossible.
    var isOutOfStep: Bool { mailbox?.isOutOfStep ?? false }
    /// Bytes of a frame whose rest did not come.
    var waiting: Int { mailbox?.frames.waiting ?? 0 }
    /// How many bytes came.
    var byteCount: Int { mailbox?.byteCount ?? 0 }
    /// In how many pieces they came.
    var pieceCount: Int { mailbox?.pieceCount ?? 0 }

    /// The codes it was told, in order.
    var codes: [Int32] {
        messages.compactMap {
            guard case .error(let error) = $0 else { return nil }
            return error.errorCode
        }
    }

    /// Takes what it was told since the last time.
    @discardableResult func take() -> [GatewayMessage] {
        defer { mailbox?.received.removeAll() }
        return messages
    }
}
