import Primitives

/// Sums that several statistics of a series share.
struct Moments {
    /// How many values there are.
    let count: Int
    /// Their mean; NaN without values.
    let mean: Double

    private var squares = 0.0
    private var cubes = 0.0
    private var fourths = 0.0

    /// Deviations up to here are what rounding leaves of equal values.
    static let noise = 1e-12

    /// The moments of `values`.
    init(of values: [Double]) {
        count = values.count
        mean = values.reduce(0, +) / Double(count)
        for value in values {
            let square = (value - mean) * (value - mean)
            squares += square
            cubes += square * (value - mean)
            fourths += square * square
        }
    }

    /// The sample variance (divisor n - 1); needs two values.
    var variance: Double? { count >= 2 ? squares / Double(count - 1) : nil }

    /// The sample standard deviation (divisor n - 1); needs two values.
    var deviation: Double? { variance.map { $0.squareRoot() } }

    /// `deviation` where values differ by more than rounding.
    var spread: Double? { deviation.flatMap { $0 > Self.noise ? $0 : nil } }

    /// Fisher's and Pearson's coefficient of skewness, corrected for bias (G1, as in pandas):
    /// m3 / m2^1.5 · √(n (n - 1)) / (n - 2); needs three values that differ.
    var skew: Double? {
        guard count >= 3, spread != nil else { return nil }
        let (n, m2) = (Double(count), squares / Double(count))
        return defined(
            cubes / n / (m2 * m2.squareRoot()) * (n * (n - 1)).squareRoot() / (n - 2))
    }

    /// Excess kurtosis, corrected for bias (G2, as in pandas): with g = m4 / m2² - 3,
    /// ((n + 1) g + 6) (n - 1) / ((n - 2) (n - 3)); needs four values that differ.
    var kurtosis: Double? {
        guard count >= 4, spread != nil else { return nil }
        let (n, m2) = (Double(count), squares / Double(count))
        let biased = fourths / n / (m2 * m2) - 3
        return defined(((n + 1) * biased + 6) * (n - 1) / ((n - 2) * (n - 3)))
    }
}

/// What two series of equal length have in common.
struct Covariation {
    /// The sample variance of the first.
    let variance: Double
    /// The sample variance of the second.
    let otherVariance: Double
    /// Their sample covariance.
    let covariance: Double

    /// `nil` for fewer than two pairs, or when the values of either are equal but for rounding.
    init?(_ values: [Double], _ others: [Double]) {
        let (own, other) = (Moments(of: values), Moments(of: others))
        guard own.spread != nil, other.spread != nil, let variance = own.variance,
            let otherVariance = other.variance
        else { return nil }
        let products = zip(values, others).reduce(0) {
            $0 + ($1.0 - own.mean) * ($1.1 - other.mean)
        }
        self.variance = variance
        self.otherVariance = otherVariance
        covariance = products / Double(own.count - 1)
    }

    /// The squared correlation.
    var rSquared: Double? {
        defined(covariance * covariance / (variance * otherVariance))
    }
}

/// A series in ascending order.
struct Ordered {
    private let values: [Double]

    /// Sorts `values`.
    init(_ values: [Double]) { self.values = values.sorted() }

    /// The value below which that share lies, linear between order statistics at (n - 1) · share
    /// (numpy's default, type 7 of Hyndman and Fan); needs a value.
    func quantile(_ share: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let position = share * Double(values.count - 1)
        let below = Int(position)
        let above = min(below + 1, values.count - 1)
        return values[below] + (values[above] - values[below]) * (position - Double(below))
    }

    /// The mean of the floor((n - 1) · share) + 1 smallest; needs a value.
    func meanOfSmallest(_ share: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let count = Int(share * Double(values.count - 1)) + 1
        return defined(values.prefix(count).reduce(0, +) / Double(count))
    }
}

/// The number, or `nil` for NaN and infinity.
func defined(_ number: Double) -> Double? { number.isFinite ? number : nil }

/// The quotient, or `nil` where there is none: an absent part, a divisor that is not positive, a
/// result beyond floating point.
func quotient(_ dividend: Double?, _ divisor: Double?) -> Double? {
    guard let dividend, let divisor, divisor > 0 else { return nil }
    return defined(dividend / divisor)
}

/// Compounding.
enum Growth {
    /// Sessions that count as a year.
    static let sessionsPerYear = 252.0

    /// What `returns` come to one after the other: the product of 1 + r, less 1; 0 for none.
    static func compounded(_ returns: some Sequence<Double>) -> Double {
        returns.reduce(1) { $0 * (1 + $1) } - 1
    }

    /// `total`, made in `sessions` sessions, as a return a year: (1 + total)^(252 / sessions) - 1.
    ///
    /// `nil` for no session, and for more than everything lost.
    static func perYear(_ total: Double, sessions: Int) -> Double? {
        guard sessions > 0, total >= -1 else { return nil }
        return defined(power(1 + total, sessionsPerYear / Double(sessions)) - 1)
    }

    /// A return a year as one a session: (1 + yearly)^(1 / 252) - 1; NaN for less than -1.
    static func perSession(_ yearly: Double) -> Double {
        power(1 + yearly, 1 / sessionsPerYear) - 1
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double {
        Natural.exp(Natural.log(base) * exponent)
    }
}
