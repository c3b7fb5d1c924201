import GatewaySimulator
import Primitives
import TWSProtocol

/// A gateway in memory with wires to scripted clients. Time passes only when it is told to, in steps as
/// a server would take them.
final class GatewayRig {
    /// The gateway under test.
    let gateway: Gateway
    /// Whether its port is open.
    private(set) var isListening = true
    /// What came over each wire.
    var mailboxes: [ConnectionID: Mailbox] = [:]
    /// How many connected.
    private var connectionCount = 0
    /// The clock of whoever owns the gateway.
    private(set) var now: Timestamp

    /// 2024-03-05, a Tuesday, 10:00 in New York.
    static let start = Timestamp(seconds: 1_709_650_800)

    /// A rig around a gateway.
    init(_ gateway: Gateway) {
        self.gateway = gateway
        now = gateway.now
    }

    /// A rig around a gateway of the usual settings, changed by `change`.
    convenience init(
        at start: Timestamp = GatewayRig.start,
        _ change: (inout SimulatedGatewaySettings) -> Void = { _ in }
    ) {
        var settings = SimulatedGatewaySettings(start: start)
        change(&settings)
        self.init(Gateway(settings: settings))
    }

    /// Connects, shakes hands and begins a session.
    func begin(as id: ClientID, version: Int = ServerVersion.newest.number) -> ScriptedClient {
        let client = connect(version: version)
        client.start(as: id)
        return client
    }

    /// Connects and shakes hands; against a closed port the client is refused.
    func connect(version: Int = ServerVersion.newest.number) -> ScriptedClient {
        let client = ScriptedClient(
            rig: self, connection: accept(), version: ServerVersion(version) ?? .newest)
        let hello = ClientHandshake(versions: version...version, options: "")
        client.send(bytes: hello.bytes)
        return client
    }

    /// Lets time pass in steps.
    func pass(_ time: Duration, step: Duration = .milliseconds(250)) {
        let end = now + time
        while now < end {
            now = min(end, now + step)
            gateway.advance(to: now)
            deliver()
        }
    }

    /// Hands what the gateway put out to whom it is for.
    func deliver() {
        for output in gateway.takeOutputs() {
            switch output {
            case .send(let id, let bytes): mailboxes[id]?.receive(bytes, at: now)
            case .close(let id): mailboxes[id]?.end(.closed)
            case .reset(let id): mailboxes[id]?.end(.reset)
            case .stopListening: isListening = false
            case .listen: isListening = true
            }
        }
    }

    private func accept() -> ConnectionID {
        connectionCount += 1
        let id = ConnectionID(number: connectionCount)
        mailboxes[id] = Mailbox(end: isListening ? .none : .refused)
        if isListening { gateway.connected(id) }
        deliver()
        return id
    }
}
