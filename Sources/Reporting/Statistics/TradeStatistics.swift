package import Primitives

/// What the round trips of a run brought, after commissions.
///
/// A figure that is not defined for them is `nil`.
package struct TradeStatistics: Hashable, Sendable {
    /// How many trades there are.
    package let count: Int
    /// Trades with a profit / all trades.
    package let winRate: Double?
    /// Sum of the profits / sum of the losses without sign; needs a loss.
    package let profitFactor: Double?
    /// The average profit / the average loss without sign; needs one of each.
    package let payoffRatio: Double?
    /// Sum of profits and losses / number of trades, rounded half to even.
    package let expectancy: Money?
    /// The largest profit, or smallest loss.
    package let best: Money?
    /// The largest loss, or smallest profit.
    package let worst: Money?

    /// Time from first to last fill on average, rounded half to even.
    package let averageDuration: Duration?
    /// The shortest time from first to last fill.
    package let shortestDuration: Duration?
    /// The longest time from first to last fill.
    package let longestDuration: Duration?

    /// Maximum adverse excursion on average, as a part of the entries' value; at most 0. Trades
    /// whose entries were worth nothing are left out.
    package let averageAdverse: Double?
    /// Maximum favourable excursion on average, as a part of the entries' value; at least 0.
    package let averageFavourable: Double?
    /// What fills of all trades cost against their reference prices; `nil` when one is unknown.
    package let slippage: Money?

    /// The figures of `trades`.
    ///
    /// - Parameter paths: a path for each trade; `nil` if prices are not known.
    package init(of trades: [RoundTrip], paths: [TradePath]? = nil) {
        let results = trades.map(\.netProfit)
        let wins = WinLoss(of: results.lazy.map { Double($0.units) })
        count = trades.count
        best = results.max()
        worst = results.min()
        winRate = quotient(Double(wins.gainCount), Double(trades.count))
        profitFactor = wins.profitFactor
        payoffRatio = wins.payoffRatio
        expectancy = Self.average(results.lazy.map(\.units)).map(Money.init(units:))

        let durations = trades.map(\.duration)
        averageDuration = Self.average(durations.lazy.map(\.nanoseconds))
            .map(Duration.init(nanoseconds:))
        shortestDuration = durations.min()
        longestDuration = durations.max()

        let excursions = Excursions(of: trades, paths ?? [])
        averageAdverse = excursions.averageAdverse
        averageFavourable = excursions.averageFavourable
        slippage = paths.flatMap(Self.slippage)
    }

    /// Rounded half to even. Sums of a long run exceed 64 bits.
    private static func average(_ values: some Collection<Int64>) -> Int64? {
        guard !values.isEmpty else { return nil }
        let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
        return Int64(sum.dividedHalfToEven(by: Int128(values.count)))
    }

    private static func slippage(of paths: [TradePath]) -> Money? {
        var sum = ExactMoney.zero
        for path in paths {
            guard let slippage = path.slippage else { return nil }
            sum += ExactMoney(slippage)
        }
        return paths.isEmpty ? nil : sum.roundedIfRepresentable()
    }
}

/// How far trades went against and for their holder, as parts of the entries' value.
private struct Excursions {
    private var adverse = 0.0
    private var favourable = 0.0
    private var count = 0

    init(of trades: [RoundTrip], _ paths: [TradePath]) {
        for (trade, path) in zip(trades, paths) {
            let value = trade.entryValue.magnitude
            guard value > .zero, let lowest = path.lowest, let highest = path.highest else {
                continue
            }
            adverse += lowest.asDouble / value.asDouble
            favourable += highest.asDouble / value.asDouble
            count += 1
        }
    }

    var averageAdverse: Double? { quotient(adverse, Double(count)) }
    var averageFavourable: Double? { quotient(favourable, Double(count)) }
}
