/// A 64-bit digest of state: unseeded, so that two processes, two builds and a replay agree.
///
/// Not `Hasher`, whose seed changes with every process. Not cryptographic.
public struct StateHasher: Sendable {
    private var state: UInt64 = 0x6A09_E667_F3BC_C909
    private var count: UInt64 = 0

    /// An empty digest.
    public init() {}

    /// The digest of everything combined so far.
    public var digest: UInt64 { Self.mix(state ^ count) }

    /// Takes in one word; the order of words matters.
    public mutating func combine(_ word: UInt64) {
        count &+= 1
        state = Self.mix(state &+ word &+ 0x9E37_79B9_7F4A_7C15)
    }

    /// Takes in a signed word.
    public mutating func combine(_ word: Int64) { combine(UInt64(bitPattern: word)) }
    /// Takes in an index or count.
    public mutating func combine(_ word: Int32) { combine(Int64(word)) }
    /// Takes in a count.
    public mutating func combine(_ word: Int) { combine(Int64(word)) }
    /// Takes in a flag.
    public mutating func combine(_ flag: Bool) { combine(flag ? 1 as Int64 : 0) }
    /// Takes in a number by its bits.
    public mutating func combine(_ number: Double) { combine(number.bitPattern) }
    /// Takes in a price.
    public mutating func combine(_ price: Price) { combine(price.units) }
    /// Takes in a quantity.
    public mutating func combine(_ quantity: Quantity) { combine(quantity.units) }
    /// Takes in an amount.
    public mutating func combine(_ money: Money) { combine(money.units) }
    /// Takes in an exact amount.
    public mutating func combine(_ money: ExactMoney) {
        combine(Int64(truncatingIfNeeded: money.units))
        combine(Int64(truncatingIfNeeded: money.units >> 64))
    }
    /// Takes in a timestamp.
    public mutating func combine(_ timestamp: Timestamp) { combine(timestamp.nanoseconds) }

    private static func mix(_ word: UInt64) -> UInt64 {
        var mixed = (word ^ (word >> 32)) &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }
}
