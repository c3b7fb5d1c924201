package import Primitives
package import TWSProtocol

/// Holds bytes while the connection stays open.
package struct StallFault: FaultRecord {
    package static let name = "stall"
    package static let purpose =
        "Holds the bytes of one or both directions while connections stay open, as a half-open link does."
    /// Whose connections; `nil` for all.
    package var client: ClientID?
    /// Which directions.
    package var direction = FaultDirection.both
    /// How long; `nil` until `heal`.
    package var lasting: Duration?
    /// Connections yet to come as well.
    package var comesToNew = false

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.seconds("seconds", &lasting)
        list.flag("new", &comesToNew)
    }
}

/// Makes bytes late.
package struct DelayFault: FaultRecord {
    package static let name = "delay"
    package static let purpose =
        "Makes bytes late by a time, or one drawn between two times; their order is kept."
    /// Whose connections; `nil` for all.
    package var client: ClientID?
    /// Which directions.
    package var direction = FaultDirection.both
    /// How late at least.
    package var least = Duration.seconds(1)
    /// How late at most; `nil` for always the same.
    package var most: Duration?
    /// Connections yet to come as well.
    package var comesToNew = false

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.seconds("seconds", &least)
        list.seconds("most", &most)
        list.flag("new", &comesToNew)
        if let most, most < least { list.refuse("'most' must not be below 'seconds'") }
    }

    /// The times to draw from.
    var range: ClosedRange<Duration> { least...max(least, most ?? least) }
}

/// Lets few bytes pass at a time.
package struct ThrottleFault: FaultRecord {
    package static let name = "trickle"
    package static let purpose =
        "Lets only so many bytes pass in one piece, and one piece in so many seconds."
    /// Whose connections; `nil` for all.
    package var client: ClientID?
    /// Which directions.
    package var direction = FaultDirection.both
    /// Bytes in one piece.
    package var bytes = 1
    /// The time between two pieces.
    package var interval = Duration.zero
    /// Connections yet to come as well.
    package var comesToNew = false

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.integer("bytes", &bytes, 1...1_000_000)
        list.seconds("seconds", &interval)
        list.flag("new", &comesToNew)
    }
}

/// Breaks connections in the middle of what is sent.
package struct CutFault: FaultRecord {
    package static let name = "cut"
    package static let purpose = "Breaks connections after so many more bytes in one direction."
    /// Whose connections; `nil` for all.
    package var client: ClientID?
    /// Which direction's bytes are counted.
    package var direction = FaultDirection.toClient
    /// After so many bytes.
    package var bytes = 1
    /// How the connection ends.
    package var end = EndKind.reset

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("direction", &direction)
        list.integer("bytes", &bytes, 1...1_000_000_000)
        list.word("how", &end)
    }
}

/// Breaks connections.
package struct DropFault: FaultRecord {
    package static let name = "drop"
    package static let purpose = "Breaks connections at once."
    /// Whose connections; `nil` for all.
    package var client: ClientID?
    /// How they end.
    package var end = EndKind.reset

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.word("how", &end)
    }
}

/// Ends faults.
package struct HealFault: FaultRecord {
    package static let name = "heal"
    package static let purpose =
        "Ends all faults that last: of links, messages, ports, logins and clocks; what was held passes."

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {}
}
