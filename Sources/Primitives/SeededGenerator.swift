/// A random generator that gives the same numbers for the same seed on every machine: SplitMix64
/// (Steele, Lea and Flood, 2014).
public struct SeededGenerator: RandomNumberGenerator, Codable, Sendable {
    private var state: UInt64

    /// The sequence of `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of [0, 1), one of 2^53 equally likely.
    public mutating func nextUniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number of the exponential distribution with that mean.
    public mutating func nextExponential(mean: Double) -> Double {
        -mean * Natural.log(1 - nextUniform())
    }
}
