package import Model
package import Primitives

/// Section `risk`: what no strategy may exceed.
package struct RiskSettings: Hashable, Sendable {
    /// Whether shares may be sold that are not held. Holds with and without limits.
    package let allowShort: Bool
    /// `nil` when limits are off.
    package let limits: RiskLimitSettings?
    /// The most positions at a time, those that working orders would open included; `nil`: any number,
    /// or limits are off.
    package let maxPositions: Int?
    /// How much may be lost before entries are halted.
    package let losses: LossLimits
    /// Reads the section.
    ///
    /// - Parameter account: a cash account sells nothing short.
    init(_ section: inout SettingsReader, account: AccountSettings.AccountType) {
        let limits = section.value(
            "limits", .onOff, default: .on, "whether the limits of this section hold")
        allowShort = section.value(
            "allow_short", .flag, default: false, "whether shares may be sold that are not held")
        if allowShort, account == .cash {
            section.refuse(
                "allow_short", found: "found true", allowed: "false, with account.type: cash",
                advice: "Short positions need a margin account.")
        }
        let values = section.when("limits", limits, is: .on) { RiskLimitSettings(&$0) }
        self.limits =
            switch limits {
            case .on: values
            case .off: nil
            }
        maxPositions = section.when("limits", limits, is: .on) {
            $0.optional(
                "max_positions",
                .integer(1...1_000, unit: "positions").olderName("MAX_POSITIONS"),
                "the most positions at a time, those that working orders would open included")
        }
        losses = section.when("limits", limits, is: .on) { LossLimits(&$0) }
    }
}

extension LossLimits {
    /// Reads the keys about losses of section `risk`.
    fileprivate init(_ section: inout SettingsReader) {
        self.init()
        dailyPercent = section.optional(
            "max_daily_loss_pct", .percent(.above(0, to: 100), of: "the day's first equity"),
            "a day's loss that halts entries until the next day; profit that is not realised counts"
        )
        dailyAmount = section.optional(
            "max_daily_loss_usd", .money(.above(0, to: 1_000_000_000_000)),
            "the same as an amount; the limit that is reached first halts")
        drawdownPercent = section.optional(
            "max_drawdown_pct", .percent(.above(0, to: 100), of: "the highest equity"),
            "the drawdown from peak equity at which entries halt until you resume them")
        response = section.value(
            "on_breach", .choice(), default: .halt,
            "what these limits do: halt and cancel entries, or also flatten positions")
    }
}

/// The limits of section `risk`; working orders count as if they were filled.
package struct RiskLimitSettings: Hashable, Sendable {
    /// Largest position in shares; `nil`: any.
    package let maxPositionShares: Quantity?
    /// Largest value of a position; `nil`: any.
    package let maxPositionValue: Money?
    /// Largest value of a position as part of the equity.
    package let maxPositionPercent: Percent
    /// Largest gross exposure; `nil`: any.
    package let maxExposure: Money?
    /// Largest gross exposure as part of the equity: 100 percent is a leverage of 1.
    package let maxLeverage: Percent
    /// What happens to an order beyond a limit.
    package let overLimit: OverLimit
    /// How many orders a strategy may send within a minute before its entries are stopped.
    package let maxOrdersPerMinute: Int
    /// How many within a day.
    package let maxOrdersPerDay: Int
    /// How many messages to the broker its orders may take within a day for each executed one, and one.
    package let maxOrderEfficiencyRatio: Int

    /// What happens to an order beyond a limit.
    package enum OverLimit: String, CaseIterable, Sendable {
        /// It is made smaller.
        case reduce
        /// It is refused.
        case reject
    }

    /// Reads the section.
    init(_ section: inout SettingsReader) {
        maxPositionShares = section.optional(
            "max_position_shares", .shares(.from(1, to: 1_000_000_000)),
            "largest position in shares")
        maxPositionValue = section.optional(
            "max_position_usd", .money(.above(0, to: 1_000_000_000_000)),
            "largest value of a position")
        maxPositionPercent = section.value(
            "max_position_pct", .percent(.from(0, to: 100), of: "equity"), default: Percent(100),
            "largest value of a position as part of the equity")
        maxExposure = section.optional(
            "max_exposure_usd", .money(.above(0, to: 1_000_000_000_000)),
            "largest sum of all positions' values, long and short")
        maxLeverage = section.value(
            "max_leverage", .ratio(.above(0, to: 10), of: "equity"), default: Percent(100),
            "largest sum of all positions' values, long and short, as a multiple of the equity")
        overLimit = section.value(
            "over_limit", .choice(), default: .reduce, "what happens to an order beyond a limit")
        maxOrdersPerMinute = section.value(
            "max_orders_per_minute", .integer(1...10_000_000, unit: "orders"), default: 500,
            "how many orders a strategy sends within a minute before its entries are stopped")
        maxOrdersPerDay = section.value(
            "max_orders_per_day", .integer(1...10_000_000, unit: "orders"), default: 10_000,
            "the same within a day; exits, stops and targets count, and are never stopped")
        maxOrderEfficiencyRatio = section.value(
            "max_order_efficiency_ratio", .integer(1...1_000_000, unit: "messages"), default: 18,
            "orders, changes and cancels of a strategy within a day for each executed order, and one, "
                + "before its entries are stopped: in sessions, from 100 of them on")
    }
}
