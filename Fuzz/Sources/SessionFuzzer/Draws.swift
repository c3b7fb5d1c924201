import Primitives

/// Everything that is drawn for one case, from one seed: the same in every process.
struct Draws {
    private var generator: SeededGenerator

    /// The draws of a case of a run.
    init(seed: UInt64, case number: Int) {
        generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
    }

    /// True that often, in percent.
    mutating func chance(_ percent: Double) -> Bool { generator.nextUniform() * 100 < percent }

    /// A number of a range.
    mutating func number<I: FixedWidthInteger>(_ range: ClosedRange<I>) -> I {
        I.random(in: range, using: &generator)
    }

    /// One of some values, of which there must be one.
    mutating func one<Value>(of values: [Value]) -> Value { values[number(0...values.count - 1)] }

    /// The values in another order.
    mutating func shuffled<Value>(_ values: [Value]) -> [Value] {
        values.shuffled(using: &generator)
    }

    /// A size that is mostly small, at most `most`.
    mutating func size(upTo most: Int) -> Int {
        min(most, Int(generator.nextExponential(mean: Double(most) / 8)))
    }
}
