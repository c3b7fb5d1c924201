import Primitives
import TWSProtocol

/// Holds bytes while the connection stays open.
struct StallFault: Fault {
    static let name = "stall"
    static let purpose =
        "Holds the bytes of one or both directions while connections stay open, as a half-open link does."
    /// Whose connections; `nil` for all.
    var client: ClientID?
    /// Which directions.
    var direction = FaultDirection.both
    /// How long; `nil` until `heal`.
    var lasting: Duration?
    /// Connections yet to come as well.
    var comesToNew = false

    mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.seconds("seconds", &lasting)
        list.flag("new", &comesToNew)
    }

    func perform(on gateway: Gateway) {
        let until = gateway.end(of: lasting)
        gateway.changeLinks(of: client, direction, lasts: comesToNew) { $0.stalledUntil = until }
    }
}

/// Makes bytes late.
struct DelayFault: Fault {
    static let name = "delay"
    static let purpose =
        "Makes bytes late by a time, or one drawn between two times; their order is kept."
    /// Whose connections; `nil` for all.
    var client: ClientID?
    /// Which directions.
    var direction = FaultDirection.both
    /// How late at least.
    var least = Duration.seconds(1)
    /// How late at most; `nil` for always the same.
    var most: Duration?
    /// Connections yet to come as well.
    var comesToNew = false

    mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.seconds("seconds", &least)
        list.seconds("most", &most)
        list.flag("new", &comesToNew)
        if let most, most < least { list.refuse("'most' must not be below 'seconds'") }
    }

    func perform(on gateway: Gateway) {
        gateway.changeLinks(of: client, direction, lasts: comesToNew) {
            $0.delay = least...max(least, most ?? least)
        }
    }
}

/// Lets few bytes pass at a time.
struct ThrottleFault: Fault {
    static let name = "trickle"
    static let purpose =
        "Lets only so many bytes pass in one piece, and one piece in so many seconds."
    /// Whose connections; `nil` for all.
    var client: ClientID?
    /// Which directions.
    var direction = FaultDirection.both
    /// Bytes in one piece.
    var bytes = 1
    /// The time between two pieces.
    var interval = Duration.zero
    /// Connections yet to come as well.
    var comesToNew = false

    mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.integer("bytes", &bytes, 1...1_000_000)
        list.seconds("seconds", &interval)
        list.flag("new", &comesToNew)
    }

    func perform(on gateway: Gateway) {
        gateway.changeLinks(of: client, direction, lasts: comesToNew) {
            $0.pieceMax = bytes
            $0.pieceInterval = interval
        }
    }
}

/// Breaks connections in the middle of what is sent.
struct CutFault: Fault {
    static let name = "cut"
    static let purpose = "Breaks connections after so many more bytes in one direction."
    /// Whose connections; `nil` for all.
    var client: ClientID?
    /// Which direction's bytes are counted.
    var direction = FaultDirection.toClient
    /// After so many bytes.
    var bytes = 1
    /// How the connection ends.
    var end = EndKind.reset

    mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.integer("bytes", &bytes, 1...1_000_000_000)
        list.word("how", &end)
    }

    func perform(on gateway: Gateway) {
        for id in gateway.connections(of: client) {
            for direction in direction.directions {
                gateway.faults.links.cut(id, direction, after: bytes, by: end.frame)
            }
        }
    }
}

/// Breaks connections.
struct DropFault: Fault {
    static let name = "drop"
    static let purpose = "Breaks connections at once."
    /// Whose connections; `nil` for all.
    var client: ClientID?
    /// How they end.
    var end = EndKind.reset

    mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("how", &end)
    }

    func perform(on gateway: Gateway) {
        gateway.drop(gateway.connections(of: client), by: end)
    }
}

/// Ends faults.
struct HealFault: Fault {
    static let name = "heal"
    static let purpose =
        "Ends all faults that last: of links, messages, ports, logins and clocks; what was held passes."

    mutating func parameters(_ list: inout ParameterList) {}

    func perform(on gateway: Gateway) {
        gateway.faults.heal()
        gateway.findLink()
        gateway.healModules()
        gateway.openPort()
        gateway.passFaults()
    }
}
