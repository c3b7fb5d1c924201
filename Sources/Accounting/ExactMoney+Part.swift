package import Primitives

extension ExactMoney {
    /// This amount times `numerator` over `denominator`, towards zero to 10^-16, without overflow
    /// between; `nil` beyond the type's range.
    ///
    /// - Parameter denominator: positive.
    package func scaled(by numerator: UInt128, over denominator: UInt128) -> ExactMoney? {
        let product = units.magnitude.multipliedFullWidth(by: numerator)
        // Or the quotient would not fit.
        guard product.high < denominator else { return nil }
        let quotient = denominator.dividingFullWidth(product).quotient
        return Int128(exactly: quotient).map { ExactMoney(units: units < 0 ? -$0 : $0) }
    }

    /// The part of this amount that belongs to `part` of `whole`, towards zero to 10^-16.
    ///
    /// - Parameter part: at most `whole`.
    func part(_ part: UInt128, of whole: UInt128) -> ExactMoney {
        guard part < whole, let share = scaled(by: part, over: whole) else { return self }
        return share
    }
}
