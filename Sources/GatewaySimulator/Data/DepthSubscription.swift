import MarketSimulation
import Model
import Primitives
import TWSProtocol

/// A client's subscription to an order book.
///
/// The market has one level; what lies behind it is made up from a seed, the same for everybody who asks.
struct DepthSubscription: Sendable {
    /// Whose it is.
    let client: Client
    /// The contract whose order book it is.
    let listed: ListedContract
    /// Whether the order books of all exchanges are gathered.
    let isSmart: Bool
    /// Whether it was cut off without a word.
    var isDead = false

    private let venues: QuoteVenues
    private let request: RequestID
    private let rows: Int
    private var bids: [DepthRow] = []
    private var asks: [DepthRow] = []

    /// The most rows a side has.
    static let rowsMax = 60

    /// A subscription whose client has an empty order book.
    init(
        _ request: ReqMktDepth, of listed: ListedContract, _ venues: QuoteVenues, for client: Client
    ) {
        self.venues = venues
        self.request = request.reqId
        self.listed = listed
        self.client = client
        isSmart = request.isSmartDepth
        rows = min(max(1, Int(request.numRows)), Self.rowsMax)
    }

    /// Forgets the client's order book: it is published from empty again.
    mutating func reset() {
        bids = []
        asks = []
    }

    /// Publishes what changes the client's order book to that of a quote. It never has more rows than asked
    /// for.
    ///
    /// - Parameters:
    ///   - snapshot: the quote; sides that are missing are empty.
    ///   - seed: what sizes and exchanges are drawn from.
    mutating func show(_ snapshot: MarketSnapshot?, seed: UInt64) -> [GatewayMessage] {
        let draw = DepthDraw(
            listed: listed, rows: rows, seed: seed, exchanges: isSmart ? venues.names : [])
        let newBids = snapshot.flatMap { shown in
            shown.bid.map { draw.rows(from: $0, size: shown.bidSize, .bid) }
        }
        let newAsks = snapshot.flatMap { shown in
            shown.ask.map { draw.rows(from: $0, size: shown.askSize, .ask) }
        }
        var messages: [GatewayMessage] = []
        change(&bids, to: newBids ?? [], .bid, &messages)
        change(&asks, to: newAsks ?? [], .ask, &messages)
        return messages
    }

    /// Rows change in place; new ones come behind the last, and only the last goes. So a client that
    /// moves rows on insertions and deletions and one that does not have the same book.
    private func change(
        _ old: inout [DepthRow], to new: [DepthRow], _ side: DepthSide,
        _ messages: inout [GatewayMessage]
    ) {
        for (position, row) in new.enumerated() {
            if position >= old.count {
                messages.append(message(.insert, position, row, side))
            } else if old[position] != row {
                messages.append(message(.update, position, row, side))
            }
        }
        for position in old.indices.dropFirst(new.count).reversed() {
            messages.append(message(.delete, position, DepthRow.gone, side))
        }
        old = new
    }

    private func message(
        _ operation: DepthOperation, _ position: Int, _ row: DepthRow, _ side: DepthSide
    ) -> GatewayMessage {
        if isSmart {
            var message = MarketDepthL2()
            message.reqId = request
            message.position = Int32(position)
            message.marketMaker = row.exchange
            message.operation = operation
            message.side = side
            message.price = DecimalValue(row.price)
            message.size = DecimalValue(row.size)
            message.isSmartDepth = true
            return .marketDepthL2(message)
        }
        var message = MarketDepth()
        message.reqId = request
        message.position = Int32(position)
        message.operation = operation
        message.side = side
        message.price = DecimalValue(row.price)
        message.size = DecimalValue(row.size)
        return .marketDepth(message)
    }
}

/// A row of an order book.
struct DepthRow: Hashable, Sendable {
    /// Its price.
    let price: Price
    /// Whose it is; empty where that is not published.
    let exchange: String
    /// How much is there.
    let size: Quantity

    /// What a deletion names.
    static let gone = DepthRow(price: .zero, exchange: "", size: .zero)
}

/// Draws the rows of an order book behind a quote.
private struct DepthDraw {
    let listed: ListedContract
    let rows: Int
    let seed: UInt64
    /// The exchanges rows are of; none where they are not published.
    let exchanges: [String]

    /// The rows of a side, best first: the quote's own size at its price, drawn ones a few steps apart
    /// behind it. A price has the same row as long as it is not the best.
    func rows(from best: Price, size: Quantity, _ side: DepthSide) -> [DepthRow] {
        let tick = listed.instrument.tickSize.smallest.units
        var result = [row(at: best, size: size, side)]
        var units = best.units
        while result.count < rows {
            let step = side == .bid ? -tick : tick
            let (next, isOver) = units.addingReportingOverflow(step)
            guard !isOver, next > 0, Price(units: next) <= Price.magnitudeMax else { break }
            units = next
            let price = Price(units: units)
            // One price in four has nobody.
            let bits = bits(at: price, side)
            if bits & 3 == 0 { continue }
            result.append(row(at: price, size: lots(bits >> 2), side))
        }
        return result
    }

    private func row(at price: Price, size: Quantity, _ side: DepthSide) -> DepthRow {
        let exchange =
            exchanges.isEmpty
            ? "" : exchanges[Int(bits(at: price, side) >> 32) % exchanges.count]
        return DepthRow(price: price, exchange: exchange, size: size)
    }

    /// One to twenty lots of a stock, one to twenty contracts of all else.
    private func lots(_ bits: UInt64) -> Quantity {
        let lot: Int64 =
            switch listed.contract.secType {
            case .stock: 100
            case .forex: 100_000
            default: 1
            }
        return Quantity(shares: lot * (1 + Int64(bits % 20)))
    }

    private func bits(at price: Price, _ side: DepthSide) -> UInt64 {
        var generator = SeededGenerator(
            seed: seed ^ UInt64(bitPattern: price.units) &* 0x9E37_79B9_7F4A_7C15
                ^ UInt64(UInt32(bitPattern: listed.contract.conId.rawValue)) << 32
                ^ (side == .bid ? 1 : 0))
        return generator.next()
    }
}
