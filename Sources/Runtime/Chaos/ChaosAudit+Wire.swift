import Model
import Orders
import Primitives
import TWSProtocol
import TradingEngine

/// What left a session, by the messages themselves and the broker's ledger.
extension ChaosAudit {
    /// How many connections may be tried within a minute.
    private static let attemptsMax = 12

    mutating func checkSent(_ sent: [SimulatedGateway.Received]) {
        var references: [Int32: String] = [:]
        var highest = Int32.min
        for message in sent {
            switch message.message {
            case .reqGlobalCancel: note(.others, "a cancel of all orders, also those of others")
            case .cancelOrder(let cancel) where references[cancel.orderId.rawValue] == nil:
                note(.others, "a cancel of \(cancel.orderId.rawValue), which it has not placed")
            case .placeOrder(let order):
                let (number, reference) = (order.orderId.rawValue, order.order.orderRef)
                if !reference.hasPrefix(ChaosLedger.prefix) {
                    note(.references, "order \(number) carries '\(reference)'")
                }
                if let known = references[number] {
                    guard known != reference else { continue }
                    note(.numbers, "number \(number) is of \(known) and of \(reference)")
                } else {
                    if number <= highest { note(.numbers, "order \(number) behind \(highest)") }
                    highest = max(highest, number)
                    references[number] = reference
                }
            default: break
            }
        }
    }

    mutating func checkConnections(_ attempts: [Timestamp], _ clients: [ClientID]) {
        for number in clients.map(\.rawValue) where number != client {
            note(.client, "a connection as client \(number), and \(client) is configured")
        }
        for (index, first) in attempts.enumerated() {
            let beyond = index + Self.attemptsMax
            guard beyond < attempts.count, attempts[beyond] - first < .minutes(1) else { continue }
            return note(.connections, "\(Self.attemptsMax + 1) attempts within a minute")
        }
    }

    /// The fills of each order, here and at the broker. Those of orders that the session keeps no more were compared by
    /// positions and cash alone.
    mutating func checkFills(_ session: SimulatedSession, _ ledger: ChaosLedger) {
        var most: [OrderID: Quantity] = [:]
        for message in session.gateway.received {
            guard case .placeOrder(let order) = message.message,
                let id = OrderReference(parsing: order.order.orderRef)?.order,
                let quantity = order.order.totalQuantity?.quantity
            else { continue }
            most[id] = max(most[id] ?? .zero, quantity)
        }
        for id in ledger.orders.keys.sorted() {
            let filled = ledger.orders[id]?.filled ?? .zero
            let asked = most[id] ?? .zero
            // What is more than was ordered is real: it is booked, and the user has to look at the symbol.
            if filled > asked, !isLatched(id, for: [.unexpectedFill, .contradiction]) {
                note(.fills, "order \(id.number): \(filled) filled, \(asked) asked for")
            }
            guard let ours = Self.filled(id, session.driver), ours != filled else { continue }
            note(.fills, "order \(id.number): \(ours) filled here, \(filled) at the broker")
        }
    }

    /// What the session has booked for an order; `nil` for one that it keeps no more.
    private static func filled(_ order: OrderID, _ driver: SessionDriver?) -> Quantity? {
        driver?.withEngine { engine -> Quantity? in
            engine.orders.record(of: order) == nil ? nil : engine.orders.filled(order)
        } ?? nil
    }

    /// True if an order's symbol was latched for one of these causes.
    func isLatched(_ order: OrderID, for causes: Set<LatchCause>) -> Bool {
        guard let instrument = orders.tickets[order]?.request.instrument else { return false }
        return alarms.latches[instrument]?.isDisjoint(with: causes) == false
    }

    /// What the orders of one intent have filled and may fill together: what is left of one that has ended may follow
    /// in another, and no more than that.
    mutating func checkIntents(_ ledger: ChaosLedger) {
        for intent in orders.entries.keys.sorted() {
            let entries = orders.entries[intent] ?? []
            guard entries.count > 1 else { continue }
            let most = entries.compactMap { orders.tickets[$0]?.request.quantity }.max() ?? .zero
            let sent = entries.compactMap { ledger.orders[$0] }
                .reduce(Quantity.zero) { $0 + $1.filled + $1.open }
            guard sent > most else { continue }
            note(
                .intents,
                "intent \(intent.number): orders \(entries.map(\.number)) of \(sent), and the largest was of \(most)"
            )
        }
    }
}
