package import Primitives
import TWSProtocol

/// Something that goes wrong, with its parameters: it performs itself. As text it is one JSON object whose `do`
/// is its name: `{"do":"drop","client":1}`.
package protocol Fault: GatewayAction {
    /// Its name.
    static var name: String { get }
    /// What it does, in one sentence.
    static var purpose: String { get }
    /// The usual parameters.
    init()
    /// Walks over the parameters.
    mutating func parameters(_ list: inout ParameterList)
}

extension Fault {
    /// Reads the parameters.
    ///
    /// - Parameter members: the members of its JSON object but `do`.
    init(reading members: [JSONValue.Member]) throws(FaultRefusal) {
        var list = ParameterList(reading: members, of: Self.name)
        self.init()
        parameters(&list)
        try list.finish()
    }

    /// The fault as a JSON object.
    package var json: JSONValue {
        .object([JSONValue.Member("do", .text(Self.name))] + written.written)
    }

    /// The parameters it can have, with what they are where they are left out.
    package static var parameters: [ParameterList.Parameter] { Self().written.described }

    private var written: ParameterList {
        var list = ParameterList(writing: Self.name)
        var copy = self
        copy.parameters(&list)
        return list
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
enum FaultDirection: String, CaseIterable, Sendable {
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
enum EndKind: String, CaseIterable, Sendable {
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
enum Keeping: String, CaseIterable, Sendable {
    /// Later.
    case delayed = "held"
    /// Never.
    case lost
}
