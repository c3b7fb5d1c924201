package import Primitives

/// Volatility and Sharpe ratio of the last so many sessions, session by session.
package struct RollingStatistics: Hashable, Sendable {
    /// The sessions, in order of days.
    package let points: [Point]

    /// The figures as a session ended; `nil` before there are enough sessions, and where one is not
    /// defined.
    package struct Point: Hashable, Sendable {
        /// The session.
        package let day: Day
        /// Over the shorter window.
        package let short: Figures
        /// Over the longer window.
        package let long: Figures
    }

    /// What a window of sessions comes to.
    package struct Figures: Hashable, Sendable {
        /// See `ReturnStatistics.volatility`; needs a whole window.
        package let volatility: Double?
        /// See `ReturnStatistics.sharpe`; needs a whole window and returns that differ.
        package let sharpe: Double?

        /// Nothing is known.
        fileprivate static let none = Figures(volatility: nil, sharpe: nil)
    }

    /// How many sessions the windows have.
    package struct Windows: Hashable, Sendable {
        /// The shorter one's; at least 2.
        package let short: Int
        /// The longer one's; at least 2.
        package let long: Int

        /// Windows of a quarter and a year.
        package static let usual = Windows(short: 63, long: 252)

        /// Windows.
        package init(short: Int, long: Int) {
            self.short = short
            self.long = long
        }
    }

    /// The figures of returns, in order of days.
    ///
    /// - Parameter riskFreeRate: a year, as a fraction above -1.
    package init(of returns: [DailyReturn], _ windows: Windows, riskFreeRate: Double = 0) {
        let values = returns.map(\.value)
        let riskFree = Growth.perSession(riskFreeRate)
        // Each window is added up anew: sums that roll would gather rounding.
        points = returns.indices.map { index in
            Point(
                day: returns[index].day,
                short: Figures(of: values[...index], last: windows.short, riskFree),
                long: Figures(of: values[...index], last: windows.long, riskFree))
        }
    }
}

extension RollingStatistics.Figures {
    fileprivate init(of returns: ArraySlice<Double>, last count: Int, _ riskFree: Double) {
        guard returns.count >= count else {
            self = .none
            return
        }
        let moments = Moments(of: Array(returns.suffix(count)))
        let year = Growth.sessionsPerYear.squareRoot()
        self.init(
            volatility: moments.deviation.flatMap { defined($0 * year) },
            sharpe: quotient((moments.mean - riskFree) * year, moments.spread))
    }
}
