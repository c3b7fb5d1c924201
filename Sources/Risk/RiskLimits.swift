package import Primitives

/// What the gate holds orders to. A limit that is absent does not exist.
package struct RiskLimits: Hashable, Sendable {
    /// The most shares of one instrument, long or short.
    package var positionSharesMax: Quantity?
    /// The largest value of one instrument's position.
    package var positionValueMax: Money?
    /// The largest value of one instrument's position as a part of equity.
    package var positionPercentMax: Percent?
    /// The largest sum of all positions' sizes, longs and shorts added.
    package var grossExposureMax: Money?
    /// The largest sum of all positions' sizes as a part of equity: leverage, 100 percent is 1.
    package var grossPercentMax: Percent?
    /// The most instruments in which the account may have a position or an entry working.
    package var positionsMax: Int?
    /// What part of all positions' sizes must be there as equity when one is opened or enlarged.
    package var initialMargin: Percent?
    /// Whether a position may be short.
    package var allowsShort: Bool
    /// What happens to an order that would go beyond a limit.
    package var overLimit: OverLimit

    /// What happens to an order that would go beyond a limit.
    package enum OverLimit: Hashable, Sendable {
        /// It is made as small as the limit wants, if anything is left of it.
        case reduce
        /// It is refused.
        case reject
    }

    /// No limits but short selling, reducing where one is set later.
    package init(allowsShort: Bool = false, overLimit: OverLimit = .reduce) {
        self.allowsShort = allowsShort
        self.overLimit = overLimit
    }

    /// Whether the sum over all instruments is needed.
    package var needsGrossExposure: Bool {
        grossExposureMax != nil || grossPercentMax != nil || initialMargin != nil
    }
}
