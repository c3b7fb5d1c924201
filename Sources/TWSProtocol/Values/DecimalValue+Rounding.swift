extension DecimalValue {
    /// The number in steps of 10^-`digits`, rounded half to even; `nil` when it is infinite or does not fit.
    package func roundedUnits(digits count: Int) -> Int64? {
        guard isFinite else { return nil }
        let shift = Int(exponent) + count
        guard shift < 0, digits != 0 else { return units(digits: count) }
        // Beyond 20 places nothing is left of any digits.
        guard shift > -20 else { return 0 }
        let divisor = (0..<(-shift)).reduce(UInt128(1)) { power, _ in power * 10 }
        let (quotient, remainder) = UInt128(digits).quotientAndRemainder(dividingBy: divisor)
        let isUp = remainder * 2 > divisor || remainder * 2 == divisor && quotient % 2 == 1
        let magnitude = Int128(quotient) + (isUp ? 1 : 0)
        return Int64(exactly: kind == .negative ? -magnitude : magnitude)
    }

    /// The largest multiple of `step` that is not above the number, exactly.
    ///
    /// - Parameter step: more than 0.
    /// - Returns: `nil` when one of them is infinite or the result has more than 19 digits.
    func roundedDown(toMultipleOf step: DecimalValue) -> DecimalValue? {
        multiple(of: step) { number, step in number.flooredQuotient(by: step) }
    }

    /// The smallest multiple of `step` that is not below the number, exactly.
    ///
    /// - Parameter step: more than 0.
    /// - Returns: as `roundedDown`.
    func roundedUp(toMultipleOf step: DecimalValue) -> DecimalValue? {
        multiple(of: step) { number, step in -(-number).flooredQuotient(by: step) }
    }

    /// The largest multiple of `step` that is below the number, exactly.
    ///
    /// - Parameter step: more than 0.
    /// - Returns: as `roundedDown`.
    func multipleBelow(of step: DecimalValue) -> DecimalValue? {
        // In units of the finer of both exponents every multiple is whole.
        multiple(of: step) { number, step in (number - 1).flooredQuotient(by: step) }
    }

    /// `step` times what `quotient` says, both brought to one exponent before.
    private func multiple(
        of step: DecimalValue, _ quotient: (Int128, Int128) -> Int128
    ) -> DecimalValue? {
        guard isFinite, step.isFinite, step > .zero else { return nil }
        // Nothing has no exponent of its own.
        let shared = digits == 0 ? step.exponent : min(exponent, step.exponent)
        guard let number = scaled(to: shared), let size = step.scaled(to: shared) else {
            return nil
        }
        let (result, overflowed) = quotient(number, size).multipliedReportingOverflow(by: size)
        return overflowed ? nil : DecimalValue(result, exponent: shared)
    }

    /// The number in units of 10^`shared`, which is not above its exponent; `nil` beyond 37 digits.
    private func scaled(to shared: Int16) -> Int128? {
        guard digits != 0 else { return 0 }
        let shift = Int(exponent) - Int(shared)
        guard shift + digits.decimalDigits <= 37 else { return nil }
        let magnitude = (0..<shift).reduce(Int128(digits)) { value, _ in value * 10 }
        return kind == .negative ? -magnitude : magnitude
    }

    /// `value` · 10^`exponent`; `nil` with more than 19 digits.
    private init?(_ value: Int128, exponent: Int16) {
        var magnitude = value.magnitude
        var exponent = Int(exponent)
        while magnitude != 0, magnitude % 10 == 0 {
            magnitude /= 10
            exponent += 1
        }
        guard let digits = UInt64(exactly: magnitude) else { return nil }
        self.init(normalizing: digits, exponent: exponent, isNegative: value < 0)
    }
}

extension Int128 {
    /// The quotient rounded down; `divisor` is positive.
    fileprivate func flooredQuotient(by divisor: Int128) -> Int128 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
