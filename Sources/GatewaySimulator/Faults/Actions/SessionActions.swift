package import Primitives
package import TWSProtocol

/// Closes the port.
package struct ClosePortFault: FaultRecord {
    package static let name = "close-port"
    package static let purpose =
        "Refuses new connections, for a time or until 'open-port'; those there are stay."
    /// How long; `nil` until `open-port`.
    package var lasting: Duration?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.seconds("seconds", &lasting)
    }
}

/// Opens the port.
package struct OpenPortFault: FaultRecord {
    package static let name = "open-port"
    package static let purpose = "Accepts connections again."

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {}
}

/// Restarts the gateway.
package struct RestartFault: FaultRecord {
    package static let name = "restart"
    package static let purpose =
        "Restarts the gateway: every connection breaks, the port is closed for a time, orders at the broker stay."
    /// How long the port is closed.
    package var lasting = Duration.seconds(120)
    /// How connections end.
    package var end = EndKind.reset

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.seconds("seconds", &lasting)
        list.word("how", &end)
    }
}

/// Lacks its login.
package struct LoginFault: FaultRecord {
    package static let name = "login"
    package static let purpose =
        "The gateway stands at its login screen: connections break, new ones are accepted and not answered, until the login is done."
    /// Whether somebody logs in now.
    package var isDone = false

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.flag("done", &isDone)
    }
}

/// Holds a client number.
package struct ReserveClientFault: FaultRecord {
    package static let name = "hold-client"
    package static let purpose =
        "Says for a time that a client's number is in use (326), as after a crash."
    /// The number; `nil` for every one.
    package var client: ClientID?
    /// How long.
    package var lasting = Duration.seconds(60)

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.seconds("seconds", &lasting)
    }
}

/// Takes no orders.
package struct ReadOnlyFault: FaultRecord {
    package static let name = "read-only"
    package static let purpose = "Refuses every order with 321, as the read-only setting does."
    /// Whether it does.
    package var isOn = true

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.flag("on", &isOn)
    }
}

/// Names other accounts.
package struct AccountsFault: FaultRecord {
    package static let name = "accounts"
    package static let purpose = "Tells other accounts than the login has."
    /// Their names.
    package var names: [String] = []

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.texts("names", &names)
        list.need("names", names.isEmpty)
    }
}

/// Has another clock.
package struct ClockFault: FaultRecord {
    package static let name = "clock"
    package static let purpose =
        "Changes the zone of the gateway's times, or sets the clock it tells ahead or back."
    /// The zone.
    package var zone = WireZone.newYork
    /// How far ahead its clock is; negative for back.
    package var ahead = 0

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("zone", &zone)
        list.integer("ahead", &ahead, -86_400...86_400)
    }
}
