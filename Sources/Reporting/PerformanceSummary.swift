import Model
package import Primitives

/// A run in figures. Ratios are fractions: 0.05 is five percent.
///
/// A figure that is not defined for the run is `nil`, never NaN or infinite. Statistics of returns
/// are the sample statistics of `SessionReturns` with a risk-free rate of 0 and 252 sessions a
/// year, as empyrical and quantstats compute them.
package struct PerformanceSummary: Hashable, Sendable {
    /// Final equity / starting capital - 1; needs a positive starting capital.
    package let totalReturn: Double?
    /// Growth a year: (final equity / starting capital)^(365.25 / days) - 1, days of 24 hours
    /// between the record's `from` and `to`.
    ///
    /// Needs positive capital at both ends and a day at least. Unlike the libraries, which count
    /// sessions and take 252 for a year, it goes by the calendar.
    package let cagr: Double?
    /// Sample standard deviation (divisor n - 1) of session returns · √252; needs two returns.
    package let volatility: Double?
    /// Mean of session returns / their sample standard deviation · √252; needs a deviation above 0.
    package let sharpe: Double?
    /// Mean of session returns / downside deviation · √252, where downside deviation is
    /// √(sum of squared negative returns / number of all returns); needs one above 0.
    package let sortino: Double?
    /// The deepest fall of equity, measured by the engine at every slice.
    package let maxDrawdown: DrawdownRecord?
    /// `cagr` / fraction lost in the deepest fall; needs a fall.
    package let calmar: Double?

    /// Sessions with an equity point.
    package let sessionCount: Int
    /// Executions.
    package let fillCount: Int
    /// Orders sent.
    package let orderCount: Int
    /// Round trips that ended. Figures of trips below are about these and their net profits.
    package let roundTripCount: Int

    /// Trips with a profit / all trips.
    package let winRate: Double?
    /// Sum of the profits / sum of the losses without sign; needs a loss.
    package let profitFactor: Double?
    /// Sum of profits and losses / number of trips, rounded half to even.
    package let expectancy: Money?
    /// The largest profit, or smallest loss, of a trip.
    package let best: Money?
    /// The largest loss, or smallest profit, of a trip.
    package let worst: Money?
    /// Time from first to last fill of a trip on average, rounded half to even.
    package let averageDuration: Duration?

    /// Commissions and fees of all fills.
    package let commissions: Money
    /// Value of all fills, bought and sold / average equity at sessions' ends. Not per year.
    package let turnover: Double?
    /// Sessions that ended with a position / all sessions.
    package let exposure: Double?

    /// The figures of a run.
    ///
    /// - Parameter trips: the round trips of the same record.
    package init(of record: RunRecord, trips: RoundTrips) {
        let growth = Growth(of: record)
        totalReturn = growth.total
        cagr = growth.perYear
        maxDrawdown = record.maxDrawdown
        calmar = quotient(growth.perYear, record.maxDrawdown?.fraction)

        let returns = SessionReturns(of: record)
        volatility = returns.volatility
        sharpe = returns.sharpe
        sortino = returns.sortino

        sessionCount = record.equity.count
        fillCount = record.fills.count
        orderCount = record.orders.count
        roundTripCount = trips.closed.count

        let results = TripResults(of: trips.closed)
        winRate = results.winRate
        profitFactor = results.profitFactor
        expectancy = results.expectancy
        best = results.best
        worst = results.worst
        averageDuration = results.averageDuration

        commissions = record.fills.reduce(.zero) { $0 + $1.commission }
        turnover = Self.turnover(of: record)
        let exposed = record.equity.count { $0.grossExposure > .zero }
        exposure = quotient(Double(exposed), Double(record.equity.count))
    }

    private static func turnover(of record: RunRecord) -> Double? {
        let traded = record.fills.reduce(ExactMoney.zero) { sum, fill in
            let multiplier = record.instruments[Int(fill.execution.instrument.index)].multiplier
            let value = (fill.execution.price * fill.execution.quantity) * multiplier
            return sum + value.magnitude
        }
        let equity = record.equity.reduce(ExactMoney.zero) { $0 + ExactMoney($1.equity) }
        return quotient(traded.asDouble, quotient(equity.asDouble, Double(record.equity.count)))
    }
}

