import Model
package import Primitives
import Simulation
package import TWSProtocol

/// What people at the gateway, other programs and the broker do to orders.
extension OrderManager {
    // MARK: By hand

    /// Somebody enters an order by hand at the gateway, or another program does under a client number that
    /// need not be connected.
    ///
    /// - Parameter client: whose order it is; `nil`: one entered by hand.
    /// - Returns: its number in the account.
    /// - Throws: why it cannot be taken.
    @discardableResult
    package mutating func enter(
        _ contract: Contract, _ order: Order, for client: ClientID? = nil
    ) throws(OrderManagerFault) -> PermID {
        let entered = try take(contract, order, for: client)
        send(entered)
        pump()
        return entered.permID
    }

    /// Somebody trades by hand, or another program does: an order that is filled at that price at once,
    /// whatever the market is.
    ///
    /// - Returns: the order's number in the account.
    /// - Throws: why it cannot be.
    @discardableResult
    package mutating func trade(
        _ contract: Contract, _ order: Order, at price: Price, for client: ClientID? = nil,
        isLiquidation: Bool = false
    ) throws(OrderManagerFault) -> PermID {
        try Self.check(price)
        let entered = try take(contract, order, for: client)
        entered.isLiquidation = isLiquidation
        entered.stage = .accepted
        entered.workingSince = now
        publishState(of: entered, as: .preSubmitted)
        record(entered.remaining, at: price, of: entered, isResting: false)
        pump()
        return entered.permID
    }

    private mutating func take(
        _ contract: Contract, _ order: Order, for client: ClientID?
    ) throws(OrderManagerFault) -> ManagedOrder {
        let id = client.map { nextValidID(for: $0) } ?? 0
        let checked: CheckedOrder
        do throws(OrderRejection) {
            checked = try check(PlaceOrder(id, contract, order))
        } catch { throw OrderManagerFault("code \(error.code): \(error.text)") }
        if let client {
            guard id.rawValue < .max else {
                throw OrderManagerFault("client \(client) has no number left")
            }
            nextIDs[client] = APIOrderID(rawValue: id.rawValue + 1)
        }
        let entered = enter(checked, of: client ?? 0, isManual: client == nil)
        attach(entered, to: nil)
        if entered.isManual, bindsManualOrders { bind(entered) }
        return entered
    }

    // MARK: What the broker does

    /// The broker fills some of an order at a price, whatever the market is, even one that was cancelled.
    ///
    /// - Throws: when there is no such order or it has not that much left.
    package mutating func execute(
        _ id: PermID, _ quantity: Quantity, at price: Price
    ) throws(OrderManagerFault) {
        try Self.check(price)
        guard let order = byPermID[id] else { throw .noOrder(id) }
        guard quantity > .zero, quantity <= order.remaining else {
            throw OrderManagerFault("order \(id) has \(order.remaining) left, not \(quantity)")
        }
        broker.book(
            quantity, at: price, of: OrderID(number: order.number), time: now, answers: &reports)
        // Of an order that does not work there the broker says nothing.
        if order.sent == nil { record(quantity, at: price, of: order, isResting: true) }
        pump()
    }

    /// The broker cancels an order.
    ///
    /// - Parameter reason: the words behind `Order Canceled - reason:`.
    /// - Throws: when there is no such order or it is over.
    package mutating func cancelAtBroker(_ id: PermID, reason: String) throws(OrderManagerFault) {
        guard let order = byPermID[id] else { throw .noOrder(id) }
        guard !order.stage.isOver else { throw OrderManagerFault("order \(id) is over") }
        end(order, .cancelled, because: OrderRejection(202, "Order Canceled - reason:\(reason)"))
        pump()
    }

    /// The broker cancels all orders in an instrument, as before a split.
    package mutating func cancelAtBroker(in id: InstrumentID, reason: String) {
        for order in live where order.instrument == id && !order.stage.isOver {
            end(
                order, .cancelled, because: OrderRejection(202, "Order Canceled - reason:\(reason)")
            )
        }
        pump()
    }

    /// The exchange corrects a fill.
    ///
    /// What the order counts as filled stays; the account books the difference.
    ///
    /// - Parameters:
    ///   - id: any version of the fill's identifier.
    ///   - price: the price it gets; `nil` leaves it.
    ///   - quantity: how much it gets; `nil` leaves it, zero takes the fill back.
    /// - Throws: when there is no such fill, or the price or quantity cannot be.
    package mutating func correct(
        _ id: String, price: Price? = nil, quantity: Quantity? = nil
    ) throws(OrderManagerFault) {
        let root = WireExecutionID(id)?.root
        guard let index = executions.lastIndex(where: { $0.root == root }) else {
            throw OrderManagerFault("there is no fill \(id)")
        }
        var corrected = executions[index]
        let order = corrected.order
        if let price {
            try Self.check(price)
            let change = Int128(price.units) - Int128(corrected.price.units)
            order.notional += change * Int128(corrected.quantity.units)
            if corrected.price == order.lastPrice { order.lastPrice = price }
            corrected.price = price
        }
        if let quantity {
            guard quantity >= .zero, quantity <= order.quantity else {
                throw OrderManagerFault("a fill of order \(order.permID) cannot be of \(quantity)")
            }
            corrected.cumulative = max(
                corrected.cumulative - corrected.quantity + quantity, .zero)
            corrected.quantity = quantity
            if quantity == .zero { corrected.commission = .zero }
        }
        corrected.average = order.averagePrice
        corrected.revision += 1
        corrected.isReported = false
        corrected.isCommissionReported = false
        corrected.realized = dependencies.bookFill(fill(corrected, isCorrection: true))
        executions[index] = corrected
        guard link.isUp else { return link.remember(order) }
        publishExecution(index)
        touch(order)
        publishCommission(index)
        pump()
    }

    private static func check(_ price: Price) throws(OrderManagerFault) {
        guard price.units.magnitude <= OrderManagerSettings.priceMax.units.magnitude else {
            throw OrderManagerFault(
                "no order fills at a price beyond \(OrderManagerSettings.priceMax)")
        }
    }
}
