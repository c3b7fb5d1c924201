import TWSProtocol

/// What clients asked of orders, counted before anything can get lost: whether one was sent twice for one
/// intent is seen here.
struct OrderAudit: Sendable {
    /// What a client asked of one order.
    struct Asked: Hashable, Sendable {
        /// The client.
        let client: ClientID
        /// Its number for the order.
        let order: APIOrderID
        /// The client's own text on it.
        let orderRef: String
        /// How often it was placed: more than once under one number is a change.
        var placements = 0
        /// How often it was to be cancelled.
        var cancels = 0
        /// Whether the broker was lost at one of these.
        var wasAskedWithoutLink = false
    }

    /// All orders, in the order of their first placement.
    private(set) var orders: [Asked] = []
    /// What was ordered last.
    private(set) var lastContract: Contract?
    /// How often each code was reported by the gateway's modules.
    private(set) var codes: [Int32: Int] = [:]
    /// Cancels of orders nobody placed.
    private(set) var strayCancels = 0
    private var indexes: [Key: Int] = [:]

    private struct Key: Hashable, Sendable {
        let client: ClientID
        let order: APIOrderID
    }

    /// A client sent a message.
    ///
    /// - Returns: whether it changes an order that was placed before.
    mutating func received(
        _ message: ClientMessage, from client: ClientID, isLinkLost: Bool
    ) -> Bool {
        switch message {
        case .placeOrder(let request):
            // What-if questions order nothing.
            guard !request.order.whatIf else { return false }
            let key = Key(client: client, order: request.orderId)
            lastContract = request.contract
            let index = indexes[key] ?? orders.count
            if index == orders.count {
                indexes[key] = index
                orders.append(
                    Asked(
                        client: client, order: request.orderId, orderRef: request.order.orderRef))
            }
            orders[index].placements += 1
            orders[index].wasAskedWithoutLink = orders[index].wasAskedWithoutLink || isLinkLost
            return orders[index].placements > 1
        case .cancelOrder(let request):
            guard let index = indexes[Key(client: client, order: request.orderId)] else {
                strayCancels += 1
                return false
            }
            orders[index].cancels += 1
            return false
        default: return false
        }
    }

    /// A message is sent to a client.
    mutating func sent(_ message: GatewayMessage) {
        guard case .error(let error) = message else { return }
        codes[error.errorCode, default: 0] += 1
    }

    /// What was asked of a client's order of that number.
    func asked(_ client: Int32, _ order: Int32) -> Asked? {
        let key = Key(client: ClientID(rawValue: client), order: APIOrderID(rawValue: order))
        return indexes[key].map { orders[$0] }
    }

    /// The orders a client placed, oldest first.
    func orders(of client: ClientID) -> [APIOrderID] {
        orders.filter { $0.client == client }.map(\.order)
    }

    /// The clients that placed orders, in the order of their first ones.
    var clients: [ClientID] {
        var seen: Set<ClientID> = []
        return orders.map(\.client).filter { seen.insert($0).inserted }
    }

    /// References under which more than one order was placed, and how many: two orders for one intent,
    /// unless the client's references are not unique.
    var repeatedReferences: [(orderRef: String, orders: Int)] {
        var counts: [String: Int] = [:]
        for order in orders where !order.orderRef.isEmpty {
            counts[order.orderRef, default: 0] += 1
        }
        var repeated: [(String, Int)] = []
        for order in orders {
            guard let count = counts.removeValue(forKey: order.orderRef), count > 1 else {
                continue
            }
            repeated.append((order.orderRef, count))
        }
        return repeated
    }
}
