package import MarketState
package import Primitives

/// What synthetic bars are to look like.
package struct SyntheticMarket: Sendable {
    /// The tickers.
    package var symbols: [String]
    /// How many bars each symbol gets; where quotes and trades are made, how many of them.
    package var barCount: Int
    /// How long a bar lasts; `nil` for whole sessions.
    package var barSize: Duration?
    /// The first day.
    package var from: Day
    /// The sessions bars lie in.
    package var calendar = SessionCalendar.newYork
    /// What all draws follow from.
    package var seed: UInt64
    /// The standard deviation of a year's return, as a fraction: 0.15.
    package var volatility: Double
    /// The expected return of a year, as a fraction.
    package var drift = 0.0
    /// The expected number of jumps a year.
    package var jumps = 0.0
    /// The standard deviation of a jump, as a fraction.
    package var jumpSize = 0.03
    /// Whether calm and turbulent times take turns; see `Regime`.
    package var hasRegimes = false
    /// Whether prices and volume move more near the open and the close.
    package var hasIntradayShape = false
    /// The correlation of any two symbols' returns, jumps aside.
    package var correlation = 0.0
    /// The price before the first bar.
    package var startPrice = 100.0
    /// The usual volume of a session, in shares.
    package var sessionVolume = 5_000_000.0

    /// Bars of that many sessions, or of a length within them.
    package init(
        symbols: [String], barCount: Int, barSize: Duration?, from: Day, seed: UInt64,
        volatility: Double
    ) {
        self.symbols = symbols
        self.barCount = barCount
        self.barSize = barSize
        self.from = from
        self.seed = seed
        self.volatility = volatility
    }

    /// Sessions in a year.
    var sessionsPerYear: Double {
        switch calendar {
        case .newYork: 252
        case .always: 365
        }
    }

    /// The variance of a session's diffusion, which jumps leave the rest of the volatility to.
    var sessionVariance: Double {
        (volatility * volatility - jumps * jumpSize * jumpSize) / sessionsPerYear
    }

    /// Why no bars can be made, as a sentence; `nil` when they can.
    package var problem: String? {
        let names = symbols.map { $0.uppercased() }
        if symbols.isEmpty { return "There must be a symbol." }
        if Set(names).count < names.count { return "Each symbol must be given once." }
        if let bad = names.first(where: { !OutputFolder.isFileName($0) }) {
            return
                "The symbol \(DataError.quoted(bad)) cannot be a file's name: use letters, digits, "
                + "'.', '-' and '_'."
        }
        if !(1...Self.barsMax).contains(barCount) {
            return "The number of bars or ticks must be 1 to \(Self.barsMax)."
        }
        if let barSize,
            barSize < .seconds(1) || barSize > calendar.sessionLength
                || barSize.nanoseconds % 1_000_000_000 != 0
        {
            return "The length of bars must be whole seconds, at most a session, or 1d."
        }
        if !(0.0...10).contains(volatility) {
            return "The volatility must be 0 to 10 (0.15 is 15 %)."
        }
        if !(-1.0...10).contains(drift) { return "The drift must be -1 to 10 (0.05 is 5 %)." }
        if !(0.0...1).contains(correlation) { return "The correlation must be 0 to 1." }
        if !(0.0...1_000).contains(jumps) || !(0.0...1).contains(jumpSize) {
            return "Jumps must be 0 to 1000 a year, and their size 0 to 1."
        }
        if sessionVariance < 0 {
            return "Jumps alone are more than the volatility: choose fewer or smaller ones."
        }
        if !(0.01...1_000_000).contains(startPrice) { return "The price must be 0.01 to 1000000." }
        let years = Day(year: 1990, month: 1, day: 1).flatMap { first in
            Day(year: 2189, month: 1, day: 1).map { first..<$0 }
        }
        if years?.contains(from) != true { return "The first day must be within 1990 to 2188." }
        return nil
    }

    /// The most bars a file can get.
    private static let barsMax = 100_000_000
}
