import Model
import Primitives

/// What is kept of the newest orders that are over, for children and members of groups that come later.
struct FinishedOrders: ~Copyable {
    private var orders: FixedArray<Order>
    private var count = 0

    /// An order that is over.
    struct Order: Sendable, BitwiseCopyable {
        let id: OrderID
        let quantity: Quantity
        let group: OrderGroupID?
        var filled = Quantity.zero
        var taken = Quantity.zero
        var isTriggered = false

        /// How far it has come.
        var progress: OrderProgress {
            var progress = OrderProgress()
            progress.filled = filled
            progress.taken = taken
            progress.isTriggered = isTriggered
            return progress
        }
    }

    /// No order yet.
    init(max: Int) {
        let none = Order(id: OrderID(number: 0), quantity: .zero, group: nil)
        orders = FixedArray(repeating: none, count: max)
    }

    /// Adds an order that has just finished.
    @inline(__always)
    mutating func add(_ order: borrowing WorkingOrder) {
        // Fields are read in place: the order as a whole is not needed.
        add(
            Order(
                id: order.ticket.id, quantity: order.ticket.request.quantity,
                group: order.ticket.request.group, filled: order.filled, taken: order.taken,
                isTriggered: order.isTriggered))
    }

    /// Adds an order; the oldest is forgotten for it.
    @inline(__always)
    mutating func add(_ order: Order) {
        orders[count % orders.count] = order
        count += 1
    }

    /// The order of a number, if it is kept.
    func find(_ id: OrderID) -> Order? { index(of: id).map { orders[$0] } }

    private func index(of id: OrderID) -> Int? {
        var back = 1
        while back <= min(count, orders.count) {
            let index = (count - back) % orders.count
            if orders[index].id == id { return index }
            back += 1
        }
        return nil
    }

    /// Adds to what an order has filled.
    mutating func fill(_ id: OrderID, _ quantity: Quantity) {
        guard let index = index(of: id) else { return }
        orders[index].filled += quantity
    }

    /// What orders of a group have filled.
    func fills(of group: OrderGroupID) -> Quantity {
        var sum = Quantity.zero
        for index in 0..<min(count, orders.count) where orders[index].group == group {
            sum = min(sum, .magnitudeMax) + orders[index].filled
        }
        return sum
    }
}
