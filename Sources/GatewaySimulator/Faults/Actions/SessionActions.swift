import Primitives
import TWSProtocol

/// Closes the port.
struct ClosePortFault: Fault {
    static let name = "close-port"
    static let purpose =
        "Refuses new connections, for a time or until 'open-port'; those there are stay."
    /// How long; `nil` until `open-port`.
    var lasting: Duration?

    mutating func parameters(_ list: inout ParameterList) {
        list.seconds("seconds", &lasting)
    }

    func perform(on gateway: Gateway) {
        gateway.closePort(lasting)
    }
}

/// Opens the port.
struct OpenPortFault: Fault {
    static let name = "open-port"
    static let purpose = "Accepts connections again."

    mutating func parameters(_ list: inout ParameterList) {}

    func perform(on gateway: Gateway) {
        gateway.openPort()
    }
}

/// Restarts the gateway.
struct RestartFault: Fault {
    static let name = "restart"
    static let purpose =
        "Restarts the gateway: every connection breaks, the port is closed for a time, orders at the broker stay."
    /// How long the port is closed.
    var lasting = Duration.seconds(120)
    /// How connections end.
    var end = EndKind.reset

    mutating func parameters(_ list: inout ParameterList) {
        list.seconds("seconds", &lasting)
        list.word("how", &end)
    }

    func perform(on gateway: Gateway) {
        gateway.orderManager.restart()
        gateway.drop(gateway.connections(of: nil), by: end)
        gateway.closePort(lasting)
        // Whatever waited in the gateway is gone; the broker knows what it knows.
        gateway.faults.messages.forgetDelayed()
        gateway.findLink()
    }
}

/// Lacks its login.
struct LoginFault: Fault {
    static let name = "login"
    static let purpose =
        "The gateway stands at its login screen: connections break, new ones are accepted and not answered, until the login is done."
    /// Whether somebody logs in now.
    var isDone = false

    mutating func parameters(_ list: inout ParameterList) {
        list.flag("done", &isDone)
    }

    func perform(on gateway: Gateway) {
        guard isDone == gateway.faults.isLoginMissing else { return }
        gateway.faults.isLoginMissing = !isDone
        // Who connected meanwhile has waited for nothing.
        gateway.drop(gateway.connections(of: nil), by: isDone ? .close : .reset)
    }
}

/// Holds a client number.
struct ReserveClientFault: Fault {
    static let name = "hold-client"
    static let purpose =
        "Says for a time that a client's number is in use (326), as after a crash."
    /// The number; `nil` for every one.
    var client: ClientID?
    /// How long.
    var lasting = Duration.seconds(60)

    mutating func parameters(_ list: inout ParameterList) {
        list.client("client", &client)
        list.seconds("seconds", &lasting)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.reserve(client, until: gateway.end(of: lasting), at: gateway.now)
    }
}

/// Takes no orders.
struct ReadOnlyFault: Fault {
    static let name = "read-only"
    static let purpose =
        "Refuses every order with 321, as the read-only setting does; with `lists` also what lists orders."
    /// Whether it does.
    var isOn = true
    /// Whether the lists of orders are refused, too, as TWS does.
    var refusesLists = false

    mutating func parameters(_ list: inout ParameterList) {
        list.flag("on", &isOn)
        list.flag("lists", &refusesLists)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.messages.end(.readOnly)
        guard isOn else { return }
        gateway.faults.messages.add(
            .refuse(RefusalWords(code: 321, text: CodeText.words(of: 321))),
            to: MessageSelection(
                asked: refusesLists
                    ? MessageSelection.ordering.union(MessageSelection.listingOrders)
                    : MessageSelection.ordering), because: .readOnly)
    }
}

/// Names other accounts.
struct AccountsFault: Fault {
    static let name = "accounts"
    static let purpose = "Tells other accounts than the login has."
    /// Their names.
    var names: [String] = []

    mutating func parameters(_ list: inout ParameterList) {
        list.texts("names", &names)
        list.need("names", names.isEmpty)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.messages.end(.accounts)
        gateway.faults.messages.add(
            .accounts(names), to: MessageSelection(sent: [.managedAccounts]), because: .accounts)
    }
}

/// Has another clock.
struct ClockFault: Fault {
    static let name = "clock"
    static let purpose =
        "Changes the zone of the gateway's times, or sets the clock it tells ahead or back."
    /// The zone.
    var zone = WireZone.newYork
    /// How far ahead its clock is; negative for back.
    var ahead = 0

    mutating func parameters(_ list: inout ParameterList) {
        list.word("zone", &zone)
        list.integer("ahead", &ahead, -86_400...86_400)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.clock = OffsetClock(zone: zone, ahead: .seconds(Int64(ahead)))
    }
}
