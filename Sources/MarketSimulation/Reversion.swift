import Primitives

/// How a level comes back to where it began, as the volatility of a market does.
///
/// The logarithm of what it stands above a floor is an Ornstein-Uhlenbeck process around that of its start: it
/// rises far more than it falls, moves least near the floor, and is about its start in the long run.
package struct Reversion: Hashable, Sendable {
    /// What it stays above, as a share of the price it began with: 0 to 0.99.
    package var floor: Double
    /// In how many sessions half of what it is off its start is gone: 1 to 10,000.
    package var halfLife: Double

    /// A level that comes back.
    package init(floor: Double, halfLife: Double) {
        self.floor = floor
        self.halfLife = halfLife
    }

    /// The same with every number within its range.
    var bounded: Reversion {
        Reversion(
            floor: floor.isNaN ? 0 : min(max(floor, 0), 0.99),
            halfLife: halfLife.isNaN ? 1 : min(max(halfLife, 1), 10_000))
    }

    /// The price after an interval of a session.
    ///
    /// - Parameters:
    ///   - start: the price it began with.
    ///   - change: the draw, as the logarithmic change of a price that stands at `start`.
    ///   - part: how much of the session the interval is.
    func moved(_ price: Double, start: Double, by change: Double, over part: Double) -> Double {
        let height = start * (1 - floor)
        // At the floor itself there is no way back: a price that rounding has put there is near it.
        let above = max((price - start * floor) / height, 1e-9)
        let kept = Natural.exp(-Natural.log(2) / halfLife * part)
        return start * floor
            + height * Natural.exp(Natural.log(above) * kept + change / (1 - floor))
    }

    /// How large a logarithmic change at `price` is, where the same draw changes a price at `start` by 1.
    func scale(at price: Double, start: Double) -> Double {
        max(price - start * floor, 0) / price / (1 - floor)
    }
}
