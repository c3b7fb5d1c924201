public import TWSProtocol

/// The best rows of an order book, both sides, best price first.
public struct OrderBook: Hashable, Sendable {
    /// Buyers.
    public private(set) var bids: [Row] = []
    /// Sellers.
    public private(set) var asks: [Row] = []
    /// Changes that did not fit the book and were left out: a row behind the last one was to change.
    public private(set) var faults = 0

    /// A row.
    public struct Row: Hashable, Sendable {
        /// The price; `nil` where the gateway sent none.
        public let price: DecimalValue?
        /// The size there.
        public let size: DecimalValue?
        /// Whose it is: a market maker, or an exchange where the order books of all are gathered; empty in
        /// order books of prices alone.
        public let maker: String
    }

    /// Where a change belongs and what it does.
    struct Change {
        let side: DepthSide
        let operation: DepthOperation
        let position: Int
    }

    /// An empty book.
    public init() {}

    /// Empties both sides: the gateway sends them anew (317).
    mutating func clear() {
        bids = []
        asks = []
    }

    /// Takes a change of the book.
    mutating func take(_ change: Change, _ row: Row) {
        switch change.side {
        case .bid: Self.take(change, row, into: &bids, &faults)
        case .ask: Self.take(change, row, into: &asks, &faults)
        case .unknown: faults += 1
        }
    }

    private static func take(
        _ change: Change, _ row: Row, into rows: inout [Row], _ faults: inout Int
    ) {
        let position = change.position
        let isRow = rows.indices.contains(position)
        let isRowOrNext = isRow || position == rows.count
        switch change.operation {
        case .insert where isRowOrNext: rows.insert(row, at: position)
        case .update where isRow: rows[position] = row
        // Gateways update a row they never inserted; it can only be the next one.
        case .update where isRowOrNext: rows.append(row)
        case .delete where isRow: rows.remove(at: position)
        case .insert, .update, .delete, .unknown: faults += 1
        }
    }
}

extension OrderBook {
    /// Takes the change in a message.
    ///
    /// - Returns: false for other messages.
    mutating func take(_ message: GatewayMessage, rowsMax: Int) -> Bool {
        switch message {
        case .marketDepth(let message):
            take(
                Change(
                    side: message.side, operation: message.operation,
                    position: Int(message.position)),
                Row(price: message.price, size: message.size, maker: ""))
        case .marketDepthL2(let message):
            take(
                Change(
                    side: message.side, operation: message.operation,
                    position: Int(message.position)),
                Row(price: message.price, size: message.size, maker: message.marketMaker))
        default: return false
        }
        // An insert pushes the last row out.
        if bids.count > rowsMax { bids.removeLast(bids.count - rowsMax) }
        if asks.count > rowsMax { asks.removeLast(asks.count - rowsMax) }
        return true
    }
}
