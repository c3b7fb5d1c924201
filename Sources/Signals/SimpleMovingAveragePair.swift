public import Primitives

/// Two simple moving averages of the same prices, over one window.
///
/// Each is exactly what a `SimpleMovingAverage` of its length gives; together they cost little more than
/// one of them.
public struct SimpleMovingAveragePair: Sendable {
    @usableFromInline var window: [Double]
    @usableFromInline var next = 0
    @usableFromInline var count = 0
    @usableFromInline var fastSum = 0.0
    @usableFromInline var slowSum = 0.0
    @usableFromInline let fast: Int
    @usableFromInline let fastDivisor: Double
    @usableFromInline let slowDivisor: Double

    /// Averages of the last `fast` and the last `slow` prices.
    ///
    /// - Parameters:
    ///   - fast: positive.
    ///   - slow: at least `fast`.
    public init(fast: Int, slow: Int) {
        precondition(fast > 0 && slow >= fast, "0 < fast <= slow")
        self.fast = fast
        fastDivisor = Double(fast)
        slowDivisor = Double(slow)
        window = Array(repeating: 0, count: slow)
    }

    /// Takes in the next price; both means in price units, once there are `slow` prices.
    @inlinable
    @inline(__always)
    public mutating func update(_ price: Price) -> (fast: Double, slow: Double)? {
        let units = Double(price.units)
        let slow = window.count
        let leavesFast = next >= fast ? next - fast : next - fast + slow
        fastSum += units - window[leavesFast]
        slowSum += units - window[next]
        window[next] = units
        next = next + 1 == slow ? 0 : next + 1
        if count < slow {
            count += 1
            guard count == slow else { return nil }
        }
        return (fastSum / fastDivisor, slowSum / slowDivisor)
    }
}
