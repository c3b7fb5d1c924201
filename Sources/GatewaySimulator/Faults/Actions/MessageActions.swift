import Primitives
import TWSProtocol

/// Loses messages.
struct DropMessagesFault: Fault {
    static let name = "swallow"
    static let purpose =
        "Loses messages of some kinds: taken from the socket and never heard, or never sent."
    /// Which.
    var selection = MessageSelection()
    /// How long; `nil` until `heal`.
    var lasting: Duration?

    mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list)
        list.seconds("seconds", &lasting)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.messages.add(.drop, to: selection, until: gateway.end(of: lasting))
    }
}

/// Publishes nothing about orders.
struct MuteFault: Fault {
    static let name = "mute"
    static let purpose =
        "Takes orders, changes or cancels and carries them out, but says nothing of those orders unless asked for open orders, executions or completed orders."
    /// Which; placements and changes unless set otherwise.
    var selection = MessageSelection.orders
    /// How long new ones are taken; `nil` until `heal`.
    var lasting: Duration?

    mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list, maySend: false)
        list.seconds("seconds", &lasting)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.messages.add(.mute, to: selection, until: gateway.end(of: lasting))
    }
}

/// Makes messages late.
struct DelayMessagesFault: Fault {
    static let name = "hold"
    static let purpose =
        "Makes messages of some kinds late: by a time, one drawn between two, those while the market is closed until it opens, or until 'release'."
    /// Which.
    var selection = MessageSelection()
    /// How late at least; `nil` until they are released.
    var least: Duration?
    /// How late at most; `nil` for always the same.
    var most: Duration?
    /// Only while the market is closed, and until it opens.
    var untilOpen = false

    mutating func parameters(_ list: inout ParameterList) {
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

    func perform(on gateway: Gateway) {
        let time = least.map { $0...max($0, most ?? $0) }
        gateway.faults.messages.add(untilOpen ? .delayUntilOpen : .delay(time), to: selection)
    }
}

/// Lets held messages come.
struct ReleaseFault: Fault {
    static let name = "release"
    static let purpose = "Ends every 'hold'; what was held comes at once, in its order."

    mutating func parameters(_ list: inout ParameterList) {}

    func perform(on gateway: Gateway) {
        gateway.faults.messages.release()
        gateway.releaseDelayed()
    }
}

/// Sends messages more than once.
struct RepeatFault: Fault {
    static let name = "repeat"
    static let purpose = "Lets messages of some kinds come several times."
    /// Which.
    var selection = MessageSelection()
    /// How many times more.
    var copies = 1
    /// How long; `nil` until `heal`.
    var lasting: Duration?

    mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list)
        list.integer("copies", &copies, 1...100)
        list.seconds("seconds", &lasting)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.messages.add(
            .copy(copies), to: selection, until: gateway.end(of: lasting))
    }
}

/// Refuses requests.
struct RefuseFault: Fault {
    static let name = "refuse"
    static let purpose =
        "Answers requests of some kinds with a code: no permission, pacing, a competing session and so on."
    /// Which.
    var selection = MessageSelection()
    /// The code.
    var code = 0
    /// Its text; `nil` for the gateway's own words.
    var text: String?
    /// The details of a rejection, as JSON.
    var advanced: String?
    /// How long; `nil` until `heal`.
    var lasting: Duration?

    mutating func parameters(_ list: inout ParameterList) {
        selection.parameters(&list, maySend: false)
        list.integer("code", &code, 0...99_999)
        list.need("code", code == 0)
        list.text("text", &text)
        list.text("advanced", &advanced)
        list.seconds("seconds", &lasting)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.messages.add(
            .refuse(
                RefusalWords(
                    code: Int32(clamping: code), text: text ?? CodeText.words(of: code),
                    advanced: advanced ?? "")),
            to: selection, until: gateway.end(of: lasting))
    }
}

/// Makes data wrong.
struct DistortFault: Fault {
    static let name = "distort"
    static let purpose =
        "Makes prices and sizes wrong on their way to clients; the market and fills stay right."
    /// How.
    var data = WrongData.missing
    /// Which; all data unless set otherwise.
    var selection = MessageSelection.data
    /// How long; `nil` until `heal`.
    var lasting: Duration?

    mutating func parameters(_ list: inout ParameterList) {
        list.word("data", &data)
        selection.parameters(&list, mayAsk: false)
        list.seconds("seconds", &lasting)
    }

    func perform(on gateway: Gateway) {
        gateway.faults.messages.add(
            .distort(data), to: selection, until: gateway.end(of: lasting))
    }
}

extension MessageSelection {
    /// Placements and changes of orders.
    static let orders = MessageSelection(asked: [.placeOrder])

    /// Prices and bars.
    static let data = MessageSelection(
        sent: [.tickPrice, .tickSize, .tickByTick, .realTimeBar, .historicalDataUpdate])
}
