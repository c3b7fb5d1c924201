package import Primitives

/// Normally distributed numbers by Marsaglia's polar method: only operations that every machine rounds
/// alike.
package struct NormalDraws: Sendable {
    /// Where the numbers come from.
    package var generator: SeededGenerator
    private var spare: Double?

    /// The numbers that follow from `seed`.
    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A stream of its own for each name: a symbol's bars do not depend on the others that are made.
    package init(seed: UInt64, name: String) {
        var seeds = SeededGenerator(seed: seed)
        var state = seeds.next()
        for byte in name.utf8 {
            seeds = SeededGenerator(seed: state ^ UInt64(byte))
            state = seeds.next()
        }
        generator = SeededGenerator(seed: state)
    }

    /// The next number with mean 0 and deviation 1.
    package mutating func next() -> Double {
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