/// The quotient, or `nil` where there is none: an absent part, a divisor that is not positive, a
/// result beyond floating point.
private func quotient(_ dividend: Double?, _ divisor: Double?) -> Double? {
    guard let dividend, let divisor, divisor > 0 else { return nil }
    let quotient = dividend / divisor
    return quotient.isFinite ? quotient : nil
}

/// How the capital grew from the run's start to its end.
private struct Growth {
    var total: Double?
    var perYear: Double?

    init(of record: RunRecord) {
        let start = record.startingCapital.asDouble
        let end = record.finalEquity.asDouble
        total = quotient((record.finalEquity - record.startingCapital).asDouble, start)

        let days = Double((record.to - record.from).nanoseconds) / 86_400e9
        guard let factor = quotient(end, start), factor > 0, days >= 1 else { return }
        let perYear = Natural.exp(Natural.log(factor) * 365.25 / days) - 1
        self.perYear = perYear.isFinite ? perYear : nil
    }
}

/// What equity gained or lost from session to session, as fractions; the first session counts from
/// the starting capital.
struct SessionReturns: Sendable {
    /// A return for each equity point; empty when one of them follows an equity that is not
    /// positive, because a return has no meaning then.
    let values: [Double]

    private static let perYear = 252.0
    /// Deviations up to here are what rounding leaves of equal returns.
    private static let noise = 1e-12

    /// The returns of a record's equity points.
    init(of record: RunRecord) {
        var values: [Double] = []
        values.reserveCapacity(record.equity.count)
        var previous = record.startingCapital
        for point in record.equity {
            guard previous > .zero else {
                values = []
                break
            }
            values.append((point.equity - previous).asDouble / previous.asDouble)
            previous = point.equity
        }
        self.values = values
    }

    /// See `PerformanceSummary.volatility`.
    var volatility: Double? { deviation.map { $0 * Self.perYear.squareRoot() } }

    /// See `PerformanceSummary.sharpe`.
    var sharpe: Double? { annualised(meanOver: deviation) }

    /// See `PerformanceSummary.sortino`.
    var sortino: Double? {
        let squares = values.reduce(0) { $0 + min($1, 0) * min($1, 0) }
        return annualised(meanOver: (squares / Double(values.count)).squareRoot())
    }

    private var mean: Double { values.reduce(0, +) / Double(values.count) }

    private var deviation: Double? {
        guard values.count >= 2 else { return nil }
        let mean = mean
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(values.count - 1)).squareRoot()
    }

    private func annualised(meanOver deviation: Double?) -> Double? {
        guard values.count >= 2, let deviation, deviation > Self.noise else { return nil }
        return mean / deviation * Self.perYear.squareRoot()
    }
}

/// What the round trips of a run brought.
private struct TripResults {
    var winRate: Double?
    var profitFactor: Double?
    var expectancy: Money?
    var best: Money?
    var worst: Money?
    var averageDuration: Duration?

    init(of trips: [RoundTrip]) {
        let results = trips.map { $0.netProfit }
        // Wider than the amounts and times themselves: sums of a long run exceed them.
        let profits = results.reduce(Int128(0)) { $0 + Int128(max($1, .zero).units) }
        let losses = results.reduce(Int128(0)) { $0 - Int128(min($1, .zero).units) }
        let time = trips.reduce(Int128(0)) { $0 + Int128($1.duration.nanoseconds) }
        best = results.max()
        worst = results.min()
        winRate = quotient(Double(results.count { $0 > .zero }), Double(results.count))
        profitFactor = quotient(Double(profits), Double(losses))

        guard !trips.isEmpty else { return }
        let count = Int128(trips.count)
        expectancy = Money(units: Int64((profits - losses).dividedHalfToEven(by: count)))
        averageDuration = Duration(nanoseconds: Int64(time.dividedHalfToEven(by: count)))
    }
}
