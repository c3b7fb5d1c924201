import Primitives
import TWSProtocol

/// Reports a code.
struct CodeFault: Fault {
    static let name = "code"
    static let purpose = "Tells clients a code, of nothing, of a request or of orders."
    /// The code.
    var code = 0
    /// Its text; `nil` for the gateway's own words.
    var text: String?
    /// Which client; `nil` for all.
    var client: ClientID?
    /// The request or order it is about; `nil` for none.
    var id: Int?
    /// Which of a client's orders it is about.
    var orders = Orders.none

    /// Which orders.
    enum Orders: String, CaseIterable, Sendable {
        /// None.
        case none
        /// The one placed last.
        case last
        /// Every one.
        case each
    }

    mutating func parameters(_ list: inout ParameterList) {
        list.integer("code", &code, 0...99_999)
        list.need("code", code == 0)
        list.text("text", &text)
        list.client("client", &client)
        list.integer("id", &id, Int(Int32.min)...Int(Int32.max))
        list.word("orders", &orders)
        if id != nil, orders != .none { list.refuse("'id' and 'orders' exclude each other") }
    }

    func perform(on gateway: Gateway) {
        gateway.flush()
        let text = text ?? CodeText.words(of: code)
        let audit = gateway.orderAudit
        var answers = Answers()
        for client in gateway.clients where self.client ?? client.id == client.id {
            let ids: [Int32?] =
                switch orders {
                case .none: [id.map { Int32(clamping: $0) }]
                case .last: audit.orders(of: client.id).suffix(1).map(\.rawValue)
                case .each: audit.orders(of: client.id).map(\.rawValue)
                }
            for id in ids {
                answers.report(Int32(clamping: code), text, about: id, to: client.connection)
            }
        }
        gateway.send(answers.take(at: gateway.now))
    }
}

/// Loses the broker.
struct LoseLinkFault: Fault {
    static let name = "lose-link"
    static let purpose =
        "The gateway loses the broker (1100): data stop, and what happens to orders is not told until 'restore-link', or never."
    /// 1100, or 2110.
    var code = Code.lost
    /// What becomes of news of orders and accounts meanwhile.
    var facts = Keeping.delayed
    /// What becomes of requests meanwhile.
    var requests = Keeping.delayed
    /// Whether clients are not notified of it: the gateway has not noticed it yet.
    var isSilent = false

    /// The code that reports it.
    enum Code: String, CaseIterable, Sendable {
        /// 1100.
        case lost = "1100"
        /// 2110.
        case broken = "2110"
    }

    mutating func parameters(_ list: inout ParameterList) {
        list.word("code", &code)
        list.word("facts", &facts)
        list.word("requests", &requests)
        list.flag("silent", &isSilent)
    }

    func perform(on gateway: Gateway) {
        let code = code == .lost ? 1100 : 2110
        if !isSilent { gateway.broadcast(code, CodeText.words(of: code)) }
        guard !gateway.faults.isLinkLost else { return }
        gateway.faults.isLinkLost = true
        gateway.faults.losesFacts = facts == .lost
        gateway.orderManager.loseUpstream()
        gateway.faults.messages.add(
            facts == .lost ? .drop : .delay(nil),
            to: MessageSelection(sent: MessageSelection.accountFacts), because: .link)
        var asked = MessageSelection.needsBroker
        if requests == .lost { asked.formUnion(MessageSelection.ordering) }
        gateway.faults.messages.add(
            requests == .lost ? .drop : .delay(nil), to: MessageSelection(asked: asked),
            because: .link)
    }
}

/// Finds the broker again.
struct RestoreLinkFault: Fault {
    static let name = "restore-link"
    static let purpose =
        "The gateway finds the broker again: 1102 with subscriptions kept, or 1101 with subscriptions lost."
    /// What became of subscriptions.
    var data = Data.kept

    /// What became of subscriptions.
    enum Data: String, CaseIterable, Sendable {
        /// They go on.
        case kept
        /// They are gone.
        case lost
    }

    mutating func parameters(_ list: inout ParameterList) {
        list.word("data", &data)
    }

    func perform(on gateway: Gateway) {
        let code = data == .kept ? 1102 : 1101
        gateway.broadcast(code, CodeText.words(of: code))
        if data == .lost { gateway.loseSubscriptions() }
        gateway.findLink()
    }
}

/// Loses or finds a farm.
struct FarmFault: Fault {
    static let name = "farm"
    static let purpose =
        "A farm of the broker breaks, connects, idles or is well again; its service stops while it is broken."
    /// What it serves.
    var service = FarmService.data
    /// Its name; `nil` for the usual one.
    var farm: String?
    /// How it is.
    var state = GatewayFarmState.broken

    mutating func parameters(_ list: inout ParameterList) {
        list.word("service", &service)
        list.text("farm", &farm)
        list.word("state", &state)
    }

    func perform(on gateway: Gateway) {
        let notice = state.notice(of: service, named: farm ?? service.farm)
        gateway.broadcast(Int(notice.code), notice.text)
        gateway.faults.farms[service] = state == .ok ? nil : state
        gateway.faults.messages.end(.farm(service))
        if service == .contracts, state.isDown {
            gateway.faults.messages.add(
                .delay(nil),
                to: MessageSelection(asked: [.reqContractDetails, .reqMatchingSymbols]),
                because: .farm(.contracts))
        }
        gateway.releaseDelayed()
    }
}

/// Sends what is no message.
struct FrameFault: Fault {
    static let name = "frame"
    static let purpose =
        "Sends what is no message: an unknown number, fields that are missing or are no numbers, a frame cut short, one of 16 MB, an impossible length."
    /// What.
    var shape = BrokenFrame.unknown
    /// Which client; `nil` for all.
    var client: ClientID?

    mutating func parameters(_ list: inout ParameterList) {
        list.word("shape", &shape)
        list.client("client", &client)
    }

    func perform(on gateway: Gateway) {
        gateway.flush()
        for id in gateway.connections(of: client) {
            gateway.put(.bytes(shape.bytes), to: id)
            if shape.endsConnection { gateway.put(.reset, to: id) }
        }
    }
}
