package import Primitives
import TWSProtocol

/// Loses messages.
package struct DropMessagesFault: FaultRecord {
    package static let name = "swallow"
    package static let purpose =
        "Loses messages of some kinds: taken from the socket and never heard, or never sent."
    /// Which.
    package var selection = MessageSelection()
    /// How long; `nil` until `heal`.
    package var lasting: Duration?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list)
        list.seconds("seconds", &lasting)
    }
}

/// Publishes nothing about orders.
package struct MuteFault: FaultRecord {
    package static let name = "mute"
    package static let purpose =
        "Takes orders, changes or cancels and carries them out, but says nothing of those orders unless asked for open orders, executions or completed orders."
    /// Which; placements and changes unless set otherwise.
    package var selection = MessageSelection.orders
    /// How long new ones are taken; `nil` until `heal`.
    package var lasting: Duration?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list, maySend: false)
        list.seconds("seconds", &lasting)
    }
}

/// Makes messages late.
package struct DelayMessagesFault: FaultRecord {
    package static let name = "hold"
    package static let purpose =
        "Makes messages of some kinds late: by a time, one drawn between two, those while the market is closed until it opens, or until 'release'."
    /// Which.
    package var selection = MessageSelection()
    /// How late at least; `nil` until they are released.
    package var least: Duration?
    /// How late at most; `nil` for always the same.
    package var most: Duration?
    /// Only while the market is closed, and until it opens.
    package var untilOpen = false

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list)
        list.seconds("seconds", &least)
        list.seconds("most", &most)
        list.flag("open", &untilOpen)
        if untilOpen, least != nil { list.refuse("'open' and 'seconds' exclude each other") }
        if let most {
            if least == nil { list.refuse("'most' needs 'seconds'") }
            if let least, most < least { list.refuse("'most' must not be below 'seconds'") }
        }
    }
}

extension DelayMessagesFault {
    /// What happens to the messages.
    var effect: MessageEffect {
        untilOpen ? .delayUntilOpen : .delay(least.map { $0...max($0, most ?? $0) })
    }
}

/// Lets held messages come.
package struct ReleaseFault: FaultRecord {
    package static let name = "release"
    package static let purpose = "Ends every 'hold'; what was held comes at once, in its order."

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {}
}

/// Sends messages more than once.
package struct RepeatFault: FaultRecord {
    package static let name = "repeat"
    package static let purpose = "Lets messages of some kinds come several times."
    /// Which.
    package var selection = MessageSelection()
    /// How many times more.
    package var copies = 1
    /// How long; `nil` until `heal`.
    package var lasting: Duration?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list)
        list.integer("copies", &copies, 1...100)
        list.seconds("seconds", &lasting)
    }
}

/// Refuses requests.
package struct RefuseFault: FaultRecord {
    package static let name = "refuse"
    package static let purpose =
        "Answers requests of some kinds with a code: no permission, pacing, a competing session and so on."
    /// Which.
    package var selection = MessageSelection()
    /// The code.
    package var code = 0
    /// Its text; `nil` for the gateway's own words.
    package var text: String?
    /// How long; `nil` until `heal`.
    package var lasting: Duration?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list, maySend: false)
        list.integer("code", &code, 0...99_999)
        list.need("code", code == 0)
        list.text("text", &text)
        list.seconds("seconds", &lasting)
    }
}

/// Makes data wrong.
package struct DistortFault: FaultRecord {
    package static let name = "distort"
    package static let purpose =
        "Makes prices and sizes wrong on their way to clients; the market and fills stay right."
    /// How.
    package var data = WrongData.missing
    /// Which; all data unless set otherwise.
    package var selection = MessageSelection.data
    /// How long; `nil` until `heal`.
    package var lasting: Duration?

    package init() {}

    package mutating func parameters(_ list: inout ParameterList) {
        list.word("data", &data)
        selection.parameters(&list, mayAsk: false)
        list.seconds("seconds", &lasting)
    }
}

extension MessageSelection {
    /// Placements and changes of orders.
    static var orders: MessageSelection {
        var selection = MessageSelection()
        selection.asked = [.placeOrder]
        return selection
    }

    /// Prices and bars.
    static var data: MessageSelection {
        var selection = MessageSelection()
        selection.sent = [.tickPrice, .tickSize, .tickByTick, .realTimeBar, .historicalDataUpdate]
        return selection
    }
}
