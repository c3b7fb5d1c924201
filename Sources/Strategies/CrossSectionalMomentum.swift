public import Model
import Primitives
public import Signals

/// Holds the instruments that rose most over the lookback, each with the same weight.
///
/// At every rebalance the instruments are ranked by their return over `lookback` bars, of equal
/// ones the first by symbol comes first. The best `top` are to be worth `invested_pct` / `top` of
/// equity each, in whole shares; all others are to be sold. What has had no bar in the session is
/// neither ranked nor traded: held, it keeps its place among the `top`. The differences are ordered
/// by symbol, sells before buys; see `RebalanceTrades` for which are left out. What has not risen by more than
/// `threshold` is ranked and not held: its part stays cash.
public struct CrossSectionalMomentum: Strategy, Codable {
    // Two words in all: a strategy of at most three is called in place, a larger one through a box.
    private var closes: CloseHistory
    /// One; in an array to take up one word.
    private var rankings: [MomentumRanking]

    static let lookback = Parameter.integer(
        "lookback", in: 1...5_000, default: 126, unit: "bars", "how far back the return reaches")
    static let topCount = Parameter.integer(
        "top", in: 1...1_000, default: 5, unit: "instruments", "how many are held")
    static let invested = Parameter.number(
        "invested_pct", in: 0.1...400, default: 100, unit: "percent of equity",
        "what all held are worth together; each is worth the same")
    static let threshold = Parameter.number(
        "threshold", in: -1...10, default: -1, unit: "of the price",
        "only what has risen by more is held; -1 for all that can be ranked, 0.02 is two percent")
    static let rule = Parameter.choice(
        "rebalance", default: RebalanceSchedule.Rule.weekly,
        "when: with the first bars of a week or month, or every so many instants with bars")
    static let interval = Parameter.integer(
        "every", in: 1...5_000, default: 21, unit: "instants with bars",
        "from one rebalance to the next, with rebalance: bars")
    static let band = Parameter.number(
        "band_pct", in: 0...100, default: 20, unit: "percent of the target",
        "smaller differences from the target are left alone")
    static let smallestTrade = Parameter.integer(
        "min_trade_usd", in: 0...1_000_000_000, default: 200, unit: "dollars",
        "smaller trades are left out, but for those that sell everything")
    static let turnover = Parameter.number(
        "max_turnover_pct", in: 1...1_000, default: 300, unit: "percent of equity",
        "the most that is bought and sold in one rebalance; all trades shrink to fit")

    /// Name, purpose and parameters.
    public static let declaration = StrategyDeclaration(
        name: "cross_sectional_momentum",
        summary: "holds the instruments that rose most, and changes them by the calendar",
        parameters: [
            lookback.declaration, topCount.declaration, invested.declaration,
            threshold.declaration, rule.declaration, interval.declaration, band.declaration,
            smallestTrade.declaration,
            turnover.declaration,
        ], ownSizing: "top and invested_pct say")

    /// A strategy before its first bar.
    public init(_ setup: StrategySetup) throws(ParameterError) {
        let parameters = setup.parameters
        let top = parameters[Self.topCount]
        guard
            let weight = Percent(
                roundingFraction: parameters[Self.invested] / 100 / Double(top)),
            let band = Percent(roundingFraction: parameters[Self.band] / 100),
            let turnover = Percent(roundingFraction: parameters[Self.turnover] / 100)
        else { throw .conflict("invested_pct, band_pct and max_turnover_pct must be finite") }
        let smallest = Money(cents: 100 * Int64(parameters[Self.smallestTrade]))
        let limits = RebalanceLimits(
            band: band, smallestTrade: smallest, turnover: turnover)
        closes = CloseHistory(
            lookback: parameters[Self.lookback], count: setup.universe.count)
        rankings = [
            MomentumRanking(
                of: setup.instruments, top: top, above: parameters[Self.threshold],
                RebalanceSchedule(parameters[Self.rule], interval: parameters[Self.interval]),
                RebalanceTrades(limits, weight: weight))
        ]
    }

    /// The lookback's length and the bar it ends with.
    public var warmupBars: Int { closes.lookback + 1 }

    /// Takes note of the close.
    @inline(__always)
    public mutating func barClosed(_ bar: Bar, _ context: inout StrategyContext) {
        closes.record(bar)
        if context.isWarmingUp {
            for index in rankings.indices { rankings[index].passOver(bar.start) }
        }
    }

    /// Ranks and trades when it is time.
    public mutating func sliceClosed(_ context: inout StrategyContext) {
        for index in rankings.indices { rankings[index].sliceClosed(closes, &context) }
    }
}
