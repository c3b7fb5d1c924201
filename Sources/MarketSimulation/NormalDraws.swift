import Primitives

/// Normally distributed numbers by Marsaglia's polar method: only operations that every machine rounds
/// alike.
struct NormalDraws: Sendable {
    /// Where the numbers come from.
    var generator: SeededGenerator
    private var spare: Double?

    /// The numbers of a key.
    init(_ key: DrawKey) { generator = SeededGenerator(seed: key.seed) }

    /// The next number with mean 0 and deviation 1.
    mutating func next() -> Double {
        if let number = spare {
            spare = nil
            return number
        }
        while true {
            let x = 2 * generator.nextUniform() - 1
            let y = 2 * generator.nextUniform() - 1
            let square = x * x + y * y
            guard square > 0, square < 1 else { continue }
            let scale = (-2 * Natural.log(square) / square).squareRoot()
            spare = y * scale
            return x * scale
        }
    }
}

/// Normally distributed numbers of one instrument that are correlated with those of the others.
struct CorrelatedDraws: Sendable {
    /// The instrument's own numbers.
    var own: NormalDraws
    /// The numbers that all have in common.
    private var common: NormalDraws
    private let correlation: Double

    /// Numbers of two keys, the second one that of all instruments.
    init(_ own: DrawKey, common: DrawKey, correlation: Double) {
        self.own = NormalDraws(own)
        self.common = NormalDraws(common)
        self.correlation = correlation
    }

    /// The next number with mean 0 and deviation 1.
    mutating func next() -> Double {
        guard correlation > 0 else { return own.next() }
        return correlation.squareRoot() * common.next()
            + (1 - correlation).squareRoot() * own.next()
    }
}
