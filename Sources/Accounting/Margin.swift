package import Model
package import Primitives

extension MarginTerms {
    /// What opening a position needs, towards zero to 10^-16.
    ///
    /// - Parameter value: at its price; negative for a short.
    package func initialRequirement(for value: ExactMoney) -> ExactMoney {
        Self.share(initial, of: value)
    }

    /// What keeping a position needs, towards zero to 10^-16.
    ///
    /// - Parameter value: at its mark; negative for a short.
    package func maintenanceRequirement(for value: ExactMoney) -> ExactMoney {
        Self.share(value < .zero ? maintenanceShort : maintenanceLong, of: value)
    }

    private static func share(_ percent: Percent, of value: ExactMoney) -> ExactMoney {
        let whole = UInt128(Percent.hundred.units)
        // At most ten times a position's value, which is far below the type's range.
        return value.magnitude.scaled(by: UInt128(percent.units), over: whole) ?? .tradeMax
    }
}

/// How a margin account stands.
package struct Margin: Equatable, Sendable {
    /// Cash plus values.
    package let equity: ExactMoney
    /// What opening all positions now would need.
    package let initial: ExactMoney
    /// What keeping all positions needs.
    package let maintenance: ExactMoney

    /// What is left to open positions with; a new one needs its initial requirement of it.
    package var availableFunds: ExactMoney { equity - initial }
    /// How much equity may fall, all requirements staying, before positions are liquidated.
    package var excessLiquidity: ExactMoney { equity - maintenance }
    /// Whether positions are to be reduced: IBKR liquidates when excess liquidity is below zero.
    package var needsLiquidation: Bool { excessLiquidity < .zero }
}

extension PortfolioLedger {
    /// How the account stands as a margin account: positions of all owners in an instrument together, as
    /// the broker sees them.
    package func margin(under terms: MarginTerms) -> Margin {
        var initial = ExactMoney.zero
        var maintenance = ExactMoney.zero
        for index in 0..<instruments.count {
            initial += terms.initialRequirement(for: instruments[index].value)
            maintenance += terms.maintenanceRequirement(for: instruments[index].value)
        }
        return Margin(equity: equity, initial: initial, maintenance: maintenance)
    }

    /// What a debit costs for some days: settled cash below zero, at a yearly rate over 360 days, as IBKR
    /// accrues it on settled balances. Rounded half to even to 10^-6.
    ///
    /// One rate for the whole debit: no tiers. Proceeds of shorts lessen the debit here; a broker keeps
    /// them apart.
    ///
    /// - Parameters:
    ///   - days: civil days, weekends and holidays among them.
    /// - Returns: what `recordInterest` takes off, not negative; `nil` beyond `Money`'s range.
    package func debitInterest(atYearly rate: Percent, days: Int) -> Money? {
        guard settledCash < .zero, rate > .zero, days > 0 else { return .zero }
        let (product, overflowed) = UInt128(rate.units).multipliedReportingOverflow(
            by: UInt128(days))
        let year = UInt128(Percent.hundred.units) * 360
        return overflowed
            ? nil
            : settledCash.magnitude.scaled(by: product, over: year)?.roundedIfRepresentable()
    }
}
