package import Primitives

/// What a run is measured against.
package struct Benchmark: Hashable, Sendable {
    /// Its ticker.
    package let symbol: String
    /// Its closes, in order of days, at most one a day.
    package let closes: [Close]

    /// The last price of a session.
    package struct Close: Hashable, Sendable {
        /// The session.
        package let day: Day
        /// The price, adjusted as the user wants it compared; one that is not positive is left out.
        package let price: Price

        /// A session's last price.
        package init(day: Day, price: Price) {
            self.day = day
            self.price = price
        }
    }

    /// A benchmark.
    package init(symbol: String, closes: [Close]) {
        self.symbol = symbol
        self.closes = closes
    }
}

/// Returns beside those of a benchmark in the same sessions, in fractions.
///
/// A figure that is not defined is `nil`. Conventions are those of empyrical-reloaded 0.7.1, and of
/// quantstats 0.0.86 for the information ratio and R².
package struct BenchmarkComparison: Hashable, Sendable {
    /// Sessions that both have.
    package let sessionCount: Int
    /// The benchmark's total return over them; needs a session.
    package let benchmarkReturn: Double?
    /// The benchmark's compound annual growth rate, 252 sessions a year; needs a session.
    package let benchmarkCAGR: Double?
    /// Covariance / the benchmark's variance; needs two sessions, and returns that differ on both
    /// sides.
    package let beta: Double?
    /// (1 + mean of (r - f) - beta (b - f))^252 - 1, for the risk-free rate f a session: compounded,
    /// where quantstats multiplies by 252; needs a beta.
    package let alpha: Double?
    /// The squared correlation; needs a beta.
    package let rSquared: Double?
    /// Mean of r - b / its sample deviation, not annualised; needs a deviation.
    package let informationRatio: Double?
    /// Annual growth in the sessions in which the benchmark rose / the benchmark's own in them.
    package let upCapture: Double?
    /// Annual growth in the sessions in which the benchmark fell / the benchmark's own in them.
    package let downCapture: Double?

    /// Compares `returns` with the benchmark's of the same sessions.
    ///
    /// - Parameter riskFreeRate: a year, as a fraction above -1.
    package init(_ returns: SharedReturns, riskFreeRate: Double = 0) {
        let riskFree = Growth.perSession(riskFreeRate)
        let (own, theirs) = (returns.own, returns.benchmark)
        sessionCount = own.count
        let total = Growth.compounded(theirs)
        benchmarkReturn = theirs.isEmpty ? nil : defined(total)
        benchmarkCAGR = Growth.perYear(total, sessions: theirs.count)

        let covariation = Covariation(own, theirs)
        rSquared = covariation?.rSquared
        let beta = covariation.flatMap { defined($0.covariance / $0.otherVariance) }
        self.beta = beta
        alpha = beta.flatMap { beta in
            let remainder = zip(own, theirs).map { ($0 - riskFree) - beta * ($1 - riskFree) }
            return Growth.perYear(Moments(of: remainder).mean, sessions: 1)
        }
        let active = Moments(of: zip(own, theirs).map { $0 - $1 })
        informationRatio = quotient(active.mean, active.spread)
        upCapture = Self.capture(returns) { $0 > 0 }
        downCapture = Self.capture(returns) { $0 < 0 }
    }

    private static func capture(
        _ returns: SharedReturns, where counts: (Double) -> Bool
    ) -> Double? {
        let pairs = zip(returns.own, returns.benchmark).filter { counts($0.1) }
        let own = Growth.perYear(Growth.compounded(pairs.map(\.0)), sessions: pairs.count)
        let theirs = Growth.perYear(Growth.compounded(pairs.map(\.1)), sessions: pairs.count)
        guard let own, let theirs, abs(theirs) > Moments.noise else { return nil }
        return defined(own / theirs)
    }
}

/// Returns of a run and of a benchmark over the same spans of time.
package struct SharedReturns: Hashable, Sendable {
    /// The run's.
    package private(set) var own: [Double] = []
    /// The benchmark's; as many.
    package private(set) var benchmark: [Double] = []

    /// Returns of the same spans; what the longer one has more is left out.
    package init(own: [Double], benchmark: [Double]) {
        let count = min(own.count, benchmark.count)
        self.own = Array(own.prefix(count))
        self.benchmark = Array(benchmark.prefix(count))
    }

    /// Puts returns and closes together by day.
    ///
    /// A day that only one side has is dropped, and both sides' next returns span it. The first
    /// session counts if the benchmark has a close before it; otherwise returns begin behind the
    /// first shared day.
    ///
    /// - Parameter returns: in order of days.
    package init(_ returns: [DailyReturn], _ benchmark: Benchmark) {
        var closes = benchmark.closes.filter { $0.price > .zero }[...]
        var base: Price?
        var growth = 1.0
        for daily in returns {
            growth *= 1 + daily.value
            while let close = closes.first, close.day < daily.day {
                // Before the first session only: later, a close without session is no base.
                if own.isEmpty, daily.day == returns.first?.day { base = close.price }
                closes.removeFirst()
            }
            guard let close = closes.first, close.day == daily.day else { continue }
            if let base {
                own.append(growth - 1)
                self.benchmark.append(Double(close.price.units) / Double(base.units) - 1)
            }
            base = close.price
            growth = 1
        }
    }
}
