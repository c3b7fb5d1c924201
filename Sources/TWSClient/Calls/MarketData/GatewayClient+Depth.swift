import Synchronization
public import TWSProtocol

/// How an order book is asked for.
public struct DepthOptions: Hashable, Sendable {
    /// Rows of each side; at most what the market gives.
    public var rows = 10
    /// Gathers the order books of all exchanges; each row then names its exchange.
    public var gathersExchanges = false

    /// Ten rows of the contract's own exchange.
    public init() {}
}

extension GatewayClient {
    /// The order book of an instrument as it changes. Each element is the whole book, so a slow reader
    /// loses steps and never the newest state. Three at once for most logins.
    ///
    /// The book begins empty, and again after a lost connection and after the gateway's word that it
    /// begins anew (317).
    ///
    /// - Parameter contract: its exchange has to be one of `depthExchanges`, unless all are gathered.
    public func depth(
        _ contract: Contract, _ options: DepthOptions = DepthOptions()
    ) -> Subscription<OrderBook> {
        let rows = max(1, options.rows)
        let orderBook = SharedOrderBook()
        let question = Question("order book") { request in
            orderBook.clear()
            var message = ReqMktDepth()
            message.reqId = request
            message.contract = contract
            message.numRows = Int32(clamping: rows)
            message.isSmartDepth = options.gathersExchanges
            return .reqMktDepth(message)
        } ending: { request in
            var message = CancelMktDepth()
            message.reqId = request
            message.isSmartDepth = options.gathersExchanges
            return .cancelMktDepth(message)
        }
        let source = SignalSource<OrderBook>(
            take: { orderBook.take($0, rowsMax: rows).map { .elements([$0]) } ?? .nothing },
            handle: { _, reading in
                reading.effect == .clearOrderBook ? .elements([orderBook.clear()]) : .nothing
            })
        return subscribe(question, .newestWins(capacity: settings.quoteCapacity), from: source)
    }
}

/// The book of one subscription, over its requests.
private final class SharedOrderBook: Sendable {
    private let orderBook = Mutex(OrderBook())

    @discardableResult func clear() -> OrderBook {
        orderBook.withLock { orderBook in
            orderBook.clear()
            return orderBook
        }
    }

    func take(_ message: GatewayMessage, rowsMax: Int) -> OrderBook? {
        orderBook.withLock { $0.take(message, rowsMax: rowsMax) ? $0 : nil }
    }
}
