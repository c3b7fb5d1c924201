package import Primitives

/// What part of a position's value an account must have of its own.
///
/// Left out: the amounts a share that FINRA asks for shorts of low prices, concentration and house
/// requirements.
package struct MarginTerms: Hashable, Sendable {
    /// To open a position, long or short.
    package let initial: Percent
    /// To keep a long position.
    package let maintenanceLong: Percent
    /// To keep a short position.
    package let maintenanceShort: Percent

    /// 50 % to open (Federal Reserve Regulation T, 12 CFR 220.12), 25 % to keep a long and 30 % to keep a
    /// short position (FINRA rule 4210).
    package static let unitedStates = MarginTerms(
        checked: Percent(50), maintenanceLong: Percent(25), maintenanceShort: Percent(30))

    /// Terms of an account; `nil` unless each is from 0 to 1,000 percent.
    package init?(initial: Percent, maintenanceLong: Percent, maintenanceShort: Percent) {
        let range = Percent.zero.units...Percent(1_000).units
        guard
            [initial, maintenanceLong, maintenanceShort].allSatisfy({ range.contains($0.units) })
        else { return nil }
        self.init(
            checked: initial, maintenanceLong: maintenanceLong, maintenanceShort: maintenanceShort)
    }

    private init(checked initial: Percent, maintenanceLong: Percent, maintenanceShort: Percent) {
        self.initial = initial
        self.maintenanceLong = maintenanceLong
        self.maintenanceShort = maintenanceShort
    }

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
