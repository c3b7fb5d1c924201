package import Primitives

/// What the round trips of a run brought, after commissions.
///
/// A figure that is not defined for them is `nil`.
package struct TripStatistics: Hashable, Sendable {
    /// How many trips there are.
    package let count: Int
    /// Trips with a profit / all trips.
    package let winRate: Double?
    /// Sum of the profits / sum of the losses without sign; needs a loss.
    package let profitFactor: Double?
    /// The average profit / the average loss without sign; needs one of each.
    package let payoffRatio: Double?
    /// Sum of profits and losses / number of trips, rounded half to even.
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

    /// Maximum adverse excursion on average, as a part of the entries' value; at most 0. Trips
    /// whose entries were worth nothing are left out.
    package let averageAdverse: Double?
    /// Maximum favourable excursion on average, as a part of the entries' value; at least 0.
    package let averageFavourable: Double?
    /// What fills of all trips cost against their reference prices; `nil` when one is unknown.
    package let slippage: Money?

    /// The figures of `trips`.
    ///
    /// - Parameter paths: a path for each trip; `nil` if prices are not known.
    package init(of trips: [RoundTrip], paths: [TripPath]? = nil) {
        let results = trips.map(\.netProfit)
        let wins = WinLoss(of: results.lazy.map { Double($0.units) })
        count = trips.count
        best = results.max()
        worst = results.min()
        winRate = quotient(Double(wins.gainCount), Double(trips.count))
        profitFactor = wins.profitFactor
        payoffRatio = wins.payoffRatio
        expectancy = Self.average(results.lazy.map(\.units)).map(Money.init(units:))

        let durations = trips.map(\.duration)
        averageDuration = Self.average(durations.lazy.map(\.nanoseconds))
            .map(Duration.init(nanoseconds:))
        shortestDuration = durations.min()
        longestDuration = durations.max()

        let excursions = Excursions(of: trips, paths ?? [])
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

    private static func slippage(of paths: [TripPath]) -> Money? {
        var sum = ExactMoney.zero
        for path in paths {
            guard let slippage = path.slippage else { return nil }
            sum += ExactMoney(slippage)
        }
        return paths.isEmpty ? nil : sum.roundedIfRepresentable()
    }
}

/// How far trips went against and for their holder, as parts of the entries' value.
private struct Excursions {
    private var adverse = 0.0
    private var favourable = 0.0
    private var count = 0

    init(of trips: [RoundTrip], _ paths: [TripPath]) {
        for (trip, path) in zip(trips, paths) {
            let value = trip.entryValue.magnitude
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
