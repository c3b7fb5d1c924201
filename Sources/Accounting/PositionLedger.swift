package import Model
package import Primitives

/// One owner's position in one instrument, at average cost.
///
/// `realized` and `cost` move by the same amounts, so realised and unrealised profit add up exactly
/// whatever is rounded between them.
@usableFromInline
package struct PositionLedger: Equatable, Sendable, BitwiseCopyable {
    /// Held; negative is short.
    package private(set) var quantity = Quantity.zero
    /// What the quantity held has cost, with its sign: paid for a long, received (negative) for a short.
    package private(set) var cost = ExactMoney.zero
    /// Profit of what was closed, before commissions and without dividends.
    package private(set) var realized = ExactMoney.zero
    /// Dividends received; negative when more were paid on shorts.
    package private(set) var income = ExactMoney.zero
    /// Commissions and fees known to be for executions in here.
    package internal(set) var charges = ExactMoney.zero
    /// When the newest execution in here happened, and which it was.
    private var newest = Timestamp.distantPast
    private var newestBase = Int64.min

    /// Nothing held.
    package init() {}

    /// All cash that trades and corporate actions have moved, charges aside: received less paid.
    var cash: ExactMoney { realized - cost + income }

    /// Books one execution.
    ///
    /// - Parameter multiplier: the contract's; 1 for shares.
    package mutating func apply(_ execution: Execution, multiplier: Int64) {
        if comesLast(execution) { (newest, newestBase) = (execution.time, execution.id.base) }
        let change = execution.signedQuantity
        let paid = execution.price * change * multiplier
        let closing = closedPart(of: change)
        quantity += change
        guard closing != .zero else { return cost += paid }
        // What is closed in whole, or with the whole of an execution, needs no division.
        let paidForClosing =
            closing == change ? paid : execution.price * closing * multiplier
        let held = quantity - change
        let costOfClosed =
            closing == -held
            ? cost : cost.part(UInt128(closing.magnitude.units), of: UInt128(held.magnitude.units))
        realized -= paidForClosing + costOfClosed
        cost += paid - paidForClosing - costOfClosed
    }

    /// Books a corporate action. Fractions of a share that a split leaves are closed for cash, and
    /// their profit is realised; the cost of the rest stays as it is, for other quantities.
    ///
    /// - Returns: false, and nothing changes, when the position would be beyond `Quantity.magnitudeMax`.
    package mutating func apply(_ booked: BookedAction, multiplier: Int64) -> Bool {
        switch booked.action.kind {
        case .dividend(let perShare): income += perShare * quantity * multiplier
        case .split(let ratio):
            guard let exchanged = ratio.exchanged(quantity) else { return false }
            if exchanged.remainder != 0 {
                let whole = Int128(quantity.units) * Int128(ratio.new)
                let costOfRemainder = cost.part(exchanged.remainder.magnitude, of: whole.magnitude)
                let paid = booked.worth(ofRemainder: exchanged.remainder, after: ratio) * multiplier
                realized += paid - costOfRemainder
                cost -= costOfRemainder
            }
            quantity = exchanged.whole
        }
        let opening = booked.action.exOpening
        if (opening, Int64.min) > (newest, newestBase) { (newest, newestBase) = (opening, .min) }
        return true
    }

    /// Whether an execution comes behind all that are in here: by time, at one time by number.
    package func comesLast(_ execution: Execution) -> Bool {
        (execution.time, execution.id.base) > (newest, newestBase)
    }

    /// Whether something of an action's ex-day or later is in here already.
    func isAhead(of action: CorporateAction) -> Bool {
        (newest, newestBase) > (action.exOpening, Int64.min)
    }

    /// The part of a change that closes what is held: against its sign and at most its size.
    private func closedPart(of change: Quantity) -> Quantity {
        guard (quantity > .zero) != (change > .zero), quantity != .zero else { return .zero }
        return change.magnitude < quantity.magnitude ? change : -quantity
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

extension PositionLedger: RecordValue {
    /// Writes all figures and how far the ledger goes.
    package func write(to writer: inout RecordWriter) {
        writer.write(quantity)
        writer.write(cost)
        writer.write(realized)
        writer.write(income)
        writer.write(charges)
        writer.write(newest)
        writer.write(newestBase)
    }

    /// The ledger as written.
    package init(from reader: inout RecordReader) throws(RecordError) {
        quantity = try reader.quantity()
        cost = try reader.exactMoney()
        realized = try reader.exactMoney()
        income = try reader.exactMoney()
        charges = try reader.exactMoney()
        newest = try reader.time()
        newestBase = try reader.word()
    }
}
