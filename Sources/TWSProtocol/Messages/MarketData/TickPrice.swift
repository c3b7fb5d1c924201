/// A price of a market data subscription, with the size that belongs to it.
public struct TickPrice: FieldRecord {
    /// The subscription.
    public var reqId: RequestID = 0
    /// Which price.
    public var tickType = TickType.bid
    /// The price; `nil` where the gateway sent none.
    public var price: DecimalValue?
    /// The size at that price.
    public var size: DecimalValue?
    /// Bit 0: can be executed automatically. Bit 1: beyond the limit. Bit 2: before the open.
    public var attrMask: Int32 = 0

    /// Nothing set.
    public init() {}

    /// The fields in wire order.
    public mutating func fields(_ coder: inout some FieldCoder & ~Copyable) {
        coder.constant("6")
        coder.id("reqId", &reqId)
        coder.code("tickType", &tickType)
        coder.double("price", &price, .empty)
        coder.decimal("size", &size, .empty)
        coder.integer("attrMask", &attrMask, or: 0)
    }
}
