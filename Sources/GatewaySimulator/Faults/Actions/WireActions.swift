import Primitives
package import TWSProtocol

/// Reports a code.
package struct CodeFault: FaultRecord {
    package static let name = "code"
    package static let purpose = "Tells clients a code, of nothing, of a request or of orders."
    /// The code.
    package var code = 0
    /// Its text; `nil` for the gateway's own words.
    package var text: String?
    /// Which client; `nil` for all.
    package var client: ClientID?
    /// The request or order it is about; `nil` for none.
    package var id: Int?
    /// Which of a client's orders it is about.
    package var orders = Orders.none

    /// Which orders.
    package enum Orders: String, CaseIterable, Sendable {
        /// None.
        case none
        /// The one placed last.
        case last
        /// Every one.
        case each
    }

    package init() {}

    /// A code about nothing.
    init(_ code: Int) { self.code = code }

    /// A code about orders.
    init(_ code: Int, of orders: Orders) {
        self.code = code
        self.orders = orders
    }

    package mutating func parameters(_ list: inout ParameterList) {
        list.integer("code", &code, 0...99_999)
        list.need("code", code == 0)
        list.text("text", &text)
        list.client("client", &client)
        list.integer("id", &id, Int(Int32.min)...Int(Int32.max))
        list.word("orders", &orders)
        if id != nil, orders != .none { list.refuse("'id' and 'orders' exclude each other") }
    }
}

/// Loses the broker.
package struct LoseLinkFault: FaultRecord {
    package static let name = "lose-link"
    package static let purpose =
        "The gateway loses the broker (1100): data stop, and what happens to orders is not told until 'restore-link', or never."
    /// 1100, or 2110.
    package var code = Code.lost
    /// What becomes of news of orders and accounts meanwhile.
    package var facts = Keeping.delayed
    /// What becomes of requests meanwhile.
    package var requests = Keeping.delayed

    /// The code that reports it.
    package enum Code: String, CaseIterable, Sendable {
        /// 1100.
        case lost = "1100"
        /// 2110.
        case broken = "2110"
    }

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("code", &code)
        list.word("facts", &facts)
        list.word("requests", &requests)
    }
}

/// Finds the broker again.
package struct RestoreLinkFault: FaultRecord {
    package static let name = "restore-link"
    package static let purpose =
        "The gateway finds the broker again: 1102 with subscriptions kept, or 1101 with subscriptions lost."
    /// What became of subscriptions.
    package var data = Data.kept

    /// What became of subscriptions.
    package enum Data: String, CaseIterable, Sendable {
        /// They go on.
        case kept
        /// They are gone.
        case lost
    }

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("data", &data)
    }
}

/// Loses or finds a farm.
package struct FarmFault: FaultRecord {
    package static let name = "farm"
    package static let purpose =
        "A farm of the broker breaks, connects, idles or is well again; its service stops while it is broken."
    /// What it serves.
    package var service = FarmService.data
    /// Its name; `nil` for the usual one.
    package var farm: String?
    /// How it is.
    package var state = GatewayFarmState.broken

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("service", &service)
        list.text("farm", &farm)
        list.word("state", &state)
    }
}

/// Sends what is no message.
package struct FrameFault: FaultRecord {
    package static let name = "frame"
    package static let purpose =
        "Sends what is no message: an unknown number, fields that are missing or are no numbers, a frame cut short, one of 16 MB, an impossible length."
    /// What.
    package var shape = BrokenFrame.unknown
    /// Which client; `nil` for all.
    package var client: ClientID?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("shape", &shape)
        list.client("client", &client)
    }
}
