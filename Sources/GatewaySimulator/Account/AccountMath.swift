import Primitives

/// Products of prices, quantities and rates that never trap.
enum AccountMath {
    /// The largest position value: 10^15. Sums of ten million of them fit.
    static let valueMax = ExactMoney(units: ExactMoney.tradeMax.units * 1_000)
    /// The largest price of a currency in another.
    static let rateMax = Price(units: 1_000_000 * Price.unitsPerOne)

    /// What a trade is worth; negative when sold. `nil` beyond 10^12.
    static func trade(_ price: Price, _ quantity: Quantity, _ multiplier: Int64) -> ExactMoney? {
        let (units, overflowed) = (price * quantity).units.multipliedReportingOverflow(
            by: Int128(multiplier))
        guard !overflowed, units.magnitude <= ExactMoney.tradeMax.units.magnitude else {
            return nil
        }
        return ExactMoney(units: units)
    }

    /// What a position is worth, at most 10^15.
    static func value(_ price: Price, _ quantity: Quantity, _ multiplier: Int64) -> ExactMoney {
        let exact = (price * quantity).units
        let (units, overflowed) = exact.multipliedReportingOverflow(by: Int128(multiplier))
        let limit = exact < 0 ? -valueMax.units : valueMax.units
        guard !overflowed, units.magnitude <= valueMax.units.magnitude else {
            return ExactMoney(units: multiplier < 0 ? -limit : limit)
        }
        return ExactMoney(units: units)
    }

    /// The part of `amount` that belongs to `part` of `whole`, rounded towards zero to 10^-16.
    ///
    /// - Parameters:
    ///   - part: at most `whole`; neither negative.
    ///   - whole: more than 0.
    static func share(_ amount: ExactMoney, _ part: Quantity, of whole: Quantity) -> ExactMoney {
        guard part != whole else { return amount }
        let (quotient, remainder) = amount.units.quotientAndRemainder(
            dividingBy: Int128(whole.units))
        // The rest is below `whole`, so both factors have 63 bits.
        return ExactMoney(
            units: quotient * Int128(part.units)
                + remainder * Int128(part.units) / Int128(whole.units))
    }

    /// An amount in another currency.
    static func converted(_ amount: ExactMoney, at rate: Price) -> ExactMoney {
        scaled(amount, by: rate.units, per: Int128(Price.unitsPerOne))
    }

    /// A share of an amount.
    static func share(_ percent: Percent, of amount: ExactMoney) -> ExactMoney {
        scaled(amount, by: percent.units, per: Int128(Percent.hundred.units))
    }

    private static func scaled(
        _ amount: ExactMoney, by factor: Int64, per unit: Int128
    ) -> ExactMoney {
        guard factor != unit else { return amount }
        let (quotient, remainder) = amount.units.quotientAndRemainder(dividingBy: unit)
        let (product, overflowed) = quotient.multipliedReportingOverflow(by: Int128(factor))
        guard !overflowed, product.magnitude <= valueMax.units.magnitude * 1_000 else {
            return (amount.units < 0) == (factor < 0) ? valueMax : -valueMax
        }
        return ExactMoney(units: product + remainder * Int128(factor) / unit)
    }

    /// The nearest amount that leaves the ledger, at most 9·10^12 so that it can be rounded.
    static func money(_ exact: ExactMoney) -> Money {
        let limit = ExactMoney(units: 9 * ExactMoney.tradeMax.units)
        return Money(clamping: min(max(exact, -limit), limit))
    }
}
