public import Primitives
public import TWSProtocol

/// An order that works, and where it stands.
public struct WireWorkingOrder: Hashable, Sendable {
    /// Everything known of it.
    public let order: OpenOrder
    /// Where it stands; `nil` where the gateway sent no status.
    public internal(set) var status: OrderStatus?
}

/// Whose orders.
public enum OrderScope: Hashable, Sendable {
    /// Those of this client id. Client 0 takes over those entered by hand with it.
    case own
    /// Those of all programs and those entered by hand.
    case all
}

/// A fill and what it cost.
public struct Fill: Hashable, Sendable {
    /// The fill.
    public let execution: ExecDetails
    /// What it cost; `nil` where the gateway has not reported it yet.
    public internal(set) var commission: CommissionAndFeesReport?
}

/// Which fills are asked for; nothing set means all of today.
public struct FillFilter: Hashable, Sendable {
    /// Only this client's; 0 for all.
    public var clientID: ClientID = 0
    /// Only this account's.
    public var account = AccountID.none
    /// Only those at or after this time.
    public var since: Timestamp?
    /// Only this symbol's.
    public var symbol = ""
    /// Only this kind of instrument.
    public var secType = SecurityType.none
    /// Only this exchange's.
    public var exchange = ""
    /// Only this side's.
    public var side = OrderAction.none

    /// All fills of today.
    public init() {}
}

extension GatewayClient {
    /// What an order would do to margin and costs; nothing is ordered. Needs a session that may place
    /// orders.
    ///
    /// The broker wants at most one such question a minute, and one for every ten orders.
    ///
    /// - Throws: `ClientError.refused` with the reason why the order would be refused.
    public func whatIf(_ order: Order, for contract: Contract) async throws -> WireOrderState {
        let number = try numbers.block(of: 1)
        var asked = order
        asked.whatIf = true
        // Without it the gateway refuses the question (413).
        asked.transmit = true
        let message = PlaceOrder(number, contract, asked)
        var question = Question("what-if") { _ in .placeOrder(message) }
        question.order = number
        return try await call(question, into: ()) { _, message in
            guard case .openOrder(let open) = message, open.orderId == number, open.order.whatIf
            else { return .more }
            return .done(open.orderState)
        }
    }

    /// The orders that work now.
    public func openOrders(_ scope: OrderScope = .own) async throws -> [WireWorkingOrder] {
        try await calls.gate.alone(.openOrders) {
            // The session's own questions have the same answers: they come first.
            if settings.session.placesOrders, linkState == .sync {
                try await ready(limit: settings.callLimit)
            }
            let question = Question("open orders", topic: .openOrders) { _ in
                scope == .own
                    ? .reqOpenOrders(ReqOpenOrders()) : .reqAllOpenOrders(ReqAllOpenOrders())
            }
            return try await call(question, into: [WireWorkingOrder]()) { orders, message in
                switch message {
                case .openOrder(let order): Self.put(WireWorkingOrder(order: order), into: &orders)
                case .orderStatus(let status): Self.put(status, into: &orders)
                case .openOrderEnd: return .done(orders)
                default: break
                }
                return .more
            }
        }
    }

    /// The same order again replaces what was reported before.
    private static func put(_ order: WireWorkingOrder, into orders: inout [WireWorkingOrder]) {
        let same = orders.firstIndex { order.order.isSame(as: $0.order) }
        if let same {
            orders[same] = WireWorkingOrder(order: order.order, status: orders[same].status)
        } else {
            orders.append(order)
        }
    }

    private static func put(_ status: OrderStatus, into orders: inout [WireWorkingOrder]) {
        let index = orders.firstIndex { working in
            working.order.orderId == status.orderId && working.order.clientId == status.clientId
                && (status.permId == 0 || working.order.permId == status.permId)
        }
        if let index { orders[index].status = status }
    }

    /// The orders that ended today.
    ///
    /// - Parameter apiOnly: only those placed by programs.
    public func completedOrders(apiOnly: Bool = false) async throws -> [CompletedOrder] {
        try await calls.gate.alone(.completedOrders) {
            if settings.session.placesOrders, linkState == .sync {
                try await ready(limit: settings.callLimit)
            }
            let question = Question("completed orders", topic: .completedOrders) { _ in
                var message = ReqCompletedOrders()
                message.apiOnly = apiOnly
                return .reqCompletedOrders(message)
            }
            return try await list(question) { message in
                switch message {
                case .completedOrder(let order): .row(order)
                case .completedOrdersEnd: .end
                default: .other
                }
            }
        }
    }
}

extension OpenOrder {
    /// Whether both speak of one order: orders entered by hand have no number of their client.
    fileprivate func isSame(as other: OpenOrder) -> Bool {
        permId != 0 && permId == other.permId
            || orderId.rawValue > 0 && orderId == other.orderId && clientId == other.clientId
    }
}
