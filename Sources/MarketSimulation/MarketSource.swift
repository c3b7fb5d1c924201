package import Primitives

/// Where a simulated market's prices come from.
package enum MarketSource: Sendable {
    /// They are made up.
    case synthetic(SyntheticTraits)
    /// They were recorded. What the recording does not have has no prices.
    case replay(ReplayData)
}

/// What synthetic prices are like.
package struct SyntheticTraits: Hashable, Sendable {
    /// The standard deviation of a year's logarithmic return for every instrument; `nil` for each listing's
    /// own. Between two closes; 0 to 10.
    package var volatility: Double?
    /// The expected return of a year, as a fraction, of what does not come back to its start; above -1.
    package var drift = 0.0
    /// The expected number of jumps a year. Their variance is part of the volatility's.
    package var jumps = 0.0
    /// The standard deviation of a jump, as a fraction.
    package var jumpSize = 0.03
    /// Whether calm and turbulent times take turns.
    package var hasRegimes = false
    /// Whether prices and volume move more near the open and the close.
    package var hasIntradayShape = true
    /// The correlation of the returns, jumps aside, of any two instruments of different families that are traded at
    /// the same hours and cut by the clock: 0 to 1.
    package var correlation = 0.0
    /// How days are cut into slices.
    package var cut = SliceCut.every(.minutes(1))
    /// Whether stocks and futures also trade outside regular hours.
    package var hasExtendedHours = true
    /// How many quotes a second there are in regular hours where slices are cut by the clock; an eighth of it outside.
    /// 1 to 100.
    package var quotesPerSecond = 4
    /// The first day with prices; `nil` for 1 January two years before the year the market starts in.
    package var firstDay: Day?
    /// The yearly interest that options are priced with.
    package var rate = 0.04

    /// The usual traits.
    package init() {}

    /// What is the same with every number within its range.
    var bounded: SyntheticTraits {
        func within(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
        }
        var traits = self
        traits.volatility = volatility.map { within($0, 0...10) }
        traits.drift = within(drift, -0.99...10)
        traits.jumps = within(jumps, 0...1_000)
        traits.jumpSize = within(jumpSize, 0...1)
        traits.correlation = within(correlation, 0...1)
        switch cut {
        case .every(let length): traits.cut = .every(max(length, .seconds(1)))
        case .quotes(let count): traits.cut = .quotes(perSession: within(count, 0...1e8))
        }
        traits.quotesPerSecond = min(max(quotesPerSecond, 1), 100)
        traits.rate = within(rate, -1...1)
        return traits
    }
}
