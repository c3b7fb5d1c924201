public import Primitives

/// MACD: how far a fast exponential average is above a slow one, and the average of that.
///
/// Both averages give their first value with the `slow`th price (the fast one starts from the
/// `fast` prices up to it), and the signal starts from the mean of the first `signal` differences,
/// as in TA-Lib. All three lines begin together: `nil` until `slow` + `signal` − 1 prices have
/// come.
public struct MovingAverageConvergenceDivergence: Indicator, Codable {
    /// The three lines, in price units.
    public struct Value: Hashable, Codable, Sendable, BitwiseCopyable {
        /// The fast average minus the slow one.
        public let line: Double
        /// The exponential average of the line.
        public let signal: Double
        /// The line minus the signal.
        public let histogram: Double
    }

    /// The newest lines.
    public private(set) var value: Value?

    private(set) var fast: ExponentialMovingAverage
    private(set) var slow: ExponentialMovingAverage
    private(set) var signal: ExponentialMovingAverage
    /// Prices the fast average lets pass, so that both averages begin together.
    private var fastWaits: Int

    /// A difference of averages over `fast` and `slow` prices and its average over `signal`.
    ///
    /// - Parameters:
    ///   - fast: positive; usually 12.
    ///   - slow: above `fast`; usually 26.
    ///   - signal: positive; usually 9.
    public init(fast: Int = 12, slow: Int = 26, signal: Int = 9) {
        precondition(fast > 0 && slow > fast, "0 < fast < slow")
        precondition(signal > 0, "an average has a length")
        self.fast = ExponentialMovingAverage(length: fast)
        self.slow = ExponentialMovingAverage(length: slow)
        self.signal = ExponentialMovingAverage(length: signal)
        fastWaits = slow - fast
    }

    /// Takes in the next price; the new `value`.
    @discardableResult
    public mutating func update(_ price: Price) -> Value? {
        let slowMean = slow.update(price)
        guard fastWaits == 0 else {
            fastWaits -= 1
            return nil
        }
        guard let fastMean = fast.update(price), let slowMean else { return nil }
        let line = fastMean - slowMean
        guard let average = signal.update(number: line) else { return nil }
        value = Value(line: line, signal: average, histogram: line - average)
        return value
    }
}
