/// The natural exponential and logarithm from IEEE operations only, so that every machine gets the same
/// bits. Within 2 units in the last place of the correctly rounded value.
public enum Natural {
    private static let ln2High = 0.693147180369123816490
    private static let ln2Low = 1.90821492927058770002e-10

    /// e to the power of `x`; 0 below about -745, infinity above about 709.8, NaN for NaN.
    public static func exp(_ x: Double) -> Double {
        guard !x.isNaN else { return .nan }
        guard x < 709.8 else { return .infinity }
        guard x > -745.2 else { return 0 }
        let power = (x * 1.44269504088896338700).rounded()
        let remainder = (x - power * ln2High) - power * ln2Low
        // Taylor's series on |rest| <= 0.35: the term behind the last is below 2^-57 of the sum.
        var sum = 1.0
        for divisor in stride(from: 14.0, through: 1.0, by: -1.0) {
            sum = 1 + sum * remainder / divisor
        }
        // In two steps, for results below the smallest normal number.
        let half = (power / 2).rounded(.down)
        return sum * power2(Int(half)) * power2(Int(power - half))
    }

    /// The natural logarithm; NaN below 0, minus infinity at 0.
    public static func log(_ x: Double) -> Double {
        guard x > 0 else { return x == 0 ? -.infinity : .nan }
        guard x.isFinite else { return x }
        var exponent = Double(x.exponent)
        var mantissa = x.significand
        if mantissa > 1.4142135623730951 {
            mantissa /= 2
            exponent += 1
        }
        // log(m) = 2 artanh((m - 1) / (m + 1)), the argument within 0.1716.
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var series = 0.0
        for odd in stride(from: 25.0, through: 3.0, by: -2.0) {
            series = (series + 1 / odd) * square
        }
        return exponent * ln2High + (exponent * ln2Low + (2 * ratio * series + 2 * ratio))
    }

    private static func power2(_ exponent: Int) -> Double {
        Double(sign: .plus, exponent: exponent, significand: 1)
    }
}
