import Primitives

/// What draws follow from, for one thing at one time: the same in every run, whatever was asked before.
struct DrawKey: Hashable, Sendable {
    /// The seed of these draws.
    let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    /// The key of a name within a seed.
    init(seed: UInt64, name: String) {
        var state = SeededGenerator(seed: seed).first
        for byte in name.utf8 { state = SeededGenerator(seed: state ^ UInt64(byte)).first }
        self.seed = state
    }

    /// The key of the part `number` of this.
    func part(_ number: Int) -> DrawKey {
        let spread = UInt64(bitPattern: Int64(number)) &* 0xD134_2543_DE82_EF95
        return DrawKey(seed: SeededGenerator(seed: seed ^ spread).first)
    }
}

extension SeededGenerator {
    /// What it begins with.
    fileprivate var first: UInt64 {
        var copy = self
        return copy.next()
    }
}

/// The exponential distribution with mean 1 as a table: 1,024 equally likely values.
enum ExponentialTable {
    /// The values, rising.
    static let values: [Double] = {
        let raw = (0..<1_024).map { -Natural.log(1 - (Double($0) + 0.5) / 1_024) }
        let mean = raw.reduce(0, +) / Double(raw.count)
        return raw.map { $0 / mean }
    }()
}
