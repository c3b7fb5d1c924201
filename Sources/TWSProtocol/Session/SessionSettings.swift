public import Primitives

/// How a client's session behaves. The same for every connection of a program's run.
public struct SessionSettings: Hashable, Sendable {
    /// The number under which the program is connected. Never changed by the session itself.
    public var clientID: ClientID
    /// A free text for the gateway; empty in normal use.
    public var optionalCapabilities = ""
    /// Versions and options offered.
    public var handshake = ClientHandshake.standard
    /// Orders may be sent. Without it the session reads nothing on its own account either.
    public var placesOrders = false
    /// A lost connection is made anew, without end.
    public var reconnects = true
    /// How long a gateway may take from the connection to the end of the handshake, and then again to
    /// the accounts and the next valid id. One that shows its login screen accepts and sends nothing.
    /// Slow gateways take half a minute for each.
    public var beginningLimit = Duration.seconds(45)
    /// How long one synchronising answer may take before it is asked for again.
    public var answerLimit = Duration.seconds(10)
    /// How often it is asked for again before the user is notified.
    public var answerRetriesMax = 3
    /// How long silence may last.
    public var silence = Watchdog.Limits()
    /// Market data lines of the login: so many subscriptions, and half as many messages a second.
    public var marketDataLines = 100
    /// Where the random part of waiting times begins.
    public var seed: UInt64 = 1

    /// A session under `clientID` that only reads.
    public init(clientID: ClientID) { self.clientID = clientID }
}

/// Why a connection ended, or could not be made.
public enum SessionFault: Error, Hashable, Sendable {
    /// The connection was refused or broke; the system's words.
    case connection(String)
    /// The gateway closed it.
    case closedByGateway
    /// The handshake failed.
    case handshake(HandshakeFault)
    /// The gateway accepted the connection and did not answer in time.
    case noAnswer(awaiting: String)
    /// Another program uses the client id (326).
    case clientIDInUse(ClientID)
    /// The gateway ended the session with this code.
    case code(Int, String)
    /// The stream lost its step.
    case stream(FrameError)
    /// Silence beyond the limit.
    case silent(Duration)
    /// The owner doubts what comes: prices of several instruments are off.
    case implausibleData
    /// The session's own settings cannot be sent.
    case settings(String)
    /// The owner closed it.
    case closedByOwner
}

extension SessionFault: CustomStringConvertible {
    /// What happened and what to do.
    public var description: String {
        switch self {
        case .connection(let words): words
        case .closedByGateway: "the gateway closed the connection"
        case .handshake(let fault): fault.description
        case .noAnswer(let awaited):
            "the gateway accepted the connection but sent no \(awaited): is it at its login screen, or "
                + "waiting for somebody to accept the connection?"
        case .clientIDInUse(let id):
            "client id \(id) is in use: end the other program, or give this one another id"
        case .code(let code, let text): "the gateway ended the session: \(code) \(text)"
        case .stream(let error): "the stream cannot be read any more: \(error)"
        case .silent(let silence): "nothing came, or nothing was answered, for \(silence)"
        case .implausibleData: "prices of several symbols were off: the connection is made anew"
        case .settings(let words): "the session's settings cannot be sent: \(words)"
        case .closedByOwner: "closed"
        }
    }
}

/// Why a message was not taken for sending. Nothing of it has left.
public enum SendRefusal: Error, Hashable, Sendable {
    /// The state of the link does not allow it.
    case link(LinkState)
    /// The session only reads.
    case readOnly
    /// The gateway's version does not carry it.
    case encoding(EncodingRefusal)
    /// A limit or a full queue.
    case pacing(PacingRefusal)
}

extension SendRefusal: CustomStringConvertible {
    /// What stands against it.
    public var description: String {
        switch self {
        case .link(let state): "the link is \(state)"
        case .readOnly: "this session only reads; orders need a session that places orders"
        case .encoding(let refusal): refusal.description
        case .pacing(let refusal): "\(refusal)"
        }
    }
}
