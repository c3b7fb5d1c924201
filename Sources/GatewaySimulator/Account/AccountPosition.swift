import Model
package import Primitives

/// What an account holds of an instrument and what it brought, as its fills and splits made it.
///
/// The average cost method, commissions included: what a purchase costs is added, a sale takes its part
/// of the whole with it (IBKR's guide to TWS, "average cost").
package struct AccountPosition: Hashable, Sendable {
    /// What is held.
    package let instrument: AccountInstrument
    /// How much; negative when short.
    package internal(set) var quantity = Quantity.zero
    /// What was paid for it with commissions; negative for what a short sale brought.
    package internal(set) var cost = ExactMoney.zero
    /// What closing brought since the account began, less commissions.
    package internal(set) var realized = ExactMoney.zero
    /// All commissions.
    package internal(set) var commissions = ExactMoney.zero
    /// The money that moved because of it, in its currency.
    package internal(set) var cash = ExactMoney.zero
    /// The price it is valued at.
    package internal(set) var mark: Price

    /// Nothing held.
    init(of instrument: AccountInstrument, mark: Price) {
        self.instrument = instrument
        self.mark = mark
    }

    /// Adds a fill.
    ///
    /// - Returns: the profit, commission deducted; `nil` where it closed nothing.
    /// - Throws: `tooLarge` where the position would be; nothing changed then.
    mutating func apply(
        _ signed: Quantity, at price: Price, commission: ExactMoney
    ) throws(AccountFault) -> ExactMoney? {
        let (units, overflowed) = quantity.units.addingReportingOverflow(signed.units)
        guard !overflowed, units.magnitude <= Quantity.magnitudeMax.units.magnitude,
            let value = AccountMath.trade(price, signed, instrument.multiplier)
        else { throw .tooLarge("a fill of \(signed) \(instrument.symbol) at \(price)") }
        let size = Quantity(units: Int64(signed.units.magnitude))
        let isOpposite = (quantity.units < 0) != (signed.units < 0)
        let closing = isOpposite ? min(size, quantity.magnitude) : .zero
        let closingValue = AccountMath.share(value, closing, of: size)
        let closingFee = AccountMath.share(commission, closing, of: size)
        var profit: ExactMoney?
        if closing > .zero {
            let closedCost = AccountMath.share(cost, closing, of: quantity.magnitude)
            let gain = -closingValue - closedCost - closingFee
            realized += gain
            cost -= closedCost
            profit = gain
        }
        cost += value - closingValue + commission - closingFee
        quantity = Quantity(units: units)
        commissions += commission
        // A future is not paid for: its profit is, and its loss.
        cash += isFuture ? profit ?? .zero : -value - commission
        return profit
    }

    /// Exchanges every `old` for `new`, and pays out at `lieu` what is no whole share any more. Who held
    /// fractions before keeps them.
    mutating func split(_ new: Int64, for old: Int64, lieu: Price) throws(AccountFault) {
        guard new > 0, old > 0 else { throw .invalidRatio(new, old) }
        let product = Int128(quantity.units) * Int128(new) / Int128(old)
        guard product.magnitude <= Quantity.magnitudeMax.units.magnitude else {
            throw .tooLarge("a split of \(quantity) \(instrument.symbol)")
        }
        let after = Quantity(units: Int64(product))
        let kept = quantity.isWhole ? after.wholeShares : after
        let fraction = after - kept
        if fraction != .zero {
            let brought = AccountMath.value(lieu, fraction, instrument.multiplier)
            let part = AccountMath.share(cost, fraction.magnitude, of: after.magnitude)
            cost -= part
            realized += brought - part
            cash += isFuture ? brought - part : brought
        } else if after == .zero {
            realized -= cost
            if isFuture { cash -= cost }
            cost = .zero
        }
        quantity = kept
    }

    /// Whether only its profit and loss are paid.
    var isFuture: Bool {
        if case .future = instrument.assetClass { true } else { false }
    }

    /// Whether it is an option.
    var isOption: Bool {
        if case .option = instrument.assetClass { true } else { false }
    }

    /// Quantity times price times multiplier.
    package var value: ExactMoney {
        AccountMath.value(mark, quantity, instrument.multiplier)
    }

    /// Profit or loss if it were closed at the mark without costs.
    package var unrealized: ExactMoney { value - cost }

    /// What it adds to what the account is worth, besides cash.
    var worth: ExactMoney { isFuture ? unrealized : value }

    /// What one share or contract cost with commissions, the multiplier in it; 0 where nothing is held.
    package var averageCost: ExactMoney {
        guard quantity != .zero else { return .zero }
        return AccountMath.share(
            cost, Quantity(shares: 1), ofAny: quantity)
    }
}

extension AccountMath {
    /// `amount` per `part` of a quantity that may be negative or smaller.
    fileprivate static func share(
        _ amount: ExactMoney, _ part: Quantity, ofAny whole: Quantity
    ) -> ExactMoney {
        let (quotient, remainder) = amount.units.quotientAndRemainder(
            dividingBy: Int128(whole.units))
        let (product, overflowed) = quotient.multipliedReportingOverflow(by: Int128(part.units))
        guard !overflowed else {
            return (amount.units < 0) == (whole.units < 0) ? valueMax : -valueMax
        }
        return ExactMoney(units: product + remainder * Int128(part.units) / Int128(whole.units))
    }
}
