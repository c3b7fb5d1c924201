/// An entry with a stop that protects it and a target, as parent and children.
///
/// The gateway keeps all of them until the last one arrives, and sends them on together: only the last
/// has `transmit`. Children begin to work as their parent fills, and a fill of one reduces the other.
public struct BracketDraft: Hashable, Sendable {
    /// The order that opens the position.
    public let entry: OrderDraft
    /// The orders that end it.
    public let exits: BracketExits

    /// An entry with its exits.
    public init(_ entry: OrderDraft, _ exits: BracketExits) {
        self.entry = entry
        self.exits = exits
    }

    /// How many order numbers it needs.
    public var orderCount: Int { exits.target == nil ? 2 : 3 }

    /// The orders in the order in which they are sent: entry, target, stop. Exits trade the other way
    /// in the same quantity; their `orderRef` is the entry's with `/target` or `/stop` behind it.
    ///
    /// - Parameter ids: a block for these orders alone, so that no other order's number lies between.
    /// - Throws: as `OrderDraft.request`, when the block has another size, or an exit is not behind the
    ///   entry and would fill at once.
    public func requests(
        _ ids: OrderIDBlock, for ticket: WireOrderTicket, in tradable: TradableContract
    ) throws(OrderRefusal) -> [PlaceOrder] {
        guard ids.count == orderCount else {
            throw .idBlock(needed: orderCount, given: ids.count)
        }
        var requests = [try entry.request(ids.first, for: ticket, in: tradable)]
        if let target = exits.target {
            let draft = OrderDraft.limit(target, for: exits.time.working, in: exits.hours)
            let ticket = ticket.exit("target")
            requests.append(try draft.request(ids[requests.count], for: ticket, in: tradable))
        }
        requests.append(
            try exits.stop.draft(exits.time, exits.hours).request(
                ids[requests.count], for: ticket.exit("stop"), in: tradable))
        try Self.check(requests, side: ticket.side)
        for index in requests.indices {
            requests[index].order.transmit = index == requests.count - 1
            if index > 0 { requests[index].order.parentId = ids.first }
        }
        return requests
    }

    /// Refuses exits on the wrong side of the entry, or of each other.
    private static func check(_ requests: [PlaceOrder], side: OrderSide) throws(OrderRefusal) {
        guard let entry = requests.first?.order, let stop = requests.last?.order.stopPrice else {
            return
        }
        let target = requests.count > 2 ? requests[1].order.lmtPrice : nil
        let prices = [entry.lmtPrice, entry.stopPrice].compactMap { $0 }
        func isBehind(_ price: DecimalValue, _ other: DecimalValue) -> Bool {
            switch side {
            case .buy: price < other
            case .sell: price > other
            }
        }
        for price in prices + (target.map { [$0] } ?? []) where !isBehind(stop, price) {
            throw .wrongSide(field: "stop", stop, of: price)
        }
        for price in prices {
            if let target, !isBehind(price, target) {
                throw .wrongSide(field: "target", target, of: price)
            }
        }
    }
}

/// The orders that end what an entry begins.
public struct BracketExits: Hashable, Sendable {
    /// The order that limits the loss.
    public var stop: ProtectiveStop
    /// The price at which the profit is taken; `nil`: not by an order.
    public var target: DecimalValue?
    /// How long they work: beyond the day, if the position may outlive it.
    public var time: RestingTime
    /// The hours in which they work.
    public var hours = OrderHours.regular

    /// A stop, with a target or without.
    public init(stop: ProtectiveStop, target: DecimalValue? = nil, for time: RestingTime) {
        self.stop = stop
        self.target = target
        self.time = time
    }
}

/// How a loss is limited.
public enum ProtectiveStop: Hashable, Sendable {
    /// At the market once a price is reached.
    case stop(DecimalValue)
    /// At a limit once a price is reached; may not fill where the market jumps over it.
    case stopLimit(StopLimit)
    /// A stop that follows the market.
    case trailing(Trail)

    fileprivate func draft(_ time: RestingTime, _ hours: OrderHours) -> OrderDraft {
        switch self {
        case .stop(let price): .stop(price, for: time, in: hours)
        case .stopLimit(let prices): .stopLimit(prices, for: time, in: hours)
        case .trailing(let trail): .trailingStop(trail, for: time, in: hours)
        }
    }
}

/// Order numbers in a row, reserved together for a group of orders.
public struct OrderIDBlock: Hashable, Sendable {
    /// The lowest.
    public let first: APIOrderID
    /// How many.
    public let count: Int

    /// `count` numbers from `first` on; `nil` where there are not so many above 0.
    public init?(first: APIOrderID, count: Int) {
        guard first > 0, count > 0, count <= Int(Int32.max - first.rawValue) else { return nil }
        self.first = first
        self.count = count
    }

    /// The number at a place in the block.
    fileprivate subscript(index: Int) -> APIOrderID {
        precondition(index < count, "a block has no more numbers than were reserved")
        return APIOrderID(rawValue: first.rawValue + Int32(index))
    }
}

extension Order {
    /// The price that releases a stop, where it is known from the start.
    fileprivate var stopPrice: DecimalValue? {
        guard orderType.waitsForPrice else { return nil }
        // There `auxPrice` is the distance.
        let isTrailing = orderType == .trailingStop || orderType == .trailingStopLimit
        return isTrailing ? trailStopPrice : auxPrice
    }
}
