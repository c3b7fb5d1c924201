import GatewaySimulator
import Model
import Primitives
import Simulation
import TWSProtocol

/// An order manager with a market and an account that a test sets, and clients 0 to 9, each on the connection of
/// its number.
final class OrderManagerRig {
    var orderManager: OrderManager
    let contracts: GatewayContractDatabase
    let account = RigAccount()
    /// What was said, a line each; see `line`.
    private var lines: [String] = []
    /// Everything that was said.
    private(set) var notes: [OrderNote] = []

    /// 2024-03-05, a Tuesday, 10:00 in New York.
    static let start = Timestamp(seconds: 1_709_650_800)

    private static let usualContracts = GatewayContractDatabase(on: NewYork.day(at: start))

    /// What the rest of a gateway would know.
    final class RigAccount {
        var markets: [InstrumentID: InstrumentSnapshot] = [:]
        var positions: [InstrumentID: Quantity] = [:]
        var fills: [OrderFill] = []
        var refusal: String?
        var cushion: Int32 = 50
    }

    init(
        at start: Timestamp = OrderManagerRig.start,
        _ change: (inout OrderManagerSettings) -> Void = { _ in }
    ) {
        var settings = OrderManagerSettings()
        settings.rules.limitFill = .touch
        change(&settings)
        let day = NewYork.day(at: start)
        contracts =
            day == Self.usualContracts.today
            ? Self.usualContracts : GatewayContractDatabase(on: day)
        let account = account
        let dependencies = OrderManagerDependencies(
            snapshot: { account.markets[$0] ?? InstrumentSnapshot() },
            preview: { order, _ in
                var preview = WhatIfPreview()
                preview.initialMargin.after = Money(cents: 1_000_00)
                preview.initialMargin.change = Money(cents: 250_00)
                preview.refusal = account.refusal
                let held = account.positions[order.instrument] ?? .zero
                preview.isShortSale = order.side == .sell && held < order.quantity
                return preview
            },
            bookFill: { fill in
                account.fills.append(fill)
                let held = account.positions[fill.instrument] ?? .zero
                let signed = fill.side.signed(fill.quantity)
                account.positions[fill.instrument] = held + signed
                let closes = held != .zero && (held > .zero) != (signed > .zero)
                return closes ? Money(cents: 12_34) : nil
            },
            held: { account.positions[$1] ?? .zero }, cushion: { _ in account.cushion })
        orderManager = OrderManager(
            settings: settings, contracts: contracts, dependencies: dependencies, at: start)
    }

    func client(_ id: Int32) -> Client {
        Client(
            connection: ConnectionID(number: Int(id)), id: ClientID(rawValue: id), version: .newest)
    }

    func id(_ symbol: String) -> InstrumentID {
        contracts.id(ofSymbol: symbol) ?? InstrumentID(index: 0)
    }

    // MARK: The market

    /// The market of a stock shows a bid and an offer, in cents, of 1,000 shares each.
    func quote(_ bid: Int64, _ ask: Int64, of symbol: String = "AAPL", size: Int64 = 1_000) {
        let quote = Quote(
            instrument: id(symbol), at: orderManager.now, bid: Price(cents: bid),
            ask: Price(cents: ask),
            bidSize: Quantity(shares: size), askSize: Quantity(shares: size))
        account.markets[id(symbol), default: InstrumentSnapshot()].quote = quote
        orderManager.quoteChanged(quote, at: orderManager.now)
    }

    /// Others trade a stock at a price in cents.
    func trade(_ price: Int64, of symbol: String = "AAPL", size: Int64 = 1_000) {
        account.markets[id(symbol), default: InstrumentSnapshot()].last = Price(cents: price)
        orderManager.tradeHappened(
            Trade(
                instrument: id(symbol), at: orderManager.now, price: Price(cents: price),
                size: Quantity(shares: size)), at: orderManager.now)
    }

    /// Time passes.
    func pass(_ time: Duration = .milliseconds(20)) {
        orderManager.advance(to: orderManager.now + time)
    }

    // MARK: Clients

    /// A client places an order, and it reaches the broker.
    func place(
        _ number: Int32, _ order: Order, _ symbol: String = "AAPL", from client: Int32 = 1,
        waiting: Bool = true
    ) {
        let request = PlaceOrder(APIOrderID(rawValue: number), .stock(symbol), order)
        orderManager.place(request, from: self.client(client))
        if waiting { pass() }
    }

    func cancel(_ number: Int32, from client: Int32 = 1, waiting: Bool = true) {
        var request = CancelOrder()
        request.orderId = APIOrderID(rawValue: number)
        orderManager.cancel(request, from: self.client(client))
        if waiting { pass() }
    }

    // MARK: What was said

    /// What was said since the last time.
    func received() -> [String] {
        let new = orderManager.takeNotes()
        notes += new
        return new.map { Self.line($0) }
    }

    static func line(_ note: OrderNote) -> String {
        let whom =
            switch note.audience {
            case .subscribers(of: let client): "\(client)"
            case .client(let client): "\(client)!"
            case .connection(let connection): "#\(connection.number)"
            }
        return "\(whom): \(text(note.message))"
    }

    private static func text(_ message: GatewayMessage) -> String {
        switch message {
        case .openOrder(let own):
            let costs = own.orderState.commission.map { " for \($0)" } ?? ""
            return "open \(own.orderId) \(own.orderState.status.word)\(costs)"
        case .orderStatus(let own):
            let held = own.whyHeld.isEmpty ? "" : " \(own.whyHeld)"
            let remainder = own.remaining.map { "\($0)" } ?? "?"
            return "status \(own.orderId) \(own.status.word) \(own.filled)+\(remainder) "
                + "@\(own.avgFillPrice)\(held)"
        case .execDetails(let own):
            return "exec \(own.orderId) \(own.side.word) \(own.shares) @\(own.price) "
                + "cum \(own.cumQty ?? .zero)"
        case .commissionAndFeesReport(let own):
            let profit = own.realizedPNL.map { " profit \($0)" } ?? ""
            return "cost \(own.commission)\(profit)"
        case .error(let own): return "code \(own.id ?? -1) \(own.errorCode)"
        case .openOrderEnd: return "open end"
        case .execDetailsEnd(let own): return "exec end \(own.reqId)"
        case .completedOrder(let own): return "completed \(own.status.word) \(own.completedStatus)"
        case .completedOrdersEnd: return "completed end"
        case .orderBound(let own): return "bound \(own.clientId) \(own.orderId)"
        default: return "\(message.kind)"
        }
    }
}

extension Order {
    /// A day order of a type, in shares and cents.
    static func test(
        _ action: OrderAction, _ shares: Int64, _ type: WireOrderType,
        limit: Int64? = nil, aux: Int64? = nil, _ change: (inout Order) -> Void = { _ in }
    ) -> Order {
        var order = Order()
        order.action = action
        order.totalQuantity = DecimalValue(shares)
        order.orderType = type
        order.lmtPrice = limit.map { DecimalValue(Price(cents: $0)) }
        order.auxPrice = aux.map { DecimalValue(Price(cents: $0)) }
        order.tif = .day
        change(&order)
        return order
    }
}
