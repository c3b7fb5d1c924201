import Primitives
import TWSProtocol

/// One kind of fault with its parameters. The name is what its JSON object has under `do`.
package protocol FaultRecord: Hashable, Sendable {
    /// Its name.
    static var name: String { get }
    /// What it does, in one sentence.
    static var purpose: String { get }
    /// The usual parameters.
    init()
    /// Walks over the parameters.
    mutating func parameters(_ list: inout ParameterList)
}

extension FaultRecord {
    /// Reads the parameters.
    init(reading members: [JSONValue.Member]) throws(FaultRefusal) {
        var list = ParameterList(reading: members, of: Self.name)
        self.init()
        parameters(&list)
        try list.finish()
    }

    /// Name and parameters.
    var members: [JSONValue.Member] {
        var list = ParameterList(writing: Self.name)
        var copy = self
        copy.parameters(&list)
        return [JSONValue.Member("do", .text(Self.name))] + list.written
    }
}

extension MessageSelection {
    /// `kinds`, `client`, `share`, `times`.
    mutating func parameters(_ list: inout ParameterList, mayAsk: Bool = true, maySend: Bool = true)
    {
        kinds(&list, mayAsk: mayAsk, maySend: maySend)
        list.client("client", &client)
        list.share("share", &share)
        list.integer("times", &times, 1...1_000_000_000)
    }

    private mutating func kinds(_ list: inout ParameterList, mayAsk: Bool, maySend: Bool) {
        var names = ClientMessageKind.allCases.filter(asked.contains).map { "\($0)" }
        names += GatewayMessageKind.allCases.filter(sent.contains).map { "\($0)" }
        let before = names
        list.texts("kinds", &names)
        list.need("kinds", names.isEmpty)
        guard names != before else { return }
        asked = []
        sent = []
        for name in names {
            if mayAsk, let kind = ClientMessageKind(named: name) {
                asked.insert(kind)
            } else if maySend, let kind = GatewayMessageKind(named: name) {
                sent.insert(kind)
            } else {
                let side =
                    mayAsk ? maySend ? "message" : "message of a client" : "message of a gateway"
                list.refuse("there is no \(side) '\(name)'; kinds are names such as placeOrder")
            }
        }
    }
}

/// Which directions of a connection.
package enum FaultDirection: String, CaseIterable, Sendable {
    /// From clients to the gateway.
    case toGateway = "in"
    /// From the gateway to clients.
    case toClient = "out"
    /// Both.
    case both

    /// The directions.
    var directions: [LinkDirection] {
        switch self {
        case .toGateway: [.toGateway]
        case .toClient: [.toClient]
        case .both: LinkDirection.allCases
        }
    }
}

/// How a connection ends.
package enum EndKind: String, CaseIterable, Sendable {
    /// In order.
    case close
    /// By a reset, as after a crash.
    case reset

    /// The end on the wire.
    var frame: ConnectionFrame {
        switch self {
        case .close: .close
        case .reset: .reset
        }
    }
}

/// Whether what happens meanwhile comes later or never.
package enum Keeping: String, CaseIterable, Sendable {
    /// Later.
    case delayed = "held"
    /// Never.
    case lost
}
