import Accounting
package import Model
package import Primitives

/// What purchases of a cash account were approved at, while they may still take money: the cash set
/// aside for an order never becomes less because the price has fallen since.
package struct PurchaseReserves: Sendable {
    /// The purchases, oldest first.
    package private(set) var entries: [Entry] = []

    /// One purchase.
    package struct Entry: Hashable, Sendable, BitwiseCopyable {
        /// The order.
        package let order: OrderID
        /// What one unit was taken to cost, cash buffer apart.
        package fileprivate(set) var price: Price
    }

    /// No purchases.
    package init() {}

    /// Sets aside for an order from now on.
    package mutating func add(_ order: OrderID, at price: Price) {
        entries.append(Entry(order: order, price: price))
    }

    /// Takes one unit of an order to cost `price` from now on, if the order is here.
    package mutating func set(_ price: Price, of order: OrderID) {
        guard let index = entries.firstIndex(where: { $0.order == order }) else { return }
        entries[index].price = price
    }

    /// What one unit of an order was taken to cost when it was approved, if it is here.
    package func price(of order: OrderID) -> Price? {
        entries.first { $0.order == order }?.price
    }

    /// Forgets the orders that may take no more money.
    package mutating func keep(where mayCost: (OrderID) -> Bool) {
        entries.removeAll { !mayCost($0.order) }
    }

    /// Takes the reserves into a digest.
    package func hash(into hasher: inout StateHasher) {
        for entry in entries {
            hasher.combine(entry.order.number)
            hasher.combine(entry.price)
        }
    }
}

/// How much cash is set aside for purchases beyond their price: for the price to move until they fill,
/// and for costs.
package struct CashBuffer: Hashable, Sendable {
    /// The part of the price.
    package let percent: Percent

    /// A cash buffer; negative ones are none.
    package init(_ percent: Percent) { self.percent = max(percent, .zero) }

    /// What a purchase is set aside for; `nil` when it cannot be computed.
    ///
    /// - Parameter multiplier: the contract's.
    package func cost(of quantity: Quantity, at price: Price, multiplier: Int64) -> ExactMoney? {
        worth(quantity, price, multiplier)?.scaled(by: whole, over: Self.hundred)
    }

    /// The cash buffer alone; `nil` when it cannot be computed.
    package func part(of quantity: Quantity, at price: Price, multiplier: Int64) -> ExactMoney? {
        worth(quantity, price, multiplier)?
            .scaled(by: UInt128(percent.units), over: Self.hundred)
    }

    /// What purchases may be worth for that much cash, towards zero.
    func worth(boughtFor cash: ExactMoney) -> ExactMoney? {
        cash.scaled(by: Self.hundred, over: whole)
    }

    private var whole: UInt128 { Self.hundred + UInt128(percent.units) }
    private static var hundred: UInt128 { UInt128(Percent.hundred.units) }

    private func worth(_ quantity: Quantity, _ price: Price, _ multiplier: Int64) -> ExactMoney? {
        let (units, overflowed) = (price * quantity).units
            .multipliedReportingOverflow(by: Int128(multiplier))
        return overflowed ? nil : ExactMoney(units: units)
    }
}

/// The reserves as records: the topic `reserve`.
extension PurchaseReserves {
    /// Writes a record for each purchase, oldest first.
    package func write(to writer: inout RecordWriter) {
        for entry in entries { writer.item(.reserve) { $0.write(entry) } }
    }

    /// Takes one item in behind those before it.
    package mutating func read(_ reader: inout RecordReader) throws(RecordError) {
        guard reader.topic == .reserve else { throw reader.damage }
        let entry = try reader.value(Entry.self)
        guard price(of: entry.order) == nil else { throw reader.damage }
        entries.append(entry)
        try reader.finish()
    }
}

extension PurchaseReserves.Entry: RecordValue {
    /// Writes order and price.
    package func write(to writer: inout RecordWriter) {
        writer.write(order)
        writer.write(price)
    }

    /// The purchase as written, at whatever price it was taken to cost.
    package init(from reader: inout RecordReader) throws(RecordError) {
        order = try reader.order()
        price = try reader.anyPrice()
        guard order.number > 0 else { throw reader.damage }
    }
}
