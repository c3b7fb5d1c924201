package import Model
internal import Primitives

/// What an option is worth and how that moves, by Black, Scholes and Merton, without dividends: the
/// formulas of "The Pricing of Options and Corporate Liabilities" (1973).
package struct BlackScholes: Hashable, Sendable {
    /// The price of what may be bought or sold; positive.
    package var underlying: Double
    /// The price it may be bought or sold at; positive.
    package var strike: Double
    /// Years until the right ends; none left gives what exercising pays.
    package var years: Double
    /// The standard deviation of a year's logarithmic return.
    package var volatility: Double
    /// The yearly interest, compounded continuously: 0.04 is 4 %.
    package var rate: Double
    /// The right to buy or the right to sell.
    package var right: OptionTerms.Right

    /// An option's value and its derivatives.
    package struct Greeks: Hashable, Sendable {
        /// The value.
        package let value: Double
        /// Its change when the underlying rises by 1.
        package let delta: Double
        /// Delta's change when the underlying rises by 1.
        package let gamma: Double
        /// The value's change when volatility rises by a percentage point.
        package let vega: Double
        /// The value's change in a calendar day.
        package let theta: Double
    }

    /// An option's terms and its market.
    package init(
        underlying: Double, strike: Double, years: Double, volatility: Double, rate: Double,
        right: OptionTerms.Right
    ) {
        self.underlying = underlying
        self.strike = strike
        self.years = years
        self.volatility = volatility
        self.rate = rate
        self.right = right
    }

    /// What exercising at once pays.
    package var intrinsic: Double {
        switch right {
        case .call: max(0, underlying - strike)
        case .put: max(0, strike - underlying)
        }
    }

    /// What the option is worth; NaN where a term is NaN or a price is not positive.
    package var value: Double {
        guard let (first, second) = points else { return isNumber ? expiring : .nan }
        let discounted = strike * Natural.exp(-rate * years)
        switch right {
        case .call: return underlying * Normal.below(first) - discounted * Normal.below(second)
        case .put: return discounted * Normal.below(-second) - underlying * Normal.below(-first)
        }
    }

    /// Value and derivatives. Without time or volatility only delta is left, which is then 0, 1 or -1.
    package var greeks: Greeks {
        guard let (first, second) = points else {
            let delta: Double =
                switch right {
                case .call: underlying > strike ? 1 : 0
                case .put: underlying < strike ? -1 : 0
                }
            return Greeks(value: value, delta: delta, gamma: 0, vega: 0, theta: 0)
        }
        let density = Normal.density(first)
        let root = years.squareRoot()
        let discounted = strike * Natural.exp(-rate * years)
        let decay = -underlying * density * volatility / (2 * root)
        let (delta, carry): (Double, Double) =
            switch right {
            case .call: (Normal.below(first), -rate * discounted * Normal.below(second))
            case .put: (Normal.below(first) - 1, rate * discounted * Normal.below(-second))
            }
        return Greeks(
            value: value, delta: delta, gamma: density / (underlying * volatility * root),
            vega: underlying * density * root / 100, theta: (decay + carry) / 365)
    }

    /// The volatility at which the option is worth `price`; `nil` where none of 0.0001 to 10 does.
    package func impliedVolatility(at price: Double) -> Double? {
        guard price.isFinite, years > 0, isNumber else { return nil }
        var (low, high) = (0.0001, 10.0)
        var option = self
        func worth(_ volatility: Double) -> Double {
            option.volatility = volatility
            return option.value
        }
        guard worth(low) <= price, worth(high) >= price else { return nil }
        // Each step halves what is left: 60 of them leave less than 10^-17.
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if worth(middle) < price { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    private var isNumber: Bool {
        underlying > 0 && strike > 0 && years.isFinite && volatility.isFinite && rate.isFinite
            && underlying.isFinite && strike.isFinite
    }

    private var expiring: Double {
        guard years > 0 else { return intrinsic }
        let discounted = strike * Natural.exp(-rate * years)
        switch right {
        case .call: return max(0, underlying - discounted)
        case .put: return max(0, discounted - underlying)
        }
    }

    /// The two points of the normal distribution that the formulas are about; `nil` without time or
    /// volatility.
    private var points: (Double, Double)? {
        guard isNumber, years > 0, volatility > 0 else { return nil }
        let spread = volatility * years.squareRoot()
        let first =
            (Natural.log(underlying / strike) + (rate + volatility * volatility / 2) * years)
            / spread
        return (first, first - spread)
    }
}

/// The normal distribution with mean 0 and deviation 1.
enum Normal {
    /// How dense it is at a point.
    static func density(_ x: Double) -> Double {
        Natural.exp(-x * x / 2) * 0.398_942_280_401_432_7
    }

    /// How much of it lies below a point, to about 10^-14: Hart's approximation of 1968 as G. West gives it
    /// ("Better approximations to cumulative normal functions", Wilmott, 2005).
    static func below(_ x: Double) -> Double {
        let size = x.magnitude
        guard size <= 37 else { return x > 0 ? 1 : x < 0 ? 0 : .nan }
        let bell = Natural.exp(-size * size / 2)
        let tail: Double
        if size < 7.07106781186547 {
            tail = bell * polynomial(upper, at: size) / polynomial(lower, at: size)
        } else {
            let fraction = size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))))
            tail = bell / (fraction * 2.506628274631)
        }
        return x > 0 ? 1 - tail : tail
    }

    private static func polynomial(_ factors: [Double], at x: Double) -> Double {
        factors.reduce(0) { $0 * x + $1 }
    }

    private static let upper = [
        3.52624965998911e-02, 0.700383064443688, 6.37396220353165, 33.912866078383,
        112.079291497871, 221.213596169931, 220.206867912376,
    ]
    private static let lower = [
        8.83883476483184e-02, 1.75566716318264, 16.064177579207, 86.7807322029461,
        296.564248779674, 637.333633378831, 793.826512519948, 440.413735824752,
    ]
}
