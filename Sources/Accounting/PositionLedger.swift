package import Model
package import Primitives

/// One strategy's position in one instrument, at average cost.
///
/// `realized` and `cost` move by the same amounts, so realised and unrealised profit add up exactly
/// whatever is rounded between them.
@usableFromInline
package struct PositionLedger: Equatable, Sendable, BitwiseCopyable {
    /// Held; negative is short.
    package private(set) var quantity = Quantity.zero
    /// What the quantity held has cost, with its sign: paid for a long, received (negative) for a short.
    package private(set) var cost = ExactMoney.zero
    /// Profit of what was closed, before commissions.
    package private(set) var realized = ExactMoney.zero
    /// When the newest execution in here happened, and which it was.
    private var newest = Timestamp.distantPast
    private var newestBase = Int64.min

    /// Nothing held.
    package init() {}

    /// Books one execution.
    ///
    /// - Parameter multiplier: the contract's; 1 for shares.
    package mutating func apply(_ execution: Execution, multiplier: Int64) {
        if comesLast(execution) { (newest, newestBase) = (execution.time, execution.id.base) }
        let change = execution.signedQuantity
        let closing = closedPart(of: change)
        if closing != .zero {
            let costOfClosed = cost(ofClosing: closing)
            realized += execution.price * -closing * multiplier - costOfClosed
            cost -= costOfClosed
            quantity += closing
        }
        let opening = change - closing
        cost += execution.price * opening * multiplier
        quantity += opening
    }

    /// Whether an execution comes behind all that are in here: by time, at one time by number.
    package func comesLast(_ execution: Execution) -> Bool {
        (execution.time, execution.id.base) > (newest, newestBase)
    }

    /// The part of a change that closes what is held: against its sign and at most its size.
    private func closedPart(of change: Quantity) -> Quantity {
        guard (quantity > .zero) != (change > .zero), quantity != .zero else { return .zero }
        return change.magnitude < quantity.magnitude ? change : -quantity
    }

    /// The average cost of the quantity that `closing` (of the opposite sign) closes.
    private func cost(ofClosing closing: Quantity) -> ExactMoney {
        guard closing != -quantity else { return cost }
        let held = quantity.magnitude.units
        let product = cost.units.magnitude.multipliedFullWidth(by: UInt128(closing.magnitude.units))
        // Less than `cost`, since less than all is closed: the quotient fits.
        let part = UInt128(held).dividingFullWidth(product).quotient
        return ExactMoney(units: cost.units < 0 ? -Int128(part) : Int128(part))
    }

    /// The average price paid or received for what is held, rounded half to even.
    ///
    /// - Parameter multiplier: the contract's.
    package func averagePrice(multiplier: Int64) -> Price? {
        guard quantity != .zero else { return nil }
        let signed = quantity < .zero ? -cost : cost
        let average = signed.units.dividedHalfToEven(
            by: Int128(quantity.magnitude.units) * Int128(multiplier))
        return Int64(exactly: average).map(Price.init(units:))
    }
}
