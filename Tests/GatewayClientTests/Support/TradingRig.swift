import ClientTestSupport
import GatewayTestSupport
import Primitives
import Runtime
import TWSClient
import TWSProtocol
import Testing

/// Server versions that a gateway's ceiling brings about: the first that the client offers, that of the
/// Python client of the early twenties, that of foreign libraries, and the newest.
let ceilings = [163, 176, 178, 200]

/// A client in the middle of a session with a simulated gateway, that remembers all it is told.
struct TradingRig {
    let gateway: SimulatedGateway
    let client: GatewayClient
    let log = RecordedLog()
    /// What it is told of orders, from the beginning on.
    let orders: Reading<OrderEvent>
    /// What it is told of its connection, from the beginning on.
    let link: Reading<ConnectionEvent>

    /// A rig that has not connected.
    init(_ gateway: SimulatedGateway, _ set: (inout ClientSettings) -> Void = { _ in }) {
        self.gateway = gateway
        client = gateway.client(log: log) {
            $0.session.placesOrders = true
            set(&$0)
        }
        orders = Reading(client.orderEvents())
        link = Reading(client.connectionEvents())
    }

    /// A rig whose session is ready, at a gateway of this version.
    static func open(
        version: Int = ServerVersion.newest.number,
        _ set: (inout ClientSettings) -> Void = { _ in }
    ) async throws -> TradingRig {
        let rig = TradingRig(SimulatedGateway(version: version), set)
        try await rig.connect()
        return rig
    }

    /// Connects, and waits until orders may leave.
    func connect() async throws {
        let client = client
        try await gateway.finishInTime("connection") { try await client.connect() }
        try await gateway.finishInTime("ready session") { try await client.ready() }
    }

    // MARK: - Words

    /// Codes about the connection or nothing, as they came.
    var sessionCodes: [Int] {
        link.elements.compactMap { if case .notice(let notice) = $0 { notice.code } else { nil } }
    }

    /// Codes about an order, as they came.
    func codes(of order: APIOrderID) -> [Int] {
        orders.elements.compactMap {
            if case .notice(order, let notice) = $0 { notice.code } else { nil }
        }
    }

    /// Everything was as it should be: no warning in the log, no message that could not be read, nothing
    /// sent too often.
    ///
    /// - Parameter provoked: codes that were asked for.
    func checkCalm(provoked: Set<Int> = []) {
        let expected = Set(provoked.map { "\($0)" })
        let warnings = log.warnings.filter { !expected.contains($0.metadata["code"] ?? "") }
        #expect(warnings.isEmpty, "\(warnings)")
        let unread = link.elements.filter { if case .rejected = $0 { true } else { false } }
        #expect(unread.isEmpty)
        #expect(gateway.violations.isEmpty)
    }

    // MARK: - Orders

    /// What the gateway gave an order as states, in order.
    func statuses(of order: APIOrderID) -> [OrderStatus] {
        orders.elements.compactMap {
            if case .status(let status) = $0, status.orderId == order { status } else { nil }
        }
    }

    /// An order as the gateway told it, each time.
    func messages(of order: APIOrderID) -> [OpenOrder] {
        orders.elements.compactMap {
            if case .open(let open) = $0, open.orderId == order { open } else { nil }
        }
    }

    /// An order's fills, as they came.
    func fills(of order: APIOrderID) -> [ExecDetails] {
        orders.elements.compactMap {
            if case .execution(let fill) = $0, fill.orderId == order { fill } else { nil }
        }
    }

    /// What an order's fills cost, as it came.
    func costs(of order: APIOrderID) -> [CommissionAndFeesReport] {
        let ids = Set(fills(of: order).map(\.execId))
        return orders.elements.compactMap {
            if case .commission(let cost) = $0, ids.contains(cost.execId) { cost } else { nil }
        }
    }

    /// Waits until an order has had one of these states.
    func wait(
        for order: APIOrderID, _ words: OrderStatus.Status..., limit: Duration = .minutes(1)
    ) async throws {
        let expected = words.map(\.word).joined(separator: " or ")
        try await gateway.wait("order \(order) becomes \(expected)", limit: limit) {
            statuses(of: order).contains { words.contains($0.status) }
        }
    }

    /// Waits until an order works.
    func waitToWork(_ order: APIOrderID) async throws {
        try await wait(for: order, .submitted, .preSubmitted)
    }

    /// Waits until a code about an order came.
    func wait(for order: APIOrderID, code: Int) async throws {
        try await gateway.wait("code \(code) of order \(order)") {
            codes(of: order).contains(code)
        }
    }

    /// Cancels an order, and waits until it is.
    func cancel(_ order: APIOrderID) async throws {
        try client.cancel(order)
        try await wait(for: order, .cancelled)
    }
}

/// Apple's stock at a rig: what is needed to order it.
struct AppleCounter {
    let rig: TradingRig
    let tradable: TradableContract
    let account: AccountID
    let bid: DecimalValue
    let ask: DecimalValue

    var contract: Contract { tradable.contract }

    init(_ rig: TradingRig) async throws {
        self.rig = rig
        let client = rig.client
        tradable = try await rig.gateway.finishInTime { try await client.tradable(.stock("AAPL")) }
        account = try #require(client.accounts.first)
        let apple = tradable.contract
        let quote = try await rig.gateway.finishInTime("snapshot") {
            try await client.snapshot(apple)
        }
        bid = try #require(quote.bid)
        ask = try #require(quote.ask)
    }

    /// So many percent of the bid, on a step of price.
    func bid(percent: Int64) throws -> DecimalValue { try Self.part(percent, of: bid, tradable) }

    /// So many percent of the ask, on a step of price.
    func ask(percent: Int64) throws -> DecimalValue { try Self.part(percent, of: ask, tradable) }

    private static func part(
        _ percent: Int64, of price: DecimalValue, _ tradable: TradableContract
    ) throws -> DecimalValue {
        let units = try #require(price.price).units
        let part = DecimalValue(Price(units: units / 100 * percent))
        return try #require(tradable.ladder.roundedDown(part))
    }

    /// A ticket under a name of its own.
    func ticket(
        _ side: OrderSide, _ quantity: DecimalValue, _ reference: String = "apple"
    ) throws -> WireOrderTicket {
        try WireOrderTicket(side, quantity, for: OrderOwner(account: account, reference: reference))
    }

    /// Places an order.
    func place(
        _ side: OrderSide, _ quantity: DecimalValue, _ draft: OrderDraft,
        _ reference: String = "apple"
    ) throws -> APIOrderID {
        try rig.client.place(draft, for: ticket(side, quantity, reference), in: tradable)
    }
}
