import Primitives
import TWSProtocol

/// What truly happened at the order manager, for whoever judges a client: published or not, corrected or not.
package struct OrderManagerLedger: Codable, Hashable, Sendable {
    /// Every order that is kept, oldest first.
    package var orders: [Order] = []
    /// Every placement that came over a socket, by the order it was for, in the order of the first of each.
    package var placements: [Placement] = []

    /// An order.
    package struct Order: Codable, Hashable, Sendable {
        /// Its number in the account.
        package var permID: Int64
        /// The client that placed it.
        package var client: Int32
        /// The number that client gave it.
        package var order: Int32
        /// The client's own text.
        package var orderRef: String
        /// Its account.
        package var account: String
        /// The broker's number of what it is for.
        package var conID: Int32
        /// The symbol of that.
        package var symbol: String
        /// `BUY` or `SELL`.
        package var action: String
        /// Its type.
        package var type: String
        /// What it is for: what its group took is missing.
        package var quantity: String
        /// Where it stands.
        package var status: String
        /// What it has filled.
        package var filled: String
        /// The average price of that.
        package var averagePrice: String
        /// Whether it was entered by hand.
        package var isManual: Bool
        /// Its fills, oldest first, as they were corrected last.
        package var executions: [Execution]
    }

    /// A fill.
    package struct Execution: Codable, Hashable, Sendable {
        /// Its identifier, the newest revision.
        package var id: String
        /// How much; `0` when it was taken back.
        package var quantity: String
        /// At what price.
        package var price: String
        /// When, in nanoseconds since 1970 UTC.
        package var time: Int64
        /// What it cost.
        package var commission: String
    }

    /// Placements and modifications of one order, as they came over a socket.
    package struct Placement: Codable, Hashable, Sendable {
        /// The client.
        package var client: Int32
        /// The number it gave the order.
        package var order: Int32
        /// Its own text on the order.
        package var orderRef: String
        /// How often it was sent.
        package var count: Int
    }
}

extension OrderManager {
    /// What truly happened.
    package var ledger: OrderManagerLedger {
        var ledger = OrderManagerLedger()
        var fills: [Int64: [OrderManagerLedger.Execution]] = [:]
        for execution in executions {
            fills[execution.order.number, default: []].append(
                OrderManagerLedger.Execution(
                    id: execution.id, quantity: execution.quantity.description,
                    price: execution.price.description, time: execution.time.nanoseconds,
                    commission: execution.commission.description))
        }
        let all = (finished + live).sorted { $0.number < $1.number }
        ledger.orders = all.map { order in
            OrderManagerLedger.Order(
                permID: order.permID.rawValue, client: order.clientID.rawValue,
                order: order.orderID.rawValue, orderRef: order.request.order.orderRef,
                account: order.account.name, conID: order.request.contract.conId.rawValue,
                symbol: order.request.contract.symbol, action: order.request.order.action.word,
                type: order.request.order.orderType.word, quantity: order.total.description,
                status: status(of: order).word, filled: order.filled.description,
                averagePrice: order.averagePrice.description, isManual: order.isManual,
                executions: fills[order.number] ?? [])
        }
        var indexes: [Placement.Key: Int] = [:]
        for placement in placements {
            if let index = indexes[placement.key] {
                ledger.placements[index].count += 1
            } else {
                indexes[placement.key] = ledger.placements.count
                ledger.placements.append(
                    OrderManagerLedger.Placement(
                        client: placement.key.client.rawValue,
                        order: placement.key.order.rawValue, orderRef: placement.key.reference,
                        count: 1))
            }
        }
        return ledger
    }
}
